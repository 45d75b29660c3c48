//! Rows that changed past the site, by SQL or because a backup was restored: a rebuild brings pages in line with them, on
//! every server.

use app::rebuild::{self, RebuildTarget};
use serde_json::{Value, json};
use storage::bulk::Surplus;
use storage::{Backend, outbox};
use testkit::{Client, TestApp, wait_until};

use super::hot::wait_until_ranked;
use super::{AUTHOR, READER, RELAYED, draft, id_of, ids, like, picture, publish, read, sites};
use crate::adopted::execute;

/// Until then the outbox may invalidate what was read.
async fn wait_until_relayed(app: &TestApp) {
    wait_until("the outbox is empty", RELAYED, || async {
        let backlog = outbox::backlog(app.core().db(), jiff::Timestamp::now()).await;
        backlog.unwrap().count == 0
    })
    .await;
}

async fn rebuild_notes(app: &TestApp) {
    let part = RebuildTarget::Notes;
    let rebuilt = rebuild::rebuild(app.core(), part, Surplus::Drop, &mut |_| {}).await;
    rebuilt.unwrap();
}

/// Title, content and author.
async fn text(client: &Client, note: i64) -> [Value; 3] {
    let note = read(client, note).await;
    ["title", "content", "name"].map(|field| note[field].clone())
}

#[tokio::test]
async fn likes_rank_a_note_again_after_a_backup_was_restored() {
    for app in sites().await {
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let (old, new) = (publish(&app, &me).await, publish(&app, &me).await);
        wait_until_ranked(&app).await;
        for _ in 0..5 {
            like(&me, old).await;
        }
        assert_eq!(ids(&me, "/api/blog/hot").await, [old, new]);
        wait_until_relayed(&app).await;
        let restored = [
            format!("DELETE FROM tb_blog_like WHERE blog_id = {old}"),
            format!("UPDATE tb_blog SET liked = 0, revision = 0 WHERE id = {old}"),
        ];
        execute(app.sql_url(), &restored).await;
        rebuild_notes(&app).await;
        assert_eq!(ids(&me, "/api/blog/hot").await, [new, old]);
        like(&other, old).await;
        assert_eq!(ids(&me, "/api/blog/hot").await, [old, new]);
    }
}

#[tokio::test]
async fn texts_and_names_that_were_changed_by_sql_show_on_all_servers_after_a_rebuild() {
    for app in sites().await {
        let second = app.beside().spawn().await;
        let me = app.sign_in(AUTHOR).await;
        let there = me.clone().at(second.url());
        let (shown, hidden) = (publish(&app, &me).await, publish(&app, &me).await);
        wait_until_relayed(&app).await;
        let before = text(&me, shown).await;
        for (server, note) in [(&me, hidden), (&there, shown), (&there, hidden)] {
            assert_eq!(text(server, note).await, before);
        }
        let author = id_of(&me).await;
        let changes = [
            "UPDATE tb_blog SET title = '改', content = '内容'".to_owned(),
            format!("UPDATE tb_blog SET status = 2 WHERE id = {hidden}"),
            format!("UPDATE tb_user SET nick_name = '新名' WHERE id = {author}"),
        ];
        execute(app.sql_url(), &changes).await;
        assert_eq!(text(&there, shown).await, before, "it is cached");
        rebuild_notes(&app).await;
        let show = "UPDATE tb_blog SET status = 0".to_owned();
        execute(app.sql_url(), &[show]).await;
        let after = ["改", "内容", "新名"].map(Value::from);
        for note in [shown, hidden] {
            assert_eq!(text(&me, note).await, after);
            wait_until("the other server shows it", RELAYED, || async {
                text(&there, note).await == after
            })
            .await;
        }
    }
}

#[tokio::test]
async fn a_note_with_the_id_of_one_that_a_backup_did_not_have_shows_its_own_text_and_author() {
    for app in sites().await {
        let second = app.beside().spawn().await;
        let (me, other) = (app.sign_in(AUTHOR).await, app.sign_in(READER).await);
        let first = publish(&app, &other).await;
        let lost = publish(&app, &me).await;
        wait_until_relayed(&app).await;
        let there = other.clone().at(second.url());
        for server in [&other, &there] {
            for note in [first, lost] {
                text(server, note).await;
            }
        }
        let next_id = match app.core().db().backend() {
            Backend::Sqlite => {
                format!("UPDATE sqlite_sequence SET seq = {first} WHERE name = 'tb_blog'")
            }
            Backend::MySql => format!("ALTER TABLE tb_blog AUTO_INCREMENT = {lost}"),
        };
        let restored = [
            format!("DELETE FROM tb_blog WHERE id = {lost}"),
            next_id,
            format!(
                "UPDATE tb_user SET nick_name = '另一个人' WHERE id = {}",
                id_of(&other).await
            ),
        ];
        execute(app.sql_url(), &restored).await;
        let mut submitted = draft(&picture(&app, &other).await);
        submitted["title"] = json!("另一篇");
        let published = other.post_json("/api/blog", &submitted).await.data();
        assert_eq!(published, json!(lost), "the id is used again");
        let expected = ["另一篇", "下次<br>再来", "另一个人"].map(Value::from);
        assert_eq!(text(&other, lost).await, expected);
        wait_until("the other server shows it", RELAYED, || async {
            text(&there, lost).await == expected
        })
        .await;
    }
}
