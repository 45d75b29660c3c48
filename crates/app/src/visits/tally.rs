//! Sums up page views in memory, per day and page.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{SiteZone, UserId};
use jiff::civil::Date;
use kv::{PageVisits, SessionHash};

use super::counter::PageView;
use super::page::VisitedPage;
use super::visitor::{self, Viewer};

/// One day's page views.
#[derive(Debug, Default)]
pub(super) struct DayTally {
    /// All viewers, numbered: most view several pages.
    viewers: HashMap<Viewer, usize>,
    pages: HashMap<VisitedPage, PageTally>,
}

#[derive(Debug, Default)]
struct PageTally {
    views: u64,
    viewers: HashSet<usize>,
}

/// Sums up by the site's days; at midnight there are two. Bots are left out.
pub(super) fn add_up(
    page_views: impl IntoIterator<Item = PageView>,
    zone: &SiteZone,
) -> BTreeMap<Date, DayTally> {
    let mut days = BTreeMap::<Date, DayTally>::new();
    for view in page_views {
        if !visitor::is_bot(&view.user_agent) {
            days.entry(zone.date(view.at)).or_default().add(view);
        }
    }
    days
}

impl DayTally {
    /// Every view of a page also counts for the site.
    fn add(&mut self, view: PageView) {
        let page = view.page;
        let next = self.viewers.len();
        let number = *self.viewers.entry(view.into_viewer()).or_insert(next);
        self.add_view(VisitedPage::Site, number);
        if page != VisitedPage::Site {
            self.add_view(page, number);
        }
    }

    fn add_view(&mut self, page: VisitedPage, viewer: usize) {
        let tally = self.pages.entry(page).or_default();
        tally.views += 1;
        tally.viewers.insert(viewer);
    }

    /// The number of page views.
    pub(super) fn views(&self) -> u64 {
        self.pages
            .get(&VisitedPage::Site)
            .map_or(0, |site| site.views)
    }

    /// The distinct sessions to resolve to users.
    pub(super) fn sessions(&self) -> HashSet<&SessionHash> {
        let sessions = self.viewers.keys();
        sessions
            .filter_map(|viewer| viewer.session.as_ref())
            .collect()
    }

    /// The batch for Redis, with digests in the place of visitors.
    pub(super) fn into_batch(
        self,
        salt: &str,
        users: &HashMap<SessionHash, UserId>,
    ) -> Vec<PageVisits> {
        let mut digests = vec![[0; 16]; self.viewers.len()];
        for (viewer, number) in &self.viewers {
            let user = viewer.session.as_ref().and_then(|hash| users.get(hash));
            digests[*number] = viewer.digest(salt, user.copied());
        }
        let pages = self.pages.into_iter().map(|(page, tally)| PageVisits {
            page: page.to_string(),
            views: tally.views,
            visitors: tally
                .viewers
                .iter()
                .map(|number| digests[*number])
                .collect(),
        });
        pages.collect()
    }
}

#[cfg(test)]
mod tests {
    use domain::{SessionToken, ShopId};
    use jiff::civil::date;

    use super::*;

    fn zone() -> SiteZone {
        SiteZone::named("Asia/Shanghai").unwrap()
    }

    fn view(page: VisitedPage, at: &str, host: u8) -> PageView {
        PageView {
            page,
            at: at.parse().unwrap(),
            token: None,
            address: [192, 0, 2, host].into(),
            user_agent: "Firefox".to_owned(),
        }
    }

    fn totals(batch: &[PageVisits], page: VisitedPage) -> Option<(u64, usize)> {
        let found = batch.iter().find(|visits| visits.page == page.to_string());
        found.map(|visits| (visits.views, visits.visitors.len()))
    }

    #[test]
    fn a_view_counts_for_its_page_and_for_the_site() {
        let noon = "2026-11-15T04:00:00Z";
        let shop = VisitedPage::Shop(ShopId::new(5));
        let seen = [(shop, 1), (shop, 1), (shop, 2), (VisitedPage::Home, 2)];
        let seen = seen.map(|(page, host)| view(page, noon, host));
        let days = add_up(seen, &zone());
        let tally = days.into_values().next().unwrap();
        assert_eq!(tally.views(), 4);
        let batch = tally.into_batch("salt", &HashMap::new());
        assert_eq!(totals(&batch, shop), Some((3, 2)));
        assert_eq!(totals(&batch, VisitedPage::Home), Some((1, 1)));
        assert_eq!(totals(&batch, VisitedPage::Site), Some((4, 2)));
        assert_eq!(totals(&batch, VisitedPage::ShopList), None);
    }

    #[test]
    fn a_day_begins_at_the_sites_midnight() {
        let seen = ["2026-11-15T15:59:59.999Z", "2026-11-15T16:00:00Z"];
        let days = add_up(seen.map(|at| view(VisitedPage::Home, at, 1)), &zone());
        let expected = [date(2026, 11, 15), date(2026, 11, 16)];
        assert_eq!(days.into_keys().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_crawler_leaves_no_trace() {
        let mut seen = view(VisitedPage::Home, "2026-11-15T04:00:00Z", 1);
        seen.user_agent = "Googlebot/2.1".to_owned();
        assert!(add_up([seen], &zone()).is_empty());
    }

    #[test]
    fn sessions_of_one_person_are_one_visitor() {
        let tokens = [1, 2].map(|byte| SessionToken::from_random([byte; 20]));
        let seen = tokens.clone().map(|token| PageView {
            token: Some(token),
            ..view(VisitedPage::Home, "2026-11-15T04:00:00Z", 1)
        });
        let days = add_up(seen, &zone());
        let tally = days.into_values().next().unwrap();
        assert_eq!(tally.sessions().len(), 2);
        let users = tokens.map(|token| (SessionHash::of(&token), UserId::new(7)));
        let batch = tally.into_batch("salt", &users.into());
        let home = batch.iter().find(|visits| visits.page == "home").unwrap();
        assert_eq!(home.visitors[0], home.visitors[1]);
    }
}
