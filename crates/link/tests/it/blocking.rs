//! Waiting on the server on purpose.

use std::time::{Duration, Instant};

use redis::streams::StreamReadReply;
use redis_link::{Execution, Link};
use testkit::{FaultProxy, Redis, RedisCluster, unique_prefix, wait_until};

use crate::{TEST_TIMEOUT, connect, incr, options};

fn read_group(stream: &str, block: Duration) -> redis::Cmd {
    let mut read = redis::cmd("XREADGROUP");
    read.arg("GROUP").arg("g").arg("c").arg("COUNT").arg(10);
    read.arg("BLOCK").arg(block.as_millis() as u64);
    read.arg("STREAMS").arg(stream).arg(">");
    read
}

async fn make_group(link: &Link, stream: &str) {
    let mut make = redis::cmd("XGROUP");
    make.arg("CREATE")
        .arg(stream)
        .arg("g")
        .arg("0")
        .arg("MKSTREAM");
    link.run::<()>(&make).await.unwrap();
}

async fn add(link: &Link, stream: &str) {
    let mut add = redis::cmd("XADD");
    add.arg(stream).arg("*").arg("field").arg("value");
    link.run::<String>(&add).await.unwrap();
}

#[tokio::test]
async fn a_blocking_read_may_wait_longer_than_any_other_command() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    make_group(&link, "s").await;
    let block = options().response_timeout * 2;
    let mut blocking = link.blocking();
    let since = Instant::now();
    let nothing: Option<StreamReadReply> =
        blocking.run(&read_group("s", block), block).await.unwrap();
    assert!(nothing.is_none());
    assert!(since.elapsed() >= block, "{:?}", since.elapsed());
}

#[tokio::test]
async fn an_entry_wakes_the_reader_and_commands_do_not_wait_behind_it() {
    let cluster = RedisCluster::shared().await;
    let link = connect(&cluster.url()).await;
    let prefix = unique_prefix();
    for name in ["a", "b", "c", "d"] {
        let stream = format!("{prefix}{name}");
        make_group(&link, &stream).await;
        let reader = tokio::spawn({
            let (mut blocking, stream) = (link.blocking(), stream.clone());
            async move {
                let read = read_group(&stream, TEST_TIMEOUT);
                blocking.run::<StreamReadReply>(&read, TEST_TIMEOUT).await
            }
        });
        incr(&link, &format!("{prefix}n")).await.unwrap();
        add(&link, &stream).await;
        let reply = reader.await.unwrap().unwrap();
        assert_eq!(reply.keys[0].key, stream);
        assert_eq!(reply.keys[0].ids.len(), 1);
    }
}

#[tokio::test]
async fn a_lost_connection_ends_the_wait_and_the_next_read_works() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    make_group(&link, "s").await;
    let mut blocking = link.blocking();
    let read = read_group("s", TEST_TIMEOUT);
    let wait = blocking.run::<StreamReadReply>(&read, TEST_TIMEOUT);
    let kill = async {
        wait_until("the reader to block", TEST_TIMEOUT, async || {
            let info: String = link.run(redis::cmd("INFO").arg("clients")).await.unwrap();
            info.contains("blocked_clients:1")
        })
        .await;
        redis.stop_hard();
    };
    let (waited, ()) = tokio::join!(wait, kill);
    assert_eq!(waited.unwrap_err().execution(), Execution::Unknown);
    redis.start_again().await;
    wait_until("the link to work", TEST_TIMEOUT, async || {
        incr(&link, "n").await.is_ok()
    })
    .await;
    add(&link, "s").await;
    let reply: StreamReadReply = blocking.run(&read, TEST_TIMEOUT).await.unwrap();
    assert_eq!(reply.keys[0].ids.len(), 1);
}

#[tokio::test]
async fn a_black_hole_ends_a_blocking_read_one_timeout_after_its_block() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = connect(&format!("redis://{}", proxy.addr())).await;
    make_group(&link, "s").await;
    let block = Duration::from_millis(100);
    let mut blocking = link.blocking();
    let read = read_group("s", block);
    let _: Option<StreamReadReply> = blocking.run(&read, block).await.unwrap();
    proxy.drop_replies().await;
    let since = Instant::now();
    let error = blocking.run::<Option<StreamReadReply>>(&read, block).await;
    assert_eq!(error.unwrap_err().execution(), Execution::Unknown);
    assert!(since.elapsed() < (block + options().response_timeout) * 2);
}
