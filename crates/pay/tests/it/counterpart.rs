//! The tests' Alipay: a gateway that checks what we sign, keeps trades, signs what it says, and misbehaves on demand.

mod trade;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ring::signature::RsaKeyPair;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::fixture::{ALIPAY_KEY, APP_ID, APP_KEY, SELLER_ID, STRANGER_KEY};
use crate::http;
use crate::wire::{self, Fields};
use trade::{Trade, failed};

/// The gateway's word for not knowing.
pub(crate) const SYSTEM_ERROR: Fault = Fault::Refused("40004", "ACQ.SYSTEM_ERROR");

pub(crate) const PAID_AT: &str = "2026-07-01 12:00:01";

/// What goes wrong with the next calls of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Hang,
    /// The work is done and nobody is told.
    HangAfterwards,
    Status(&'static str),
    SignedByStranger,
    Unsigned,
    /// Another amount, after signing.
    Tampered,
    /// Another amount, signed.
    OtherAmount,
    /// An reply about another trade, signed.
    OtherTrade,
    /// The signed node, and before it a better one under the same name.
    TwoNodes,
    /// A signed no, with its two codes.
    Refused(&'static str, &'static str),
    /// True and signed, with a hundred kilobytes beside it.
    Huge,
    NotJson,
    OtherCertificate,
    /// The refund is accepted and not carried out.
    NoFundChange,
}

#[derive(Debug, Default)]
struct State {
    trades: BTreeMap<String, Trade>,
    faults: BTreeMap<String, Fault>,
    calls: Vec<String>,
    certificate_sn: Option<String>,
    /// What a request must carry in certificate mode.
    required: Fields,
}

pub(crate) struct Counterpart {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

impl Drop for Counterpart {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Counterpart {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/gateway.do", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let server = tokio::spawn(serve(listener, state.clone()));
        Self { url, state, server }
    }

    fn with<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        work(&mut self.state.lock().unwrap())
    }

    pub(crate) fn break_method(&self, method: &str, fault: Fault) {
        self.with(|state| state.faults.insert(method.to_owned(), fault));
    }

    pub(crate) fn break_all(&self, fault: Fault) {
        for method in [
            "alipay.trade.query",
            "alipay.trade.close",
            "alipay.trade.refund",
            "alipay.trade.fastpay.refund.query",
        ] {
            self.break_method(method, fault);
        }
    }

    pub(crate) fn mend(&self) {
        self.with(|state| state.faults.clear());
    }

    pub(crate) fn use_certificates(&self, alipay_sn: &str, required: Fields) {
        self.with(|state| {
            state.certificate_sn = Some(alipay_sn.to_owned());
            state.required = required;
        });
    }

    pub(crate) fn add(&self, out_trade_no: &str, status: &'static str, total_amount: &str) {
        let trade = Trade {
            trade_no: format!("20260701220014{out_trade_no}"),
            status,
            total_amount: total_amount.to_owned(),
            paid: status == "TRADE_SUCCESS",
            refunds: BTreeMap::new(),
        };
        self.with(|state| state.trades.insert(out_trade_no.to_owned(), trade));
    }

    pub(crate) fn trade(&self, out_trade_no: &str) -> Trade {
        self.with(|state| state.trades[out_trade_no].clone())
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        self.with(|state| state.calls.clone())
    }
}

async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(reply(stream, state.clone()));
    }
}

async fn reply(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let Some(request) = http::read_request(&mut stream).await else {
        return;
    };
    let mut fields = wire::parse(&request.query);
    fields.extend(wire::parse(&request.body));
    let reply = state.lock().unwrap().reply(&fields);
    match reply {
        Reply::GatewayReply(status, body) => http::write_answer(&mut stream, status, &body).await,
        Reply::Silence => std::future::pending().await,
    }
}

enum Reply {
    GatewayReply(&'static str, String),
    Silence,
}

impl State {
    fn reply(&mut self, fields: &Fields) -> Reply {
        let method = fields["method"].clone();
        self.calls.push(method.clone());
        if let Err(complaint) = self.check(fields) {
            let body = json!({"error_response": {"code": "40002", "msg": "Invalid Arguments", "sub_code": complaint}});
            return Reply::GatewayReply("200 OK", body.to_string());
        }
        let fault = self.faults.get(&method).copied();
        match fault {
            Some(Fault::Hang) => return Reply::Silence,
            Some(Fault::Status(status)) => return Reply::GatewayReply(status, "oops".to_owned()),
            _ => {}
        }
        let content: Value = serde_json::from_str(&fields["biz_content"]).unwrap();
        let node = self.carry_out(&method, &content, fault);
        if fault == Some(Fault::HangAfterwards) {
            return Reply::Silence;
        }
        Reply::GatewayReply("200 OK", self.envelope(&method, &node, fault))
    }

    /// As the real gateway does, before it looks at what is asked.
    fn check(&self, fields: &Fields) -> Result<(), &'static str> {
        let app = wire::key(APP_KEY);
        if !wire::is_signed_by(&app, &wire::content(fields, &["sign"]), &fields["sign"]) {
            return Err("isv.invalid-signature");
        }
        for (name, value) in [
            ("app_id", APP_ID),
            ("format", "JSON"),
            ("charset", "utf-8"),
            ("sign_type", "RSA2"),
            ("version", "1.0"),
        ] {
            if fields.get(name).map(String::as_str) != Some(value) {
                return Err("isv.invalid-parameter");
            }
        }
        if self
            .required
            .iter()
            .any(|(name, value)| fields.get(name) != Some(value))
        {
            return Err("isv.missing-cert-sn");
        }
        (fields["timestamp"].len() == 19)
            .then_some(())
            .ok_or("isv.invalid-timestamp")
    }

    fn carry_out(&mut self, method: &str, content: &Value, fault: Option<Fault>) -> Value {
        if let Some(Fault::Refused(code, sub_code)) = fault {
            return json!({"code": code, "msg": "-", "sub_code": sub_code});
        }
        let out_trade_no = content["out_trade_no"].as_str().unwrap();
        let Some(trade) = self.trades.get_mut(out_trade_no) else {
            return failed("ACQ.TRADE_NOT_EXIST");
        };
        let mut node = match method {
            "alipay.trade.query" => trade.query(),
            "alipay.trade.close" => trade.close(),
            "alipay.trade.refund" => trade.refund(content, fault),
            "alipay.trade.fastpay.refund.query" => trade.refund_query(content),
            other => panic!("{other} is not for the gateway"),
        };
        node["out_trade_no"] = json!(out_trade_no);
        match fault {
            Some(Fault::OtherAmount) => node["total_amount"] = json!("0.01"),
            Some(Fault::OtherTrade) => node["out_trade_no"] = json!("SOMEBODY_ELSES"),
            _ => {}
        }
        node
    }

    fn envelope(&self, method: &str, node: &Value, fault: Option<Fault>) -> String {
        let name = format!("{}_response", method.replace('.', "_"));
        // Slashes are escaped, as the real gateway does: what is signed is the text, not the value.
        let node = node.to_string().replace('/', "\\/");
        let key = match fault {
            Some(Fault::SignedByStranger) => wire::key(STRANGER_KEY),
            _ => wire::key(ALIPAY_KEY),
        };
        let signature = wire::sign(&key, &node);
        let certificate = match (fault, &self.certificate_sn) {
            (Some(Fault::OtherCertificate), _) => r#","alipay_cert_sn":"00ff""#.to_owned(),
            (_, Some(sn)) => format!(r#","alipay_cert_sn":"{sn}""#),
            (_, None) => String::new(),
        };
        match fault {
            Some(Fault::Unsigned) => format!(r#"{{"{name}":{node}}}"#),
            Some(Fault::Tampered) => {
                let tampered = node.replace("88.00", "0.01");
                format!(r#"{{"{name}":{tampered},"sign":"{signature}"}}"#)
            }
            Some(Fault::TwoNodes) => {
                let better = node.replace("WAIT_BUYER_PAY", "TRADE_SUCCESS");
                format!(r#"{{"{name}":{better},"{name}":{node},"sign":"{signature}"}}"#)
            }
            Some(Fault::Huge) => {
                let padding = "x".repeat(100_000);
                format!(r#"{{"{name}":{node},"x":"{padding}","sign":"{signature}"}}"#)
            }
            Some(Fault::NotJson) => "<html>maintenance</html>".to_owned(),
            _ => format!(r#"{{"{name}":{node}{certificate},"sign":"{signature}"}}"#),
        }
    }
}

/// A callback that a payment of 88.00 was made, before it is signed.
pub(crate) fn news(out_trade_no: &str) -> Fields {
    let fields = [
        ("app_id", APP_ID),
        ("seller_id", SELLER_ID),
        ("charset", "utf-8"),
        ("version", "1.0"),
        ("sign_type", "RSA2"),
        ("notify_type", "trade_status_sync"),
        ("notify_id", "91722adff935e8cfa58b3aabf4dead6ibe"),
        ("notify_time", "2026-07-01 12:00:02"),
        ("out_trade_no", out_trade_no),
        ("trade_no", "2026070122001430"),
        ("trade_status", "TRADE_SUCCESS"),
        ("total_amount", "88.00"),
        ("gmt_payment", PAID_AT),
        ("buyer_logon_id", "138****0000"),
        ("buyer_id", "2088102116773037"),
        ("subject", "火锅 100 元代金券 + 饮料"),
    ];
    fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

pub(crate) fn signed(fields: &Fields, key: &RsaKeyPair) -> Fields {
    let signature = wire::sign(key, &wire::content(fields, &["sign", "sign_type"]));
    let mut fields = fields.clone();
    fields.insert("sign".to_owned(), signature);
    fields
}
