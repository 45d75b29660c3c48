//! Certificates of authorities that the operator named, for TLS to the services of a site.
//!
//! A file without a usable certificate is refused here: some clients would trust no server, without an error.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use rustls::RootCertStore;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;

/// The text of the file, in PEM; `None` if the setting is empty.
pub(super) fn read_authority(
    file: &Option<PathBuf>,
    setting: &str,
) -> anyhow::Result<Option<String>> {
    let Some(file) = file else { return Ok(None) };
    let read = fs::read_to_string(file);
    let pem = read.with_context(|| format!("cannot read {setting} {}", file.display()))?;
    if !holds_certificates(&pem) {
        bail!("{setting} {} holds no certificate in PEM", file.display());
    }
    Ok(Some(pem))
}

/// Whether every section is whole and at least one is a certificate. A bundle may have others of a kind that we cannot read.
fn holds_certificates(pem: &str) -> bool {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    certificates.is_ok_and(|certificates| {
        let (usable, _) = RootCertStore::empty().add_parsable_certificates(certificates);
        usable > 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate() -> String {
        let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        issued.cert.pem()
    }

    #[track_caller]
    fn refusal(content: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        fs::write(&file, content).unwrap();
        let error = read_authority(&Some(file), "redis.ca_file").unwrap_err();
        error
            .to_string()
            .replace(folder.path().to_str().unwrap(), "")
    }

    #[test]
    fn a_file_of_certificates_is_handed_on_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        let bundle = format!("# ours\n{}\n{}", certificate(), certificate());
        fs::write(&file, &bundle).unwrap();
        let read = read_authority(&Some(file), "redis.ca_file").unwrap();
        assert_eq!(read, Some(bundle));
        assert_eq!(read_authority(&None, "redis.ca_file").unwrap(), None);
    }

    #[test]
    fn a_file_without_a_whole_certificate_is_refused() {
        let whole = certificate();
        let middle = whole.len() / 2;
        let refused = [
            String::new(),
            "no certificate".to_owned(),
            "-----BEGIN CERTIFICATE-----".to_owned(),
            "-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n".to_owned(),
            whole[..middle].to_owned(),
            whole.replace("END CERTIFICATE", "END CERTIFICAT"),
            whole.replace("CERTIFICATE", "PRIVATE KEY"),
            format!("{whole}{}", &whole[..middle]),
        ];
        for content in refused {
            let error = refusal(&content);
            assert_eq!(
                error, "redis.ca_file /ca.pem holds no certificate in PEM",
                "{content}"
            );
        }
    }
}
