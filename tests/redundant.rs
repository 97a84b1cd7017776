//! More sliders than a stiff bar needs: how they share the friction.

mod common;
#[path = "redundant/bar.rs"]
mod bar;

use bar::bar;
use common::Simulation;

/// Stiffness of the bristles, N/m; that of the bar between two sliders is above 2e9 N/m.
const STIFFNESS: f64 = 1e5;
const COEFFICIENT: f64 = 0.5;
const BRISTLES: &str = "bristle_lcp = { stiffness = 1e5, coefficient = 0.5 }";

fn in_order(n: usize) -> Vec<usize> {
    (0..n).collect()
}

/// Friction and normal forces in the order of the sliders along the bar.
fn forces(sim: &Simulation, n: usize) -> Vec<[f64; 2]> {
    (0..n)
        .map(|i| {
            ["friction_force", "normal_force"].map(|name| sim.get(&format!("joints.j{i}.{name}")))
        })
        .collect()
}

/// Puts the loads on in turn, `fy` first.
fn load(sim: &mut Simulation, fx: f64, fy: f64) {
    sim.set("loads.skew.fy", fy);
    sim.step(1e-3);
    sim.set("loads.skew.fx", fx);
    sim.step(1e-3);
}

fn difference(a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.fold(0.0, |d, (a, b)| f64::max(d, (a - b).abs()))
}

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[test]
fn two_sliders_share_the_load_as_their_bristles_say() {
    let model = bar(&[0.0, 1.0], 0.75, BRISTLES, &in_order(2), "quasi_static");
    // N = 250 and 750 N; the bar moves as one, so that both bristles bend alike until the first
    // of them is at its 125 N.
    for (fx, expected) in [
        (200.0, [100.0, 100.0]),
        (250.0, [125.0, 125.0]),
        (400.0, [125.0, 275.0]),
        (-499.0, [-125.0, -374.0]),
    ] {
        let mut sim = Simulation::of(&model);
        load(&mut sim, fx, -1000.0);
        for (i, [friction, normal]) in forces(&sim, 2).into_iter().enumerate() {
            let pressed = [250.0, 750.0][i];
            assert!((normal - pressed).abs() < 1e-6, "{normal}");
            // What the bar stretches by is 1e-4 of what the bristles bend.
            let f = expected[i];
            assert!((friction - f).abs() < 1e-4 * f.abs(), "{fx} N: {friction} for {f}");
        }
        let slid = sim.get("joints.j1.position") - sim.get("joints.j0.position") - 1.0;
        assert!(slid.abs() < 1e-6);
    }
}

#[test]
fn a_bar_that_is_pulled_harder_than_its_joints_bear_has_no_equilibrium() {
    let mut sim = Simulation::of(&bar(
        &[0.0, 1.0],
        0.75,
        BRISTLES,
        &in_order(2),
        "quasi_static",
    ));
    load(&mut sim, 400.0, -1000.0);
    sim.set("loads.skew.fx", 501.0);
    let fault = sim.try_step(sim.time(), 1e-3).expect_err("it slides away");
    assert!(fault.contains("overloaded"), "{fault}");
}

#[test]
fn ten_sliders_share_the_load_in_one_way_whatever_the_order_and_the_first_guess() {
    let n = 10;
    let places: Vec<f64> = (0..n).map(|i| 0.1 * i as f64).collect();
    // Pulled so that some slip and some do not.
    let (fx, fy) = (480.0, -1000.0);
    let mut sim = Simulation::of(&bar(&places, 0.33, BRISTLES, &in_order(n), "quasi_static"));
    load(&mut sim, fx, fy);
    let all = forces(&sim, n);
    let pulled: f64 = all.iter().map(|f| f[0]).sum();
    assert!((pulled - fx).abs() < 1e-6 * fx, "{pulled}");
    let slipping = (all.iter())
        .filter(|[f, n]| (f.abs() - COEFFICIENT * n).abs() < 1e-6)
        .count();
    assert!((2..n - 1).contains(&slipping), "{slipping} slip: {all:?}");

    let mut seed = 5;
    for _ in 0..20 {
        let mut order = in_order(n);
        for i in (1..n).rev() {
            order.swap(i, (noise(&mut seed).abs() * (i + 1) as f64) as usize);
        }
        let mut other = Simulation::of(&bar(&places, 0.33, BRISTLES, &order, "quasi_static"));
        other.set("loads.skew.fy", fy);
        other.step(1e-3);
        other.set("loads.skew.fx", fx);
        // Statics take the first guess from the velocities and from what slipped before.
        let guess = |value: &mut f64| *value = 0.1 * noise(&mut seed);
        other.state.velocity.iter_mut().for_each(guess);
        for slider in &mut other.state.sliders {
            slider.friction = noise(&mut seed);
            slider.sticking = noise(&mut seed) > 0.0;
        }
        other.step(1e-3);
        let apart = difference(&all, &forces(&other, n));
        assert!(apart < 1e-6, "{apart:e} N");
    }
}

#[test]
fn a_symmetric_bar_shares_its_load_symmetrically() {
    for n in [2, 3, 10] {
        let places: Vec<f64> = (0..n).map(|i| i as f64 / (n - 1) as f64).collect();
        let model = bar(&places, 0.5, BRISTLES, &in_order(n), "quasi_static");
        // The load pulls at the middle, so that the bar's own stretch is antisymmetric.
        for fx in [200.0, 490.0] {
            let mut sim = Simulation::of(&model);
            load(&mut sim, fx, -1000.0);
            let all = forces(&sim, n);
            let mirrored: Vec<_> = all.iter().rev().copied().collect();
            let apart = difference(&all, &mirrored);
            assert!(apart < 1e-3, "{n} sliders, {fx} N: {apart:e} N, {all:?}");
        }
    }
}

#[test]
fn bristles_that_are_shaken_below_their_bound_do_not_drift() {
    let n = 10;
    let places: Vec<f64> = (0..n).map(|i| 0.1 * i as f64).collect();
    let damped = "bristle_lcp = { stiffness = 1e5, coefficient = 0.5, damping = 300.0 }";
    let mut sim = Simulation::of(&bar(&places, 0.45, damped, &in_order(n), "dynamic"));
    let place = |sim: &Simulation| sim.get("joints.j4.position");
    let mut cycles = Vec::new();
    sim.set("loads.skew.fy", -1000.0);
    let begin = place(&sim);
    let mut sum = 0.0;
    for i in 0..20_000_u32 {
        let t = 1e-3 * f64::from(i);
        sim.set("loads.skew.fx", 250.0 + 50.0 * (20.0 * std::f64::consts::PI * t).sin());
        sim.step(1e-3);
        sum += place(&sim) - begin;
        if i % 100 == 99 {
            cycles.push(sum / 100.0);
            sum = 0.0;
        }
    }
    let (first, last) = (cycles[20], cycles[cycles.len() - 1]);
    let bent = 250.0 / (10.0 * STIFFNESS);
    println!("mean place of a cycle: {first:e} m, then {last:e} m; bristles bend {bent:e} m");
    assert!((first - bent).abs() < 0.05 * bent, "{first:e} for {bent:e}");
    assert!((last - first).abs() < 1e-12, "{:e}", last - first);
}
