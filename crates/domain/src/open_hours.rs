//! Opening hours as shops write them: `10:00-14:00,17:00-02:00`. An end before its start is on the next day.
//!
//! Any other text is unknown, and unknown hours are never open.

const DAY_MINUTES: u32 = 24 * 60;

/// Whether the hours cover this minute of the day; `None` if they cannot be read.
pub fn is_open(hours: &str, minute_of_day: u32) -> Option<bool> {
    let mut is_open = false;
    for span in hours.split([',', '，', ';', '；', '、']) {
        is_open |= covers(span.trim(), minute_of_day)?;
    }
    Some(is_open)
}

fn covers(span: &str, minute: u32) -> Option<bool> {
    let (from, to) = span.split_once(['-', '–', '—', '~', '～', '至'])?;
    let (from, to) = (minute_of(from.trim())?, minute_of(to.trim())?);
    if from >= DAY_MINUTES {
        return None;
    }
    Some(match to % DAY_MINUTES {
        // `00:00-24:00`, and a start that is its own end.
        to if to == from => true,
        to if from < to => from <= minute && minute < to,
        to => from <= minute || minute < to,
    })
}

/// `9:30`, `09:30` or `24:00`.
fn minute_of(time: &str) -> Option<u32> {
    let (hour, minute) = time.split_once([':', '：'])?;
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        let is_number = digits.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse::<u32>().ok()).flatten()
    };
    let (hour, minute) = (number(hour, 1..=2)?, number(minute, 2..=2)?);
    let total = hour * 60 + minute;
    (minute < 60 && total <= DAY_MINUTES).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(hour: u32, minute: u32) -> u32 {
        hour * 60 + minute
    }

    #[test]
    fn both_sides_of_midnight_are_open() {
        let hours = "10:00-14:00, 17:00-02:00";
        for minute in [at(10, 0), at(13, 59), at(17, 0), at(23, 59), 0, at(1, 59)] {
            assert_eq!(is_open(hours, minute), Some(true), "{minute}");
        }
        for minute in [at(2, 0), at(9, 59), at(14, 0), at(16, 59)] {
            assert_eq!(is_open(hours, minute), Some(false), "{minute}");
        }
    }

    #[test]
    fn an_end_at_midnight_is_the_end_of_the_day() {
        for hours in ["18:00-24:00", "18:00-00:00", "18：00～24：00"] {
            assert_eq!(is_open(hours, at(23, 59)), Some(true), "{hours}");
            assert_eq!(is_open(hours, 0), Some(false), "{hours}");
        }
        for hours in ["00:00-24:00", "0:00-0:00", "08:00-08:00"] {
            assert_eq!(is_open(hours, at(3, 0)), Some(true), "{hours}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        for hours in [
            "",
            "全天",
            "周一至周五 10:00-22:00",
            "10-22",
            "10:00",
            "25:00-26:00",
            "10:60-11:00",
            "24:00-02:00",
            "10:00-22:00,休息",
        ] {
            assert_eq!(is_open(hours, at(12, 0)), None, "{hours}");
        }
    }
}
