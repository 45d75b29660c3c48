//! Checks what the pages about privacy and terms tell: who runs the site, and the operator's own documents.

use super::Finding;
use crate::settings::Settings;
use crate::startup::Documents;

pub(super) fn examine(settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(error) = Documents::read(settings) {
        let advice = "correct the file or the setting; empty shows the built-in text";
        findings.push(Finding::problem(format!("{error:#}"), advice));
    }
    let site = &settings.site;
    if settings.is_production() && (site.operator_name.is_none() || site.contact.is_none()) {
        findings.push(Finding::warning(
            "the pages about privacy and terms do not say who runs the site",
            "set site.operator_name and site.contact",
        ));
    }
    findings
}
