//! What orders and payments are made of.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use app::flash_sales::FlashSales;
use app::orders::{OrderRules, Orders};
use app::payments::{PaymentRules, Payments, TradeBook};
use flash::{IdChoice, OrderIds};
use kv::Kv;
use link::Link;
use lock::Locks;
use pay::{Alipay, AlipaySettings, Provider, Sandbox, SandboxSettings, Trust};
use secrecy::SecretString;

use crate::settings::{self, PaymentProvider, Settings};

/// What the sandbox signs with. Everybody may know it: the sandbox pays for every caller, and production refuses it.
const SANDBOX_SECRET: &str = "the sandbox keeps nothing that is worth a secret";

/// Orders that no gate stands before take their ids from the same source as the others.
pub(super) fn orders(
    settings: &Settings,
    link: &Link,
    locks: &Locks,
    flash_sales: &FlashSales,
) -> Orders {
    let engine = flash_sales.engine();
    let choice = match settings.flash.ids {
        settings::OrderIds::Counter => IdChoice::Counted,
        settings::OrderIds::Snowflake => IdChoice::Snowflake(locks.clone()),
    };
    let ledger = Arc::new(engine.ledger().clone());
    let ids = OrderIds::new(link.clone(), engine.keys().clone(), ledger, choice);
    let rules = OrderRules {
        pay_within: settings.order.pay_within(),
        max_unpaid_per_user: settings.order.max_unpaid_per_user,
        remind_before: settings.order.remind_before(),
    };
    Orders::new(ids, rules)
}

pub(super) fn payments(settings: &Settings, kv: &Kv) -> anyhow::Result<Payments> {
    let payment = &settings.payment;
    let provider = match payment.provider {
        PaymentProvider::None => None,
        PaymentProvider::Sandbox => Some(Provider::Sandbox(sandbox(settings, kv)?)),
        PaymentProvider::Alipay => {
            let alipay = alipay_settings(&payment.alipay)?;
            let alipay = Alipay::new(&alipay).context("payment.alipay")?;
            Some(Provider::Alipay(alipay))
        }
    };
    Ok(Payments::new(PaymentRules {
        provider,
        always_cashier: payment.cashier,
        public_url: settings.public_url(),
        ask_after: Duration::from_secs(payment.ask_after_secs),
    }))
}

fn sandbox(settings: &Settings, kv: &Kv) -> anyhow::Result<Sandbox> {
    let chosen = SandboxSettings {
        cashier_url: format!("{}/cashier", settings.public_url()),
        secret: SecretString::from(SANDBOX_SECRET),
    };
    let book = Arc::new(TradeBook::new(kv.clone()));
    Sandbox::new(chosen, book).context("the sandbox cannot be set up")
}

fn alipay_settings(alipay: &settings::Alipay) -> anyhow::Result<AlipaySettings> {
    let text = |value: &Option<String>, key: &str| {
        let value = value.clone();
        value.with_context(|| format!("payment.alipay.{key} is not set"))
    };
    let trust = if alipay.app_cert_file.is_some() {
        Trust::Certificates {
            app: read(&alipay.app_cert_file, "app_cert_file")?,
            alipay: read(&alipay.alipay_cert_file, "alipay_cert_file")?,
            alipay_root: read(&alipay.alipay_root_cert_file, "alipay_root_cert_file")?,
        }
    } else {
        Trust::PublicKey {
            alipay_public_key: read(&alipay.alipay_public_key_file, "alipay_public_key_file")?,
        }
    };
    let key = read(&alipay.app_private_key_file, "app_private_key_file")?;
    Ok(AlipaySettings {
        gateway: alipay.gateway.clone(),
        app_id: text(&alipay.app_id, "app_id")?,
        seller_id: text(&alipay.seller_id, "seller_id")?,
        app_private_key: SecretString::from(key),
        trust,
        timeout: Duration::from_millis(alipay.timeout_ms),
    })
}

fn read(file: &Option<PathBuf>, key: &str) -> anyhow::Result<String> {
    let file = file.as_ref();
    let file = file.with_context(|| format!("payment.alipay.{key} is not set"))?;
    let read = fs::read_to_string(file);
    read.with_context(|| format!("cannot read payment.alipay.{key} {}", file.display()))
}
