//! Aliyun's signature V3, `ACS3-HMAC-SHA256`: one HMAC over the hash of the canonical request.

use std::fmt::Write as _;

use super::super::digest::{hex, hmac_sha256, sha256_hex};

const ALGORITHM: &str = "ACS3-HMAC-SHA256";
const SIGNED_HEADERS: &str =
    "host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version";

/// A POST to `/`.
#[derive(Debug)]
pub(super) struct AcsRequest<'a> {
    pub(super) host: &'a str,
    pub(super) action: &'a str,
    pub(super) version: &'a str,
    /// UTC, `2026-01-31T08:00:00Z`.
    pub(super) date: &'a str,
    pub(super) nonce: &'a str,
    /// As [`canonical_query`] makes it.
    pub(super) query: &'a str,
    pub(super) body: &'a str,
}

impl AcsRequest<'_> {
    pub(super) fn body_hash(&self) -> String {
        sha256_hex(self.body.as_bytes())
    }

    /// The value of the header `Authorization`.
    pub(super) fn authorization(&self, key_id: &str, key_secret: &str) -> String {
        let canonical = sha256_hex(self.canonical().as_bytes());
        let signature = hmac_sha256(key_secret.as_bytes(), &format!("{ALGORITHM}\n{canonical}"));
        let signature = hex(&signature);
        format!(
            "{ALGORITHM} Credential={key_id},SignedHeaders={SIGNED_HEADERS},Signature={signature}"
        )
    }

    fn canonical(&self) -> String {
        let Self {
            host,
            action,
            version,
            date,
            nonce,
            query,
            ..
        } = self;
        let body_hash = self.body_hash();
        format!(
            "POST\n/\n{query}\nhost:{host}\nx-acs-action:{action}\nx-acs-content-sha256:{body_hash}\nx-acs-date:{date}\n\
             x-acs-signature-nonce:{nonce}\nx-acs-version:{version}\n\n{SIGNED_HEADERS}\n{body_hash}"
        )
    }
}

/// Sorted by name and encoded as RFC 3986 says: what is sent is, byte by byte, what is signed.
pub(super) fn canonical_query(params: &[(&str, &str)]) -> String {
    let mut pairs: Vec<String> = params
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    pairs.sort_unstable();
    pairs.join("&")
}

fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("a string takes everything");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The query and the signature were computed with `urllib.parse`, `hashlib` and `hmac` of Python.
    #[test]
    fn the_signature_is_that_of_other_tools() {
        let query = canonical_query(&[
            ("TemplateParam", r#"{"code":"836 64*~"}"#),
            ("PhoneNumbers", "13800000001"),
            ("SignName", "探店"),
            ("TemplateCode", "SMS_1234567"),
        ]);
        assert_eq!(
            query,
            "PhoneNumbers=13800000001&SignName=%E6%8E%A2%E5%BA%97&TemplateCode=SMS_1234567&\
             TemplateParam=%7B%22code%22%3A%22836%2064%2A~%22%7D"
        );
        let request = AcsRequest {
            host: "dysmsapi.aliyuncs.com",
            action: "SendSms",
            version: "2017-05-25",
            date: "2026-11-18T08:09:10Z",
            nonce: "3156853299f313e23d1673dc12e1703d",
            query: &query,
            body: "",
        };
        let signature = "803cc567d256dfc141c0c6888a2c26ed80002186b5dd751109304a53d587d98d";
        assert_eq!(
            request.authorization("testAccessKeyId", "testAccessKeySecret"),
            format!(
                "ACS3-HMAC-SHA256 Credential=testAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;\
                 x-acs-date;x-acs-signature-nonce;x-acs-version,Signature={signature}"
            )
        );
    }

    #[test]
    fn every_part_of_a_request_changes_its_signature() {
        let request = || AcsRequest {
            host: "h",
            action: "a",
            version: "v",
            date: "d",
            nonce: "n",
            query: "q=1",
            body: "",
        };
        let signed = |request: AcsRequest<'_>| request.authorization("id", "secret");
        let same = signed(request());
        let others = [
            AcsRequest {
                host: "x",
                ..request()
            },
            AcsRequest {
                action: "x",
                ..request()
            },
            AcsRequest {
                version: "x",
                ..request()
            },
            AcsRequest {
                date: "x",
                ..request()
            },
            AcsRequest {
                nonce: "x",
                ..request()
            },
            AcsRequest {
                query: "q=2",
                ..request()
            },
            AcsRequest {
                body: "x",
                ..request()
            },
        ];
        assert_eq!(same, signed(request()));
        for other in others {
            let text = format!("{other:?}");
            assert_ne!(same, signed(other), "{text}");
        }
        assert_ne!(same, request().authorization("id", "Secret"));
    }
}
