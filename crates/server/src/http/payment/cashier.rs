//! `/cashier/{payment}`: the sandbox's page, on which a payment succeeds, fails, comes late or comes twice.
//!
//! Plain HTML with a form: nothing of it needs a script, and everything that came from outside is escaped.

use app::Language;
use app::payments::{self, CashierPage};
use axum::extract::{RawQuery, Request, State};
use axum::http::HeaderMap;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{Html, IntoResponse, Response};
use domain::PayType;
use jiff::Timestamp;
use pay::{CashierAction, Trade};
use serde::Deserialize;
use storage::payments::PaymentId;

use crate::http::extract::{PathParam, parse_form, read_body};
use crate::http::failure::Failure;
use crate::http::language;
use crate::http::state::HttpState;

#[derive(Debug, Deserialize)]
pub(super) struct CashierForm {
    act: CashierAction,
}

pub(in crate::http) async fn show(
    State(state): State<HttpState>,
    PathParam(payment): PathParam<PaymentId>,
    RawQuery(link): RawQuery,
    headers: HeaderMap,
) -> Result<Html<String>, Failure> {
    let link = link.unwrap_or_default();
    let page = payments::open(state.app(), payment, &link).await?;
    let language = language::preferred(&headers);
    Ok(Html(render(&page, payment, &link, language)))
}

/// Shows the page again, which then says what happened; a reload does not do it twice.
pub(in crate::http) async fn act(
    State(state): State<HttpState>,
    PathParam(payment): PathParam<PaymentId>,
    RawQuery(link): RawQuery,
    request: Request,
) -> Result<Response, Failure> {
    let choice: CashierForm = parse_form(&read_body(request, &state).await?)?;
    let link = link.unwrap_or_default();
    payments::act(state.app(), payment, &link, choice.act).await?;
    let back = format!("/cashier/{payment}?{link}");
    Ok((StatusCode::SEE_OTHER, [(LOCATION, back)]).into_response())
}

const BUTTONS: [(&str, &str, &str); 4] = [
    ("pay", "支付成功", "Pay"),
    ("fail", "支付失败", "Decline the payment"),
    ("pay_late", "超时后到账", "Pay after the deadline"),
    ("pay_twice", "重复支付", "Pay twice"),
];

const STYLE: &str = "body{font:16px system-ui,sans-serif;margin:0;background:#f5f5f5}\
    main{max-width:26rem;margin:2rem auto;padding:1.5rem;background:#fff;border-radius:12px}\
    strong{display:block;font-size:2rem;margin:.5rem 0 1rem}\
    button{display:block;width:100%;margin:.5rem 0;padding:.9rem;font-size:1rem;border:0;\
    border-radius:8px;background:#ff6633;color:#fff}button+button{background:#eee;color:#333}";

fn render(page: &CashierPage, payment: PaymentId, link: &str, language: Language) -> String {
    let payload = page.trade.link_payload();
    let is_chinese = language == Language::Chinese;
    let (lang, title, back) = match language {
        Language::Chinese => ("zh-CN", "沙箱收银台（不收真钱）", "返回订单"),
        Language::English => ("en", "Test checkout (no real money)", "Back to order"),
    };
    let buttons: String = BUTTONS
        .iter()
        .map(|(act, chinese, english)| {
            let words = if is_chinese { chinese } else { english };
            format!(r#"<button name="act" value="{act}">{words}</button>"#)
        })
        .collect();
    let action = escape(&format!("/cashier/{payment}?{link}"));
    let way = way(page.pay_type, is_chinese);
    let (subject, yuan) = (escape(&payload.subject), yuan(payload.amount_cents));
    let (state, back_url) = (
        standing(&page.trade, is_chinese),
        escape(&payload.return_url),
    );
    format!(
        r#"<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="/favicon.svg"><style>{STYLE}</style></head><body><main>
<h1>{title}</h1><p>{way}</p><p>{subject}</p><strong>¥{yuan}</strong><p role="status">{state}</p>
<form method="post" action="{action}">{buttons}</form><p><a href="{back_url}">{back}</a></p>
</main></body></html>"#
    )
}

fn way(pay_type: PayType, is_chinese: bool) -> &'static str {
    let (chinese, english) = match pay_type {
        PayType::Balance => ("余额", "Balance"),
        PayType::Alipay => ("支付宝", "Alipay"),
        PayType::WeChat => ("微信支付", "WeChat Pay"),
    };
    if is_chinese { chinese } else { english }
}

fn standing(trade: &Trade, is_chinese: bool) -> &'static str {
    let now = Timestamp::now();
    let has_come = trade
        .payments()
        .iter()
        .filter(|payment| payment.paid_at.is_some_and(|at| at <= now))
        .count();
    let (chinese, english) = match (has_come, trade.payments().len(), trade.closed_at()) {
        (0, 0, None) => ("等待支付", "Waiting for your payment"),
        (0, 0, Some(_)) => (
            "支付失败，订单未付款",
            "Payment declined. You haven't been charged.",
        ),
        (0, _, _) => (
            "款项将在超时后到账",
            "Your payment will arrive after the deadline",
        ),
        (1, _, _) => ("已支付", "Paid"),
        _ => (
            "已重复支付，多付的款项将退回",
            "Paid twice. The second payment will be refunded.",
        ),
    };
    if is_chinese { chinese } else { english }
}

fn yuan(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            plain => escaped.push(plain),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_from_outside_cannot_become_markup() {
        assert_eq!(
            escape(r#"<b a="1">&'"#),
            "&lt;b a=&quot;1&quot;&gt;&amp;&#39;"
        );
    }

    #[test]
    fn cents_are_shown_in_yuan() {
        assert_eq!(
            [yuan(5), yuan(120), yuan(10_000)],
            ["0.05", "1.20", "100.00"]
        );
    }
}
