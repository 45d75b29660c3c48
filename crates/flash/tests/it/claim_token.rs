//! A claim token is good for one buyer, one sale and two windows, and for nothing else.

use flash::{BuyerId, ClaimTokens, SaleId};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

const CASES: u32 = 100_000;
const WINDOW_MS: i64 = 60_000;

struct Case {
    buyer: BuyerId,
    sale: SaleId,
    issued_ms: i64,
}

fn any_case(random: &mut StdRng) -> Case {
    Case {
        buyer: BuyerId(random.random_range(1..1_000_000)),
        sale: SaleId(random.random_range(1..10_000)),
        issued_ms: random.random_range(1_700_000_000_000..1_900_000_000_000),
    }
}

fn window_of(ms: i64) -> i64 {
    ms / WINDOW_MS * WINDOW_MS
}

#[test]
fn a_token_is_accepted_in_its_window_and_in_the_next() {
    let tokens = ClaimTokens::new(b"a secret of the site");
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..CASES / 10 {
        let case = any_case(&mut random);
        let token = tokens.issue(case.buyer, case.sale, case.issued_ms);
        assert_eq!(token.len(), 32);
        let age_ms = random.random_range(0..2 * WINDOW_MS);
        let now_ms = window_of(case.issued_ms) + age_ms;
        assert!(tokens.check(&token, case.buyer, case.sale, now_ms));
    }
}

#[test]
fn of_a_hundred_thousand_forgeries_none_is_accepted() {
    let tokens = ClaimTokens::new(b"a secret of the site");
    let others = ClaimTokens::new(b"a secret of the sitf");
    let mut random = StdRng::seed_from_u64(2);
    let mut accepted = 0;
    for number in 0..CASES {
        let case = any_case(&mut random);
        let Case {
            mut buyer,
            mut sale,
            issued_ms,
        } = case;
        let mut token = tokens.issue(buyer, sale, issued_ms);
        let mut now_ms = issued_ms;
        match number % 7 {
            0 => buyer.0 += random.random_range(1..1_000_000),
            1 => sale.0 += random.random_range(1..10_000),
            2 => now_ms = window_of(issued_ms) - random.random_range(1..10 * WINDOW_MS),
            3 => now_ms = window_of(issued_ms) + random.random_range(2..20) * WINDOW_MS,
            4 => token = flip_a_bit(&token, &mut random),
            5 => token = others.issue(buyer, sale, issued_ms),
            _ => (buyer.0, sale.0) = (sale.0, buyer.0 + 10_000),
        }
        accepted += u32::from(tokens.check(&token, buyer, sale, now_ms));
    }
    assert_eq!(accepted, 0);
}

#[test]
fn what_is_no_token_is_refused() {
    let tokens = ClaimTokens::new(b"a secret of the site");
    let (buyer, sale, now_ms) = (BuyerId(1), SaleId(2), 1_800_000_000_000);
    let good = tokens.issue(buyer, sale, now_ms);
    let spellings = [
        String::new(),
        good[..31].to_owned(),
        format!("{good}0"),
        good.to_uppercase().replace('0', "O"),
        format!(" {}", &good[1..]),
        "探".repeat(11),
        "g".repeat(32),
    ];
    for spelling in spellings {
        assert!(!tokens.check(&spelling, buyer, sale, now_ms), "{spelling}");
    }
}

#[test]
fn a_token_tells_nothing_of_the_secret_in_a_log() {
    let tokens = ClaimTokens::new(b"a secret of the site");
    assert_eq!(format!("{tokens:?}"), "ClaimTokens(…)");
}

fn flip_a_bit(token: &str, random: &mut StdRng) -> String {
    let place = random.random_range(0..token.len());
    let bit = 1 << random.random_range(0..4);
    let digits = token.chars().enumerate().map(|(at, digit)| {
        let value = digit.to_digit(16).unwrap();
        let value = if at == place { value ^ bit } else { value };
        char::from_digit(value, 16).unwrap()
    });
    digits.collect()
}

/// Other messages may be signed with the same secret.
#[test]
fn a_token_of_another_purpose_is_refused() {
    let secret = b"a secret of the site";
    let (buyer, sale, now_ms) = (BuyerId(1), SaleId(2), 1_800_000_000_000);
    let tokens = ClaimTokens::with_purpose(secret, "one");
    let token = tokens.issue(buyer, sale, now_ms);
    assert!(tokens.check(&token, buyer, sale, now_ms));
    for others in [
        ClaimTokens::new(secret),
        ClaimTokens::with_purpose(secret, "one "),
        ClaimTokens::with_purpose(secret, "on"),
    ] {
        assert!(!others.check(&token, buyer, sale, now_ms));
    }
}
