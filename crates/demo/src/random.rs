//! Random numbers that never change: splitmix64, written out so that no library version can
//! move the demo data.
//!
//! Invariant: a [`Random`] is a pure function of its stream and index; drawing more numbers for
//! one thing never shifts another.

/// Keeps this world apart from any other made with the same generator.
const SEED: u64 = 0x7461_6e64_6961_6e21;

/// splitmix64's increment, the golden ratio in 64 bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// What the numbers are for. Reordering the variants changes all the data.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stream {
    Person,
    Shop,
    Note,
    NoteText,
    Comments,
    Likes,
    Fans,
    Vouchers,
    Picture,
    Orders,
}

/// A small deterministic generator.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(stream: Stream, index: u64) -> Self {
        let lane = mix(SEED ^ (stream as u64 + 1).wrapping_mul(GOLDEN));
        Self {
            state: mix(lane ^ index.wrapping_mul(GOLDEN)),
        }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number in `0..bound`. The high half of a product, so a bias below 2⁻³² is accepted.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// A number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in `low..high`.
    pub(crate) fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit() as f32
    }

    /// True in `percent` of a hundred draws.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// `count` different numbers below `bound`, in no visible order, without a set to remember
    /// them: an arithmetic progression with a step that shares no factor with the bound.
    pub(crate) fn distinct(&mut self, count: u32, bound: u32) -> impl Iterator<Item = u32> + use<> {
        let start = self.below(bound);
        let mut step = self.between(1, bound);
        while gcd(step, bound) != 1 {
            step = step % bound + 1;
        }
        let position = move |k: u32| u64::from(start) + u64::from(k) * u64::from(step);
        (0..count.min(bound)).map(move |k| (position(k) % u64::from(bound)) as u32)
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_first_numbers_of_a_stream_never_change() {
        let mut random = Random::new(Stream::Person, 0);
        let expected = [46_368_302_553_496_232, 4_069_582_863_381_401_570];
        assert_eq!([random.next(), random.next()], expected);
    }

    #[test]
    fn distinct_numbers_are_distinct_and_bounded_for_any_bound() {
        for bound in 1..200 {
            let mut random = Random::new(Stream::Shop, u64::from(bound));
            let drawn: Vec<u32> = random.distinct(bound + 5, bound).collect();
            let set: HashSet<u32> = drawn.iter().copied().collect();
            assert_eq!((drawn.len(), set.len()), (bound as usize, bound as usize));
            assert!(drawn.iter().all(|n| *n < bound));
        }
    }
}
