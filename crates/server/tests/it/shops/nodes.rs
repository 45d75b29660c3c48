//! Two nodes of one site: a change on one shows on the other within a second.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, TestApp, wait_until};

use super::{
    EVERYWHERE, FOOD, HERE, KTV, MERCHANT, around, ids, list, new_shop, open_shop, sign_in, sites,
};

async fn name(client: &Client, id: i64) -> Value {
    client.get(&format!("/api/shop/{id}")).await.data()["name"].clone()
}

async fn change(client: &Client, body: Value) {
    let changed = client.put_json("/api/shop", &body).await;
    assert_eq!(changed.json(), json!({ "success": true }));
}

#[tokio::test]
async fn a_change_shows_on_the_other_node_within_a_second() {
    for one in sites().await {
        let two = one.beside().spawn().await;
        let (here, there) = (sign_in(&one, MERCHANT, Role::Merchant).await, two.visitor());
        let id = open_shop(&here, &new_shop("茶餐厅")).await;
        assert_eq!(name(&there, id).await, "茶餐厅");
        assert_eq!(ids(&list(&there, &around(FOOD, "")).await), [id]);
        for round in 0..10 {
            let new_name = format!("茶餐厅{round}");
            change(&here, json!({ "id": id, "name": new_name })).await;
            assert_eq!(
                name(&here, id).await,
                new_name.as_str(),
                "at once on this node"
            );
            wait_until("the other node shows it", EVERYWHERE, async || {
                name(&there, id).await == new_name.as_str()
            })
            .await;
        }
        change(&here, json!({ "id": id, "typeId": KTV })).await;
        wait_until("the shop is among its new kind", EVERYWHERE, async || {
            ids(&list(&there, &around(KTV, "")).await) == [id]
                && list(&there, &around(FOOD, "")).await.is_empty()
        })
        .await;
    }
}

#[tokio::test]
async fn a_shop_opened_on_one_node_is_there_on_the_other() {
    for one in sites().await {
        let two = one.beside().spawn().await;
        let merchant = sign_in(&one, MERCHANT, Role::Merchant).await;
        let first = open_shop(&merchant, &new_shop("一")).await;
        // The other node remembers that the next one does not exist.
        let early = two.visitor().get(&format!("/api/shop/{}", first + 1)).await;
        assert_eq!(early.code(), "shop_not_found");
        let second = open_shop(&merchant, &new_shop("二")).await;
        assert_eq!(second, first + 1);
        let path = format!("/api/shop/{second}");
        wait_until("the other node finds it", EVERYWHERE, async || {
            two.visitor().get(&path).await.json()["data"]["name"] == "二"
        })
        .await;
    }
}

/// Moves the shop to and fro as fast as it can.
async fn move_about(merchant: Client, id: i64, times: u32) {
    for step in 0..times {
        let type_id = if step % 2 == 0 { KTV } else { FOOD };
        let y = HERE.1 + f64::from(step % 7) / 1_000.0;
        change(&merchant, json!({ "id": id, "typeId": type_id, "y": y })).await;
    }
}

/// Loads all indexes anew, again and again: what it read before a change must not come out after it.
async fn rebuild_for_ever(app: &TestApp) {
    loop {
        app::shops::refresh_all(app.core(), &mut |_| ())
            .await
            .unwrap();
    }
}

/// Where a node shows the shop: the types and distances of its lists.
async fn sightings(app: &TestApp, id: i64) -> Vec<(i64, f64)> {
    let mut seen = Vec::new();
    for type_id in [FOOD, KTV] {
        for shop in list(&app.visitor(), &around(type_id, "")).await {
            assert_eq!(shop["id"], id);
            seen.push((type_id, shop["distance"].as_f64().unwrap()));
        }
    }
    seen
}

#[tokio::test]
async fn changes_from_two_nodes_and_a_rebuild_at_once_end_in_one_state() {
    for one in sites().await {
        let two = one.beside().spawn().await;
        let merchant = sign_in(&one, MERCHANT, Role::Merchant).await;
        let id = open_shop(&merchant, &new_shop("茶餐厅")).await;
        let other = merchant.clone().at(two.url());
        let moves = async { tokio::join!(move_about(merchant, id, 20), move_about(other, id, 21)) };
        tokio::select! {
            _ = moves => {}
            () = rebuild_for_ever(&two) => unreachable!("it has no end"),
        }
        let row = storage::shops::get_for_fill(one.core().db(), id.into()).await;
        let row = row.unwrap().unwrap();
        let metres = (row.y - HERE.1) * 111_226.3;
        wait_until("both nodes show it where it is", EVERYWHERE, async || {
            let (a, b) = (sightings(&one, id).await, sightings(&two, id).await);
            let is_right = |seen: &[(i64, f64)]| {
                matches!(seen, [(type_id, found)]
                    if *type_id == row.type_id.get() && (found - metres).abs() < 1.0)
            };
            is_right(&a) && is_right(&b)
        })
        .await;
        for app in [&one, &two] {
            let detail = app.visitor().get(&format!("/api/shop/{id}")).await.data();
            assert_eq!(
                (detail["typeId"].as_i64(), detail["y"].as_f64()),
                (Some(row.type_id.get()), Some(row.y))
            );
        }
    }
}
