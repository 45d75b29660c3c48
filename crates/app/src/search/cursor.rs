//! Where a page of found items ended.

use std::fmt;
use std::str::FromStr;

/// Sorts the items of a window, the lowest first. The last number is the id, so no two are equal.
pub(super) type Rank = [i64; 3];

/// What a list shows one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Names that are the needle.
    Whole,
    /// Shops near the caller.
    Near,
    Rest,
}

/// The stage, the window, and what was shown of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchCursor {
    pub(super) stage: Stage,
    /// The upper bound of the window's ids.
    pub(super) before: i64,
    /// The rank of the last item shown; `None` before the first.
    pub(super) after: Option<Rank>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotACursor;

impl SearchCursor {
    pub(super) fn at(stage: Stage) -> Self {
        Self {
            stage,
            before: i64::MAX,
            after: None,
        }
    }
}

impl Stage {
    fn parse(text: &str) -> Option<Self> {
        [Self::Whole, Self::Near, Self::Rest]
            .into_iter()
            .find(|stage| stage.letter() == text)
    }

    const fn letter(self) -> &'static str {
        match self {
            Self::Whole => "w",
            Self::Near => "n",
            Self::Rest => "r",
        }
    }
}

impl fmt::Display for SearchCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.stage.letter(), self.before)?;
        match self.after {
            Some([a, b, id]) => write!(f, "_{a}_{b}_{id}"),
            None => Ok(()),
        }
    }
}

impl FromStr for SearchCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let mut parts = text.split('_');
        let stage = parts.next().and_then(Stage::parse).ok_or(NotACursor)?;
        let numbers: Result<Vec<i64>, _> = parts.map(str::parse).collect();
        let (before, after) = match *numbers.map_err(|_| NotACursor)? {
            [before] => (before, None),
            [before, a, b, id] => (before, Some([a, b, id])),
            _ => return Err(NotACursor),
        };
        Ok(Self {
            stage,
            before,
            after,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_as_it_is_written_and_nothing_else_does() {
        for cursor in [
            SearchCursor::at(Stage::Whole),
            SearchCursor {
                stage: Stage::Near,
                before: 7,
                after: Some([-3, 0, 12]),
            },
        ] {
            assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }
        for text in ["", "w", "x_1", "w_1_2", "w_1_2_3", "w_a", "w_1_2_3_4_5"] {
            assert_eq!(text.parse::<SearchCursor>(), Err(NotACursor), "{text}");
        }
    }
}
