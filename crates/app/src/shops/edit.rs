//! Creates and updates shops: merchants their own, admins any.

use std::time::Duration;

use domain::shop::pictures_in;
use domain::{InvalidShop, ShopDraft, ShopId, ShopTypeId, UserId};
use kv::Session;
use storage::shops::{self, NewShop, Principal, Shop, ShopChange, UpdateRefusal};
use storage::{shop_types, uploads};

use super::change;
use crate::permission::shop_principal;
use crate::{App, Error, Refusal};

/// How long a caller waits for Redis after the commit; the outbox applies the change anyway.
const APPLY_TIMEOUT: Duration = Duration::from_secs(1);

/// Creates a shop owned by the caller.
pub async fn create(app: &App, session: &Session, draft: ShopDraft) -> Result<ShopId, Error> {
    shop_principal(session)?;
    let owner = session.profile.user_id;
    let draft = check(app, draft, "").await?;
    let new = new_shop(draft).map_err(Refusal::ShopInvalid)?;
    // No shop has id 0, so it uses no picture yet.
    check_pictures(app, owner, ShopId::new(0), &new.images, "").await?;
    let shop = shops::create(app.db(), owner, &new).await?;
    apply_now(app, &shop, None).await;
    Ok(shop.id)
}

/// Updates the fields that the draft sets.
pub async fn update(
    app: &App,
    session: &Session,
    id: Option<ShopId>,
    draft: ShopDraft,
) -> Result<(), Error> {
    let principal = shop_principal(session)?;
    let id = id.ok_or(Refusal::ShopIdMissing)?;
    let before = match (draft.type_id, &draft.images) {
        (None, None) => None,
        _ => shops::get_for_fill(app.db(), id).await?,
    };
    let kept = before.as_ref().map_or("", |shop| shop.images.as_str());
    let draft = check(app, draft, kept).await?;
    let type_before = match draft.type_id {
        Some(_) => before.as_ref().map(|shop| shop.type_id),
        None => None,
    };
    if let (Principal::Owner(owner), Some(images)) = (principal, &draft.images) {
        check_pictures(app, owner, id, images, kept).await?;
    }
    let updated = shops::update(app.db(), principal, id, &shop_change(draft)).await?;
    let shop = updated.map_err(|refusal| match refusal {
        UpdateRefusal::NoSuchShop => Refusal::ShopNotFound,
        UpdateRefusal::NotOwner => Refusal::Forbidden,
    })?;
    apply_now(app, &shop, type_before).await;
    Ok(())
}

/// The type is read from SQL: a cache may not have a new one yet. `kept` are the pictures that the shop has.
async fn check(app: &App, draft: ShopDraft, kept: &str) -> Result<ShopDraft, Error> {
    let hosts = app.pictures().outside_hosts();
    let draft = draft.checked_with(kept, hosts);
    let draft = draft.map_err(Refusal::ShopInvalid)?;
    if let Some(type_id) = draft.type_id {
        let types = shop_types::list(app.db()).await?;
        if !types.iter().any(|it| it.id == type_id) {
            return Err(Refusal::ShopInvalid(InvalidShop::Type).into());
        }
    }
    Ok(draft)
}

/// A shop may use pictures that its owner uploaded and those that it has, whoever brought them.
async fn check_pictures(
    app: &App,
    owner: UserId,
    shop: ShopId,
    images: &str,
    kept: &str,
) -> Result<(), Error> {
    let used_by = format!("shop:{shop}");
    let is_new = |picture: &&str| pictures_in(kept).all(|it| it != *picture);
    let new: Vec<&str> = pictures_in(images).filter(is_new).collect();
    if uploads::any_foreign(app.db(), owner, &new.join(","), &used_by).await? {
        return Err(Refusal::ShopInvalid(InvalidShop::ForeignPicture).into());
    }
    Ok(())
}

/// Applies the committed change on this node before the reply, if Redis allows. A failure does not fail the request:
/// the outbox row was committed with it.
pub(super) async fn apply_now(app: &App, shop: &Shop, type_before: Option<ShopTypeId>) {
    app.outbox().wake();
    let types = [Some(shop.type_id), type_before];
    let shown = change::apply(app, shop.id, shop.version, types);
    match tokio::time::timeout(APPLY_TIMEOUT, shown).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "shop caches not updated, outbox retries");
        }
        Err(_) => tracing::debug!("shop cache update timed out, outbox retries"),
    }
}

/// Checks the required fields.
fn new_shop(draft: ShopDraft) -> Result<NewShop, InvalidShop> {
    Ok(NewShop {
        name: draft.name.ok_or(InvalidShop::Name)?,
        type_id: draft.type_id.ok_or(InvalidShop::Type)?,
        images: draft.images.unwrap_or_default(),
        area: draft.area,
        address: draft.address.ok_or(InvalidShop::Address)?,
        x: draft.x.ok_or(InvalidShop::Position)?,
        y: draft.y.ok_or(InvalidShop::Position)?,
        avg_price_yuan: draft.avg_price_yuan,
        open_hours: draft.open_hours,
        phone: draft.phone,
    })
}

fn shop_change(draft: ShopDraft) -> ShopChange {
    ShopChange {
        name: draft.name,
        type_id: draft.type_id,
        images: draft.images,
        area: draft.area,
        address: draft.address,
        x: draft.x,
        y: draft.y,
        avg_price_yuan: draft.avg_price_yuan,
        open_hours: draft.open_hours,
        phone: draft.phone,
    }
}
