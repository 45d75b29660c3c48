//! One trade as the tests' Alipay keeps it, and what it says of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Fault, PAID_AT};

#[derive(Clone, Debug)]
pub(crate) struct Trade {
    pub(crate) trade_no: String,
    pub(crate) status: &'static str,
    pub(crate) total_amount: String,
    pub(crate) paid: bool,
    pub(crate) refunds: BTreeMap<String, String>,
}

impl Trade {
    pub(super) fn query(&self) -> Value {
        let mut node = done();
        node["trade_no"] = json!(self.trade_no);
        node["trade_status"] = json!(self.status);
        node["total_amount"] = json!(self.total_amount);
        node["buyer_logon_id"] = json!("138****0000");
        node["store_name"] = json!("一店/二店");
        if self.paid {
            node["send_pay_date"] = json!(PAID_AT);
        }
        node
    }

    pub(super) fn close(&mut self) -> Value {
        if self.status != "WAIT_BUYER_PAY" {
            return failed("ACQ.TRADE_STATUS_ERROR");
        }
        self.status = "TRADE_CLOSED";
        done()
    }

    pub(super) fn refund(&mut self, content: &Value, fault: Option<Fault>) -> Value {
        let number = content["out_request_no"].as_str().unwrap();
        let amount = content["refund_amount"].as_str().unwrap();
        let mut node = done();
        node["fund_change"] = json!("N");
        if fault == Some(Fault::NoFundChange) {
            return node;
        }
        if let Some(earlier) = self.refunds.get(number) {
            return match earlier == amount {
                true => node,
                false => failed("ACQ.DISCORDANT_REPEAT_REQUEST"),
            };
        }
        if self.status != "TRADE_SUCCESS" {
            return failed("ACQ.TRADE_HAS_CLOSE");
        }
        if cents(amount) > cents(&self.total_amount) - self.refunded_cents() {
            return failed("ACQ.REASON_TRADE_REFUND_FEE_ERR");
        }
        self.refunds.insert(number.to_owned(), amount.to_owned());
        if self.refunded_cents() == cents(&self.total_amount) {
            self.status = "TRADE_CLOSED";
        }
        node["fund_change"] = json!("Y");
        node["gmt_refund_pay"] = json!("2026-07-02 08:00:00");
        node["refund_fee"] = json!(amount);
        node
    }

    pub(super) fn refund_query(&self, content: &Value) -> Value {
        let number = content["out_request_no"].as_str().unwrap();
        let mut node = done();
        if let Some(amount) = self.refunds.get(number) {
            node["out_request_no"] = json!(number);
            node["refund_amount"] = json!(amount);
            node["refund_status"] = json!("REFUND_SUCCESS");
            node["gmt_refund_pay"] = json!("2026-07-02 08:00:00");
        }
        node
    }

    fn refunded_cents(&self) -> u64 {
        self.refunds.values().map(|amount| cents(amount)).sum()
    }
}

fn done() -> Value {
    json!({"code": "10000", "msg": "Success"})
}

pub(super) fn failed(sub_code: &str) -> Value {
    json!({"code": "40004", "msg": "Business Failed", "sub_code": sub_code, "sub_msg": "业务失败/"})
}

fn cents(yuan: &str) -> u64 {
    yuan.replace('.', "").parse().unwrap()
}
