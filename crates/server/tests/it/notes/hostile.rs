//! Stored XSS, the original's defect: whatever is sent, what comes back may be printed raw.

use serde_json::json;

use super::{AUTHOR, draft, picture, read, site};

const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>正文",
    "<img src=x onerror=alert(1)>正文",
    "<br onclick=alert(1)>正文",
    "<svg/onload=alert(1)>正文",
    "<a href=\"javascript:alert(1)\">正文</a>",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>正文",
    "<<script>alert(1)//<</script>正文",
    "&lt;script&gt;alert(1)&lt;/script&gt;正文",
];

#[tokio::test]
async fn hostile_texts_are_harmless_when_an_old_page_prints_them_raw() {
    let app = site().await;
    let me = app.sign_in(AUTHOR).await;
    for hostile in HOSTILE {
        let mut draft = draft(&picture(&app, &me).await);
        draft["title"] = json!(hostile);
        draft["content"] = json!(hostile);
        let id = me.post_json("/api/blog", &draft).await.data();
        let note = read(&me, id.as_i64().unwrap()).await;
        let content = note["content"].as_str().unwrap().replace("<br>", "");
        let title = note["title"].as_str().unwrap();
        for text in [&*content, title] {
            assert!(!text.contains(['<', '>']), "{hostile:?} → {text:?}");
            assert!(text.contains("正文"), "{hostile:?} → {text:?}");
        }
        let comment = json!({"blogId": id, "content": hostile});
        me.post_json("/api/blog-comments", &comment).await.data();
        let comments = me.get(&format!("/api/blog-comments/{id}")).await.data();
        let text = comments[0]["content"].as_str().unwrap();
        assert!(!text.contains(['<', '>']), "{hostile:?} → {text:?}");
    }
}
