//! Paths and methods: what is described is routed, and what is routed on a described path is described.

use axum::http::Method;
use testkit::TestApp;

use super::description::Operation;
use super::draft::{Draft, Shown, Who};
use super::random::Random;
use super::wire::{RawReply, Wire};
use super::{Run, Storm};

const METHODS: [Method; 8] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::DELETE,
    Method::PATCH,
    Method::OPTIONS,
    Method::TRACE,
];

/// A valid request of an operation, by another method and by somebody signed in.
async fn ask(run: &Run, wire: &mut Wire, operation: &Operation, method: &Method) -> RawReply {
    let mut draft = Draft::valid(operation, run.cast.len(), &mut Random::new(run.seed));
    draft.method = method.clone();
    draft.who = Who::Person(0, Shown::Bare);
    let request = run.cast.pack(&draft).await;
    let answer = wire.send(&request).await.unwrap();
    run.judge(&request, &answer)
        .unwrap_or_else(|problem| panic!("{method} {}: {problem}", draft.path));
    answer
}

#[tokio::test]
async fn a_path_takes_the_described_methods_and_no_other() {
    let app = TestApp::spawn().await;
    let run = Run::of(&Storm::prepare(&app, app.address()).await, 1, 0);
    let mut wire = Wire::to(app.address());
    let operations = &run.description.operations;
    for operation in operations {
        for method in &METHODS {
            let asked = if method == Method::HEAD {
                &Method::GET
            } else {
                method
            };
            // A stream has no end to wait for; that it is routed is tested where it is read.
            if operation.is_stream && asked == Method::GET {
                continue;
            }
            let is_described = operations
                .iter()
                .any(|it| it.template == operation.template && it.method == *asked);
            let status = ask(&run, &mut wire, operation, method)
                .await
                .status
                .as_u16();
            let place = format!("{method} {} is {status}", operation.template);
            assert_eq!(status == 405, !is_described, "{place}");
            assert_ne!(status, 404, "{place}");
        }
    }
}
