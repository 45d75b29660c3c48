//! TLS: one stream to one server, encrypted by rustls with ring.
//!
//! The client library could do it, and would take the crypto provider that is installed for the process, or install one.
//! That is for the program to decide and not for a library, so the provider is named here, for these streams alone.

use std::sync::Arc;

use redis::io::tcp::socket2::{SockRef, TcpKeepalive};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{Tls, error::Cause};

/// Connects and completes the handshake. The caller bounds the time.
pub(crate) async fn connect(
    host: &str,
    port: u16,
    keepalive: &TcpKeepalive,
    tls: &Tls,
) -> Result<TlsStream<TcpStream>, Cause> {
    let connector = TlsConnector::from(Arc::new(config(tls)?));
    let name = ServerName::try_from(host.to_owned()).map_err(Cause::new)?;
    let stream = TcpStream::connect((host, port)).await.map_err(Cause::new)?;
    stream.set_nodelay(true).map_err(Cause::new)?;
    let socket = SockRef::from(&stream);
    socket.set_tcp_keepalive(keepalive).map_err(Cause::new)?;
    connector.connect(name, stream).await.map_err(Cause::new)
}

fn config(tls: &Tls) -> Result<ClientConfig, Cause> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(Cause::new)?
        .with_root_certificates(roots(tls)?);
    let Some(identity) = &tls.identity else {
        return Ok(builder.with_no_client_auth());
    };
    let key = PrivateKeyDer::from_pem_slice(&identity.key).map_err(|_| unreadable("key"))?;
    let chain = certificates(&identity.certificate, "certificate")?;
    builder
        .with_client_auth_cert(chain, key)
        .map_err(Cause::new)
}

/// The authorities to trust: those of the options, or else the public ones.
fn roots(tls: &Tls) -> Result<RootCertStore, Cause> {
    let mut store = RootCertStore::empty();
    match &tls.roots {
        None => store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(pem) => {
            for root in certificates(pem, "certificate of an authority")? {
                store.add(root).map_err(Cause::new)?;
            }
        }
    }
    Ok(store)
}

fn certificates(pem: &[u8], what: &str) -> Result<Vec<CertificateDer<'static>>, Cause> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    all.map_err(|_| unreadable(what))
}

/// Quotes nothing of the text, which may hold a private key.
fn unreadable(what: &str) -> Cause {
    Cause::new(format_args!("the {what} is not in PEM form"))
}
