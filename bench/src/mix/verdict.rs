//! Whether everything that was answered with a success is in SQL, once, and nothing else is.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};

use super::script::{Action, RequestScript};
use crate::load::TimedReply;
use crate::market::{Market, order_of};

/// Two ids in one number of SQL: above every id there is.
const PAIR: i64 = 10_000_000_000;

pub(super) async fn check(
    market: &mut Market,
    voucher: i64,
    stock: usize,
    script: &RequestScript,
    replies: &[TimedReply],
) -> Result<()> {
    let claimed = replies.iter().zip(&script.actions);
    let claimed = claimed.filter(|(_, action)| **action == Action::Claim);
    let orders: Vec<i64> = claimed.filter_map(|(it, _)| order_of(&it.answer)).collect();
    ensure!(
        orders.len() == stock,
        "{} of {stock} units were sold",
        orders.len()
    );
    market.note(voucher, orders.into_iter());
    market.check().await?;
    let expected = Expected::of(script, replies);
    expected.compare(market).await
}

/// What must be there in the end.
#[derive(Default)]
struct Expected {
    likes: BTreeSet<i64>,
    follows: BTreeSet<i64>,
    check_ins: BTreeSet<i64>,
}

impl Expected {
    fn of(script: &RequestScript, replies: &[TimedReply]) -> Self {
        let mut expected = Self::default();
        let done = script.actions.iter().zip(replies);
        for (action, _) in done.filter(|(_, it)| it.answer.is_success) {
            match *action {
                Action::Like { user, note } => expected.toggle(note * PAIR + user),
                Action::Follow { user, author } => {
                    expected.follows.insert(user * PAIR + author);
                }
                Action::CheckIn { user } => {
                    expected.check_ins.insert(user);
                }
                Action::Read | Action::ReadFeed | Action::Claim => {}
            }
        }
        expected
    }

    /// Two toggles cancel each other; their order does not matter.
    fn toggle(&mut self, like: i64) {
        if !self.likes.remove(&like) {
            self.likes.insert(like);
        }
    }

    async fn compare(&self, market: &Market) -> Result<()> {
        let of_crowd = "SELECT id FROM tb_user WHERE phone LIKE '199%'";
        let queries = [
            (
                "likes",
                &self.likes,
                format!(
                    "SELECT blog_id * {PAIR} + user_id FROM tb_blog_like WHERE user_id IN ({of_crowd})"
                ),
            ),
            (
                "follows",
                &self.follows,
                format!(
                    "SELECT user_id * {PAIR} + follow_user_id FROM tb_follow WHERE user_id IN ({of_crowd})"
                ),
            ),
            (
                "check-ins",
                &self.check_ins,
                format!("SELECT user_id FROM tb_sign WHERE user_id IN ({of_crowd})"),
            ),
        ];
        for (what, expected, sql) in queries {
            let found = market.sql.numbers(sql).await?;
            let different: BTreeSet<i64> = found.iter().copied().collect();
            ensure!(
                different.len() == found.len(),
                "some {what} are there twice"
            );
            ensure!(
                different == *expected,
                "{} {what} were answered with a success, {} are in SQL, and they are not the same",
                expected.len(),
                found.len()
            );
        }
        let wrong = "SELECT COUNT(*) FROM tb_blog b WHERE liked <> (SELECT COUNT(*) FROM tb_blog_like l WHERE l.blog_id = b.id)";
        let wrong = market.sql.numbers(wrong.to_owned()).await?;
        ensure!(
            wrong == [0],
            "{wrong:?} notes count likes that are not there"
        );
        Ok(())
    }
}
