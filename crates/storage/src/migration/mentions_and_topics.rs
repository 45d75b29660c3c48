//! Who is mentioned in notes and comments, and the topics of notes.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const MENTIONS_AND_TOPICS: AdditionPlan = AdditionPlan {
    name: "m0032_mentions_and_topics",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 4] = [
    // The name is what the text has; `place` is the order in the text.
    NewTable {
        name: "tb_blog_mention",
        sqlite: "blog_id INTEGER NOT NULL, user_id INTEGER NOT NULL, \
            name TEXT NOT NULL CHECK (length(name) <= 64), place INTEGER NOT NULL, \
            PRIMARY KEY (blog_id, user_id)",
        mysql: "blog_id bigint NOT NULL, user_id bigint NOT NULL, \
            name varchar(64) NOT NULL, place smallint NOT NULL, \
            PRIMARY KEY (blog_id, user_id)",
    },
    // With the note of the comment: a notice is about all mentions of a person at one note.
    NewTable {
        name: "tb_blog_comment_mention",
        sqlite: "comment_id INTEGER NOT NULL, user_id INTEGER NOT NULL, blog_id INTEGER NOT NULL, \
            name TEXT NOT NULL CHECK (length(name) <= 64), place INTEGER NOT NULL, \
            PRIMARY KEY (comment_id, user_id)",
        mysql: "comment_id bigint NOT NULL, user_id bigint NOT NULL, blog_id bigint NOT NULL, \
            name varchar(64) NOT NULL, place smallint NOT NULL, \
            PRIMARY KEY (comment_id, user_id)",
    },
    // Of notes that are shown. The key is also the order of the list of a topic.
    NewTable {
        name: "tb_blog_topic",
        sqlite: "topic TEXT NOT NULL CHECK (length(topic) <= 40), blog_id INTEGER NOT NULL, \
            name TEXT NOT NULL CHECK (length(name) <= 20), PRIMARY KEY (topic, blog_id)",
        mysql: "topic varchar(40) COLLATE utf8mb4_bin NOT NULL, blog_id bigint NOT NULL, \
            name varchar(20) NOT NULL, PRIMARY KEY (topic, blog_id)",
    },
    // Compared byte by byte on both engines, so that a prefix is a range of the key.
    NewTable {
        name: "tb_topic",
        sqlite: "topic TEXT NOT NULL PRIMARY KEY CHECK (length(topic) <= 40), \
            name TEXT NOT NULL CHECK (length(name) <= 20), notes INTEGER NOT NULL",
        mysql: "topic varchar(40) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY, \
            name varchar(20) NOT NULL, notes int NOT NULL",
    },
];

const INDEXES: [NewIndex; 4] = [
    // The mentions of an erased account.
    NewIndex {
        table: "tb_blog_mention",
        name: "ix_blog_mention_user",
        columns: "user_id, blog_id",
    },
    NewIndex {
        table: "tb_blog_comment_mention",
        name: "ix_blog_comment_mention_user",
        columns: "user_id, blog_id, comment_id",
    },
    NewIndex {
        table: "tb_blog_topic",
        name: "ix_blog_topic_note",
        columns: "blog_id",
    },
    // The topics of most notes.
    NewIndex {
        table: "tb_topic",
        name: "ix_topic_notes",
        columns: "notes",
    },
];
