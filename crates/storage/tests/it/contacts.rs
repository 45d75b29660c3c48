//! The contacts of an account: whose one is, what a change names, and what a number leaves behind that begins anew.

use std::sync::Arc;

use domain::{Contact, ContactKind, Phone, UserId};
use jiff::Timestamp;
use storage::users::{self, ContactChange, ContactRefusal, Contacts, UserStatus};
use storage::{Db, notices, phone_proofs, site_marks};
use tokio::sync::Barrier;

use crate::support::{TestDb, email, on_both, person, phone};

const SESSION: u32 = 7;

async fn contacts(db: &Db, user: UserId) -> Contacts {
    users::get(db, user).await.unwrap().unwrap().contacts()
}

fn change(user: UserId, known: &Contacts) -> ContactChange<'_> {
    ContactChange {
        user,
        known,
        actor: Some(user),
        kept_session: SESSION,
    }
}

async fn set(db: &Db, user: UserId, known: &Contacts, new: &Contact) -> Result<(), ContactRefusal> {
    let set = users::set_contact(db, change(user, known), new).await;
    set.unwrap().map(drop)
}

async fn bind(db: &Db, user: UserId, new: &Contact) -> Result<(), ContactRefusal> {
    let known = contacts(db, user).await;
    set(db, user, &known, new).await
}

async fn outbox(test: &TestDb) -> Vec<String> {
    let sql = "SELECT kind FROM tb_outbox WHERE kind = 'contact_changed'";
    test.texts(sql).await
}

async fn actions(test: &TestDb) -> Vec<String> {
    test.texts("SELECT action FROM tb_audit ORDER BY id").await
}

fn number(text: &str) -> Phone {
    Phone::parse(text).unwrap()
}

#[tokio::test]
async fn a_bound_address_finds_the_same_account() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        let address = email("ann@example.com");
        bind(&test.db, ann, &address).await.unwrap();
        for contact in [phone("13900000001"), address] {
            let found = users::find_by_contact(&test.db, &contact).await.unwrap();
            assert_eq!(found.unwrap().id, ann);
        }
        assert_eq!(actions(&test).await, ["bind_contact"]);
        assert!(
            outbox(&test).await.is_empty(),
            "a contact more ends no session"
        );
        let told = notices::list(&test.db, ann, None, 5).await.unwrap();
        assert_eq!(told[0].kind.as_str(), "contact_changed");
    })
    .await;
}

#[tokio::test]
async fn a_changed_number_no_longer_finds_the_account() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        bind(&test.db, ann, &phone("13900000009")).await.unwrap();
        let old = users::find_by_contact(&test.db, &phone("13900000001")).await;
        assert_eq!(old.unwrap(), None);
        let new = users::find_by_contact(&test.db, &phone("13900000009")).await;
        assert_eq!(new.unwrap().unwrap().id, ann);
        assert!(phone_proofs::get(&test.db, ann).await.unwrap().is_some());
        assert_eq!(actions(&test).await, ["change_contact"]);
        assert_eq!(outbox(&test).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_contact_of_another_account_is_taken_and_nothing_changes() {
    on_both(async |test| {
        let (ann, bob) = (person(&test, 1).await, person(&test, 2).await);
        bind(&test.db, bob, &email("bob@example.com"))
            .await
            .unwrap();
        let before = contacts(&test.db, ann).await;
        for theirs in [email("bob@example.com"), phone("13900000002")] {
            let refused = bind(&test.db, ann, &theirs).await;
            assert_eq!(refused, Err(ContactRefusal::Taken));
        }
        assert_eq!(contacts(&test.db, ann).await, before);
        assert_eq!(actions(&test).await, ["bind_contact"]);
    })
    .await;
}

#[tokio::test]
async fn of_two_accounts_that_bind_one_address_at_once_one_has_it() {
    on_both(async |test| {
        for round in 0..10_u32 {
            let (ann, bob) = (
                person(&test, 2 * round).await,
                person(&test, 2 * round + 1).await,
            );
            let address = email(&format!("shared{round}@example.com"));
            let barrier = Arc::new(Barrier::new(2));
            let binding = [ann, bob].map(|user| {
                let (db, barrier) = (test.db.clone(), barrier.clone());
                let address = address.clone();
                tokio::spawn(async move {
                    let known = contacts(&db, user).await;
                    barrier.wait().await;
                    set(&db, user, &known, &address).await
                })
            });
            let mut outcomes = Vec::new();
            for one in binding {
                outcomes.push(one.await.unwrap());
            }
            outcomes.sort_by_key(Result::is_err);
            assert_eq!(outcomes, [Ok(()), Err(ContactRefusal::Taken)]);
        }
    })
    .await;
}

#[tokio::test]
async fn of_two_changes_from_one_state_one_wins() {
    on_both(async |test| {
        for round in 0..10_u32 {
            let ann = person(&test, round).await;
            let known = contacts(&test.db, ann).await;
            let barrier = Arc::new(Barrier::new(2));
            let changing = ["1380000", "1370000"].map(|prefix| {
                let (db, barrier) = (test.db.clone(), barrier.clone());
                let (known, new) = (known.clone(), phone(&format!("{prefix}{round:04}")));
                tokio::spawn(async move {
                    barrier.wait().await;
                    set(&db, ann, &known, &new).await
                })
            });
            let mut outcomes = Vec::new();
            for one in changing {
                outcomes.push(one.await.unwrap());
            }
            outcomes.sort_by_key(Result::is_err);
            assert_eq!(outcomes, [Ok(()), Err(ContactRefusal::Stale)]);
        }
    })
    .await;
}

#[tokio::test]
async fn one_of_two_contacts_is_removed_and_the_last_one_stays() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        let remove = async |kind| {
            let known = contacts(&test.db, ann).await;
            let removed = users::remove_contact(&test.db, change(ann, &known), kind).await;
            removed.unwrap().map(drop)
        };
        assert_eq!(remove(ContactKind::Phone).await, Err(ContactRefusal::Last));
        bind(&test.db, ann, &email("ann@example.com"))
            .await
            .unwrap();
        phone_proofs::record(&test.db, ann, Timestamp::now())
            .await
            .unwrap();
        remove(ContactKind::Phone).await.unwrap();
        assert_eq!(phone_proofs::get(&test.db, ann).await.unwrap(), None);
        assert_eq!(remove(ContactKind::Email).await, Err(ContactRefusal::Last));
        assert_eq!(contacts(&test.db, ann).await.phone, None);
        assert_eq!(actions(&test).await, ["bind_contact", "remove_contact"]);
        assert_eq!(outbox(&test).await.len(), 1);
    })
    .await;
}

/// Two tabs remove one contact each.
#[tokio::test]
async fn two_removals_at_once_leave_a_contact() {
    on_both(async |test| {
        for round in 0..10_u32 {
            let ann = person(&test, round).await;
            let address = email(&format!("ann{round}@example.com"));
            bind(&test.db, ann, &address).await.unwrap();
            let known = contacts(&test.db, ann).await;
            let barrier = Arc::new(Barrier::new(2));
            let removing = ContactKind::ALL.map(|kind| {
                let (db, barrier, known) = (test.db.clone(), barrier.clone(), known.clone());
                tokio::spawn(async move {
                    barrier.wait().await;
                    let removed = users::remove_contact(&db, change(ann, &known), kind).await;
                    removed.unwrap().is_ok()
                })
            });
            let mut removed = 0;
            for one in removing {
                removed += i32::from(one.await.unwrap());
            }
            assert_eq!(removed, 1);
            assert_ne!(contacts(&test.db, ann).await, Contacts::default());
        }
    })
    .await;
}

#[tokio::test]
async fn a_blocked_account_keeps_its_contacts() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        bind(&test.db, ann, &email("ann@example.com"))
            .await
            .unwrap();
        let known = contacts(&test.db, ann).await;
        users::set_status(&test.db, ann, UserStatus::Blocked, None)
            .await
            .unwrap();
        let refused = set(&test.db, ann, &known, &phone("13800000001")).await;
        assert_eq!(refused, Err(ContactRefusal::Stale));
        let kind = ContactKind::Email;
        let refused = users::remove_contact(&test.db, change(ann, &known), kind).await;
        assert_eq!(refused.unwrap().map(drop), Err(ContactRefusal::Stale));
        let anew = users::start_anew(&test.db, ann, &number("13900000001"), "new").await;
        assert_eq!(
            anew.unwrap(),
            None,
            "nobody leaves a block by a new account"
        );
    })
    .await;
}

/// Adopted rows may hold what is no mobile number: nobody signs in by it, and it is replaced.
#[tokio::test]
async fn a_number_that_is_none_is_replaced() {
    on_both(async |test| {
        let contact = email("ann@example.com");
        let ann = users::find_or_create(&test.db, &contact, "ann").await;
        let ann = ann.unwrap().id;
        let odd = format!("UPDATE tb_user SET phone = '' WHERE id = {ann}");
        test.execute(&odd).await;
        assert_eq!(contacts(&test.db, ann).await.phone, None);
        bind(&test.db, ann, &phone("13900000001")).await.unwrap();
        let found = users::find_by_contact(&test.db, &phone("13900000001")).await;
        assert_eq!(found.unwrap().unwrap().id, ann);
        assert_eq!(actions(&test).await, ["bind_contact"]);
    })
    .await;
}

#[tokio::test]
async fn a_number_that_begins_anew_leaves_the_former_account_as_it_was() {
    on_both(async |test| {
        let ann = person(&test, 1).await;
        bind(&test.db, ann, &email("ann@example.com"))
            .await
            .unwrap();
        let held = number("13900000001");
        phone_proofs::record(&test.db, ann, Timestamp::UNIX_EPOCH)
            .await
            .unwrap();
        let new = users::start_anew(&test.db, ann, &held, "newcomer").await;
        let new = new.unwrap().unwrap();
        assert_ne!(new.id, ann);
        assert_eq!((new.phone, new.email), (Some(held.clone()), None));
        let left = contacts(&test.db, ann).await;
        let address = email("ann@example.com");
        assert_eq!(left.phone, None);
        assert_eq!(left.get(ContactKind::Email), Some(address));
        assert_eq!(phone_proofs::get(&test.db, ann).await.unwrap(), None);
        let told = notices::list(&test.db, ann, None, 5).await.unwrap();
        assert_eq!(told[0].kind.as_str(), "phone_released");
        let again = users::start_anew(&test.db, ann, &held, "newcomer").await;
        assert_eq!(again.unwrap(), None);
        assert_eq!(test.count("tb_user").await, 2);
    })
    .await;
}

#[tokio::test]
async fn the_first_one_who_asks_sets_since_when_numbers_are_proven() {
    on_both(async |test| {
        let first: Timestamp = "2026-01-02T03:04:05Z".parse().unwrap();
        for now in [first, Timestamp::now()] {
            let since = site_marks::phone_proofs_since(&test.db, now).await;
            assert_eq!(since.unwrap(), first);
        }
    })
    .await;
}
