//! Bodies of failures that have nothing but a code: written once per code and language, because most replies of a sale are
//! such refusals.

use std::sync::LazyLock;

use app::Language;
use axum::body::Bytes;

use super::{Code, Failure};

/// By the number of the code.
static BODIES: LazyLock<Vec<PlainBodies>> = LazyLock::new(|| {
    Code::ALL
        .iter()
        .map(|code| PlainBodies::of(*code))
        .collect()
});

struct PlainBodies {
    chinese: Vec<u8>,
    english: Vec<u8>,
}

impl PlainBodies {
    fn of(code: Code) -> Self {
        let body = |language| {
            let envelope = Failure::new(code).into_envelope(language);
            serde_json::to_vec(&envelope).expect("an envelope is a plain struct")
        };
        Self {
            chinese: body(Language::Chinese),
            english: body(Language::English),
        }
    }
}

/// What [`Failure::new`] with this code says.
pub(super) fn plain_body(code: Code, language: Language) -> Bytes {
    let bodies = &BODIES[code as usize];
    Bytes::from_static(match language {
        Language::Chinese => &bodies.chinese,
        Language::English => &bodies.english,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_bodies() {
        for (place, code) in Code::ALL.iter().enumerate() {
            assert_eq!(*code as usize, place);
            for language in [Language::Chinese, Language::English] {
                let body: serde_json::Value =
                    serde_json::from_slice(&plain_body(*code, language)).unwrap();
                assert_eq!(body["code"], serde_json::to_value(code).unwrap());
                assert_eq!(body["errorMsg"], code.message().text(language).as_ref());
                assert_eq!(body["success"], false);
            }
        }
    }
}
