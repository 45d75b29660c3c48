//! A place on the map, and how far it is from another.
//!
//! A [`Position`] is within the range that Redis can index.

use thiserror::Error;

/// Longitude and latitude in degrees, named as on the wire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidPosition {
    #[error("must be a longitude from -180 to 180")]
    X,
    #[error("must be a latitude from -85.05 to 85.05")]
    Y,
}

const X_MAX: f64 = 180.0;
/// Where the square map of the web ends; Redis indexes nothing nearer to a pole.
const Y_MAX: f64 = 85.05;

/// The radius that Redis computes with, so that distances from either source agree.
const EARTH_RADIUS_METRES: f64 = 6_372_797.560_856;

impl Position {
    /// What is not a number is outside of every range.
    pub fn new(x: f64, y: f64) -> Result<Self, InvalidPosition> {
        if !(-X_MAX..=X_MAX).contains(&x) {
            return Err(InvalidPosition::X);
        }
        if !(-Y_MAX..=Y_MAX).contains(&y) {
            return Err(InvalidPosition::Y);
        }
        Ok(Self { x, y })
    }

    pub fn x(self) -> f64 {
        self.x
    }

    pub fn y(self) -> f64 {
        self.y
    }

    /// Along a great circle (haversine).
    pub fn metres_to(self, other: Self) -> f64 {
        let (y1, y2) = (self.y.to_radians(), other.y.to_radians());
        let half_sine = |degrees: f64| (degrees.to_radians() / 2.0).sin();
        let (u, v) = (half_sine(other.y - self.y), half_sine(other.x - self.x));
        let chord = u * u + y1.cos() * y2.cos() * v * v;
        2.0 * EARTH_RADIUS_METRES * chord.sqrt().min(1.0).asin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Position {
        Position::new(x, y).unwrap()
    }

    #[test]
    fn the_edges_of_the_map_belong_to_it() {
        for (x, y) in [(180.0, 85.05), (-180.0, -85.05), (0.0, 0.0)] {
            let position = at(x, y);
            assert_eq!((position.x(), position.y()), (x, y));
        }
        for x in [180.1, -180.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Position::new(x, 0.0), Err(InvalidPosition::X));
        }
        for y in [85.06, -90.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(Position::new(0.0, y), Err(InvalidPosition::Y));
        }
    }

    #[test]
    fn a_degree_of_the_equator_has_its_known_length() {
        let degree = at(0.0, 0.0).metres_to(at(1.0, 0.0));
        assert!((degree - 111_226.3).abs() < 0.1, "{degree}");
    }

    #[test]
    fn a_degree_of_a_meridian_is_as_long_as_one_of_the_equator() {
        let degree = at(120.0, 30.0).metres_to(at(120.0, 31.0));
        assert!((degree - 111_226.3).abs() < 0.1, "{degree}");
    }

    #[test]
    fn distances_are_the_same_in_both_directions_and_across_the_date_line() {
        let (east, west) = (at(179.9, 10.0), at(-179.9, 10.0));
        assert_eq!(east.metres_to(west), west.metres_to(east));
        assert!(east.metres_to(west) < 22_000.0);
        assert_eq!(east.metres_to(east), 0.0);
    }

    #[test]
    fn the_other_side_of_the_world_is_half_its_girth_away() {
        let half = at(0.0, 0.0).metres_to(at(180.0, 0.0));
        assert!((half - EARTH_RADIUS_METRES * std::f64::consts::PI).abs() < 0.1);
    }
}
