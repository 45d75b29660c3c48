//! What was written is read as it was; everything else is refused.

use proptest::prelude::*;

use super::*;

fn fields(pairs: &[(&str, &str)]) -> Fields {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
        .collect()
}

fn order(id: i64) -> Order {
    Order {
        id: OrderId(id),
        sale: SaleId(7),
        buyer: BuyerId(id + 1),
        slot: 1,
        granted_at_ms: 1_700_000_000_000,
        key: None,
    }
}

#[test]
fn orders_of_the_gate_are_read() {
    let found = StreamEntry::decode(&fields(&[
        ("v", "1"),
        ("s", "7"),
        ("t", "1700000000000"),
        ("n", "2"),
        ("o", "11:10:1,21:20:1"),
    ]));
    assert_eq!(found, Ok(StreamEntry::Orders(vec![order(10), order(20)])));
}

#[test]
fn names_of_requests_are_read_and_a_version_without_them_reads_the_rest() {
    let old = [
        ("v", "1"),
        ("s", "7"),
        ("t", "1700000000000"),
        ("n", "2"),
        ("o", "11:10:1,21:20:1"),
    ];
    let with = |names| StreamEntry::decode(&fields(&[&old[..], &[("k", names)]].concat()));
    let named = Order {
        key: Some(KeyHash(0xff)),
        ..order(20)
    };
    let found = with(",00000000000000ff").expect("an entry");
    assert_eq!(found, StreamEntry::Orders(vec![order(10), named]));
    for wrong in ["", ",ff", "00000000000000ff", ",00000000000000FF", ",,"] {
        assert_eq!(with(wrong), Err(Undecodable::Field("k")), "{wrong:?}");
    }
    // What a broker carries: a reader that knows no header reads the line, and one that does reads a line without it.
    let line = found.to_line();
    let bare = StreamEntry::from_line(line.as_bytes(), None);
    assert_eq!(bare, Ok(StreamEntry::Orders(vec![order(10), order(20)])));
    let names = found.request_keys().expect("one has a key");
    assert_eq!(
        StreamEntry::from_line(line.as_bytes(), Some(names.as_bytes())),
        Ok(found)
    );
}

#[test]
fn what_no_gate_writes_is_refused() {
    let good = [
        ("v", "1"),
        ("s", "7"),
        ("t", "1"),
        ("n", "1"),
        ("o", "1:2:1"),
    ];
    let with = |name: &str, value| {
        let changed = good.map(|(found, old)| (found, if found == name { value } else { old }));
        StreamEntry::decode(&fields(&changed))
    };
    assert!(with("v", "1").is_ok());
    assert_eq!(with("v", "2"), Err(Undecodable::Version));
    assert_eq!(with("v", "two"), Err(Undecodable::Field("v")));
    for value in ["", "x", "+7", "07", "7 ", "99999999999999999999"] {
        assert_eq!(with("s", value), Err(Undecodable::Field("s")), "{value:?}");
        assert_eq!(with("t", value), Err(Undecodable::Field("t")), "{value:?}");
    }
    for value in ["0", "2"] {
        assert_eq!(with("n", value), Err(Undecodable::Count), "{value:?}");
    }
    for value in [
        "", "1:2", "1:2:0", "1:2:256", "1:2:1:1", "1:2:1,", ",1:2:1", "a:2:1",
    ] {
        assert_eq!(with("o", value), Err(Undecodable::Field("o")), "{value:?}");
    }
    for absent in ["v", "s", "t", "n", "o"] {
        let rest: Vec<_> = good
            .into_iter()
            .filter(|(name, _)| *name != absent)
            .collect();
        assert!(StreamEntry::decode(&fields(&rest)).is_err(), "{absent}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let strange = vec![(vec![0xff], vec![0xfe]), (b"v".to_vec(), b"1".to_vec())];
    assert!(StreamEntry::decode(&strange).is_err());
}

#[test]
fn a_barrier_is_read() {
    let nonce = "9f";
    let found = StreamEntry::decode(&fields(&barrier_fields(nonce)));
    assert_eq!(found, Ok(StreamEntry::Barrier(nonce.to_owned())));
    assert!(StreamEntry::decode(&fields(&barrier_fields(""))).is_err());
}

#[test]
fn ids_are_ordered_as_in_the_stream() {
    let [a, b, c]: [EntryId; 3] = ["9-1", "9-10", "10-0"].map(|id| id.parse().expect("an id"));
    assert!(a < b && b < c);
    assert!("9".parse::<EntryId>().is_err());
}

proptest! {
    #[test]
    fn a_line_is_read_as_it_was_written(
        sale: i64,
        granted_at_ms: i64,
        items in prop::collection::vec((any::<i64>(), any::<i64>(), 1_u8.., any::<Option<u64>>()), 1..300),
    ) {
        let orders = items.into_iter().map(|(buyer, id, slot, key)| Order {
            id: OrderId(id),
            sale: SaleId(sale),
            buyer: BuyerId(buyer),
            slot,
            granted_at_ms,
            key: key.map(KeyHash),
        });
        let entry = StreamEntry::Orders(orders.collect());
        let names = entry.request_keys();
        let names = names.as_deref().map(str::as_bytes);
        prop_assert_eq!(StreamEntry::from_line(entry.to_line().as_bytes(), names), Ok(entry));
    }

    #[test]
    fn no_line_makes_the_reader_panic(line: Vec<u8>, names: Option<Vec<u8>>) {
        let _ = StreamEntry::from_line(&line, names.as_deref());
    }
}
