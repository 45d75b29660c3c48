//! The default site, SQLite and private Redis on one small disk, with the disk filled up and freed again; and a log that
//! cannot be written.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use domain::{SaleDraft, UserId, VoucherDraft};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use storage::shops::{NewShop, Principal};
use storage::{Db, DbOptions, check_ins, orders, shops, vouchers};
use testkit::{Client, HttpReply, PATIENT_SETTINGS, Port, SmallDisk, Tandian, wait_until};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tandian");
/// Far above what any of this takes, so that only a hang reaches it.
const PATIENCE: Duration = Duration::from_secs(120);
const DISK_KIB: u32 = 48 * 1024;
const PEOPLE: u32 = 12;

async fn open(folder: &Path) -> Db {
    let file = folder.join("tandian.db");
    let options = DbOptions::new(format!("sqlite://{}", file.display()));
    Db::connect(&options).await.unwrap()
}

/// A sale that is open, in a database that no server has yet.
async fn prepare_sale(folder: &Path) -> String {
    let db = open(folder).await;
    db.migrate().await.unwrap();
    let shop = NewShop {
        name: "茶餐厅".to_owned(),
        type_id: domain::ShopTypeId::new(1),
        images: String::new(),
        area: None,
        address: "金华路29号".to_owned(),
        x: 120.1,
        y: 30.3,
        avg_price_yuan: None,
        open_hours: None,
        phone: None,
    };
    let shop = shops::create(&db, UserId::new(7), &shop).await.unwrap();
    let draft = VoucherDraft {
        title: "50元代金券".to_owned(),
        sub_title: None,
        rules: None,
        pay_value_cents: 4_750,
        actual_value_cents: 5_000,
    };
    let now = Timestamp::now();
    let sale = SaleDraft {
        stock: 1_000,
        begin_at: now - SignedDuration::from_hours(1),
        end_at: now + SignedDuration::from_hours(1),
        limit_per_user: 1,
        spread: 1,
    };
    let sale = vouchers::create_sale(&db, Principal::Admin, shop.id, &draft, &sale).await;
    let id = sale.unwrap().unwrap().id;
    db.close().await.unwrap();
    id.to_string()
}

async fn sign_in(site: &Tandian, phone: &str) -> Client {
    let visitor = Client::new(site.url());
    let sent = visitor.post(&format!("/api/user/code?phone={phone}")).await;
    let body = json!({ "phone": phone, "code": sent.data()["demoCode"] });
    let answer = visitor.post_json("/api/user/login", &body).await;
    let token = answer.data().as_str().map(str::to_owned);
    visitor.with_token(token.unwrap_or_else(|| panic!("no token in {answer:?}")))
}

/// Whether it was done; if not, it was refused politely.
#[track_caller]
fn is_done(answer: &HttpReply) -> bool {
    match answer.status.as_u16() {
        200 => {
            assert_eq!(answer.json()["success"], true, "{answer:?}");
            true
        }
        503 => {
            assert!(!answer.header("retry-after").is_empty(), "{answer:?}");
            false
        }
        other => panic!("{other}: {answer:?}"),
    }
}

struct Person {
    id: i64,
    client: Client,
}

#[derive(Default)]
struct Answered {
    check_ins: BTreeSet<i64>,
    claims: BTreeSet<i64>,
    refused: u32,
}

impl Answered {
    async fn check_in(&mut self, person: &Person) -> bool {
        let is_done = is_done(&person.client.post("/api/user/sign").await);
        if is_done {
            self.check_ins.insert(person.id);
        }
        self.refused += u32::from(!is_done);
        is_done
    }

    /// A claim that came through although its answer did not is answered again with its order.
    async fn claim(&mut self, person: &Person, sale: &str) -> bool {
        let path = format!("/api/voucher-order/seckill/{sale}");
        let answer = person.client.post(&path).await;
        let is_bought = answer.status == 200 && answer.json()["success"] == false;
        if is_bought {
            assert_eq!(answer.code(), "already_bought", "{answer:?}");
        }
        let is_done = is_bought || is_done(&answer);
        if is_done {
            self.claims.insert(person.id);
        }
        self.refused += u32::from(!is_done);
        is_done
    }
}

async fn people(site: &Tandian) -> Vec<Person> {
    let mut people = Vec::new();
    for n in 0..PEOPLE {
        let client = sign_in(site, &format!("1390000{n:04}")).await;
        let id = client.get("/api/user/me").await.data()["id"].clone();
        let id = id.as_i64().or_else(|| id.as_str()?.parse().ok()).unwrap();
        people.push(Person { id, client });
    }
    people
}

async fn assert_kept(folder: &Path, answered: &Answered) {
    let db = open(folder).await;
    let kept = check_ins::list_people(&db, UserId::new(0), 1_000).await;
    let kept: BTreeSet<i64> = kept.unwrap().into_iter().map(UserId::get).collect();
    assert!(
        kept.is_superset(&answered.check_ins),
        "{kept:?} of {:?}",
        answered.check_ins
    );
    wait_until(
        "every claim that was answered is in SQL",
        PATIENCE,
        async || {
            for id in &answered.claims {
                let listed = orders::list_of_user(&db, UserId::new(*id), None, None, 10).await;
                if listed.unwrap().is_empty() {
                    return false;
                }
            }
            true
        },
    )
    .await;
    db.close().await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_answered_503_and_nothing_that_was_answered_is_lost() {
    let Some(disk) = SmallDisk::mount(DISK_KIB) else {
        return;
    };
    let sale = prepare_sale(disk.path()).await;
    let settings = [
        ("data_dir", disk.path().display().to_string()),
        ("disk.refuse_free_mib", "1".to_owned()),
        ("code.per_address_per_hour", "1000".to_owned()),
        ("code.logins_per_address_per_hour", "1000".to_owned()),
    ];
    let site = Tandian::new(PROGRAM, &["serve"], &settings);
    site.start();
    site.wait_until_ready().await;
    let people = people(&site).await;
    let visitor = Client::new(site.url());
    let mut answered = Answered::default();
    for person in &people[..4] {
        assert!(answered.check_in(person).await && answered.claim(person, &sale).await);
    }

    disk.fill();
    wait_until("readiness says so", PATIENCE, async || {
        visitor.get("/readyz").await.status == 503
    })
    .await;
    for _ in 0..3 {
        for person in &people[4..8] {
            answered.check_in(person).await;
            answered.claim(person, &sale).await;
        }
    }
    assert!(answered.refused > 10, "the disk was not full");
    assert_eq!(visitor.get("/healthz").await.status, 200);

    disk.free();
    site.wait_until_ready().await;
    for person in &people[4..] {
        wait_until("writes are served again", PATIENCE, async || {
            person.client.get("/api/user/me").await.status == 200
        })
        .await;
        let is_known = answered.check_ins.contains(&person.id);
        assert!(is_known || answered.check_in(person).await);
        let mut tries = 0;
        while !answered.claim(person, &sale).await {
            tries += 1;
            assert!(tries < 100, "claims are refused for ever");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    assert_eq!(answered.claims.len(), people.len());
    let log = std::fs::read_to_string(site.folder().join("service.log")).unwrap();
    let errors = log.matches("database cannot write;").count();
    assert!(errors <= 1, "{errors} errors for one full disk\n{log}");
    println!(
        "{} refused, {} lines of log",
        answered.refused,
        log.lines().count()
    );

    site.kill();
    site.start();
    site.wait_until_ready().await;
    assert_kept(disk.path(), &answered).await;
}

/// A server of its own, whose stderr is the caller's.
struct Muted {
    process: Child,
    addr: SocketAddr,
    _port: Port,
    _data: tempfile::TempDir,
}

impl Muted {
    async fn serve(stderr: Stdio) -> Self {
        let (port, data) = (Port::reserve(), tempfile::tempdir().unwrap());
        let process = Command::new(PROGRAM)
            .arg("serve")
            .current_dir(data.path())
            .env("TANDIAN_HTTP__ADDR", port.addr().to_string())
            .env("TANDIAN_METRICS__ADDR", "")
            .env("TANDIAN_LOG__FILTER", "trace")
            .envs(PATIENT_SETTINGS)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .unwrap();
        Self {
            process,
            addr: port.addr(),
            _port: port,
            _data: data,
        }
    }

    fn get(&self, path: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.addr)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Enough requests to write more than any pipe holds.
    async fn assert_serves(&mut self) {
        wait_until("it answers", PATIENCE, async || {
            let ended = self.process.try_wait().unwrap();
            assert!(ended.is_none(), "it ended: {ended:?}");
            self.get("/readyz")
                .is_ok_and(|answer| answer.contains(" 200 "))
        })
        .await;
        for _ in 0..300 {
            let answer = self.get("/api/shop-type/list").unwrap();
            assert!(answer.contains(" 200 "), "{answer}");
        }
        assert!(self.process.try_wait().unwrap().is_none());
    }
}

impl Drop for Muted {
    fn drop(&mut self) {
        // By request first, so that the private Redis ends in order.
        let pid = self.process.id().to_string();
        let _ = Command::new("kill").args(["-INT", &pid]).status();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_on_a_full_disk_does_not_end_the_server() {
    let Some(disk) = SmallDisk::mount(256) else {
        return;
    };
    let log = File::create(disk.path().join("log")).unwrap();
    disk.fill();
    Muted::serve(log.into()).await.assert_serves().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_into_a_closed_pipe_does_not_end_the_server() {
    let mut site = Muted::serve(Stdio::piped()).await;
    drop(site.process.stderr.take());
    site.assert_serves().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_into_a_pipe_that_nobody_reads_does_not_block_the_server() {
    Muted::serve(Stdio::piped()).await.assert_serves().await;
}
