//! Adds refunds that are made at a provider, and what people show of themselves.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const REFUNDS_AND_PRIVACY: AdditionPlan = AdditionPlan {
    name: "m0014_refunds_and_privacy",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 2] = [
    // One row for each payment of which a provider returned money that this site did not ask for.
    NewTable {
        name: "tb_outside_refund",
        sqlite: "payment_id INTEGER NOT NULL PRIMARY KEY, order_id INTEGER NOT NULL, \
            refunded_cents INTEGER NOT NULL CHECK (refunded_cents > 0), state INTEGER NOT NULL, \
            create_time TEXT NOT NULL, update_time TEXT NOT NULL",
        mysql: "payment_id bigint NOT NULL PRIMARY KEY, order_id bigint NOT NULL, \
            refunded_cents bigint NOT NULL CHECK (refunded_cents > 0), state smallint NOT NULL, \
            create_time datetime(3) NOT NULL, update_time datetime(3) NOT NULL",
    },
    // Which of the private fields a person shows. Whoever has no row shows none.
    NewTable {
        name: "tb_profile_shown",
        sqlite: "user_id INTEGER NOT NULL PRIMARY KEY, city INTEGER NOT NULL, \
            gender INTEGER NOT NULL, birthday INTEGER NOT NULL, update_time TEXT NOT NULL",
        mysql: "user_id bigint NOT NULL PRIMARY KEY, city smallint NOT NULL, \
            gender smallint NOT NULL, birthday smallint NOT NULL, update_time datetime(3) NOT NULL",
    },
];

const INDEXES: [NewIndex; 2] = [
    // The few admins among all people, who are notified of what they have to decide.
    NewIndex {
        table: "tb_user",
        name: "ix_user_role",
        columns: "role, id",
    },
    // Those that an admin has to look at.
    NewIndex {
        table: "tb_outside_refund",
        name: "ix_outside_refund_state",
        columns: "state, payment_id",
    },
];
