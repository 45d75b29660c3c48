//! Every route of the server: method, full path, handler, and what sets the route apart from the others. Both listeners
//! have them, the one for pages of the original without the `/api`.
//!
//! A route that request middleware must treat differently says so here, as an attribute of its line; middleware knows no
//! paths. Paths are registered whole: a nested router would take the prefix off the address of every request, which
//! costs the shortest replies a tenth of their time.

mod api_path;
mod original;
mod route;

use axum::Router;
use axum::routing as on;
use utoipa_axum::routes as described;

pub(super) use api_path::{below_api, is_api_path};
pub use original::router as original_router;
pub(super) use route::{IN_TABLE, Route, RouteAttributes, Visited};

use super::dialect::Dialect;
use super::request_middleware::RequestMiddleware;
use super::state::HttpState;
use super::{
    account, block, check_in, comment, contacts, docs, favourite, feed, follow, health, lab, legal,
    map_tiles, note, notice, order, password, payment, personal_data, pictures, search, shop, site,
    topic, upload, visits, voucher, web,
};
use route::{add_to, delete, get, post, put, undescribed};

#[rustfmt::skip] // One line per route: a search for a path finds its method, handler and attributes.
pub(super) fn table() -> Vec<Route> {
    vec![
        get("/api/user/balance", described!(payment::get_balance)),
        get("/api/user/balance/entries", described!(payment::statement::list_entries)),
        post("/api/user/code", described!(account::send_code)),
        post("/api/user/confirmation", described!(personal_data::send_confirmation)),
        get("/api/user/contacts", described!(contacts::get_contacts)),
        put("/api/user/contacts", described!(contacts::set_contact)),
        delete("/api/user/contacts", described!(contacts::remove_contact)),
        post("/api/user/contacts/permit", described!(contacts::permit_change)),
        get("/api/user/deletion", described!(personal_data::get_deletion)),
        post("/api/user/deletion", described!(personal_data::request_deletion)),
        delete("/api/user/deletion", described!(personal_data::keep_account)),
        post("/api/user/export", described!(personal_data::export)),
        put("/api/user/info", described!(account::update_info)),
        get("/api/user/info/{id}", described!(account::get_info)),
        post("/api/user/login", described!(account::login)),
        post("/api/user/logout", described!(account::logout)),
        get("/api/user/me", described!(account::me)),
        get("/api/user/password", described!(password::get_password)),
        put("/api/user/password", described!(password::set_password)),
        delete("/api/user/password", described!(password::remove_password)),
        get("/api/user/sessions", described!(account::list_sessions)),
        delete("/api/user/sessions/{n}", described!(account::end_session)),
        post("/api/user/sign", described!(check_in::check_in)),
        get("/api/user/sign/count", described!(check_in::count_streak)),
        get("/api/user/sign/month", described!(check_in::get_calendar)),
        get("/api/user/{id}", described!(account::get_user)),

        get("/api/follow/common/{id}", described!(follow::list_common)),
        get("/api/follow/fans/{id}", described!(follow::list_fans)),
        get("/api/follow/followees/{id}", described!(follow::list_followees)),
        get("/api/follow/or/not/{id}", described!(follow::is_following)),
        put("/api/follow/{id}/{follow}", described!(follow::set_follow)),

        get("/api/block", described!(block::list_blocked)),
        get("/api/block/{id}", described!(block::is_blocked)),
        put("/api/block/{id}", described!(block::block)),
        delete("/api/block/{id}", described!(block::unblock)),

        get("/api/favourite", described!(favourite::list_shops)),
        get("/api/favourite/list", described!(favourite::list_lists)),
        post("/api/favourite/list", described!(favourite::create_list)),
        put("/api/favourite/list/{id}", described!(favourite::rename_list)),
        delete("/api/favourite/list/{id}", described!(favourite::delete_list)),
        get("/api/favourite/shop/{id}", described!(favourite::get_favourite)),
        put("/api/favourite/shop/{id}", described!(favourite::save_favourite)),
        delete("/api/favourite/shop/{id}", described!(favourite::remove_favourite)),
        get("/api/favourite/note", described!(favourite::notes::list_saved_notes)),
        get("/api/favourite/note/{id}", described!(favourite::notes::get_favourite_note)),
        put("/api/favourite/note/{id}", described!(favourite::notes::save_note)),
        delete("/api/favourite/note/{id}", described!(favourite::notes::remove_note)),

        post("/api/shop", described!(shop::edit::create_shop)),
        put("/api/shop", described!(shop::edit::update_shop)),
        get("/api/shop-type/list", described!(shop::list_types)),
        get("/api/shop/around", described!(shop::list_around)),
        get("/api/shop/of/name", described!(shop::list_of_name)).counts_visit(Visited::ShopList),
        get("/api/shop/of/type", described!(shop::list_of_type)).counts_visit(Visited::ShopList),
        get("/api/shop/{id}", described!(shop::get_shop)).counts_visit(Visited::Shop),
        get("/api/shop/{id}/dishes", described!(note::dishes::list_dishes)),

        post("/api/blog", described!(note::write::publish_note)),
        get("/api/blog/draft", described!(note::drafts::list_drafts)),
        put("/api/blog/draft/{key}", described!(note::drafts::save_draft)),
        delete("/api/blog/draft/{key}", described!(note::drafts::delete_draft)),
        get("/api/blog/hot", described!(note::list_hot_notes)),
        put("/api/blog/like/{id}", described!(note::write::like_note)),
        get("/api/blog/likes/{id}", described!(note::list_likers)),
        get("/api/blog/of/follow", described!(feed::read_feed)),
        get("/api/blog/of/me", described!(note::list_my_notes)),
        get("/api/blog/of/shop", described!(note::list_notes_of_shop)),
        get("/api/blog/of/topic", described!(topic::list_notes_of_topic)),
        get("/api/blog/of/user", described!(note::list_notes_of_user)),
        get("/api/blog/{id}", described!(note::get_note)).counts_visit(Visited::Note),
        put("/api/blog/{id}", described!(note::write::edit_note)),
        delete("/api/blog/{id}", described!(note::write::delete_note)),
        post("/api/blog/{id}/report", described!(note::moderation::report_note)),

        post("/api/blog-comments", described!(comment::create_comment)),
        put("/api/blog-comments/like/{id}", described!(comment::like_comment)),
        get("/api/blog-comments/{id}", described!(comment::list_threads)),
        delete("/api/blog-comments/{id}", described!(comment::delete_comment)),
        get("/api/blog-comments/{id}/replies", described!(comment::list_replies)),
        post("/api/blog-comments/{id}/report", described!(comment::report_comment)),

        post("/api/upload/blog", described!(upload::send_picture)).body_limit(upload::BODY_LIMIT_BYTES),
        get("/api/upload/blog/delete", described!(upload::delete_picture_by_get)),
        delete("/api/upload/blog/delete", described!(upload::delete_picture)),

        post("/api/voucher", described!(voucher::publish::publish)),
        get("/api/voucher/list/{shopId}", described!(voucher::list_of_shop)),
        post("/api/voucher/seckill", described!(voucher::publish::publish_sale)),
        get("/api/voucher/seckill/running", described!(voucher::offer::list_running)),
        get("/api/voucher/seckill/{id}", described!(voucher::sale::get_sale)),
        put("/api/voucher/seckill/{id}", described!(voucher::publish::change_sale)),
        get("/api/voucher/seckill/{id}/events", described!(voucher::sale::follow_sale)),
        get("/api/voucher/{id}", described!(voucher::offer::get_voucher)),
        put("/api/voucher/{id}/status", described!(voucher::publish::set_status)),

        get("/api/voucher-order/of/me", described!(order::list_mine)),
        post("/api/voucher-order/redeem", described!(order::redeem::redeem)),
        post("/api/voucher-order/seckill/{id}", described!(order::claim::claim)).writes_inline(),
        get("/api/voucher-order/{id}", described!(order::get_order)),
        post("/api/voucher-order/{id}", described!(order::lifecycle::purchase)),
        post("/api/voucher-order/{id}/cancel", described!(order::lifecycle::cancel)),
        post("/api/voucher-order/{id}/pay", described!(order::lifecycle::pay)),
        post("/api/voucher-order/{id}/refund", described!(order::lifecycle::refund)),
        post("/api/vouchers/seckill", described!(voucher::publish::publish_sale_by_other_path)),
        post("/api/vouchers/seckill/claim/{id}", described!(order::claim::claim_by_other_path)).writes_inline(),

        get("/api/notices", described!(notice::list_notices)),
        get("/api/notices/events", described!(notice::follow_notices)),
        post("/api/notices/read", described!(notice::mark_read)),
        get("/api/notices/settings", described!(notice::settings::get_notice_settings)),
        put("/api/notices/settings", described!(notice::settings::set_notice_settings)),

        undescribed("/api/payment/notify/{provider}", on::post(payment::notify::notify)).takes_any_origin(),

        get("/api/search/hot", described!(search::list_hot_words)),
        get("/api/search/notes", described!(search::search_notes)),
        get("/api/search/people", described!(search::search_people)),
        get("/api/search/shops", described!(search::search_shops)).counts_visit(Visited::ShopList),
        get("/api/search/suggestions", described!(search::suggest_shops)),

        get("/api/site", described!(site::get_site)),
        get("/api/site/privacy", described!(legal::get_privacy)),
        get("/api/site/terms", described!(legal::get_terms)),

        get("/api/topic/suggestions", described!(topic::suggest_topics)),

        get("/api/lab", described!(lab::get_lab)),
        get("/api/lab/crowd", described!(lab::crowd::get_crowd)),
        post("/api/lab/crowd", described!(lab::crowd::start_crowd)),
        delete("/api/lab/crowd", described!(lab::crowd::cancel_crowd)),
        get("/api/lab/versions/{id}", described!(lab::get_recordings)),

        get("/api/console/comments", described!(comment::moderation::list_flagged)),
        post("/api/console/comments/{id}/hide", described!(comment::moderation::hide_comment)),
        post("/api/console/comments/{id}/restore", described!(comment::moderation::restore_comment)),
        get("/api/console/dead-orders", described!(order::dead_letters::list_dead)),
        post("/api/console/dead-orders/{id}/compensate", described!(order::dead_letters::compensate)),
        post("/api/console/dead-orders/{id}/redrive", described!(order::dead_letters::redrive)),
        get("/api/console/notes", described!(note::moderation::list_flagged_notes)),
        post("/api/console/notes/{id}/hide", described!(note::moderation::hide_note)),
        post("/api/console/notes/{id}/restore", described!(note::moderation::restore_note)),
        get("/api/console/outside-refunds", described!(payment::outside::list_outside)),
        post("/api/console/outside-refunds/{payment}/settle", described!(payment::outside::settle_outside)),
        get("/api/console/sales/{voucherId}", described!(voucher::monitor::look_at_sale)),
        post("/api/console/sales/{voucherId}/reconcile", described!(voucher::monitor::reconcile_sale)),
        get("/api/console/visits", described!(visits::list_visits)),

        undescribed("/cashier/{payment}", on::get(payment::cashier::show).post(payment::cashier::act)).for_site_only(),
        undescribed("/healthz", on::get(health::healthz)).skips_admission(),
        undescribed("/readyz", on::get(health::readyz)).skips_admission(),
        undescribed(map_tiles::ADDRESS, on::get(map_tiles::serve_tiles)).for_site_only(),
    ]
}

/// Where pictures are, on both listeners.
pub(super) const PICTURES: &str = "/imgs";

/// Everything served on the main address.
pub fn router(state: HttpState) -> Router {
    let middleware = RequestMiddleware::new(state.clone());
    let docs = docs::routes()
        .method_not_allowed_fallback(route::method_not_allowed)
        .layer(middleware.clone());
    let files = Router::new()
        .nest(PICTURES, pictures::routes(&state))
        .fallback(web::serve_asset)
        .layer(middleware.with(RouteAttributes::WEB_APP));
    add_to(docs.merge(files), table(), Dialect::Site, &middleware).with_state(state)
}
