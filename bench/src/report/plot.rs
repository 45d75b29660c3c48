//! Plots as SVG, drawn here: lines with ranges on linear or logarithmic axes, and the small bars of the tables.

use std::fmt::Write as _;

use super::page::escaped;
use super::shown;
use crate::pairs::Summary;

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
/// Left, right, top and bottom of the drawing; what is outside is for labels.
const EDGES: [f64; 4] = [58.0, 508.0, 14.0, 244.0];
/// Ticks that an axis should have about.
const TICKS: f64 = 5.0;
/// Colours that the style sheet knows.
const COLOURS: usize = 6;
/// Half the width of the mark at either end of a range.
const WHISKER: f64 = 3.0;

/// Lines over one pair of axes.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<PlotLine>,
}

#[derive(Clone, Debug)]
pub(crate) struct Axis {
    label: String,
    is_logarithmic: bool,
    /// Where the axis is marked, if not at round numbers.
    marks: Vec<(f64, String)>,
}

#[derive(Clone, Debug)]
pub(crate) struct PlotLine {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: Summary,
}

impl Axis {
    /// From zero, or from the lowest value below it.
    pub(crate) fn linear(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            is_logarithmic: false,
            marks: Vec::new(),
        }
    }

    /// For values above zero.
    pub(crate) fn logarithmic(label: impl Into<String>) -> Self {
        Self {
            is_logarithmic: true,
            ..Self::linear(label)
        }
    }

    pub(crate) fn marked(mut self, marks: impl IntoIterator<Item = (f64, String)>) -> Self {
        self.marks = marks.into_iter().collect();
        self
    }
}

/// An axis with its ends, and where they lie in the drawing.
struct Scale {
    is_logarithmic: bool,
    from: f64,
    to: f64,
    begin: f64,
    end: f64,
}

impl Scale {
    fn of(axis: &Axis, values: impl Iterator<Item = f64>, [begin, end]: [f64; 2]) -> Self {
        let is_logarithmic = axis.is_logarithmic;
        let values: Vec<f64> = values
            .map(|value| {
                if is_logarithmic {
                    value.max(f64::MIN_POSITIVE).log10()
                } else {
                    value
                }
            })
            .collect();
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (from, to) = match is_logarithmic {
            true => (lowest.floor(), highest.ceil().max(lowest.floor() + 1.0)),
            false => (
                lowest.min(0.0),
                if highest > 0.0 { highest * 1.08 } else { 1.0 },
            ),
        };
        Self {
            is_logarithmic,
            from,
            to,
            begin,
            end,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let value = match self.is_logarithmic {
            true => value.max(f64::MIN_POSITIVE).log10(),
            false => value,
        };
        let share = (value - self.from) / (self.to - self.from);
        self.begin + share * (self.end - self.begin)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        if self.is_logarithmic {
            let powers = self.from as i32..=self.to as i32;
            return powers
                .map(|power| 10_f64.powi(power))
                .map(|value| (value, label(value)))
                .collect();
        }
        let step = round_step((self.to - self.from) / TICKS);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step).floor() as i64;
        let multiples = (first..=last).map(|count| count as f64 * step);
        multiples.map(|value| (value, label(value))).collect()
    }
}

/// A round number without zeros at its end.
fn label(value: f64) -> String {
    match value.abs() >= 1_000.0 {
        true => shown(value),
        false => ((value * 1e6).round() / 1e6).to_string(),
    }
}

/// One, two or five times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let times = step / power;
    let round = [1.0, 2.0, 5.0].into_iter().find(|round| times <= *round);
    round.unwrap_or(10.0) * power
}

/// A figure of the page.
pub(super) fn draw(plot: &Plot) -> String {
    let [left, right, top, bottom] = EDGES;
    let points = || plot.lines.iter().flat_map(|line| &line.points);
    let x = Scale::of(&plot.x, points().map(|point| point.x), [left, right]);
    let heights = points().flat_map(|point| [point.y.lowest, point.y.highest]);
    let y = Scale::of(&plot.y, heights, [bottom, top]);
    let title = escaped(&plot.title);
    let mut svg = format!(
        "<figure>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n"
    );
    svg += &axes(plot, &x, &y);
    for (number, line) in plot.lines.iter().enumerate() {
        svg += &stroke(line, number, &x, &y);
    }
    svg += &legend(&plot.lines);
    svg + &format!("</svg>\n<figcaption>{title}</figcaption>\n</figure>\n")
}

fn axes(plot: &Plot, x: &Scale, y: &Scale) -> String {
    let [left, right, top, bottom] = EDGES;
    let mut svg = String::new();
    let marks = if plot.x.marks.is_empty() {
        x.ticks()
    } else {
        plot.x.marks.clone()
    };
    for (value, label) in marks {
        let (at, below) = (x.place(value), bottom + 14.0);
        let label = escaped(&label);
        let _ = write!(svg, "<path class=\"grid\" d=\"M{at:.1} {bottom}V{top}\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{label}</text>"
        );
    }
    let marks = if plot.y.marks.is_empty() {
        y.ticks()
    } else {
        plot.y.marks.clone()
    };
    for (value, label) in marks {
        let (at, before) = (y.place(value), left - 6.0);
        let label = escaped(&label);
        let _ = write!(svg, "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{before}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<path class=\"axis\" d=\"M{left} {top}V{bottom}H{right}\"/>"
    );
    let (middle, under) = ((left + right) / 2.0, bottom + 30.0);
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{under}\" text-anchor=\"middle\">{}</text>",
        escaped(&plot.x.label)
    );
    let height = (top + bottom) / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"12\" y=\"{height}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {height})\">{}</text>",
        escaped(&plot.y.label)
    );
    svg
}

/// A line through the medians, with the range of each.
fn stroke(line: &PlotLine, number: usize, x: &Scale, y: &Scale) -> String {
    let colour = format!("var(--line-{})", number % COLOURS);
    let mut svg = String::new();
    let mut path = String::new();
    for point in &line.points {
        let (at, height) = (x.place(point.x), y.place(point.y.median));
        let _ = write!(
            path,
            "{}{at:.1} {height:.1}",
            if path.is_empty() { 'M' } else { 'L' }
        );
        let _ = write!(
            svg,
            "<circle cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"3\" fill=\"{colour}\"/>"
        );
        let (low, high) = (y.place(point.y.lowest), y.place(point.y.highest));
        if low - high > 1.0 {
            let (begin, width) = (at - WHISKER, WHISKER * 2.0);
            let _ = write!(
                svg,
                "<path fill=\"none\" stroke=\"{colour}\" opacity=\"0.55\" \
                 d=\"M{begin:.1} {low:.1}h{width}M{at:.1} {low:.1}V{high:.1}M{begin:.1} {high:.1}h{width}\"/>"
            );
        }
    }
    let _ = writeln!(
        svg,
        "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" d=\"{path}\"/>"
    );
    svg
}

/// Names under the drawing, in the colours of their lines.
fn legend(lines: &[PlotLine]) -> String {
    let [left, right, _, bottom] = EDGES;
    let (height, room) = (bottom + 48.0, (right - left) / lines.len().max(1) as f64);
    let mut svg = String::new();
    for (number, line) in lines.iter().enumerate() {
        let begin = left + room * number as f64;
        let (colour, name) = (number % COLOURS, escaped(&line.name));
        let _ = write!(
            svg,
            "<circle cx=\"{begin:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"var(--line-{colour})\"/>",
            height - 4.0
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{height:.1}\">{name}</text>",
            begin + 8.0
        );
    }
    svg
}

/// Range, median and goal of one figure, from zero on.
pub(super) fn bar(median: f64, [lowest, highest]: [f64; 2], goal: Option<f64>) -> String {
    let full = highest.max(goal.unwrap_or_default()) * 1.05;
    if full <= 0.0 {
        return String::new();
    }
    let at = |value: f64| value / full * 160.0;
    let (begin, width) = (at(lowest), at(highest - lowest).max(1.0));
    let mut svg = String::from("<svg class=\"bar\" viewBox=\"0 0 160 16\" aria-hidden=\"true\">");
    let _ = write!(
        svg,
        "<rect class=\"range\" x=\"{begin:.1}\" y=\"5\" width=\"{width:.1}\" height=\"6\"/>"
    );
    let _ = write!(
        svg,
        "<circle class=\"median\" cx=\"{:.1}\" cy=\"8\" r=\"4\"/>",
        at(median)
    );
    if let Some(goal) = goal {
        let _ = write!(svg, "<path class=\"goal\" d=\"M{:.1} 0V16\"/>", at(goal));
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_values_are_drawn_higher_on_both_kinds_of_axes() {
        for axis in [Axis::linear("ms"), Axis::logarithmic("ms")] {
            let scale = Scale::of(&axis, [1.0, 10.0, 100.0].into_iter(), [244.0, 14.0]);
            let places = [1.0, 10.0, 100.0].map(|value| scale.place(value));
            assert!(places.is_sorted_by(|low, high| low > high), "{places:?}");
            let inside = |place: &f64| (14.0..=244.0).contains(place);
            assert!(places.iter().all(inside), "{places:?}");
        }
    }

    #[test]
    fn an_axis_is_marked_at_round_numbers() {
        let scale = Scale::of(&Axis::linear("ms"), [0.0, 23.0].into_iter(), [0.0, 1.0]);
        let marks: Vec<f64> = scale.ticks().into_iter().map(|(value, _)| value).collect();
        assert_eq!(marks, [0.0, 5.0, 10.0, 15.0, 20.0]);
        let scale = Scale::of(
            &Axis::logarithmic("x"),
            [1.0, 100.0].into_iter(),
            [0.0, 1.0],
        );
        let marks: Vec<f64> = scale.ticks().into_iter().map(|(value, _)| value).collect();
        assert_eq!(marks, [1.0, 10.0, 100.0]);
    }
}
