// Generated from openapi.json by `npm run types`; do not edit.

export interface paths {
    "/api/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom I block, 20 a page, the latest first. */
        get: operations["list_blocked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/block/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether I block this person. */
        get: operations["is_blocked"];
        /**
         * Block a person: we no longer follow each other, they can no longer follow me or comment on what I write, and I no longer
         *     see their notes and comments in lists. A person may block 1,000 people. Repeating it changes nothing.
         */
        put: operations["block"];
        post?: never;
        /** Unblock a person. Follows that the block has ended do not come back. Repeating it changes nothing. */
        delete: operations["unblock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a note about a shop. The reply is its id. With a key that has published another text the code is
         *     `note_already_published`, and `data.id` has that note.
         */
        post: operations["publish_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog-comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Comment on a note, or answer a comment. The reply is the id. */
        post: operations["create_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog-comments/like/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Toggle the like of a comment. */
        put: operations["like_comment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog-comments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments on a note, 10 threads a page, newest first. */
        get: operations["list_threads"];
        put?: never;
        post?: never;
        /** Delete a comment of mine, or any as an admin. The first of a thread takes its replies with it. */
        delete: operations["delete_comment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog-comments/{id}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Replies of a thread, 10 a page, oldest first. */
        get: operations["list_replies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog-comments/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell the moderators that something is wrong with a comment. A person counts once. */
        post: operations["report_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My drafts, 10 at most, what was saved last first. */
        get: operations["list_drafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/draft/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a draft under the key that will publish it. If another device saved it since it was read the code is
         *     `note_draft_changed`; if one deleted it, `note_draft_gone`; if it was published, `note_already_published`.
         */
        put: operations["save_draft"];
        post?: never;
        /** Delete a draft. Repeating it changes nothing. */
        delete: operations["delete_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/hot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notes, 10 a page: the most liked first, then the newest.
         * @description With a position only those about shops within 50 kilometres, of the 300 most liked.
         */
        get: operations["list_hot_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/like/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Toggle the like of a note. */
        put: operations["like_note"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/likes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first five who like a note, earliest first. */
        get: operations["list_likers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/of/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notes of those whom the signed-in user follows, newest first, 10 a page; no data when none are left. */
        get: operations["read_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/of/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My notes, 10 a page, newest first. */
        get: operations["list_my_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/of/shop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notes about a shop, 10 a page, newest first: all of them, those that gave so many stars, or those that recommend something. */
        get: operations["list_notes_of_shop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/of/topic": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notes of a topic, newest first, 10 a page. A topic that no note has is an empty list. */
        get: operations["list_notes_of_topic"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/of/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person's notes, 10 a page, newest first. */
        get: operations["list_notes_of_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One note. */
        get: operations["get_note"];
        /** Change a note of mine; its shop stays. If it was changed since it was read the code is `note_changed`. */
        put: operations["edit_note"];
        post?: never;
        /** Delete a note of mine, or any as an admin. It is gone from every list at once. */
        delete: operations["delete_note"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blog/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell the moderators that something is wrong with a note. A person counts once. */
        post: operations["report_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Comments that readers reported, or that are hidden, newest first; for admins. */
        get: operations["list_flagged"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/comments/{id}/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hide a comment from everybody; for admins. */
        post: operations["hide_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/comments/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a reported or hidden comment stand; for admins. */
        post: operations["restore_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/dead-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Orders that were granted and could not be recorded, newest first; for admins. */
        get: operations["list_dead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/dead-orders/{id}/compensate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Note that the buyer of a dead order was compensated in another way. */
        post: operations["compensate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/dead-orders/{id}/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim once more for the buyer of a dead order. The reply is the new order's id. */
        post: operations["redrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notes that readers reported, or that are hidden, newest first; for admins. */
        get: operations["list_flagged_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/notes/{id}/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hide a note from everybody; for admins. */
        post: operations["hide_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/notes/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a reported note stand, or show a hidden one again; for admins. */
        post: operations["restore_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/outside-refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Refunds made at a provider that wait for an admin's decision, oldest first. */
        get: operations["list_outside"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/outside-refunds/{payment}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a refund that was made at a provider: an order that is held gets the rest of its money back, an order that was
         *     used stays as it is.
         */
        post: operations["settle_outside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/sales/{voucherId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The figures of a flash sale of mine. */
        get: operations["look_at_sale"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/sales/{voucherId}/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare a flash sale's gate with SQL, and repair what is safe to repair; for admins. It may take some seconds. */
        post: operations["reconcile_sale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/console/visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How often a page was seen and by how many people, day by day; for admins. Today's figures are live. */
        get: operations["list_visits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The shops in a list of mine, 20 a page, what was saved last first. */
        get: operations["list_shops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourite/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My lists: "Want to try", which everybody has, then those that I named, the oldest first. */
        get: operations["list_lists"];
        put?: never;
        /** Make a list; there may be 20. The reply is its id, also if I have a list of this name. */
        post: operations["create_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourite/list/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename a list that I named. */
        put: operations["rename_list"];
        post?: never;
        /** Delete a list that I named; its shops move to "Want to try". */
        delete: operations["delete_list"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourite/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The notes that I keep, 20 a page, what was saved last first. */
        get: operations["list_saved_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourite/note/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether I keep a note. */
        get: operations["get_favourite_note"];
        /** Save a note. A person may keep 1,000 notes. Repeating it changes nothing. */
        put: operations["save_note"];
        post?: never;
        /** Keep a note no longer. Repeating it changes nothing. */
        delete: operations["remove_note"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favourite/shop/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether I keep a shop, and in which list. */
        get: operations["get_favourite"];
        /** Save a shop into a list of mine, or move it there. A person may keep 1,000 shops. */
        put: operations["save_favourite"];
        post?: never;
        /** Keep a shop no longer. Repeating it changes nothing. */
        delete: operations["remove_favourite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow/common/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom the signed-in user and this person both follow, by id; at most 100. */
        get: operations["list_common"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow/fans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who follows this person, 20 a page, the latest first. */
        get: operations["list_fans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow/followees/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom this person follows, 20 a page, the latest first. */
        get: operations["list_followees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow/or/not/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the signed-in user follows this person. */
        get: operations["is_following"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follow/{id}/{follow}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Follow a user, or unfollow. Repeating it changes nothing. */
        put: operations["set_follow"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The road of the flash sale: every version, what attacks found, and its code. */
        get: operations["get_lab"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/crowd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a crowd can be started from here, and how the last one goes. */
        get: operations["get_crowd"];
        put?: never;
        /** Starts a crowd against a version, on the machine of the site, if the reader sits at it. */
        post: operations["start_crowd"];
        /** Ends the crowd that runs. */
        delete: operations["cancel_crowd"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lab/versions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The recorded schedules of a version: every step, what each process saw, what Redis and SQL hold after it. */
        get: operations["get_recordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notices about my orders and about what others do with my notes, newest first, 20 a page if `size` is missing. */
        get: operations["list_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notices/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * New notices of mine, live: server-sent events `notice`, each with its id. A page that was away sends `Last-Event-ID`,
         *     as browsers do by themselves, and gets what it missed. It ends with its session, and the server may end it at any time.
         */
        get: operations["follow_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notices/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark my notices as read. */
        post: operations["mark_read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notices/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which notices about other people I want. */
        get: operations["get_notice_settings"];
        /** Say which notices about other people I want. Those that are there stay. */
        put: operations["set_notice_settings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/hot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What many people searched for and found in the last days, the most popular first; 10 at most. */
        get: operations["list_hot_words"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notes by title and text: those with what was searched in the title first, then the most liked, of the newest few hundred
         *     at a time.
         * @description Each word must be there, and one character counts in titles only. A page may be short, or even empty, while there is a
         *     `cursor`.
         */
        get: operations["search_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People by name: a name that is what was searched first, then those with most fans. */
        get: operations["search_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shops by name, area, address and kind: a name that is what was searched first, then the nearest, or without a place
         *     the best.
         * @description Each word must be there, and one character counts in names only. A page may be short, or even empty, while there is a
         *     `cursor`.
         */
        get: operations["search_shops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first shops of the search, 6 at most, for a text that is still being typed. */
        get: operations["suggest_shops"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a shop of mine: absent fields stay as they are. Everybody sees the change within a second. */
        put: operations["update_shop"];
        /** Open a shop. The reply is its id; it belongs to the caller. */
        post: operations["create_shop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop-type/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The kinds of shops, in the order in which the site shows them. */
        get: operations["list_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop/around": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The shops of a map: the nearest to its middle, of all kinds or of one, 200 at most. */
        get: operations["list_around"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop/of/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shops by a part of their name, 10 a page, with their distance if the position of the caller is given. Every
         *     character stands for itself.
         */
        get: operations["list_of_name"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop/of/type": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shops of a type, page by page: around a place with their distance, or by id.
         * @description A list around a place reaches the 1,000 nearest shops, and sorts these.
         */
        get: operations["list_of_type"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One shop. */
        get: operations["get_shop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop/{id}/dishes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What people recommend at a shop, the most recommended first. A person counts once for each. */
        get: operations["list_dishes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The site's name and clock, and how one signs in and pays here. */
        get: operations["get_site"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/site/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the site keeps about people, what for and how long, and who answers for it. */
        get: operations["get_privacy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/site/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The terms of use, and who answers for the site. */
        get: operations["get_terms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/topic/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Topics for a text that is still being typed: those that begin with it, of most notes first; 8 at most. */
        get: operations["suggest_topics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/blog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a picture. It is re-encoded in two sizes, upright and without whatever else was in the file; the answer is its
         *     name, which a note or a shop may use with `/imgs` before it. `?size=small` after that address shows the small one.
         */
        post: operations["send_picture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/blog/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same for clients of the original, which delete by GET. */
        get: operations["delete_picture_by_get"];
        put?: never;
        post?: never;
        /** Delete a picture of one's own that nothing uses. */
        delete: operations["delete_picture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What I have on this site. */
        get: operations["get_balance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/balance/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was booked on my balance, newest first, 20 a page. The newest entry shows what I have now. */
        get: operations["list_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a login code to a phone number or e-mail address. */
        post: operations["send_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code to my own number or address, to confirm what must not be done by somebody who found my session. */
        post: operations["send_confirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My phone number and e-mail address, masked. */
        get: operations["get_contacts"];
        /** Bind a phone number or an e-mail address, or change the one that I have, which signs me out everywhere else. */
        put: operations["set_contact"];
        post?: never;
        /** Remove one of my two contacts, which signs me out everywhere else. */
        delete: operations["remove_contact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/contacts/permit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm by a code to a present contact that I may change my contacts. */
        post: operations["permit_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether my account is to be deleted, and what has to be settled before it can be. */
        get: operations["get_deletion"];
        put?: never;
        /** Have my account deleted, confirmed by a code. I am signed out everywhere; until the day comes I can sign in and keep it. */
        post: operations["request_deletion"];
        /** Keep my account after all. */
        delete: operations["keep_account"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Everything this site has about me, as JSON. Right after signing in it takes no code. */
        post: operations["export"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change my profile: absent fields stay as they are. */
        put: operations["update_info"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/info/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a person says of themselves; absent if nothing. */
        get: operations["get_info"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a code, or by a password where the site allows it. The reply is the token; browsers also get it as a cookie that scripts cannot read, and a second one by which
         *     they are recognised when they ask for a code again.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out: the token is dead everywhere within a second. */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who I am. */
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether I have a password. */
        get: operations["get_password"];
        /** Set my password, or change it, which takes the old one or a code and signs me out everywhere else. */
        put: operations["set_password"];
        post?: never;
        /** Remove my password, which takes it or a code and signs me out everywhere else. */
        delete: operations["remove_password"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where I am signed in, newest first. */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions/{n}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign one of my sessions out. */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check in for today, by the site's calendar. Twice is once. */
        post: operations["check_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sign/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Days in a row up to today, or up to yesterday while today is still open. */
        get: operations["count_streak"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sign/month": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The days of a month on which the signed-in user checked in. */
        get: operations["get_calendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A person as others see them; absent if unknown. */
        get: operations["get_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish an ordinary voucher of a shop of mine. The reply is its id. */
        post: operations["publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/of/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** My orders, newest first, 10 a page if `size` is missing. One that was granted a moment ago may not be among them yet. */
        get: operations["list_mine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeem an order for a shop of mine, once. */
        post: operations["redeem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/seckill/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a unit of a flash sale. The reply is the order's id.
         * @description Claiming again after winning is refused with `already_bought` and the order's id in `data`; with the same
         *     `Idempotency-Key` the first answer comes again. A reply 503 `processing` has the id of the order in `data` if there
         *     will be one: claiming again tells.
         */
        post: operations["claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An order of mine; with `status` 0 and nothing else while it is on its way. */
        get: operations["get_order"];
        put?: never;
        /** Buy an ordinary voucher. The reply is the order's id, to be paid before its deadline. */
        post: operations["purchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel an unpaid order of mine. Its unit is for sale again at once. */
        post: operations["cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pay for an unpaid order of mine. */
        post: operations["pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher-order/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for the money of a paid and unused order of mine. It is `refunding` until the money is back, then `refunded`. */
        post: operations["refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/list/{shopId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The vouchers of a shop that are on the shelf, by id, with the live stock of flash sales. */
        get: operations["list_of_shop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/seckill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish a flash sale of a shop of mine. The reply is the voucher's id; people can claim as soon as it is there. */
        post: operations["publish_sale"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/seckill/running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The flash sales of all shops, 10 a page: open ones, the soonest to end first, then those that begin within 24 hours,
         *     the soonest first. With live stock; at most 200 sales are reached.
         * @description With a position only those of shops within 50 kilometres: open ones, the nearest first, then those to come.
         */
        get: operations["list_running"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/seckill/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a flash sale stands, by the server's clock, and what I have of it if I am signed in. */
        get: operations["get_sale"];
        /** Change a flash sale of mine, also while it runs: absent fields stay as they are. */
        put: operations["change_sale"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/seckill/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a flash sale stands, live: server-sent events of what `/voucher/seckill/{id}` shows to anybody, at most two a
         *     second. The server may end the stream at any time; browsers begin it again by themselves.
         */
        get: operations["follow_sale"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One voucher that is on the shelf, with live stock if it is a flash sale, and whose it is. */
        get: operations["get_voucher"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voucher/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Put a voucher of mine on the shelf or take it off. Off the shelf nobody can claim, at once and everywhere. */
        put: operations["set_status"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vouchers/seckill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same as `/voucher/seckill`. */
        post: operations["publish_sale_by_other_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vouchers/seckill/claim/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same as `/voucher-order/seckill/{id}`. */
        post: operations["claim_by_other_path"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An entry of my balance. */
        BalanceEntry: {
            /** Format: int64 */
            id: number;
            kind: components["schemas"]["BookingKind"];
            /**
             * Format: int64
             * @description In cents; negative for what was paid.
             */
            amount: number;
            /**
             * Format: int64
             * @description What I had once this was booked, in cents.
             */
            balanceAfter: number;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            /** @description Absent when the balance was topped up. */
            order?: components["schemas"]["BookedOrder"];
        };
        BalanceView: {
            /**
             * Format: int64
             * @description In cents.
             */
            balance: number;
        };
        /** @description Somebody whom I block. */
        BlockedPersonView: {
            /** Format: int64 */
            userId: number;
            /** Format: int64 */
            blockedAtMs: number;
            /** @description Absent once the account is gone. */
            user?: components["schemas"]["UserView"];
        };
        /** @description The order that an entry of a balance is about. */
        BookedOrder: {
            /** @description A string: it exceeds what a number keeps. */
            id: string;
            /** @description Empty if the voucher is gone. */
            title: string;
            /** Format: int64 */
            shopId: number;
            /** @description Absent if the shop is gone. */
            shopName?: string;
        };
        /** @enum {string} */
        BookingKind: "opening_credit" | "credit" | "top_up" | "payment" | "refund";
        /** @description What a map shows, in degrees of its datum. */
        Bounds: {
            /** Format: double */
            west: number;
            /** Format: double */
            south: number;
            /** Format: double */
            east: number;
            /** Format: double */
            north: number;
        };
        CalendarView: {
            /** @description Days of the month, from 1, ascending. */
            days: number[];
            /** @description How many they are. */
            count: number;
            /** @description Whether the signed-in user has checked in today, whatever month was asked for. */
            today: boolean;
            /**
             * Format: date
             * @description The present day, by the site's calendar.
             */
            date: string;
        };
        /**
         * @description Every `code` a client can meet.
         * @enum {string}
         */
        Code: "phone_invalid" | "email_invalid" | "phone_unsupported" | "email_unsupported" | "phone_unreachable" | "phone_message_limit" | "code_too_often" | "code_daily_limit" | "login_locked" | "code_wrong" | "code_expired" | "password_login_off" | "password_wrong" | "old_password_wrong" | "password_needed" | "password_invalid" | "user_blocked" | "account_closing" | "account_not_settled" | "confirmation_needed" | "contact_taken" | "contact_changed" | "last_contact" | "demo_account" | "number_in_question" | "ticket_expired" | "not_that_account" | "operator_needed" | "nick_name_invalid" | "icon_invalid" | "city_invalid" | "introduce_invalid" | "birthday_invalid" | "session_not_found" | "shop_not_found" | "shop_id_missing" | "shop_name_invalid" | "shop_type_unknown" | "shop_images_invalid" | "shop_picture_foreign" | "shop_area_invalid" | "shop_address_invalid" | "shop_position_invalid" | "shop_price_invalid" | "shop_hours_invalid" | "shop_phone_invalid" | "voucher_not_found" | "voucher_title_invalid" | "voucher_sub_title_invalid" | "voucher_rules_invalid" | "voucher_price_invalid" | "voucher_value_invalid" | "voucher_stock_invalid" | "voucher_window_invalid" | "voucher_limit_invalid" | "voucher_spread_invalid" | "stock_sold" | "sold_out" | "already_bought" | "not_started" | "ended" | "claim_token_invalid" | "order_not_found" | "order_failed" | "order_status" | "too_many_unpaid" | "voucher_off_shelf" | "voucher_is_flash_sale" | "pay_type_unsupported" | "balance_too_small" | "pay_too_late" | "nothing_paid" | "payment_not_found" | "payment_closed" | "redeem_code_unknown" | "redeem_wrong_shop" | "redeem_used" | "redeem_refunded" | "bad_file_name" | "picture_not_yours" | "picture_in_use" | "too_many_pictures" | "too_many_uploads" | "image_unsupported" | "image_too_large" | "self_follow" | "user_not_found" | "follow_limit" | "self_block" | "block_limit" | "person_blocked" | "interaction_refused" | "favourite_limit" | "favourite_note_limit" | "favourite_list_not_found" | "favourite_list_name_invalid" | "favourite_list_name_taken" | "favourite_list_limit" | "note_not_found" | "note_title_invalid" | "note_content_invalid" | "note_images_invalid" | "note_score_invalid" | "note_ratings_invalid" | "note_dishes_invalid" | "note_already_published" | "note_changed" | "note_draft_invalid" | "note_draft_changed" | "note_draft_gone" | "note_draft_limit" | "comment_not_found" | "comment_invalid" | "note_mentions_too_many" | "comment_mentions_too_many" | "lab_crowd_off" | "lab_crowd_invalid" | "lab_crowd_running" | "lab_version_unknown" | "malformed" | "not_signed_in" | "forbidden" | "foreign_origin" | "foreign_session" | "no_such_route" | "method_not_allowed" | "idempotency_mismatch" | "in_progress" | "body_too_large" | "body_too_slow" | "unsupported_media_type" | "too_many" | "internal" | "busy" | "processing" | "unavailable";
        CodeSentView: {
            /** @description The code itself, with the demo sender only. */
            demoCode?: string;
            /**
             * Format: int64
             * @description Seconds until another code may be asked for.
             */
            retryAfterSecs: number;
        };
        CommentView: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            blogId: number;
            /** Format: int64 */
            userId: number;
            /** @description The author's picture and name; empty if the account is gone. */
            icon: string;
            name: string;
            /**
             * Format: int64
             * @description The first comment of its thread; 0 for that one itself.
             */
            parentId: number;
            /**
             * Format: int64
             * @description What it answers; 0 if that is nothing in particular.
             */
            answerId: number;
            /** @description Plain text. */
            content: string;
            /** @description Who is named in it, after an `@`. */
            mentions?: components["schemas"]["MentionView"][];
            /** Format: int32 */
            liked: number;
            /** @description Whether the signed-in user likes it; absent if nobody is signed in. */
            isLike?: boolean;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            /** Format: int64 */
            createdAtMs: number;
        };
        CompensationInput: {
            /** @description What the buyer got instead, for the record; at most 500 characters of it are kept. */
            note: string;
        };
        ConfirmationView: {
            /** @description The account's number or address, masked. */
            sentTo: string;
            /** @description The code itself, with the demo sender only. */
            demoCode?: string;
            /**
             * Format: int64
             * @description Seconds until another code may be asked for.
             */
            retryAfterSecs: number;
        };
        /** @description One of the two; the phone number counts when both are there. */
        ContactInput: {
            /** @description A mainland mobile number. */
            phone?: string;
            email?: string;
        };
        /** @enum {string} */
        ContactKind: "phone" | "email";
        ContactPermitInput: {
            /** @description A confirmation code. */
            code: string;
        };
        ContactPermitView: {
            /** @description For one change, by this session. */
            ticket: string;
            /** Format: int64 */
            expiresInSecs: number;
        };
        ContactRemovalInput: {
            kind: components["schemas"]["ContactKind"];
            ticket: string;
        };
        /** @description Masked: enough for their owner to recognise. Absent if there is none. */
        ContactsView: {
            phone?: string;
            email?: string;
        };
        /** @description One page of a list by cursor. */
        CursorPageView_NoticeView: {
            list: {
                /** Format: int64 */
                id: number;
                /**
                 * @description `order_paid`, `order_expiring`, `order_cancelled`, `order_expired`, `order_refunded`, `order_redeemed`,
                 *     `order_lost`, `payment_returned`, `account_kept`, `contact_changed`, `phone_released`, or `refund_outside` to admins. About other people: `note_liked`,
                 *     `note_commented`, `comment_answered`, `followed` or `mentioned`.
                 */
                kind: string;
                /** @description The order that it is about. */
                orderId?: string;
                /** @description The title of that order's voucher. */
                title?: string;
                shopName?: string;
                /**
                 * Format: int64
                 * @description The price of that order, in cents.
                 */
                amount?: number;
                /** @description What other people did. */
                event?: components["schemas"]["EventView"];
                isRead: boolean;
                /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                createTime: string;
                /** Format: int64 */
                createdAtMs: number;
            }[];
            /** @description For the next page; absent when there is none. */
            cursor?: string;
        };
        DataUse: {
            purpose: components["schemas"]["Purpose"];
            /** @description How long it stays while the account exists, the shortest first. */
            kept: components["schemas"]["KeptFor"][];
            /** @description Whether the download of one's own data has it. */
            exported: boolean;
            /** @description Why part of it stays when the account is deleted; absent if nothing does. */
            remains?: components["schemas"]["Remains"];
        };
        /**
         * @description What coordinates mean.
         * @enum {string}
         */
        Datum: "wgs84" | "gcj02";
        DeadOrderView: {
            /** @description A string: it exceeds what a number keeps. */
            id: string;
            /** Format: int64 */
            voucherId: number;
            /** Format: int64 */
            userId: number;
            /** @description Why it could not be recorded. */
            reason: string;
            state: components["schemas"]["DeadStateView"];
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            updateTime: string;
        };
        /** @enum {string} */
        DeadStateView: "waiting" | "redriven" | "compensated";
        DeletionDueView: {
            /**
             * Format: int64
             * @description In milliseconds since 1970. Until then whoever signs in can keep the account.
             */
            dueAtMs: number;
        };
        DeletionInput: {
            /** @description A confirmation code. */
            code: string;
        };
        DeletionView: {
            /**
             * Format: int64
             * @description When the account is deleted, in milliseconds since 1970; absent unless that was asked for.
             */
            dueAtMs?: number;
            /**
             * Format: int64
             * @description How many days one can change one's mind.
             */
            graceDays: number;
            /** @description To be settled first. */
            obstacles: components["schemas"]["Obstacle"][];
        };
        DemoAccountView: {
            role: components["schemas"]["Role"];
            phone: string;
            nickName: string;
            /** @description Empty when there is none. */
            icon: string;
        };
        /** @description Something that people recommend at a shop. */
        DishView: {
            name: string;
            /**
             * Format: int32
             * @description How many people recommend it.
             */
            people: number;
        };
        /** @description The description of a successful reply without data. */
        Done: {
            /** @enum {boolean} */
            success: true;
        };
        /** @description What is written so far; nothing has to be there. */
        DraftContent: {
            /** @description As typed, up to 1,000 characters. */
            title: string;
            /** @description As typed, up to 10,000 characters. */
            text: string;
            /** @description Up to 9 pictures that the author uploaded. They are kept as long as the draft. */
            pictures?: string[];
            /** Format: int64 */
            shopId?: number;
            /**
             * Format: int32
             * @description Stars for the shop, 1 to 5.
             */
            score?: number;
            ratings?: components["schemas"]["NoteRatingsView"];
            dishes?: string[];
            /** @description Who was chosen to be mentioned. */
            mentions?: components["schemas"]["MentionView"][];
        };
        DraftInput: {
            /**
             * Format: int64
             * @description Who wrote it. Where somebody else is signed in by now nothing is saved, and the code is `forbidden`.
             */
            userId: number;
            /**
             * Format: int64
             * @description That of the draft that was read; 0 for a new one.
             */
            revision: number;
            content: components["schemas"]["DraftContent"];
        };
        DraftSaved: {
            /** Format: int64 */
            revision: number;
            /** Format: int64 */
            savedAtMs: number;
        };
        DraftView: {
            /** @description The `Idempotency-Key` that publishes it. */
            key: string;
            /**
             * Format: int64
             * @description A change names the one that it changes.
             */
            revision: number;
            /** Format: int64 */
            savedAtMs: number;
            content: components["schemas"]["DraftContent"];
        };
        DriftView: {
            /** @description `not_loaded`, `terms`, `ledger`, `pieces`, `bucket`, `forgotten`, `buried` or `orphaned`. */
            kind: string;
            /**
             * Format: int64
             * @description Pieces too many; negative: too few.
             */
            difference?: number;
            /** @description The orders that it is about. */
            orders?: string[];
        };
        /** @enum {string} */
        Env: "development" | "production";
        /** @description A successful reply. */
        Envelope_BalanceView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: int64
                 * @description In cents.
                 */
                balance: number;
            };
        };
        /** @description A successful reply. */
        Envelope_CalendarView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description Days of the month, from 1, ascending. */
                days: number[];
                /** @description How many they are. */
                count: number;
                /** @description Whether the signed-in user has checked in today, whatever month was asked for. */
                today: boolean;
                /**
                 * Format: date
                 * @description The present day, by the site's calendar.
                 */
                date: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CodeSentView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description The code itself, with the demo sender only. */
                demoCode?: string;
                /**
                 * Format: int64
                 * @description Seconds until another code may be asked for.
                 */
                retryAfterSecs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_ConfirmationView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description The account's number or address, masked. */
                sentTo: string;
                /** @description The code itself, with the demo sender only. */
                demoCode?: string;
                /**
                 * Format: int64
                 * @description Seconds until another code may be asked for.
                 */
                retryAfterSecs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_ContactPermitView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description For one change, by this session. */
                ticket: string;
                /** Format: int64 */
                expiresInSecs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_ContactsView: {
            /** @enum {boolean} */
            success: true;
            /** @description Masked: enough for their owner to recognise. Absent if there is none. */
            data?: {
                phone?: string;
                email?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_BalanceEntry: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    id: number;
                    kind: components["schemas"]["BookingKind"];
                    /**
                     * Format: int64
                     * @description In cents; negative for what was paid.
                     */
                    amount: number;
                    /**
                     * Format: int64
                     * @description What I had once this was booked, in cents.
                     */
                    balanceAfter: number;
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                    /** @description Absent when the balance was topped up. */
                    order?: components["schemas"]["BookedOrder"];
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_BlockedPersonView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    userId: number;
                    /** Format: int64 */
                    blockedAtMs: number;
                    /** @description Absent once the account is gone. */
                    user?: components["schemas"]["UserView"];
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_DeadOrderView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** @description A string: it exceeds what a number keeps. */
                    id: string;
                    /** Format: int64 */
                    voucherId: number;
                    /** Format: int64 */
                    userId: number;
                    /** @description Why it could not be recorded. */
                    reason: string;
                    state: components["schemas"]["DeadStateView"];
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                    updateTime: string;
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_FlaggedNoteView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    id: number;
                    /** Format: int64 */
                    userId: number;
                    name: string;
                    title: string;
                    /**
                     * Format: int32
                     * @description How many people reported it.
                     */
                    reports: number;
                    /** @description What one of them said. */
                    reason: string;
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_FlaggedView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    id: number;
                    /** Format: int64 */
                    blogId: number;
                    /** Format: int64 */
                    userId: number;
                    name: string;
                    content: string;
                    /**
                     * Format: int32
                     * @description How many people reported it.
                     */
                    reports: number;
                    /** @description What one of them said. */
                    reason: string;
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_NoteView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    id: number;
                    /** Format: int64 */
                    shopId: number;
                    /** Format: int64 */
                    userId: number;
                    /** @description The author's picture and name; empty if the account is gone. */
                    icon: string;
                    name: string;
                    /** @description Whether the signed-in user likes it; absent if nobody is signed in. */
                    isLike?: boolean;
                    /** @description Plain text. */
                    title: string;
                    /** @description Addresses of pictures, separated by commas. */
                    images: string;
                    /** @description Plain text and `<br>`. */
                    content: string;
                    /** Format: int32 */
                    liked: number;
                    /** Format: int32 */
                    comments: number;
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                    updateTime: string;
                    /**
                     * Format: int32
                     * @description Stars for the shop, 1 to 5.
                     */
                    score?: number;
                    /** Format: int64 */
                    createdAtMs: number;
                    /**
                     * Format: int32
                     * @description How often its author changed it; an edit names it.
                     */
                    edits: number;
                    /**
                     * Format: int64
                     * @description When its author changed it last; absent if never.
                     */
                    editedAtMs?: number;
                    /** @description Who is named in the content, after an `@`. */
                    mentions?: components["schemas"]["MentionView"][];
                    /** @description Topics in the content, as `#name#` or `#name`. */
                    topics?: string[];
                    /** @description Absent if it rates no aspect. */
                    ratings?: components["schemas"]["NoteRatingsView"];
                    /** @description What it recommends; absent if nothing. */
                    dishes?: string[];
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_OrderView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** @description A string: it exceeds what a number keeps. */
                    id: string;
                    /** Format: int64 */
                    userId: number;
                    /** Format: int64 */
                    voucherId: number;
                    /** Format: int64 */
                    shopId: number;
                    shopName?: string;
                    title: string;
                    /**
                     * Format: int64
                     * @description In cents.
                     */
                    payValue: number;
                    /**
                     * Format: int64
                     * @description In cents.
                     */
                    actualValue: number;
                    /**
                     * Format: int32
                     * @description 1 balance, 2 Alipay, 3 WeChat.
                     */
                    payType: number;
                    /**
                     * Format: int32
                     * @description 1 unpaid, 2 paid, 3 used, 4 cancelled, 5 refunding, 6 refunded.
                     */
                    status: number;
                    /** @description What is read out at the counter, in groups of four digits; only while the order is paid and not used. */
                    redeemCode?: string;
                    /** @description The same for a QR code. */
                    redeemQr?: string;
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                    payTime?: string;
                    useTime?: string;
                    refundTime?: string;
                    /**
                     * Format: int64
                     * @description Until when an unpaid order waits for its payment. Absent if it waits without a limit.
                     */
                    payDeadlineMs?: number;
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_OutsideRefundView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    paymentId: number;
                    /** @description A string: it exceeds what a number keeps. */
                    orderId: string;
                    /**
                     * Format: int64
                     * @description What was paid, in cents.
                     */
                    amount: number;
                    /**
                     * Format: int64
                     * @description What is back so far, in cents.
                     */
                    refunded: number;
                    state: components["schemas"]["OutsideStateView"];
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                    updateTime: string;
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_PersonView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: (components["schemas"]["UserView"] & {
                    /** @description Whether the signed-in user follows them; absent if nobody is signed in. */
                    isFollowed?: boolean;
                })[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_SavedNoteView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    noteId: number;
                    /** Format: int64 */
                    savedAtMs: number;
                    /** @description Absent once the note is gone. */
                    note?: components["schemas"]["NoteView"];
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_SavedShopView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    shopId: number;
                    /** Format: int64 */
                    savedAtMs: number;
                    /** @description Absent once the shop is gone. */
                    shop?: components["schemas"]["ShopView"];
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_CursorPageView_ShopView: {
            /** @enum {boolean} */
            success: true;
            /** @description One page of a list by cursor. */
            data?: {
                list: {
                    /** Format: int64 */
                    id: number;
                    name: string;
                    /** Format: int64 */
                    typeId: number;
                    /** @description Addresses of pictures, separated by commas; empty when there are none. */
                    images: string;
                    area?: string;
                    address: string;
                    /**
                     * Format: double
                     * @description Longitude.
                     */
                    x: number;
                    /**
                     * Format: double
                     * @description Latitude.
                     */
                    y: number;
                    /**
                     * Format: int64
                     * @description In yuan.
                     */
                    avgPrice?: number;
                    /** Format: int32 */
                    sold: number;
                    /** Format: int32 */
                    comments: number;
                    /**
                     * Format: int32
                     * @description Ten times the stars.
                     */
                    score: number;
                    openHours?: string;
                    /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                    createTime: string;
                    updateTime: string;
                    /** @description How many of its notes gave one star, two, three, four and five; absent while none did. */
                    stars?: number[];
                    /** @description As people write it; absent while the shop names none. */
                    phone?: string;
                    /** @description Absent while nobody rated any aspect. */
                    ratings?: components["schemas"]["ShopRatingsView"];
                    /**
                     * Format: double
                     * @description Metres from the position of the caller.
                     */
                    distance?: number;
                }[];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_DeletionDueView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: int64
                 * @description In milliseconds since 1970. Until then whoever signs in can keep the account.
                 */
                dueAtMs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_DeletionView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: int64
                 * @description When the account is deleted, in milliseconds since 1970; absent unless that was asked for.
                 */
                dueAtMs?: number;
                /**
                 * Format: int64
                 * @description How many days one can change one's mind.
                 */
                graceDays: number;
                /** @description To be settled first. */
                obstacles: components["schemas"]["Obstacle"][];
            };
        };
        /** @description A successful reply. */
        Envelope_DraftSaved: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                revision: number;
                /** Format: int64 */
                savedAtMs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_FavouriteView: {
            /** @enum {boolean} */
            success: true;
            /** @description Whether I keep a shop. */
            data?: {
                /**
                 * Format: int64
                 * @description The list that it is in; absent if I do not keep it.
                 */
                listId?: number;
            };
        };
        /** @description A successful reply. */
        Envelope_FeedView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                list: components["schemas"]["NoteView"][];
                /**
                 * Format: int64
                 * @description For the `lastId` of the next page.
                 */
                minTime: number;
                /**
                 * Format: int64
                 * @description For the `offset` of the next page.
                 */
                offset: number;
            };
        };
        /** @description A successful reply. */
        Envelope_FoundOrderView: {
            /** @enum {boolean} */
            success: true;
            data?: components["schemas"]["OrderView"] | components["schemas"]["OnItsWayView"];
        };
        /** @description A successful reply. */
        Envelope_Lab: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description When it was made, in ISO 8601 with zone. */
                madeAt: string;
                /**
                 * Format: int32
                 * @description People of the crowd, each of whom clicks twice.
                 */
                crowd: number;
                /**
                 * Format: int32
                 * @description Pieces they want.
                 */
                pieces: number;
                attacks: components["schemas"]["LabTerm"][];
                /** @description What the moments of schedules are called. */
                moments: components["schemas"]["LabLabel"][];
                /** @description In the order of the road. */
                versions: components["schemas"]["LabVersion"][];
                /** @description Beside the road: several ways of doing one thing each. */
                experiments: components["schemas"]["LabExperiment"][];
            };
        };
        /** @description A successful reply. */
        Envelope_LabCrowd: {
            /** @enum {boolean} */
            success: true;
            /** @description Whether a crowd can be started from here, and the last one. */
            data?: {
                /** @description Otherwise the page shows the command to run. */
                available: boolean;
                /** Format: int32 */
                maxBuyers: number;
                /** @description The run that goes on, or the last one. */
                run?: components["schemas"]["LabCrowdRun"];
            };
        };
        /** @description A successful reply. */
        Envelope_LabCrowdRun: {
            /** @enum {boolean} */
            success: true;
            data?: {
                version: string;
                /** Format: int32 */
                buyers: number;
                /** Format: int32 */
                stock: number;
                state: components["schemas"]["LabCrowdState"];
                /**
                 * Format: int32
                 * @description Clicks that have a reply; everybody clicks twice.
                 */
                served: number;
                /** @description What became of the sale, when it is over. */
                verdict?: components["schemas"]["LabVerdict"];
                /**
                 * Format: double
                 * @description Replies per second.
                 */
                perSec?: number;
                /** @description Why it failed, in the words of the lab. */
                error?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_LabRecordings: {
            /** @enum {boolean} */
            success: true;
            /** @description The recorded schedules of a version, with the files in which its processes stand. */
            data?: {
                id: string;
                /** @description The version's own file first. */
                sources: components["schemas"]["LabSource"][];
                schedules: components["schemas"]["LabSchedule"][];
            };
        };
        /** @description A successful reply. */
        Envelope_LookView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                state: components["schemas"]["PhaseView"];
                /**
                 * Format: int32
                 * @description Pieces that may still be claimed, by the gate.
                 */
                stock: number;
                /**
                 * Format: int32
                 * @description Pieces in all.
                 */
                initial: number;
                /**
                 * Format: int64
                 * @description Orders in SQL that hold a unit.
                 */
                orders: number;
                /**
                 * Format: int64
                 * @description Orders of all sales that are on their way to SQL.
                 */
                backlog: number;
                /**
                 * Format: int64
                 * @description Pieces that SQL cannot account for; anything but 0 is wrong.
                 */
                drift: number;
                /** Format: int64 */
                beginAtMs: number;
                /** Format: int64 */
                endAtMs: number;
                /** Format: int64 */
                nowMs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_MeView: {
            /** @enum {boolean} */
            success: true;
            data?: components["schemas"]["UserView"] & {
                roles: components["schemas"]["Role"][];
            };
        };
        /** @description A successful reply. */
        Envelope_MyNoticesView: {
            /** @enum {boolean} */
            success: true;
            data?: components["schemas"]["CursorPageView_NoticeView"] & {
                /** Format: int64 */
                unread: number;
            };
        };
        /** @description A successful reply. */
        Envelope_NoteView: {
            /** @enum {boolean} */
            success: true;
            /** @description A note as its readers see it. */
            data?: {
                /** Format: int64 */
                id: number;
                /** Format: int64 */
                shopId: number;
                /** Format: int64 */
                userId: number;
                /** @description The author's picture and name; empty if the account is gone. */
                icon: string;
                name: string;
                /** @description Whether the signed-in user likes it; absent if nobody is signed in. */
                isLike?: boolean;
                /** @description Plain text. */
                title: string;
                /** @description Addresses of pictures, separated by commas. */
                images: string;
                /** @description Plain text and `<br>`. */
                content: string;
                /** Format: int32 */
                liked: number;
                /** Format: int32 */
                comments: number;
                /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                createTime: string;
                updateTime: string;
                /**
                 * Format: int32
                 * @description Stars for the shop, 1 to 5.
                 */
                score?: number;
                /** Format: int64 */
                createdAtMs: number;
                /**
                 * Format: int32
                 * @description How often its author changed it; an edit names it.
                 */
                edits: number;
                /**
                 * Format: int64
                 * @description When its author changed it last; absent if never.
                 */
                editedAtMs?: number;
                /** @description Who is named in the content, after an `@`. */
                mentions?: components["schemas"]["MentionView"][];
                /** @description Topics in the content, as `#name#` or `#name`. */
                topics?: string[];
                /** @description Absent if it rates no aspect. */
                ratings?: components["schemas"]["NoteRatingsView"];
                /** @description What it recommends; absent if nothing. */
                dishes?: string[];
            };
        };
        /** @description A successful reply. */
        Envelope_NoticeSettings: {
            /** @enum {boolean} */
            success: true;
            /** @description Whether the user is told of each. Notices about orders and money are always sent. */
            data?: {
                /** @description Likes of their notes. */
                likes: boolean;
                /** @description Comments on their notes. */
                comments: boolean;
                /** @description Replies to their comments. */
                replies: boolean;
                /** @description New followers. */
                follows: boolean;
                /** @description Mentions of them in notes and comments; on if missing. */
                mentions: boolean;
            };
        };
        /** @description A successful reply. */
        Envelope_OfferView: {
            /** @enum {boolean} */
            success: true;
            /** @description A voucher and whose it is. */
            data?: components["schemas"]["VoucherView"] & {
                shopName?: string;
                /** @description The address of the shop's first picture. */
                shopImage?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_PasswordView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                isSet: boolean;
            };
        };
        /** @description A successful reply. */
        Envelope_PayView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: int32
                 * @description 2 if the order is paid, 1 if the payment goes on elsewhere.
                 */
                status: number;
                /** @description Where to send the person. */
                redirect?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_PersonalDataView: {
            /** @enum {boolean} */
            success: true;
            /** @description What the site has about a person; the export writes it piece by piece. */
            data?: {
                site: string;
                /** Format: date-time */
                exportedAt: string;
                /** Format: int64 */
                userId: number;
                /** @description By the names of tables, rows by the names of columns. Pictures are named by their addresses. */
                tables: {
                    [key: string]: unknown[];
                };
            };
        };
        /** @description A successful reply. */
        Envelope_Privacy: {
            /** @enum {boolean} */
            success: true;
            data?: {
                operator: components["schemas"]["Operator"];
                /** @description The operator's own text, which replaces the built-in one: paragraphs, `# headings` and `- items`. */
                document?: string;
                /** @description What personal data is kept for, by purpose. */
                uses: components["schemas"]["DataUse"][];
                /**
                 * Format: int64
                 * @description How many days one can change one's mind about deleting the account.
                 */
                deletionGraceDays: number;
                /**
                 * Format: int64
                 * @description The longest that a session's cookie stays.
                 */
                sessionCookieDays: number;
                /**
                 * Format: int64
                 * @description The longest that the cookie stays by which a device is recognised when a code is asked for.
                 */
                deviceCookieDays: number;
            };
        };
        /** @description A successful reply. */
        Envelope_ReportView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description All that was found, also what was repaired since. */
                drifts: components["schemas"]["DriftView"][];
                repairs: components["schemas"]["RepairView"][];
            };
        };
        /** @description A successful reply. */
        Envelope_SaleStateView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                state: components["schemas"]["PhaseView"];
                /**
                 * Format: int32
                 * @description Pieces left.
                 */
                stock: number;
                /** Format: int64 */
                beginAtMs: number;
                /** Format: int64 */
                endAtMs: number;
                /**
                 * Format: int64
                 * @description By the clock that decides.
                 */
                nowMs: number;
                /** @description The signed-in user's latest order of this sale. */
                orderId?: string;
                /** @description What a claim must carry in `X-Claim-Token`, on sites that ask for it; only while the sale is open. */
                claimToken?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_ShopView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                name: string;
                /** Format: int64 */
                typeId: number;
                /** @description Addresses of pictures, separated by commas; empty when there are none. */
                images: string;
                area?: string;
                address: string;
                /**
                 * Format: double
                 * @description Longitude.
                 */
                x: number;
                /**
                 * Format: double
                 * @description Latitude.
                 */
                y: number;
                /**
                 * Format: int64
                 * @description In yuan.
                 */
                avgPrice?: number;
                /** Format: int32 */
                sold: number;
                /** Format: int32 */
                comments: number;
                /**
                 * Format: int32
                 * @description Ten times the stars.
                 */
                score: number;
                openHours?: string;
                /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                createTime: string;
                updateTime: string;
                /** @description How many of its notes gave one star, two, three, four and five; absent while none did. */
                stars?: number[];
                /** @description As people write it; absent while the shop names none. */
                phone?: string;
                /** @description Absent while nobody rated any aspect. */
                ratings?: components["schemas"]["ShopRatingsView"];
                /**
                 * Format: double
                 * @description Metres from the position of the caller.
                 */
                distance?: number;
            };
        };
        /** @description A successful reply. */
        Envelope_SiteView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                name: string;
                env: components["schemas"]["Env"];
                /** @description Whether login codes are shown instead of sent. */
                demo: boolean;
                codeLength: number;
                codeLetters: boolean;
                /** Format: int64 */
                codeTtlSecs: number;
                /** @description Whether people may set a password and sign in with it. */
                passwords: boolean;
                /** @description What a code can be sent to. */
                contacts: components["schemas"]["ContactKind"][];
                /**
                 * Format: int64
                 * @description The server's clock, in milliseconds since 1970.
                 */
                nowMs: number;
                /**
                 * Format: int32
                 * @description How far the site's clocks are ahead of UTC just now.
                 */
                utcOffsetSecs: number;
                /** @description What orders can be paid by: 1 balance, 2 Alipay, 3 WeChat Pay. */
                payTypes: number[];
                demoAccounts?: components["schemas"]["DemoAccountView"][];
                /** @description Absent if the site has no file of streets. */
                map?: components["schemas"]["SiteMap"];
            };
        };
        /** @description A successful reply. */
        Envelope_String: {
            /** @enum {boolean} */
            success: true;
            data?: string;
        };
        /** @description A successful reply. */
        Envelope_Terms: {
            /** @enum {boolean} */
            success: true;
            data?: {
                operator: components["schemas"]["Operator"];
                /** @description The operator's own text, which replaces the built-in one: paragraphs, `# headings` and `- items`. */
                document?: string;
                /**
                 * Format: int64
                 * @description How long an unpaid order waits for its payment.
                 */
                payDeadlineSecs: number;
            };
        };
        /** @description A successful reply. */
        Envelope_TopicPageView: {
            /** @enum {boolean} */
            success: true;
            /** @description A page of the notes of a topic. */
            data?: {
                /** @description As it was first written; empty for what cannot be a topic. */
                name: string;
                /**
                 * Format: int64
                 * @description How many notes it has in all.
                 */
                notes: number;
                list: components["schemas"]["NoteView"][];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_UnreadView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                unread: number;
            };
        };
        /** @description A successful reply. */
        Envelope_UsedView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                orderId: string;
                title: string;
                /**
                 * Format: int64
                 * @description What it is worth, in cents.
                 */
                actualValue: number;
            };
        };
        /** @description A successful reply. */
        Envelope_UserInfoView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                userId: number;
                /** @description Absent unless the person shows it, or asks for their own. */
                city?: string;
                introduce: string;
                /** Format: int32 */
                fans: number;
                /** Format: int32 */
                followee: number;
                /** @description False male, true female; absent unless the person shows it, or asks for their own. */
                gender?: boolean;
                /**
                 * Format: date
                 * @description Absent unless the person shows it, or asks for their own.
                 */
                birthday?: string;
                /** Format: int32 */
                credits: number;
                /** Format: int32 */
                level: number;
                /**
                 * Format: int64
                 * @description Notes that everybody can read.
                 */
                notes: number;
                /** @description Which of them others see; for the person alone. */
                shown?: components["schemas"]["ShownView"];
            };
        };
        /** @description A successful reply. */
        Envelope_UserView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                nickName: string;
                /** @description Empty when there is none. */
                icon: string;
            };
        };
        /** @description A successful reply. */
        Envelope_Vec_CommentView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                /** Format: int64 */
                blogId: number;
                /** Format: int64 */
                userId: number;
                /** @description The author's picture and name; empty if the account is gone. */
                icon: string;
                name: string;
                /**
                 * Format: int64
                 * @description The first comment of its thread; 0 for that one itself.
                 */
                parentId: number;
                /**
                 * Format: int64
                 * @description What it answers; 0 if that is nothing in particular.
                 */
                answerId: number;
                /** @description Plain text. */
                content: string;
                /** @description Who is named in it, after an `@`. */
                mentions?: components["schemas"]["MentionView"][];
                /** Format: int32 */
                liked: number;
                /** @description Whether the signed-in user likes it; absent if nobody is signed in. */
                isLike?: boolean;
                /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                createTime: string;
                /** Format: int64 */
                createdAtMs: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_DishView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                name: string;
                /**
                 * Format: int32
                 * @description How many people recommend it.
                 */
                people: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_DraftView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description The `Idempotency-Key` that publishes it. */
                key: string;
                /**
                 * Format: int64
                 * @description A change names the one that it changes.
                 */
                revision: number;
                /** Format: int64 */
                savedAtMs: number;
                content: components["schemas"]["DraftContent"];
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_FavouriteListView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: int64
                 * @description 0 is the list that everybody has.
                 */
                id: number;
                /** @description Absent for the list that everybody has, "Want to try". */
                name?: string;
                /**
                 * Format: int64
                 * @description How many shops are in it.
                 */
                shops: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_NoteView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                /** Format: int64 */
                shopId: number;
                /** Format: int64 */
                userId: number;
                /** @description The author's picture and name; empty if the account is gone. */
                icon: string;
                name: string;
                /** @description Whether the signed-in user likes it; absent if nobody is signed in. */
                isLike?: boolean;
                /** @description Plain text. */
                title: string;
                /** @description Addresses of pictures, separated by commas. */
                images: string;
                /** @description Plain text and `<br>`. */
                content: string;
                /** Format: int32 */
                liked: number;
                /** Format: int32 */
                comments: number;
                /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                createTime: string;
                updateTime: string;
                /**
                 * Format: int32
                 * @description Stars for the shop, 1 to 5.
                 */
                score?: number;
                /** Format: int64 */
                createdAtMs: number;
                /**
                 * Format: int32
                 * @description How often its author changed it; an edit names it.
                 */
                edits: number;
                /**
                 * Format: int64
                 * @description When its author changed it last; absent if never.
                 */
                editedAtMs?: number;
                /** @description Who is named in the content, after an `@`. */
                mentions?: components["schemas"]["MentionView"][];
                /** @description Topics in the content, as `#name#` or `#name`. */
                topics?: string[];
                /** @description Absent if it rates no aspect. */
                ratings?: components["schemas"]["NoteRatingsView"];
                /** @description What it recommends; absent if nothing. */
                dishes?: string[];
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_OfferView: {
            /** @enum {boolean} */
            success: true;
            data?: (components["schemas"]["VoucherView"] & {
                shopName?: string;
                /** @description The address of the shop's first picture. */
                shopImage?: string;
            })[];
        };
        /** @description A successful reply. */
        Envelope_Vec_SessionLine: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: int32
                 * @description Names the session for `DELETE /user/sessions/{n}`.
                 */
                n: number;
                /** @description Whether this request came by it. */
                current: boolean;
                /** @description Such as `Chrome · Android`; empty when unknown. */
                device: string;
                /** @description The network it was opened from, such as `203.0.113.*`. */
                address: string;
                /** Format: int64 */
                createdAtMs: number;
                /** Format: int64 */
                seenAtMs: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_ShopTypeView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                name: string;
                /** @description Below `/imgs`. */
                icon: string;
                /** Format: int32 */
                sort: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_ShopView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                name: string;
                /** Format: int64 */
                typeId: number;
                /** @description Addresses of pictures, separated by commas; empty when there are none. */
                images: string;
                area?: string;
                address: string;
                /**
                 * Format: double
                 * @description Longitude.
                 */
                x: number;
                /**
                 * Format: double
                 * @description Latitude.
                 */
                y: number;
                /**
                 * Format: int64
                 * @description In yuan.
                 */
                avgPrice?: number;
                /** Format: int32 */
                sold: number;
                /** Format: int32 */
                comments: number;
                /**
                 * Format: int32
                 * @description Ten times the stars.
                 */
                score: number;
                openHours?: string;
                /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
                createTime: string;
                updateTime: string;
                /** @description How many of its notes gave one star, two, three, four and five; absent while none did. */
                stars?: number[];
                /** @description As people write it; absent while the shop names none. */
                phone?: string;
                /** @description Absent while nobody rated any aspect. */
                ratings?: components["schemas"]["ShopRatingsView"];
                /**
                 * Format: double
                 * @description Metres from the position of the caller.
                 */
                distance?: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_String: {
            /** @enum {boolean} */
            success: true;
            data?: string[];
        };
        /** @description A successful reply. */
        Envelope_Vec_ThreadView: {
            /** @enum {boolean} */
            success: true;
            data?: (components["schemas"]["CommentView"] & {
                /** @description The first three, oldest first. */
                replies: components["schemas"]["CommentView"][];
                /**
                 * Format: int32
                 * @description How many there are in all.
                 */
                replyCount: number;
            })[];
        };
        /** @description A successful reply. */
        Envelope_Vec_TopicView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                name: string;
                /**
                 * Format: int64
                 * @description How many notes it has.
                 */
                notes: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_UserView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                nickName: string;
                /** @description Empty when there is none. */
                icon: string;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_VisitsView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /**
                 * Format: date
                 * @description In the site's zone.
                 */
                day: string;
                /**
                 * Format: int64
                 * @description Different visitors, by an estimate that is off by less than 1 % as a rule. They do not add up over days.
                 */
                uv: number;
                /**
                 * Format: int64
                 * @description Views.
                 */
                pv: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_Vec_VoucherView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                id: number;
                /** Format: int64 */
                shopId: number;
                title: string;
                subTitle?: string;
                rules?: string;
                /**
                 * Format: int64
                 * @description What the buyer pays, in cents.
                 */
                payValue: number;
                /**
                 * Format: int64
                 * @description What the shop takes it for, in cents.
                 */
                actualValue: number;
                /**
                 * Format: int32
                 * @description 0 ordinary, 1 flash sale.
                 */
                type: number;
                /**
                 * Format: int32
                 * @description Pieces left of a flash sale, by its live gate.
                 */
                stock?: number;
                /** @description When a flash sale begins, in the site's zone, such as `2026-11-15T18:10:39`. */
                beginTime?: string;
                endTime?: string;
                /**
                 * Format: int32
                 * @description Pieces of a flash sale in all, sold ones included.
                 */
                initial?: number;
                /**
                 * Format: int32
                 * @description Pieces of a flash sale that one person may hold.
                 */
                limitPerUser?: number;
                /** Format: int64 */
                beginAtMs?: number;
                /** Format: int64 */
                endAtMs?: number;
                /** Format: int64 */
                nowMs?: number;
            }[];
        };
        /** @description A successful reply. */
        Envelope_bool: {
            /** @enum {boolean} */
            success: true;
            data?: boolean;
        };
        /** @description A successful reply. */
        Envelope_i64: {
            /** @enum {boolean} */
            success: true;
            /** Format: int64 */
            data?: number;
        };
        /** @description A successful reply. */
        Envelope_u32: {
            /** @enum {boolean} */
            success: true;
            /** Format: int32 */
            data?: number;
        };
        /** @description What other people did; one notice stands for all who did it. */
        EventView: {
            /**
             * Format: int64
             * @description Who did it last; the name is empty if the account is gone.
             */
            userId: number;
            name: string;
            icon: string;
            /**
             * Format: int32
             * @description How many did it, that one included.
             */
            people: number;
            /**
             * Format: int64
             * @description The note that it is about.
             */
            blogId?: number;
            /** @description Of that note. */
            blogTitle?: string;
            /** @description The newest comment; plain text. */
            content?: string;
        };
        ExportInput: {
            /** @description A confirmation code; not needed shortly after signing in. */
            code?: string;
        };
        /** @description A refusal or an error. */
        Failure: {
            /** @enum {boolean} */
            success: false;
            /** @description For people, in the language of `Accept-Language`. */
            errorMsg: string;
            /** @description For programs: stable. */
            code: components["schemas"]["Code"];
            data?: Record<string, never> | string;
            /** @description Where a malformed request is wrong: place → what is wrong there. */
            fields?: {
                [key: string]: string;
            };
        };
        FavouriteInput: {
            /**
             * Format: int64
             * @description Into which list; the one that everybody has if not given.
             */
            listId?: number;
        };
        FavouriteListInput: {
            /** @description 1 to 20 characters, once among one's lists. */
            name: string;
        };
        /** @description A list of favourite shops. */
        FavouriteListView: {
            /**
             * Format: int64
             * @description 0 is the list that everybody has.
             */
            id: number;
            /** @description Absent for the list that everybody has, "Want to try". */
            name?: string;
            /**
             * Format: int64
             * @description How many shops are in it.
             */
            shops: number;
        };
        /** @description Whether I keep a shop. */
        FavouriteView: {
            /**
             * Format: int64
             * @description The list that it is in; absent if I do not keep it.
             */
            listId?: number;
        };
        FeedView: {
            list: components["schemas"]["NoteView"][];
            /**
             * Format: int64
             * @description For the `lastId` of the next page.
             */
            minTime: number;
            /**
             * Format: int64
             * @description For the `offset` of the next page.
             */
            offset: number;
        };
        FlaggedNoteView: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            userId: number;
            name: string;
            title: string;
            /**
             * Format: int32
             * @description How many people reported it.
             */
            reports: number;
            /** @description What one of them said. */
            reason: string;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
        };
        FlaggedView: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            blogId: number;
            /** Format: int64 */
            userId: number;
            name: string;
            content: string;
            /**
             * Format: int32
             * @description How many people reported it.
             */
            reports: number;
            /** @description What one of them said. */
            reason: string;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
        };
        FoundOrderView: components["schemas"]["OrderView"] | components["schemas"]["OnItsWayView"];
        KeptFor: {
            until: components["schemas"]["KeptUntil"];
            /**
             * Format: int32
             * @description For `days`.
             */
            days?: number;
        };
        /** @enum {string} */
        KeptUntil: "processed" | "days" | "account" | "books";
        Lab: {
            /** @description When it was made, in ISO 8601 with zone. */
            madeAt: string;
            /**
             * Format: int32
             * @description People of the crowd, each of whom clicks twice.
             */
            crowd: number;
            /**
             * Format: int32
             * @description Pieces they want.
             */
            pieces: number;
            attacks: components["schemas"]["LabTerm"][];
            /** @description What the moments of schedules are called. */
            moments: components["schemas"]["LabLabel"][];
            /** @description In the order of the road. */
            versions: components["schemas"]["LabVersion"][];
            /** @description Beside the road: several ways of doing one thing each. */
            experiments: components["schemas"]["LabExperiment"][];
        };
        /** @description Whether a crowd can be started from here, and the last one. */
        LabCrowd: {
            /** @description Otherwise the page shows the command to run. */
            available: boolean;
            /** Format: int32 */
            maxBuyers: number;
            /** @description The run that goes on, or the last one. */
            run?: components["schemas"]["LabCrowdRun"];
        };
        /** @description What the crowd should be. */
        LabCrowdInput: {
            /** @description The id of a version. */
            version: string;
            /**
             * Format: int32
             * @description Everybody clicks twice.
             */
            buyers: number;
            /**
             * Format: int32
             * @description Units they want: at most as many as buyers.
             */
            stock: number;
        };
        LabCrowdRun: {
            version: string;
            /** Format: int32 */
            buyers: number;
            /** Format: int32 */
            stock: number;
            state: components["schemas"]["LabCrowdState"];
            /**
             * Format: int32
             * @description Clicks that have a reply; everybody clicks twice.
             */
            served: number;
            /** @description What became of the sale, when it is over. */
            verdict?: components["schemas"]["LabVerdict"];
            /**
             * Format: double
             * @description Replies per second.
             */
            perSec?: number;
            /** @description Why it failed, in the words of the lab. */
            error?: string;
        };
        /** @enum {string} */
        LabCrowdState: "starting" | "running" | "done" | "cancelled" | "failed" | "timed_out";
        LabExperiment: {
            id: string;
            title: components["schemas"]["LabWords"];
            what: components["schemas"]["LabWords"];
            trials: components["schemas"]["LabTerm"][];
            ways: components["schemas"]["LabWay"][];
        };
        /** @description What an attack brought to light. */
        LabFinding: {
            attack: string;
            verdict: components["schemas"]["LabVerdict"];
            /**
             * Format: int32
             * @description Schedules that were tried.
             */
            schedules: number;
            /** @description What happened, if it did harm; `/api/lab/versions/{id}` has every step with what it changed. */
            moments: components["schemas"]["LabMoment"][];
        };
        LabLabel: {
            id: string;
            title: components["schemas"]["LabWords"];
        };
        LabMoment: {
            /** @description A buyer by letter, `worker`, `latecomer` or `attacker`. */
            who: string;
            /**
             * Format: int32
             * @description From 1; 0 for what happens to all of them.
             */
            process: number;
            /** @description An id among the `moments` of the report. */
            what: string;
        };
        LabOutcome: {
            /** @description An id among the `trials` of the experiment. */
            trial: string;
            /** Format: int32 */
            count: number;
            /** Format: int32 */
            of: number;
            /** @description Absent where the count is a price rather than a fault. */
            isRight?: boolean;
            /** @description The first schedule that went wrong, where the trial tries several. */
            moments?: components["schemas"]["LabTrialEvent"][];
        };
        LabPlace: {
            /** @description Among the `sources`. */
            file: string;
            /**
             * Format: int32
             * @description From 1.
             */
            line: number;
        };
        /** @description The recorded schedules of a version, with the files in which its processes stand. */
        LabRecordings: {
            id: string;
            /** @description The version's own file first. */
            sources: components["schemas"]["LabSource"][];
            schedules: components["schemas"]["LabSchedule"][];
        };
        /** @description The schedule that did harm, or the last one that did none. */
        LabSchedule: {
            attack: string;
            verdict: components["schemas"]["LabVerdict"];
            /** @description What the stores held before the first step: `sql stock` is `1`. */
            begin: {
                [key: string]: string;
            };
            steps: components["schemas"]["LabStep"][];
        };
        LabSource: {
            /** @description Below `crates/lab/src`. */
            file: string;
            code: string;
        };
        /** @description One step of a schedule and what it changed. */
        LabStep: {
            /** @description A buyer by letter, `worker`, `latecomer` or `attacker`. */
            who: string;
            /**
             * Format: int32
             * @description From 1; 0 for what happens to all of them.
             */
            process: number;
            /** @description An id among the `moments` of the report. */
            what: string;
            /** @description Where the process stands in the code. */
            at?: components["schemas"]["LabPlace"];
            /** @description What the process has read since its last step: a command or column, and its value. */
            saw: {
                [key: string]: string;
            };
            /** @description What the stores hold now and did not before. */
            changes: {
                [key: string]: string;
            };
            /** @description What they do not hold any more. */
            gone: string[];
            /** @description The harm that this step does: `oversold`, `duplicates`, `lost` or `stranded`. */
            harm: string[];
        };
        /** @description A name with an explanation. */
        LabTerm: {
            id: string;
            title: components["schemas"]["LabWords"];
            what: components["schemas"]["LabWords"];
        };
        /** @description What happened in a schedule of a trial. */
        LabTrialEvent: {
            /** @description `reader` or `writer`. */
            who: string;
            /** @description An id among the `moments` of the report. */
            what: string;
        };
        LabVerdict: {
            /** Format: int32 */
            stock: number;
            /** Format: int32 */
            sold: number;
            /** Format: int32 */
            oversold: number;
            /** Format: int32 */
            duplicates: number;
            /** Format: int32 */
            lost: number;
            /** Format: int32 */
            stranded: number;
        };
        LabVersion: {
            id: string;
            title: components["schemas"]["LabWords"];
            why: components["schemas"]["LabWords"];
            file: string;
            code: string;
            findings: components["schemas"]["LabFinding"][];
            /** @description How it did with the crowd. */
            crowd?: components["schemas"]["LabVerdict"];
            /**
             * Format: double
             * @description Answers per second.
             */
            perSec?: number;
            /**
             * Format: double
             * @description Answers per second as a share of the last version's.
             */
            relative?: number;
        };
        LabWay: {
            id: string;
            title: components["schemas"]["LabWords"];
            why: components["schemas"]["LabWords"];
            file: string;
            code: string;
            outcomes: components["schemas"]["LabOutcome"][];
        };
        /** @description The same in both languages. */
        LabWords: {
            en: string;
            "zh-CN": string;
        };
        LoginInput: components["schemas"]["ContactInput"] & {
            code?: string;
            /** @description In place of a code, where the site allows passwords. */
            password?: string;
            /**
             * @description The answer to `number_in_question`, with the `ticket` of that refusal in place of a code: is the account that the number
             *     had mine, or do I begin a new one? An account with other proofs (`proofs`) is mine only by one of them: sign in by e-mail,
             *     or by the password, with the ticket beside it.
             */
            claim?: components["schemas"]["NumberClaim"];
            ticket?: string;
        };
        LookView: {
            state: components["schemas"]["PhaseView"];
            /**
             * Format: int32
             * @description Pieces that may still be claimed, by the gate.
             */
            stock: number;
            /**
             * Format: int32
             * @description Pieces in all.
             */
            initial: number;
            /**
             * Format: int64
             * @description Orders in SQL that hold a unit.
             */
            orders: number;
            /**
             * Format: int64
             * @description Orders of all sales that are on their way to SQL.
             */
            backlog: number;
            /**
             * Format: int64
             * @description Pieces that SQL cannot account for; anything but 0 is wrong.
             */
            drift: number;
            /** Format: int64 */
            beginAtMs: number;
            /** Format: int64 */
            endAtMs: number;
            /** Format: int64 */
            nowMs: number;
        };
        MeView: components["schemas"]["UserView"] & {
            roles: components["schemas"]["Role"][];
        };
        /** @description Somebody who is named in a text. */
        MentionView: {
            /** Format: int64 */
            userId: number;
            /** @description As the text has it; the person may have another name by now. */
            name: string;
        };
        MyNoticesView: components["schemas"]["CursorPageView_NoticeView"] & {
            /** Format: int64 */
            unread: number;
        };
        NewCommentInput: {
            /** Format: int64 */
            blogId: number;
            /** @description Plain text, 1 to 255 characters; tags are taken out. */
            content: string;
            /**
             * Format: int64
             * @description The thread it belongs to; 0 or missing for a new one.
             */
            parentId?: number;
            /**
             * Format: int64
             * @description The comment it answers; 0 or missing if none in particular.
             */
            answerId?: number;
            /** @description Whom it names after an `@`, 5 people at most. Of somebody whose name is not there it stays a text. */
            mentions?: number[];
        };
        NewContactInput: components["schemas"]["ContactInput"] & {
            /** @description A code that was sent to the new contact. */
            code: string;
            ticket: string;
        };
        /** @description What is missing is refused with a message, as what is empty. */
        NewNoteInput: {
            /** @description Plain text, 1 to 255 characters; tags are taken out. */
            title?: string;
            /** @description Plain text and `<br>`, 1 to 2048 characters; other tags are taken out. */
            content?: string;
            /** @description 1 to 9 pictures that the author uploaded, separated by commas, with `/imgs` or without. */
            images?: string;
            /** Format: int64 */
            shopId?: number;
            /**
             * Format: int64
             * @description Stars for the shop, 1 to 5.
             */
            score?: number;
            /** @description Whom the content names after an `@`, 10 people at most. Of somebody whose name is not there it stays a text. */
            mentions?: number[];
            ratings?: components["schemas"]["NoteRatingsInput"];
            /** @description Up to 5 things that the author recommends, of 1 to 20 characters each. */
            dishes?: string[];
        };
        NewSaleInput: components["schemas"]["NewVoucherInput"] & {
            /**
             * Format: int32
             * @description Pieces.
             */
            stock: number;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            beginTime: string;
            endTime: string;
            /**
             * Format: int32
             * @description Pieces that one person may hold, from 1 to 99; 1 if missing.
             */
            limitPerUser?: number;
            /**
             * Format: int32
             * @description Over how many parts of the site the sale is spread; the site's own choice if missing.
             */
            spread?: number;
        };
        NewShopInput: {
            name: string;
            /** Format: int64 */
            typeId: number;
            /** @description At most 9 pictures of this site, separated by commas. */
            images?: string;
            area?: string;
            address: string;
            /**
             * Format: double
             * @description Longitude.
             */
            x: number;
            /**
             * Format: double
             * @description Latitude.
             */
            y: number;
            /**
             * Format: int64
             * @description In yuan.
             */
            avgPrice?: number;
            /** @description Such as `10:00-22:00`. */
            openHours?: string;
            /** @description One number with 3 to 15 digits, such as `0571-0001 2345`; empty takes it away. */
            phone?: string;
        };
        NewVoucherInput: {
            /** Format: int64 */
            shopId: number;
            title: string;
            subTitle?: string;
            rules?: string;
            /**
             * Format: int64
             * @description In cents; at most `actualValue`.
             */
            payValue: number;
            /**
             * Format: int64
             * @description In cents.
             */
            actualValue: number;
        };
        /** @description What a note is to say. What is missing is refused with a message, as what is empty. */
        NoteEditInput: {
            /** @description Plain text, 1 to 255 characters; tags are taken out. */
            title?: string;
            /** @description Plain text and `<br>`, 1 to 2048 characters; other tags are taken out. */
            content?: string;
            /** @description 1 to 9 pictures, separated by commas: those that the note has, and those that the author uploaded. */
            images?: string;
            /**
             * Format: int64
             * @description Stars for the shop, 1 to 5; none if missing.
             */
            score?: number;
            /** @description Whom the content names after an `@`, 10 people at most; nobody if missing. */
            mentions?: number[];
            ratings?: components["schemas"]["NoteRatingsInput"];
            /** @description Up to 5 things that the author recommends, of 1 to 20 characters each; none if missing. */
            dishes?: string[];
            /**
             * Format: int32
             * @description The `edits` of the note that was read: a note that was changed since is not overwritten.
             */
            edits: number;
        };
        /** @description 1 to 5 for each aspect of a shop, in a note that gives stars; what is missing is not rated. */
        NoteRatingsInput: {
            /**
             * Format: int64
             * @description Taste where one eats, effect or skill elsewhere.
             */
            main?: number;
            /** Format: int64 */
            surroundings?: number;
            /** Format: int64 */
            service?: number;
        };
        /** @description What a note gives its shop for each aspect, 1 to 5; what it says nothing of is absent. */
        NoteRatingsView: {
            /**
             * Format: int32
             * @description Taste where one eats, effect or skill elsewhere.
             */
            main?: number;
            /** Format: int32 */
            surroundings?: number;
            /** Format: int32 */
            service?: number;
        };
        /** @description A note as its readers see it. */
        NoteView: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            shopId: number;
            /** Format: int64 */
            userId: number;
            /** @description The author's picture and name; empty if the account is gone. */
            icon: string;
            name: string;
            /** @description Whether the signed-in user likes it; absent if nobody is signed in. */
            isLike?: boolean;
            /** @description Plain text. */
            title: string;
            /** @description Addresses of pictures, separated by commas. */
            images: string;
            /** @description Plain text and `<br>`. */
            content: string;
            /** Format: int32 */
            liked: number;
            /** Format: int32 */
            comments: number;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            updateTime: string;
            /**
             * Format: int32
             * @description Stars for the shop, 1 to 5.
             */
            score?: number;
            /** Format: int64 */
            createdAtMs: number;
            /**
             * Format: int32
             * @description How often its author changed it; an edit names it.
             */
            edits: number;
            /**
             * Format: int64
             * @description When its author changed it last; absent if never.
             */
            editedAtMs?: number;
            /** @description Who is named in the content, after an `@`. */
            mentions?: components["schemas"]["MentionView"][];
            /** @description Topics in the content, as `#name#` or `#name`. */
            topics?: string[];
            /** @description Absent if it rates no aspect. */
            ratings?: components["schemas"]["NoteRatingsView"];
            /** @description What it recommends; absent if nothing. */
            dishes?: string[];
        };
        /** @description Whether the user is told of each. Notices about orders and money are always sent. */
        NoticeSettings: {
            /** @description Likes of their notes. */
            likes: boolean;
            /** @description Comments on their notes. */
            comments: boolean;
            /** @description Replies to their comments. */
            replies: boolean;
            /** @description New followers. */
            follows: boolean;
            /** @description Mentions of them in notes and comments; on if missing. */
            mentions: boolean;
        };
        /** @enum {string} */
        NumberClaim: "mine" | "new";
        Obstacle: {
            kind: components["schemas"]["ObstacleKind"];
            /**
             * Format: int64
             * @description How many; cents for a balance.
             */
            count: number;
        };
        /** @enum {string} */
        ObstacleKind: "demo_account" | "role" | "shops" | "unpaid_orders" | "paid_orders" | "refunds" | "payments" | "orders_in_doubt" | "balance";
        /** @description A voucher and whose it is. */
        OfferView: components["schemas"]["VoucherView"] & {
            shopName?: string;
            /** @description The address of the shop's first picture. */
            shopImage?: string;
        };
        /** @description An order that was granted and is not in SQL yet: nothing more is known about it here. */
        OnItsWayView: {
            id: string;
            /**
             * Format: int32
             * @description 0: on its way.
             */
            status: number;
        };
        /** @description Who runs the site, as far as the operator has said it. */
        Operator: {
            name?: string;
            /** @description An e-mail address, the address of a page, or any other line of text. */
            contact?: string;
        };
        OrderView: {
            /** @description A string: it exceeds what a number keeps. */
            id: string;
            /** Format: int64 */
            userId: number;
            /** Format: int64 */
            voucherId: number;
            /** Format: int64 */
            shopId: number;
            shopName?: string;
            title: string;
            /**
             * Format: int64
             * @description In cents.
             */
            payValue: number;
            /**
             * Format: int64
             * @description In cents.
             */
            actualValue: number;
            /**
             * Format: int32
             * @description 1 balance, 2 Alipay, 3 WeChat.
             */
            payType: number;
            /**
             * Format: int32
             * @description 1 unpaid, 2 paid, 3 used, 4 cancelled, 5 refunding, 6 refunded.
             */
            status: number;
            /** @description What is read out at the counter, in groups of four digits; only while the order is paid and not used. */
            redeemCode?: string;
            /** @description The same for a QR code. */
            redeemQr?: string;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            payTime?: string;
            useTime?: string;
            refundTime?: string;
            /**
             * Format: int64
             * @description Until when an unpaid order waits for its payment. Absent if it waits without a limit.
             */
            payDeadlineMs?: number;
        };
        OutsideRefundView: {
            /** Format: int64 */
            paymentId: number;
            /** @description A string: it exceeds what a number keeps. */
            orderId: string;
            /**
             * Format: int64
             * @description What was paid, in cents.
             */
            amount: number;
            /**
             * Format: int64
             * @description What is back so far, in cents.
             */
            refunded: number;
            state: components["schemas"]["OutsideStateView"];
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            updateTime: string;
        };
        /** @enum {string} */
        OutsideStateView: "held" | "used" | "settled";
        PasswordInput: components["schemas"]["ProofInput"] & {
            /** @description 8 to 128 characters. */
            password: string;
        };
        PasswordView: {
            isSet: boolean;
        };
        PayInput: {
            /**
             * Format: int64
             * @description 1 balance, 2 Alipay, 3 WeChat.
             */
            payType: number;
            /** @description With the sandbox: go to the page that plays the cashier, instead of paying at once. */
            cashier?: boolean;
        };
        PayView: {
            /**
             * Format: int32
             * @description 2 if the order is paid, 1 if the payment goes on elsewhere.
             */
            status: number;
            /** @description Where to send the person. */
            redirect?: string;
        };
        /** @description A user on a list. */
        PersonView: components["schemas"]["UserView"] & {
            /** @description Whether the signed-in user follows them; absent if nobody is signed in. */
            isFollowed?: boolean;
        };
        /** @description What the site has about a person; the export writes it piece by piece. */
        PersonalDataView: {
            site: string;
            /** Format: date-time */
            exportedAt: string;
            /** Format: int64 */
            userId: number;
            /** @description By the names of tables, rows by the names of columns. Pictures are named by their addresses. */
            tables: {
                [key: string]: unknown[];
            };
        };
        /** @enum {string} */
        PhaseView: "waiting" | "open" | "sold_out" | "ended";
        PictureForm: {
            /**
             * Format: binary
             * @description JPEG, PNG or WebP, at most 10 MB and 40 megapixels.
             */
            file: string;
        };
        Privacy: {
            operator: components["schemas"]["Operator"];
            /** @description The operator's own text, which replaces the built-in one: paragraphs, `# headings` and `- items`. */
            document?: string;
            /** @description What personal data is kept for, by purpose. */
            uses: components["schemas"]["DataUse"][];
            /**
             * Format: int64
             * @description How many days one can change one's mind about deleting the account.
             */
            deletionGraceDays: number;
            /**
             * Format: int64
             * @description The longest that a session's cookie stays.
             */
            sessionCookieDays: number;
            /**
             * Format: int64
             * @description The longest that the cookie stays by which a device is recognised when a code is asked for.
             */
            deviceCookieDays: number;
        };
        ProfileInput: {
            nickName?: string;
            /** @description Empty, or a picture of this site. */
            icon?: string;
            city?: string;
            introduce?: string;
            /** @description False male, true female. */
            gender?: boolean;
            /** Format: date */
            birthday?: string;
            /** @description Which of city, gender and birthday others see; none, until it is said. */
            shown?: components["schemas"]["ShownInput"];
        };
        /** @description One of the two; the old password counts when both are there. */
        ProofInput: {
            oldPassword?: string;
            /** @description For those who forgot the old password: a code that was sent to the account's number or address. */
            code?: string;
        };
        /** @enum {string} */
        Purpose: "sign_in" | "profile" | "content" | "likes" | "follows" | "favourites" | "check_ins" | "orders" | "money" | "notices" | "moderation" | "security" | "account_deletion" | "operation";
        /** @description The mean of what notes give a shop for one aspect. */
        RatingMeanView: {
            /**
             * Format: int32
             * @description Ten times the mean.
             */
            score: number;
            /**
             * Format: int32
             * @description How many ratings it rests on.
             */
            count: number;
        };
        ReadInput: {
            /**
             * Format: int64
             * @description The newest one that was read; those before it count as read too.
             */
            lastId: number;
        };
        ReconcileInput: {
            /** @description Whether to repair what can be repaired without a person. */
            repair: boolean;
        };
        RedeemInput: {
            /** @description What the buyer shows, scanned or typed: 16 digits, with or without spaces. */
            code: string;
        };
        /** @enum {string} */
        Remains: "books" | "security";
        RepairView: {
            what: string;
            /**
             * Format: int64
             * @description Orders or units; negative where units were taken out.
             */
            count: number;
        };
        ReportInput: {
            /** @description What is wrong; at most 255 characters of it are kept. */
            reason?: string;
        };
        ReportView: {
            /** @description All that was found, also what was repaired since. */
            drifts: components["schemas"]["DriftView"][];
            repairs: components["schemas"]["RepairView"][];
        };
        /** @enum {string} */
        Role: "user" | "merchant" | "admin";
        SaleChangeInput: {
            /**
             * Format: int32
             * @description Pieces in all, sold ones included.
             */
            stock?: number;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            beginTime?: string;
            endTime?: string;
        };
        SaleStateView: {
            state: components["schemas"]["PhaseView"];
            /**
             * Format: int32
             * @description Pieces left.
             */
            stock: number;
            /** Format: int64 */
            beginAtMs: number;
            /** Format: int64 */
            endAtMs: number;
            /**
             * Format: int64
             * @description By the clock that decides.
             */
            nowMs: number;
            /** @description The signed-in user's latest order of this sale. */
            orderId?: string;
            /** @description What a claim must carry in `X-Claim-Token`, on sites that ask for it; only while the sale is open. */
            claimToken?: string;
        };
        /** @description A saved note. */
        SavedNoteView: {
            /** Format: int64 */
            noteId: number;
            /** Format: int64 */
            savedAtMs: number;
            /** @description Absent once the note is gone. */
            note?: components["schemas"]["NoteView"];
        };
        /** @description A shop in a list. */
        SavedShopView: {
            /** Format: int64 */
            shopId: number;
            /** Format: int64 */
            savedAtMs: number;
            /** @description Absent once the shop is gone. */
            shop?: components["schemas"]["ShopView"];
        };
        SessionLine: {
            /**
             * Format: int32
             * @description Names the session for `DELETE /user/sessions/{n}`.
             */
            n: number;
            /** @description Whether this request came by it. */
            current: boolean;
            /** @description Such as `Chrome · Android`; empty when unknown. */
            device: string;
            /** @description The network it was opened from, such as `203.0.113.*`. */
            address: string;
            /** Format: int64 */
            createdAtMs: number;
            /** Format: int64 */
            seenAtMs: number;
        };
        SettlementInput: {
            /** @description What was decided, for the record; at most 500 characters of it are kept. */
            note: string;
        };
        ShopChangeInput: {
            /** Format: int64 */
            id?: number;
            name?: string;
            /** Format: int64 */
            typeId?: number;
            /** @description At most 9 pictures of this site, separated by commas. */
            images?: string;
            area?: string;
            address?: string;
            /**
             * Format: double
             * @description Longitude.
             */
            x?: number;
            /**
             * Format: double
             * @description Latitude.
             */
            y?: number;
            /**
             * Format: int64
             * @description In yuan.
             */
            avgPrice?: number;
            /** @description Such as `10:00-22:00`. */
            openHours?: string;
            /** @description One number with 3 to 15 digits, such as `0571-0001 2345`; empty takes it away. */
            phone?: string;
        };
        /** @description The means of what notes give a shop; an aspect that nobody rated is absent. */
        ShopRatingsView: {
            /** @description Taste where one eats, effect or skill elsewhere. */
            main?: components["schemas"]["RatingMeanView"];
            surroundings?: components["schemas"]["RatingMeanView"];
            service?: components["schemas"]["RatingMeanView"];
        };
        ShopTypeView: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description Below `/imgs`. */
            icon: string;
            /** Format: int32 */
            sort: number;
        };
        ShopView: {
            /** Format: int64 */
            id: number;
            name: string;
            /** Format: int64 */
            typeId: number;
            /** @description Addresses of pictures, separated by commas; empty when there are none. */
            images: string;
            area?: string;
            address: string;
            /**
             * Format: double
             * @description Longitude.
             */
            x: number;
            /**
             * Format: double
             * @description Latitude.
             */
            y: number;
            /**
             * Format: int64
             * @description In yuan.
             */
            avgPrice?: number;
            /** Format: int32 */
            sold: number;
            /** Format: int32 */
            comments: number;
            /**
             * Format: int32
             * @description Ten times the stars.
             */
            score: number;
            openHours?: string;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            updateTime: string;
            /** @description How many of its notes gave one star, two, three, four and five; absent while none did. */
            stars?: number[];
            /** @description As people write it; absent while the shop names none. */
            phone?: string;
            /** @description Absent while nobody rated any aspect. */
            ratings?: components["schemas"]["ShopRatingsView"];
            /**
             * Format: double
             * @description Metres from the position of the caller.
             */
            distance?: number;
        };
        /** @description Absent fields stay as they are. */
        ShownInput: {
            city?: boolean;
            gender?: boolean;
            birthday?: boolean;
        };
        ShownView: {
            city: boolean;
            gender: boolean;
            birthday: boolean;
        };
        /** @description The file of vector tiles at `/tiles/map.pmtiles`. */
        SiteMap: {
            /** @description Who made the map, to be shown on it. */
            attribution: string;
            datum: components["schemas"]["Datum"];
            bounds: components["schemas"]["Bounds"];
        };
        SiteView: {
            name: string;
            env: components["schemas"]["Env"];
            /** @description Whether login codes are shown instead of sent. */
            demo: boolean;
            codeLength: number;
            codeLetters: boolean;
            /** Format: int64 */
            codeTtlSecs: number;
            /** @description Whether people may set a password and sign in with it. */
            passwords: boolean;
            /** @description What a code can be sent to. */
            contacts: components["schemas"]["ContactKind"][];
            /**
             * Format: int64
             * @description The server's clock, in milliseconds since 1970.
             */
            nowMs: number;
            /**
             * Format: int32
             * @description How far the site's clocks are ahead of UTC just now.
             */
            utcOffsetSecs: number;
            /** @description What orders can be paid by: 1 balance, 2 Alipay, 3 WeChat Pay. */
            payTypes: number[];
            demoAccounts?: components["schemas"]["DemoAccountView"][];
            /** @description Absent if the site has no file of streets. */
            map?: components["schemas"]["SiteMap"];
        };
        StatusInput: {
            /**
             * Format: int64
             * @description 1 on the shelf, 2 off.
             */
            status: number;
        };
        Terms: {
            operator: components["schemas"]["Operator"];
            /** @description The operator's own text, which replaces the built-in one: paragraphs, `# headings` and `- items`. */
            document?: string;
            /**
             * Format: int64
             * @description How long an unpaid order waits for its payment.
             */
            payDeadlineSecs: number;
        };
        ThreadView: components["schemas"]["CommentView"] & {
            /** @description The first three, oldest first. */
            replies: components["schemas"]["CommentView"][];
            /**
             * Format: int32
             * @description How many there are in all.
             */
            replyCount: number;
        };
        /** @description A page of the notes of a topic. */
        TopicPageView: {
            /** @description As it was first written; empty for what cannot be a topic. */
            name: string;
            /**
             * Format: int64
             * @description How many notes it has in all.
             */
            notes: number;
            list: components["schemas"]["NoteView"][];
            /** @description For the next page; absent when there is none. */
            cursor?: string;
        };
        TopicView: {
            name: string;
            /**
             * Format: int64
             * @description How many notes it has.
             */
            notes: number;
        };
        UnreadView: {
            /** Format: int64 */
            unread: number;
        };
        UsedView: {
            orderId: string;
            title: string;
            /**
             * Format: int64
             * @description What it is worth, in cents.
             */
            actualValue: number;
        };
        UserInfoView: {
            /** Format: int64 */
            userId: number;
            /** @description Absent unless the person shows it, or asks for their own. */
            city?: string;
            introduce: string;
            /** Format: int32 */
            fans: number;
            /** Format: int32 */
            followee: number;
            /** @description False male, true female; absent unless the person shows it, or asks for their own. */
            gender?: boolean;
            /**
             * Format: date
             * @description Absent unless the person shows it, or asks for their own.
             */
            birthday?: string;
            /** Format: int32 */
            credits: number;
            /** Format: int32 */
            level: number;
            /**
             * Format: int64
             * @description Notes that everybody can read.
             */
            notes: number;
            /** @description Which of them others see; for the person alone. */
            shown?: components["schemas"]["ShownView"];
        };
        UserView: {
            /** Format: int64 */
            id: number;
            nickName: string;
            /** @description Empty when there is none. */
            icon: string;
        };
        VisitsView: {
            /**
             * Format: date
             * @description In the site's zone.
             */
            day: string;
            /**
             * Format: int64
             * @description Different visitors, by an estimate that is off by less than 1 % as a rule. They do not add up over days.
             */
            uv: number;
            /**
             * Format: int64
             * @description Views.
             */
            pv: number;
        };
        VoucherView: {
            /** Format: int64 */
            id: number;
            /** Format: int64 */
            shopId: number;
            title: string;
            subTitle?: string;
            rules?: string;
            /**
             * Format: int64
             * @description What the buyer pays, in cents.
             */
            payValue: number;
            /**
             * Format: int64
             * @description What the shop takes it for, in cents.
             */
            actualValue: number;
            /**
             * Format: int32
             * @description 0 ordinary, 1 flash sale.
             */
            type: number;
            /**
             * Format: int32
             * @description Pieces left of a flash sale, by its live gate.
             */
            stock?: number;
            /** @description When a flash sale begins, in the site's zone, such as `2026-11-15T18:10:39`. */
            beginTime?: string;
            endTime?: string;
            /**
             * Format: int32
             * @description Pieces of a flash sale in all, sold ones included.
             */
            initial?: number;
            /**
             * Format: int32
             * @description Pieces of a flash sale that one person may hold.
             */
            limitPerUser?: number;
            /** Format: int64 */
            beginAtMs?: number;
            /** Format: int64 */
            endAtMs?: number;
            /** Format: int64 */
            nowMs?: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_blocked: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_BlockedPersonView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    is_blocked: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_bool"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    block: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    unblock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    publish_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this note, in 1 to 64 visible characters: sent again, it is the same note. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNoteInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    create_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this comment, in 1 to 64 visible characters: sent again, it is the same comment. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCommentInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    like_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_threads: {
        parameters: {
            query?: {
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path: {
                /** @description The note. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_ThreadView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    delete_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The comment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_replies: {
        parameters: {
            query?: {
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path: {
                /** @description The first comment of the thread. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_CommentView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    report_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_drafts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_DraftView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    save_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1 to 64 visible characters. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_DraftSaved"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    delete_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 1 to 64 visible characters. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_hot_notes: {
        parameters: {
            query?: {
                /** @description Page, from 1. */
                current?: number;
                /** @description Longitude of the caller; counts together with `y` only. */
                x?: number;
                /** @description Latitude of the caller. */
                y?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_NoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    like_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_likers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_UserView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    read_feed: {
        parameters: {
            query?: {
                /** @description The `minTime` of the page before, in milliseconds, inclusive; for the first page a moment to come, or nothing. */
                lastId?: number;
                /** @description The `offset` of the page before; 0 or nothing if no note of that millisecond was seen. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_FeedView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_my_notes: {
        parameters: {
            query?: {
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_NoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_notes_of_shop: {
        parameters: {
            query: {
                /** @description About which shop. */
                id: number;
                /** @description Only notes that gave so many stars, 1 to 5. */
                stars?: number;
                /** @description Only notes that recommend this; not together with stars. */
                dish?: string;
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_NoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_notes_of_topic: {
        parameters: {
            query: {
                /** @description Without its signs. Case, width and punctuation do not count. */
                name: string;
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_TopicPageView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_notes_of_user: {
        parameters: {
            query: {
                /** @description Whose notes. */
                id: number;
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_NoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_NoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    edit_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteEditInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    delete_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    report_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_flagged: {
        parameters: {
            query?: {
                /** @description Which ones; those that wait for a decision if missing. */
                state?: "reported" | "hidden";
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_FlaggedView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    hide_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    restore_comment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_dead: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_DeadOrderView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    compensate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompensationInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    redrive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_flagged_notes: {
        parameters: {
            query?: {
                /** @description Which ones; those that wait for a decision if missing. */
                state?: "reported" | "hidden";
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_FlaggedNoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    hide_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    restore_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_outside: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_OutsideRefundView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    settle_outside: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                payment: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettlementInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    look_at_sale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voucherId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_LookView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    reconcile_sale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                voucherId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReconcileInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_ReportView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_visits: {
        parameters: {
            query?: {
                /** @description The first day; 29 days before the last one if missing. */
                from?: string;
                /** @description The last day; today if missing. At most 366 days in all. */
                to?: string;
                /** @description `site` (all pages together), `home`, `shop-list`, `shop:<id>` or `note:<id>`; `site` if missing. */
                page?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_VisitsView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_shops: {
        parameters: {
            query?: {
                /** @description Which list; the one that everybody has if not given. */
                list?: number;
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_SavedShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_lists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_FavouriteListView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    create_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FavouriteListInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    rename_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FavouriteListInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    delete_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_saved_notes: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_SavedNoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_favourite_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_bool"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    save_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    remove_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_favourite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_FavouriteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    save_favourite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FavouriteInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    remove_favourite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_common: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_UserView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_fans: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_PersonView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_followees: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_PersonView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    is_following: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_bool"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    set_follow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                follow: boolean;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_lab: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Lab"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_crowd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_LabCrowd"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    start_crowd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabCrowdInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_LabCrowdRun"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancel_crowd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_LabCrowd"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_recordings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a version of the report. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_LabRecordings"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_notices: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
                /** @description Items on a page, at most 50. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_MyNoticesView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    follow_notices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last notice that was seen. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    mark_read: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UnreadView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_notice_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_NoticeSettings"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    set_notice_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoticeSettings"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_NoticeSettings"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_hot_words: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    search_notes: {
        parameters: {
            query: {
                /** @description Words, of which each must be there; 64 characters count. Case, width and punctuation do not. */
                q: string;
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_NoteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    search_people: {
        parameters: {
            query: {
                /** @description Words, of which each must be there; 64 characters count. Case, width and punctuation do not. */
                q: string;
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_PersonView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    search_shops: {
        parameters: {
            query: {
                /** @description Words, of which each must be there; 64 characters count. Case, width and punctuation do not. */
                q: string;
                /** @description Longitude of the caller; counts together with `y` only. */
                x?: number;
                /** @description Latitude of the caller. */
                y?: number;
                /** @description Metres around the caller, 50000 at most and if not given; without a place it does not count. */
                radius?: number;
                /** @description Only shops that are open now; those whose hours are unknown are not. */
                openNow?: boolean;
                /** @description Only shops that sell a voucher. */
                deals?: boolean;
                /** @description Only shops with an average price of so many yuan at least; unknown prices are left out. */
                minPrice?: number;
                /** @description And of so many at most. */
                maxPrice?: number;
                /** @description Only shops with ten times so many stars at least, from 1 to 50. */
                minScore?: number;
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_ShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    suggest_shops: {
        parameters: {
            query: {
                /** @description Words, of which each must be there; 64 characters count. Case, width and punctuation do not. */
                q: string;
                /** @description Longitude of the caller; counts together with `y` only. */
                x?: number;
                /** @description Latitude of the caller. */
                y?: number;
                /** @description Metres around the caller, 50000 at most and if not given; without a place it does not count. */
                radius?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_ShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    update_shop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShopChangeInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    create_shop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewShopInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_types: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_ShopTypeView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_around: {
        parameters: {
            query: {
                /** @description Longitude of the middle. */
                x: number;
                /** @description Latitude of the middle. */
                y: number;
                /** @description Metres around the middle, 5000 if not given and 50000 at most. */
                radius?: number;
                /** @description One kind of shops only. */
                typeId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_ShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_of_name: {
        parameters: {
            query?: {
                /** @description What the name holds; nothing finds all. */
                name?: string;
                /** @description Longitude of the caller; counts together with `y` only. */
                x?: number;
                /** @description Latitude of the caller. */
                y?: number;
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_ShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_of_type: {
        parameters: {
            query: {
                typeId: number;
                /** @description Longitude of the caller; counts together with `y` only. */
                x?: number;
                /** @description Latitude of the caller. */
                y?: number;
                /** @description Counts together with `x` and `y` only; else shops come by id. */
                sortBy?: "distance" | "comments" | "score" | "price";
                /** @description Metres around the caller, 5000 if not given and 50000 at most. */
                radius?: number;
                /** @description Shops on a page, 5 if not given and 50 at most. */
                size?: number;
                /** @description Page, from 1. */
                current?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_ShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_shop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_ShopView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_dishes: {
        parameters: {
            query?: {
                /** @description How many, 10 if not given and 50 at most. */
                size?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_DishView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_site: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SiteView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_privacy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Privacy"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_terms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Terms"] | components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    suggest_topics: {
        parameters: {
            query: {
                /** @description How the topic begins; those of most notes if it is empty. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_TopicView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    send_picture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PictureForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    delete_picture_by_get: {
        parameters: {
            query: {
                /** @description As the upload answered it, with or without `/imgs` before it. */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    delete_picture: {
        parameters: {
            query: {
                /** @description As the upload answered it, with or without `/imgs` before it. */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_balance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_BalanceView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_entries: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_BalanceEntry"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    send_code: {
        parameters: {
            query?: {
                /**
                 * @deprecated
                 * @description For old clients: an address may stand in a proxy's log. Send the body instead.
                 */
                phone?: string;
                /**
                 * @deprecated
                 * @description For old clients: an address may stand in a proxy's log. Send the body instead.
                 */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One of the two; the phone number counts when both are there. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactInput"];
                "application/x-www-form-urlencoded": components["schemas"]["ContactInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CodeSentView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    send_confirmation: {
        parameters: {
            query?: {
                /** @description Which of the account's contacts gets the code; the phone number where the site reaches it, if missing. */
                kind?: "phone" | "email";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_ConfirmationView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_contacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_ContactsView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    set_contact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewContactInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    remove_contact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactRemovalInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    permit_change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactPermitInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_ContactPermitView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_deletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_DeletionView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    request_deletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeletionInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_DeletionDueView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    keep_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    export: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PersonalDataView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    update_info: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_info: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UserInfoView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_MeView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PasswordView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    set_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    remove_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_SessionLine"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                n: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    check_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    count_streak: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_u32"] | components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_calendar: {
        parameters: {
            query?: {
                /** @description The month, such as `202611`; the present one if missing. */
                ym?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CalendarView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UserView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    publish: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVoucherInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_mine: {
        parameters: {
            query?: {
                /** @description Only those of a status, from 1 to 6. */
                status?: number;
                /** @description The `cursor` of the page before; missing for the first page. */
                cursor?: string;
                /** @description Items on a page, at most 50. */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_CursorPageView_OrderView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    redeem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeemInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_UsedView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    claim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this claim, in 1 to 64 visible characters. */
                "Idempotency-Key"?: string;
                /** @description What the page of the open sale was given, on sites that ask for it. */
                "X-Claim-Token"?: string;
            };
            path: {
                /** @description The voucher. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_order: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_FoundOrderView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    purchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this purchase for a day, in 1 to 64 visible characters: the same answer comes again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The voucher. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this request for a day, in 1 to 64 visible characters: the same answer comes again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    pay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this payment for a day, in 1 to 64 visible characters: the same answer comes again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_PayView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    refund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this request for a day, in 1 to 64 visible characters: the same answer comes again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_of_shop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                shopId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_VoucherView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    publish_sale: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSaleInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    list_running: {
        parameters: {
            query?: {
                /** @description Page, from 1. */
                current?: number;
                /** @description Longitude of the caller; counts together with `y` only. */
                x?: number;
                /** @description Latitude of the caller. */
                y?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_Vec_OfferView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_sale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_SaleStateView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    change_sale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaleChangeInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    follow_sale: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    get_voucher: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_OfferView"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    set_status: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    publish_sale_by_other_path: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSaleInput"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_i64"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Another content type is needed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
    claim_by_other_path: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names this claim, in 1 to 64 visible characters. */
                "Idempotency-Key"?: string;
                /** @description What the page of the open sale was given, on sites that ask for it. */
                "X-Claim-Token"?: string;
            };
            path: {
                /** @description The voucher. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope_String"] | components["schemas"]["Failure"];
                };
            };
            /** @description Malformed: `fields` says where. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not signed in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Not for this role, or written from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request, or the same one is being worked on. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Too many: see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description A fault of ours. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description Busy, or a dependency is away: see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
        };
    };
}
