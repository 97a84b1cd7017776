//! More sliders than a stiff bar needs: how they share the friction.

use crate::common::Simulation;
use crate::common::bar::Bar;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use coulisse::joints::regime::{Regime, Sense};

const COEFFICIENT: f64 = 0.5;
/// Bristles of 1e5 N/m; the bar has above 2e9 N/m between two sliders.
const BRISTLES: &str = "bristle_lcp = { stiffness = 1e5, coefficient = 0.5 }";
/// The loads' eccentricity, where the bar sags by up to 1.2e-5 m, in newtons per newton.
const SAG: f64 = 2e-5;

/// Places at equal distances over 1 m.
fn places(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64 / (n - 1) as f64).collect()
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

/// How many are at their bound.
fn slipping(all: &[[f64; 2]]) -> usize {
    let slips = |[f, n]: &&[f64; 2]| (f.abs() - COEFFICIENT * n).abs() < 1e-6 * n;
    all.iter().filter(slips).count()
}

/// A reproducible number in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[test]
fn two_sliders_share_the_load_as_their_bristles_say() {
    let model = Bar::new(&[0.0, 1.0], 0.75, BRISTLES).text();
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
            assert!((normal - pressed).abs() < 1000.0 * SAG, "{normal}");
            assert!((friction - expected[i]).abs() < 0.02, "{fx} N: {friction}");
        }
        let apart = sim.get("joints.j1.position") - sim.get("joints.j0.position");
        assert!((apart - 1.0).abs() < 1e-6, "{apart}");
    }
}

#[test]
fn a_bar_that_is_pulled_harder_than_its_joints_bear_has_no_equilibrium() {
    let mut sim = Simulation::of(&Bar::new(&[0.0, 1.0], 0.75, BRISTLES).text());
    load(&mut sim, 400.0, -1000.0);
    sim.set("loads.skew.fx", 501.0);
    let fault = sim.try_step(sim.time(), 1e-3).expect_err("it slides away");
    assert!(fault.contains("overloaded"), "{fault}");
}

#[test]
fn ten_sliders_share_the_load_in_one_way_whatever_the_order_and_the_first_guess() {
    let n = 10;
    let places = places(n);
    let bar = Bar { gravity: 9.81, ..Bar::new(&places, 0.33, BRISTLES) };
    let (fx, fy) = (375.0, -200.0);
    let mut sim = Simulation::of(&bar.text());
    load(&mut sim, fx, fy);
    let all = forces(&sim, n);
    let held: f64 = all.iter().map(|f| f[0]).sum();
    assert!((held - fx).abs() < 1e-6 * fx, "{held}");
    let slip = slipping(&all);
    assert!((2..n - 2).contains(&slip), "{slip} slip: {all:?}");

    let mut seed = 5;
    for _ in 0..20 {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, (noise(&mut seed).abs() * (i + 1) as f64) as usize);
        }
        let other = Bar { order, ..bar.clone() };
        let mut other = Simulation::of(&other.text());
        other.set("loads.skew.fy", fy);
        other.step(1e-3);
        other.set("loads.skew.fx", fx);
        // Statics take the first guess from the velocities and from what slipped before.
        let guess = |value: &mut f64| *value = 0.1 * noise(&mut seed);
        other.state.velocity.iter_mut().for_each(guess);
        for slider in &mut other.state.sliders {
            slider.friction = noise(&mut seed);
            slider.regime = if noise(&mut seed) > 0.0 {
                Regime::Stick
            } else {
                Regime::Slip(Sense::of(slider.friction))
            };
        }
        other.step(1e-3);
        let apart = difference(&all, &forces(&other, n));
        assert!(apart < 1e-6, "{apart:e} N");
    }
}

#[test]
fn a_symmetric_bar_shares_its_load_symmetrically() {
    for n in [2, 3, 10] {
        let places = places(n);
        let bar = Bar { gravity: 9.81, ..Bar::new(&places, 0.5, BRISTLES) };
        for fx in [200.0, 490.0] {
            let mut sim = Simulation::of(&bar.text());
            load(&mut sim, fx, -300.0);
            let all = forces(&sim, n);
            let mirrored: Vec<_> = all.iter().rev().copied().collect();
            let apart = difference(&all, &mirrored);
            assert!(apart < fx * SAG, "{n} sliders, {fx} N: {apart:e} N");
        }
    }
}

/// Friction forces of ten joints on a bar that has been pulled at its middle with 200 N, slowly.
fn shares(law: &str, order: Vec<usize>) -> Vec<[f64; 2]> {
    let n = order.len();
    let places = places(n);
    let bar = Bar { gravity: 9.81, analysis: "dynamic", order, ..Bar::new(&places, 0.5, law) };
    let mut sim = Simulation::of(&bar.text());
    for i in 0..3000 {
        let share = (1e-3 * f64::from(i)).min(1.0);
        sim.set("loads.skew.fx", 200.0 * share);
        sim.set("loads.skew.fy", -300.0 * share);
        sim.step(1e-3);
    }
    forces(&sim, n)
}

/// Slow: a pull in 3000 steps under each of three laws.
#[test]
fn joints_share_by_their_bristles_and_without_them_by_the_stiffness_of_the_bar() {
    let n = 10;
    let damped = "bristle_lcp = { stiffness = 1e5, coefficient = 0.5, damping = 300.0 }";
    let exact = "coulomb = { coefficient = 0.5, transition = \"set_valued\" }";
    let return_map = "coulomb = { coefficient = 0.5 }";
    for (law, tolerance) in [(damped, 1e-6), (exact, 1e-3), (return_map, 1e-2)] {
        let all = shares(law, (0..n).collect());
        // The joints at the ends have slipped at 17.7 N. Without bristles only the two beside the load
        // are strained at all, whatever the bar's stiffness.
        let ends = all[0][0] + all[n - 1][0];
        for (i, [friction, _]) in all.iter().enumerate().take(n - 1).skip(1) {
            let expected = match (law == damped, i) {
                (true, _) => (200.0 - ends) / 8.0,
                (false, 4 | 5) => 100.0,
                (false, _) => 0.0,
            };
            assert!((friction - expected).abs() < 5e-3, "{law}, {i}: {friction}");
        }
        let slipped = if law == damped { 35.4 } else { 0.0 };
        assert!((ends - slipped).abs() < 0.1, "{law}: {ends}");
        let backwards = shares(law, (0..n).rev().collect());
        let apart = difference(&all, &backwards);
        println!("{law}: another order changes {apart:e} N");
        assert!(apart < tolerance, "{law}: {apart:e} N");
    }
}

/// Slow: a drift shows over tens of thousands of steps.
#[test]
fn bristles_that_are_shaken_below_their_bound_do_not_drift() {
    let n = 10;
    let places = places(n);
    let bar = Bar {
        gravity: 9.81,
        analysis: "dynamic",
        ..Bar::new(
            &places,
            0.5,
            "bristle_lcp = { stiffness = 1e5, coefficient = 0.5, damping = 300.0 }",
        )
    };
    // Steps of one length: what the time integration makes in each of damped bristles adds up until they would be divided.
    let text = (bar.text()).edit("[solver]", "[solver]\nenergy_tolerance = 1e9");
    let mut sim = Simulation::of(&text);
    let place = |sim: &Simulation| sim.get("joints.j4.position");
    let begin = place(&sim);
    let mut cycles = Vec::new();
    let mut sum = 0.0;
    for i in 0..50_000_u32 {
        let t = 1e-3 * f64::from(i);
        let shakes = 100.0 + 30.0 * (20.0 * std::f64::consts::PI * t).sin();
        sim.set("loads.skew.fx", shakes * t.min(1.0));
        sim.step(1e-3);
        sum += place(&sim) - begin;
        if i % 100 == 99 {
            cycles.push(sum / 100.0);
            sum = 0.0;
        }
    }
    let (first, last) = (cycles[100], cycles[cycles.len() - 1]);
    let bent = 100.0 / (10.0 * 1e5);
    println!("mean place of a cycle: {first:e} m, then {last:e} m; bristles bend {bent:e} m");
    assert!((first - bent).abs() < 0.01 * bent, "{first:e} for {bent:e}");
    assert!((last - first).abs() < 1e-13, "{:e}", last - first);
}

/// A rigid block whose two corners stick on one floor, friction set-valued: of the 1 N per kg along it only the sum is determined.
#[test]
fn two_sticking_corners_of_a_rigid_block_share_its_friction() {
    let mut sim = Mechanism::new("corners")
        .step(1e-3)
        .points("from = [-1.0, 0.0], to = [4.0, 0.0], a = [0.0, 0.0], b = [1.0, 0.0]")
        .and("c = [1.0, 0.5], d = [0.0, 0.5]")
        .body("block", "rigid = true, mass = 1.0, inertia = 0.1, order = 1, points = ['a', 'b']")
        .patch("block", [1, 1], "bottom: a, right: b, top: c, left: d")
        .guide("floor", ["from", "to"], "elements = 1, order = 1")
        .joint("left", "cylindrical.slider = 'a', cylindrical.path = ['floor']")
        .and("cylindrical.contact = 'unilateral', cylindrical.side = 'left'")
        .and("friction.coulomb = { coefficient = 0.5 }")
        .joint("right", "cylindrical.slider = 'b', cylindrical.path = ['floor']")
        .and("cylindrical.contact = 'unilateral', cylindrical.side = 'left'")
        .and("friction.coulomb = { coefficient = 0.5 }")
        .entry("gravity", "y = -9.81, x = 1.0")
        .outputs("joints.left.* joints.right.* energy.*")
        .simulation();
    let [start, _] = corners(&sim, "position");
    for _ in 0..20 {
        let [friction, normal]: [f64; 2] =
            ["friction_force", "normal_force"].map(|force| corners(&sim, force).iter().sum());
        // What is shared gives way by 1e-4 of what the mass does, to begin with.
        assert!((friction / normal - 1.0 / 9.81).abs() < 1e-5, "{friction} of {normal}");
        let [left, right] = corners(&sim, "friction_force");
        assert!((left - right).abs() < 1e-2 * friction, "{left} and {right}");
        sim.step(0.05);
    }
    assert_eq!(corners(&sim, "position")[0], start);
    assert!(sim.get("energy.balance").abs() < 1e-9);
}

fn corners(sim: &Simulation, output: &str) -> [f64; 2] {
    ["left", "right"].map(|corner| sim.get(&format!("joints.{corner}.{output}")))
}

#[test]
fn a_rigid_block_slides_on_its_corners_to_rest_and_stays_as_a_particle_does() {
    // 2 m/s under μ g = 0.2 × 9.81 m/s².
    let (way, time) = (4.0 / (2.0 * 0.2 * 9.81), 2.0 / (0.2 * 9.81));
    for step in [1e-2, 1e-3, 1e-4] {
        let text = sliding_block().replace("STEP", &step.to_string());
        let mut sim = Simulation::of(&text);
        sim.run(time + 0.5, 0.1, |_| ());
        let [front, rear] = [1, 4].map(|i| sim.get(&format!("joints.sole[{i}].position")));
        println!("{step}: {front} m and {rear} m, {} J", sim.get("energy.balance"));
        assert!((front.min(rear) - 0.5 - way).abs() < 1e-6);
        assert!((front - rear).abs() - 0.2 < 1e-9 && sim.get("energy.balance").abs() < 1e-6);
        let at_rest = sim.state.q.clone();
        sim.run(time + 2.5, 0.1, |_| ());
        let crept = (0..at_rest.len()).map(|u| (sim.state.q[u] - at_rest[u]).abs());
        assert!(crept.fold(0.0, f64::max) < 1e-12);
    }
}

fn sliding_block() -> String {
    Mechanism::new("SlidingBlock")
        .solver("step = STEP")
        .points("pa = [0.0, 0.0], pb = [3.0, 0.0], c0 = [0.5, 0.0], c1 = [0.7, 0.0]")
        .and("c2 = [0.7, 0.1], c3 = [0.5, 0.1]")
        .guide("path", ["pa", "pb"], "elements = 1, order = 1")
        .body("block", "rigid = true, mass = 2.0, inertia = 0.01")
        .patch("block", [1, 1], "bottom: c0, right: c1, top: c2, left: c3")
        .joint("sole", "sliding = { edge = 'block.bottom', path = ['path'], nodes = 'ends' }")
        .and("friction.coulomb = { coefficient = 0.2 }")
        .entry("initial.bodies.c0", "vx = 2.0")
        .gravity(-9.81)
        .outputs("joints.* energy.*")
        .text()
}

/// A rigid bar of 2 kg and 1 m over three wheels, `gap` above a floor.
fn bar_on_three_wheels(gap: f64, step: f64) -> String {
    Mechanism::new("ThreeWheels")
        .step(step)
        .points(format!("from = [-1.0, 0.0], to = [2.0, 0.0], a = [0.0, {gap:?}]"))
        .and(format!("b = [0.4, {gap:?}], c = [1.0, {gap:?}]"))
        .guide("floor", ["from", "to"], "elements = 1, order = 1")
        .member("front", ["a", "b"], "rigid = true, mass = 0.8, inertia = 0.8e-2")
        .member("rear", ["b", "c"], "rigid = true, mass = 1.2, inertia = 3.6e-2")
        .slider("a", "a", "floor", "contact = 'unilateral'")
        .slider("b", "b", "floor", "contact = 'unilateral'")
        .slider("c", "c", "floor", "contact = 'unilateral'")
        .gravity(-9.81)
        .outputs("joints.* points.* energy.*")
        .text()
}

#[test]
fn a_rigid_bar_stands_on_three_wheels_and_lands_on_them() {
    for (gap, step) in [(0.0, 1e-3), (0.01, 1e-3), (0.01, 1e-4)] {
        let mut sim = Simulation::of(&bar_on_three_wheels(gap, step));
        let mut forces = [0.0; 3];
        sim.run(0.3, 0.01, |sim| {
            forces = ["a", "b", "c"].map(|wheel| {
                let signed = sim.get(&format!("joints.{wheel}.normal_force"));
                assert!(signed >= -1e-9, "{signed}");
                signed
            });
        });
        let lost = sim.get("energy.impact_loss");
        println!("{gap} m: {forces:?} N, {lost} J lost, {} J open", sim.get("energy.balance"));
        assert!((forces.iter().sum::<f64>() - 2.0 * 9.81).abs() < 1e-6);
        assert!((lost - 2.0 * 9.81 * gap).abs() < 1e-6 * (1.0 + lost));
        assert!(sim.get("energy.balance").abs() < 1e-9 && sim.get("energy.kinetic") < 1e-12);
        assert!(sim.get("points.b.y").abs() < 1e-8);
    }
}

#[test]
fn friction_in_pin_and_slider_brings_a_rigid_slider_crank_to_rest_and_holds_it() {
    let mut sim = Simulation::of(&slider_crank());
    let mut most = 0.0_f64;
    sim.run(6.0, 0.05, |sim| most = most.max(sim.get("energy.kinetic")));
    let [pin, slider] = ["pin", "slider"].map(|j| sim.get(&format!("joints.{j}.sticking")));
    println!("{most} J, {} J open", sim.get("energy.balance"));
    assert!(most > 0.1 && pin == 1.0 && slider == 1.0);
    assert!(sim.get("energy.kinetic") < 1e-12 * most);
    assert!(sim.get("energy.balance").abs() < 1e-4 * most);
    let place = sim.get("joints.slider.position");
    sim.run(10.0, 0.05, |_| ());
    assert_eq!(sim.get("joints.slider.position"), place);
}

fn slider_crank() -> String {
    Mechanism::new("SliderCrank")
        .step(1e-3)
        .points("o = [0.0, 0.0], a = [0.0, -0.3], b = [0.8, -0.1], from = [0.3, -0.1]")
        .and("to = [1.6, -0.1]")
        .member("crank", ["o", "a"], "rigid = true, mass = 1.0, inertia = 0.01")
        .member("rod", ["a", "b"], "rigid = true, mass = 0.6, inertia = 0.03")
        .joint("pin", "hinge = { point = 'a', release = ['rod'], radius = 0.02 }")
        .and("friction.coulomb = { coefficient = 0.3 }")
        .pin("o")
        .guide("guide", ["from", "to"], "elements = 1, order = 1")
        .slider("slider", "b", "guide", "")
        .and("friction.coulomb = { coefficient = 0.25 }")
        .mass("b", 0.5)
        .start("b", "vx = 0.8")
        .gravity(-9.81)
        .outputs("joints.* energy.*")
        .text()
}
