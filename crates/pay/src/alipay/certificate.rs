//! Certificate mode: the serial numbers by which both sides name the key they signed with.
//!
//! A certificate's number is the MD5 of its issuer's name, written as RFC 2253 has it, followed by its serial number in
//! decimal. The root file's number is that of each root signed with RSA, joined by `_`; its other roots are not for us.
//! MD5 only names things here: what is trusted is the file the operator gave, and that Alipay's certificate leads from
//! there to one of the roots.

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
        let (app, alipay, roots) = (
            pem::all(app, APP)?,
            pem::all(alipay, ALIPAY)?,
            pem::all(alipay_root, ROOT)?,
        );
        let app = read(&app[0], APP)?;
        let own = Verifier::of(app.public_key()).ok_or(SetupError::Certificate(APP))?;
        if !signer.belongs_to(&own) {
            return Err(SetupError::ForeignCertificate);
        }
        let chain = read_all(&alipay, ALIPAY)?;
        let roots = read_all(&roots, ROOT)?;
        check_chain(&chain, &roots)?;
        let leaf = &chain[0];
        Ok(Self {
            app_sn: serial_name(&app).ok_or(SetupError::Certificate(APP))?,
            alipay_sn: serial_name(leaf).ok_or(SetupError::Certificate(ALIPAY))?,
            alipay_root_sn: root_serial_names(&roots).ok_or(SetupError::Certificate(ROOT))?,
            verifier: Verifier::of(leaf.public_key()).ok_or(SetupError::AlipayKey)?,
            expires_at: Timestamp::from_second(leaf.validity().not_after.timestamp())
                .map_err(|_| SetupError::Certificate(ALIPAY))?,
        })
    }
}

fn read<'a>(der: &'a [u8], what: &'static str) -> Result<X509Certificate<'a>, SetupError> {
    let (_, certificate) =
        X509Certificate::from_der(der).map_err(|_| SetupError::Certificate(what))?;
    Ok(certificate)
}

fn read_all<'a>(
    ders: &'a [Vec<u8>],
    what: &'static str,
) -> Result<Vec<X509Certificate<'a>>, SetupError> {
    ders.iter().map(|der| read(der, what)).collect()
}

/// From the first certificate of the file by way of the others to a root. Each is used once, so the walk ends.
fn check_chain(
    chain: &[X509Certificate<'_>],
    roots: &[X509Certificate<'_>],
) -> Result<(), SetupError> {
    let mut current = &chain[0];
    let mut between: Vec<&X509Certificate<'_>> = chain[1..].iter().collect();
    loop {
        if roots.iter().any(|root| is_issued_by(current, root)) {
            return Ok(());
        }
        let next = between
            .iter()
            .position(|candidate| is_issued_by(current, candidate))
            .ok_or(SetupError::UntrustedCertificate)?;
        current = between.swap_remove(next);
        if !current.is_ca() {
            return Err(SetupError::UntrustedCertificate);
        }
    }
}

fn is_issued_by(certificate: &X509Certificate<'_>, issuer: &X509Certificate<'_>) -> bool {
    certificate.issuer().as_raw() == issuer.subject().as_raw()
        && certificate
            .verify_signature(Some(issuer.public_key()))
            .is_ok()
}

fn root_serial_names(roots: &[X509Certificate<'_>]) -> Option<String> {
    let names: Vec<String> = roots
        .iter()
        .filter(|root| is_rsa(root))
        .map(serial_name)
        .collect::<Option<_>>()?;
    (!names.is_empty()).then(|| names.join("_"))
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
