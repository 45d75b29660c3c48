//! Tencent Cloud's signature, `TC3-HMAC-SHA256`: a key derived per day and service signs the hash of the canonical
//! request.

use jiff::Timestamp;

use super::super::digest::{hex, hmac_sha256, sha256_hex};

const ALGORITHM: &str = "TC3-HMAC-SHA256";
const SERVICE: &str = "sms";
const TERMINATOR: &str = "tc3_request";
const SIGNED_HEADERS: &str = "content-type;host;x-tc-action";
pub(super) const CONTENT_TYPE: &str = "application/json; charset=utf-8";

/// A POST of JSON to `/`.
#[derive(Debug)]
pub(super) struct Tc3Request<'a> {
    pub(super) host: &'a str,
    pub(super) action: &'a str,
    pub(super) at: Timestamp,
    pub(super) body: &'a str,
}

impl Tc3Request<'_> {
    /// The value of the header `Authorization`.
    pub(super) fn authorization(&self, secret_id: &str, secret_key: &str) -> String {
        let date = self.at.strftime("%Y-%m-%d").to_string();
        let scope = format!("{date}/{SERVICE}/{TERMINATOR}");
        let canonical = sha256_hex(self.canonical().as_bytes());
        let text = format!("{ALGORITHM}\n{}\n{scope}\n{canonical}", self.at.as_second());
        let of_date = hmac_sha256(format!("TC3{secret_key}").as_bytes(), &date);
        let of_service = hmac_sha256(&of_date, SERVICE);
        let key = hmac_sha256(&of_service, TERMINATOR);
        let signature = hex(&hmac_sha256(&key, &text));
        format!(
            "{ALGORITHM} Credential={secret_id}/{scope}, SignedHeaders={SIGNED_HEADERS}, Signature={signature}"
        )
    }

    /// Values of headers are in lower case, the query is empty.
    fn canonical(&self) -> String {
        let host = self.host;
        let action = self.action.to_lowercase();
        let body_hash = sha256_hex(self.body.as_bytes());
        format!(
            "POST\n/\n\ncontent-type:{CONTENT_TYPE}\nhost:{host}\nx-tc-action:{action}\n\n{SIGNED_HEADERS}\n{body_hash}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = concat!(
        r#"{"PhoneNumberSet":["+8613800000001"],"SmsSdkAppId":"1400006666","SignName":"探店","#,
        r#""TemplateId":"1110","TemplateParamSet":["836664"]}"#
    );

    fn request(at_secs: i64) -> Tc3Request<'static> {
        Tc3Request {
            host: "sms.tencentcloudapi.com",
            action: "SendSms",
            at: Timestamp::from_second(at_secs).unwrap(),
            body: BODY,
        }
    }

    /// Computed with `hashlib` and `hmac` of Python.
    #[test]
    fn the_signature_is_that_of_other_tools() {
        let signature = "fea05a92ee7f48cdc14cc62af9b87c9ef224b08f10568c5bedad1f8abc6832bb";
        assert_eq!(
            request(1_795_075_750).authorization("testSecretId", "testSecretKey"),
            format!(
                "TC3-HMAC-SHA256 Credential=testSecretId/2026-11-19/sms/tc3_request, \
                 SignedHeaders=content-type;host;x-tc-action, Signature={signature}"
            )
        );
    }

    #[test]
    fn the_day_of_a_signature_is_that_of_utc() {
        let before = request(1_795_132_799).authorization("id", "key");
        assert!(before.contains("id/2026-11-19/sms"), "{before}");
        let after = request(1_795_132_800).authorization("id", "key");
        assert!(after.contains("id/2026-11-20/sms"), "{after}");
    }

    #[test]
    fn every_part_of_a_request_changes_its_signature() {
        let signed = |request: Tc3Request<'_>| request.authorization("id", "key");
        let same = signed(request(1_000));
        assert_eq!(same, signed(request(1_000)));
        let others = [
            request(1_001),
            Tc3Request {
                host: "x",
                ..request(1_000)
            },
            Tc3Request {
                action: "x",
                ..request(1_000)
            },
            Tc3Request {
                body: "{}",
                ..request(1_000)
            },
        ];
        for other in others {
            let text = format!("{other:?}");
            assert_ne!(same, signed(other), "{text}");
        }
        assert_ne!(same, request(1_000).authorization("id", "Key"));
    }
}
