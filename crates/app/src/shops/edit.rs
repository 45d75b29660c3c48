//! Opening shops and changing them: merchants their own, admins any.

use std::time::Duration;

use domain::{InvalidShop, ShopDraft, ShopId, ShopTypeId, UserId};
use kv::Session;
use storage::shops::{self, Asker, NewShop, Shop, ShopChange, UpdateRefusal};
use storage::{shop_types, uploads};

use super::change;
use crate::permission::in_the_trade;
use crate::{App, Error, Refusal};

/// How long somebody who changed a shop waits for Redis to show it. The outbox does the rest.
const SHOW_WAIT: Duration = Duration::from_secs(1);

/// Opens a shop, which then belongs to the asker.
pub async fn create(app: &App, session: &Session, draft: ShopDraft) -> Result<ShopId, Error> {
    in_the_trade(session)?;
    let owner = session.profile.user_id;
    let draft = check(app, draft).await?;
    let new = new_shop(draft).map_err(Refusal::ShopInvalid)?;
    // No shop has this id, so no picture is its already.
    check_pictures(app, owner, ShopId::new(0), &new.images).await?;
    let shop = shops::create(app.db(), owner, &new).await?;
    show_at_once(app, &shop, None).await;
    Ok(shop.id)
}

/// Changes what the draft speaks of.
pub async fn update(
    app: &App,
    session: &Session,
    id: Option<ShopId>,
    draft: ShopDraft,
) -> Result<(), Error> {
    let asker = in_the_trade(session)?;
    let id = id.ok_or(Refusal::ShopIdMissing)?;
    let draft = check(app, draft).await?;
    let type_before = match draft.type_id {
        Some(_) => type_of(app, id).await?,
        None => None,
    };
    if let (Asker::Owner(owner), Some(images)) = (asker, &draft.images) {
        check_pictures(app, owner, id, images).await?;
    }
    let updated = shops::update(app.db(), asker, id, &shop_change(draft)).await?;
    let shop = updated.map_err(|refusal| match refusal {
        UpdateRefusal::NoSuchShop => Refusal::ShopNotFound,
        UpdateRefusal::NotOwner => Refusal::Forbidden,
    })?;
    show_at_once(app, &shop, type_before).await;
    Ok(())
}

/// The type is looked for in SQL: caches may not have heard of a new one.
async fn check(app: &App, draft: ShopDraft) -> Result<ShopDraft, Error> {
    let draft = draft.checked().map_err(Refusal::ShopInvalid)?;
    if let Some(type_id) = draft.type_id {
        let types = shop_types::list(app.db()).await?;
        if !types.iter().any(|it| it.id == type_id) {
            return Err(Refusal::ShopInvalid(InvalidShop::Type).into());
        }
    }
    Ok(draft)
}

/// A shop shows what its owner uploaded, and what it shows already.
async fn check_pictures(app: &App, owner: UserId, shop: ShopId, images: &str) -> Result<(), Error> {
    let used_by = format!("shop:{shop}");
    if uploads::are_foreign(app.db(), owner, images, &used_by).await? {
        return Err(Refusal::ShopInvalid(InvalidShop::Images).into());
    }
    Ok(())
}

async fn type_of(app: &App, id: ShopId) -> Result<Option<ShopTypeId>, Error> {
    let shop = shops::get_for_fill(app.db(), id).await?;
    Ok(shop.map(|shop| shop.type_id))
}

/// What was committed shows on this node before it is answered for, as far as Redis allows. A failure is no failure of
/// the change: the outbox row was written with it.
async fn show_at_once(app: &App, shop: &Shop, type_before: Option<ShopTypeId>) {
    app.outbox().wake();
    let types = [Some(shop.type_id), type_before];
    let shown = change::show(app, shop.id, shop.version, types);
    match tokio::time::timeout(SHOW_WAIT, shown).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "a changed shop shows later");
        }
        Err(_) => tracing::debug!("a changed shop shows later: Redis is slow"),
    }
}

/// What every shop has must be there.
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
    }
}
