//! The force of a law over the velocity, as points of a curve.

use coulisse::laws::friction::Friction;

/// Points of a curve between two corners.
pub const POINTS: u32 = 96;

/// Speeds from 0 to `velocity`, close together, and both sides of every corner.
pub fn speeds(law: &Friction, velocity: f64) -> Vec<f64> {
    let uniform = (0..=POINTS).map(|i| velocity * f64::from(i) / f64::from(POINTS));
    let corners = law.law().map(|law| law.corners()).unwrap_or_default();
    let beside = corners.iter().flat_map(|v| [v * (1.0 - 1e-9), *v]);
    let mut all: Vec<f64> = uniform.chain(beside.filter(|v| *v < velocity)).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// F(v) from −`velocity` to `velocity`, with the jump of a law that holds.
pub fn characteristic(law: &Friction, normal_force: f64, velocity: f64) -> Vec<(f64, f64)> {
    let forward = speeds(law, velocity);
    let backward = forward.iter().rev().map(|v| -v);
    let all = backward.chain(forward.iter().copied());
    all.map(|v| (v, law.characteristic(v, normal_force))).collect()
}
