//! What the original's objects look like: every member with its type, in its order. Written from its entities, and compared
//! with the bytes of a reply, because a JSON value forgets the order.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use testkit::HttpReply;

/// What a value must be.
#[derive(Debug)]
pub(crate) enum Shape {
    Bool,
    /// A number without a fraction.
    Int,
    /// A number with one: Java's `Double` is never written without.
    Double,
    Text,
    /// `2021-12-22T18:10:39`.
    Time,
    /// `1999-01-31`.
    Date,
    List(&'static Shape),
    Object(&'static [Member]),
}

/// A member that is always there, or left out when it is null.
#[derive(Debug)]
pub(crate) enum Member {
    Always(&'static str, Shape),
    Maybe(&'static str, Shape),
}

use Member::{Always, Maybe};
use Shape::{Bool, Date, Double, Int, List, Object, Text, Time};

pub(crate) const USER: Shape = Object(&[
    Always("id", Int),
    Always("nickName", Text),
    Always("icon", Text),
]);

pub(crate) const USER_INFO: Shape = Object(&[
    Always("userId", Int),
    Maybe("city", Text),
    Maybe("introduce", Text),
    Always("fans", Int),
    Always("followee", Int),
    Maybe("gender", Bool),
    Maybe("birthday", Date),
    Always("credits", Int),
    Always("level", Bool),
]);

pub(crate) const SHOP_TYPE: Shape = Object(&[
    Always("id", Int),
    Always("name", Text),
    Always("icon", Text),
    Always("sort", Int),
]);

pub(crate) const SHOP: Shape = Object(&[
    Always("id", Int),
    Always("name", Text),
    Always("typeId", Int),
    Always("images", Text),
    Maybe("area", Text),
    Always("address", Text),
    Always("x", Double),
    Always("y", Double),
    Maybe("avgPrice", Int),
    Always("sold", Int),
    Always("comments", Int),
    Always("score", Int),
    Maybe("openHours", Text),
    Always("createTime", Time),
    Always("updateTime", Time),
    Maybe("distance", Double),
]);

pub(crate) const VOUCHER: Shape = Object(&[
    Always("id", Int),
    Always("shopId", Int),
    Always("title", Text),
    Maybe("subTitle", Text),
    Maybe("rules", Text),
    Always("payValue", Int),
    Always("actualValue", Int),
    Always("type", Int),
    Maybe("stock", Int),
    Maybe("beginTime", Time),
    Maybe("endTime", Time),
]);

pub(crate) const NOTE: Shape = Object(&[
    Always("id", Int),
    Always("shopId", Int),
    Always("userId", Int),
    Maybe("icon", Text),
    Maybe("name", Text),
    Maybe("isLike", Bool),
    Always("title", Text),
    Always("images", Text),
    Always("content", Text),
    Always("liked", Int),
    Maybe("comments", Int),
    Always("createTime", Time),
    Always("updateTime", Time),
]);

pub(crate) const FEED: Shape = Object(&[
    Always("list", List(&NOTE)),
    Always("minTime", Int),
    Always("offset", Int),
]);

/// JSON whose objects keep the order of their members.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool,
    Int,
    Double,
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// A successful reply with data of this shape, and nothing else in it.
#[track_caller]
pub(crate) fn check_reply(reply: &HttpReply, data: &'static Shape) {
    assert_eq!(reply.status, 200, "{}", reply.text);
    if let Err(problem) = compare(&reply.text, data) {
        panic!("{problem} in {}", reply.text);
    }
}

/// A successful reply without data.
#[track_caller]
pub(crate) fn check_done(reply: &HttpReply) {
    assert_eq!(
        (reply.status.as_u16(), &*reply.text),
        (200, r#"{"success":true}"#)
    );
}

/// A refusal as the original's pages show it.
#[track_caller]
pub(crate) fn check_refused(reply: &HttpReply, text: &str) {
    let expected = format!(r#"{{"success":false,"errorMsg":"{text}"}}"#);
    assert_eq!((reply.status.as_u16(), &*reply.text), (200, &*expected));
}

fn compare(text: &str, data: &Shape) -> Result<(), String> {
    let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let Json::Object(members) = json else {
        return Err("no envelope".to_owned());
    };
    match &members[..] {
        [(success, Json::Bool), (name, value)] if success == "success" && name == "data" => {
            fits(value, data, "data")
        }
        _ => Err("the envelope has not success and data alone, in this order".to_owned()),
    }
}

fn fits(value: &Json, shape: &Shape, place: &str) -> Result<(), String> {
    let is_right = match (value, shape) {
        (Json::Bool, Bool) | (Json::Int, Int) | (Json::Double, Double) => true,
        (Json::Text(_), Text) => true,
        (Json::Text(text), Time) => is_like(text, "0000-00-00T00:00:00"),
        (Json::Text(text), Date) => is_like(text, "0000-00-00"),
        (Json::List(items), List(item)) => {
            for (index, found) in items.iter().enumerate() {
                fits(found, item, &format!("{place}[{index}]"))?;
            }
            true
        }
        (Json::Object(found), Object(members)) => return fit(found, members, place),
        _ => false,
    };
    match is_right {
        true => Ok(()),
        false => Err(format!("{place}: {value:?} instead of {shape:?}")),
    }
}

/// The members of the table, in its order; each name of the object must be the next one that is due.
fn fit(found: &[(String, Json)], members: &[Member], place: &str) -> Result<(), String> {
    let mut found = found.iter().peekable();
    for member in members {
        let (name, shape, is_always) = match member {
            Always(name, shape) => (name, shape, true),
            Maybe(name, shape) => (name, shape, false),
        };
        match found.next_if(|(next, _)| next == name) {
            Some((_, value)) => fits(value, shape, &format!("{place}.{name}"))?,
            None if is_always => return Err(format!("{place}: {name} is not where it belongs")),
            None => {}
        }
    }
    match found.next() {
        Some((name, _)) => Err(format!("{place}: {name} does not belong there")),
        None => Ok(()),
    }
}

fn is_like(text: &str, pattern: &str) -> bool {
    let fits = |(byte, like): (u8, u8)| match like {
        b'0' => byte.is_ascii_digit(),
        _ => byte == like,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Bool)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Int)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Int)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Double)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Json::Object(object))
    }
}

/// The comparison itself: it must see each kind of difference.
#[test]
fn a_renamed_retyped_moved_added_or_missing_member_is_noticed() {
    let good = r#"{"success":true,"data":{"id":1,"nickName":"a","icon":""}}"#;
    assert_eq!(compare(good, &USER), Ok(()));
    for bad in [
        r#"{"success":true,"data":{"id":1,"nickname":"a","icon":""}}"#,
        r#"{"success":true,"data":{"id":"1","nickName":"a","icon":""}}"#,
        r#"{"success":true,"data":{"nickName":"a","id":1,"icon":""}}"#,
        r#"{"success":true,"data":{"id":1,"nickName":"a","icon":"","roles":[]}}"#,
        r#"{"success":true,"data":{"id":1,"nickName":"a"}}"#,
        r#"{"success":true,"data":{"id":1,"nickName":"a","icon":null}}"#,
        r#"{"success":true,"data":{"id":1.0,"nickName":"a","icon":""}}"#,
        r#"{"data":{"id":1,"nickName":"a","icon":""},"success":true}"#,
        r#"{"success":true,"data":{"id":1,"nickName":"a","icon":""},"total":1}"#,
    ] {
        assert!(compare(bad, &USER).is_err(), "{bad}");
    }
    let info = |birthday: &str, level: &str| {
        format!(
            r#"{{"success":true,"data":{{"userId":1,"fans":0,"followee":0,"birthday":{birthday},"credits":0,"level":{level}}}}}"#
        )
    };
    assert_eq!(
        compare(&info("\"1999-01-31\"", "false"), &USER_INFO),
        Ok(())
    );
    for bad in [info("\"1999-01-31\"", "0"), info("\"1999-1-31\"", "true")] {
        assert!(compare(&bad, &USER_INFO).is_err(), "{bad}");
    }
}
