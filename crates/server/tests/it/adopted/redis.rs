//! What the original kept in Redis is brought along: from a real Redis, on both databases, and repeatedly.

use app::adoption::redis::{ImportMode, RedisImportError, RedisReport, import};
use domain::{NoteId, OrderId, UserId};
use jiff::Timestamp;
use jiff::civil::date;
use kv::LeftBehind;
use link::{Link, Options, Target};
use storage::{bulk, check_ins, follows, note_likes, visits};
use testkit::{Redis, TestApp};

use super::execute;
use crate::notes::{SHOP, furnish};
use crate::process::{Home, only_line};

const NOTE: i64 = 23;
const VOUCHER: i64 = 10;

/// The original's Redis and a site on its database.
struct Adoption {
    app: TestApp,
    redis: Redis,
    link: Link,
}

impl Adoption {
    async fn begin(builder: testkit::TestAppBuilder) -> Self {
        let app = builder.spawn().await;
        furnish(&app).await;
        execute(app.sql_url(), &rows()).await;
        let redis = Redis::start().await;
        let target = Target::parse(&redis.url()).unwrap();
        let link = Link::connect(&target, Options::default()).await.unwrap();
        Self { app, redis, link }
    }

    async fn run(&self, command: &[&str]) {
        let mut cmd = redis::cmd(command[0]);
        cmd.arg(&command[1..]);
        self.link.run::<redis::Value>(&cmd).await.unwrap();
    }

    async fn import(&self, mode: ImportMode) -> Result<RedisReport, RedisImportError> {
        import(self.app.core(), &self.link, mode, &mut |_| {}).await
    }

    /// Everything in the other Redis, to see that nothing changes there.
    async fn dump(&self) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
        let mut keys: Vec<Vec<u8>> = self.link.run(redis::cmd("KEYS").arg("*")).await.unwrap();
        keys.sort();
        let mut all = Vec::new();
        for key in keys {
            let value = self.link.run(redis::cmd("DUMP").arg(&key)).await.unwrap();
            all.push((key, value));
        }
        all
    }

    async fn likes(&self) -> u32 {
        let note = storage::notes::get(self.app.core().db(), NoteId::new(NOTE)).await;
        note.unwrap().unwrap().note.likes
    }
}

fn rows() -> Vec<String> {
    let times = "'2022-01-01 00:00:00', '2022-01-01 00:00:00'";
    let users: Vec<String> = (1..=6)
        .map(|id| format!("({id}, '1380000100{id}', 'u{id}', '', 0, 0, {times})"))
        .collect();
    let users = users.join(", ");
    vec![
        format!("INSERT INTO tb_user (id, phone, nick_name, icon, role, status, create_time, update_time) VALUES {users}"),
        format!("INSERT INTO tb_blog (id, shop_id, user_id, title, images, content, liked, comments, status, create_time, update_time) VALUES ({NOTE}, {SHOP}, 1, 'x', '', 'y', 5, 0, 0, {times})"),
        format!("INSERT INTO tb_voucher (id, shop_id, title, pay_value, actual_value, type, status, create_time, update_time) VALUES ({VOUCHER}, {SHOP}, '券', 1, 2, 1, 1, {times})"),
        format!("INSERT INTO tb_seckill_voucher (voucher_id, stock, initial_stock, begin_time, end_time, create_time, update_time) VALUES ({VOUCHER}, 2, 2, {times}, {times})"),
        "INSERT INTO tb_follow (user_id, follow_user_id, create_time) VALUES (1, 2, '2022-01-01 00:00:00')".to_owned(),
    ]
}

async fn fill(adoption: &Adoption) {
    for command in [
        &[
            "ZADD",
            "blog:liked:23",
            "1646101234567",
            "2",
            "1646101234568",
            "3",
            "1646101234569",
            "999",
            "1",
            "junk",
        ][..],
        &["ZADD", "blog:liked:777", "1646101234567", "2"],
        &["SADD", "follows:1", "1", "2", "3", "999"],
        &["SADD", "follows:888", "1"],
        &["SETBIT", "sign:2:202203", "0", "1"],
        &["SETBIT", "sign:2:202203", "30", "1"],
        &["SETBIT", "sign:3:2022/02", "27", "1"],
        &["SETBIT", "sign:3:2022/02", "30", "1"],
        &["SETBIT", "sign:999:202203", "0", "1"],
        &["PFADD", "uv:20220301", "a", "b", "c"],
        &["PFADD", "uv:shop:1:20220301", "a"],
        &["SET", "pv:20220301", "12"],
        &["PFADD", "hl2", "a", "b"],
        &["ZADD", "feed:2", "1646101234567", "23"],
        &["HSET", "login:token:2f", "id", "2"],
        &["SET", "cache:shop:1", "{}"],
        &["SET", "seckill:stock:10", "0"],
        &["SADD", "seckill:order:10", "2", "3", "4", "5"],
        &["SET", "something", "else"],
        &["SET", "follows:5", "not a set"],
    ] {
        adoption.run(command).await;
    }
}

async fn brings_everything_along(adoption: Adoption) {
    fill(&adoption).await;
    let before = adoption.dump().await;
    let dry = adoption.import(ImportMode::DryRun).await.unwrap();
    let db = adoption.app.core().db();
    let (note, me) = (NoteId::new(NOTE), UserId::new(2));
    assert_eq!(note_likes::get(db, note, me).await.unwrap(), None);

    let report = adoption.import(ImportMode::Write).await.unwrap();
    for report in [&dry, &report] {
        let likes = report.likes;
        assert_eq!((likes.found, likes.added, likes.known), (5, 2, 0));
        assert_eq!((likes.orphaned, likes.invalid), (2, 1));
        let follows = report.follows;
        assert_eq!((follows.found, follows.added, follows.known), (5, 1, 1));
        assert_eq!((follows.orphaned, follows.invalid), (2, 1));
        let check_ins = report.check_ins;
        assert_eq!((check_ins.found, check_ins.added), (5, 3));
        assert_eq!((check_ins.orphaned, check_ins.invalid), (1, 1));
        assert_eq!((report.visits.found, report.visits.added), (3, 3));
        let left: Vec<(LeftBehind, u64)> =
            report.left_behind.iter().map(|(k, n)| (*k, *n)).collect();
        let expected = [
            (LeftBehind::Sessions, 1),
            (LeftBehind::Caches, 1),
            (LeftBehind::Feeds, 1),
            (LeftBehind::Stock, 1),
            (LeftBehind::UndatedVisitors, 1),
        ];
        assert_eq!(left, expected);
        assert_eq!(report.unknown, 2, "{:?}", report.unknown_names);
        assert_eq!(report.orders.buyers_without_order, 4);
    }
    let liked_at = note_likes::get(db, note, me).await.unwrap();
    assert_eq!(
        liked_at,
        Some(Timestamp::from_millisecond(1_646_101_234_567).unwrap())
    );
    assert_eq!(adoption.likes().await, 5, "the likers are among the five");
    assert!(
        follows::is_following(db, UserId::new(1), UserId::new(3))
            .await
            .unwrap()
    );
    let info = storage::users::get_info(db, UserId::new(3))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(info.fans, 1);
    let days = check_ins::list_days(db, me, date(2022, 3, 1), date(2022, 3, 31))
        .await
        .unwrap();
    assert_eq!(days, [date(2022, 3, 1), date(2022, 3, 31)]);
    let day = date(2022, 3, 1);
    let visits = visits::list(db, day, day, None).await.unwrap();
    let totals: Vec<(&str, u64, u64)> = visits
        .iter()
        .map(|it| (it.page.as_str(), it.uv, it.pv))
        .collect();
    assert_eq!(totals, [("shop:1", 1, 1), ("site", 3, 12)]);
    assert_eq!(
        adoption.dump().await,
        before,
        "the original's Redis is only read"
    );

    let refused = adoption.import(ImportMode::Write).await;
    assert!(matches!(refused, Err(RedisImportError::Repeated(_))));
    let again = adoption.import(ImportMode::WriteAgain).await.unwrap();
    assert_eq!((again.likes.added, again.likes.known), (0, 2));
    assert_eq!((again.follows.added, again.follows.known), (0, 2));
    assert_eq!((again.check_ins.added, again.check_ins.known), (0, 3));
    assert_eq!(adoption.likes().await, 5);
    drop(adoption.redis);
}

#[tokio::test]
async fn likes_follows_check_ins_and_visits_are_brought_along() {
    brings_everything_along(Adoption::begin(TestApp::builder()).await).await;
}

#[tokio::test]
async fn likes_follows_check_ins_and_visits_are_brought_along_on_mariadb() {
    brings_everything_along(Adoption::begin(TestApp::builder().on_mariadb()).await).await;
}

/// A note with five likes on it keeps the number until there are more likers than that.
#[tokio::test]
async fn the_number_of_likes_does_not_jump() {
    let adoption = Adoption::begin(TestApp::builder()).await;
    let db = adoption.app.core().db();
    adoption.run(&["SADD", "blog:liked:23", "2", "3"]).await;
    adoption.import(ImportMode::Write).await.unwrap();
    assert_eq!(adoption.likes().await, 5);
    let toggled = note_likes::toggle(db, NoteId::new(NOTE), UserId::new(2), None)
        .await
        .unwrap();
    assert_eq!(toggled.unwrap().likes, 4, "a like with a row is taken back");
    let toggled = note_likes::toggle(db, NoteId::new(NOTE), UserId::new(2), None)
        .await
        .unwrap();
    assert_eq!(toggled.unwrap().likes, 5);
    adoption
        .run(&["SADD", "blog:liked:23", "1", "4", "5", "6"])
        .await;
    adoption.import(ImportMode::WriteAgain).await.unwrap();
    assert_eq!(adoption.likes().await, 6, "there are six likers");
    let surplus = bulk::Surplus::Drop;
    let recount = bulk::recount(db, &bulk::CountedTable::ALL, surplus).await;
    recount.unwrap();
    assert_eq!(adoption.likes().await, 6, "no like is counted twice");
}

/// The base shrinks by what came as rows, so a recount changes nothing either.
#[tokio::test]
async fn rows_take_the_place_of_the_base() {
    let adoption = Adoption::begin(TestApp::builder()).await;
    let update = format!("UPDATE tb_blog SET liked_base = 5 WHERE id = {NOTE}");
    execute(adoption.app.sql_url(), &[update]).await;
    adoption.run(&["SADD", "blog:liked:23", "2", "3"]).await;
    adoption.import(ImportMode::Write).await.unwrap();
    let db = adoption.app.core().db();
    for surplus in [bulk::Surplus::Keep, bulk::Surplus::Drop] {
        let recount = bulk::recount(db, &bulk::CountedTable::ALL, surplus).await;
        recount.unwrap();
        assert_eq!(adoption.likes().await, 5);
    }
}

/// A database that is adopted already is given what the Redis has; first a dry run, then it is written.
#[tokio::test]
async fn the_command_brings_the_redis_along() {
    let adoption = Adoption::begin(TestApp::builder().on_mariadb()).await;
    fill(&adoption).await;
    let home = Home::new();
    let env = [("TANDIAN_DATABASE__URL", adoption.app.sql_url())];
    let url = adoption.redis.url();
    let run = |args: &[&str]| {
        let redis = ["adopt", "--redis", &url];
        let args: Vec<&str> = redis.iter().chain(args).copied().collect();
        let output = home.run(&args, &env);
        let said = String::from_utf8(output.stdout.clone()).unwrap();
        (output, said)
    };
    let (output, said) = run(&["--dry-run"]);
    assert!(output.status.success(), "{output:?}");
    let words = "likes: 5 found, 2 would be added, 2 of users or notes";
    assert!(said.contains(words), "{said}");
    assert!(said.contains("feed:*: 1 keys"), "{said}");
    let (output, said) = run(&["--yes"]);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("likes: 5 found, 2 added"), "{said}");
    let (output, _) = run(&["--yes"]);
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.contains("--redis-again"), "{line}");
    let (output, said) = run(&["--yes", "--redis-again"]);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("2 in SQL already"), "{said}");
}

#[test]
fn an_address_that_is_none_is_refused_without_showing_its_password() {
    let home = Home::new();
    for url in [
        "redis//x:secret@h",
        "redis-cluster://:secret@a,b",
        "http://:secret@h",
    ] {
        let output = home.run(&["adopt", "--redis", url], &[]);
        let line = only_line(&output);
        assert!(
            line.contains("--redis") && !line.contains("secret"),
            "{line}"
        );
    }
}

/// Views that a serving site has loaded show what was imported.
#[tokio::test]
async fn a_serving_site_shows_what_was_imported() {
    let adoption = Adoption::begin(TestApp::builder()).await;
    let reader = adoption.app.sign_in("13800001002").await;
    let is_liked = async || crate::notes::read(&reader, NOTE).await["isLike"].clone();
    assert_eq!(is_liked().await, false, "and it is kept");
    adoption
        .run(&["ZADD", "blog:liked:23", "1646101234567", "2"])
        .await;
    adoption.import(ImportMode::Write).await.unwrap();
    assert_eq!(is_liked().await, true);
}

/// More members than one round trip brings.
#[tokio::test]
async fn big_sets_come_some_at_a_time() {
    const LIKERS: i64 = 2_500;
    let adoption = Adoption::begin(TestApp::builder()).await;
    let db = adoption.app.core().db();
    let users: Vec<bulk::UserRow> = (100..100 + LIKERS)
        .map(|id| bulk::UserRow {
            id: UserId::new(id),
            phone: None,
            email: None,
            nick_name: String::new(),
            icon: String::new(),
            role: domain::Role::User,
            created_at: Timestamp::now(),
        })
        .collect();
    bulk::insert_users(db, &users).await.unwrap();
    let mut add = redis::cmd("ZADD");
    add.arg("blog:liked:23");
    for id in 100..100 + LIKERS {
        add.arg(1_646_101_234_567_i64 + id).arg(id);
    }
    adoption.link.run::<i64>(&add).await.unwrap();
    for n in 0..1_200 {
        adoption
            .run(&["SET", &format!("cache:shop:{n}"), "x"])
            .await;
    }
    let mut shown = Vec::new();
    let mut show = |it: app::Progress| shown.push((it.done, it.total));
    let report = import(
        adoption.app.core(),
        &adoption.link,
        ImportMode::Write,
        &mut show,
    );
    let report = report.await.unwrap();
    assert_eq!(report.likes.added, LIKERS.unsigned_abs());
    assert_eq!(adoption.likes().await, 2_500);
    assert!(report.left_behind[&LeftBehind::Caches] >= 1_200);
    assert!(shown.len() > 1, "{shown:?}");
}

/// The original's Redis may be an old one.
#[tokio::test]
async fn a_long_stream_is_read_with_commands_of_redis_6_0() {
    const ENTRIES: u64 = 1_200;
    let adoption = Adoption::begin(TestApp::builder()).await;
    let mut pipe = redis::pipe();
    for order in 0..ENTRIES {
        let entry = format!("1646101234567-{order}");
        pipe.cmd("XADD").arg("stream.orders").arg(entry);
        pipe.arg("userId").arg(999).arg("voucherId").arg(VOUCHER);
        pipe.arg("id").arg(1_001 + order).ignore();
    }
    adoption.link.pipe::<()>(&pipe).await.unwrap();
    for setting in [
        ["slowlog-log-slower-than", "0"],
        ["slowlog-max-len", "10000"],
    ] {
        adoption
            .run(&["CONFIG", "SET", setting[0], setting[1]])
            .await;
    }
    let report = adoption.import(ImportMode::Write).await.unwrap();
    assert_eq!(report.orders.entries, ENTRIES);
    let mut log = redis::cmd("SLOWLOG");
    log.arg("GET").arg(10_000);
    type Logged = (i64, i64, i64, Vec<String>, redis::Value, redis::Value);
    let logged: Vec<Logged> = adoption.link.run(&log).await.unwrap();
    let reads = logged.iter().filter(|entry| entry.3[0] == "XRANGE");
    let starts: Vec<&str> = reads.map(|entry| entry.3[2].as_str()).collect();
    assert!(starts.len() > 2, "{starts:?}");
    let is_exclusive = |start: &&&str| start.starts_with('(');
    assert_eq!(starts.iter().find(is_exclusive), None);
}

/// Orders of the stream come after the database is adopted, and have the deadline that was named for all.
#[tokio::test]
async fn orders_of_the_stream_get_the_deadline_too() {
    let adoption = Adoption::begin(TestApp::builder().on_mariadb()).await;
    let entry = "XADD stream.orders * userId 2 voucherId 10 id 1002";
    let entry: Vec<&str> = entry.split(' ').collect();
    adoption.run(&entry).await;
    let (home, url) = (Home::new(), adoption.redis.url());
    let env = [("TANDIAN_DATABASE__URL", adoption.app.sql_url())];
    let args = [
        "adopt",
        "--yes",
        "--pay-by",
        "2126-01-31T18:00",
        "--redis",
        &url,
    ];
    let output = home.run(&args, &env);
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let words = "as unpaid orders that may be paid until 2126-01-31T18:00";
    assert!(said.contains(words), "{said}");
    let db = adoption.app.core().db();
    let order = storage::orders::get(db, UserId::new(2), OrderId::new(1002)).await;
    let deadline: Timestamp = "2126-01-31T10:00:00Z".parse().unwrap();
    assert_eq!(order.unwrap().unwrap().pay_deadline, Some(deadline));
}

async fn brings_open_orders_along(adoption: Adoption) {
    let add = async |order: &str, user: &str, voucher: &str| {
        let entry = [
            "XADD",
            "stream.orders",
            "*",
            "userId",
            user,
            "voucherId",
            voucher,
            "id",
            order,
        ];
        adoption.run(&entry).await;
    };
    add("1001", "1", "10").await;
    adoption
        .run(&["XGROUP", "CREATE", "stream.orders", "g1", "0"])
        .await;
    let read = [
        "XREADGROUP",
        "GROUP",
        "g1",
        "c1",
        "COUNT",
        "1",
        "STREAMS",
        "stream.orders",
        ">",
    ];
    let stream: redis::Value = {
        let mut cmd = redis::cmd(read[0]);
        cmd.arg(&read[1..]);
        adoption.link.run(&cmd).await.unwrap()
    };
    drop(stream);
    let ids: Vec<(String, redis::Value)> = {
        let mut cmd = redis::cmd("XRANGE");
        cmd.arg(&["stream.orders", "-", "+"]);
        adoption.link.run(&cmd).await.unwrap()
    };
    adoption
        .run(&["XACK", "stream.orders", "g1", &ids[0].0])
        .await;
    add("1002", "2", "10").await;
    let mut cmd = redis::cmd(read[0]);
    cmd.arg(&read[1..]);
    adoption.link.run::<redis::Value>(&cmd).await.unwrap();
    add("1003", "3", "10").await;
    add("1004", "2", "10").await;
    add("1005", "4", "10").await;
    add("1006", "999", "10").await;
    add("1007", "5", "77").await;
    adoption
        .run(&["XADD", "stream.orders", "*", "junk", "1"])
        .await;
    adoption
        .run(&["SADD", "seckill:order:10", "2", "3", "6"])
        .await;

    let dry = adoption.import(ImportMode::DryRun).await.unwrap().orders;
    assert_eq!((dry.entries, dry.unreadable, dry.known), (8, 1, 0));
    assert_eq!((dry.added, dry.unwritten_count), (2, 5), "{dry:?}");
    let db = adoption.app.core().db();
    let terms = async || {
        let terms = storage::flash_sales::audit(db, domain::VoucherId::new(VOUCHER)).await;
        let audit = terms.unwrap().unwrap();
        (audit.terms.stock, audit.live_orders, audit.terms.initial)
    };
    assert_eq!(terms().await, (2, 0, 2), "a dry run writes nothing");

    let orders = adoption.import(ImportMode::Write).await.unwrap().orders;
    assert_eq!((orders.added, orders.unwritten_count), (2, 5), "{orders:?}");
    assert_eq!(orders.buyers_without_order, 1);
    assert_eq!(terms().await, (0, 2, 2));
    let reasons: Vec<(i64, &str)> = orders
        .unwritten
        .iter()
        .map(|it| (it.id.get(), it.reason.as_str()))
        .collect();
    let expected = [
        (1001, "the original acknowledged it and wrote no order"),
        (1004, "the buyer has order 1002 of this sale already"),
        (1005, "the sale has no unit left in SQL"),
        (1006, "there is no user 999"),
        (1007, "there is no flash sale 77"),
    ];
    assert_eq!(reasons, expected);
    let order = storage::orders::get(db, UserId::new(3), OrderId::new(1003))
        .await
        .unwrap();
    assert_eq!(order.unwrap().status, domain::OrderStatus::Unpaid);
    let again = adoption
        .import(ImportMode::WriteAgain)
        .await
        .unwrap()
        .orders;
    assert_eq!((again.added, again.known, again.unwritten_count), (0, 2, 5));
    assert_eq!(terms().await, (0, 2, 2));
}

#[tokio::test]
async fn orders_that_were_accepted_and_not_written_are_brought_along() {
    brings_open_orders_along(Adoption::begin(TestApp::builder()).await).await;
}

#[tokio::test]
async fn orders_that_were_accepted_and_not_written_are_brought_along_on_mariadb() {
    brings_open_orders_along(Adoption::begin(TestApp::builder().on_mariadb()).await).await;
}
