//! Shops: who may change them, what a change leaves behind, and the lists.

use std::pin::Pin;

use domain::{ShopId, ShopTypeId, UserId};
use storage::outbox::{self, OutboxRow};
use storage::shops::{self, Principal, Shop, ShopChange, ShopChanged, UpdateRefusal};
use storage::{Db, shop_types};

use crate::support::{create_shop, new_shop, on_both};

const OWNER: UserId = UserId::new(7);

async fn get(db: &Db, id: ShopId) -> Shop {
    shops::get_for_fill(db, id).await.unwrap().unwrap()
}

async fn announced(db: &Db) -> Vec<ShopChanged> {
    let rows = outbox::list_due_all(db, 100, jiff::Timestamp::now()).await;
    rows.unwrap().iter().map(decode).collect()
}

fn decode(row: &OutboxRow) -> ShopChanged {
    assert_eq!(row.kind, ShopChanged::KIND);
    let changed: ShopChanged = serde_json::from_str(&row.payload).unwrap();
    assert_eq!(row.key, changed.key());
    changed
}

fn renaming(name: &str) -> ShopChange {
    ShopChange {
        name: Some(name.to_owned()),
        ..Default::default()
    }
}

#[tokio::test]
async fn types_are_listed_by_their_sort_order() {
    on_both(async |test| {
        test.execute(
            "INSERT INTO tb_shop_type (id, name, icon, sort) VALUES \
             (1, '美食', '/types/ms.png', 2), (2, 'KTV', '/types/KTV.png', 1), (3, '丽人', '', 2)",
        )
        .await;
        let types = shop_types::list(&test.db).await.unwrap();
        let ids: Vec<i64> = types.iter().map(|kind| kind.id.get()).collect();
        assert_eq!(ids, [2, 1, 3]);
        assert_eq!(
            (types[1].name.as_str(), types[1].icon.as_str()),
            ("美食", "/types/ms.png")
        );
    })
    .await;
}

#[tokio::test]
async fn a_new_shop_belongs_to_its_creator_and_is_announced() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "103茶餐厅").await;
        assert_eq!((shop.owner_id, shop.version), (Some(OWNER), 1));
        assert_eq!((shop.sold, shop.comments, shop.score), (0, 0, 0));
        assert_eq!((shop.x, shop.y), (120.149192, 30.316078));
        assert_eq!(get(&test.db, shop.id).await, shop);
        assert_eq!(
            shops::get(&test.db, shop.id).await.unwrap(),
            Some(shop.clone())
        );
        let expected = ShopChanged {
            id: shop.id,
            type_id_before: None,
            type_id: ShopTypeId::new(1),
            version: 1,
        };
        assert_eq!(announced(&test.db).await, [expected]);
        assert_eq!(shops::get(&test.db, ShopId::new(99)).await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_change_touches_what_it_names_raises_the_version_and_is_announced() {
    on_both(async |test| {
        let before = create_shop(&test.db, "茶餐厅").await;
        test.execute("UPDATE tb_shop SET sold = 5, comments = 6, score = 37")
            .await;
        test.execute("DELETE FROM tb_outbox").await;
        let change = ShopChange {
            type_id: Some(ShopTypeId::new(2)),
            x: Some(121.5),
            ..Default::default()
        };
        let after = shops::update(&test.db, Principal::Owner(OWNER), before.id, &change)
            .await
            .unwrap()
            .unwrap();
        let expected = Shop {
            type_id: ShopTypeId::new(2),
            x: 121.5,
            version: 2,
            sold: 5,
            comments: 6,
            score: 37,
            updated_at: after.updated_at,
            ..before.clone()
        };
        assert_eq!(after, expected);
        assert!(after.updated_at >= before.updated_at);
        assert_eq!(get(&test.db, before.id).await, after);
        let expected = ShopChanged {
            id: before.id,
            type_id_before: Some(ShopTypeId::new(1)),
            type_id: ShopTypeId::new(2),
            version: 2,
        };
        assert_eq!(announced(&test.db).await, [expected]);
    })
    .await;
}

#[tokio::test]
async fn every_field_can_be_changed() {
    on_both(async |test| {
        let id = create_shop(&test.db, "茶餐厅").await.id;
        let change = ShopChange {
            name: Some("咖啡".to_owned()),
            type_id: Some(ShopTypeId::new(3)),
            images: Some("/imgs/c.webp".to_owned()),
            area: Some("拱宸桥".to_owned()),
            address: Some("桥西".to_owned()),
            x: Some(1.0),
            y: Some(2.0),
            avg_price_yuan: Some(30),
            open_hours: Some("24h".to_owned()),
            phone: Some("110".to_owned()),
        };
        let update = shops::update(&test.db, Principal::Admin, id, &change).await;
        let shop = update.unwrap().unwrap();
        let now = ShopChange {
            name: Some(shop.name),
            type_id: Some(shop.type_id),
            images: Some(shop.images),
            area: shop.area,
            address: Some(shop.address),
            x: Some(shop.x),
            y: Some(shop.y),
            avg_price_yuan: shop.avg_price_yuan,
            open_hours: shop.open_hours,
            phone: shop.phone,
        };
        assert_eq!(now, change);
    })
    .await;
}

#[tokio::test]
async fn only_its_owner_and_admins_change_a_shop() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "茶餐厅").await;
        test.execute("DELETE FROM tb_outbox").await;
        let change = renaming("别人的店");
        let stranger = Principal::Owner(UserId::new(8));
        let refused = shops::update(&test.db, stranger, shop.id, &change).await;
        assert_eq!(refused.unwrap(), Err(UpdateRefusal::NotOwner));
        let nowhere = shops::update(&test.db, Principal::Admin, ShopId::new(99), &change).await;
        assert_eq!(nowhere.unwrap(), Err(UpdateRefusal::NoSuchShop));
        assert_eq!(get(&test.db, shop.id).await, shop);
        assert_eq!(test.count("tb_outbox").await, 0);

        test.execute("UPDATE tb_shop SET owner_id = NULL").await;
        let orphan = shops::update(&test.db, Principal::Owner(OWNER), shop.id, &change).await;
        assert_eq!(orphan.unwrap(), Err(UpdateRefusal::NotOwner));
        let admin = shops::update(&test.db, Principal::Admin, shop.id, &change).await;
        assert_eq!(admin.unwrap().unwrap().name, "别人的店");
    })
    .await;
}

#[tokio::test]
async fn a_change_that_names_nothing_changes_nothing() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "茶餐厅").await;
        test.execute("DELETE FROM tb_outbox").await;
        let nothing = ShopChange::default();
        let same = shops::update(&test.db, Principal::Admin, shop.id, &nothing).await;
        assert_eq!(same.unwrap().unwrap(), shop);
        assert_eq!(test.count("tb_outbox").await, 0);
    })
    .await;
}

#[tokio::test]
async fn changes_of_one_shop_at_once_all_take_effect_in_one_order() {
    on_both(async |test| {
        let id = create_shop(&test.db, "茶餐厅").await.id;
        let changes = [
            renaming("新名字"),
            ShopChange {
                address: Some("新地址".to_owned()),
                ..Default::default()
            },
            ShopChange {
                x: Some(1.5),
                ..Default::default()
            },
            ShopChange {
                avg_price_yuan: Some(9),
                ..Default::default()
            },
        ];
        let updates: Vec<_> = (0..32)
            .map(|n| {
                let (db, change) = (test.db.clone(), changes[n % 4].clone());
                tokio::spawn(async move { shops::update(&db, Principal::Admin, id, &change).await })
            })
            .collect();
        for update in updates {
            update.await.unwrap().unwrap().unwrap();
        }
        let shop = get(&test.db, id).await;
        assert_eq!(
            (shop.name.as_str(), shop.address.as_str()),
            ("新名字", "新地址")
        );
        assert_eq!((shop.x, shop.avg_price_yuan), (1.5, Some(9)));
        let mut versions = Vec::new();
        for payload in test
            .texts("SELECT payload FROM tb_outbox ORDER BY id")
            .await
        {
            versions.push(
                serde_json::from_str::<ShopChanged>(&payload)
                    .unwrap()
                    .version,
            );
        }
        assert_eq!(versions, (1..=33).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test]
async fn a_change_that_cannot_be_announced_does_not_happen() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "茶餐厅").await;
        test.execute("ALTER TABLE tb_outbox RENAME TO tb_gone")
            .await;
        let change = renaming("改了");
        shops::update(&test.db, Principal::Admin, shop.id, &change)
            .await
            .unwrap_err();
        shops::create(&test.db, OWNER, &new_shop("另一家"))
            .await
            .unwrap_err();
        test.execute("ALTER TABLE tb_gone RENAME TO tb_outbox")
            .await;
        assert_eq!(get(&test.db, shop.id).await, shop);
        assert_eq!(test.count("tb_shop").await, 1);
        let found = shops::search_by_name(&test.db, "茶餐", 1, 10).await;
        assert_eq!(found.unwrap(), [shop]);
    })
    .await;
}

#[tokio::test]
async fn a_change_given_up_half_way_leaves_nothing() {
    on_both(async |test| {
        let shop = create_shop(&test.db, "茶餐厅").await;
        let change = renaming("改了");
        // One statement sees one state, even while the database still finishes what was given up.
        let unannounced = "tb_shop WHERE version <> (SELECT COUNT(*) FROM tb_outbox)";
        for polls in 1..40 {
            let update = shops::update(&test.db, Principal::Admin, shop.id, &change);
            abandon_after(polls, Box::pin(update)).await;
            assert_eq!(test.count(unannounced).await, 0, "after {polls} polls");
        }
    })
    .await;
}

/// Drops the call when it was polled so often, as a client that goes away would.
async fn abandon_after(polls: u32, mut call: Pin<Box<impl Future>>) {
    let mut polled = 0;
    std::future::poll_fn(|context| {
        polled += 1;
        let is_over = call.as_mut().poll(context).is_ready() || polled == polls;
        if is_over {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}

#[tokio::test]
async fn many_are_fetched_at_once_and_unknown_ones_left_out() {
    on_both(async |test| {
        let mut shops = Vec::new();
        for n in 0..3 {
            shops.push(create_shop(&test.db, &format!("店{n}")).await);
        }
        let known = shops.iter().map(|shop| shop.id);
        let ids: Vec<ShopId> = known.chain((9_000..11_500).map(ShopId::new)).collect();
        for got in [
            shops::get_many(&test.db, &ids).await,
            shops::get_many_for_fill(&test.db, &ids).await,
        ] {
            let mut got = got.unwrap();
            got.sort_by_key(|shop| shop.id);
            assert_eq!(got, shops);
        }
        assert!(shops::get_many(&test.db, &[]).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_type_is_paged_by_id_without_gap_or_repeat() {
    on_both(async |test| {
        let mut expected = Vec::new();
        for n in 0..12 {
            let mut new = new_shop(&format!("店{n}"));
            new.type_id = ShopTypeId::new(1 + n % 2);
            let shop = shops::create(&test.db, OWNER, &new).await.unwrap();
            if n % 2 == 0 {
                expected.push(shop);
            }
        }
        let page = async |page| {
            let kind = ShopTypeId::new(1);
            shops::list_of_type(&test.db, kind, page, 5).await.unwrap()
        };
        assert_eq!(page(1).await, expected[..5]);
        assert_eq!(page(2).await, expected[5..]);
        assert_eq!(page(0).await, expected[..5]);
        assert!(page(3).await.is_empty());
        assert!(page(u32::MAX).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn all_ids_and_positions_come_once() {
    on_both(async |test| {
        let mut expected = Vec::new();
        for n in 0..7 {
            let mut new = new_shop("店");
            new.type_id = ShopTypeId::new(1 + n % 2);
            new.x = 120.0 + n as f64;
            expected.push(shops::create(&test.db, OWNER, &new).await.unwrap());
        }
        let (mut ids, mut after) = (Vec::new(), ShopId::new(0));
        let mut positions = Vec::new();
        loop {
            let next = shops::list_ids(&test.db, after, 3).await.unwrap();
            positions.extend(
                shops::list_positions(&test.db, None, after, 3)
                    .await
                    .unwrap(),
            );
            let Some(last) = next.last() else { break };
            after = *last;
            ids.extend(next);
        }
        let expected_ids: Vec<ShopId> = expected.iter().map(|shop| shop.id).collect();
        assert_eq!(ids, expected_ids);
        for (position, shop) in positions.iter().zip(&expected) {
            assert_eq!((position.id, position.type_id), (shop.id, shop.type_id));
            assert_eq!((position.x, position.y), (shop.x, shop.y));
        }
        let kind = ShopTypeId::new(2);
        let of_type = shops::list_positions(&test.db, Some(kind), ShopId::new(0), 10).await;
        let of_type: Vec<ShopId> = of_type.unwrap().iter().map(|found| found.id).collect();
        assert_eq!(of_type, [expected_ids[1], expected_ids[3], expected_ids[5]]);
    })
    .await;
}
