//! Food and drink on a table, seen from above: one file per dish.

mod bits;
mod cakes;
mod coffee;
mod dim_sum;
mod home_cooking;
mod hot_pot;
mod noodles;
mod salad;
mod skewers;
mod sushi;

pub(super) use cakes::cake;
pub(super) use coffee::coffee;
pub(super) use dim_sum::dim_sum;
pub(super) use home_cooking::home_cooking;
pub(super) use hot_pot::hot_pot;
pub(super) use noodles::noodles;
pub(super) use salad::salad;
pub(super) use skewers::skewers;
pub(super) use sushi::sushi;
