//! Fills a page from windows of candidates.

use std::future::Future;

use super::FOUND_PER_PAGE;
use super::cursor::{Rank, SearchCursor, Stage};
use crate::{Error, Page};

/// Windows that one page may read. A word that is everywhere fills a page with the first; filters that leave little of it
/// end with a short page and a cursor.
const WINDOWS_PER_PAGE: usize = 4;

/// The items of one window that fit, and the upper bound of the next one.
#[derive(Debug)]
pub(super) struct RankedWindow<T> {
    pub(super) items: Vec<(Rank, T)>,
    pub(super) next: Option<i64>,
}

/// What a list is made of.
pub(super) trait Candidates {
    type Item;
    /// Those of the list, in order.
    const STAGES: &'static [Stage];

    /// The window below an id.
    fn read(
        &self,
        stage: Stage,
        before: i64,
    ) -> impl Future<Output = Result<RankedWindow<Self::Item>, Error>> + Send;
}

/// The next page from `at` on.
pub(super) async fn walk<C: Candidates>(
    candidates: &C,
    at: Option<SearchCursor>,
) -> Result<Page<C::Item, SearchCursor>, Error> {
    let mut page = PageInProgress::new();
    let mut at = at.unwrap_or_else(|| SearchCursor::at(C::STAGES[0]));
    for _ in 0..WINDOWS_PER_PAGE {
        let window = candidates.read(at.stage, at.before).await?;
        if page.take(window.items, &mut at.after) {
            return Ok(page.ending_with(Some(at)));
        }
        let following = match window.next {
            Some(before) => Some(SearchCursor {
                before,
                ..SearchCursor::at(at.stage)
            }),
            None => C::STAGES
                .iter()
                .find(|stage| **stage > at.stage)
                .map(|stage| SearchCursor::at(*stage)),
        };
        let Some(following) = following else {
            return Ok(page.ending_with(None));
        };
        at = following;
        if page.is_full() {
            break;
        }
    }
    Ok(page.ending_with(Some(at)))
}

struct PageInProgress<T> {
    items: Vec<T>,
}

impl<T> PageInProgress<T> {
    fn new() -> Self {
        Self { items: Vec::new() }
    }

    fn is_full(&self) -> bool {
        self.items.len() >= FOUND_PER_PAGE.items() as usize
    }

    /// Takes what comes after the rank, and moves it. Returns whether some of the window is left.
    fn take(&mut self, mut window: Vec<(Rank, T)>, after: &mut Option<Rank>) -> bool {
        window.sort_by_key(|(rank, _)| *rank);
        let shown = *after;
        let rest = window
            .into_iter()
            .filter(|(rank, _)| shown.is_none_or(|shown| *rank > shown));
        for (rank, item) in rest {
            if self.is_full() {
                return true;
            }
            self.items.push(item);
            *after = Some(rank);
        }
        false
    }

    fn ending_with(self, next: Option<SearchCursor>) -> Page<T, SearchCursor> {
        Page {
            items: self.items,
            next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stages: three rows, then 45 in windows of twenty, ranked by their last digit.
    struct Numbers;

    impl Candidates for Numbers {
        type Item = i64;
        const STAGES: &'static [Stage] = &[Stage::Whole, Stage::Rest];

        async fn read(&self, stage: Stage, before: i64) -> Result<RankedWindow<i64>, Error> {
            let ranked = |id: i64| ([id % 10, 0, id], id);
            Ok(match stage {
                Stage::Whole => RankedWindow {
                    items: (101..104).map(ranked).collect(),
                    next: None,
                },
                _ => {
                    let (end, start) = (before.min(46), (before.min(46) - 20).max(1));
                    RankedWindow {
                        items: (start..end).map(ranked).collect(),
                        next: (start > 1).then_some(start),
                    }
                }
            })
        }
    }

    /// Windows in which nothing fits.
    struct Nothing;

    impl Candidates for Nothing {
        type Item = ();
        const STAGES: &'static [Stage] = &[Stage::Rest];

        async fn read(&self, _: Stage, before: i64) -> Result<RankedWindow<()>, Error> {
            Ok(RankedWindow {
                items: Vec::new(),
                next: Some(before.min(1_000) - 1),
            })
        }
    }

    #[tokio::test]
    async fn pages_show_everything_once_in_the_order_of_stages_and_windows() {
        let (mut at, mut shown) = (None, Vec::new());
        loop {
            let page = walk(&Numbers, at).await.unwrap();
            assert!(page.items.len() <= 10);
            shown.extend(page.items);
            at = page.next;
            if at.is_none() {
                break;
            }
        }
        assert_eq!(shown[..5], [101, 102, 103, 30, 40]);
        let mut all = shown.clone();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), shown.len()), (48, 48));
    }

    #[tokio::test]
    async fn a_page_that_finds_little_ends_and_says_where_to_go_on() {
        let page = walk(&Nothing, None).await.unwrap();
        assert!(page.items.is_empty());
        assert_eq!(page.next.map(|at| at.before), Some(996));
    }
}
