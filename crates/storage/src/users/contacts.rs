//! The contacts of an account: one phone number and one e-mail address, of which at least one stays.
//!
//! The unique keys decide whose a contact is. A change names the contacts that its caller saw and holds the lock of the row, so
//! of two changes at once one wins. Its audit entry, the owner's notice and the outbox row that ends other sessions are
//! written in the same transaction.

use domain::{Contact, ContactKind, Email, Phone, UserId};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, DbErr, EntityTrait, QuerySelect};
use serde::{Deserialize, Serialize};

use super::{User, UserStatus, insert_new, touched};
use crate::db::DatabaseTransaction;
use crate::entity::user;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::sql::is_unique_violation;
use crate::{Db, Error, audit, outbox, phone_proofs};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    pub phone: Option<Phone>,
    pub email: Option<Email>,
}

/// Whose contacts change, and on whose behalf.
#[derive(Clone, Copy, Debug)]
pub struct ContactChange<'a> {
    pub user: UserId,
    /// The contacts that the caller saw.
    pub known: &'a Contacts,
    /// `None` for the operator at the command line.
    pub actor: Option<UserId>,
    /// The session that changes them, which goes on.
    pub kept_session: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactRefusal {
    /// Another account has it.
    Taken,
    /// The account has other contacts than the caller saw, or is not active.
    Stale,
    /// The account would be left without a contact.
    Last,
}

/// A contact was changed or removed: sessions that were opened before must end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactChanged {
    pub id: UserId,
    /// The session that changed it, which goes on.
    pub kept_session: u32,
    pub changed_at_ms: i64,
}

impl ContactChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "contact_changed";
}

impl Contacts {
    pub fn get(&self, kind: ContactKind) -> Option<Contact> {
        match kind {
            ContactKind::Phone => self.phone.clone().map(Contact::from),
            ContactKind::Email => self.email.clone().map(Contact::from),
        }
    }

    pub fn has(&self, contact: &Contact) -> bool {
        self.get(contact.kind()).as_ref() == Some(contact)
    }
}

/// Binds `new`, or changes the contact of its kind.
pub async fn set_contact(
    db: &Db,
    change: ContactChange<'_>,
    new: &Contact,
) -> Result<Result<User, ContactRefusal>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let Some(row) = lock_as_known(&transaction, change).await? else {
            return Ok(Err(ContactRefusal::Stale));
        };
        let mut changed = touched(row);
        match new {
            Contact::Phone(phone) => changed.phone = Set(Some(phone.as_str().to_owned())),
            Contact::Email(email) => changed.email = Set(Some(email.as_str().to_owned())),
        }
        let row = match changed.update(&transaction).await {
            Err(error) if is_unique_violation(&error) => return Ok(Err(ContactRefusal::Taken)),
            result => result?,
        };
        if new.kind() == ContactKind::Phone {
            phone_proofs::write(&transaction, change.user, Timestamp::now()).await?;
        }
        let is_first = change.known.get(new.kind()).is_none();
        let action = match is_first {
            true => "bind_contact",
            false => "change_contact",
        };
        record(&transaction, change, action, new.kind()).await?;
        if !is_first {
            enqueue(&transaction, change).await?;
        }
        transaction.commit().await?;
        Ok(Ok(User::from_row(row)))
    };
    db.run("set contact", set).await
}

/// Removes the contact of this kind while the other one stays.
pub async fn remove_contact(
    db: &Db,
    change: ContactChange<'_>,
    kind: ContactKind,
) -> Result<Result<User, ContactRefusal>, Error> {
    let others = ContactKind::ALL.into_iter().filter(|other| *other != kind);
    if others.filter_map(|kind| change.known.get(kind)).count() == 0 {
        return Ok(Err(ContactRefusal::Last));
    }
    let remove = async {
        let transaction = db.begin().await?;
        let Some(row) = lock_as_known(&transaction, change).await? else {
            return Ok(Err(ContactRefusal::Stale));
        };
        let mut changed = touched(row);
        match kind {
            ContactKind::Phone => changed.phone = Set(None),
            ContactKind::Email => changed.email = Set(None),
        }
        let row = changed.update(&transaction).await?;
        if kind == ContactKind::Phone {
            phone_proofs::delete(&transaction, change.user).await?;
        }
        record(&transaction, change, "remove_contact", kind).await?;
        enqueue(&transaction, change).await?;
        transaction.commit().await?;
        Ok(Ok(User::from_row(row)))
    };
    db.run("remove contact", remove).await
}

/// Gives the phone number of `former` to a new account. `None` if it is not that account's any longer, or the account is not
/// active.
pub async fn start_anew(
    db: &Db,
    former: UserId,
    phone: &Phone,
    default_nick_name: &str,
) -> Result<Option<User>, Error> {
    let start = async {
        let transaction = db.begin().await?;
        let find = user::Entity::find_by_id(former.get()).lock_exclusive();
        let held = |row: &user::Model| {
            let user = User::from_row(row.clone());
            user.status == UserStatus::Active && user.phone.as_ref() == Some(phone)
        };
        let Some(row) = find.one(&transaction).await?.filter(held) else {
            return Ok(None);
        };
        let mut released = touched(row);
        released.phone = Set(None);
        released.update(&transaction).await?;
        phone_proofs::delete(&transaction, former).await?;
        let subject = format!("user:{former}");
        audit::insert(&transaction, None, "release_phone", &subject, "").await?;
        let now = Timestamp::now();
        let notice = NewNotice::of_account(former, NoticeKind::PhoneReleased, now);
        notices::insert(&transaction, &[notice]).await?;
        let contact = Contact::from(phone.clone());
        let row = insert_new(&transaction, &contact, default_nick_name).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("start anew", start).await
}

/// The locked row, if the account is active and has the contacts that the caller saw.
async fn lock_as_known(
    transaction: &DatabaseTransaction,
    change: ContactChange<'_>,
) -> Result<Option<user::Model>, DbErr> {
    let find = user::Entity::find_by_id(change.user.get()).lock_exclusive();
    let row = find.one(transaction).await?;
    Ok(row.filter(|row| {
        let user = User::from_row(row.clone());
        user.status == UserStatus::Active && user.contacts() == *change.known
    }))
}

/// The audit entry and the notice.
async fn record(
    transaction: &DatabaseTransaction,
    change: ContactChange<'_>,
    action: &str,
    kind: ContactKind,
) -> Result<(), DbErr> {
    let subject = format!("user:{}", change.user);
    let detail = match kind {
        ContactKind::Phone => "phone",
        ContactKind::Email => "email",
    };
    audit::insert(transaction, change.actor, action, &subject, detail).await?;
    let (kind, now) = (NoticeKind::ContactChanged, Timestamp::now());
    let notice = NewNotice::of_account(change.user, kind, now);
    notices::insert(transaction, &[notice]).await?;
    Ok(())
}

async fn enqueue(
    transaction: &DatabaseTransaction,
    change: ContactChange<'_>,
) -> Result<(), DbErr> {
    let changed = ContactChanged {
        id: change.user,
        kept_session: change.kept_session,
        changed_at_ms: Timestamp::now().as_millisecond(),
    };
    let key = format!("user:{}", change.user);
    outbox::append(transaction, ContactChanged::KIND, &key, &changed).await
}
