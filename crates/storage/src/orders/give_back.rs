//! Pieces that come back: the order lets go of its slot, the sale has one more, its gate is told.
//!
//! It is done in the transaction of the step that ends the order, and only by whoever took that step: so a piece comes
//! back once, however many try.

use std::collections::BTreeMap;

use domain::{OrderId, UserId, VoucherId};
use sea_orm::{DbErr, Value};
use serde::{Deserialize, Serialize};

use crate::db::DatabaseTransaction;
use crate::sql::execute;
use crate::{outbox, time};

/// What the outbox says of an order that gave its piece back: its gate is to sell it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceReturned {
    pub order: OrderId,
    pub voucher: VoucherId,
    pub user: UserId,
}

/// An order that came to its end without being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
}

impl EndedOrder {
    fn piece(self) -> PieceReturned {
        PieceReturned {
            order: self.id,
            voucher: self.voucher_id,
            user: self.user_id,
        }
    }
}

impl PieceReturned {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "piece_returned";

    /// The key of its outbox rows: never the sale, whose returns would wait for each other.
    pub fn key(&self) -> String {
        format!("order:{}", self.order)
    }
}

/// For orders that have just been ended, their slots cleared. Those of ordinary vouchers hold no piece.
pub(crate) async fn give_back(
    transaction: &DatabaseTransaction,
    ended: &[EndedOrder],
) -> Result<(), DbErr> {
    let mut by_sale: BTreeMap<VoucherId, Vec<PieceReturned>> = BTreeMap::new();
    for order in ended {
        let piece = order.piece();
        by_sale.entry(piece.voucher).or_default().push(piece);
    }
    let mut returned = Vec::with_capacity(ended.len());
    for (sale, pieces) in by_sale {
        if restock(transaction, sale, pieces.len()).await? {
            returned.extend(pieces.into_iter().map(|piece| (piece.key(), piece)));
        }
    }
    outbox::append_all(transaction, PieceReturned::KIND, &returned).await
}

/// Tells whether there is such a sale. The epoch rises with every piece, so that a gate being loaded notices.
async fn restock(
    transaction: &DatabaseTransaction,
    sale: VoucherId,
    pieces: usize,
) -> Result<bool, DbErr> {
    let pieces = i64::try_from(pieces).unwrap_or(i64::MAX);
    let sql = "UPDATE tb_seckill_voucher \
        SET stock = stock + ?, epoch = epoch + ?, update_time = ? WHERE voucher_id = ?";
    let values: [Value; 4] = [
        pieces.into(),
        pieces.into(),
        time::now().into(),
        sale.get().into(),
    ];
    Ok(execute(transaction, sql, values).await? == 1)
}
