//! Demo data: whole after one run, unchanged by a second, completed after a killed one, and never mixed with a site's own data.

use std::fs;
use std::future::poll_fn;
use std::path::Path;
use std::pin::pin;
use std::task::Poll;

use app::seed::{self, Added, DemoPlan, Progress, SeedError};
use demo::Demo;
use domain::{Phone, UserId};
use jiff::{SignedDuration, Timestamp};
use rand::RngExt as _;
use storage::demo_site::{self, LAST_RESERVED_ID, Renewal, SaleWindow};
use storage::{accounts, flash_sales, users};
use testkit::{TestApp, TestAppBuilder};

use crate::process::{Home, only_line};

/// What `production` needs before a command is even looked at.
pub(crate) const PRODUCTION: [(&str, &str); 7] = [
    ("TANDIAN_PAYMENT__PROVIDER", "none"),
    ("TANDIAN_ENV", "production"),
    ("TANDIAN_HTTP__PUBLIC_URL", "https://example.com"),
    ("TANDIAN_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ("TANDIAN_CODE__SENDER", "webhook"),
    ("TANDIAN_CODE__WEBHOOK__URL", "https://example.com/sms"),
    (
        "TANDIAN_CODE__WEBHOOK__SECRET",
        "0123456789abcdef0123456789abcdef",
    ),
];

fn plan(scale: u32) -> DemoPlan {
    let now = "2026-11-15T12:00:00Z".parse().unwrap();
    DemoPlan { scale, now }
}

fn demo(scale: u32) -> Demo {
    Demo::new(plan(scale)).unwrap()
}

/// Every row of the plan, counted without a database. People have a row of what they say of themselves besides.
fn rows_of(scale: u32) -> u64 {
    let demo = demo(scale);
    let flash_sales = demo.vouchers().filter_map(|v| v.flash_sale);
    let flash_sales: usize = flash_sales.map(|sale| 1 + sale.sold.len()).sum();
    let rows = demo.people().count() * 2
        + demo.shop_types().count()
        + demo.shops().count()
        + demo.vouchers().count()
        + flash_sales
        + demo.notes().count()
        + demo.comments().count()
        + demo.likes().count()
        + demo.follows().count();
    rows as u64
}

/// Puts something under the name of every picture but those `wanted`: drawing all of them takes seconds.
fn pretend_pictures(folder: &Path, wanted: &[&str]) {
    for picture in demo(1).pictures() {
        let path = folder.join(&picture.file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if !wanted.contains(&&*picture.file) {
            fs::write(path, "").unwrap();
            if let Some(small) = picture.small_file() {
                fs::write(folder.join(small), "").unwrap();
            }
        }
    }
}

/// A site whose pictures need not be drawn.
pub(crate) async fn spawn(builder: TestAppBuilder) -> TestApp {
    let app = builder.spawn().await;
    pretend_pictures(&app.data_dir().join("imgs"), &[]);
    app
}

async fn try_seed(app: &TestApp, scale: u32) -> Result<Added, SeedError> {
    let folder = app.data_dir().join("imgs");
    seed::seed(app.core(), plan(scale), &folder, &mut |_| {}).await
}

pub(crate) async fn seed(app: &TestApp, scale: u32) -> Added {
    try_seed(app, scale).await.unwrap()
}

/// Counters of people come from the rows of follows, so they tell whether all of those are there.
async fn assert_everybody_is_complete(app: &TestApp, scale: u32) {
    for person in demo(scale).people() {
        let id = UserId::new(person.id);
        let user = users::get(app.core().db(), id).await.unwrap().unwrap();
        assert_eq!(user.nick_name, person.nick_name);
        let info = users::get_info(app.core().db(), id).await.unwrap().unwrap();
        let counters = (info.fans, info.followee);
        assert_eq!(counters, (person.fans, person.followees), "{id}");
    }
}

async fn assert_whole_and_repeatable(app: TestApp) {
    let first = seed(&app, 1).await;
    assert_eq!(first.rows, rows_of(1));
    assert_everybody_is_complete(&app, 1).await;
    assert_eq!(seed(&app, 1).await, Added::default());
    assert_everybody_is_complete(&app, 1).await;
}

#[tokio::test]
async fn a_second_seed_changes_nothing_on_sqlite() {
    assert_whole_and_repeatable(spawn(TestApp::builder()).await).await;
}

#[tokio::test]
async fn a_second_seed_changes_nothing_on_mariadb() {
    assert_whole_and_repeatable(spawn(TestApp::builder().on_mariadb()).await).await;
}

#[tokio::test]
async fn a_larger_scale_adds_to_what_a_smaller_one_made() {
    let app = spawn(TestApp::builder()).await;
    let small = seed(&app, 1).await;
    let large = seed(&app, 2).await;
    assert_eq!(small.rows + large.rows, rows_of(2));
    assert_everybody_is_complete(&app, 2).await;
}

/// How often the work is polled until it comes to its end.
async fn count_polls(work: impl Future) -> u32 {
    let mut work = pin!(work);
    let mut polls = 0;
    poll_fn(|context| {
        polls += 1;
        work.as_mut().poll(context)
    })
    .await;
    polls
}

/// Polls the work at most that often and drops it then, wherever it is.
async fn kill_after(polls: u32, work: impl Future) {
    let mut work = pin!(work);
    let mut left = polls;
    poll_fn(|context| {
        left = left.saturating_sub(1);
        match work.as_mut().poll(context) {
            Poll::Pending if left > 0 => Poll::Pending,
            _ => Poll::Ready(()),
        }
    })
    .await;
}

#[tokio::test]
async fn a_seed_killed_anywhere_is_completed_by_the_next() {
    let whole = spawn(TestApp::builder()).await;
    let polls = count_polls(Box::pin(seed(&whole, 1))).await;
    for _ in 0..4 {
        let app = spawn(TestApp::builder()).await;
        let killed_at = rand::rng().random_range(1..polls);
        kill_after(killed_at, Box::pin(seed(&app, 1))).await;
        seed(&app, 1).await;
        assert_eq!(seed(&app, 1).await, Added::default(), "at {killed_at}");
        assert_everybody_is_complete(&app, 1).await;
    }
}

#[tokio::test]
async fn missing_pictures_are_drawn_whole_and_served() {
    let app = TestApp::spawn().await;
    let folder = app.data_dir().join("imgs");
    let wanted = ["demo/noodles-01.jpg", "demo/avatar-01.jpg", "types/ms.png"];
    pretend_pictures(&folder, &wanted);
    assert_eq!(seed(&app, 1).await.pictures, 3);
    for file in wanted {
        let answer = app.visitor().get(&format!("/imgs/{file}")).await;
        assert_eq!(answer.status, 200, "{file}");
        assert!(
            answer.header("content-type").starts_with("image/"),
            "{file}"
        );
        assert!(fs::read(folder.join(file)).unwrap().len() > 1_000, "{file}");
    }
    let small = app
        .visitor()
        .get("/imgs/demo/noodles-01.jpg?size=small")
        .await;
    let drawn = fs::metadata(folder.join("demo/noodles-01_s.jpg")).unwrap();
    assert_eq!(small.header("content-length"), drawn.len().to_string());
    let names = fs::read_dir(folder.join("demo")).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name());
    assert!(names.all(|name| !name.to_string_lossy().ends_with(".tmp")));
    assert_eq!(seed(&app, 1).await, Added::default());
}

#[tokio::test]
async fn progress_ends_at_its_total_for_every_kind_of_thing() {
    let app = spawn(TestApp::builder()).await;
    let mut last: Vec<Progress> = Vec::new();
    let mut note = |progress: Progress| {
        last.retain(|other| other.what != progress.what);
        last.push(progress);
    };
    let folder = app.data_dir().join("imgs");
    seed::seed(app.core(), plan(1), &folder, &mut note)
        .await
        .unwrap();
    assert_eq!(last.len(), 8, "{last:?}");
    assert!(last.iter().all(|p| p.done == p.total), "{last:?}");
}

#[tokio::test]
async fn a_site_with_data_of_its_own_is_refused_and_left_alone() {
    let app = spawn(TestApp::builder()).await;
    app.sign_in("13900000001").await;
    let refused = try_seed(&app, 1).await.unwrap_err();
    assert!(matches!(refused, SeedError::SiteInUse), "{refused:?}");
    let second = users::get(app.core().db(), UserId::new(2)).await;
    assert_eq!(second.unwrap(), None);
}

#[tokio::test]
async fn people_who_join_a_demo_site_do_not_stand_in_the_way_of_more() {
    let app = spawn(TestApp::builder()).await;
    seed(&app, 1).await;
    let newcomer = app.sign_in("13900000001").await;
    let id = newcomer.get("/api/user/me").await.data()["id"].as_i64();
    assert_eq!(id, Some(LAST_RESERVED_ID + 1));
    seed(&app, 2).await;
    assert_everybody_is_complete(&app, 2).await;
}

#[tokio::test]
async fn a_demo_phone_number_that_a_user_has_is_refused() {
    let app = spawn(TestApp::builder()).await;
    seed(&app, 1).await;
    app.sign_in("13800001500").await;
    let refused = try_seed(&app, 2).await.unwrap_err();
    assert!(matches!(refused, SeedError::NumbersTaken(1)), "{refused:?}");
    assert_eq!(seed(&app, 1).await, Added::default());
}

#[tokio::test]
async fn scales_out_of_range_are_refused() {
    let app = spawn(TestApp::builder()).await;
    for scale in [0, 10_001] {
        let refused = try_seed(&app, scale).await.unwrap_err();
        assert!(matches!(refused, SeedError::Scale(_)), "{refused:?}");
    }
}

async fn prepare(app: &TestApp, now: Timestamp) -> Added {
    let plan = DemoPlan { scale: 1, now };
    let folder = app.data_dir().join("imgs");
    let prepared = seed::prepare_demo_site(app.core(), plan, &folder, &mut |_| {}).await;
    prepared.unwrap()
}

/// Sales that are not before, during or after their window as the demo shows them at `now`.
async fn count_stale_sales(app: &TestApp, now: Timestamp) -> usize {
    let mut stale = 0;
    for voucher in Demo::new(DemoPlan { scale: 1, now }).unwrap().vouchers() {
        let Some(sale) = voucher.flash_sale else {
            continue;
        };
        let window = SaleWindow {
            voucher_id: voucher.id.into(),
            begin_at: sale.begin_at,
            end_at: sale.end_at,
        };
        let db = app.core().db();
        let renewed = demo_site::renew_window(db, &window, Renewal::OutOfPhase, now).await;
        stale += usize::from(renewed.unwrap());
    }
    stale
}

#[tokio::test]
async fn a_demo_site_fills_itself_once_and_its_sales_come_back_days_later() {
    let app = spawn(TestApp::builder()).await;
    let first_start = plan(1).now;
    assert_eq!(prepare(&app, first_start).await.rows, rows_of(1));
    assert_eq!(prepare(&app, first_start).await, Added::default());
    assert_eq!(count_stale_sales(&app, first_start).await, 0);

    let weeks_later = first_start + SignedDuration::from_hours(24 * 40);
    assert_eq!(prepare(&app, weeks_later).await, Added::default());
    assert_eq!(count_stale_sales(&app, weeks_later).await, 0);
    let even_later = weeks_later + SignedDuration::from_hours(24 * 40);
    assert!(count_stale_sales(&app, even_later).await >= 3);
}

async fn assert_sold_units_add_up(app: TestApp) {
    let now = Timestamp::now();
    prepare(&app, now).await;
    let db = app.core().db();
    let mut sold = 0;
    for voucher in Demo::new(DemoPlan { scale: 1, now }).unwrap().vouchers() {
        let Some(sale) = voucher.flash_sale else {
            continue;
        };
        let audit = flash_sales::audit(db, voucher.id.into()).await;
        let audit = audit.unwrap().unwrap();
        assert_eq!(audit.live_orders, sale.sold.len() as u64);
        assert_eq!(audit.terms.initial, sale.stock);
        let stock = u64::from(audit.terms.stock);
        assert_eq!(stock + audit.live_orders, u64::from(sale.stock));
        sold += audit.live_orders;
    }
    assert!(sold > 300, "{sold}");
    let books = accounts::trial_balance(db).await.unwrap();
    assert_eq!((books.total_cents, books.wrong_balances), (0, 0));
    assert_eq!(books.escrow_excess_cents, 0);
}

#[tokio::test]
async fn sold_units_of_demo_sales_add_up_on_sqlite() {
    assert_sold_units_add_up(spawn(TestApp::builder()).await).await;
}

#[tokio::test]
async fn sold_units_of_demo_sales_add_up_on_mariadb() {
    assert_sold_units_add_up(spawn(TestApp::builder().on_mariadb()).await).await;
}

/// The gate loads the orders of the demo data like any others.
#[tokio::test]
async fn a_buyer_of_the_demo_data_buys_no_second_unit_and_a_sold_out_sale_stays_so() {
    let app = spawn(TestApp::builder()).await;
    let now = Timestamp::now();
    prepare(&app, now).await;
    let world = Demo::new(DemoPlan { scale: 1, now }).unwrap();
    let running = |v: &demo::Voucher| {
        let sale = v.flash_sale.as_ref();
        sale.is_some_and(|s| s.limit_per_user == 1 && !s.sold.is_empty() && now < s.end_at)
    };
    let (sold_out, open): (Vec<_>, Vec<_>) = world
        .vouchers()
        .filter(running)
        .filter_map(|v| Some((v.id, v.flash_sale?)))
        .partition(|(_, sale)| sale.sold.len() == sale.stock as usize);
    let (id, sale) = &open[0];
    let buyer = format!("138{:08}", sale.sold[0].buyer_id);
    let buyer = app.sign_in(&buyer).await;
    let again = buyer
        .post(&format!("/api/voucher-order/seckill/{id}"))
        .await;
    assert_eq!(again.json()["code"], "already_bought", "{again:?}");
    let late = app.sign_in("13900000001").await;
    let id = sold_out[0].0;
    let refused = late.post(&format!("/api/voucher-order/seckill/{id}")).await;
    assert_eq!(refused.json()["code"], "sold_out", "{refused:?}");
}

#[tokio::test]
async fn demo_people_sign_in_with_their_roles() {
    let app = spawn(TestApp::builder()).await;
    seed(&app, 1).await;
    for (phone, role) in [
        (demo::VISITOR_PHONE, "user"),
        (demo::MERCHANT_PHONE, "merchant"),
        (demo::ADMIN_PHONE, "admin"),
    ] {
        let contact = Phone::parse(phone).unwrap().into();
        let user = users::find_by_contact(app.core().db(), &contact).await;
        assert_eq!(user.unwrap().unwrap().role.as_str(), role);
        let me = app.sign_in(phone).await.get("/api/user/me").await;
        assert_eq!(me.status, 200, "{phone}");
    }
}

#[test]
fn production_refuses_demo_data_before_anything_is_opened() {
    let home = Home::new();
    for args in [&["seed"][..], &["serve", "--demo"]] {
        let line = only_line(&home.run(args, &PRODUCTION));
        assert!(line.contains("refused in production"), "{line}");
    }
    assert!(!home.folder.path().join("data").exists());
}
