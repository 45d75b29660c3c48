//! Reading URLs, and keeping the passwords in them.

use std::{error::Error, time::Duration};

use redis_link::{BadTarget, Link, Options, Target};

#[test]
fn every_form_of_url_is_read_and_shown_without_its_password() {
    let forms = [
        ("redis://localhost", "redis://localhost:6379"),
        ("redis://127.0.0.1:7000/3", "redis://127.0.0.1:7000/3"),
        ("redis://[::1]:7000/", "redis://[::1]:7000"),
        ("redis://[fe80::1]", "redis://[fe80::1]:6379"),
        ("redis://:s3cret@h", "redis://:***@h:6379"),
        ("redis://ann@h", "redis://ann@h:6379"),
        ("rediss://ann:s3cret@h:1/2", "rediss://ann:***@h:1/2"),
        ("redis://ann:a%40b%2Fc@h", "redis://ann:***@h:6379"),
        ("redis://ann:un@esc/ap?ed@h:1", "redis://ann:***@h:1"),
        ("unix:///run/r.sock", "unix:///run/r.sock"),
        (
            "redis+unix:///run/r.sock?db=2&user=ann&pass=s3cret",
            "unix://ann:***@/run/r.sock?db=2",
        ),
        (
            "redis-cluster://a,b:1,[::1]",
            "redis-cluster://a:6379,b:1,[::1]:6379",
        ),
        (
            "rediss-cluster://u:s3cret@a",
            "rediss-cluster://u:***@a:6379",
        ),
        (
            "redis-sentinel://u:s3cret@a,b:1/main/2?sentinel_user=w&sentinel_pass=s3cret",
            "redis-sentinel://u:***@a:26379,b:1/main/2",
        ),
        ("rediss-sentinel://a/main", "rediss-sentinel://a:26379/main"),
    ];
    for (url, shown) in forms {
        let target = Target::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"));
        assert_eq!(target.to_string(), shown);
        assert!(!format!("{target:?}").contains("s3cret"), "{url}");
    }
}

#[test]
fn the_same_servers_have_the_same_address_whoever_signs_in_and_in_whatever_order() {
    let address = |url: &str| Target::parse(url).unwrap().address();
    assert_eq!(address("redis://ann:s3cret@h"), "h:6379");
    assert_eq!(address("redis://ann@h"), address("redis://bob@h"));
    assert_ne!(address("redis://h"), address("redis://h/1"));
    assert_ne!(address("redis://h"), address("redis://g"));
    let cluster = address("redis-cluster://a,b");
    assert_eq!(cluster, address("redis-cluster://b,a,b"));
    let sentinel = address("redis-sentinel://a,b/main/2");
    assert_eq!(sentinel, "a:26379,b:26379/main/2");
    assert_ne!(sentinel, address("redis-sentinel://a,b/other/2"));
}

#[test]
fn every_mistake_is_named_with_an_example_and_without_the_url() {
    let mistakes = [
        ("", BadTarget::Scheme),
        ("localhost:6379", BadTarget::Scheme),
        ("http://s3cret", BadTarget::Scheme),
        ("redis://", BadTarget::NoHost),
        ("redis://user:s3cret@", BadTarget::NoHost),
        ("redis-cluster://,", BadTarget::NoHost),
        ("redis://user:s3cret", BadTarget::Port),
        ("redis://h:0", BadTarget::Port),
        ("redis://h:65536", BadTarget::Port),
        ("redis://h:", BadTarget::Port),
        ("redis://::1", BadTarget::Host),
        ("redis://[::1", BadTarget::Host),
        ("redis://[s3cret]", BadTarget::Host),
        ("redis://[::1]6379", BadTarget::Host),
        ("redis://a b", BadTarget::Host),
        ("redis://a,b", BadTarget::SeveralHosts),
        ("redis://h/s3cret", BadTarget::Database),
        ("redis://h/-1", BadTarget::Database),
        ("unix:///r.sock?db=x", BadTarget::Database),
        ("redis-cluster://h/1", BadTarget::ClusterDatabase),
        ("redis-sentinel://h", BadTarget::NoMaster),
        ("redis-sentinel://h/", BadTarget::NoMaster),
        ("unix://r.sock", BadTarget::SocketPath),
        ("unix://", BadTarget::SocketPath),
        ("redis://:s3cret%4@h", BadTarget::Escape),
        ("redis://:%ff@h", BadTarget::Escape),
        ("redis://h?s3cret=1", BadTarget::Parameter),
        ("unix:///r.sock?dbs=1", BadTarget::Parameter),
        ("redis-sentinel://h/main?pass=s3cret", BadTarget::Parameter),
    ];
    for (url, mistake) in mistakes {
        let error = Target::parse(url).expect_err(url);
        assert_eq!(error, mistake, "{url}");
        assert!(error.to_string().contains("://"), "{error}");
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{url}");
    }
}

#[tokio::test]
async fn a_wrong_password_is_refused_and_shown_nowhere() {
    let redis = testkit::Redis::builder().password("right").start().await;
    let url = format!("redis://:wr0ngpass@{}", redis.addr());
    let target = Target::parse(&url).unwrap();
    let options = Options {
        connect_timeout: Duration::from_secs(5),
        response_timeout: Duration::from_secs(5),
        ..Options::default()
    };
    let error = Link::connect(&target, options.clone()).await.unwrap_err();
    let source = error.source().unwrap().to_string();
    assert!(source.contains("WRONGPASS"), "{source}");
    let lazy = Link::connect_lazy(&target, options);
    for shown in [
        format!("{error} {error:?} {source}"),
        format!("{target} {target:?} {lazy:?}"),
    ] {
        assert!(!shown.contains("wr0ngpass"), "{shown}");
    }
}

/// What an outsider compiles who leaves the feature `tls` out.
#[test]
fn a_build_without_tls_has_neither_rustls_nor_ring() {
    let tree = |features: &[&str]| {
        let scope = ["tree", "--offline", "-p", "redis-link", "-e", "normal"];
        let output = std::process::Command::new(env!("CARGO"))
            .args(scope)
            .args(["--prefix", "none"])
            .args(features)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let names = |tree: &str, name: &str| tree.lines().any(|line| line.starts_with(name));
    let (plain, with_tls) = (tree(&[]), tree(&["--features", "tls"]));
    for library in ["rustls v", "ring v", "webpki-roots v"] {
        assert!(!names(&plain, library), "{library}: {plain}");
        assert!(names(&with_tls, library), "{library}: {with_tls}");
    }
}
