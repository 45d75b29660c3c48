//! Alipay's signatures, written a second time: the tests must not ask the crate whether the crate is right.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{
    KeyPair, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
};

pub(crate) type Fields = BTreeMap<String, String>;

pub(crate) fn key(pem: &str) -> RsaKeyPair {
    let base64: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    RsaKeyPair::from_pkcs8(&BASE64_STANDARD.decode(base64).unwrap()).unwrap()
}

pub(crate) fn sign(key: &RsaKeyPair, content: &str) -> String {
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(
        &RSA_PKCS1_SHA256,
        &SystemRandom::new(),
        content.as_bytes(),
        &mut signature,
    )
    .unwrap();
    BASE64_STANDARD.encode(signature)
}

pub(crate) fn is_signed_by(key: &RsaKeyPair, content: &str, signature: &str) -> bool {
    let Ok(signature) = BASE64_STANDARD.decode(signature) else {
        return false;
    };
    UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref())
        .verify(content.as_bytes(), &signature)
        .is_ok()
}

/// Fields by name, joined; those of `left_out` are not signed.
pub(crate) fn content(fields: &Fields, left_out: &[&str]) -> String {
    let mut text = String::new();
    for (name, value) in fields {
        if left_out.contains(&name.as_str()) {
            continue;
        }
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(name);
        text.push('=');
        text.push_str(value);
    }
    text
}

pub(crate) fn parse(form: &str) -> Fields {
    serde_urlencoded::from_str(form).unwrap()
}

pub(crate) fn encode(fields: &Fields) -> String {
    serde_urlencoded::to_string(fields).unwrap()
}
