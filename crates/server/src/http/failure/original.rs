//! Failures as pages of the original read them: `{"success":false,"errorMsg":…}`.
//!
//! Those pages go to sign-in on 401 and show `服务器异常` instead of the text on every other status but 200. So what a
//! person should read is 200 here, whatever its status is for the site's own clients. A request that no page sends keeps
//! its status: a parameter left out, an unknown path, another method or media type.

use app::Language;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::{Code, Failure};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OriginalFailure {
    success: bool,
    error_msg: String,
}

impl Failure {
    pub(super) fn render_for_original(self, language: Language) -> Response {
        let status = self.original_status();
        if status == StatusCode::UNAUTHORIZED {
            return status.into_response();
        }
        let envelope = OriginalFailure {
            success: false,
            error_msg: self.original_text(language),
        };
        (status, Json(envelope)).into_response()
    }

    fn original_status(&self) -> StatusCode {
        match self.code {
            // A write without a session of the page's own: its visitor should sign in.
            Code::NotSignedIn | Code::ForeignOrigin | Code::ForeignSession => {
                StatusCode::UNAUTHORIZED
            }
            Code::NoSuchRoute | Code::MethodNotAllowed | Code::UnsupportedMediaType => {
                self.code.status()
            }
            Code::Malformed if self.is_missing => self.code.status(),
            _ => StatusCode::OK,
        }
    }

    /// There is no `fields` to say where a request is wrong, so the text does.
    fn original_text(&self, language: Language) -> String {
        let text = self.text(language);
        match self.fields.keys().next() {
            Some(place) => format!("{text}：{place}"),
            None => text.into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::to_bytes;

    use super::*;
    use crate::http::dialect::Dialect;

    async fn rendered(failure: Failure) -> (u16, String) {
        let response = failure.render(Dialect::Original, Language::Chinese);
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(body.into()).unwrap())
    }

    #[tokio::test]
    async fn what_a_person_should_read_is_200_and_has_the_originals_members_alone() {
        for (failure, text) in [
            (Failure::new(Code::Forbidden), "没有权限"),
            (
                Failure::too_many(Duration::from_secs(9)),
                "请求过于频繁，请稍后再试",
            ),
            (Failure::busy(), "系统繁忙，请稍后重试"),
            (Failure::new(Code::Internal), "服务器异常"),
            (
                Failure::malformed("current", "invalid digit"),
                "请求格式错误：current",
            ),
        ] {
            let expected = format!(r#"{{"success":false,"errorMsg":"{text}"}}"#);
            assert_eq!(rendered(failure).await, (200, expected));
        }
    }

    #[tokio::test]
    async fn whoever_must_sign_in_reads_nothing() {
        for code in [Code::NotSignedIn, Code::ForeignOrigin, Code::ForeignSession] {
            assert_eq!(rendered(Failure::new(code)).await, (401, String::new()));
        }
    }

    #[tokio::test]
    async fn requests_that_no_page_sends_keep_their_status() {
        let missing = Failure::missing("typeId", "missing field `typeId`");
        let expected = r#"{"success":false,"errorMsg":"请求格式错误：typeId"}"#;
        assert_eq!(rendered(missing).await, (400, expected.to_owned()));
        for (code, status) in [
            (Code::NoSuchRoute, 404),
            (Code::MethodNotAllowed, 405),
            (Code::UnsupportedMediaType, 415),
        ] {
            assert_eq!(rendered(Failure::new(code)).await.0, status);
        }
    }
}
