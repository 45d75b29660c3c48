//! The requests of the mix, by user and time: drawn before the clock runs, and the same for the same seed.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::load::Requests;
use crate::market::Market;
use crate::settings::{MIX_PER_SEC, MIX_SECS};

/// Shops and notes of the demo data that people look at.
const SHOPS: i64 = 300;
const NOTES: i64 = 600;
const TYPES: i64 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestKind {
    Read,
    Social,
    Claim,
}

/// What a request is for, as far as its effect has to be looked for afterwards. People are ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Read,
    ReadFeed,
    Like { user: i64, note: i64 },
    Follow { user: i64, author: i64 },
    CheckIn { user: i64 },
    Claim,
}

#[derive(Debug)]
pub(super) struct RequestScript {
    pub(super) requests: Requests,
    pub(super) due: Vec<Duration>,
    pub(super) actions: Vec<Action>,
}

impl RequestKind {
    pub(super) const ALL: [Self; 3] = [Self::Read, Self::Social, Self::Claim];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Social => "social",
            Self::Claim => "claims",
        }
    }

    /// Four in five read, one in twenty claims.
    fn draw(random: &mut StdRng) -> Self {
        match random.random_range(0..100) {
            0..80 => Self::Read,
            80..95 => Self::Social,
            _ => Self::Claim,
        }
    }

    /// Anywhere in the window; half of the claims within a second of the sale's beginning.
    fn draw_moment(self, window: Duration, random: &mut StdRng) -> Duration {
        match self {
            Self::Claim if random.random_bool(0.5) => {
                window / 2 + Duration::from_millis(random.random_range(0..1_000))
            }
            _ => window.mul_f64(random.random::<f64>()),
        }
    }
}

impl Action {
    pub(super) fn kind(self) -> RequestKind {
        match self {
            Self::Read => RequestKind::Read,
            Self::ReadFeed | Self::Like { .. } | Self::Follow { .. } | Self::CheckIn { .. } => {
                RequestKind::Social
            }
            Self::Claim => RequestKind::Claim,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Read => "a page",
            Self::ReadFeed => "a feed",
            Self::Like { .. } => "a like",
            Self::Follow { .. } => "a follow",
            Self::CheckIn { .. } => "a check-in",
            Self::Claim => "a claim",
        }
    }
}

impl RequestScript {
    pub(super) fn new(market: &Market, voucher: i64, ids: &[i64], seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(seed);
        let window = Duration::from_secs(MIX_SECS.get());
        let count = MIX_SECS.get() * MIX_PER_SEC.get();
        let mut moments: Vec<(Duration, RequestKind)> = (0..count)
            .map(|_| {
                let kind = RequestKind::draw(&mut random);
                (kind.draw_moment(window, &mut random), kind)
            })
            .collect();
        moments.sort_by_key(|(due, _)| *due);
        let mut script = Self {
            requests: Requests::default(),
            due: Vec::with_capacity(moments.len()),
            actions: Vec::with_capacity(moments.len()),
        };
        for (due, kind) in moments {
            let place = random.random_range(0..ids.len());
            let person = (ids[place], market.tokens[place].as_str());
            let action = match kind {
                RequestKind::Read => script.read(voucher, &mut random),
                RequestKind::Social => script.socialise(person, ids, &mut random),
                RequestKind::Claim => script.claim(person, voucher),
            };
            script.due.push(due);
            script.actions.push(action);
        }
        script
    }

    fn read(&mut self, voucher: i64, random: &mut StdRng) -> Action {
        let path = match random.random_range(0..10) {
            0..4 => format!("/api/shop/{}", random.random_range(1..=SHOPS)),
            4 => format!(
                "/api/shop/of/type?typeId={}&x=120.149993&y=30.334229",
                random.random_range(1..=TYPES)
            ),
            5 => "/api/blog/hot".to_owned(),
            6 => format!("/api/blog/{}", random.random_range(1..=NOTES)),
            7 => format!("/api/voucher/list/{}", random.random_range(1..=SHOPS)),
            8 => "/api/shop-type/list".to_owned(),
            _ => format!("/api/voucher/seckill/{voucher}"),
        };
        self.requests.push("GET", &path, None);
        Action::Read
    }

    fn socialise(
        &mut self,
        (user, token): (i64, &str),
        ids: &[i64],
        random: &mut StdRng,
    ) -> Action {
        let (method, path, action) = match random.random_range(0..10) {
            0..4 => ("GET", "/api/blog/of/follow".to_owned(), Action::ReadFeed),
            4..8 => {
                let note = random.random_range(1..=NOTES);
                let path = format!("/api/blog/like/{note}");
                ("PUT", path, Action::Like { user, note })
            }
            8 => {
                let author = someone_else(user, ids, random);
                let path = format!("/api/follow/{author}/true");
                ("PUT", path, Action::Follow { user, author })
            }
            _ => (
                "POST",
                "/api/user/sign".to_owned(),
                Action::CheckIn { user },
            ),
        };
        self.requests.push(method, &path, Some(token));
        action
    }

    fn claim(&mut self, (_, token): (i64, &str), voucher: i64) -> Action {
        let path = format!("/api/voucher-order/seckill/{voucher}");
        self.requests.push("POST", &path, Some(token));
        Action::Claim
    }
}

fn someone_else(user: i64, ids: &[i64], random: &mut StdRng) -> i64 {
    let other = ids[random.random_range(0..ids.len())];
    if other != user {
        return other;
    }
    if user == ids[0] { ids[1] } else { ids[0] }
}
