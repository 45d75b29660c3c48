//! Roles and blocks. Every change writes its audit entry and its outbox row in the same transaction.

use domain::{Contact, Role, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::changed::enqueue_change;
use super::{User, UserStatus, of_contact, touched};
use crate::entity::user;
use crate::{Db, Error, audit};

/// Sets a role and records who did. `None` if no user has this contact.
pub async fn set_role(
    db: &Db,
    contact: &Contact,
    role: Role,
    actor: Option<UserId>,
) -> Result<Option<User>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let Some(row) = of_contact(contact).one(&transaction).await? else {
            return Ok(None);
        };
        let (id, before) = (row.id, Role::from_code(row.role));
        let mut changed = touched(row);
        changed.role = Set(role.code());
        let row = changed.update(&transaction).await?;
        let detail = format!("{before} -> {role}");
        audit::insert(&transaction, actor, "set_role", &subject(id), &detail).await?;
        enqueue_change(&transaction, UserId::new(id)).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("set role", set).await
}

/// Blocks or unblocks a user and records who did. `None` if the user does not exist, or its account is closed.
pub async fn set_status(
    db: &Db,
    id: UserId,
    status: UserStatus,
    actor: Option<UserId>,
) -> Result<Option<User>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let find = user::Entity::find_by_id(id.get())
            .filter(user::Column::Status.ne(UserStatus::Closed.code()));
        let Some(row) = find.lock_exclusive().one(&transaction).await? else {
            return Ok(None);
        };
        let mut changed = touched(row);
        changed.status = Set(status.code());
        let row = changed.update(&transaction).await?;
        let detail = status.as_str();
        audit::insert(&transaction, actor, "set_status", &subject(row.id), detail).await?;
        enqueue_change(&transaction, id).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("set status", set).await
}

/// The admins, at most [`ADMINS_LIMIT`].
pub async fn list_admins(db: &Db) -> Result<Vec<UserId>, Error> {
    db.run("list admins", admins(db.reader())).await
}

/// More admins than any site has; each gets a notice.
const ADMINS_LIMIT: u64 = 20;

pub(crate) async fn admins(connection: &impl ConnectionTrait) -> Result<Vec<UserId>, DbErr> {
    let find = user::Entity::find()
        .select_only()
        .column(user::Column::Id)
        .filter(user::Column::Role.eq(Role::Admin.code()))
        .filter(user::Column::Status.eq(UserStatus::Active.code()))
        .order_by_asc(user::Column::Id)
        .limit(ADMINS_LIMIT)
        .into_tuple::<i64>();
    let ids = find.all(connection).await?;
    Ok(ids.into_iter().map(UserId::new).collect())
}

fn subject(id: i64) -> String {
    format!("user:{id}")
}
