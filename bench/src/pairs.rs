//! Interleaved measurements and what they come to.

/// Median and extremes over the pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) median: f64,
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
}

impl Summary {
    /// Of at least one value.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self {
            median: values[values.len() / 2],
            lowest: values[0],
            highest: values[values.len() - 1],
        }
    }

    /// Of `a / b`, pair by pair.
    pub(crate) fn of_ratios(a: &[f64], b: &[f64]) -> Self {
        Self::of(a.iter().zip(b).map(|(a, b)| a / b))
    }
}

/// The value that this part of the others does not exceed.
pub(crate) fn percentile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * part).ceil() as usize;
    values[place.clamp(1, values.len()) - 1]
}
