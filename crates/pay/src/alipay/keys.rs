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
use secrecy::{ExposeSecret as _, SecretString};
use x509_parser::prelude::FromDer;
use x509_parser::public_key::PublicKey;
use x509_parser::x509::SubjectPublicKeyInfo;

use super::pem;
use crate::SetupError;

const KEY_BITS: std::ops::RangeInclusive<usize> = 2048..=8192;

pub(super) struct Signer {
    key: RsaKeyPair,
    random: SystemRandom,
}

impl Signer {
    pub(super) fn parse(text: &SecretString) -> Result<Self, SetupError> {
        let der = pem::one(text.expose_secret(), "the application's private key")?;
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

#[cfg(test)]
mod tests {
    use super::*;

    const PKCS8: &str = include_str!("../../tests/keys/app.pkcs8.pem");
    const PKCS1: &str = include_str!("../../tests/keys/app.pkcs1.pem");
    const PUBLIC: &str = include_str!("../../tests/keys/app.public.pem");
    const STRANGER: &str = include_str!("../../tests/keys/stranger.public.pem");
    const SHORT: &str = include_str!("../../tests/keys/short.pkcs8.pem");

    const CONTENT: &str = "a=1&b=火锅&method=alipay.trade.query";

    /// Computed with `openssl dgst -sha256 -sign app.pkcs8.pem | base64`.
    const SIGNATURE: &str = "Y0lfp+RaSJJjE5DXOV8dG3zITKbiQfXDE6sLWDob9FaXol+1qzuRHMuRjA0BwBDcJOjv2JOTUAKJSX0ZiuLzMWQD4hMZ2C/Mo19EIDEAhmfehrzIN23ewxk1mMyWBHtIWvUss/BpXr1KMNzHoYd9zUR++NTX05cRMB5RBeQ30/rWk8IZ3gbTiiSKDrG/L3SODVzsogIg9MvK5O+GMGOOPXp7Vg0h6ItDoqof8RRdgSfq6bjQ4FbT7V7+8ol3uHQFvNM9iMKLhHf3Kfsx+nF6B95EOoF+MdtPy6A4yevfBGD2BEZHy7n0oMIfmvDz9OddFuDANkQleaaw1Efy/vg99A==";

    /// As Alipay's key tool and web pages write them.
    fn bare(pem: &str) -> String {
        pem.lines().filter(|line| !line.starts_with('-')).collect()
    }

    #[test]
    fn a_signature_is_the_one_that_other_tools_make() {
        for text in [PKCS8.to_owned(), PKCS1.to_owned(), bare(PKCS8), bare(PKCS1)] {
            let signer = Signer::parse(&SecretString::from(text)).unwrap();
            assert_eq!(signer.sign(CONTENT).as_deref(), Some(SIGNATURE));
        }
    }

    #[test]
    fn a_signature_holds_for_its_key_and_content_alone() {
        for text in [PUBLIC.to_owned(), bare(PUBLIC)] {
            let verifier = Verifier::parse(&text).unwrap();
            assert!(verifier.is_genuine(CONTENT, SIGNATURE));
            assert!(!verifier.is_genuine(&CONTENT.replace('1', "2"), SIGNATURE));
            assert!(!verifier.is_genuine(CONTENT, ""));
            assert!(!verifier.is_genuine(CONTENT, "not base64!"));
        }
        let stranger = Verifier::parse(STRANGER).unwrap();
        assert!(!stranger.is_genuine(CONTENT, SIGNATURE));
    }

    #[test]
    fn what_is_no_key_is_refused_without_repeating_it() {
        let refused = |text: &str| Signer::parse(&SecretString::from(text)).unwrap_err();
        assert!(matches!(refused(""), SetupError::Missing(_)));
        assert!(matches!(refused("no key!"), SetupError::NotBase64(_)));
        assert!(matches!(refused("bm8ga2V5"), SetupError::PrivateKey));
        assert!(matches!(refused(SHORT), SetupError::PrivateKey));
        assert!(matches!(refused(PUBLIC), SetupError::PrivateKey));
        assert!(matches!(Verifier::parse(PKCS8), Err(SetupError::AlipayKey)));
        assert!(!refused("no key!").to_string().contains("no key!"));
    }

    #[test]
    fn a_signer_does_not_print_its_key() {
        let signer = Signer::parse(&SecretString::from(PKCS8)).unwrap();
        assert_eq!(format!("{signer:?}"), "Signer(***)");
    }
}
