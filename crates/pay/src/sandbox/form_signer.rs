//! Signs and verifies the sandbox's forms: HMAC-SHA-256 over the purpose and the fields.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use crate::form::{Form, SignedForm};
use crate::{CallbackError, SetupError};

/// Of the hash behind the signatures; less would be the weakest part.
const MIN_SECRET_BYTES: usize = 32;

const SIGN_TYPE: &str = "HMAC-SHA256";

/// A signature is valid for one purpose only: a link must not pass for a callback.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    Link,
    Callback,
}

#[derive(Clone, Debug)]
pub(super) struct FormSigner {
    secret: SecretString,
}

impl FormSigner {
    pub(super) fn new(secret: SecretString) -> Result<Self, SetupError> {
        if secret.expose_secret().len() < MIN_SECRET_BYTES {
            return Err(SetupError::ShortSecret(MIN_SECRET_BYTES));
        }
        Ok(Self { secret })
    }

    pub(super) fn sign(&self, mut form: Form, purpose: Purpose) -> String {
        let digest = self.mac(purpose, &form.callback_content()).finalize();
        form.set("sign_type", SIGN_TYPE)
            .sign(BASE64_URL_SAFE_NO_PAD.encode(digest.into_bytes()));
        form.encode()
    }

    pub(super) fn verify(
        &self,
        body: &[u8],
        purpose: Purpose,
    ) -> Result<SignedForm, CallbackError> {
        Form::parse(body)?.verified(SIGN_TYPE, |content, signature| {
            let signature = BASE64_URL_SAFE_NO_PAD.decode(signature);
            signature.is_ok_and(|bytes| self.mac(purpose, content).verify_slice(&bytes).is_ok())
        })
    }

    fn mac(&self, purpose: Purpose, content: &str) -> Hmac<Sha256> {
        let secret = self.secret.expose_secret().as_bytes();
        let mut mac =
            Hmac::<Sha256>::new_from_slice(secret).expect("HMAC takes a key of any length");
        mac.update(match purpose {
            Purpose::Link => b"link\n",
            Purpose::Callback => b"call\n",
        });
        mac.update(content.as_bytes());
        mac
    }
}
