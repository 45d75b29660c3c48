//! Certificates for services that speak TLS: an authority of its own, and a server certificate for 127.0.0.1.

use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, DnType, Error, IsCa, Issuer, KeyPair};

pub(crate) const AUTHORITY: &str = "authority.pem";
pub(crate) const CERTIFICATE: &str = "server.pem";
pub(crate) const KEY: &str = "server.key";

/// Writes the certificates and the server's key to `folder`; returns the authority's certificate in PEM.
pub(crate) fn issue(folder: &Path) -> String {
    let issued = Issued::new().expect("the parameters of the certificates are sound");
    let files = [
        (AUTHORITY, &issued.authority),
        (CERTIFICATE, &issued.certificate),
        (KEY, &issued.key),
    ];
    for (name, pem) in files {
        std::fs::write(folder.join(name), pem).expect("the folder of a service is writable");
    }
    issued.authority
}

struct Issued {
    authority: String,
    certificate: String,
    key: String,
}

impl Issued {
    fn new() -> Result<Self, Error> {
        let mut authority = CertificateParams::new([])?;
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // A certificate that names its issuer as itself is one that signed itself, for OpenSSL.
        authority
            .distinguished_name
            .push(DnType::CommonName, "authority of a test");
        let authority_key = KeyPair::generate()?;
        let authority_pem = authority.self_signed(&authority_key)?.pem();

        let issuer = Issuer::new(authority, authority_key);
        let key = KeyPair::generate()?;
        let server = CertificateParams::new(["127.0.0.1".to_owned(), "localhost".to_owned()])?;
        Ok(Self {
            authority: authority_pem,
            certificate: server.signed_by(&key, &issuer)?.pem(),
            key: key.serialize_pem(),
        })
    }
}
