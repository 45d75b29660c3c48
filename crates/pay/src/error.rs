//! What cannot be asked, what cannot be believed, and what cannot be set up.

use thiserror::Error;

/// Why no payment link was made. Nothing has left the process.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CreateError {
    #[error("{0} cents cannot be paid")]
    Amount(u64),
    #[error("the payment would expire before it begins")]
    Expired,
    #[error("{0} is not an http address of moderate length")]
    Url(&'static str),
    #[error("the subject is empty")]
    NoSubject,
    #[error("the request could not be signed")]
    Sign,
}

/// Why a callback is not believed. Anybody can send one, so none of these is worth more than a counter and a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallbackError {
    #[error("the callback is larger than {0} bytes")]
    TooLarge(usize),
    #[error("the callback is not a form")]
    NotAForm,
    #[error("the callback has a field twice")]
    RepeatedField,
    #[error("the callback has no usable {0}")]
    Field(&'static str),
    #[error("the callback's signature is of an unknown kind")]
    SignType,
    #[error("the callback's signature is wrong")]
    WrongSignature,
    #[error("the callback is signed under an unknown certificate")]
    UnknownCertificate,
    #[error("the callback is for another application")]
    ForeignApp,
    #[error("the callback is for another seller")]
    ForeignSeller,
}

impl CallbackError {
    pub(crate) fn label(&self) -> &'static str {
        match self {
            Self::TooLarge(_) => "too_large",
            Self::NotAForm | Self::RepeatedField | Self::Field(_) => "malformed",
            Self::SignType | Self::WrongSignature | Self::UnknownCertificate => "forged",
            Self::ForeignApp | Self::ForeignSeller => "foreign",
        }
    }
}

/// Why a provider cannot be used with these settings. None of them repeats a key.
#[derive(Debug, Error)]
pub enum SetupError {
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0} is neither PEM nor base64")]
    NotBase64(&'static str),
    #[error("the application's private key is not RSA of 2048 to 4096 bits in PKCS#1 or PKCS#8")]
    PrivateKey,
    #[error("Alipay's public key is not RSA of 2048 to 8192 bits")]
    AlipayKey,
    #[error(
        "the key given as Alipay's is the application's own: its callbacks could never be verified"
    )]
    OwnKeyAsAlipays,
    #[error("{0} is not an X.509 certificate")]
    Certificate(&'static str),
    #[error("the application's certificate does not belong to its private key")]
    ForeignCertificate,
    #[error("the gateway must be reached by https (or, on this machine, http)")]
    InsecureGateway,
    #[error("the HTTP client could not be built")]
    Client(#[source] reqwest::Error),
    #[error("the sandbox's secret has fewer than {0} bytes")]
    ShortSecret(usize),
}
