//! How often each way of caching asks the database, at the worst moment.

use lab::{CacheTrial, run_caches};

use crate::versions::lab;

#[tokio::test(flavor = "multi_thread")]
async fn every_way_asks_the_database_as_often_as_it_must() {
    let all = run_caches(lab().await.ground(), |_| ()).await.unwrap();
    let loads = |way: &str| {
        let (_, findings) = all.iter().find(|(id, _)| *id == way).unwrap();
        let of = |trial| findings.iter().find(|it| it.trial == trial).unwrap().loads;
        [
            of(CacheTrial::Stampede),
            of(CacheTrial::Penetration),
            of(CacheTrial::Avalanche),
        ]
    };
    // A hundred readers of one entry; a hundred absent ids, twice; fifty entries with four readers each.
    assert_eq!(loads("no-cache"), [100, 200, 200]);
    assert_eq!(loads("null-values"), [100, 100, 200]);
    assert_eq!(loads("mutex"), [1, 100, 50]);
    assert_eq!(loads("logical-expiry"), [1, 0, 50]);
    let [stampede, penetration, avalanche] = loads("two-levels");
    assert_eq!((stampede, avalanche), (1, 50));
    // One absent id in a thousand passes the filter, and is then asked for once.
    assert!(
        penetration <= 2,
        "{penetration} loads of ids that do not exist"
    );
}
