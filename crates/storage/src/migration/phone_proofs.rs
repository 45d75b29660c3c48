//! When the owner of an account last proved their phone number, so that a number that was given to somebody else is noticed.

use super::addition::{AdditionPlan, NewTable};

pub(super) const PHONE_PROOFS: AdditionPlan = AdditionPlan {
    name: "m0027_phone_proofs",
    tables: &TABLES,
    indexes: &[],
};

const TABLES: [NewTable; 1] = [
    // At most one row per account. Without one, the account counts from when the site began to keep them.
    NewTable {
        name: "tb_phone_proof",
        sqlite: "user_id INTEGER NOT NULL PRIMARY KEY, proven_at TEXT NOT NULL",
        mysql: "user_id bigint NOT NULL PRIMARY KEY, proven_at datetime(3) NOT NULL",
    },
];
