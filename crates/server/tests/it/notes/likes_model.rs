//! Random likes of several people through two servers, with Redis flushed among them, against a model: counter, rows and
//! the set in Redis are the same people, and the first come first.

use std::sync::Arc;

use app::App;
use app::account::find_session;
use domain::{NoteId, SessionToken, UserId};
use futures_util::future::join_all;
use kv::Session;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use storage::{note_likes, notes};
use testkit::{Redis, TestApp, TestAppBuilder};

use super::likes::settled_likers;
use super::{AUTHOR, furnish, publish};

const SEED: u64 = 20_261_115;

const PEOPLE: usize = 7;

/// A long form is a matter of this number alone.
const BURSTS: usize = 8;

/// Who likes the note, by bursts: people of an earlier group came before those of a later one, and of one group nobody
/// knows who was first.
#[derive(Default)]
struct Model {
    groups: Vec<Vec<UserId>>,
}

impl Model {
    /// A user who toggles within a burst ends by parity, and if they like it then, they are among the last.
    fn take(&mut self, burst: &[UserId]) {
        let mut newest = Vec::new();
        let mut toggled: Vec<UserId> = burst.to_vec();
        toggled.sort_unstable();
        toggled.dedup();
        for user in toggled {
            let times = burst.iter().filter(|one| **one == user).count();
            let liked_before = self.remove(user);
            if liked_before == (times % 2 == 0) {
                newest.push(user);
            }
        }
        self.groups.push(newest);
    }

    fn remove(&mut self, user: UserId) -> bool {
        let before = self.count();
        for group in &mut self.groups {
            group.retain(|one| *one != user);
        }
        self.count() < before
    }

    fn count(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// These are the people, in an order that may be.
    #[track_caller]
    fn check(&self, likers: &[UserId]) {
        let mut left = likers;
        for group in &self.groups {
            let (here, later) = left.split_at(group.len().min(left.len()));
            let mut here = here.to_vec();
            here.sort_unstable();
            assert_eq!(&here, group, "{likers:?}");
            left = later;
        }
        assert_eq!(left, [], "nobody else");
    }
}

/// A site of two servers whose Redis may be flushed, a note on it, and people who are signed in whatever Redis forgets.
struct Scene {
    redis: Redis,
    one: TestApp,
    two: TestApp,
    note: i64,
    people: Vec<Arc<Session>>,
}

impl Scene {
    async fn set(builder: TestAppBuilder) -> Self {
        let redis = Redis::start().await;
        let one = builder.redis_url(redis.url()).spawn().await;
        furnish(&one).await;
        let two = one.beside().spawn().await;
        let note = publish(&one, &one.sign_in(AUTHOR).await).await;
        let mut people = Vec::new();
        for n in 0..PEOPLE {
            let client = one.sign_in(&format!("1390000004{n}")).await;
            let token = SessionToken::parse(client.token()).unwrap();
            let session = find_session(one.core(), &token).await.unwrap();
            people.push(session.unwrap());
        }
        Self {
            redis,
            one,
            two,
            note,
            people,
        }
    }

    fn app(&self, random: &mut SmallRng) -> &App {
        match random.random() {
            true => self.one.core(),
            false => self.two.core(),
        }
    }

    /// Some people toggle their like at the same time, some of them several times; returns who did.
    async fn burst(&self, random: &mut SmallRng, is_flushed: bool) -> Vec<UserId> {
        let count = random.random_range(1..=2 * PEOPLE);
        let toggles: Vec<(&App, &Session)> = (0..count)
            .map(|_| {
                (
                    self.app(random),
                    &*self.people[random.random_range(0..PEOPLE)],
                )
            })
            .collect();
        let like = |(app, session): &(&App, &Session)| {
            let (app, session, note) = ((*app).clone(), (*session).clone(), self.note);
            async move { app::notes::like(&app, &session, NoteId::new(note)).await }
        };
        let flush = async {
            if is_flushed {
                self.redis.flush().await;
            }
        };
        let (done, ()) = tokio::join!(join_all(toggles.iter().map(like)), flush);
        done.into_iter().for_each(|liked| liked.unwrap());
        let user = |(_, session): &(&App, &Session)| session.profile.user_id;
        toggles.iter().map(user).collect()
    }

    async fn check(&self, model: &Model) {
        let (db, note) = (self.one.core().db(), NoteId::new(self.note));
        let likers = settled_likers(&self.one, self.note).await;
        model.check(&likers);
        let counted = notes::get(db, note).await.unwrap().unwrap().note.likes;
        assert_eq!(counted as usize, likers.len(), "the counter");
        for person in &self.people {
            let user = person.profile.user_id;
            let row = note_likes::get(db, note, user).await.unwrap();
            assert_eq!(row.is_some(), likers.contains(&user));
        }
        for app in [&self.one, &self.two] {
            let first = app::notes::list_first_likers(app.core(), None, note).await;
            let first: Vec<UserId> = first.unwrap().iter().map(|user| user.id).collect();
            assert_eq!(first, likers[..likers.len().min(5)]);
        }
    }
}

async fn likes_are_those_of_the_model(builder: TestAppBuilder) {
    let mut random = SmallRng::seed_from_u64(SEED);
    let scene = Scene::set(builder).await;
    let mut model = Model::default();
    for burst in 0..BURSTS {
        let toggled = scene.burst(&mut random, burst % 3 == 1).await;
        model.take(&toggled);
        scene.check(&model).await;
        if burst % 4 == 3 {
            scene.redis.flush().await;
            scene.check(&model).await;
        }
    }
}

#[tokio::test]
async fn random_likes_are_those_of_a_model_on_sqlite() {
    likes_are_those_of_the_model(TestApp::builder()).await;
}

#[tokio::test]
async fn random_likes_are_those_of_a_model_on_mariadb() {
    likes_are_those_of_the_model(TestApp::builder().on_mariadb()).await;
}
