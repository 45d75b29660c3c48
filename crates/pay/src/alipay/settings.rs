//! What an operator gives to be paid through Alipay. Plain values; keys are not printed.

use std::time::Duration;

use secrecy::SecretString;

/// The gateway of real money.
pub const PRODUCTION_GATEWAY: &str = "https://openapi.alipay.com/gateway.do";

/// Alipay's own sandbox, with keys of its own.
pub const SANDBOX_GATEWAY: &str = "https://openapi-sandbox.dl.alipaydev.com/gateway.do";

/// Alipay replies in well under a second; beyond this the reply is unknown.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub struct AlipaySettings {
    pub gateway: String,
    /// The application's number, from the open platform.
    pub app_id: String,
    /// The account that receives the money: sixteen digits that begin with 2088.
    pub seller_id: String,
    /// In PKCS#1 or PKCS#8, as PEM or as the bare base64 that Alipay's key tool writes.
    pub app_private_key: SecretString,
    pub trust: Trust,
    /// For a whole call, from the connection to the last byte.
    pub timeout: Duration,
}

/// How the two sides know each other's keys; the open platform calls it the signing mode of the application.
#[derive(Clone, Debug)]
pub enum Trust {
    /// Alipay's public key, as the open platform shows it once ours is uploaded.
    PublicKey { alipay_public_key: String },
    /// The three files the open platform offers, as PEM.
    Certificates {
        /// `appCertPublicKey_….crt`
        app: String,
        /// `alipayCertPublicKey_RSA2.crt`
        alipay: String,
        /// `alipayRootCert.crt`
        alipay_root: String,
    },
}
