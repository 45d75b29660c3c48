// Generated from openapi.json by `npm run types`; do not edit.

export interface paths {
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Every `code` a client can meet.
         * @enum {string}
         */
        Code: "phone_invalid" | "email_invalid" | "phone_unsupported" | "code_too_often" | "code_daily_limit" | "login_locked" | "code_wrong" | "code_expired" | "password_login_off" | "user_blocked" | "nick_name_invalid" | "icon_invalid" | "city_invalid" | "introduce_invalid" | "birthday_invalid" | "session_not_found" | "shop_not_found" | "shop_id_missing" | "shop_name_invalid" | "shop_type_unknown" | "shop_images_invalid" | "shop_area_invalid" | "shop_address_invalid" | "shop_position_invalid" | "shop_price_invalid" | "shop_hours_invalid" | "malformed" | "not_signed_in" | "forbidden" | "foreign_origin" | "no_such_route" | "method_not_allowed" | "body_too_large" | "unsupported_media_type" | "too_many" | "internal" | "busy" | "unavailable";
        CodeSentView: {
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
        /** @enum {string} */
        Env: "development" | "production";
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
        Envelope_MeView: {
            /** @enum {boolean} */
            success: true;
            data?: components["schemas"]["UserView"] & {
                roles: components["schemas"]["Role"][];
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
        Envelope_i64: {
            /** @enum {boolean} */
            success: true;
            /** Format: int64 */
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
            /** @description What the refusal needs besides its words, such as `retryAfterSecs`. */
            data?: Record<string, never>;
            /** @description Where a malformed request is wrong: place → what is wrong there. */
            fields?: {
                [key: string]: string;
            };
        };
        LoginInput: components["schemas"]["ContactInput"] & {
            code?: string;
            /** @description Old clients offer it; it is never looked at. */
            password?: string;
        };
        MeView: components["schemas"]["UserView"] & {
            roles: components["schemas"]["Role"][];
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
        /** @enum {string} */
        Role: "user" | "merchant" | "admin";
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
}
