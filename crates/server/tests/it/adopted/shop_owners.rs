//! `tandian admin shops` and `shop-owner`: adopted shops get the people who manage them.

use serde_json::json;
use testkit::Client;

use super::execute;
use crate::process::{Home, only_line};

const PHONE: &str = "13900000001";
const OTHER: &str = "13900000002";

const SHOPS: &str = "INSERT INTO tb_shop (id, name, type_id, images, address, x, y, sold, comments, score, version, \
    create_time, update_time) VALUES \
    (1, '茶餐厅', 1, '', '金华路', 120.1, 30.3, 0, 0, 0, 1, '2022-01-01 00:00:00', '2022-01-01 00:00:00'), \
    (2, 'KTV', 1, '', '台州路', 120.1, 30.3, 0, 0, 0, 1, '2022-01-01 00:00:00', '2022-01-01 00:00:00')";

/// They have signed in to the original.
const PEOPLE: &str = "INSERT INTO tb_user (id, phone, nick_name, icon, role, status, create_time, update_time) VALUES \
    (1, '13900000001', 'a', '', 0, 0, '2022-01-01 00:00:00', '2022-01-01 00:00:00'), \
    (2, '13900000002', 'b', '', 0, 0, '2022-01-01 00:00:00', '2022-01-01 00:00:00')";

fn said(output: &std::process::Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[tokio::test]
async fn shops_without_an_owner_are_listed_and_given_to_merchants() {
    let home = Home::new();
    assert!(home.run(&["migrate"], &[]).status.success());
    let none = said(&home.run(&["admin", "shops"], &[]));
    assert_eq!(none, "Every shop has an owner.\n");
    let path = home.folder.path().join("data/tandian.db");
    let url = format!("sqlite://{}", path.display());
    execute(&url, &[SHOPS.to_owned()]).await;
    let listed = said(&home.run(&["admin", "shops"], &[]));
    assert!(
        listed.contains("2 shop(s)") && listed.contains("茶餐厅"),
        "{listed}"
    );
    let first = said(&home.run(&["admin", "shops", "--limit", "1"], &[]));
    assert!(
        first.contains("--after 1") && !first.contains("KTV"),
        "{first}"
    );

    let line = only_line(&home.run(&["admin", "shop-owner", "1", PHONE], &[]));
    assert!(
        line.contains("sign in once") && !line.contains(PHONE),
        "{line}"
    );
    execute(&url, &[PEOPLE.to_owned()]).await;
    let site = home.serve();
    let line = only_line(&home.run(&["admin", "shop-owner", "1", PHONE], &[]));
    assert!(line.contains("--grant"), "{line}");
    let given = said(&home.run(&["admin", "shop-owner", "1", PHONE, "--grant"], &[]));
    assert!(given.contains("Shop 1 (茶餐厅) belongs to user"), "{given}");
    let again = said(&home.run(&["admin", "shop-owner", "1", PHONE], &[]));
    assert_eq!(again, given);

    let line = only_line(&home.run(&["admin", "shop-owner", "2,1", OTHER, "--grant"], &[]));
    assert!(
        line.contains("1 before it were") && line.contains("--replace"),
        "{line}"
    );
    let taken = ["admin", "shop-owner", "1", OTHER, "--replace"];
    assert!(said(&home.run(&taken, &[])).contains("Shop 1"));
    let line = only_line(&home.run(&["admin", "shop-owner", "99", OTHER], &[]));
    assert!(line.contains("no such shop"), "{line}");

    let url = format!("http://{}", site.addr);
    let owner = Client::new(url.clone()).with_token(site.sign_in(OTHER));
    let change = json!({ "id": 1, "name": "新茶餐厅" });
    let changed = owner.put_json("/api/shop", &change).await;
    assert_eq!(changed.json(), json!({ "success": true }));
    let before = Client::new(url).with_token(site.sign_in(PHONE));
    assert_eq!(
        before.put_json("/api/shop", &change).await.code(),
        "forbidden"
    );
    site.stop();
    let none = said(&home.run(&["admin", "shops"], &[]));
    assert_eq!(none, "Every shop has an owner.\n");
}
