//! The front page of a city: sales and popular notes of shops within reach.

use domain::{NoteId, ShopId, UserId, VoucherId};
use jiff::{SignedDuration, Timestamp};
use storage::bulk::{self, NoteRow, SeckillVoucherRow, VoucherKind, VoucherRow, VoucherStatus};
use storage::note_likes;
use testkit::{Client, TestApp};

use super::{named, north, sites};
use crate::shops::{add_shops, ids};

const SHANGHAI: (f64, f64) = (121.4737, 31.2304);
const HERE: &str = "x=120.149993&y=30.334229";

async fn sell(app: &TestApp, shop: i64, begins_in_mins: i64) {
    let now = Timestamp::now();
    let minutes = SignedDuration::from_mins;
    let voucher = VoucherRow {
        id: VoucherId::new(shop),
        shop_id: ShopId::new(shop),
        title: "秒杀".to_owned(),
        sub_title: None,
        rules: None,
        pay_value_cents: 900,
        actual_value_cents: 3_000,
        kind: VoucherKind::Flash,
        status: VoucherStatus::On,
        created_at: now,
    };
    let sale = SeckillVoucherRow {
        voucher_id: VoucherId::new(shop),
        stock: 5,
        begin_at: now + minutes(begins_in_mins),
        // The nearest ends last, so the order is not that of their ends.
        end_at: now + minutes(300 - shop),
        limit_per_user: 1,
        created_at: now,
    };
    let db = app.core().db();
    bulk::insert_vouchers(db, &[voucher]).await.unwrap();
    bulk::insert_seckill_vouchers(db, &[sale]).await.unwrap();
}

async fn list(client: &Client, path: &str) -> Vec<i64> {
    ids(client.get(path).await.data().as_array().unwrap())
}

#[tokio::test]
async fn sales_around_a_place_are_those_within_reach_open_and_nearest_first() {
    for app in sites().await {
        let places = [north(1), north(50), north(2), SHANGHAI];
        let rows = (1..).zip(places).map(|(id, at)| named(id, "面馆", at));
        add_shops(&app, &rows.collect::<Vec<_>>()).await;
        for (shop, begins_in_mins) in [(1, 60), (2, -9), (3, -9), (4, -9)] {
            sell(&app, shop, begins_in_mins).await;
        }
        let visitor = app.visitor();
        let running = "/api/voucher/seckill/running";
        assert_eq!(
            list(&visitor, &format!("{running}?{HERE}")).await,
            [3, 2, 1]
        );
        assert_eq!(
            list(&visitor, &format!("{running}?{HERE}&current=2")).await,
            Vec::<i64>::new()
        );
        assert_eq!(list(&visitor, running).await, [4, 3, 2, 1]);
        let nowhere = visitor.get(&format!("{running}?x=181&y=0")).await;
        assert_eq!(nowhere.json()["success"], false);
    }
}

#[tokio::test]
async fn popular_notes_around_a_place_are_about_shops_within_reach() {
    for app in sites().await {
        add_shops(
            &app,
            &[named(1, "面馆", north(1)), named(2, "面馆", SHANGHAI)],
        )
        .await;
        let note = |id: i64| NoteRow {
            id: NoteId::new(id),
            // Every third one is of the other city.
            shop_id: ShopId::new(if id % 3 == 0 { 2 } else { 1 }),
            user_id: UserId::new(1),
            title: "好吃".to_owned(),
            images: "/imgs/a.webp".to_owned(),
            content: "下次再来".to_owned(),
            score: None,
            opinion: Default::default(),
            created_at: Timestamp::now(),
        };
        let notes: Vec<NoteRow> = (1..=33).map(note).collect();
        let db = app.core().db();
        bulk::insert_notes(db, &notes).await.unwrap();
        for liked in [5, 6] {
            let liked = note_likes::toggle(db, NoteId::new(liked), UserId::new(7), None).await;
            liked.unwrap().unwrap();
        }
        let visitor = app.visitor();
        let mut found = Vec::new();
        for page in 1..=4 {
            found.extend(list(&visitor, &format!("/api/blog/hot?{HERE}&current={page}")).await);
        }
        let mut expected: Vec<i64> = (1..=33)
            .rev()
            .filter(|id| id % 3 != 0 && *id != 5)
            .collect();
        expected.insert(0, 5);
        assert_eq!(found, expected);
    }
}
