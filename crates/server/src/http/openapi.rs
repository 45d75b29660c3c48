//! The API's description, made from the handlers themselves and committed as `openapi.json`.

use utoipa::openapi::path::Operation;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};
use utoipa::{Modify, OpenApi as _};

use super::envelope::FailureEnvelope;
use super::routes::{self, Route};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tandian",
        description = "Every reply is an envelope. A refusal that a person should read is HTTP 200 with `success: false`, \
            `errorMsg` and a stable `code`; everything else has its true status with the same envelope.",
        license(name = "Apache-2.0"),
    ),
    servers((url = "/")),
    components(schemas(FailureEnvelope)),
)]
struct Description;

/// The whole document.
pub fn document() -> OpenApi {
    let mut document = Description::openapi();
    let descriptions = routes::table()
        .into_iter()
        .filter_map(Route::into_description);
    for description in descriptions {
        let paths = &mut document.paths.paths;
        let operations = paths.entry(description.path.to_owned()).or_default();
        operations.merge_operations(description.operation);
        let components = document.components.get_or_insert_default();
        components.schemas.extend(description.schemas);
    }
    SecuritySchemes.modify(&mut document);
    SharedFailures.modify(&mut document);
    document
}

struct SecuritySchemes;

impl Modify for SecuritySchemes {
    fn modify(&self, document: &mut OpenApi) {
        let components = document.components.get_or_insert_default();
        let token =
            ApiKeyValue::with_description("authorization", "The token, bare or after `Bearer `.");
        let cookie = ApiKeyValue::with_description(
            "tandian_session",
            "Set at login; writes need our own `Origin`.",
        );
        components.add_security_scheme("token", SecurityScheme::ApiKey(ApiKey::Header(token)));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

const EVENT_STREAM: &str = "text/event-stream";

/// Failures that any operation of a kind can meet are described once, here.
struct SharedFailures;

impl Modify for SharedFailures {
    fn modify(&self, document: &mut OpenApi) {
        for item in document.paths.paths.values_mut() {
            if let Some(operation) = &mut item.get {
                add_shared_failures(operation, false);
            }
            let writes = [&mut item.put, &mut item.post, &mut item.delete];
            for operation in writes.into_iter().flatten() {
                add_shared_failures(operation, true);
            }
        }
    }
}

fn add_shared_failures(operation: &mut Operation, is_write: bool) {
    let has_input = operation.request_body.is_some() || operation.parameters.is_some();
    let needs_session = operation.security.is_some();
    let cases = [
        (has_input, "400", "Malformed: `fields` says where."),
        (needs_session, "401", "Not signed in."),
        (
            needs_session || is_write,
            "403",
            "Not for this role, or written from another site.",
        ),
        (
            takes_key(operation),
            "409",
            "The `Idempotency-Key` was used for another request, or the same one is being worked on.",
        ),
        (
            operation.request_body.is_some() || takes_key(operation),
            "413",
            "The body is too large.",
        ),
        (
            operation.request_body.is_some(),
            "415",
            "Another content type is needed.",
        ),
        (true, "429", "Too many: see `Retry-After`."),
        (true, "500", "A fault of ours."),
        (
            true,
            "503",
            "Busy, or a dependency is away: see `Retry-After`.",
        ),
    ];
    if let Some(success) = operation.responses.responses.get_mut("200") {
        add_refusal(success);
    }
    for (_, status, description) in cases.into_iter().filter(|(applies, ..)| *applies) {
        let content = Content::new(Some(failure_schema()));
        let response = ResponseBuilder::new()
            .description(description)
            .content("application/json", content)
            .build();
        operation
            .responses
            .responses
            .entry(status.to_owned())
            .or_insert(response.into());
    }
}

fn takes_key(operation: &Operation) -> bool {
    let mut parameters = operation.parameters.iter().flatten();
    parameters.any(
        |parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == "Idempotency-Key"),
    )
}

/// A refusal travels as 200 too, so a successful status has two shapes.
fn add_refusal(response: &mut RefOr<Response>) {
    let RefOr::T(response) = response else { return };
    if response.content.contains_key(EVENT_STREAM) {
        // Events are one kind of reply, a refusal is another.
        let refusal = Content::new(Some(failure_schema()));
        let json = "application/json".to_owned();
        response.content.insert(json, RefOr::T(refusal));
        return;
    }
    for content in response.content.values_mut() {
        let RefOr::T(content) = content else { continue };
        if let Some(success) = content.schema.take() {
            let either = OneOfBuilder::new()
                .item(success)
                .item(failure_schema())
                .build();
            content.schema = Some(RefOr::T(Schema::OneOf(either)));
        }
    }
}

fn failure_schema() -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name("Failure"))
}
