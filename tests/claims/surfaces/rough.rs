//! Surfaces of rigid bodies with waves so flat that they hardly turn: a waviness of micrometres on a sole.

use std::f64::consts::{PI, TAU};

use super::rigid::{K, STILL, pressed};
use crate::common::Simulation;

/// Length of the sole and the height of its waves, m: slopes up to 0.02.
const LENGTH: f64 = 0.2;
const HEIGHT: f64 = 1e-4;

/// How far the crests are from each other at first, m: splines may overshoot them a little.
const APART: f64 = 1e-6;

/// Points of a spline for each wave.
const POINTS: usize = 20;

/// Height over the crests, m, where there are `waves` on the length of the sole. It begins and ends without curvature, as natural splines do.
fn height(waves: usize, x: f64) -> f64 {
    HEIGHT * (1.0 - (TAU * waves as f64 * (x / LENGTH + 0.5)).sin())
}

/// The inner points of a spline over `count` waves from `from` (m) on, at heights that `of` makes of those of the waves, and the heights of its
/// ends, m.
fn spline(waves: usize, from: f64, count: usize, of: impl Fn(f64) -> f64) -> (String, [f64; 2]) {
    let step = LENGTH / (waves * POINTS) as f64;
    let at = |k: usize| {
        let x = from + k as f64 * step;
        [x, of(height(waves, x))]
    };
    let last = count * POINTS;
    let inner: Vec<[f64; 2]> = (1..last).map(at).collect();
    (format!("{inner:?}"), [at(0)[1], at(last)[1]])
}

/// The sole `it.sole` of a block whose reference is `m`, with waves or flat, and its points.
fn block(waves: usize) -> [String; 2] {
    let (points, ends) = match waves {
        0 => (String::new(), [0.0; 2]),
        _ => {
            let (inner, ends) = spline(waves, -0.5 * LENGTH, waves, |height| height);
            (format!(", spline = {inner}"), ends)
        }
    };
    let [a, b] = ends;
    let corners =
        format!("a = [-0.1, {a:?}]\nb = [0.1, {b:?}]\nc = [0.1, 0.05]\nd = [-0.1, 0.05]\n");
    let shape = format!(
        "[bodies.it]\nrigid = true\nmass = 1.0\ninertia = 0.01\norder = 1\npoints = [\"m\"]\n[bodies.it.outline]\nsize = 0.02\nedges = [\n  \
         {{ name = \"sole\", from = \"a\", to = \"b\"{points} }},\n  {{ name = \"right\", from = \"b\", to = \"c\" }},\n  \
         {{ name = \"top\", from = \"c\", to = \"d\" }},\n  {{ name = \"left\", from = \"d\", to = \"a\" }},\n]\n"
    );
    [corners, shape]
}

/// N under a penetration of `depth` (m) with waves of `amplitude` (m) altogether: k L/π ((d − A) θ + A sin θ), cos θ = 1 − d/A.
fn exact(depth: f64, amplitude: f64) -> f64 {
    let angle = (1.0 - depth / amplitude).acos();
    K * LENGTH / PI * ((depth - amplitude) * angle + amplitude * angle.sin())
}

const DEPTH: f64 = 0.5 * HEIGHT;

/// 1e-3: splines through 20 points of a wave are 1e-4 of its height off, and slopes of 0.02 shorten the depth by 2e-4.
fn is_exact(sim: &Simulation, waves: usize, amplitude: f64) {
    let (found, exact) = (sim.get("contacts.f.normal_force"), exact(DEPTH, amplitude));
    println!("{waves} waves: {found} N, exact {exact}");
    assert!((found / exact - 1.0).abs() < 1e-3, "{waves}: {found} {exact}");
}

#[test]
fn a_wavy_sole_on_a_flat_floor_is_borne_by_what_of_its_waves_is_pressed_in() {
    for waves in [1, 2, 3, 4, 6] {
        let [corners, shape] = block(waves);
        let floor = format!("g0 = [-1.0, {:?}]\ng1 = [1.0, {:?}]\n", -APART, -APART);
        let contact = "surface = [\"it.sole\"]\npath = [\"floor\"]";
        let sim = pressed(&(corners + &floor), &shape, STILL, contact, DEPTH + APART);
        is_exact(&sim, waves, HEIGHT);
    }
}

/// With waves of its own under those of the sole, or under a flat one.
#[test]
fn a_sole_on_a_wavy_floor_is_borne_by_where_they_meet() {
    for waves in [1, 3] {
        let (inner, [a, b]) = spline(waves, -LENGTH, 2 * waves, |height| -APART - height);
        let floor = format!(
            "[members.floor]\nfrom = \"g0\"\nto = \"g1\"\nelements = {}\nspline = {inner}\n\
             [supports.floor]\nmember = \"floor\"\nfix = [\"x\", \"y\", \"rotation\"]\n",
            2 * waves * POINTS
        );
        for of_sole in [0, waves] {
            let [corners, shape] = block(of_sole);
            let ends = format!("g0 = [-0.2, {a:?}]\ng1 = [0.2, {b:?}]\n");
            let contact = "surface = [\"it.sole\"]\npath = [\"floor\"]";
            let sim = pressed(&(corners + &ends), &shape, &floor, contact, DEPTH + APART);
            is_exact(&sim, waves, if of_sole == 0 { HEIGHT } else { 2.0 * HEIGHT });
        }
    }
}
