//! The same promises on every shape of Redis.

use std::time::Duration;

use redis_link::{Execution, Link, LinkError, Options, Script, Tls};
use testkit::{Redis, RedisCluster, RedisSentinel, unique_prefix};

use crate::{connect, get, incr, options, set, target};

static CONCAT: Script =
    Script::new("redis.call('SET', KEYS[1], ARGV[1] .. ARGV[2]) return redis.call('GET', KEYS[1])");

/// What must hold wherever the link leads.
async fn works(link: &Link) {
    let prefix = unique_prefix();
    let key = |name: &str| format!("{prefix}{{tag}}:{name}");
    set(link, &key("a"), "1").await.unwrap();
    assert_eq!(get(link, &key("a")).await.unwrap().as_deref(), Some("1"));
    runs_scripts(link, &key("script")).await;
    runs_pipelines(link, &prefix).await;
    classifies_refusals(link, &key("list")).await;
}

async fn runs_scripts(link: &Link, key: &str) {
    let concat = async || {
        link.eval::<String>(&CONCAT, &[key], ("x", 7))
            .await
            .unwrap()
    };
    assert_eq!(concat().await, "x7");
    let before = link.round_trips();
    assert_eq!(concat().await, "x7");
    assert_eq!(
        link.round_trips() - before,
        1,
        "a known script takes one round trip"
    );
    link.each_master::<()>(redis::cmd("SCRIPT").arg("FLUSH"))
        .await
        .unwrap();
    assert_eq!(concat().await, "x7", "a forgotten script is sent again");
}

async fn runs_pipelines(link: &Link, prefix: &str) {
    let names: Vec<String> = (0..50).map(|n| format!("{prefix}:{n}")).collect();
    let mut writes = redis::pipe();
    let mut reads = redis::pipe();
    for name in &names {
        writes.set(name, name).ignore().get(name);
        reads.get(name);
    }
    assert_eq!(link.pipe::<Vec<String>>(&writes).await.unwrap(), names);
    assert_eq!(link.pipe::<Vec<String>>(&reads).await.unwrap(), names);
    let mut atomic = redis::pipe();
    let (a, b) = (format!("{prefix}{{t}}a"), format!("{prefix}{{t}}b"));
    atomic.atomic().incr(&a, 1).incr(&b, 2);
    assert_eq!(link.pipe::<(i64, i64)>(&atomic).await.unwrap(), (1, 2));
}

async fn classifies_refusals(link: &Link, key: &str) {
    link.run::<i64>(redis::cmd("RPUSH").arg(key).arg("x"))
        .await
        .unwrap();
    let wrong_type = incr(link, key).await.unwrap_err();
    assert_eq!(wrong_type.code(), Some("WRONGTYPE"));
    assert_eq!(wrong_type.execution(), Execution::Refused);
    assert!(!wrong_type.is_outage());
    let mut pipeline = redis::pipe();
    pipeline.incr(key, 1);
    let in_pipeline = link.pipe::<Vec<i64>>(&pipeline).await.unwrap_err();
    assert_eq!(in_pipeline.code(), Some("WRONGTYPE"));
    let unreadable = link
        .run::<i64>(redis::cmd("LRANGE").arg(key).arg(0).arg(-1))
        .await;
    assert_eq!(unreadable.unwrap_err().execution(), Execution::Done);
}

#[tokio::test]
async fn a_single_server_works() {
    let redis = Redis::shared().await;
    works(&connect(&redis.url()).await).await;
}

#[tokio::test]
async fn a_unix_socket_with_a_password_works() {
    let redis = Redis::builder().password("s3cret").start().await;
    works(&connect(&redis.unix_url()).await).await;
    works(&connect(&format!("{}/3", redis.url())).await).await;
}

#[tokio::test]
async fn a_server_over_tls_works_if_its_authority_is_trusted() {
    let redis = Redis::builder().tls().start().await;
    let roots = Some(redis.tls_authority().as_bytes().to_vec());
    let trusting = Options {
        tls: Tls {
            roots,
            identity: None,
        },
        ..options()
    };
    let link = Link::connect(&target(&redis.tls_url()), trusting).await;
    works(&link.unwrap()).await;
    let stranger = Link::connect(&target(&redis.tls_url()), options()).await;
    assert!(matches!(stranger, Err(LinkError::Unreachable(_))));
    let provider = rustls::crypto::CryptoProvider::get_default();
    assert!(provider.is_none(), "it is for the program to install one");
}

#[tokio::test]
async fn a_master_behind_sentinels_works() {
    let sentinel = RedisSentinel::start().await;
    works(&connect(&sentinel.url()).await).await;
}

#[tokio::test]
async fn a_cluster_works() {
    let cluster = RedisCluster::shared().await;
    works(&connect(&cluster.url()).await).await;
}

#[tokio::test]
async fn every_master_is_called_once() {
    let cluster = RedisCluster::shared().await;
    let link = connect(&cluster.url()).await;
    let info = link
        .each_master::<String>(redis::cmd("INFO").arg("server"))
        .await;
    let addresses: Vec<String> = info
        .unwrap()
        .into_iter()
        .map(|(address, _)| address)
        .collect();
    let mut nodes: Vec<String> = cluster.nodes().iter().map(Redis::addr).collect();
    nodes.sort();
    assert_eq!(addresses, nodes);
}

#[tokio::test]
async fn the_refusal_of_an_unknown_command_does_not_quote_its_arguments() {
    let link = connect(&Redis::shared().await.url()).await;
    let error = link
        .run::<()>(redis::cmd("NOSUCH").arg("s3cret"))
        .await
        .unwrap_err();
    assert_eq!(error.execution(), Execution::Refused);
    assert!(
        !format!("{error} {error:?}").contains("s3cret"),
        "{error:?}"
    );
}

#[tokio::test]
async fn commands_beyond_the_limit_are_refused_at_once() {
    let redis = Redis::start().await;
    let narrow = Options {
        max_in_flight: 8,
        response_timeout: Duration::from_secs(5),
        ..options()
    };
    let link = Link::connect(&target(&redis.url()), narrow).await.unwrap();
    redis.freeze().await;
    let asked = (0..20).map(|_| {
        let link = link.clone();
        tokio::spawn(async move { incr(&link, "counter").await })
    });
    let asked: Vec<_> = asked.collect();
    let is_refused = |handle: &&tokio::task::JoinHandle<_>| handle.is_finished();
    testkit::wait_until("twelve refusals", Duration::from_secs(4), async || {
        asked.iter().filter(is_refused).count() == 12
    })
    .await;
    redis.thaw();
    let mut refused = 0;
    for task in asked {
        match task.await.unwrap() {
            Ok(_) => {}
            Err(LinkError::Saturated) => refused += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    assert_eq!(refused, 12);
}
