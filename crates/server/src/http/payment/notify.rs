//! `/api/payment/notify/{provider}`: the callback of a payment provider.
//!
//! The server acknowledges a callback only when it is stored, or a known repetition; otherwise the provider redelivers it.

use app::payments;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use pay::Acknowledgement;

use crate::http::extract::{PathParam, read_body};
use crate::http::failure::{Causes, Code, Failure};
use crate::http::state::HttpState;

pub(in crate::http) async fn notify(
    State(state): State<HttpState>,
    PathParam(name): PathParam<String>,
    request: Request,
) -> Result<Response, Failure> {
    let provider = state.app().payments().provider_named(&name);
    let provider = provider.ok_or(Failure::new(Code::NoSuchRoute))?;
    let headers = request.headers().clone();
    let body = read_body(request, &state).await?;
    let notice = match provider.verify_callback(&headers, &body) {
        Ok(notice) => notice,
        Err(error) => {
            tracing::warn!(provider = provider.name(), %error, "payment callback refused: its signature is invalid");
            return Ok(say(Acknowledgement::RETRY));
        }
    };
    Ok(say(
        match payments::handle_callback(state.app(), provider.name(), &notice).await {
            Ok(_) => Acknowledgement::RECEIVED,
            Err(error) => {
                tracing::warn!(error = %Causes(&error), "payment callback not stored: the provider redelivers it");
                Acknowledgement::RETRY
            }
        },
    ))
}

fn say(words: Acknowledgement) -> Response {
    ([(CONTENT_TYPE, words.content_type)], words.body).into_response()
}
