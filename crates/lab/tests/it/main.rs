//! The claims of the road, held: each version is caught by exactly the attacks it is said to be caught by.

mod experiments;
mod report;
mod versions;
