//! The second listener as a part of the process: its settings, its port, and its end.

use std::net::TcpListener;

use reqwest::Method;
use testkit::{Port, TestApp};

use super::Town;
use crate::process::Home;

#[tokio::test]
async fn both_listeners_end_together_and_answer_what_has_begun() {
    let town = Town::build().await;
    let (site, original) = (town.app.address(), town.app.original_address());
    town.app.stop().await;
    for address in [site, original] {
        assert!(tokio::net::TcpStream::connect(address).await.is_err());
    }
}

/// A crowd at one listener must not have more than the process gives.
#[tokio::test]
async fn connections_of_both_listeners_count_together() {
    let limited = TestApp::builder().setting("http.max_connections_per_address", 3);
    let app = limited.spawn().await;
    let mut open = Vec::new();
    for address in [app.address(), app.original_address(), app.address()] {
        let connection = tokio::net::TcpStream::connect(address).await.unwrap();
        open.push(answered(connection).await.unwrap());
    }
    let connection = tokio::net::TcpStream::connect(app.original_address()).await;
    assert!(answered(connection.unwrap()).await.is_none());
}

/// The connection, if a request on it is answered with 200.
async fn answered(mut connection: tokio::net::TcpStream) -> Option<tokio::net::TcpStream> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    connection
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
        .await
        .ok()?;
    let mut start = [0; 12];
    connection.read_exact(&mut start).await.ok()?;
    (&start == b"HTTP/1.1 200").then_some(connection)
}

#[test]
fn a_port_that_is_taken_is_named_with_its_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap().to_string();
    let home = Home::new();
    let ended = home.run(&["serve"], &[("TANDIAN_COMPAT__ADDR", &addr)]);
    let words = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success());
    assert!(
        words.contains(&addr) && words.contains("TANDIAN_COMPAT__ADDR"),
        "{words}"
    );
    let doctor = home.run(&["doctor"], &[("TANDIAN_COMPAT__ADDR", &addr)]);
    let report = String::from_utf8(doctor.stdout).unwrap();
    let line = format!("✗ cannot listen on {addr}");
    assert!(
        report.contains(&line) && report.contains("change compat.addr"),
        "{report}"
    );
}

#[tokio::test]
async fn the_program_serves_both_and_its_doctor_knows_them() {
    let (home, port) = (Home::new(), Port::reserve());
    let addr = port.addr().to_string();
    let env = [("TANDIAN_COMPAT__ADDR", &*addr)];
    let _site = home.serve_with(&["serve"], &env);
    let visitor = testkit::Client::new(format!("http://{addr}"));
    let types = visitor.try_send(Method::GET, "/shop-type/list", None);
    assert_eq!(types.await.unwrap().text, r#"{"success":true,"data":[]}"#);
    let doctor = home.run(&["doctor"], &env);
    let report = String::from_utf8(doctor.stdout).unwrap();
    assert!(
        report.contains(&format!("✓ {addr} is served by a running tandian")),
        "{report}"
    );
}
