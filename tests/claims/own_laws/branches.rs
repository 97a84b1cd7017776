//! Friction on two measured branches: one while the speed grows, one while it falls.

use super::friction::block;
use crate::common::Simulation;

const H: f64 = 1e-3;
/// N of the block of 2 kg.
const NORMAL: f64 = 20.0;
const HALF: f64 = 0.02;
const LAW: &str = "two_branches = { stiffness = 1e5, half_width = 0.02, velocities = [0.0, 0.5, 2.0], rising = [0.50, 0.44, 0.44], \
     falling = [0.36, 0.40, 0.44] }";

/// Coefficients of both curves: they rise and fall between their points along Hermite's cubics of Fritsch and Butland, by hand.
fn curves(v: f64) -> [f64; 2] {
    let of = |y: [f64; 3]| {
        let chords = [(y[1] - y[0]) / 0.5, (y[2] - y[1]) / 1.5];
        // The harmonic mean with the weights of the longer and the shorter part.
        let weights = [2.0 * 1.5 + 0.5, 1.5 + 2.0 * 0.5];
        let inner = match chords[0] * chords[1] > 0.0 {
            true => (weights[0] + weights[1]) / (weights[0] / chords[0] + weights[1] / chords[1]),
            false => 0.0,
        };
        let (x0, h, y0, y1, m0, m1) = match v {
            v if v < 0.5 => (0.0, 0.5, y[0], y[1], chords[0], inner),
            v if v < 2.0 => (0.5, 1.5, y[1], y[2], inner, 0.0),
            _ => return y[2],
        };
        let t = (v - x0) / h;
        let (a, b) = (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0, t.powi(3) - 2.0 * t.powi(2) + t);
        a * y0 + b * h * m0 + (1.0 - a) * y1 + (t.powi(3) - t.powi(2)) * h * m1
    };
    [of([0.50, 0.44, 0.44]), of([0.36, 0.40, 0.44])]
}

/// Rows of mean speed over the step and force of friction of a block that a force pushes back and forth at this angular frequency.
fn rows(push: &str, end: f64) -> Vec<[f64; 2]> {
    let mut sim = Simulation::of(&block(H, LAW, 0.0, push).text());
    let mut last = sim.get("points.block.x");
    let mut rows = Vec::new();
    for _ in 0..(end / H).round() as usize {
        sim.step(H);
        let [x, force] = ["points.block.x", "joints.block.friction_force"].map(|o| sim.get(o));
        rows.push([(x - last) / H, force]);
        last = x;
    }
    rows
}

#[test]
fn friction_follows_the_branch_of_rising_and_of_falling_speed() {
    // |v| − u stays within ±Δv; u follows from the rows alone.
    let mut u = -HALF;
    let (mut farthest, mut on_branch, mut between) = (0.0_f64, [0; 2], 0);
    let mut way = 0.0;
    for [v, force] in rows("fx = '30*sin(3*t)'", 4.0) {
        let speed = v.abs();
        // Since it has turned back.
        way = if v * way < 0.0 { 0.0 } else { way + v * H };
        u = u.clamp(speed - HALF, speed + HALF);
        let w = (speed - u) / HALF;
        let [rising, falling] = curves(speed);
        let expected = NORMAL * (falling + (rising - falling) * 0.5 * (1.0 + w));
        // Before, the bristles bend from one bound to the other.
        if way.abs() > 2.0 * 0.5 * NORMAL / 1e5 {
            farthest = farthest.max((force.abs() - expected).abs());
            on_branch[usize::from(w < 0.0)] += usize::from(w.abs() > 0.999);
            between += usize::from(w.abs() < 0.999);
        }
    }
    println!("{farthest:.1e} N apart; rows on the branches {on_branch:?}, between {between}");
    assert!(farthest < 1e-8 && on_branch.iter().all(|rows| *rows > 300) && between > 30);
}

#[test]
fn the_loop_does_not_depend_on_how_fast_the_speed_changes() {
    // At the same speed, once rising and once falling, under pushes of which one takes four times as long.
    let at = |push: &str, end: f64| -> [f64; 2] {
        let rows = rows(push, end);
        let place = |rises: bool| {
            let passes = |w: &[[f64; 2]]| (w[0][0] < 0.8) == rises && (w[1][0] < 0.8) != rises;
            let k = rows.windows(2).position(passes).expect("it passes 0.8 m/s");
            let share = (0.8 - rows[k][0]) / (rows[k + 1][0] - rows[k][0]);
            rows[k][1] + share * (rows[k + 1][1] - rows[k][1])
        };
        [place(true), place(false)]
    };
    let [fast, slow] = [at("fx = '30*sin(3*t)'", 2.0), at("fx = '17*sin(0.75*t)'", 8.0)];
    let expected = curves(0.8).map(|mu| NORMAL * mu);
    for (seen, expected) in [fast, slow].into_iter().flatten().zip(expected.repeat(2)) {
        assert!((seen.abs() - expected).abs() < 1e-5, "{fast:?} {slow:?} {expected}");
    }
}
