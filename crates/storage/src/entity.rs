//! The stored rows as `sea_orm` sees them, one file per table. Private to the crate: callers get plain structs.

#![expect(
    unreachable_pub,
    reason = "the derives of sea_orm put these types into public traits"
)]

pub(crate) mod audit;
pub(crate) mod block;
pub(crate) mod blog;
pub(crate) mod blog_comment;
pub(crate) mod blog_draft;
pub(crate) mod blog_favourite;
pub(crate) mod blog_like;
pub(crate) mod dead_order;
pub(crate) mod favourite;
pub(crate) mod favourite_list;
pub(crate) mod follow;
pub(crate) mod outbox;
pub(crate) mod phone_proof;
pub(crate) mod seckill_voucher;
pub(crate) mod shop;
pub(crate) mod shop_gram;
pub(crate) mod shop_type;
pub(crate) mod sign;
pub(crate) mod upload;
pub(crate) mod user;
pub(crate) mod user_info;
pub(crate) mod visit;
pub(crate) mod voucher;
pub(crate) mod voucher_order;
