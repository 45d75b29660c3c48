//! Settings that cannot work are refused before anybody pays.

use pay::{Alipay, AlipaySettings, SetupError, Trust};
use secrecy::SecretString;

use crate::fixture::{APP_KEY, APP_PUBLIC, settings};

const GATEWAY: &str = "https://gateway.example/gateway.do";

fn refused(change: impl FnOnce(&mut AlipaySettings)) -> SetupError {
    let mut settings = settings(GATEWAY);
    change(&mut settings);
    Alipay::new(&settings).unwrap_err()
}

#[test]
fn the_merchants_own_public_key_is_not_taken_for_alipays() {
    let error = refused(|settings| {
        settings.trust = Trust::PublicKey {
            alipay_public_key: APP_PUBLIC.to_owned(),
        };
    });
    assert!(matches!(error, SetupError::OwnKeyAsAlipays));
}

#[test]
fn signed_requests_do_not_travel_in_the_clear() {
    for gateway in [
        "http://openapi.alipay.com/gateway.do",
        "ftp://x",
        "gateway.do",
    ] {
        let error = refused(|settings| settings.gateway = gateway.to_owned());
        assert!(matches!(error, SetupError::InsecureGateway), "{gateway}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let error = refused(|settings| settings.app_id.clear());
    assert!(matches!(error, SetupError::Missing(_)));
    let error = refused(|settings| settings.seller_id.clear());
    assert!(matches!(error, SetupError::Missing(_)));
    let error = refused(|settings| settings.app_private_key = SecretString::from(""));
    assert!(matches!(error, SetupError::Missing(_)));
}

#[test]
fn neither_settings_nor_provider_print_a_key() {
    let settings = settings(GATEWAY);
    let alipay = Alipay::new(&settings).unwrap();
    let printed = format!("{settings:?} {alipay:?}");
    let line = APP_KEY.lines().nth(1).unwrap();
    assert!(!printed.contains(line));
    assert!(!printed.contains(&line[..16]));
}
