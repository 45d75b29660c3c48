//! A database of hm-dianping becomes a site: guided, safe to try, and left as it was wherever nobody decided.

use sea_orm::{ConnectionTrait as _, Database as Connection, DatabaseConnection, Statement};
use testkit::{Database, MariaDb, Redis, unique_prefix, wait_until};

use crate::process::{Home, PATIENCE};

const ORIGINAL: &str = include_str!("../../../storage/tests/it/fixtures/original.sql");

/// Twelve hours ahead: nobody's database runs there.
const FAR_EAST: (&str, &str) = ("TANDIAN_SITE__TIME_ZONE", "Etc/GMT-12");

struct Adopted {
    home: Home,
    database: Database,
    connection: DatabaseConnection,
    redis: String,
    prefix: String,
}

impl Adopted {
    async fn original() -> Self {
        let database = MariaDb::shared().await.create_database().await;
        database.execute(ORIGINAL).await;
        Self {
            home: Home::new(),
            connection: Connection::connect(database.url()).await.unwrap(),
            database,
            redis: Redis::shared().await.url(),
            prefix: unique_prefix(),
        }
    }

    fn env(&self) -> [(&str, &str); 4] {
        [
            ("TANDIAN_DATABASE__URL", self.database.url()),
            ("TANDIAN_REDIS__URL", &self.redis),
            ("TANDIAN_REDIS__PREFIX", &self.prefix),
            FAR_EAST,
        ]
    }

    /// What a command that succeeds prints.
    fn run(&self, args: &[&str]) -> String {
        let output = self.home.run(args, &self.env());
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command that fails says about it.
    fn refusal(&self, args: &[&str]) -> String {
        let output = self.home.run(args, &self.env());
        assert!(!output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    async fn text(&self, sql: &str) -> String {
        let statement = Statement::from_string(self.connection.get_database_backend(), sql);
        let row = self.connection.query_one_raw(statement).await.unwrap();
        row.unwrap().try_get_by_index(0).unwrap()
    }

    async fn is_untouched(&self) -> bool {
        let tables = "SELECT CAST(COUNT(*) AS CHAR) FROM information_schema.TABLES \
            WHERE TABLE_SCHEMA = DATABASE()";
        self.text(tables).await == "11"
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_is_led_from_the_dump_to_a_site_that_serves_it() {
    let site = Adopted::original().await;
    let refused = site.refusal(&["serve"]);
    assert!(refused.contains("`tandian adopt`"), "{refused}");

    let plan = site.run(&["adopt", "--times", "database"]);
    for part in [
        "tb_voucher_order              6 row(s)",
        "time zones: database ",
        "step(s) that add or widen tables, columns and keys",
        "tb_blog: liked is more than the rows behind it in 3 rows",
        "1 unpaid order(s) get no deadline",
        "mysqldump --single-transaction",
        "Nothing was changed. Run it again with --yes",
    ] {
        assert!(plan.contains(part), "{part} is not in {plan}");
    }
    assert!(site.is_untouched().await);

    let done = site.run(&["adopt", "--times", "database", "--yes"]);
    for part in [
        "rows of the original are there",
        "tandian admin grant",
        "2 shop(s) have nobody",
        "TANDIAN_PICTURES__OUTSIDE_HOSTS=qcloud.dpfile.com,p0.meituan.net\n",
        "tandian serve",
    ] {
        assert!(done.contains(part), "{part} is not in {done}");
    }
    let again = site.run(&["adopt", "--yes"]);
    assert!(again.contains("The database is up to date."), "{again}");
    let counters = site.run(&["rebuild", "--dry-run"]);
    assert!(counters.contains("All counters agree"), "{counters}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_does_not_adopt_a_database() {
    let site = Adopted::original().await;
    let refused = site.refusal(&["serve", "--demo"]);
    assert!(refused.contains("`tandian adopt`"), "{refused}");
    assert!(site.is_untouched().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adopted_orders_outlive_the_first_start() {
    let site = Adopted::original().await;
    site.run(&["adopt", "--times", "database", "--yes"]);
    // One that is overdue shows that the worker has been there.
    let overdue = "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, slot, pay_deadline) \
        VALUES (7, 5, 2, 1, 1, '2022-01-04 04:15:00')";
    site.connection.execute_unprepared(overdue).await.unwrap();
    let _serving = site.home.serve_with(&["serve"], &site.env());
    wait_until("an overdue order is cancelled", PATIENCE, async || {
        let status = "SELECT CAST(status AS CHAR) FROM tb_voucher_order WHERE id = 7";
        site.text(status).await == "4"
    })
    .await;
    let adopted = "SELECT CAST(status AS CHAR) FROM tb_voucher_order WHERE id = 470000000000000001";
    assert_eq!(site.text(adopted).await, "1");
    // Orders that ended years ago may be in the archive by now.
    let all = "SELECT CAST(COUNT(DISTINCT id) AS CHAR) FROM \
        (SELECT id FROM tb_voucher_order UNION ALL SELECT id FROM tb_voucher_order_archive) AS o";
    assert_eq!(site.text(all).await, "7");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_before_somebody_says_what_the_times_are() {
    let site = Adopted::original().await;
    for command in [
        ["migrate"].as_slice(),
        &["migrate", "--dry-run"],
        &["adopt"],
        &["adopt", "--yes"],
    ] {
        let refused = site.refusal(command);
        assert!(refused.contains("--times site"), "{refused}");
    }
    let report = site.home.run(&["doctor"], &site.env());
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(report.contains("site Etc/GMT-12"), "{report}");
    assert!(report.contains("asks what its times are"), "{report}");
    assert!(site.is_untouched().await);

    let planned = site.run(&["migrate", "--dry-run", "--times", "site"]);
    assert!(planned.contains("Nothing was changed."), "{planned}");
    assert!(site.is_untouched().await);
    site.run(&["migrate", "--times", "site"]);
    let begins = "SELECT CAST(COUNT(*) AS CHAR) FROM tb_user WHERE create_time > '2021-01-01'";
    assert_eq!(site.text(begins).await, "5");
    let report = site.home.run(&["doctor"], &site.env());
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(!report.contains("asks what its times are"), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadline_for_adopted_orders_must_be_a_time_to_come() {
    let site = Adopted::original().await;
    for wrong in ["tomorrow", "2027-01-31", "2022-01-01T00:00"] {
        let refused = site.refusal(&["adopt", "--times", "database", "--yes", "--pay-by", wrong]);
        assert!(refused.contains("--pay-by must be"), "{refused}");
    }
    assert!(site.is_untouched().await);
    let done = site.run(&[
        "adopt",
        "--times",
        "database",
        "--yes",
        "--pay-by",
        "2126-01-31T18:00",
    ]);
    assert!(
        done.contains("1 unpaid order(s) have a deadline now"),
        "{done}"
    );
    let deadline = "SELECT CAST(MAX(pay_deadline) AS CHAR) FROM tb_voucher_order";
    assert_eq!(site.text(deadline).await, "2126-01-31 06:00:00.000");
}

/// One that is down, or does not take the password.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_adopted_before_the_redis_of_the_original_answers() {
    let site = Adopted::original().await;
    let secured = Redis::builder().password("right").start().await;
    let wrong = format!("redis://:wrong@{}", secured.addr());
    for url in ["redis://127.0.0.1:1", &wrong] {
        let args = ["adopt", "--times", "database", "--yes", "--redis", url];
        let refused = site.refusal(&args);
        let words = "cannot reach the original's Redis";
        assert!(refused.contains(words), "{refused}");
        assert!(!refused.contains(":wrong"), "{refused}");
        assert!(site.is_untouched().await, "{url}");
    }
}

#[test]
fn there_is_nothing_to_adopt_in_a_file() {
    let home = Home::new();
    let output = home.run(&["adopt"], &[]);
    assert!(!output.status.success());
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.contains("TANDIAN_DATABASE__URL=mysql://"), "{line}");
}

#[tokio::test]
async fn an_empty_database_is_no_database_of_the_original() {
    let (home, database) = (Home::new(), MariaDb::shared().await.create_database().await);
    let env = [("TANDIAN_DATABASE__URL", database.url())];
    let output = home.run(&["adopt", "--yes"], &env);
    assert!(!output.status.success());
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.contains("load its dump first"), "{line}");
}
