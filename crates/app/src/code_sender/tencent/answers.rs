//! Tencent's answers, and what its error codes mean for us.

use serde::Deserialize;

use super::super::NumberRefusal;
use super::super::gateway_fault::{GatewayFault, GatewayRefusal};
use super::super::review::ItemState;
use super::NAME;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Envelope<T> {
    pub(super) response: Answer<T>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Answer<T> {
    Refused {
        #[serde(rename = "Error")]
        error: CallError,
        #[serde(rename = "RequestId", default)]
        request_id: String,
    },
    Done(T),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct CallError {
    code: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SendAnswer {
    send_status_set: Vec<CallError>,
    #[serde(default)]
    request_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct TemplatesAnswer {
    describe_template_status_set: Vec<TemplateStatus>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct TemplateStatus {
    template_id: u64,
    status_code: i64,
    #[serde(default)]
    template_content: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SignsAnswer {
    describe_sign_list_status_set: Vec<SignStatus>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SignStatus {
    sign_id: u64,
    sign_name: String,
    status_code: i64,
}

impl CallError {
    pub(super) fn refusal(&self, request_id: &str) -> GatewayRefusal {
        GatewayRefusal::new(NAME, fault_of(&self.code), &self.code, request_id)
    }
}

impl SendAnswer {
    /// What became of the one number; `None` if the answer is about no number, or about several.
    pub(super) fn number_refusal(&self) -> Option<Result<(), GatewayRefusal>> {
        let [status] = &*self.send_status_set else {
            return None;
        };
        if status.code == "Ok" {
            return Some(Ok(()));
        }
        Some(Err(status.refusal(&self.request_id)))
    }
}

impl TemplatesAnswer {
    /// `filled` is how many variables the settings fill.
    pub(super) fn state(&self, id: u64, filled: usize) -> ItemState {
        let found = self.describe_template_status_set.iter();
        let Some(template) = found.into_iter().find(|it| it.template_id == id) else {
            return ItemState::Missing;
        };
        let state = state_of(template.status_code);
        let has = |number: usize| template.template_content.contains(&format!("{{{number}}}"));
        let are_filled = (1..=filled).all(has) && !has(filled + 1);
        if state == ItemState::Approved && !are_filled {
            return ItemState::OtherVariables;
        }
        state
    }
}

impl SignsAnswer {
    /// A sign of another name is not the one that messages begin with.
    pub(super) fn state(&self, id: u64, name: &str) -> ItemState {
        let mut found = self.describe_sign_list_status_set.iter();
        let sign = found.find(|it| it.sign_id == id && it.sign_name == name);
        sign.map_or(ItemState::Missing, |sign| state_of(sign.status_code))
    }
}

fn state_of(status: i64) -> ItemState {
    match status {
        0 => ItemState::Approved,
        // 1 is under review, 2 approved and not in force yet.
        1 | 2 => ItemState::UnderReview,
        _ => ItemState::Rejected,
    }
}

fn fault_of(code: &str) -> GatewayFault {
    match code {
        "InvalidParameterValue.IncorrectPhoneNumber" | "FailedOperation.PhoneNumberInBlacklist" => {
            GatewayFault::Number(NumberRefusal::Unreachable)
        }
        "LimitExceeded.PhoneNumberDailyLimit"
        | "LimitExceeded.PhoneNumberOneHourLimit"
        | "LimitExceeded.PhoneNumberThirtySecondLimit"
        | "LimitExceeded.PhoneNumberSameContentDailyLimit"
        | "LimitExceeded.DeliveryFrequencyLimit" => {
            GatewayFault::Number(NumberRefusal::TooManyMessages)
        }
        "FailedOperation.InsufficientBalanceInSmsPackage"
        | "UnauthorizedOperation.SerivceSuspendDueToArrears" => GatewayFault::Account,
        "FailedOperation.SignatureIncorrectOrUnapproved"
        | "FailedOperation.MissingSignature"
        | "FailedOperation.MissingSignatureList" => GatewayFault::Sign,
        "FailedOperation.TemplateIncorrectOrUnapproved"
        | "FailedOperation.MissingTemplateList"
        | "InvalidParameterValue.TemplateParameterFormatError"
        | "InvalidParameterValue.TemplateParameterLengthLimit" => GatewayFault::Template,
        "InvalidParameterValue.SdkAppIdNotExist"
        | "InvalidParameter.AppidAndBizId"
        | "UnauthorizedOperation.SdkAppIdIsDisabled"
        | "UnauthorizedOperation.SmsSdkAppIdVerifyFail" => GatewayFault::App,
        "AuthFailure.SecretIdNotFound" | "AuthFailure.InvalidSecretId" => GatewayFault::KeyId,
        "AuthFailure.SignatureFailure" => GatewayFault::KeySecret,
        "AuthFailure.SignatureExpire" | "InternalError.RequestTimeException" => GatewayFault::Clock,
        _ => fault_of_family(code),
    }
}

/// Codes that come with endings, such as `RequestLimitExceeded.UinLimitExceeded`.
fn fault_of_family(code: &str) -> GatewayFault {
    match code.split('.').next().unwrap_or_default() {
        "LimitExceeded" | "RequestLimitExceeded" => GatewayFault::Quota,
        "AuthFailure" | "UnauthorizedOperation" => GatewayFault::Permission,
        "InternalError" | "ServiceUnavailable" => GatewayFault::Outage,
        _ => GatewayFault::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_codes_mean_what_they_say() {
        use GatewayFault::*;
        for (code, fault) in [
            (
                "InvalidParameterValue.IncorrectPhoneNumber",
                Number(NumberRefusal::Unreachable),
            ),
            (
                "FailedOperation.PhoneNumberInBlacklist",
                Number(NumberRefusal::Unreachable),
            ),
            (
                "LimitExceeded.PhoneNumberDailyLimit",
                Number(NumberRefusal::TooManyMessages),
            ),
            ("LimitExceeded.AppDailyLimit", Quota),
            ("RequestLimitExceeded", Quota),
            ("RequestLimitExceeded.UinLimitExceeded", Quota),
            ("FailedOperation.InsufficientBalanceInSmsPackage", Account),
            ("AuthFailure.SignatureFailure", KeySecret),
            ("AuthFailure.SecretIdNotFound", KeyId),
            ("AuthFailure.SignatureExpire", Clock),
            ("AuthFailure.UnauthorizedOperation", Permission),
            ("UnauthorizedOperation.SmsSdkAppIdVerifyFail", App),
            ("InternalError.Timeout", Outage),
            ("FailedOperation.SomethingNew", Other),
        ] {
            assert_eq!(fault_of(code), fault, "{code}");
        }
    }

    #[test]
    fn a_template_has_as_many_variables_as_are_filled() {
        let state = |content: &str, filled| {
            let template = TemplateStatus {
                template_id: 7,
                status_code: 0,
                template_content: content.to_owned(),
            };
            let answer = TemplatesAnswer {
                describe_template_status_set: vec![template],
            };
            (answer.state(7, filled), answer.state(8, filled))
        };
        let approved = (ItemState::Approved, ItemState::Missing);
        let others = (ItemState::OtherVariables, ItemState::Missing);
        assert_eq!(state("验证码 {1}", 1), approved);
        assert_eq!(state("验证码 {1}，{2} 分钟内有效", 2), approved);
        assert_eq!(state("验证码 {1}，{2} 分钟内有效", 1), others);
        assert_eq!(state("验证码 {1}", 2), others);
    }

    #[test]
    fn an_answer_about_no_number_or_several_tells_nothing() {
        let answer = |codes: &[&str]| SendAnswer {
            send_status_set: codes
                .iter()
                .map(|code| CallError {
                    code: (*code).to_owned(),
                })
                .collect(),
            request_id: String::new(),
        };
        assert!(answer(&[]).number_refusal().is_none());
        assert!(answer(&["Ok", "Ok"]).number_refusal().is_none());
        assert!(answer(&["Ok"]).number_refusal().unwrap().is_ok());
        assert!(answer(&["New"]).number_refusal().unwrap().is_err());
    }
}
