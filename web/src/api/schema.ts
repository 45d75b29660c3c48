// Generated from openapi.json by `npm run types`; do not edit.

export interface paths {
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
        /** Open a shop. The reply is its id; it belongs to whoever opens it. */
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
    "/api/shop/of/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shops by a part of their name, 10 a page. Every character stands for itself. */
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
         * Shops of a type, 5 a page: around a place with their distance, or by id.
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
    "/api/site": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The site's name and how one signs in here. */
        get: operations["get_site"];
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
        /** Sign in. The reply is the token; browsers also get it as a cookie that scripts cannot read. */
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
        /** The days of a month on which the asker checked in. */
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
        /** My orders, newest first. One that was granted a moment ago may not be among them yet. */
        get: operations["list_mine"];
        put?: never;
        post?: never;
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
         * Claim a piece of a flash sale. The reply is the order's id.
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
        post?: never;
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
        CalendarView: {
            /** @description Days of the month, from 1, ascending. */
            days: number[];
            /** @description How many they are. */
            count: number;
            /** @description Whether the asker has checked in today, whatever month was asked for. */
            today: boolean;
        };
        /**
         * @description Every `code` a client can meet.
         * @enum {string}
         */
        Code: "phone_invalid" | "email_invalid" | "phone_unsupported" | "code_too_often" | "code_daily_limit" | "login_locked" | "code_wrong" | "code_expired" | "password_login_off" | "user_blocked" | "nick_name_invalid" | "icon_invalid" | "city_invalid" | "introduce_invalid" | "birthday_invalid" | "session_not_found" | "shop_not_found" | "shop_id_missing" | "shop_name_invalid" | "shop_type_unknown" | "shop_images_invalid" | "shop_area_invalid" | "shop_address_invalid" | "shop_position_invalid" | "shop_price_invalid" | "shop_hours_invalid" | "voucher_not_found" | "voucher_title_invalid" | "voucher_sub_title_invalid" | "voucher_rules_invalid" | "voucher_price_invalid" | "voucher_value_invalid" | "voucher_stock_invalid" | "voucher_window_invalid" | "voucher_limit_invalid" | "voucher_spread_invalid" | "stock_sold" | "sold_out" | "already_bought" | "not_started" | "ended" | "claim_token_invalid" | "order_not_found" | "order_failed" | "malformed" | "not_signed_in" | "forbidden" | "foreign_origin" | "no_such_route" | "method_not_allowed" | "idempotency_mismatch" | "body_too_large" | "unsupported_media_type" | "too_many" | "internal" | "busy" | "processing" | "unavailable";
        CodeSentView: {
            /** @description The code itself, with the demo sender only. */
            demoCode?: string;
            /**
             * Format: int64
             * @description Seconds until another code may be asked for.
             */
            retryAfterSecs: number;
        };
        CompensationInput: {
            /** @description What the buyer got instead, for the record; at most 500 characters of it are kept. */
            note: string;
        };
        /** @description One of the two; the phone number counts when both are there. */
        ContactInput: {
            /** @description A mainland mobile number. */
            phone?: string;
            email?: string;
        };
        /** @enum {string} */
        ContactKind: "phone" | "email";
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
        DeadPageView: {
            list: components["schemas"]["DeadOrderView"][];
            /** @description For the next page; absent when there is none. */
            cursor?: string;
        };
        /** @enum {string} */
        DeadStateView: "waiting" | "redriven" | "compensated";
        DemoAccountView: {
            role: components["schemas"]["Role"];
            phone: string;
            nickName: string;
            /** @description Empty when there is none. */
            icon: string;
        };
        /** @description The description of a successful reply without data. */
        Done: {
            /** @enum {boolean} */
            success: true;
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
        Envelope_CalendarView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** @description Days of the month, from 1, ascending. */
                days: number[];
                /** @description How many they are. */
                count: number;
                /** @description Whether the asker has checked in today, whatever month was asked for. */
                today: boolean;
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
        Envelope_DeadPageView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                list: components["schemas"]["DeadOrderView"][];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
            };
        };
        /** @description A successful reply. */
        Envelope_FoundOrderView: {
            /** @enum {boolean} */
            success: true;
            data?: components["schemas"]["OrderView"] | components["schemas"]["OnItsWayView"];
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
                 * @description Orders in SQL that hold a piece.
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
        Envelope_OrderPageView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                list: components["schemas"]["OrderView"][];
                /** @description For the next page; absent when there is none. */
                cursor?: string;
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
                /** @description The asker's latest order of this sale. */
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
                /**
                 * Format: double
                 * @description Metres from where the asker is.
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
                /** @description What a code can be sent to. */
                contacts: components["schemas"]["ContactKind"][];
                demoAccounts?: components["schemas"]["DemoAccountView"][];
            };
        };
        /** @description A successful reply. */
        Envelope_String: {
            /** @enum {boolean} */
            success: true;
            data?: string;
        };
        /** @description A successful reply. */
        Envelope_UserInfoView: {
            /** @enum {boolean} */
            success: true;
            data?: {
                /** Format: int64 */
                userId: number;
                city: string;
                introduce: string;
                /** Format: int32 */
                fans: number;
                /** Format: int32 */
                followee: number;
                /** @description False male, true female. */
                gender: boolean;
                /** Format: date */
                birthday?: string;
                /** Format: int32 */
                credits: number;
                /** Format: int32 */
                level: number;
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
                /**
                 * Format: double
                 * @description Metres from where the asker is.
                 */
                distance?: number;
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
                /** Format: int64 */
                beginAtMs?: number;
                /** Format: int64 */
                endAtMs?: number;
                /** Format: int64 */
                nowMs?: number;
            }[];
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
        FoundOrderView: components["schemas"]["OrderView"] | components["schemas"]["OnItsWayView"];
        LoginInput: components["schemas"]["ContactInput"] & {
            code?: string;
            /** @description Old clients offer it; it is never looked at. */
            password?: string;
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
             * @description Orders in SQL that hold a piece.
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
        /** @description An order that was granted and is not in SQL yet: nothing more is known about it here. */
        OnItsWayView: {
            id: string;
            /**
             * Format: int32
             * @description 0: on its way.
             */
            status: number;
        };
        OrderPageView: {
            list: components["schemas"]["OrderView"][];
            /** @description For the next page; absent when there is none. */
            cursor?: string;
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
            /** @description What is shown at the counter; only while the order is paid and not used. */
            redeemCode?: string;
            /** @description In the site's zone, such as `2026-11-15T18:10:39`. */
            createTime: string;
            payTime?: string;
            useTime?: string;
            refundTime?: string;
            /**
             * Format: int64
             * @description Until when an unpaid order waits for its payment.
             */
            payDeadlineMs?: number;
        };
        /** @enum {string} */
        PhaseView: "waiting" | "open" | "sold_out" | "ended";
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
        };
        ReconcileInput: {
            /** @description Whether to repair what can be repaired without a person. */
            repair: boolean;
        };
        RepairView: {
            what: string;
            /**
             * Format: int64
             * @description Orders or pieces; negative where pieces were taken out.
             */
            count: number;
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
            /** @description The asker's latest order of this sale. */
            orderId?: string;
            /** @description What a claim must carry in `X-Claim-Token`, on sites that ask for it; only while the sale is open. */
            claimToken?: string;
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
            /**
             * Format: double
             * @description Metres from where the asker is.
             */
            distance?: number;
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
            /** @description What a code can be sent to. */
            contacts: components["schemas"]["ContactKind"][];
            demoAccounts?: components["schemas"]["DemoAccountView"][];
        };
        StatusInput: {
            /**
             * Format: int64
             * @description 1 on the shelf, 2 off.
             */
            status: number;
        };
        UserInfoView: {
            /** Format: int64 */
            userId: number;
            city: string;
            introduce: string;
            /** Format: int32 */
            fans: number;
            /** Format: int32 */
            followee: number;
            /** @description False male, true female. */
            gender: boolean;
            /** Format: date */
            birthday?: string;
            /** Format: int32 */
            credits: number;
            /** Format: int32 */
            level: number;
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
    list_dead: {
        parameters: {
            query?: {
                /** @description What the page before said. */
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
                    "application/json": components["schemas"]["Envelope_DeadPageView"] | components["schemas"]["Failure"];
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
                /** @description `site` (all pages together), `home`, `shop-list` or `shop:<id>`; `site` if missing. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
    list_of_name: {
        parameters: {
            query?: {
                /** @description What the name holds; nothing finds all. */
                name?: string;
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
                /** @description Page, from 1. */
                current?: number;
                /** @description Longitude of where the asker is; counts together with `y` only. */
                x?: number;
                /** @description Latitude of where the asker is. */
                y?: number;
                /** @description Counts together with `x` and `y` only; else shops come by id. */
                sortBy?: "distance" | "comments" | "score" | "price";
                /** @description Metres around the asker, 5000 if not given and 50000 at most. */
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
    send_code: {
        parameters: {
            query?: {
                /** @description A mainland mobile number. */
                phone?: string;
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The same fields, for clients that do not use the query. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
                /** @description What the page before said. */
                cursor?: string;
                /** @description 10 if not given, and 50 at most. */
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
                    "application/json": components["schemas"]["Envelope_OrderPageView"] | components["schemas"]["Failure"];
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request. */
            409: {
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
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
            /** @description Not for this role, or written by cookie from another site. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The `Idempotency-Key` was used for another request. */
            409: {
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
