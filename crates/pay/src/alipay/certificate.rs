//! Certificate mode: the serial numbers by which both sides name the key they signed with.
//!
//! A certificate's number is the MD5 of its issuer's name, written as RFC 2253 has it, followed by its serial number in
//! decimal. The root file's number is that of each root signed with RSA, joined by `_`; its other roots are not for us.
//! MD5 only names things here. What is trusted is the file the operator gave, as in the other mode the key: Alipay hands
//! it out without the certificates between it and the roots, and no other one is ever fetched.

use jiff::Timestamp;
use md5::{Digest, Md5};
use x509_parser::certificate::X509Certificate;
use x509_parser::oid_registry::{
    OID_X509_COMMON_NAME, OID_X509_COUNTRY_NAME, OID_X509_LOCALITY_NAME,
    OID_X509_ORGANIZATION_NAME, OID_X509_ORGANIZATIONAL_UNIT, OID_X509_STATE_OR_PROVINCE_NAME, Oid,
};
use x509_parser::prelude::FromDer;
use x509_parser::x509::{AttributeTypeAndValue, X509Name};

use super::keys::{Signer, Verifier};
use super::pem;
use crate::SetupError;

const APP: &str = "the application's certificate";
const ALIPAY: &str = "Alipay's certificate";
const ROOT: &str = "Alipay's root certificate";

/// All of RSA's signature algorithms stand under this number.
const RSA_ALGORITHMS: &str = "1.2.840.113549.1.1.";

#[derive(Clone, Debug)]
pub(super) struct Certificates {
    pub(super) app_sn: String,
    pub(super) alipay_sn: String,
    pub(super) alipay_root_sn: String,
    pub(super) verifier: Verifier,
    pub(super) expires_at: Timestamp,
}

impl Certificates {
    pub(super) fn parse(
        app: &str,
        alipay: &str,
        alipay_root: &str,
        signer: &Signer,
    ) -> Result<Self, SetupError> {
        let (app, alipay) = (pem::one(app, APP)?, pem::one(alipay, ALIPAY)?);
        let roots = pem::all(alipay_root, ROOT)?;
        let app = read(&app, APP)?;
        let own = Verifier::of(app.public_key()).ok_or(SetupError::Certificate(APP))?;
        if !signer.belongs_to(&own) {
            return Err(SetupError::ForeignCertificate);
        }
        let alipay = read(&alipay, ALIPAY)?;
        Ok(Self {
            app_sn: serial_name(&app).ok_or(SetupError::Certificate(APP))?,
            alipay_sn: serial_name(&alipay).ok_or(SetupError::Certificate(ALIPAY))?,
            alipay_root_sn: root_serial_names(&roots)?.ok_or(SetupError::Certificate(ROOT))?,
            verifier: Verifier::of(alipay.public_key()).ok_or(SetupError::AlipayKey)?,
            expires_at: Timestamp::from_second(alipay.validity().not_after.timestamp())
                .map_err(|_| SetupError::Certificate(ALIPAY))?,
        })
    }
}

fn read<'a>(der: &'a [u8], what: &'static str) -> Result<X509Certificate<'a>, SetupError> {
    let (_, certificate) =
        X509Certificate::from_der(der).map_err(|_| SetupError::Certificate(what))?;
    Ok(certificate)
}

/// `None` if there is no root of RSA, or one with a name that cannot be written.
fn root_serial_names(ders: &[Vec<u8>]) -> Result<Option<String>, SetupError> {
    let mut names = Vec::new();
    for der in ders {
        let root = read(der, ROOT)?;
        if is_rsa(&root) {
            names.push(serial_name(&root));
        }
    }
    let names: Option<Vec<String>> = names.into_iter().collect();
    Ok(names
        .filter(|names| !names.is_empty())
        .map(|names| names.join("_")))
}

fn is_rsa(certificate: &X509Certificate<'_>) -> bool {
    let algorithm = certificate.signature_algorithm.algorithm.to_id_string();
    algorithm.starts_with(RSA_ALGORITHMS)
}

fn serial_name(certificate: &X509Certificate<'_>) -> Option<String> {
    let named = format!(
        "{}{}",
        rfc2253(certificate.issuer())?,
        certificate.tbs_certificate.serial
    );
    let digest = Md5::digest(named.as_bytes());
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Last part first, as RFC 2253 writes names. `None` for a name with parts that no certificate of Alipay's has.
fn rfc2253(name: &X509Name<'_>) -> Option<String> {
    let mut parts: Vec<String> = name
        .iter_attributes()
        .map(attribute)
        .collect::<Option<_>>()?;
    parts.reverse();
    Some(parts.join(","))
}

fn attribute(part: &AttributeTypeAndValue<'_>) -> Option<String> {
    let label = label(part.attr_type())?;
    let value = part.as_str().ok()?;
    // The characters that would need an escape; none of the names has them.
    let plain = !value.contains([',', '+', '"', '\\', '<', '>', ';', '#']) && value.trim() == value;
    plain.then(|| format!("{label}={value}"))
}

fn label(kind: &Oid<'_>) -> Option<&'static str> {
    let labels = [
        (OID_X509_COMMON_NAME, "CN"),
        (OID_X509_ORGANIZATIONAL_UNIT, "OU"),
        (OID_X509_ORGANIZATION_NAME, "O"),
        (OID_X509_LOCALITY_NAME, "L"),
        (OID_X509_STATE_OR_PROVINCE_NAME, "ST"),
        (OID_X509_COUNTRY_NAME, "C"),
    ];
    labels
        .iter()
        .find(|(oid, _)| oid == kind)
        .map(|(_, label)| *label)
}

#[cfg(test)]
mod tests {
    use secrecy::SecretString;

    use super::*;

    const APP_KEY: &str = include_str!("../../tests/keys/app.pkcs8.pem");
    const APP_CRT: &str = include_str!("../../tests/keys/app.crt");
    const ALIPAY_CRT: &str = include_str!("../../tests/keys/alipay.crt");
    const ROOT_CRT: &str = include_str!("../../tests/keys/root.crt");

    /// Computed with `openssl x509 -issuer -serial -nameopt RFC2253` and `md5sum`. The root file has two roots of
    /// RSA among those of other kinds.
    #[test]
    fn certificates_are_named_as_alipay_names_them() {
        let signer = Signer::parse(&SecretString::from(APP_KEY)).unwrap();
        let read = Certificates::parse(APP_CRT, ALIPAY_CRT, ROOT_CRT, &signer).unwrap();
        assert_eq!(read.app_sn, "01774d2b914e609964bfc1256d28ed42");
        assert_eq!(read.alipay_sn, "27a9cd91201c7f2c6757027e4e0ddc84");
        assert_eq!(
            read.alipay_root_sn,
            "92873a094eb05003d6a230040d0b5209_a25cbafaf2ae867c4e07375e6b0215f8"
        );
    }

    #[test]
    fn a_certificate_of_another_key_is_refused() {
        let signer = Signer::parse(&SecretString::from(APP_KEY)).unwrap();
        let refused = Certificates::parse(ALIPAY_CRT, ALIPAY_CRT, ROOT_CRT, &signer);
        assert!(matches!(refused, Err(SetupError::ForeignCertificate)));
    }
}
