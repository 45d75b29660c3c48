//! A phone number or e-mail address, from wherever a client puts it: JSON, form, or the query of old clients.
//!
//! A query stands in the logs of every proxy on the way, so new clients send a body. Our own log has no query at all.

use app::Refusal;
use axum::extract::{FromRequest, Request};
use domain::{Contact, Email, Phone};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body;
use crate::http::failure::Failure;
use crate::http::state::HttpState;

/// One of the two; the phone number counts when both are there.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(in crate::http) struct ContactInput {
    /// A mainland mobile number.
    #[schema(nullable = false)]
    phone: Option<String>,
    #[schema(nullable = false)]
    email: Option<String>,
}

impl ContactInput {
    pub(in crate::http) fn is_empty(&self) -> bool {
        self.phone.is_none() && self.email.is_none()
    }

    pub(in crate::http) fn parse(&self) -> Result<Contact, Failure> {
        match (&self.phone, &self.email) {
            (Some(phone), _) => match Phone::parse(phone) {
                Ok(phone) => Ok(phone.into()),
                Err(_) => Err(Refusal::PhoneInvalid.into()),
            },
            (None, Some(email)) => match Email::parse(email) {
                Ok(email) => Ok(email.into()),
                Err(_) => Err(Refusal::EmailInvalid.into()),
            },
            (None, None) => Err(Failure::malformed("phone", "phone or email is missing")),
        }
    }
}

impl FromRequest<HttpState> for ContactInput {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &HttpState) -> Result<Self, Failure> {
        let query = request.uri().query().unwrap_or_default();
        let from_query: Self = from_form(query.as_bytes(), "query")?;
        if !from_query.is_empty() {
            return Ok(from_query);
        }
        if body::is_json(request.headers()) {
            return body::from_json(&body::read(request, state).await?);
        }
        if body::media_type(request.headers()) == "application/x-www-form-urlencoded" {
            return from_form(&body::read(request, state).await?, "body");
        }
        Ok(from_query)
    }
}

fn from_form(bytes: &[u8], place: &str) -> Result<ContactInput, Failure> {
    let parsed = serde_urlencoded::from_bytes(bytes);
    parsed.map_err(|error| Failure::malformed(place, error.to_string()))
}
