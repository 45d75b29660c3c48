//! `tandian outbox` and `tandian doctor`: an operator sees dead letters and redrives them.

use std::process::Output;

use sea_orm::{ConnectionTrait as _, Database};

use crate::process::{Home, only_line};

#[track_caller]
fn said(output: Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

async fn execute(home: &Home, sql: &str) {
    let file = home.folder.path().join("data/tandian.db");
    let connection = Database::connect(format!("sqlite://{}", file.display()))
        .await
        .unwrap();
    connection.execute_unprepared(sql).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_dead_letter_is_listed_named_by_the_doctor_and_redriven() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    let empty = said(home.run(&["outbox", "list"], &[]));
    assert!(empty.ends_with("0 dead-lettered, 0 retried, 0 waiting in all.\n"));
    execute(
        &home,
        "INSERT INTO tb_outbox (kind, key, payload, lane, state, attempts, last_error) VALUES \
         ('refund_due', 'payment:7', '{\"payment\":7}', 5, 2, 20, 'the provider refused (X)'), \
         ('shop_changed', 'shop:1', '{\"id\":1}', 2, 1, 3, 'failed')",
    )
    .await;

    let listed = said(home.run(&["outbox", "list", "--dead"], &[]));
    assert!(listed.contains("payment:7") && listed.contains("the provider refused (X)"));
    assert!(!listed.contains("shop:1"), "{listed}");
    assert!(listed.contains("1 dead-lettered, 1 retried, 1 waiting"));
    assert!(said(home.run(&["outbox", "list"], &[])).contains("shop:1"));
    let doctor = home.run(&["doctor"], &[]);
    let doctor = String::from_utf8(doctor.stdout).unwrap();
    assert!(
        doctor.contains("1 effect(s) of the outbox were dead-lettered"),
        "{doctor}"
    );

    let line = only_line(&home.run(&["outbox", "redrive", "99"], &[]));
    assert!(line.contains("tandian outbox list"), "{line}");
    let redriven = said(home.run(&["outbox", "redrive", "--all"], &[]));
    assert!(redriven.starts_with("1 effect(s) redriven"), "{redriven}");
    let listed = said(home.run(&["outbox", "list"], &[]));
    assert!(listed.contains("0 dead-lettered, 2 retried"), "{listed}");
    for args in [&["outbox", "redrive"][..], &["outbox", "redrive", "x"]] {
        assert_eq!(home.run(args, &[]).status.code(), Some(2), "{args:?}");
    }
}
