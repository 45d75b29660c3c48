//! What narrows a search for shops.

use domain::ShopId;
use jiff::{SignedDuration, Timestamp};
use storage::bulk::{self, SeckillVoucherRow, ShopRow, VoucherKind, VoucherRow, VoucherStatus};

use super::{around, first, named, north, sites};
use crate::shops::add_shops;

/// Names and values of a query.
type Filters<'a> = &'a [(&'a str, &'a str)];

async fn found(client: &testkit::Client, filters: Filters<'_>) -> Vec<i64> {
    let mut parameters = around("面");
    parameters.extend(filters);
    first(client, "shops", &parameters).await
}

fn shop(id: i64, price: Option<i64>, score: i32, hours: Option<&str>) -> ShopRow {
    ShopRow {
        avg_price_yuan: price,
        score,
        open_hours: hours.map(str::to_owned),
        ..named(id, &format!("面馆{id}"), north(u32::try_from(id).unwrap()))
    }
}

#[tokio::test]
async fn price_stars_distance_and_hours_narrow_a_search() {
    for app in sites().await {
        let minute = app.core().rules().zone.minute_of_day(Timestamp::now());
        let clock = |minutes: u32| format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
        // Both may reach over midnight, whatever the time of the test.
        let open = format!("{}-{}", clock(minute + 1_380), clock(minute + 120));
        let closed = format!("{}-{}", clock(minute + 180), clock(minute + 240));
        let rows = [
            shop(1, Some(30), 50, Some(&open)),
            shop(2, Some(80), 45, Some(&closed)),
            shop(3, None, 30, Some("看心情")),
            shop(4, Some(200), 0, None),
        ];
        add_shops(&app, &rows).await;
        let visitor = app.visitor();
        let cases: [(Filters<'_>, &[i64]); 8] = [
            (&[], &[1, 2, 3, 4]),
            (&[("openNow", "true")], &[1]),
            (&[("minPrice", "50")], &[2, 4]),
            (&[("maxPrice", "80")], &[1, 2]),
            (&[("minPrice", "50"), ("maxPrice", "100")], &[2]),
            (&[("minScore", "45")], &[1, 2]),
            (&[("radius", "35")], &[1, 2]),
            (&[("radius", "35"), ("maxPrice", "50")], &[1]),
        ];
        for (filters, expected) in cases {
            assert_eq!(found(&visitor, filters).await, expected, "{filters:?}");
        }
        for wrong in [("radius", "0"), ("minScore", "51"), ("x", "181")] {
            let path = super::query("shops", &[("q", "面"), wrong, ("y", "30"), ("x", "120")]);
            let reply = visitor.get(&path).await;
            assert_eq!(reply.json()["success"], false, "{wrong:?}");
        }
    }
}

#[tokio::test]
async fn deals_are_vouchers_on_the_shelf_and_sales_that_are_not_over() {
    for app in sites().await {
        let rows: Vec<ShopRow> = (1..=4).map(|id| shop(id, None, 0, None)).collect();
        add_shops(&app, &rows).await;
        let voucher = |id: i64, kind, status| VoucherRow {
            id: domain::VoucherId::new(id),
            shop_id: ShopId::new(id),
            title: "代金券".to_owned(),
            sub_title: None,
            rules: None,
            pay_value_cents: 900,
            actual_value_cents: 3_000,
            kind,
            status,
            created_at: Timestamp::now(),
        };
        let now = Timestamp::now();
        let hours = SignedDuration::from_hours;
        let sale = |id: i64, end_at| SeckillVoucherRow {
            voucher_id: domain::VoucherId::new(id),
            stock: 1,
            begin_at: now - hours(9),
            end_at,
            limit_per_user: 1,
            created_at: now,
        };
        let vouchers = [
            voucher(1, VoucherKind::Ordinary, VoucherStatus::On),
            voucher(2, VoucherKind::Ordinary, VoucherStatus::Off),
            voucher(3, VoucherKind::Flash, VoucherStatus::On),
            voucher(4, VoucherKind::Flash, VoucherStatus::On),
        ];
        let db = app.core().db();
        bulk::insert_vouchers(db, &vouchers).await.unwrap();
        let sales = [sale(3, now + hours(1)), sale(4, now - hours(1))];
        bulk::insert_seckill_vouchers(db, &sales).await.unwrap();
        let visitor = app.visitor();
        assert_eq!(found(&visitor, &[("deals", "true")]).await, [1, 3]);
    }
}
