//! The two tiers of tests: `tests/run` takes a few cases of each sweep, `tests/run --all` takes all of them. A test that is slow and
//! no sweep is `#[ignore = "full tier, SECONDS: REASON"]`.

use std::ops::{Add, Div};

/// Whether everything is tested: `tests/run --all` sets `COULISSE_TIER=all`.
pub fn all() -> bool {
    std::env::var("COULISSE_TIER").is_ok_and(|tier| tier == "all")
}

/// How many of so many random cases: an eighth in the fast tier. The first ones, so that they are the same in every run.
pub fn share<N: From<u8> + Add<Output = N> + Div<Output = N>>(count: N) -> N {
    if all() { count } else { (count + 7.into()) / 8.into() }
}

/// How many random mechanisms of a test: `COULISSE_RANDOM`, otherwise the [`share`] of so many.
pub fn random(count: u64) -> u64 {
    let asked = std::env::var("COULISSE_RANDOM");
    asked.map_or_else(|_| share(count), |asked| asked.parse().expect("a number"))
}

/// The cases of a sweep; in the fast tier `few` of them, from the first to the last in equal steps.
pub fn cases<T>(sweep: impl IntoIterator<Item = T>, few: usize) -> Vec<T> {
    let mut cases: Vec<T> = sweep.into_iter().collect();
    if all() || few >= cases.len() {
        return cases;
    }
    let last = cases.len() - 1;
    let mut wanted = (0..few).map(|i| i * last / (few - 1).max(1)).peekable();
    let mut place = 0..;
    cases.retain(|_| wanted.next_if_eq(&place.next().unwrap_or(0)).is_some());
    cases
}

/// How many of `count` cases may be off, where one in `in_so_many` may: at least one in the fast tier, whose cases are too few for a share.
pub fn allowed(count: usize, in_so_many: usize) -> usize {
    let allowed = count / in_so_many;
    if all() { allowed } else { allowed.max(1) }
}
