//! Something to ask for: a few shops with vouchers, open sales and notes, so that requests get past "there is no such thing".

use domain::{NoteId, SaleDraft, ShopId, UserId, VoucherDraft};
use jiff::{SignedDuration, Timestamp};
use storage::bulk::{self, CommentRow, NoteRow};
use storage::shops::Principal;
use storage::vouchers;
use testkit::TestApp;

use crate::shops::{FOOD, HERE, add_shops, add_types, shop_row};

/// Small numbers, because the generator likes them.
const SHOPS: i64 = 3;

pub(crate) async fn furnish(app: &TestApp) {
    add_types(app).await;
    let rows: Vec<_> = (1..=SHOPS).map(|id| shop_row(id, FOOD, HERE)).collect();
    add_shops(app, &rows).await;
    let db = app.core().db();
    for id in 1..=SHOPS {
        let (shop, draft) = (ShopId::new(id), voucher());
        let created = vouchers::create_sale(db, Principal::Admin, shop, &draft, &sale()).await;
        created.unwrap().unwrap();
        let created = vouchers::create(db, Principal::Admin, shop, &draft).await;
        created.unwrap().unwrap();
    }
    add_notes(app).await;
}

/// One about each shop, with a comment.
async fn add_notes(app: &TestApp) {
    let (author, now) = (UserId::new(1), Timestamp::now());
    let notes = (1..=SHOPS).map(|id| NoteRow {
        id: NoteId::new(id),
        shop_id: ShopId::new(id),
        user_id: author,
        title: "好吃".to_owned(),
        images: "/imgs/blogs/a.webp".to_owned(),
        content: "下次<br>再来".to_owned(),
        score: Some(5),
        opinion: Default::default(),
        created_at: now,
    });
    let comments = (1..=SHOPS).map(|id| CommentRow {
        id,
        user_id: author,
        note_id: NoteId::new(id),
        parent_id: 0,
        answer_id: 0,
        content: "真的吗".to_owned(),
        created_at: now,
    });
    let (notes, comments): (Vec<_>, Vec<_>) = (notes.collect(), comments.collect());
    let db = app.core().db();
    bulk::insert_notes(db, &notes).await.unwrap();
    bulk::insert_comments(db, &comments).await.unwrap();
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
