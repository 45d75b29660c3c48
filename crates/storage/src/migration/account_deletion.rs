//! What exporting and deleting an account needs: who asked for it, and indexes that find what belongs to one person.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const ACCOUNT_DELETION: AdditionPlan = AdditionPlan {
    name: "m0026_account_deletion",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 1] = [
    // One row per account whose owner wants it deleted. It stays when that is done.
    NewTable {
        name: "tb_account_deletion",
        sqlite: "user_id INTEGER NOT NULL PRIMARY KEY, state INTEGER NOT NULL, \
            requested_at TEXT NOT NULL, due_at TEXT NOT NULL, update_time TEXT NOT NULL",
        mysql: "user_id bigint NOT NULL PRIMARY KEY, state smallint NOT NULL, \
            requested_at datetime(3) NOT NULL, due_at datetime(3) NOT NULL, \
            update_time datetime(3) NOT NULL",
    },
];

const INDEXES: [NewIndex; 12] = [
    // The next to be worked on, oldest first.
    NewIndex {
        table: "tb_account_deletion",
        name: "ix_account_deletion_due",
        columns: "state, due_at",
    },
    // What one person liked, wrote, reported, uploaded and did.
    NewIndex {
        table: "tb_blog_like",
        name: "ix_blog_like_user",
        columns: "user_id, blog_id",
    },
    NewIndex {
        table: "tb_blog_comments",
        name: "ix_blog_comments_user",
        columns: "user_id, id",
    },
    NewIndex {
        table: "tb_blog_comment_like",
        name: "ix_blog_comment_like_user",
        columns: "user_id, comment_id",
    },
    NewIndex {
        table: "tb_blog_comment_report",
        name: "ix_blog_comment_report_user",
        columns: "user_id, comment_id",
    },
    NewIndex {
        table: "tb_upload",
        name: "ix_upload_user",
        columns: "user_id, name",
    },
    NewIndex {
        table: "tb_audit",
        name: "ix_audit_actor",
        columns: "actor_id, id",
    },
    // What one person paid. The ledger of the archive is read by account as that of the present is.
    NewIndex {
        table: "tb_payment",
        name: "ix_payment_user",
        columns: "user_id, id",
    },
    NewIndex {
        table: "tb_payment_archive",
        name: "ix_payment_archive_user",
        columns: "user_id, id",
    },
    NewIndex {
        table: "tb_ledger_entry_archive",
        name: "ix_ledger_entry_archive_account",
        columns: "account, id",
    },
    // Whether somebody has shops.
    NewIndex {
        table: "tb_shop",
        name: "ix_shop_owner",
        columns: "owner_id, id",
    },
    // Whether an order of theirs waits for an admin.
    NewIndex {
        table: "tb_dead_order",
        name: "ix_dead_order_user",
        columns: "user_id, order_id",
    },
];
