//! The geo index: all of it or none of it, and never older than its newest writer.

use domain::{Position, ShopId, ShopTypeId};
use kv::{GeoIndexEntry, Kv, Near, Placed};

use crate::both;

const FOOD: ShopTypeId = ShopTypeId::new(1);
const HERE: (f64, f64) = (120.149993, 30.334229);
const RADIUS_METRES: u32 = 5_000;

fn at((x, y): (f64, f64)) -> Position {
    Position::new(x, y).unwrap()
}

/// So many hundredths of a degree east of here, which are about 960 metres each.
fn east(id: i64, hundredths: f64) -> GeoIndexEntry {
    GeoIndexEntry {
        id: ShopId::new(id),
        position: at((HERE.0 + hundredths / 100.0, HERE.1)),
    }
}

async fn load(kv: &Kv, places: &[GeoIndexEntry], fence: u64) -> bool {
    kv.stage_places(FOOD, places, fence).await.unwrap();
    kv.publish_places(FOOD, places.len(), fence).await.unwrap()
}

async fn find(kv: &Kv, count: usize) -> Option<Vec<Near>> {
    let found = kv.find_near(FOOD, at(HERE), RADIUS_METRES, count).await;
    found.unwrap()
}

async fn ids(kv: &Kv) -> Vec<i64> {
    let found = find(kv, 100).await.expect("the index is loaded");
    found.iter().map(|near| near.id.get()).collect()
}

#[tokio::test]
async fn a_loaded_index_answers_nearest_first_within_the_radius() {
    for kv in both().await {
        let far = east(4, 6.0);
        assert!(load(&kv, &[east(3, 3.0), east(1, 1.0), far, east(2, 2.0)], 1).await);
        assert_eq!(ids(&kv).await, [1, 2, 3]);
        let two = find(&kv, 2).await.unwrap();
        assert_eq!(two.len(), 2);
        let exact = at(HERE).metres_to(east(1, 1.0).position);
        assert!((two[0].metres - exact).abs() < 1.0, "{two:?} but {exact}");
    }
}

#[tokio::test]
async fn not_loaded_and_empty_are_told_apart() {
    for kv in both().await {
        assert_eq!(find(&kv, 5).await, None);
        assert!(!kv.is_geo_loaded(FOOD).await.unwrap());
        kv.stage_places(FOOD, &[east(1, 1.0)], 1).await.unwrap();
        assert_eq!(find(&kv, 5).await, None, "staged is not loaded");
        assert!(load(&kv, &[], 2).await);
        assert_eq!(find(&kv, 5).await, Some(Vec::new()));
        assert!(kv.is_geo_loaded(FOOD).await.unwrap());
    }
}

#[tokio::test]
async fn an_index_that_lost_members_on_the_way_is_not_published() {
    for kv in both().await {
        let places = [east(1, 1.0), east(2, 2.0)];
        kv.stage_places(FOOD, &places[1..], 1).await.unwrap();
        assert!(!kv.publish_places(FOOD, places.len(), 1).await.unwrap());
        assert_eq!(find(&kv, 5).await, None);
    }
}

#[tokio::test]
async fn a_change_goes_into_a_loaded_index_only() {
    for kv in both().await {
        let place = east(1, 1.0);
        let changed = |position, fence| kv.place_shop(FOOD, place.id, position, fence);
        let moved = Some(place.position);
        assert_eq!(changed(moved, 1).await.unwrap(), Placed::NotLoaded);
        assert_eq!(find(&kv, 5).await, None);
        load(&kv, &[east(2, 2.0)], 2).await;
        assert_eq!(changed(moved, 3).await.unwrap(), Placed::Done);
        assert_eq!(ids(&kv).await, [1, 2]);
        assert_eq!(changed(None, 4).await.unwrap(), Placed::Done);
        assert_eq!(ids(&kv).await, [2]);
    }
}

#[tokio::test]
async fn a_writer_whose_lock_went_to_another_changes_nothing() {
    for kv in both().await {
        load(&kv, &[east(1, 1.0)], 10).await;
        assert!(!load(&kv, &[east(2, 1.0)], 9).await, "an older load");
        let older = kv.place_shop(FOOD, ShopId::new(1), None, 9).await.unwrap();
        assert_eq!(older, Placed::Outdated);
        assert_eq!(ids(&kv).await, [1]);
        let newer = kv.place_shop(FOOD, ShopId::new(1), None, 11).await.unwrap();
        assert_eq!(newer, Placed::Done);
        assert!(!load(&kv, &[east(1, 1.0)], 10).await, "older than a change");
        assert_eq!(ids(&kv).await, [0; 0]);
    }
}

#[tokio::test]
async fn a_new_index_replaces_the_old_one_as_a_whole() {
    for kv in both().await {
        let many: Vec<GeoIndexEntry> = (1..=2_500).map(|id| east(id, 1.0)).collect();
        assert!(load(&kv, &many, 1).await);
        assert_eq!(find(&kv, 5_000).await.unwrap().len(), 2_500);
        assert!(load(&kv, &[east(9_999, 1.0)], 2).await);
        assert_eq!(ids(&kv).await, [9_999]);
    }
}
