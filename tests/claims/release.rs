//! Imposed motions that end, and the velocities of bodies at the start, against closed forms.

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// Two masses of 2 kg and 3 kg on one line, tied by a spring of 800 N/m; a motion drives the first.
fn pair(motion: &str, more: &str) -> String {
    Mechanism::new("Pair")
        .step(1e-3)
        .points("cart = [0.0, 0.0], bob = [1.0, 0.0], left = [-1.0, 0.0], right = [4.0, 0.0]")
        .material("spring", 800.0, 0.0, 0.0)
        .rectangle("unit", 1.0, 1.0)
        .beam("spring", ["cart", "bob"], [1, 1], "spring unit")
        .guide("rail", ["left", "right"], "elements = 1, order = 1")
        .mass("cart", 2.0)
        .mass("bob", 3.0)
        .support("cart", "point = 'cart', fix = ['y', 'rotation']")
        .support("bob", "point = 'bob', fix = ['rotation']")
        .slider("bob", "bob", "rail", "")
        .motion("drive", format!("point = 'cart', direction = 'x', {motion}"))
        .entry("initial", "velocities = 'rigid_mechanism'")
        .add(more)
        .outputs("points.* motions.* energy.*")
        .text()
}

const SPEED: f64 = 0.5;

/// What a pull of 0.2 m at 0.5 m/s² leaves goes on by itself: the centre of mass keeps its velocity.
#[test]
fn what_is_released_keeps_its_momentum_and_its_energy() {
    let ramp = "amplitude = 0.3\nhistory.ramp = { start = 0.0, duration = 0.6 }";
    let text = pair(&format!("{ramp}\nrelease.time = 0.3"), "");
    let mut sim = Simulation::of(&text);
    let momentum =
        |sim: &Simulation| 2.0 * sim.get("points.cart.vx") + 3.0 * sim.get("points.bob.vx");
    sim.run(0.3, 1e-3, |_| ());
    let (kept, cart) = (momentum(&sim), sim.get("points.cart.vx"));
    assert!(kept > 1.0, "{kept}");
    // 0.3 m · 30 τ²(1 − τ)²/0.6 s at τ = 1/2.
    assert!((cart - 0.3 * 30.0 / 16.0 / 0.6).abs() < 1e-12);
    let energy = |sim: &Simulation| sim.get("energy.kinetic") + sim.get("energy.strain");
    let (held, work) = (energy(&sim), sim.get("energy.input_work"));
    sim.run(2.3, 1e-3, |sim| {
        assert!((momentum(sim) - kept).abs() < 1e-9, "{}", momentum(sim));
        assert_eq!(sim.get("motions.drive.reaction"), 0.0);
        assert!((sim.get("motions.drive.position") - 0.15).abs() < 1e-12);
    });
    assert_eq!(sim.get("energy.input_work"), work);
    let lost = held - energy(&sim);
    assert!(lost.abs() < 1e-3 * held, "{lost} of {held} J");
    assert!((sim.get("energy.balance").abs()) < 2e-3 * held);
}

/// Until t = 0.40037 s, inside a step of all four lengths, the cart keeps its velocity, and a pull on
/// the bob stretches the spring; then that moves both. A release at the end of the step would be an
/// error of first order in Δt.
#[test]
fn a_release_between_two_steps_happens_in_its_instant() {
    let text = pair(
        &format!("velocity = {SPEED}\nrelease.time = 0.40037"),
        "[loads.pull]\npoint = \"bob\"\nfx = 5.0",
    );
    let ends = [2e-3, 1e-3, 5e-4, 6.25e-5].map(|step| {
        let mut sim =
            Simulation::with(&text, &[("solver.step", step), ("solver.spectral_radius", 0.8)]);
        sim.run(1.2, 2e-3, |sim| {
            let x = sim.get("points.cart.x");
            if sim.time() < 0.4 {
                assert!((x - SPEED * sim.time()).abs() < 1e-12, "{x}");
            }
        });
        [sim.get("points.cart.x"), sim.get("points.cart.vx")]
    });
    for i in 0..2 {
        let error = |k: usize| (ends[k][i] - ends[3][i]).abs();
        println!("{:.3e} {:.3e} {:.3e}", error(0), error(1), error(2));
        assert!(error(0) / error(1) > 3.5 && error(1) / error(2) > 3.5, "{ends:?}");
    }
}

/// The bob rides at 0.5 m/s from s = 2 m and passes s = 2.3 m at 0.6 s: the same as a release at that
/// time, to the sharpness with which the place is found.
#[test]
fn a_place_is_passed_when_the_slider_is_there() {
    let pull = "[loads.pull]\npoint = \"cart\"\nfx = -4.0";
    let by_time = pair(&format!("velocity = {SPEED}\nrelease.time = 0.60035"), pull);
    let by_place = pair(
        &format!("velocity = {SPEED}\nrelease.position = {{ joint = \"bob\", at = 2.300175 }}"),
        pull,
    );
    let mut sims = [by_time, by_place].map(|text| Simulation::of(&text));
    for k in 1..=1500 {
        sims.iter_mut().for_each(|sim| sim.step(1e-3));
        let [a, b] = sims.each_ref().map(|sim| sim.get("points.cart.x"));
        assert!((a - b).abs() < 1e-8, "{k}: {a} {b}");
        let pulled = sims[1].get("motions.drive.reaction");
        assert!((pulled != 0.0) == (k <= 600), "{k}: {pulled}");
    }
    let turned = sims[1].get("points.cart.vx");
    assert!(turned < SPEED - 0.5, "the pull has to act: {turned}");
}

/// As it rides towards smaller s it passes the place from above.
#[test]
fn a_place_is_passed_in_either_direction() {
    let text = pair(
        "velocity = -0.5\nrelease.position = { joint = \"bob\", at = 1.8 }",
        "[loads.pull]\npoint = \"cart\"\nfx = -4.0",
    );
    let mut sim = Simulation::of(&text);
    let mut released = None;
    sim.run(0.6, 1e-3, |sim| {
        if sim.get("motions.drive.reaction") == 0.0 && released.is_none() {
            released = Some(sim.get("joints.bob.position"));
        }
    });
    let s = released.expect("it lets go");
    assert!((s - 1.8).abs() < 1e-3, "{s}");
}

/// Held, the bob swings alone, ω² = k/m; let go, both do, ω² = k (1/m + 1/M), after a rigid motion.
#[test]
fn modes_hold_what_is_driven_and_free_what_is_let_go() {
    let mut sim = Simulation::of(&pair("velocity = 0.5\nrelease.time = 0.1", ""));
    assert_eq!(sim.modes(3).list.len(), 1);
    assert!((sim.frequencies(1)[0] - (800.0_f64 / 3.0).sqrt()).abs() < 1e-6);
    sim.run(0.2, 1e-3, |_| ());
    assert_eq!(sim.modes(3).list.len(), 2);
    let frequencies = sim.frequencies(2);
    let free = (800.0 * (1.0 / 2.0 + 1.0 / 3.0_f64)).sqrt();
    assert!((frequencies[1] - free).abs() < 1e-3 * free, "{frequencies:?}");
}

/// A free bar of two members, 3 m and 1 m at a right angle, 7.85 kg/m.
fn angle(initial: &str) -> String {
    Mechanism::new("Angle")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [3.0, 0.0], c = [3.0, 1.0]")
        .steel()
        .section("bar", "properties = { area = 1e-3, second_moment = 1e-8 }")
        .member("long", ["a", "b"], "elements = 2, material = 'steel', section = 'bar'")
        .member("short", ["b", "c"], "elements = 1, material = 'steel', section = 'bar'")
        .add(initial)
        .outputs("points.* energy.*")
        .text()
}

#[test]
fn a_body_with_one_velocity_flies_on_without_strain() {
    let mut sim = Simulation::of(&angle("[initial.bodies.c]\nvx = 27.0\nvy = -3.0"));
    let kinetic = 0.5 * 7.85 * 4.0 * (27.0 * 27.0 + 9.0);
    let off = |value: f64, exact: f64| (value - exact).abs() < 1e-9 * exact.abs();
    assert!(off(sim.get("energy.kinetic"), kinetic));
    sim.run(0.1, 1e-3, |sim| {
        assert!(off(sim.get("energy.kinetic"), kinetic));
        assert!(sim.get("energy.strain") < 1e-9 * kinetic);
        assert!(off(sim.get("points.a.x"), 27.0 * sim.time()));
    });
}

#[test]
fn a_point_has_its_own_velocity_whatever_its_body_does() {
    let text = angle("[initial.points.b]\nvx = 5.0\n[initial.bodies.a]\nvx = 1.0");
    let sim = Simulation::of(&text);
    for (point, vx) in [("a", 1.0), ("b", 5.0), ("c", 1.0)] {
        assert!((sim.get(&format!("points.{point}.vx")) - vx).abs() < 1e-12);
    }
}

/// What a motion releases without a mass does not go on: the spring there is without force from then on, at once, or as fast as its damper lets it,
/// k u + c u̇ = 0. The mass at its other end goes on as fast as it was, and what the spring held is lost to the damper, or as in an impact.
#[test]
fn the_end_of_a_spring_without_mass_is_released() {
    let support = "[supports.b]\npoint = \"b\"\nfix = [\"y\"]\n";
    let path = &Mechanism::part()
        .guide("rail", ["l", "r"], "elements = 3")
        .slider("j", "b", "rail", "")
        .text();
    for damping in [0.0, 0.5, 20.0] {
        for (held, step) in [support, path]
            .into_iter()
            .flat_map(|held| [1e-2, 1e-3, 1e-4, 1e-5].map(|step| (held, step)))
        {
            let outputs = if held == path { "joints.*" } else { "" };
            let text = Mechanism::new("let_go")
                .solver(format!("step = {step:e}"))
                .points("a = [0.0, 0.0], b = [1.0, 0.0], l = [-1.0, 0.0], r = [3.0, 0.0]")
                .mass("a", 1.0)
                .roller("a")
                .add(held)
                .motion("b", "point = 'b', direction = 'x', velocity = 1.0")
                .and("release = { time = 0.05 }")
                .spring("s", "from = 'a', to = 'b', stiffness = 100.0")
                .and(format!("damping = {damping:?}"))
                .outputs(&format!("points.* springs.* energy.* {outputs}"))
                .text();
            let mut sim = Simulation::of(&text);
            sim.run(0.05, step, |_| ());
            // Where it is let go of.
            let stretched = 0.05 - sim.get("points.a.x");
            // Whether it is let go of at the end of one step or at the beginning of the next is a matter of rounding.
            sim.run(0.05 + step, step, |_| ());
            let going = sim.get("points.a.vx");
            sim.run(0.07, step, |_| ());
            let decay = if damping > 0.0 { 100.0 / damping } else { f64::INFINITY };
            let exact = stretched * (-decay * 0.02).exp();
            let length = sim.get("points.b.x") - sim.get("points.a.x") - 1.0;
            let off = (length - exact).abs() / stretched;
            let [loss, damped, taken, balance] =
                ["impact_loss", "damping_work", "numerical_dissipation", "balance"]
                    .map(|of| sim.get(&format!("energy.{of}")));
            println!(
                "c = {damping} N·s/m, {step:e} s: elongation off by {off:.1e}; {loss:.3e} J lost, {damped:.3e} J damped, {taken:.1e} J taken, {balance:.1e} J \
                 open"
            );
            // Of second order in h k/c.
            let order = if damping > 0.0 { (decay * step).powi(2) } else { 0.0 };
            assert!(off < 1e-2 * order + 1e-6, "{off:e}");
            assert!((sim.get("points.a.vx") - going).abs() < 1e-9 && going > 0.05);
            assert!(sim.get("springs.s.force").abs() < 1e-9);
            if held == path {
                let apart = sim.get("joints.j.velocity") - sim.get("points.b.vx");
                assert!(apart.abs() < 1e-6, "its slider goes {apart:e} m/s faster");
            }
            assert!(balance.abs() < 1e-9 && taken.abs() < 1e-3);
        }
    }
}
