//! Every writing function of the crate, called on rows of its own. A new one goes here, or into [`READS`].

use std::time::Duration;

use domain::favourite::ListName;
use domain::{
    Aspects, ContactKind, Dish, NoteId, Opinion, OrderId, OrderStatus, PasswordHash, PayType,
    Phone, ProfileChange, Role, ShopId, ShopTypeId, UnfinishedNote, UserId, VoucherId,
    VoucherStatus,
};
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use storage::Db;
use storage::account_deletion::{self, EraseStep, take_step};
use storage::blocks;
use storage::bulk::{self, CommentRow, FollowRow, LikeRow, NewcomerRow, NoteRow};
use storage::comments::{self, NewComment};
use storage::demo_site::{self, Renewal, SaleWindow};
use storage::favourites;
use storage::flash_sales::{self, DrainLease, StockUnit};
use storage::follows::{self, FollowAction};
use storage::note_likes::Liker;
use storage::notes::{self, NewNote, NoteEdit, Visibility};
use storage::notices::{self, SocialEvent, SocialKind};
use storage::orders::{self, BuyTerms, NewOrder, Remedy};
use storage::outbox::{self, DeadLetterReason, Redrive};
use storage::outside_pictures::{self, PictureTable};
use storage::redis_import::{self, AdoptedOrder};
use storage::retention::{self, RetentionTarget};
use storage::search::{self, SearchKind};
use storage::shops::{self, OwnedShop, Principal, ShopChange};
use storage::users::{self, ContactChange, UserStatus};
use storage::visits::{self, Visit};
use storage::vouchers::{self, SaleChange};
use storage::{
    accounts, archive, audit, check_ins, id_marks, note_drafts, note_likes, payments, phone_proofs,
    site_marks, uploads,
};

use super::{Leaves, Trial};
use crate::selling::{
    GRANTED_AT, LEASE, OWNER, PAY_WITHIN, PRICE, create_sale, draft, fresh_code, open_sale, order,
    sale_draft, top_up, write,
};
use crate::support::{create_shop, email, new_shop, person, phone};

const FAR: Timestamp = Timestamp::constant(1_900_000_000, 0);

/// Functions that change nothing.
pub(super) const READS: &[&str] = &[
    "account_deletion::get",
    "account_deletion::list",
    "account_deletion::list_obstacles",
    "personal_data::read_page",
    "accounts::balance_cents",
    "accounts::check_running_sums",
    "accounts::list_entries",
    "accounts::trial_balance",
    "adoption::survey",
    "archive::count_ended",
    "archive::list_month",
    "archive::months",
    "audit::is_recorded",
    "blocks::blockers_among",
    "blocks::is_blocked",
    "blocks::list_all",
    "blocks::list_page",
    "bulk::compare_counters",
    "bulk::is_empty",
    "bulk::list_ids_by_phone",
    "check_ins::list_days",
    "check_ins::list_people",
    "comments::liked_among",
    "comments::list_flagged",
    "comments::list_replies",
    "comments::get_place",
    "comments::list_threads",
    "orders::get_dead_lettered",
    "orders::is_dead_lettered",
    "orders::list_dead_lettered",
    "demo_site::count_numbers_taken",
    "demo_site::extent",
    "demo_site::is_occupied",
    "demo_site::list_people",
    "demo_site::traces",
    "favourites::get_list_of",
    "favourites::is_note_saved",
    "favourites::list_notes_page",
    "favourites::list_lists",
    "favourites::list_page",
    "flash_sales::audit",
    "flash_sales::current_sales",
    "flash_sales::find_end",
    "flash_sales::held_by",
    "flash_sales::list_all",
    "flash_sales::holdings",
    "flash_sales::settled_partitions",
    "flash_sales::terms",
    "follows::followed_among",
    "follows::is_following",
    "follows::list_common",
    "follows::list_fans",
    "follows::list_followees",
    "follows::list_followers",
    "follows::list_page",
    "id_marks::get",
    "mentions::list_mentionable",
    "note_drafts::list",
    "note_likes::get",
    "note_likes::liked_among",
    "note_likes::list_after",
    "note_likes::list_first",
    "note_likes::list_people",
    "notes::count_of_author",
    "notes::get",
    "notes::get_shown",
    "notes::get_state",
    "notes::get_texts_for_fill",
    "notes::list",
    "notes::list_authors",
    "notes::list_dishes",
    "notes::list_feed",
    "notes::list_flagged",
    "notes::list_hot",
    "notes::list_likes",
    "notes::list_of_dish",
    "notes::list_timeline",
    "notices::count_unread",
    "notices::list",
    "notices::list_after",
    "notices::list_muted",
    "notices::describe_social",
    "orders::count_without_deadline",
    "orders::get",
    "orders::list_by_ids",
    "orders::list_of_user",
    "orders::live_among",
    "orders::next_pay_deadline",
    "outbox::backlog",
    "outbox::backlog_by_lane",
    "outbox::list_due",
    "outbox::list_due_all",
    "outbox::list_next_due",
    "outbox::list_problems",
    "outside_pictures::list",
    "payments::get",
    "payments::list_of_order",
    "payments::list_outside",
    "payments::list_unconfirmed",
    "payments::refunded_cents",
    "phone_proofs::get",
    "redis_import::find_obstacle",
    "redis_import::is_note",
    "redis_import::known_users",
    "redis_import::list_buyers",
    "redis_import::list_known_orders",
    "redis_import::list_likers",
    "redis_import::redis_imported_at",
    "search::find_window",
    "search::list_notes",
    "search::list_people",
    "search::plan",
    "search::with_deals",
    "shop_types::list",
    "shops::count_without_owner",
    "shops::get",
    "shops::get_for_fill",
    "shops::get_many",
    "shops::get_many_for_fill",
    "shops::list_active",
    "shops::list_ids",
    "shops::list_of_type",
    "shops::list_positions",
    "shops::list_without_owner",
    "shops::search_by_name",
    "site_marks::env",
    "topics::get",
    "topics::list_notes",
    "topics::suggest",
    "uploads::any_foreign",
    "uploads::count_of",
    "uploads::list_orphans",
    "uploads::access",
    "users::find_by_contact",
    "users::find_password",
    "users::get",
    "users::get_authors_for_fill",
    "users::get_info",
    "users::get_many",
    "users::get_password",
    "users::get_shown",
    "users::list_admins",
    "visits::list",
    "vouchers::get",
    "vouchers::list_on_shelf",
    "vouchers::list_running",
    "write_keys::find",
];

use Leaves::{Nothing, Parts};

pub(super) async fn try_everything(trial: &mut Trial<'_>) {
    people(trial).await;
    shops_and_notes(trial).await;
    social_notices(trial).await;
    comments_and_likes(trial).await;
    saved_shops(trial).await;
    accounts_that_end(trial).await;
    pictures(trial).await;
    vouchers_and_sales(trial).await;
    orders_without_money(trial).await;
    money(trial).await;
    money_returned_elsewhere(trial).await;
    upkeep(trial).await;
    effects_given_up(trial).await;
    old_rows(trial).await;
    adopted_rows(trial).await;
    bulk_rows(trial).await;
}

async fn people(trial: &mut Trial<'_>) {
    let test = trial.test;
    let (ann, bob) = (person(test, 1).await, person(test, 2).await);
    // The new row is read back outside of the insert, so the row alone may be kept; signing in again finds it.
    let create = async |db: &Db| users::find_or_create(db, &phone("13911112222"), "x").await;
    trial.try_all("users::find_or_create", Parts, create).await;
    let change = ProfileChange {
        nick_name: Some("小鱼".to_owned()),
        city: Some("杭州".to_owned()),
        ..Default::default()
    };
    let update = async |db: &Db| users::update_profile(db, ann, &change).await;
    trial
        .try_all("users::update_profile", Nothing, update)
        .await;
    let number = phone("13900000001");
    let grant = async |db: &Db| users::set_role(db, &number, Role::Merchant, Some(bob)).await;
    trial.try_all("users::set_role", Nothing, grant).await;
    let hash = PasswordHash::parse("$argon2id$x").unwrap();
    let set = async |db: &Db| users::set_password(db, ann, None, Some(&hash), 0).await;
    trial.try_all("users::set_password", Nothing, set).await;
    let known = users::get(&test.db, ann).await.unwrap().unwrap().contacts();
    let change = ContactChange {
        user: ann,
        known: &known,
        actor: Some(ann),
        kept_session: 0,
    };
    let address = email("ann@example.com");
    let set = async |db: &Db| users::set_contact(db, change, &address).await;
    trial.try_all("users::set_contact", Nothing, set).await;
    let known = users::get(&test.db, ann).await.unwrap().unwrap().contacts();
    let change = ContactChange {
        known: &known,
        ..change
    };
    let remove = async |db: &Db| users::remove_contact(db, change, ContactKind::Email).await;
    trial
        .try_all("users::remove_contact", Nothing, remove)
        .await;
    let record = async |db: &Db| phone_proofs::record(db, ann, FAR).await;
    trial.try_all("phone_proofs::record", Nothing, record).await;
    let carl = person(test, 3).await;
    let held = Phone::parse("13900000003").unwrap();
    let anew = async |db: &Db| users::start_anew(db, carl, &held, "x").await;
    trial.try_all("users::start_anew", Nothing, anew).await;
    let since = async |db: &Db| site_marks::phone_proofs_since(db, FAR).await;
    trial
        .try_all("site_marks::phone_proofs_since", Parts, since)
        .await;
    let block = async |db: &Db| users::set_status(db, ann, UserStatus::Blocked, Some(bob)).await;
    trial.try_all("users::set_status", Nothing, block).await;
    let follow = async |db: &Db| follows::set(db, ann, bob, FollowAction::Follow).await;
    trial.try_all("follows::set", Nothing, follow).await;
    let check_in = async |db: &Db| check_ins::check_in(db, ann, date(2026, 11, 15)).await;
    trial
        .try_all("check_ins::check_in", Nothing, check_in)
        .await;
}

async fn shops_and_notes(trial: &mut Trial<'_>) {
    let create = async |db: &Db| shops::create(db, OWNER, &new_shop("新店")).await;
    trial.try_all("shops::create", Nothing, create).await;
    let shop = create_shop(&trial.test.db, "茶餐厅").await.id;
    let change = ShopChange {
        name: Some("老茶餐厅".to_owned()),
        ..Default::default()
    };
    let update = async |db: &Db| shops::update(db, Principal::Admin, shop, &change).await;
    trial.try_all("shops::update", Nothing, update).await;
    trial.test.execute("DELETE FROM tb_shop_gram").await;
    let index = async |db: &Db| shops::index_names(db).await;
    trial.try_all("shops::index_names", Parts, index).await;
    let restart = async |db: &Db| search::restart(db, SearchKind::Shops).await;
    trial.try_all("search::restart", Nothing, restart).await;
    let index = async |db: &Db| search::index_next(db, SearchKind::Shops).await;
    trial.try_all("search::index_next", Nothing, index).await;
    let note = new_note(shop);
    let publish = async |db: &Db| notes::publish(db, &note).await;
    trial.try_all("notes::publish", Nothing, publish).await;
    let id = published(&trial.test.db, shop).await;
    let change = NoteEdit {
        author: OWNER,
        id,
        edits_before: 0,
        title: "更好吃".to_owned(),
        content: "真的".to_owned(),
        addresses: Vec::new(),
        stars: Some(3),
        mentions: Vec::new(),
        opinion: opinion(3, "牛肉面"),
    };
    let edit = async |db: &Db| notes::edit(db, &change).await;
    trial.try_all("notes::edit", Nothing, edit).await;
    let report = async |db: &Db| notes::report(db, UserId::new(99), id, "广告").await;
    trial.try_all("notes::report", Nothing, report).await;
    let hide = async |db: &Db| notes::set_visibility(db, OWNER, id, Visibility::Hidden).await;
    trial.try_all("notes::set_visibility", Nothing, hide).await;
    let like = async |db: &Db| note_likes::toggle(db, published(db, shop).await, OWNER, None).await;
    drop(like(&trial.test.db).await);
    let delete = async |db: &Db| notes::delete(db, Principal::Admin, id).await;
    trial.try_all("notes::delete", Nothing, delete).await;
    let purge = async |db: &Db| notes::purge(db, id).await;
    trial.try_all("notes::purge", Parts, purge).await;
}

fn new_note(shop_id: ShopId) -> NewNote {
    NewNote {
        author: OWNER,
        shop_id,
        title: "好吃".to_owned(),
        content: "真的".to_owned(),
        pictures: Vec::new(),
        stars: Some(5),
        opinion: opinion(5, "片儿川"),
        key: None,
        mentions: Vec::new(),
    }
}

fn opinion(main: u8, dish: &str) -> Opinion {
    Opinion {
        ratings: Aspects {
            main: Some(main),
            ..Default::default()
        },
        dishes: Dish::parse(dish).into_iter().collect(),
    }
}

async fn published(db: &Db, shop: ShopId) -> NoteId {
    notes::publish(db, &new_note(shop))
        .await
        .unwrap()
        .unwrap()
        .id
}

async fn social_notices(trial: &mut Trial<'_>) {
    let event = SocialEvent {
        kind: SocialKind::NoteLiked,
        owner: OWNER,
        about: 4_711,
        actor: UserId::new(99),
        event: 99,
    };
    let add = async |db: &Db| notices::add(db, &event).await;
    trial.try_all("notices::add", Nothing, add).await;
    let take_back = async |db: &Db| notices::take_back(db, &event).await;
    trial
        .try_all("notices::take_back", Nothing, take_back)
        .await;
    notices::add(&trial.test.db, &event).await.unwrap();
    let listed = notices::list(&trial.test.db, OWNER, None, 1).await;
    let ids = [listed.unwrap()[0].id];
    let read = async |db: &Db| notices::mark_some_read(db, OWNER, &ids).await;
    trial
        .try_all("notices::mark_some_read", Nothing, read)
        .await;
    let forget = async |db: &Db| notices::forget(db, SocialKind::NoteLiked, 4_711).await;
    trial.try_all("notices::forget", Nothing, forget).await;
    let mute = async |db: &Db| notices::set_muted(db, OWNER, &[SocialKind::Followed]).await;
    trial.try_all("notices::set_muted", Nothing, mute).await;
}

async fn comments_and_likes(trial: &mut Trial<'_>) {
    let db = &trial.test.db;
    let shop = create_shop(db, "面馆").await.id;
    let note = published(db, shop).await;
    let like = async |db: &Db| note_likes::toggle(db, note, OWNER, None).await;
    trial.try_all("note_likes::toggle", Nothing, like).await;
    let new = NewComment {
        author: OWNER,
        note,
        parent: None,
        answers: None,
        content: "同意".to_owned(),
        key: None,
        mentions: Vec::new(),
    };
    let create = async |db: &Db| comments::create(db, &new).await;
    trial.try_all("comments::create", Nothing, create).await;
    let id = comments::create(&trial.test.db, &new)
        .await
        .unwrap()
        .unwrap();
    let like = async |db: &Db| comments::toggle_like(db, id, OWNER).await;
    trial.try_all("comments::toggle_like", Nothing, like).await;
    let report = async |db: &Db| comments::report(db, UserId::new(99), id, "广告").await;
    trial.try_all("comments::report", Nothing, report).await;
    let hide = async |db: &Db| comments::set_visibility(db, OWNER, id, Visibility::Hidden).await;
    trial
        .try_all("comments::set_visibility", Nothing, hide)
        .await;
    let delete = async |db: &Db| comments::delete(db, Principal::Admin, id).await;
    trial.try_all("comments::delete", Nothing, delete).await;
}

async fn saved_shops(trial: &mut Trial<'_>) {
    let db = &trial.test.db;
    let ann = person(trial.test, 80).await;
    let shop = create_shop(db, "书吧").await.id;
    let name = |text: &str| ListName::parse(text).unwrap();
    let create = async |db: &Db| favourites::create_list(db, ann, &name("周末")).await;
    trial
        .try_all("favourites::create_list", Nothing, create)
        .await;
    let made = favourites::create_list(&trial.test.db, ann, &name("周末")).await;
    let list = made.unwrap().unwrap();
    let rename = async |db: &Db| favourites::rename_list(db, ann, list, &name("约会")).await;
    trial
        .try_all("favourites::rename_list", Nothing, rename)
        .await;
    let save = async |db: &Db| favourites::save(db, ann, shop, list).await;
    trial.try_all("favourites::save", Nothing, save).await;
    let delete = async |db: &Db| favourites::delete_list(db, ann, list).await;
    trial
        .try_all("favourites::delete_list", Nothing, delete)
        .await;
    let remove = async |db: &Db| favourites::remove(db, ann, shop).await;
    trial.try_all("favourites::remove", Nothing, remove).await;
    let note = published(&trial.test.db, shop).await;
    let save = async |db: &Db| favourites::save_note(db, ann, note).await;
    trial.try_all("favourites::save_note", Nothing, save).await;
    let remove = async |db: &Db| favourites::remove_note(db, ann, note).await;
    trial
        .try_all("favourites::remove_note", Nothing, remove)
        .await;
    let draft = UnfinishedNote::default();
    let save = async |db: &Db| note_drafts::save(db, ann, "key", 0, &draft).await;
    trial.try_all("note_drafts::save", Nothing, save).await;
    let delete = async |db: &Db| note_drafts::delete(db, ann, "key").await;
    trial.try_all("note_drafts::delete", Nothing, delete).await;
    let bob = person(trial.test, 82).await;
    let block = async |db: &Db| blocks::block(db, ann, bob).await;
    trial.try_all("blocks::block", Nothing, block).await;
    let unblock = async |db: &Db| blocks::unblock(db, ann, bob).await;
    trial.try_all("blocks::unblock", Nothing, unblock).await;
}

async fn accounts_that_end(trial: &mut Trial<'_>) {
    let db = &trial.test.db;
    // Calls that fail take numbers on MariaDB, so the next one may be that of another claim's owner of shops or orders.
    let ann = UserId::new(301);
    let insert = "INSERT INTO tb_user (id, nick_name) VALUES (301, '小安')";
    trial.test.execute(insert).await;
    let shop = create_shop(db, "粥铺").await.id;
    let note = published(db, shop).await;
    let new = NewComment {
        key: None,
        author: OWNER,
        note,
        parent: None,
        answers: None,
        content: "同意".to_owned(),
        mentions: Vec::new(),
    };
    let comment = comments::create(db, &new).await.unwrap().unwrap();
    let like = async |db: &Db| note_likes::toggle(db, note, ann, None).await.unwrap();
    like(db).await.unwrap();
    comments::toggle_like(db, comment, ann).await.unwrap();
    let unlike = async |db: &Db| note_likes::remove(db, note, ann).await;
    trial.try_all("note_likes::remove", Nothing, unlike).await;
    let unlike = async |db: &Db| comments::remove_like(db, comment, ann).await;
    trial
        .try_all("comments::remove_like", Nothing, unlike)
        .await;
    like(&trial.test.db).await.unwrap();

    let request = async |db: &Db| account_deletion::request(db, ann, FAR, FAR).await;
    trial
        .try_all("account_deletion::request", Nothing, request)
        .await;
    let keep = async |db: &Db| account_deletion::keep(db, ann).await;
    trial.try_all("account_deletion::keep", Nothing, keep).await;
    let again = account_deletion::request(&trial.test.db, ann, FAR, FAR).await;
    again.unwrap().unwrap();
    let close = async |db: &Db| account_deletion::close(db, ann, FAR).await;
    trial
        .try_all("account_deletion::close", Nothing, close)
        .await;
    let begin = async |db: &Db| account_deletion::begin_erasure(db, ann, FAR).await;
    trial
        .try_all("account_deletion::begin_erasure", Nothing, begin)
        .await;
    let step = async |db: &Db| take_step(db, ann, EraseStep::NoteLikes, 10).await;
    trial
        .try_all("account_deletion::take_step", Parts, step)
        .await;
    let finish = async |db: &Db| account_deletion::finish(db, ann, FAR).await;
    trial
        .try_all("account_deletion::finish", Nothing, finish)
        .await;
}

async fn pictures(trial: &mut Trial<'_>) {
    // On MySQL the row is read back by a statement of its own.
    let names = std::sync::atomic::AtomicU32::new(0);
    let record = async |db: &Db| {
        let n = names.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        uploads::record(db, OWNER, &format!("/blogs/0/0/{n}.jpg")).await
    };
    trial.try_all("uploads::record", Parts, record).await;
    let db = &trial.test.db;
    for name in ["/a.jpg", "/b.jpg"] {
        uploads::record(db, OWNER, name).await.unwrap();
    }
    let remove = async |db: &Db| uploads::remove(db, OWNER, "/a.jpg").await;
    trial.try_all("uploads::remove", Nothing, remove).await;
    let forget = async |db: &Db| uploads::delete_row(db, "/a.jpg").await;
    trial.try_all("uploads::delete_row", Nothing, forget).await;
    let clear = async |db: &Db| uploads::remove_orphan(db, "/b.jpg").await;
    trial
        .try_all("uploads::remove_orphan", Nothing, clear)
        .await;
}

async fn vouchers_and_sales(trial: &mut Trial<'_>) {
    let shop = create_shop(&trial.test.db, "火锅").await.id;
    let principal = Principal::Owner(OWNER);
    let create = async |db: &Db| vouchers::create(db, principal, shop, &draft()).await;
    trial.try_all("vouchers::create", Nothing, create).await;
    let sell =
        async |db: &Db| vouchers::create_sale(db, principal, shop, &draft(), &sale_draft(10)).await;
    trial.try_all("vouchers::create_sale", Nothing, sell).await;
    let sale = create_sale(&trial.test.db, shop, 10).await.id;
    let change = SaleChange {
        initial_stock: Some(20),
        ..Default::default()
    };
    let change = async |db: &Db| vouchers::change_sale(db, principal, sale, &change).await;
    trial
        .try_all("vouchers::change_sale", Nothing, change)
        .await;
    let take_off =
        async |db: &Db| vouchers::set_status(db, principal, sale, VoucherStatus::OffShelf).await;
    trial
        .try_all("vouchers::set_status", Nothing, take_off)
        .await;
    let window = SaleWindow {
        voucher_id: create_sale(&trial.test.db, shop, 10).await.id,
        begin_at: FAR,
        end_at: FAR + SignedDuration::from_hours(1),
    };
    trial
        .test
        .execute("UPDATE tb_seckill_voucher SET update_time = create_time")
        .await;
    trial
        .test
        .execute("UPDATE tb_voucher SET update_time = create_time")
        .await;
    let now = FAR + SignedDuration::from_mins(1);
    let renew =
        async |db: &Db| demo_site::renew_window(db, &window, Renewal::OutOfPhase, now).await;
    trial
        .try_all("demo_site::renew_window", Nothing, renew)
        .await;
    sale_engine(trial).await;
}

async fn sale_engine(trial: &mut Trial<'_>) {
    let settle = async |db: &Db| flash_sales::settle_partitions(db, 4).await;
    trial
        .try_all("flash_sales::settle_partitions", Nothing, settle)
        .await;
    let lease = DrainLease {
        partition: 1,
        fence: 7,
    };
    let take = async |db: &Db| flash_sales::take_drain_lease(db, lease).await;
    trial
        .try_all("flash_sales::take_drain_lease", Nothing, take)
        .await;
    let sale = open_sale(&trial.test.db, 10).await;
    let load = async |db: &Db| flash_sales::open_load(db, sale).await;
    trial.try_all("flash_sales::open_load", Nothing, load).await;
    let rows = [order(1, sale, 1), order(2, sale, 2)];
    let write = async |db: &Db| flash_sales::write_orders(db, LEASE, &rows, PAY_WITHIN).await;
    trial
        .try_all("flash_sales::write_orders", Nothing, write)
        .await;
    let lost = order(3, sale, 3);
    let dead_letter =
        async |db: &Db| flash_sales::dead_letter(db, LEASE, &lost, "x", StockUnit::Held).await;
    trial
        .try_all("flash_sales::dead_letter", Nothing, dead_letter)
        .await;
    let begin = async |db: &Db| orders::begin_redrive(db, lost.id).await;
    trial.try_all("orders::begin_redrive", Nothing, begin).await;
    let abandon = async |db: &Db| orders::abandon_redrive(db, lost.id).await;
    trial
        .try_all("orders::abandon_redrive", Nothing, abandon)
        .await;
    let settle = async |db: &Db| {
        orders::settle_dead_lettered(db, OWNER, lost.id, Remedy::Compensated, "x").await
    };
    trial
        .try_all("orders::settle_dead_lettered", Nothing, settle)
        .await;
    let repair = async |db: &Db| flash_sales::record_repair(db, sale, "stock", "x").await;
    trial
        .try_all("flash_sales::record_repair", Nothing, repair)
        .await;
}

async fn orders_without_money(trial: &mut Trial<'_>) {
    let db = &trial.test.db;
    let shop = create_shop(db, "烧烤").await.id;
    let voucher = vouchers::create(db, Principal::Admin, shop, &draft()).await;
    let voucher = voucher.unwrap().unwrap().id;
    let (id, buyer) = (OrderId::new(100), UserId::new(100));
    let now = Timestamp::now();
    let new = NewOrder {
        id,
        owner: buyer,
        voucher_id: voucher,
    };
    let terms = BuyTerms {
        pay_within: PAY_WITHIN,
        max_unpaid: 1,
    };
    let buy = async |db: &Db| orders::create(db, new, now, terms).await;
    trial.try_all("orders::create", Nothing, buy).await;
    let window = now..now + SignedDuration::from_hours(24);
    let remind = async |db: &Db| orders::remind(db, window.clone(), 10).await;
    trial.try_all("orders::remind", Nothing, remind).await;
    let last = notices::list(&trial.test.db, buyer, None, 1).await.unwrap()[0].id;
    let read = async |db: &Db| notices::mark_read(db, buyer, last).await;
    trial.try_all("notices::mark_read", Nothing, read).await;
    let cancel = async |db: &Db| orders::cancel(db, buyer, id).await;
    trial.try_all("orders::cancel", Nothing, cancel).await;
    let sale = open_sale(&trial.test.db, 10).await;
    write(
        &trial.test.db,
        &[order(110, sale, 110), order(111, sale, 111)],
    )
    .await;
    let late = GRANTED_AT + SignedDuration::from_hours(24 * 365);
    let expire = async |db: &Db| orders::expire_due(db, late, 100).await;
    trial.try_all("orders::expire_due", Nothing, expire).await;
}

async fn money(trial: &mut Trial<'_>) {
    let (ann, bob) = (UserId::new(201), UserId::new(202));
    let (by_balance, by_provider) = (OrderId::new(201), OrderId::new(202));
    let pay_in = async |db: &Db| payments::top_up(db, ann, 1, PayType::Alipay, "p", "r-0").await;
    trial.try_all("payments::top_up", Nothing, pay_in).await;
    let sale = open_sale(&trial.test.db, 10).await;
    write(
        &trial.test.db,
        &[order(201, sale, 201), order(202, sale, 202)],
    )
    .await;
    top_up(&trial.test.db, ann).await;
    let code = fresh_code();
    let pay = async |db: &Db| payments::pay_with_balance(db, ann, by_balance, &code).await;
    trial
        .try_all("payments::pay_with_balance", Nothing, pay)
        .await;
    let use_up = async |db: &Db| orders::redeem(db, Principal::Admin, &code).await;
    trial.try_all("orders::redeem", Nothing, use_up).await;
    let begin = async |db: &Db| payments::begin(db, bob, by_provider, PayType::Alipay, "a").await;
    trial.try_all("payments::begin", Nothing, begin).await;
    let payment = begin(&trial.test.db).await.unwrap().unwrap().id;
    let code = fresh_code();
    let confirm = async |db: &Db| payments::confirm(db, payment, "r-1", PRICE, &code).await;
    trial.try_all("payments::confirm", Nothing, confirm).await;
    let second = async |db: &Db| payments::confirm_duplicate(db, payment, "r-2", PRICE).await;
    trial
        .try_all("payments::confirm_duplicate", Nothing, second)
        .await;
    let refund = async |db: &Db| payments::begin_refund(db, bob, by_provider).await;
    trial
        .try_all("payments::begin_refund", Nothing, refund)
        .await;
    let finish = async |db: &Db| payments::finish_refund(db, payment).await;
    trial
        .try_all("payments::finish_refund", Nothing, finish)
        .await;
    let order = orders::get(&trial.test.db, bob, by_provider).await.unwrap();
    assert_eq!(order.unwrap().status, OrderStatus::Refunded);
    write(&trial.test.db, &[crate::selling::order(203, sale, 203)]).await;
    let (cat, third) = (UserId::new(203), OrderId::new(203));
    let begun = payments::begin(&trial.test.db, cat, third, PayType::Alipay, "a").await;
    let begun = begun.unwrap().unwrap().id;
    let close = async |db: &Db| payments::close(db, begun).await;
    trial.try_all("payments::close", Nothing, close).await;
}

async fn money_returned_elsewhere(trial: &mut Trial<'_>) {
    let (dan, fourth) = (UserId::new(204), OrderId::new(204));
    let sale = open_sale(&trial.test.db, 10).await;
    let db = &trial.test.db;
    write(db, &[order(204, sale, 204)]).await;
    let begun = payments::begin(db, dan, fourth, PayType::Alipay, "a").await;
    let payment = begun.unwrap().unwrap().id;
    let confirmed = payments::confirm(db, payment, "r-9", PRICE, &fresh_code()).await;
    confirmed.unwrap().unwrap();
    let hear = async |db: &Db| payments::record_outside_refund(db, payment, "r-9", 100).await;
    trial
        .try_all("payments::record_outside_refund", Nothing, hear)
        .await;
    let settle = async |db: &Db| payments::settle_outside(db, OWNER, payment, "x").await;
    trial
        .try_all("payments::settle_outside", Nothing, settle)
        .await;
}

async fn upkeep(trial: &mut Trial<'_>) {
    let rows = outbox::list_due_all(&trial.test.db, 2, FAR).await.unwrap();
    let (first, second) = (rows[0].id, rows[1].id);
    let fail = async |db: &Db| outbox::record_failure(db, first, FAR, "x").await;
    trial.try_all("outbox::record_failure", Nothing, fail).await;
    let done = async |db: &Db| outbox::complete(db, &[second]).await;
    trial.try_all("outbox::complete", Nothing, done).await;
    let record = async |db: &Db| audit::record(db, None, "x", "y", "z").await;
    trial.try_all("audit::record", Nothing, record).await;
    let raise = async |db: &Db| id_marks::raise(db, "x", 7).await;
    trial.try_all("id_marks::raise", Nothing, raise).await;
    let visits = [Visit {
        day: date(2026, 11, 15),
        page: "/".to_owned(),
        uv: 1,
        pv: 2,
    }];
    let fold = async |db: &Db| visits::fold(db, &visits).await;
    trial.try_all("visits::fold", Nothing, fold).await;
    // Several statements, each whole; doing it again does the rest.
    let settle = async |db: &Db| site_marks::settle_env(db, "development", "x").await;
    trial.try_all("site_marks::settle_env", Parts, settle).await;
    let now = Timestamp::now();
    let end = async |db: &Db| demo_site::purge::end_sales(db, now).await;
    trial.try_all("demo_site::end_sales", Parts, end).await;
    let reserve = async |db: &Db| demo_site::reserve_ids(db).await;
    trial
        .try_all("demo_site::reserve_ids", Parts, reserve)
        .await;
}

async fn effects_given_up(trial: &mut Trial<'_>) {
    let rows = outbox::list_due_all(&trial.test.db, 1, FAR).await.unwrap();
    let row = rows[0].id;
    let give_up =
        async |db: &Db| outbox::dead_letter(db, row, DeadLetterReason::Refused, "x").await;
    trial.try_all("outbox::dead_letter", Nothing, give_up).await;
    let redrive = async |db: &Db| outbox::redrive(db, None, Redrive::AllDead).await;
    trial.try_all("outbox::redrive", Nothing, redrive).await;
    let defer = async |db: &Db| outbox::defer(db, &[row], FAR, "y").await;
    trial.try_all("outbox::defer", Nothing, defer).await;
    outbox::dead_letter(&trial.test.db, row, DeadLetterReason::Unreadable, "x")
        .await
        .unwrap();
    let revive = async |db: &Db| outbox::requeue_unreadable(db).await;
    trial
        .try_all("outbox::requeue_unreadable", Nothing, revive)
        .await;
}

/// All rows are old in a hundred years.
async fn old_rows(trial: &mut Trial<'_>) {
    let end = Timestamp::constant(7_258_118_400, 0);
    let fold = async |db: &Db| accounts::fold_entries(db, end, 100).await;
    trial.try_all("accounts::fold_entries", Nothing, fold).await;
    let orders = async |db: &Db| archive::archive_orders(db, end, 100).await;
    trial
        .try_all("archive::archive_orders", Nothing, orders)
        .await;
    let top_ups = async |db: &Db| archive::archive_top_ups(db, end, 100).await;
    trial
        .try_all("archive::archive_top_ups", Nothing, top_ups)
        .await;
    let remove = async |db: &Db| retention::delete_old(db, RetentionTarget::Audit, end, 100).await;
    trial
        .try_all("retention::delete_old", Nothing, remove)
        .await;
}

async fn adopted_rows(trial: &mut Trial<'_>) {
    let db = &trial.test.db;
    let shop = create_shop(db, "老店").await.id;
    let note = published(db, shop).await;
    let sale = create_sale(db, shop, 10).await.id;
    let ann = person(trial.test, 71).await;
    let owned = OwnedShop::Replace;
    let give = async |db: &Db| shops::set_owner(db, shop, ann, owned, None).await;
    trial.try_all("shops::set_owner", Nothing, give).await;
    let (outside, name) = ("https://p0.example/a.jpg", "/adopted.jpg");
    let images = format!("UPDATE tb_shop SET images = '{outside}' WHERE id = {shop}");
    trial.test.execute(&images).await;
    uploads::record(&trial.test.db, ann, name).await.unwrap();
    let table = PictureTable::Shops;
    let replace =
        async |db: &Db| outside_pictures::replace(db, table, shop.get(), outside, name).await;
    trial
        .try_all("outside_pictures::replace", Nothing, replace)
        .await;
    let liker = Liker {
        user: ann,
        liked_at: FAR,
    };
    let like = async |db: &Db| redis_import::add_likes(db, note, &[liker]).await;
    trial
        .try_all("redis_import::add_likes", Nothing, like)
        .await;
    let days = [date(2022, 3, 1), date(2022, 3, 2)];
    let check_in = async |db: &Db| redis_import::add_check_ins(db, ann, &days).await;
    trial
        .try_all("redis_import::add_check_ins", Nothing, check_in)
        .await;
    let order = AdoptedOrder {
        id: OrderId::new(71),
        user: ann,
        voucher: sale,
        accepted_at: GRANTED_AT,
    };
    let add = async |db: &Db| redis_import::add_order(db, &order).await;
    trial.try_all("redis_import::add_order", Nothing, add).await;
    let limit = async |db: &Db| orders::set_missing_deadlines(db, FAR).await;
    trial
        .try_all("orders::set_missing_deadlines", Nothing, limit)
        .await;
    let mark = async |db: &Db| redis_import::mark_redis_imported(db, "x").await;
    trial
        .try_all("redis_import::mark_redis_imported", Nothing, mark)
        .await;
}

async fn bulk_rows(trial: &mut Trial<'_>) {
    let created_at = Timestamp::UNIX_EPOCH;
    let (user_id, shop_id, note_id) = (UserId::new(901), ShopId::new(901), NoteId::new(901));
    let newcomers = [NewcomerRow {
        phone: Phone::parse("13977778888").unwrap(),
        nick_name: "x".to_owned(),
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_newcomers(db, &newcomers).await;
    trial.try_all("bulk::insert_newcomers", Nothing, work).await;
    let rows = [NoteRow {
        id: note_id,
        shop_id,
        user_id,
        title: "x".to_owned(),
        images: String::new(),
        content: "x".to_owned(),
        score: Some(5),
        opinion: Default::default(),
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_notes(db, &rows).await;
    trial.try_all("bulk::insert_notes", Nothing, work).await;
    let rows = [LikeRow {
        note_id,
        user_id,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_likes(db, &rows).await;
    trial.try_all("bulk::insert_likes", Nothing, work).await;
    let rows = [CommentRow {
        id: 901,
        user_id,
        note_id,
        parent_id: 0,
        answer_id: 0,
        content: "x".to_owned(),
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_comments(db, &rows).await;
    trial.try_all("bulk::insert_comments", Nothing, work).await;
    let rows = [FollowRow {
        user_id,
        followed_id: UserId::new(902),
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_follows(db, &rows).await;
    trial.try_all("bulk::insert_follows", Nothing, work).await;
    bulk_people(trial, user_id).await;
    bulk_shops(trial, shop_id).await;
    let work =
        async |db: &Db| bulk::recount(db, &bulk::CountedTable::ALL, bulk::Surplus::Drop).await;
    trial.try_all("bulk::recount", Parts, work).await;
}

async fn bulk_people(trial: &mut Trial<'_>, user_id: UserId) {
    let created_at = Timestamp::UNIX_EPOCH;
    let rows = [bulk::UserRow {
        id: user_id,
        phone: None,
        email: None,
        nick_name: "x".to_owned(),
        icon: String::new(),
        role: Role::User,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_users(db, &rows).await;
    trial.try_all("bulk::insert_users", Nothing, work).await;
    let rows = [bulk::UserInfoRow {
        user_id,
        city: "x".to_owned(),
        introduce: None,
        is_female: true,
        birthday: None,
        credits: 0,
        level: 0,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_user_infos(db, &rows).await;
    trial
        .try_all("bulk::insert_user_infos", Nothing, work)
        .await;
}

async fn bulk_shops(trial: &mut Trial<'_>, id: ShopId) {
    let created_at = Timestamp::UNIX_EPOCH;
    let type_id = ShopTypeId::new(901);
    let rows = [bulk::ShopTypeRow {
        id: type_id,
        name: "x".to_owned(),
        icon: String::new(),
        sort: 1,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_shop_types(db, &rows).await;
    trial
        .try_all("bulk::insert_shop_types", Nothing, work)
        .await;
    let rows = [bulk::ShopRow {
        id,
        name: "小店".to_owned(),
        type_id,
        images: String::new(),
        area: None,
        address: "x".to_owned(),
        x: 120.0,
        y: 30.0,
        avg_price_yuan: None,
        score: 50,
        open_hours: None,
        phone: None,
        owner_id: None,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_shops(db, &rows).await;
    trial.try_all("bulk::insert_shops", Nothing, work).await;
    let voucher_id = VoucherId::new(901);
    let rows = [bulk::VoucherRow {
        id: voucher_id,
        shop_id: id,
        title: "x".to_owned(),
        sub_title: None,
        rules: None,
        pay_value_cents: 1,
        actual_value_cents: 2,
        kind: bulk::VoucherKind::Flash,
        status: bulk::VoucherStatus::On,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_vouchers(db, &rows).await;
    trial.try_all("bulk::insert_vouchers", Nothing, work).await;
    let rows = [bulk::SeckillVoucherRow {
        voucher_id,
        stock: 1,
        begin_at: created_at,
        end_at: created_at + Duration::from_secs(1),
        limit_per_user: 1,
        created_at,
    }];
    let work = async |db: &Db| bulk::insert_seckill_vouchers(db, &rows).await;
    trial
        .try_all("bulk::insert_seckill_vouchers", Nothing, work)
        .await;
    let sold = bulk::SoldSale {
        sale: bulk::SeckillVoucherRow {
            voucher_id: VoucherId::new(902),
            ..rows[0].clone()
        },
        orders: vec![bulk::UsedOrderRow {
            id: OrderId::new(902),
            user_id: UserId::new(1),
            voucher_id: VoucherId::new(902),
            shop_id: id,
            bought_at: created_at,
            used_at: created_at,
        }],
    };
    let sold = [sold];
    let work = async |db: &Db| bulk::insert_sold_sales(db, &sold).await;
    trial
        .try_all("bulk::insert_sold_sales", Nothing, work)
        .await;
}
