//! Something to ask for: a few shops with vouchers and open sales, so that requests get past "there is no such thing".

use domain::{SaleDraft, ShopId, VoucherDraft};
use jiff::{SignedDuration, Timestamp};
use storage::shops::Asker;
use storage::vouchers;
use testkit::TestApp;

use crate::shops::{FOOD, HERE, add_shops, add_types, shop_row};

/// Small numbers, because the generator likes them.
const SHOPS: i64 = 3;

pub(super) async fn furnish(app: &TestApp) {
    add_types(app).await;
    let rows: Vec<_> = (1..=SHOPS).map(|id| shop_row(id, FOOD, HERE)).collect();
    add_shops(app, &rows).await;
    let db = app.core().db();
    for id in 1..=SHOPS {
        let (shop, draft) = (ShopId::new(id), voucher());
        let created = vouchers::create_sale(db, Asker::Admin, shop, &draft, &sale()).await;
        created.unwrap().unwrap();
        let created = vouchers::create(db, Asker::Admin, shop, &draft).await;
        created.unwrap().unwrap();
    }
}

fn voucher() -> VoucherDraft {
    VoucherDraft {
        title: "50元代金券".to_owned(),
        sub_title: None,
        rules: None,
        pay_value_cents: 4_750,
        actual_value_cents: 5_000,
    }
}

fn sale() -> SaleDraft {
    let hour = SignedDuration::from_hours(1);
    SaleDraft {
        stock: 2,
        begin_at: Timestamp::now() - hour,
        end_at: Timestamp::now() + hour,
        limit_per_user: 2,
        spread: 1,
    }
}
