//! The people who send requests: one of every role, each with a new session for every request, so that signing out in one
//! request never spoils the next.

use std::net::SocketAddr;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Uri};
use domain::{Contact, Phone, Role, SessionToken};
use kv::{NewSession, SessionProfile};
use storage::users;
use testkit::TestApp;

use super::draft::{Draft, Shown, Who};
use super::wire::RawRequest;

pub(super) struct Cast {
    core: app::App,
    address: SocketAddr,
    people: Vec<SessionProfile>,
}

impl Cast {
    pub(super) async fn assemble(app: &TestApp, address: SocketAddr) -> Self {
        let mut people = Vec::new();
        for (place, role) in Role::ALL.into_iter().enumerate() {
            let phone = Phone::parse(&format!("1590000000{place}")).unwrap();
            people.push(person(app.core(), &phone.into(), role).await);
        }
        Self {
            core: app.core().clone(),
            address,
            people,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.people.len()
    }

    /// Addresses a draft and signs its sender in.
    pub(super) async fn pack(&self, draft: &Draft) -> RawRequest {
        let mut headers = HeaderMap::new();
        let host = self.address.to_string();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(media) = &draft.media {
            headers.insert(CONTENT_TYPE, media.parse().unwrap());
        }
        if let Who::Person(number, shown) = draft.who {
            let token = self.open_session(number).await;
            show(&mut headers, &token, shown, &host);
        }
        // They take the place of ours; several of one name travel as several.
        for (name, _) in &draft.headers {
            headers.remove(name);
        }
        for (name, value) in &draft.headers {
            let value = HeaderValue::from_bytes(value).unwrap();
            headers.append(name.clone(), value);
        }
        RawRequest {
            method: draft.method.clone(),
            target: uri(&draft.target()),
            headers,
            body: draft.body().into(),
        }
    }

    async fn open_session(&self, number: usize) -> SessionToken {
        let token = SessionToken::from_random(rand::random());
        let session = NewSession {
            profile: &self.people[number],
            number: rand::random(),
            device: "Chrome · Android",
            address: "127.0.0.*",
        };
        let lifetimes = &self.core.rules().session_lifetimes;
        let opened = self
            .core
            .kv()
            .create_session(&token, &session, lifetimes)
            .await;
        opened.unwrap();
        token
    }
}

async fn person(core: &app::App, contact: &Contact, role: Role) -> SessionProfile {
    let user = users::find_or_create(core.db(), contact, role.as_str())
        .await
        .unwrap();
    users::set_role(core.db(), contact, role, None)
        .await
        .unwrap();
    SessionProfile {
        user_id: user.id,
        nick_name: user.nick_name,
        icon: user.icon,
        role,
    }
}

fn show(headers: &mut HeaderMap, token: &SessionToken, shown: Shown, host: &str) {
    let token = token.as_str();
    let (name, value) = match shown {
        Shown::Bare => (AUTHORIZATION, token.to_owned()),
        Shown::Bearer => (AUTHORIZATION, format!("Bearer {token}")),
        Shown::Cookie => (COOKIE, format!("tandian_session={token}")),
    };
    headers.insert(name, value.parse().unwrap());
    if shown == Shown::Cookie {
        headers.insert(ORIGIN, format!("http://{host}").parse().unwrap());
    }
}

/// What no URI may hold travels percent-encoded; the raw bytes are for the tests on bare sockets.
#[track_caller]
fn uri(target: &str) -> Uri {
    let safe: String = target
        .bytes()
        .map(|byte| match byte {
            b'!' | b'$'..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'z' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    safe.parse()
        .unwrap_or_else(|error| panic!("{error}: {safe}"))
}
