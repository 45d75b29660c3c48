//! Aliyun's answers, and what its error codes mean for us.

use reqwest::StatusCode;
use serde::Deserialize;

use super::super::NumberRefusal;
use super::super::gateway_fault::{GatewayFault, GatewayRefusal};
use super::super::review::ItemState;
use super::NAME;

/// What every answer has.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Head {
    pub(super) code: String,
    #[serde(default)]
    request_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SignAnswer {
    sign_status: i32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct TemplateAnswer {
    template_status: i32,
    #[serde(default)]
    template_content: String,
}

impl Head {
    pub(super) fn refusal(&self, status: StatusCode) -> GatewayRefusal {
        let fault = match fault_of(&self.code) {
            GatewayFault::Other if status.is_server_error() => GatewayFault::Outage,
            fault => fault,
        };
        GatewayRefusal::new(NAME, fault, &self.code, &self.request_id)
    }
}

impl SignAnswer {
    pub(super) fn state(&self) -> ItemState {
        state_of(self.sign_status)
    }
}

impl TemplateAnswer {
    /// `params` are the variables that the settings fill.
    pub(super) fn state<'a>(&self, params: impl Iterator<Item = &'a String>) -> ItemState {
        let state = state_of(self.template_status);
        let params: Vec<String> = params.map(|name| format!("${{{name}}}")).collect();
        let has = |param: &String| self.template_content.contains(param);
        let are_these =
            params.iter().all(has) && self.template_content.matches("${").count() == params.len();
        if state == ItemState::Approved && !are_these {
            return ItemState::OtherVariables;
        }
        state
    }
}

fn state_of(status: i32) -> ItemState {
    match status {
        1 => ItemState::Approved,
        0 => ItemState::UnderReview,
        // 2 is rejected, 10 cancelled.
        _ => ItemState::Rejected,
    }
}

/// Codes of the front door have no prefix, those of the service `isv.` (ours to repair) or `isp.` (theirs).
fn fault_of(code: &str) -> GatewayFault {
    match code {
        "isv.MOBILE_NUMBER_ILLEGAL" => GatewayFault::Number(NumberRefusal::Unreachable),
        "isv.BUSINESS_LIMIT_CONTROL" => GatewayFault::Number(NumberRefusal::TooManyMessages),
        "isv.AMOUNT_NOT_ENOUGH"
        | "isv.OUT_OF_SERVICE"
        | "isv.PRODUCT_UN_SUBSCRIPT"
        | "isv.PRODUCT_UNSUBSCRIBE"
        | "isv.ACCOUNT_NOT_EXISTS"
        | "isv.ACCOUNT_ABNORMAL" => GatewayFault::Account,
        "isv.DAY_LIMIT_CONTROL" | "isv.MONTH_LIMIT_CONTROL" => GatewayFault::Quota,
        "isv.SMS_SIGNATURE_ILLEGAL"
        | "isv.SMS_SIGN_ILLEGAL"
        | "isv.SMS_SIGNATURE_SCENE_ILLEGAL"
        | "isv.SIGN_NAME_ILLEGAL"
        | "SIGNATURE_BLACKLIST" => GatewayFault::Sign,
        "isv.SMS_TEMPLATE_ILLEGAL"
        | "isv.TEMPLATE_MISSING_PARAMETERS"
        | "isv.TEMPLATE_PARAMS_ILLEGAL"
        | "isv.INVALID_JSON_PARAM" => GatewayFault::Template,
        "isp.RAM_PERMISSION_DENY" | "isv.DENY_IP_RANGE" => GatewayFault::Permission,
        "SignatureDoesNotMatch" | "IncompleteSignature" => GatewayFault::KeySecret,
        "SignatureNonceUsed" => GatewayFault::Other,
        "isp.SYSTEM_ERROR" | "isp.GATEWAY_ERROR" | "isp.UNKNOWN" => GatewayFault::Outage,
        "InternalError" | "ServiceUnavailable" => GatewayFault::Outage,
        _ => fault_of_family(code),
    }
}

/// Codes that come with endings, such as `Throttling.User`.
fn fault_of_family(code: &str) -> GatewayFault {
    match code.split('.').next().unwrap_or_default() {
        "Throttling" => GatewayFault::Quota,
        "InvalidAccessKeyId" => GatewayFault::KeyId,
        "InvalidTimeStamp" => GatewayFault::Clock,
        "Forbidden" | "NoPermission" => GatewayFault::Permission,
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
                "isv.MOBILE_NUMBER_ILLEGAL",
                Number(NumberRefusal::Unreachable),
            ),
            (
                "isv.BUSINESS_LIMIT_CONTROL",
                Number(NumberRefusal::TooManyMessages),
            ),
            ("isv.AMOUNT_NOT_ENOUGH", Account),
            ("isv.DAY_LIMIT_CONTROL", Quota),
            ("Throttling.User", Quota),
            ("Throttling", Quota),
            ("SignatureDoesNotMatch", KeySecret),
            ("InvalidAccessKeyId.NotFound", KeyId),
            ("InvalidAccessKeyId.Inactive", KeyId),
            ("InvalidTimeStamp.Expired", Clock),
            ("Forbidden.RAM", Permission),
            ("isp.SYSTEM_ERROR", Outage),
            ("isv.SOMETHING_NEW", Other),
        ] {
            assert_eq!(fault_of(code), fault, "{code}");
        }
    }

    #[test]
    fn an_unknown_code_is_an_outage_only_with_a_status_of_the_servers_fault() {
        let head = |code: &str| Head {
            code: code.to_owned(),
            request_id: String::new(),
        };
        let fault = |code, status| head(code).refusal(status).fault;
        assert_eq!(fault("New", StatusCode::BAD_REQUEST), GatewayFault::Other);
        assert_eq!(fault("New", StatusCode::BAD_GATEWAY), GatewayFault::Outage);
        let throttled = fault("Throttling.User", StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(throttled, GatewayFault::Quota);
    }

    #[test]
    fn a_template_must_have_the_variables_that_are_filled_and_no_others() {
        let state = |content: &str, params: &[&str]| {
            let params: Vec<String> = params.iter().map(|name| (*name).to_owned()).collect();
            let template = TemplateAnswer {
                template_status: 1,
                template_content: content.to_owned(),
            };
            template.state(params.iter())
        };
        let both = "验证码 ${code}，${minutes} 分钟内有效";
        assert_eq!(state("验证码 ${code}", &["code"]), ItemState::Approved);
        assert_eq!(state(both, &["code", "minutes"]), ItemState::Approved);
        assert_eq!(state(both, &["code"]), ItemState::OtherVariables);
        assert_eq!(
            state("${code}", &["code", "minutes"]),
            ItemState::OtherVariables
        );
        assert_eq!(state("${number}", &["code"]), ItemState::OtherVariables);
    }
}
