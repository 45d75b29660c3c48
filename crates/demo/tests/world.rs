//! The demo world as a seeder sees it: stable, closed under reference, within every column.

use std::collections::{HashMap, HashSet};

use demo::{ADMIN_PHONE, Demo, DemoPlan, MERCHANT_PHONE, Role, ScaleOutOfRange, VISITOR_PHONE};
use jiff::{SignedDuration, Timestamp};

const NOW_SECS: i64 = 1_750_000_000;

/// Longest distance of the original's "nearby", and the position its pages are fixed to.
const NEARBY_METRES: f64 = 5_000.0;
const HOME: (f64, f64) = (120.149_993, 30.334_229);

fn now() -> Timestamp {
    Timestamp::from_second(NOW_SECS).expect("a moment of this century")
}

fn demo(scale: u32) -> Demo {
    Demo::new(DemoPlan { scale, now: now() }).expect("tests use scales in range")
}

fn fits(text: &str, characters: usize) -> bool {
    text.chars().count() <= characters
}

fn metres_between(a: (f64, f64), b: (f64, f64)) -> f64 {
    const EARTH_RADIUS_METRES: f64 = 6_371_000.0;
    let (lat_a, lat_b) = (a.1.to_radians(), b.1.to_radians());
    let (dx, dy) = ((b.0 - a.0).to_radians(), lat_b - lat_a);
    let h = (dy / 2.0).sin().powi(2) + lat_a.cos() * lat_b.cos() * (dx / 2.0).sin().powi(2);
    2.0 * EARTH_RADIUS_METRES * h.sqrt().asin()
}

#[test]
fn one_plan_always_gives_the_same_world() {
    let (a, b) = (demo(2), demo(2));
    assert!(a.people().eq(b.people()));
    assert!(a.shops().eq(b.shops()));
    assert!(a.notes().eq(b.notes()));
    assert!(a.comments().eq(b.comments()));
    assert!(a.likes().eq(b.likes()));
    assert!(a.follows().eq(b.follows()));
    assert!(a.vouchers().eq(b.vouchers()));
}

#[test]
fn the_world_does_not_drift_between_versions() {
    let world = demo(1);
    let person = world.people().nth(499).unwrap();
    let shop = world.shops().next().unwrap();
    let note = world.notes().next().unwrap();
    assert_eq!(person.nick_name, "不想上班的面包超人");
    assert_eq!(
        (shop.name.as_str(), shop.x, shop.y),
        ("巷口面馆(大关店)", 120.152902, 30.311073)
    );
    assert_eq!(
        (note.title.as_str(), note.liked),
        ("大关的清晨从红烧大排面开始", 2)
    );
}

#[test]
fn a_larger_scale_multiplies_and_keeps_what_was_there() {
    let (small, large) = (demo(1), demo(10));
    assert_eq!(small.people().count(), 1_000);
    assert_eq!(small.shops().count(), 300);
    assert_eq!(small.notes().count(), 600);
    assert_eq!(large.people().count(), 10_000);
    assert_eq!(large.shops().count(), 3_000);
    assert_eq!(large.notes().count(), 6_000);
    assert!(small.shops().eq(large.shops().take(300)));
    assert!(small.notes().eq(large.notes().take(600)));
    assert_eq!(large.counts().notes, 6_000);
}

#[test]
fn ids_count_up_from_one() {
    let world = demo(2);
    assert!(world.people().map(|p| p.id).eq(1..=2_000));
    assert!(world.shops().map(|s| s.id).eq(1..=600));
    assert!(world.notes().map(|n| n.id).eq(1..=1_200));
    assert!(world.comments().zip(1..).all(|(c, id)| c.id == id));
    assert!(world.follows().zip(1..).all(|(f, id)| f.id == id));
    assert!(world.vouchers().zip(1..).all(|(v, id)| v.id == id));
}

#[test]
fn a_scale_of_zero_or_beyond_the_phone_numbers_is_refused() {
    let now = Timestamp::UNIX_EPOCH;
    for scale in [0, demo::MAX_SCALE + 1] {
        let refused = Demo::new(DemoPlan { scale, now }).unwrap_err();
        assert_eq!(refused, ScaleOutOfRange(scale));
    }
    assert!(
        Demo::new(DemoPlan {
            scale: demo::MAX_SCALE,
            now
        })
        .is_ok()
    );
}

#[test]
fn the_first_three_people_are_the_demo_accounts() {
    let accounts: Vec<_> = demo(1)
        .people()
        .take(3)
        .map(|p| (p.phone, p.role))
        .collect();
    let expected = [
        (VISITOR_PHONE, Role::User),
        (MERCHANT_PHONE, Role::Merchant),
        (ADMIN_PHONE, Role::Admin),
    ];
    assert_eq!(
        accounts,
        expected.map(|(phone, role)| (phone.to_owned(), role))
    );
}

#[test]
fn phone_numbers_are_valid_and_unique() {
    let mut seen = HashSet::new();
    for person in demo(3).people() {
        let valid = person.phone.len() == 11
            && person.phone.starts_with("138")
            && person.phone.bytes().all(|b| b.is_ascii_digit());
        assert!(valid, "{}", person.phone);
        assert!(seen.insert(person.phone));
    }
}

#[test]
fn every_text_fits_its_column() {
    let world = demo(2);
    for p in world.people() {
        assert!(fits(&p.nick_name, 32) && fits(p.introduce, 128) && fits(&p.icon, 255));
        assert!(!p.nick_name.is_empty() && fits(p.city, 64));
    }
    for s in world.shops() {
        assert!(fits(&s.name, 128) && fits(s.area, 128) && fits(&s.address, 255));
        assert!(fits(&s.images.join(","), 1_024) && fits(s.open_hours, 32));
        assert!(fits(&s.phone, 32) && s.phone.contains("-0"));
    }
    for n in world.notes() {
        assert!(fits(&n.title, 255) && fits(&n.content, 2_048));
        assert!(fits(&n.images.join(","), 2_048));
    }
    assert!(world.comments().all(|c| fits(c.content, 255)));
    for v in world.vouchers() {
        assert!(fits(&v.title, 255) && fits(v.sub_title, 255) && fits(&v.rules, 1_024));
    }
}

#[test]
fn no_placeholder_is_left_in_a_note() {
    for note in demo(2).notes() {
        assert!(!note.title.contains(['{', '}']), "{}", note.title);
        assert!(!note.content.contains(['{', '}']), "{}", note.content);
    }
}

#[test]
fn no_two_of_the_first_notes_read_the_same() {
    let contents: HashSet<String> = demo(1).notes().map(|n| n.content).collect();
    assert_eq!(contents.len(), 600);
    let titles: HashSet<String> = demo(1).notes().map(|n| n.title).collect();
    assert!(titles.len() > 400, "only {} different titles", titles.len());
}

#[test]
fn a_note_is_two_to_six_sentences() {
    for note in demo(1).notes() {
        let sentences = note.content.matches('。').count();
        assert!((2..=6).contains(&sentences), "{}", note.content);
    }
}

#[test]
fn notes_rate_their_shop_near_their_stars_and_recommend_what_they_liked() {
    let (mut rated, mut recommending) = (0, 0);
    for note in demo(1).notes() {
        for rating in note.ratings.into_iter().flatten() {
            assert!((1..=5).contains(&rating) && rating.abs_diff(note.score) <= 1);
        }
        rated += u32::from(note.ratings.iter().all(Option::is_some));
        let different: HashSet<&str> = note.dishes.iter().copied().collect();
        assert!(note.dishes.len() <= 3 && different.len() == note.dishes.len());
        assert!(note.dishes.iter().all(|name| fits(name, 20)));
        assert!(note.dishes.is_empty() || note.score >= 4);
        recommending += u32::from(!note.dishes.is_empty());
    }
    assert!((350..550).contains(&rated), "{rated} of 600");
    assert!((200..500).contains(&recommending), "{recommending} of 600");
}

#[test]
fn notes_and_shops_have_one_to_four_pictures_of_the_pool() {
    let world = demo(1);
    let pool: HashSet<String> = world
        .pictures()
        .map(|p| format!("/imgs/{}", p.file))
        .collect();
    let lists = world
        .notes()
        .map(|n| n.images)
        .chain(world.shops().map(|s| s.images));
    for images in lists {
        assert!((1..=4).contains(&images.len()));
        assert!(images.iter().all(|image| pool.contains(image)));
        assert_eq!(images.iter().collect::<HashSet<_>>().len(), images.len());
    }
    assert!(world.people().all(|p| pool.contains(&p.icon)));
    assert!(
        world
            .shop_types()
            .all(|t| pool.contains(&format!("/imgs{}", t.icon)))
    );
}

#[test]
fn many_shops_of_every_type_are_near_the_original_position() {
    let mut near: HashMap<i64, u32> = HashMap::new();
    for shop in demo(1).shops() {
        if metres_between(HOME, (shop.x, shop.y)) < NEARBY_METRES {
            *near.entry(shop.type_id).or_default() += 1;
        }
    }
    assert!(near.values().sum::<u32>() >= 40);
    assert!(
        (1..=10).all(|type_id| near.get(&type_id) >= Some(&3)),
        "{near:?}"
    );
}

#[test]
fn every_shop_stands_inside_its_city() {
    for shop in demo(2).shops() {
        let ((west, south), (east, north)) = match shop.city {
            "杭州" => ((119.95, 30.12), (120.45, 30.42)),
            "上海" => ((121.30, 31.10), (121.65, 31.35)),
            "成都" => ((103.98, 30.54), (104.16, 30.74)),
            other => panic!("no shops were meant to be in {other}"),
        };
        assert!(
            (west..east).contains(&shop.x) && (south..north).contains(&shop.y),
            "{shop:?}"
        );
    }
}

#[test]
fn no_two_shops_of_the_first_block_share_a_name() {
    let names: HashSet<String> = demo(1).shops().map(|s| s.name).collect();
    assert_eq!(names.len(), 300);
}

#[test]
fn shops_belong_to_merchants_and_many_to_the_demo_merchant() {
    let world = demo(2);
    let merchants: HashSet<i64> = world
        .people()
        .filter(|p| p.role == Role::Merchant)
        .map(|p| p.id)
        .collect();
    assert!(world.shops().all(|s| merchants.contains(&s.owner_id)));
    assert_eq!(world.shops().filter(|s| s.owner_id == 2).count(), 100);
}

#[test]
fn every_reference_points_at_something_older() {
    let world = demo(2);
    let people: HashMap<i64, Timestamp> = world.people().map(|p| (p.id, p.joined_at)).collect();
    let shops: HashMap<i64, Timestamp> = world.shops().map(|s| (s.id, s.opened_at)).collect();
    let notes: HashMap<i64, Timestamp> = world.notes().map(|n| (n.id, n.created_at)).collect();
    let now = now();
    for n in world.notes() {
        assert!(people[&n.author_id] < n.created_at && shops[&n.shop_id] < n.created_at);
        assert!(n.created_at < now && now - SignedDuration::from_hours(60 * 24) <= n.created_at);
    }
    for l in world.likes() {
        assert!(people.contains_key(&l.person_id));
        assert!(notes[&l.note_id] <= l.created_at && l.created_at < now);
    }
    for c in world.comments() {
        assert!(people.contains_key(&c.author_id));
        assert!(notes[&c.note_id] <= c.created_at && c.created_at <= now);
    }
    for f in world.follows() {
        assert!(people[&f.follower_id] < f.created_at && people[&f.followed_id] < f.created_at);
    }
    assert!(world.vouchers().all(|v| shops.contains_key(&v.shop_id)));
}

#[test]
fn an_answer_comes_after_the_comment_it_answers_under_the_same_note() {
    let comments: Vec<_> = demo(1).comments().collect();
    let by_id: HashMap<i64, _> = comments.iter().map(|c| (c.id, c)).collect();
    let answers: Vec<_> = comments.iter().filter(|c| c.answer_id != 0).collect();
    assert!(!answers.is_empty());
    for answer in answers {
        let answered = by_id[&answer.answer_id];
        assert!(answered.id < answer.id && answered.created_at <= answer.created_at);
        assert_eq!(answered.note_id, answer.note_id);
        assert_eq!((answered.parent_id, answer.parent_id), (0, answered.id));
    }
}

#[test]
fn the_author_answers_others_and_most_questions_of_others() {
    let world = demo(1);
    let authors: HashMap<i64, i64> = world.notes().map(|n| (n.id, n.author_id)).collect();
    let comments: Vec<_> = world.comments().collect();
    let answered: HashSet<i64> = comments.iter().map(|c| c.answer_id).collect();
    let (mut questions, mut unanswered) = (0, 0);
    for comment in &comments {
        let by_author = comment.author_id == authors[&comment.note_id];
        assert_eq!(by_author, comment.answer_id != 0, "{comment:?}");
        if comment.answer_id == 0 && comment.content.contains('？') {
            questions += 1;
            unanswered += usize::from(!answered.contains(&comment.id));
        }
    }
    assert!(
        questions > 200 && unanswered * 4 < questions,
        "{unanswered} of {questions}"
    );
}

#[test]
fn nobody_writes_in_the_small_hours() {
    let world = demo(1);
    let notes = world.notes().map(|n| n.created_at);
    for moment in notes.chain(world.comments().map(|c| c.created_at)) {
        // The cities are eight hours ahead of UTC.
        let hour = (moment.as_second() + 8 * 3600).rem_euclid(24 * 3600) / 3600;
        assert!(hour >= 7 || hour == 0, "{moment}");
    }
}

#[test]
fn rooms_and_fronts_are_those_of_the_shop_wherever_it_is_shown() {
    let world = demo(1);
    let shops: HashMap<i64, _> = world.shops().map(|s| (s.id, s)).collect();
    for note in world.notes() {
        let shop = &shops[&note.shop_id];
        for image in &note.images {
            let is_dish = shop.type_id == 1 && !image.contains("/front-");
            assert!(is_dish || shop.images.contains(image), "{note:?}");
        }
    }
}

#[test]
fn likes_and_follows_are_unique_and_nobody_follows_themselves() {
    let world = demo(2);
    let mut likes = HashSet::new();
    assert!(
        world
            .likes()
            .all(|l| likes.insert((l.note_id, l.person_id)))
    );
    let mut follows = HashSet::new();
    for f in world.follows() {
        assert_ne!(f.follower_id, f.followed_id);
        assert!(follows.insert((f.follower_id, f.followed_id)));
    }
}

#[test]
fn every_counter_is_the_number_of_things_it_counts() {
    let world = demo(3);
    let count = |ids: &mut dyn Iterator<Item = i64>| {
        ids.fold(HashMap::new(), |mut counts: HashMap<i64, u32>, id| {
            *counts.entry(id).or_default() += 1;
            counts
        })
    };
    let likes = count(&mut world.likes().map(|l| l.note_id));
    let comments = count(&mut world.comments().map(|c| c.note_id));
    let fans = count(&mut world.follows().map(|f| f.followed_id));
    let followees = count(&mut world.follows().map(|f| f.follower_id));
    let notes = count(&mut world.notes().map(|n| n.shop_id));
    let of = |counts: &HashMap<i64, u32>, id| counts.get(&id).copied().unwrap_or(0);
    for n in world.notes() {
        assert_eq!(
            (n.liked, n.comments),
            (of(&likes, n.id), of(&comments, n.id))
        );
    }
    for p in world.people() {
        assert_eq!(
            (p.fans, p.followees),
            (of(&fans, p.id), of(&followees, p.id))
        );
    }
    for s in world.shops() {
        assert_eq!(s.comments, of(&notes, s.id));
    }
}

#[test]
fn a_shop_scores_the_mean_of_its_notes() {
    let world = demo(1);
    let mut scores: HashMap<i64, Vec<f64>> = HashMap::new();
    for n in world.notes() {
        assert!((1..=5).contains(&n.score));
        scores
            .entry(n.shop_id)
            .or_default()
            .push(f64::from(n.score));
    }
    for s in world.shops() {
        let of_shop = &scores[&s.id];
        let mean = of_shop.iter().sum::<f64>() / of_shop.len() as f64;
        assert!(
            (f64::from(s.score) - mean * 10.0).abs() <= 0.5,
            "{} {mean}",
            s.score
        );
    }
}

#[test]
fn a_few_people_are_far_more_popular_than_the_rest() {
    let mut fans: Vec<u32> = demo(1).people().map(|p| p.fans).collect();
    fans.sort_unstable();
    assert!(
        fans[999] > 400 && fans[500] < 20,
        "{} {}",
        fans[999],
        fans[500]
    );
}

#[test]
fn the_demo_visitor_has_a_feed_to_read() {
    let world = demo(1);
    let followed: HashSet<i64> = world
        .follows()
        .filter(|f| f.follower_id == 1)
        .map(|f| f.followed_id)
        .collect();
    assert!(
        world
            .notes()
            .filter(|n| followed.contains(&n.author_id))
            .count()
            >= 20
    );
}

#[test]
fn one_sale_runs_one_starts_soon_and_one_is_over() {
    let now = now();
    let soon = now + SignedDuration::from_mins(10);
    let world = demo(1);
    let owned: HashSet<i64> = world
        .shops()
        .filter(|s| s.owner_id == 2)
        .map(|s| s.id)
        .collect();
    let sales: Vec<_> = world
        .vouchers()
        .filter(|v| owned.contains(&v.shop_id))
        .filter_map(|v| v.flash_sale)
        .collect();
    assert!(sales.iter().any(|s| s.begin_at <= now && now < s.end_at));
    assert!(sales.iter().any(|s| now < s.begin_at && s.begin_at <= soon));
    assert!(sales.iter().any(|s| s.end_at < now));
    assert!(sales.iter().all(|s| s.begin_at < s.end_at && s.stock > 0));
}

#[test]
fn a_sale_is_open_for_hours() {
    for sale in demo(2).vouchers().filter_map(|v| v.flash_sale) {
        let minutes = (sale.end_at - sale.begin_at).total(jiff::Unit::Minute);
        assert!((120.0..=720.0).contains(&minutes.unwrap()), "{sale:?}");
    }
}

#[test]
fn of_the_running_sales_some_are_half_sold_one_nearly_and_one_altogether() {
    let now = now();
    let left: Vec<f64> = demo(1)
        .vouchers()
        .filter_map(|v| v.flash_sale)
        .filter(|s| s.begin_at <= now && now < s.end_at)
        .map(|s| 1.0 - s.sold.len() as f64 / f64::from(s.stock))
        .collect();
    let half = left.iter().filter(|left| (0.3..0.7).contains(*left));
    assert!(half.count() >= 2, "{left:?}");
    assert!(left.iter().any(|left| (0.001..0.1).contains(left)));
    assert!(left.contains(&0.0), "{left:?}");
}

#[test]
fn what_is_sold_went_to_different_people_within_the_window() {
    let now = now();
    let world = demo(2);
    let buyers: HashSet<i64> = world
        .people()
        .filter(|p| p.role == Role::User && p.id > 3)
        .map(|p| p.id)
        .collect();
    let mut orders = 0;
    for sale in world.vouchers().filter_map(|v| v.flash_sale) {
        assert!(sale.sold.len() <= sale.stock as usize);
        let of_sale: HashSet<i64> = sale.sold.iter().map(|unit| unit.buyer_id).collect();
        assert_eq!(of_sale.len(), sale.sold.len());
        assert!(of_sale.is_subset(&buyers));
        for unit in &sale.sold {
            orders += 1;
            assert_eq!(unit.order_id, orders);
            assert!(sale.begin_at <= unit.bought_at && unit.bought_at <= unit.used_at);
            assert!(unit.bought_at <= sale.end_at && unit.used_at <= now);
        }
    }
    assert!(orders > 500, "{orders}");
}

#[test]
fn a_voucher_costs_less_than_it_is_worth() {
    let mut ordinary = 0;
    for v in demo(1).vouchers() {
        assert!(0 < v.pay_value_cents && v.pay_value_cents < v.actual_value_cents);
        ordinary += u32::from(v.flash_sale.is_none());
    }
    assert!(ordinary > 100);
}

#[test]
fn the_shop_types_are_the_originals_in_its_order() {
    let ids: Vec<i64> = demo(1).shop_types().map(|t| t.id).collect();
    assert_eq!(ids, [1, 2, 3, 10, 5, 6, 7, 8, 9, 4]);
    assert!(
        demo(1)
            .shop_types()
            .zip(1..)
            .all(|(t, sort)| t.sort == sort)
    );
}
