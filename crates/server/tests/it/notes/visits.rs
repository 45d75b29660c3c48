//! Reading a note is a visit of its page.

use domain::Role;
use testkit::wait_until;

use super::{ADMIN, AUTHOR, RELAYED, publish, read, site};
use crate::shops::sign_in;

#[tokio::test]
async fn a_note_that_is_read_is_counted_and_one_that_is_not_there_is_not() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    let admin = sign_in(&app, ADMIN, Role::Admin).await;
    let note = publish(&app, &me).await;
    for _ in 0..3 {
        read(&me, note).await;
    }
    me.get("/api/blog/404").await;
    let views = async |page: &str| {
        let path = format!("/api/console/visits?page={page}");
        let days = admin.get(&path).await.data();
        // The day may turn in between: the last two together.
        let days = days.as_array().unwrap().clone();
        days.iter()
            .map(|day| day["pv"].as_u64().unwrap())
            .sum::<u64>()
    };
    let page = format!("note:{note}");
    wait_until("the views are counted", RELAYED, || async {
        views(&page).await == 3
    })
    .await;
    assert_eq!(views("note:404").await, 0);
}
