//! The two RSA keys: ours to sign with, Alipay's to verify with. RSA2 is RSASSA-PKCS1-v1_5 with SHA-256, in base64.
//!
//! `ring` does the arithmetic, in constant time; it is what TLS uses in the same process.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
};
use x509_parser::prelude::FromDer;
use x509_parser::public_key::PublicKey;
use x509_parser::x509::SubjectPublicKeyInfo;

use super::pem;
use crate::{Secret, SetupError};

const KEY_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

pub(super) struct Signer {
    key: RsaKeyPair,
    random: SystemRandom,
}

impl Signer {
    pub(super) fn parse(text: &Secret) -> Result<Self, SetupError> {
        let der = pem::one(text.expose(), "the application's private key")?;
        // Alipay's key tool writes PKCS#8 for Java and PKCS#1 for the rest, both without saying so.
        let key = RsaKeyPair::from_pkcs8(&der)
            .or_else(|_| RsaKeyPair::from_der(&der))
            .map_err(|_| SetupError::PrivateKey)?;
        Ok(Self {
            key,
            random: SystemRandom::new(),
        })
    }

    /// `None` if the system has no randomness to blind the signature with.
    pub(super) fn sign(&self, content: &str) -> Option<String> {
        let mut signature = vec![0; self.key.public().modulus_len()];
        self.key
            .sign(
                &RSA_PKCS1_SHA256,
                &self.random,
                content.as_bytes(),
                &mut signature,
            )
            .ok()?;
        Some(BASE64_STANDARD.encode(signature))
    }

    pub(super) fn belongs_to(&self, verifier: &Verifier) -> bool {
        self.key.public().as_ref() == verifier.rsa_public_key
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer(***)")
    }
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Verifier {
    /// `RSAPublicKey` of PKCS#1, which is what stands inside the wrapping that keys are given in.
    rsa_public_key: Vec<u8>,
}

impl Verifier {
    pub(super) fn parse(text: &str) -> Result<Self, SetupError> {
        let der = pem::one(text, "Alipay's public key")?;
        let (_, info) = SubjectPublicKeyInfo::from_der(&der).map_err(|_| SetupError::AlipayKey)?;
        Self::of(&info).ok_or(SetupError::AlipayKey)
    }

    pub(super) fn of(info: &SubjectPublicKeyInfo<'_>) -> Option<Self> {
        let Ok(PublicKey::RSA(key)) = info.parsed() else {
            return None;
        };
        KEY_BITS.contains(&key.key_size()).then(|| Self {
            rsa_public_key: info.subject_public_key.data.to_vec(),
        })
    }

    pub(super) fn is_genuine(&self, content: &str, signature: &str) -> bool {
        let Ok(signature) = BASE64_STANDARD.decode(signature) else {
            return false;
        };
        UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, &self.rsa_public_key)
            .verify(content.as_bytes(), &signature)
            .is_ok()
    }
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").finish_non_exhaustive()
    }
}
