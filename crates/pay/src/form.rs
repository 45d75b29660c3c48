//! Signed forms: the body of a callback, the parameters of a request, the query of a sandbox link.
//!
//! What is signed is the fields in the order of their names, joined as `a=1&b=2`, decoded. Only a [`SignedForm`] tells
//! what a callback says, and only a checked signature makes one; the fields its signature does not cover are gone by
//! then.

use std::collections::BTreeMap;

use crate::CallbackError;

/// Alipay's largest callbacks have some four kilobytes.
pub const MAX_CALLBACK_BYTES: usize = 32 * 1024;

const SIGN: &str = "sign";
const SIGN_TYPE: &str = "sign_type";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(BTreeMap<String, String>);

/// A form whose every field is covered by a signature that was checked.
#[derive(Debug)]
pub(crate) struct SignedForm(Form);

impl Form {
    pub(crate) fn parse(body: &[u8]) -> Result<Self, CallbackError> {
        if body.len() > MAX_CALLBACK_BYTES {
            return Err(CallbackError::TooLarge(MAX_CALLBACK_BYTES));
        }
        let pairs: Vec<(String, String)> =
            serde_urlencoded::from_bytes(body).map_err(|_| CallbackError::NotAForm)?;
        let count = pairs.len();
        let fields: BTreeMap<String, String> = pairs.into_iter().collect();
        // Two readers might take two different ones of them.
        if fields.len() < count {
            return Err(CallbackError::RepeatedField);
        }
        Ok(Self(fields))
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) -> &mut Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// An empty field is no field: some implementations sign them, some do not.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// What the signature of a request is made of: all but itself.
    pub(crate) fn request_content(&self) -> String {
        self.content(&[SIGN])
    }

    /// What the signature of a callback is made of: all but itself and its kind.
    pub(crate) fn callback_content(&self) -> String {
        self.content(&[SIGN, SIGN_TYPE])
    }

    fn content(&self, left_out: &[&str]) -> String {
        let signed = self
            .0
            .iter()
            .filter(|(name, _)| !left_out.contains(&name.as_str()));
        let pairs: Vec<String> = signed
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        pairs.join("&")
    }

    pub(crate) fn sign(&mut self, signature: String) -> &mut Self {
        self.set(SIGN, signature)
    }

    /// Takes the name of the kind the caller can check, and the check of content and signature.
    pub(crate) fn verified(
        mut self,
        sign_type: &str,
        is_genuine: impl FnOnce(&str, &str) -> bool,
    ) -> Result<SignedForm, CallbackError> {
        if self.get(SIGN_TYPE) != Some(sign_type) {
            return Err(CallbackError::SignType);
        }
        let signature = self.get(SIGN).ok_or(CallbackError::Field(SIGN))?;
        if !is_genuine(&self.callback_content(), signature) {
            return Err(CallbackError::WrongSignature);
        }
        self.0.remove(SIGN);
        self.0.remove(SIGN_TYPE);
        Ok(SignedForm(self))
    }

    pub(crate) fn encode(&self) -> String {
        serde_urlencoded::to_string(&self.0).expect("pairs of texts are a form")
    }
}

impl SignedForm {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)
    }

    pub(crate) fn need(&self, name: &'static str) -> Result<&str, CallbackError> {
        self.get(name).ok_or(CallbackError::Field(name))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_content_is_sorted_decoded_and_leaves_the_signature_out() {
        let form = Form::parse(b"b=2+2&sign=zz&a=%E7%81%AB&sign_type=RSA2&c=").unwrap();
        assert_eq!(form.callback_content(), "a=火&b=2 2&c=");
        assert_eq!(form.request_content(), "a=火&b=2 2&c=&sign_type=RSA2");
    }

    #[test]
    fn a_field_given_twice_is_refused() {
        assert_eq!(Form::parse(b"a=1&a=2"), Err(CallbackError::RepeatedField));
        assert_eq!(Form::parse(b"a=1&%61=1"), Err(CallbackError::RepeatedField));
    }

    #[test]
    fn a_form_beyond_the_limit_is_refused_unread() {
        let body = vec![b'a'; MAX_CALLBACK_BYTES + 1];
        let refused = Err(CallbackError::TooLarge(MAX_CALLBACK_BYTES));
        assert_eq!(Form::parse(&body), refused);
    }

    #[test]
    fn what_the_signature_does_not_cover_cannot_be_read() {
        let form = Form::parse(b"a=1&sign=s&sign_type=T").unwrap();
        let signed = form.verified("T", |_, _| true).unwrap();
        assert_eq!(signed.get("a"), Some("1"));
        assert_eq!(signed.get(SIGN), None);
        assert_eq!(signed.get(SIGN_TYPE), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(body in prop::collection::vec(any::<u8>(), 0..512)) {
            let _ = Form::parse(&body).map(|form| form.callback_content());
        }

        #[test]
        fn a_written_form_is_read_back(fields in prop::collection::btree_map("[a-z]{1,6}", ".{0,12}", 0..6)) {
            let form = Form(fields);
            prop_assert_eq!(Form::parse(form.encode().as_bytes()), Ok(form));
        }
    }
}
