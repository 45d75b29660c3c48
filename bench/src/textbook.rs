//! The server that a tutorial builds for a flash sale: axum, one connection to Redis that all requests share, one `EVALSHA` per
//! claim. It is what claims are compared with, so it lacks everything that a site needs besides.
//!
//! Without a database the token itself is the buyer, and orders stay in the stream: nothing but HTTP and the script is
//! measured. With one it is a whole site of the kind that the course ends with (version `stream-group` of the lab): sessions in
//! Redis, shops in a cache in Redis, and a worker that brings orders to SQL one by one.

mod server;
mod site;
mod worker;

pub(crate) use server::{TextbookArgs, serve};
pub(crate) use site::{SOLD_OUT, TextbookSite};

/// Stock, buyers, order numbers and the stream of orders of one sale. All in one slot, as a script needs them.
struct SaleKeys([String; 3]);

/// The stream of orders of all sales.
const ORDERS: &str = "{textbook}:orders";

impl SaleKeys {
    fn of(sale: i64) -> Self {
        Self(["stock", "buyers", "numbers"].map(|part| format!("{{textbook}}:{part}:{sale}")))
    }

    fn stock(&self) -> &str {
        &self.0[0]
    }
}

/// The hash of a session; the original's name, under a prefix of its own.
fn session_key(token: &str) -> String {
    format!("textbook:login:token:{token}")
}

/// The cached shop.
fn shop_key(shop: i64) -> String {
    format!("textbook:cache:shop:{shop}")
}
