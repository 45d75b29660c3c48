//! A refund, and whether it happened.
//!
//! Alipay replies `fund_change=N` both to a repetition and when nothing happened, and refuses some repetitions because
//! the money is gone. So only `Y` is believed at once; otherwise the refund is asked for by its number.

use serde::Serialize;

use super::gateway::{Gateway, GatewayReply};
use super::is_foreign;
use super::replies::{RefundQueryReply, RefundReply};
use crate::{OutTradeNo, Refund, RefundOutcome, Refusal, RefusalKind, UnknownCause, clock, money};

#[derive(Serialize)]
struct RefundContent<'a> {
    out_trade_no: &'a str,
    out_request_no: &'a str,
    refund_amount: String,
}

#[derive(Serialize)]
struct RefundQueryContent<'a> {
    out_trade_no: &'a str,
    out_request_no: &'a str,
    query_options: [&'static str; 1],
}

pub(super) async fn refund(
    gateway: &Gateway,
    out_trade_no: &OutTradeNo,
    wanted: Refund,
) -> RefundOutcome {
    let content = RefundContent {
        out_trade_no: out_trade_no.as_str(),
        out_request_no: wanted.refund_no.as_str(),
        refund_amount: money::to_yuan(wanted.amount_cents),
    };
    let reply: Result<GatewayReply<RefundReply>, UnknownCause> =
        gateway.call("alipay.trade.refund", &content).await;
    match reply {
        Ok(GatewayReply::Done(reply)) if reply.out_trade_no != out_trade_no.as_str() => {
            RefundOutcome::Unknown(UnknownCause::Foreign)
        }
        Ok(GatewayReply::Done(reply)) if reply.fund_change.as_deref() == Some("Y") => {
            RefundOutcome::Refunded(Refund {
                refunded_at: reply
                    .gmt_refund_pay
                    .as_deref()
                    .and_then(clock::from_beijing),
                ..wanted
            })
        }
        Ok(GatewayReply::Done(_)) => confirm(gateway, out_trade_no, wanted, None).await,
        Ok(GatewayReply::Refused(refusal)) if refusal.kind == RefusalKind::NotAllowed => {
            RefundOutcome::Refused(refusal)
        }
        Ok(GatewayReply::Refused(refusal)) => {
            confirm(gateway, out_trade_no, wanted, Some(refusal)).await
        }
        Err(cause) => RefundOutcome::Unknown(cause),
    }
}

async fn confirm(
    gateway: &Gateway,
    out_trade_no: &OutTradeNo,
    wanted: Refund,
    refusal: Option<Refusal>,
) -> RefundOutcome {
    let found = find(gateway, out_trade_no, &wanted).await;
    match (found, refusal) {
        (Ok(Some(refund)), _) if refund.amount_cents == wanted.amount_cents => {
            RefundOutcome::Refunded(refund)
        }
        (Ok(Some(_)), refusal) => RefundOutcome::Refused(number_reused(refusal)),
        (Ok(None), Some(refusal)) => RefundOutcome::Refused(refusal),
        (Ok(None), None) => RefundOutcome::Unknown(UnknownCause::Unconfirmed),
        (Err(cause), _) => RefundOutcome::Unknown(cause),
    }
}

async fn find(
    gateway: &Gateway,
    out_trade_no: &OutTradeNo,
    wanted: &Refund,
) -> Result<Option<Refund>, UnknownCause> {
    let content = RefundQueryContent {
        out_trade_no: out_trade_no.as_str(),
        out_request_no: wanted.refund_no.as_str(),
        query_options: ["gmt_refund_pay"],
    };
    let method = "alipay.trade.fastpay.refund.query";
    match gateway.call(method, &content).await? {
        GatewayReply::Done(reply) => read(reply, out_trade_no, wanted),
        GatewayReply::Refused(refusal) if refusal.kind == RefusalKind::NotAllowed => {
            Err(UnknownCause::Provider { code: refusal.code })
        }
        GatewayReply::Refused(_) => Ok(None),
    }
}

/// The refund as Alipay has it, if it has it and the money has moved. Old gateways leave the status out of what they find.
fn read(
    reply: RefundQueryReply,
    out_trade_no: &OutTradeNo,
    wanted: &Refund,
) -> Result<Option<Refund>, UnknownCause> {
    let (Some(number), Some(amount_cents)) = (&reply.out_request_no, reply.refund_amount) else {
        return Ok(None);
    };
    if number != wanted.refund_no.as_str()
        || is_foreign(reply.out_trade_no.as_deref(), out_trade_no)
    {
        return Err(UnknownCause::Foreign);
    }
    if !matches!(
        reply.refund_status.as_deref(),
        None | Some("REFUND_SUCCESS")
    ) {
        return Ok(None);
    }
    Ok(Some(Refund {
        refund_no: wanted.refund_no.clone(),
        amount_cents,
        refunded_at: reply
            .gmt_refund_pay
            .as_deref()
            .and_then(clock::from_beijing),
    }))
}

fn number_reused(refusal: Option<Refusal>) -> Refusal {
    Refusal {
        kind: RefusalKind::NumberReused,
        code: refusal.map_or_else(String::new, |refusal| refusal.code),
    }
}
