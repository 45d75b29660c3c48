//! Keys of notes and comments, and edits: whatever is sent twice is written once, and nothing is overwritten unread.

use domain::{NoteId, ShopId, UserId};
use storage::comments::{self, CommentRefusal, NewComment};
use storage::notes::{self, NewNote, NoteEdit, NoteEditRefusal, PublishRefusal, Visibility};
use storage::shops::{self, Principal};
use storage::uploads::{self, RemoveRefusal};
use storage::write_keys::{self, KeyUsed, WriteKey, Written};
use tokio::task::JoinSet;

use crate::support::{TestDb, create_shop, on_both, person};

fn note(author: UserId, shop_id: ShopId, key: Option<WriteKey>) -> NewNote {
    NewNote {
        author,
        shop_id,
        title: "好吃".to_owned(),
        content: "下次再来".to_owned(),
        pictures: Vec::new(),
        stars: Some(4),
        opinion: Default::default(),
        key,
        mentions: Vec::new(),
    }
}

fn key(fingerprint: &str) -> WriteKey {
    WriteKey {
        name: "draft".to_owned(),
        fingerprint: fingerprint.to_owned(),
    }
}

async fn used(test: &TestDb, user: UserId, key: &WriteKey, what: Written) -> Option<KeyUsed> {
    write_keys::find(&test.db, user, key, what).await.unwrap()
}

#[tokio::test]
async fn a_key_makes_one_note_however_many_ask_at_once() {
    on_both(async |test| {
        let (author, other) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(&test.db, "茶餐厅").await.id;
        let mut crowd = JoinSet::new();
        for _ in 0..8 {
            let (db, new) = (test.db.clone(), note(author, shop, Some(key("a"))));
            crowd.spawn(async move { notes::publish(&db, &new).await.unwrap() });
        }
        let ends = crowd.join_all().await;
        let made: Vec<&notes::Note> = ends.iter().filter_map(|end| end.as_ref().ok()).collect();
        let [made] = made[..] else {
            panic!("one note, not {}", made.len())
        };
        let refused = ends.iter().filter(|end| end.is_err());
        assert!(
            refused
                .clone()
                .all(|end| *end == Err(PublishRefusal::KeyUsed))
        );
        assert_eq!(test.count("tb_blog").await, 1);
        let shop_row = shops::get_for_fill(&test.db, shop).await.unwrap().unwrap();
        assert_eq!(shop_row.comments, 1);

        let id = made.id.get();
        let found = used(&test, author, &key("a"), Written::Note).await;
        assert_eq!(found, Some(KeyUsed::Again(id)));
        let found = used(&test, author, &key("b"), Written::Note).await;
        assert_eq!(found, Some(KeyUsed::ForOther(Some(id))));
        let found = used(&test, author, &key("a"), Written::Comment).await;
        assert_eq!(found, Some(KeyUsed::ForOther(None)));
        assert_eq!(used(&test, other, &key("a"), Written::Note).await, None);
        let theirs = notes::publish(&test.db, &note(other, shop, Some(key("a")))).await;
        assert!(theirs.unwrap().is_ok(), "a key is its sender's own");

        notes::delete(&test.db, Principal::Owner(author), made.id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(test.count("tb_write_key").await, 1, "it goes with its note");
    })
    .await;
}

#[tokio::test]
async fn a_key_makes_one_comment_and_goes_with_it() {
    on_both(async |test| {
        let author = person(&test, 1).await;
        let shop = create_shop(&test.db, "茶餐厅").await.id;
        let note = notes::publish(&test.db, &note(author, shop, None)).await;
        let new = NewComment {
            author,
            note: note.unwrap().unwrap().id,
            parent: None,
            answers: None,
            content: "真的吗".to_owned(),
            key: Some(key("a")),
            mentions: Vec::new(),
        };
        let first = comments::create(&test.db, &new).await.unwrap().unwrap();
        let again = comments::create(&test.db, &new).await.unwrap();
        assert_eq!(again, Err(CommentRefusal::KeyUsed));
        assert_eq!(test.count("tb_blog_comments").await, 1);
        let found = used(&test, author, &key("a"), Written::Comment).await;
        assert_eq!(found, Some(KeyUsed::Again(first.get())));
        comments::delete(&test.db, Principal::Owner(author), first)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(test.count("tb_write_key").await, 0);
    })
    .await;
}

fn change(author: UserId, id: NoteId, edits_before: u32, addresses: &[&str]) -> NoteEdit {
    NoteEdit {
        author,
        id,
        edits_before,
        title: "更好吃".to_owned(),
        content: format!("第{edits_before}次改"),
        addresses: addresses.iter().map(|it| (*it).to_owned()).collect(),
        stars: Some(2),
        mentions: Vec::new(),
        opinion: Default::default(),
    }
}

async fn edit(test: &TestDb, edit: &NoteEdit) -> Result<(), NoteEditRefusal> {
    notes::edit(&test.db, edit).await.unwrap()
}

#[tokio::test]
async fn an_edit_changes_text_stars_and_pictures_and_nothing_unread() {
    on_both(async |test| {
        let (author, other) = (person(&test, 1).await, person(&test, 2).await);
        let shop = create_shop(&test.db, "茶餐厅").await.id;
        for name in [
            "/blogs/1/1/a.webp",
            "/blogs/1/1/b.webp",
            "/blogs/1/1/c.webp",
        ] {
            uploads::record(&test.db, author, name).await.unwrap();
        }
        let pictures = ["/blogs/1/1/a.webp", "/blogs/1/1/b.webp"];
        let new = NewNote {
            pictures: pictures.map(str::to_owned).to_vec(),
            ..note(author, shop, None)
        };
        let id = notes::publish(&test.db, &new).await.unwrap().unwrap().id;
        let new_pictures = ["/imgs/blogs/1/1/c.webp", "/imgs/blogs/1/1/b.webp"];
        let first = change(author, id, 0, &new_pictures);

        let foreign = NoteEdit {
            author: other,
            ..first.clone()
        };
        assert_eq!(edit(&test, &foreign).await, Err(NoteEditRefusal::NotAuthor));
        let nowhere = NoteEdit {
            id: NoteId::new(404),
            ..first.clone()
        };
        assert_eq!(
            edit(&test, &nowhere).await,
            Err(NoteEditRefusal::NoSuchNote)
        );
        let unknown = change(author, id, 0, &["/imgs/blogs/1/1/nobodys.webp"]);
        let refused = Err(NoteEditRefusal::Picture(
            "/blogs/1/1/nobodys.webp".to_owned(),
        ));
        assert_eq!(edit(&test, &unknown).await, refused);
        let unchanged = notes::get(&test.db, id).await.unwrap().unwrap().note;
        assert_eq!(unchanged.title, "好吃");

        assert_eq!(edit(&test, &first).await, Ok(()));
        assert_eq!(edit(&test, &first).await, Ok(()), "its reply was lost");
        let stale = NoteEdit {
            title: "另一个".to_owned(),
            ..first.clone()
        };
        assert_eq!(edit(&test, &stale).await, Err(NoteEditRefusal::Changed));
        let text = notes::get_texts_for_fill(&test.db, &[id]).await.unwrap();
        let text = &text[0];
        assert_eq!((&*text.title, &*text.content), ("更好吃", "第0次改"));
        assert_eq!(text.images, new_pictures.join(","));
        assert_eq!((text.stars, text.edits), (Some(2), 1));
        assert!(text.edited_at.is_some_and(|at| at >= text.created_at));
        let row = shops::get_for_fill(&test.db, shop).await.unwrap().unwrap();
        assert_eq!((row.comments, row.score), (1, 20));
        let sql = "SELECT payload FROM tb_outbox WHERE kind = 'note_text_changed'";
        assert_eq!(test.texts(sql).await, [format!("{{\"id\":{id}}}")]);
        let remove = async |name| uploads::remove(&test.db, author, name).await.unwrap();
        assert_eq!(remove("/blogs/1/1/a.webp").await, Ok(()), "free again");
        for kept in ["/blogs/1/1/b.webp", "/blogs/1/1/c.webp"] {
            assert_eq!(remove(kept).await, Err(RemoveRefusal::InUse));
        }

        let admin = person(&test, 3).await;
        notes::set_visibility(&test.db, admin, id, Visibility::Hidden)
            .await
            .unwrap();
        let hidden = change(author, id, 1, &new_pictures);
        assert_eq!(edit(&test, &hidden).await, Err(NoteEditRefusal::NoSuchNote));
    })
    .await;
}

#[tokio::test]
async fn of_two_edits_of_the_same_state_one_is_told() {
    on_both(async |test| {
        let author = person(&test, 1).await;
        let shop = create_shop(&test.db, "茶餐厅").await.id;
        let published = notes::publish(&test.db, &note(author, shop, None)).await;
        let id = published.unwrap().unwrap().id;
        let mut tabs = JoinSet::new();
        for tab in 0..6 {
            let db = test.db.clone();
            let edit = NoteEdit {
                title: format!("第{tab}页"),
                ..change(author, id, 0, &[""])
            };
            tabs.spawn(async move { notes::edit(&db, &edit).await.unwrap() });
        }
        let ends = tabs.join_all().await;
        assert_eq!(ends.iter().filter(|end| end.is_ok()).count(), 1);
        let told = ends
            .iter()
            .filter(|end| **end == Err(NoteEditRefusal::Changed));
        assert_eq!(told.count(), 5);
    })
    .await;
}
