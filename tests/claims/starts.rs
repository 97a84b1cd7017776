//! Mechanisms that are well posed start, at every length of the step.

use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation, tier};
use crate::random_mechanisms::Dice;

/// Lengths of the step from 1e-6 to 1e-2 s.
fn steps() -> impl Iterator<Item = f64> {
    (0..=40).map(|i| 10_f64.powf(-6.0 + 0.1 * f64::from(i)))
}

/// A slider-crank of rigid members on a fixed rough guide, `more` on the slider; the crank turns by what `drive` says.
fn slider_crank(dice: &mut Dice, drive: &str, more: &str) -> String {
    let (radius, rod) = (dice.between(0.1, 0.3), dice.between(0.5, 0.8));
    let angle = dice.between(-3.0, 3.0);
    let (ax, ay) = (radius * angle.cos(), radius * angle.sin());
    let height = dice.between(-0.05, 0.05);
    let bx = ax + (rod * rod - (ay - height) * (ay - height)).sqrt();
    let (ga, gb, gs) = (bx - 0.7, bx + 0.25, bx + dice.between(0.5, 1.0));
    let (m, n) = (dice.scale(0.1, 2.0), dice.scale(0.1, 2.0));
    let (i, k) = (dice.scale(1e-3, 5e-2), dice.scale(1e-3, 5e-2));
    let (amplitude, wave) = (dice.scale(1e-6, 1e-4), dice.between(0.1, 0.3));
    let stiffness = dice.scale(1.0, 500.0);
    Mechanism::new("slider_crank")
        .points(format!("o = [0.0, 0.0], a = [{ax:?}, {ay:?}], b = [{bx:?}, {height:?}]"))
        .and(format!("ga = [{ga:?}, {height:?}], gb = [{gb:?}, {height:?}]"))
        .and(format!("gs = [{gs:?}, {height:?}]"))
        .member("crank", ["o", "a"], format!("rigid = true, mass = {m:?}, inertia = {i:?}"))
        .member("rod", ["a", "b"], format!("rigid = true, mass = {n:?}, inertia = {k:?}"))
        .joint("pin", "hinge = { point = 'a', release = ['rod'] }")
        .pin("o")
        .add(drive)
        .guide("guide", ["ga", "gb"], "elements = 1")
        .slider("jb", "b", "guide", "ends = 'continue'")
        .and(format!("roughness.cosine.amplitude = {amplitude:?}"))
        .and(format!("roughness.cosine.wavelength = {wave:?}"))
        .spring("sp", format!("ground = 'gs', to = 'b', stiffness = {stiffness:?}"))
        .add(more)
        .outputs("joints.jb.* points.b.* energy.*")
        .text()
}

fn driven() -> String {
    Mechanism::part()
        .motion("drive", "point = 'o', direction = 'rotation', amplitude = 5.0")
        .and("history.ramp = { duration = 2.0 }")
        .text()
}

/// Starts of a model at all lengths of the step, and what they have in common: the joint's force, but for what a short step adds to it.
fn same_start_at_every_step(text: &str, what: &str) {
    let mut forces: Vec<(f64, f64)> = Vec::new();
    for step in steps() {
        let checked =
            common::check(text, &[("solver.step", step)]).unwrap_or_else(|f| panic!("{f}"));
        let sim = std::panic::catch_unwind(|| Simulation::built(&checked));
        let sim = sim.unwrap_or_else(|_| panic!("{what} at {step} s"));
        forces.push((step, sim.get("joints.jb.normal_force")));
    }
    let (_, exact) = forces[10];
    for (step, force) in forces.into_iter().filter(|(step, _)| *step <= 1e-3) {
        let off = (force - exact).abs();
        assert!(
            off <= 2e-2 * exact.abs().max(1e-3),
            "{what} at {step} s: {force} N instead of {exact} N"
        );
    }
}

#[test]
fn driven_slider_cranks_on_rough_guides_start_alike_at_every_step() {
    for seed in 0..tier::share(12) {
        let mut dice = Dice::seeded(2100 + seed);
        same_start_at_every_step(
            &slider_crank(&mut dice, &driven(), "[gravity]\ny = -9.81"),
            &format!("{seed}"),
        );
    }
}

#[test]
fn slider_cranks_whose_spring_bears_nothing_are_assembled() {
    for seed in 0..tier::share(12) {
        let mut dice = Dice::seeded(2300 + seed);
        same_start_at_every_step(
            &slider_crank(&mut dice, "", "[gravity]\ny = -9.81"),
            &format!("{seed}"),
        );
    }
}

/// A rigid block on corners that slides freely, tied by a spring to an elastic one that flies.
fn two_blocks(dice: &mut Dice) -> String {
    let [a, b] = [dice.between(0.3, 0.6), dice.between(1.1, 1.3)];
    let [w, v] = [dice.between(0.05, 0.2), dice.between(0.1, 0.3)];
    let [h, g] = [dice.between(0.05, 0.2), dice.between(0.05, 0.2)];
    let stiffness = dice.scale(1.0, 1e3);
    let speed = dice.between(-4.0, 4.0);
    Mechanism::new("two_blocks")
        .points(format!("pa = [0.0, 0.0], pb = [1.8, 0.0], c00 = [{a:?}, 0.0]"))
        .and(format!("c01 = [{:?}, 0.0], c02 = [{:?}, {h:?}]", a + w, a + w))
        .and(format!("c03 = [{a:?}, {h:?}], c10 = [{b:?}, 0.0], c11 = [{:?}, 0.0]", b + v))
        .and(format!("c12 = [{:?}, {g:?}], c13 = [{b:?}, {g:?}]", b + v))
        .guide("path", ["pa", "pb"], "elements = 1")
        .material("bm", 2e7, 0.3, 2000.0)
        .body("blk0", "material = 'bm', thickness = 0.05, state = 'plane_stress'")
        .patch("blk0", [1, 1], "bottom: c00, right: c01, top: c02, left: c03")
        .body("blk1", "material = 'bm', thickness = 0.05, rigid = true")
        .patch("blk1", [1, 1], "bottom: c10, right: c11, top: c12, left: c13")
        .joint("jb", "sliding = { edge = 'blk1.bottom', path = ['path'], nodes = 'ends' }")
        .spring("hit", format!("from = 'c01', to = 'c10', stiffness = {stiffness:?}"))
        .entry("initial.bodies.c10", format!("vx = {speed:?}"))
        .text()
}

#[test]
fn a_rigid_block_tied_to_an_elastic_one_starts_at_every_step() {
    for seed in 0..tier::share(12) {
        let text = two_blocks(&mut Dice::seeded(250 + seed));
        for step in steps() {
            let checked =
                common::check(&text, &[("solver.step", step)]).unwrap_or_else(|f| panic!("{f}"));
            assert!(
                std::panic::catch_unwind(|| Simulation::built(&checked)).is_ok(),
                "{seed} at {step} s"
            );
        }
    }
}

/// A rigid bar on three wheels along a slope, the first on a rough surface; `contact` as joints write it.
fn three_wheels(dice: &mut Dice, contact: &str) -> (String, f64) {
    let [w0, w1, w2] = [dice.between(0.2, 0.5), dice.between(0.8, 1.2), dice.between(1.4, 1.8)];
    let (amplitude, wave) = (dice.scale(1e-5, 1e-3), dice.between(0.2, 0.4));
    let slope = dice.between(-0.3, 0.3);
    let place = |x: f64| format!("[{x:?}, {:?}]", slope * x);
    let text = Mechanism::new("three_wheels")
        .points(format!("pa = [0.0, 0.0], pb = {}, w0 = {}", place(2.3), place(w0)))
        .and(format!("w1 = {}, w2 = {}", place(w1), place(w2)))
        .guide("path", ["pa", "pb"], "elements = 1")
        .member("bar0", ["w0", "w1"], "rigid = true, mass = 1.4, inertia = 0.05")
        .member("bar1", ["w1", "w2"], "rigid = true, mass = 0.5, inertia = 0.03")
        .mass("w0", 2.0)
        .slider("jw0", "w0", "path", format!("ends = 'stop'{contact}"))
        .and(format!("roughness.cosine.amplitude = {amplitude:?}"))
        .and(format!("roughness.cosine.wavelength = {wave:?}"))
        .slider("jw1", "w1", "path", format!("ends = 'stop'{contact}"))
        .slider("jw2", "w2", "path", format!("ends = 'stop'{contact}"))
        .gravity(-9.81)
        .outputs(
            "joints.jw0.gap joints.jw1.gap joints.jw2.gap points.w0.* points.w1.* \
                 points.w2.*",
        )
        .text();
    (text, 2.4 * (0.02 + 4.0 * (amplitude / 2.2).sqrt()))
}

/// Whether no point of the bar is farther than this from where it is drawn.
fn is_near(sim: &Simulation, allowed: f64) -> bool {
    let points = sim.system.model().points.iter();
    let mut wheels = points.filter(|point| point.name.starts_with('w'));
    wheels.all(|point| {
        let off =
            |axis: &str, drawn: f64| sim.get(&format!("points.{}.{axis}", point.name)) - drawn;
        let [x, y] = point.position;
        off("x", x).hypot(off("y", y)) <= allowed
    })
}

#[test]
fn a_rigid_bar_on_three_wheels_starts_near_where_it_is_drawn_with_no_more_than_one_in_the_air() {
    let mut flies = 0;
    for seed in 0..30 {
        let contact = r#", contact = "unilateral", side = "left""#;
        let (text, allowed) = three_wheels(&mut Dice::seeded(130 + seed), contact);
        let sim = Simulation::of(&text);
        assert!(is_near(&sim, allowed), "{seed}");
        let gaps = [0, 1, 2].map(|j| sim.get(&format!("joints.jw{j}.gap")));
        assert!(gaps.iter().all(|gap| *gap > -1e-9), "{seed}: {gaps:?}");
        let in_the_air = gaps.iter().filter(|gap| **gap > 1e-9).count();
        assert!(in_the_air <= 1, "{seed}: {gaps:?}");
        flies += in_the_air;
    }
    assert!(flies > 0, "none has its place without leaving one in the air");
}

#[test]
fn three_joints_on_a_rigid_bar_close_near_where_they_are_drawn_or_are_refused() {
    let mut refused = 0;
    for seed in 0..30 {
        let (text, allowed) = three_wheels(&mut Dice::seeded(130 + seed), "");
        let gaps = r#""joints.jw0.gap", "joints.jw1.gap", "joints.jw2.gap", "#;
        let checked = common::check(&text.replace(gaps, ""), &[]).unwrap_or_else(|f| panic!("{f}"));
        match std::panic::catch_unwind(|| Simulation::built(&checked)) {
            Ok(sim) => assert!(is_near(&sim, allowed), "{seed}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0, "all have a place near by");
}

/// A slider of this `length` on a fixed guide along x, with a uniform rod of mass `m` (kg) and length `y` (m) that stands on it and is
/// pulled along x at its end by `force` (N), under friction with the coefficient `mu`.
fn pulled(length: f64, m: f64, y: f64, force: f64, mu: f64, speed: f64) -> String {
    Mechanism::new("pulled")
        .points(format!("pa = [-5.0, 0.0], pb = [5.0, 0.0], u = [0.0, 0.0], v = [0.0, {y:?}]"))
        .guide("path", ["pa", "pb"], "elements = 1")
        .member("arm", ["u", "v"], format!("rigid = true, mass = {m:?}, inertia = 0.01"))
        .joint("ju", "prismatic.slider = 'u', prismatic.path = ['path']")
        .and(format!("prismatic.length = {length:?}"))
        .and(format!("friction.coulomb = {{ coefficient = {mu:?} }}"))
        .load("fv", format!("point = 'v', fx = {force:?}"))
        .start("u", format!("vx = {speed:?}"))
        .outputs("joints.ju.* points.u.* energy.*")
        .text()
}

/// The moment about the slider is y (m a/2 − F), with k = μ y/L m a = F (1 − 2k)/(1 − k) where it slides; it sticks from k = ½ on.
#[test]
fn a_slider_with_a_length_under_an_eccentric_pull_starts_or_jams_as_in_closed_form() {
    for seed in 0..tier::share(40) {
        let mut dice = Dice::seeded(680 + seed);
        let (length, y) = (dice.between(0.03, 0.3), dice.between(0.05, 0.5));
        let (m, force) = (dice.scale(0.5, 10.0), dice.sign() * dice.scale(0.5, 20.0));
        let k = dice.between(0.05, 2.5);
        let mu = k * length / y;
        let slides = (force * (1.0 - 2.0 * k) / (1.0 - k)) / m;
        let expected = if k < 0.5 { slides } else { 0.0 };
        for step in [1e-5, 1e-4, 1e-3] {
            let text = pulled(length, m, y, force, mu, 0.0);
            let mut sim = Simulation::with(&text, &[("solver.step", step)]);
            let a = sim.get("points.u.ax");
            let off = (a - expected).abs();
            assert!(
                off < 1e-6 * force.abs() / m + 1e-13 / (step * step),
                "{seed} at {step} s: {a}, {expected}"
            );
            sim.run(100.0 * step, step, |_| {});
            let way = sim.get("points.u.x") - 0.5 * expected * (100.0 * step).powi(2);
            assert!(
                way.abs() < 1e-6 * force.abs() / m * (100.0 * step).powi(2) + 1e-12,
                "{seed} at {step} s: {way} m off"
            );
        }
    }
}

/// With k > 1 no sliding is in balance where the pull drives it on: it stops at once, and what moved is lost.
#[test]
fn a_slider_that_moves_and_cannot_slide_jams_at_once() {
    for seed in 0..tier::share(20) {
        let mut dice = Dice::seeded(900 + seed);
        let (length, y) = (dice.between(0.03, 0.3), dice.between(0.05, 0.5));
        let (m, force) = (dice.scale(0.1, 1.0), dice.scale(10.0, 100.0));
        let mu = dice.between(1.05, 3.0) * length / y;
        let (sense, speed) = (dice.sign(), dice.scale(0.01, 5.0));
        for step in [1e-4, 1e-3] {
            let text = pulled(length, m, y, sense * force, mu, sense * speed);
            let mut sim = Simulation::with(&text, &[("solver.step", step)]);
            sim.run(20.0 * step, step, |_| {});
            let what = format!("{seed} at {step} s");
            let way = sim.get("points.u.x");
            assert!(way.abs() <= speed * step, "{what}: {way} m");
            assert!(sim.get("joints.ju.velocity").abs() < 1e-9, "{what}");
            let moved = 0.5 * m * speed * speed;
            let lost = sim.lost() + sim.get("joints.ju.dissipated_energy");
            let done = force * speed * step;
            assert!((lost - moved).abs() <= 1e-6 * moved + done, "{what}: {lost} J of {moved} J");
        }
    }
}

/// An unloaded elastic coupler between two sliders, drawn on a path with a kink near one of them.
fn coupler(dice: &mut Dice) -> String {
    let share = 1.0 - dice.scale(1e-5, 0.3);
    let (ux, uy) = (share * 0.65, share * -0.26);
    let height = dice.between(0.2, 0.4);
    let vx = dice.between(0.9, 1.3);
    let young = dice.scale(1e6, 1e13);
    let (elements, order) = (dice.whole(1, 4), dice.whole(1, 3));
    Mechanism::new("coupler")
        .points("pa = [0.0, 0.0], pm = [0.65, -0.26], pb = [1.2, -1.0]")
        .and(format!("u = [{ux:?}, {uy:?}], za = [0.5, {height:?}], zb = [2.2, {height:?}]"))
        .and(format!("v = [{vx:?}, {height:?}]"))
        .guide("path", ["pa", "pm"], "elements = 1")
        .guide("path2", ["pm", "pb"], "elements = 6, arc.angle = -1.1")
        .guide("zpath", ["za", "zb"], "elements = 1")
        .material("m", young, 0.3, 500.0)
        .rectangle("s", 0.03, 0.02)
        .beam("coupler", ["u", "v"], [elements, order], "m s")
        .slider("ju", "u", "path path2", "")
        .slider("jv", "v", "zpath", "")
        .text()
}

#[test]
fn an_unloaded_coupler_however_stiff_is_assembled_where_it_is_drawn() {
    for seed in 0..tier::share(40) {
        let sim = Simulation::of(&coupler(&mut Dice::seeded(520 + seed)));
        let model = sim.system.model();
        for (id, point) in model.points.iter().enumerate() {
            let unknowns = sim.system.drawing().unknowns_of_point(id);
            for (u, place) in unknowns.into_iter().zip(point.position) {
                let off = sim.state.q[u] - place;
                assert!(off.abs() < 1e-6, "{seed}: {} has moved by {off} m", point.name);
            }
        }
    }
}

/// Masses on a clamped elastic arc, each of which the rest holds by its joint alone.
fn beads(dice: &mut Dice) -> String {
    let (young, side) = (dice.scale(1e8, 2e11), dice.scale(5e-3, 3e-2));
    let angle = dice.sign() * dice.between(0.5, 1.5);
    let mut text = Mechanism::new("beads")
        .points("pa = [0.0, 0.0], pb = [2.0, 0.0], b0 = [0.3, 0.05], b1 = [0.8, 0.1]")
        .text();
    // Of an arc of this angle over a chord of 2 m, at the height of its middle.
    let radius = 1.0 / (0.5 * angle).sin();
    let centre = radius * (0.5 * angle).cos();
    let on = |x: f64| {
        let far = (radius * radius - (x - 1.0) * (x - 1.0)).sqrt();
        centre - centre.signum() * far
    };
    let places = [dice.between(0.3, 0.9), dice.between(1.1, 1.7)];
    for (i, x) in places.iter().enumerate() {
        text += &format!("s{i} = [{x:?}, {:?}]\n", on(*x));
    }
    text += &Mechanism::part()
        .material("m", young, 0.3, 6000.0)
        .rectangle("s", side, side)
        .member("path", ["pa", "pb"], format!("elements = 8, arc.angle = {angle:?}"))
        .and("material = 'm', section = 's'")
        .clamp("pa")
        .mass("b0", 0.1)
        .mass("b1", 0.9)
        .spring("s1", format!("from = 'b0', to = 'b1', stiffness = {:?}", dice.scale(1.0, 1e3)))
        .text();
    for i in 0..places.len() {
        text += &Mechanism::part()
            .mass(format!("s{i}"), dice.scale(1e-3, 1.0))
            .slider(format!("s{i}"), format!("s{i}"), "path", "ends = 'stop'")
            .text();
    }
    text
}

#[test]
fn masses_on_an_elastic_arc_start_at_every_step() {
    for seed in 0..tier::share(12) {
        let text = beads(&mut Dice::seeded(521 + seed));
        for step in steps().step_by(4) {
            let checked =
                common::check(&text, &[("solver.step", step)]).unwrap_or_else(|f| panic!("{f}"));
            assert!(
                std::panic::catch_unwind(|| Simulation::built(&checked)).is_ok(),
                "{seed} at {step} s"
            );
        }
    }
}

/// A massless coupler that throws a massless slider over its dead centre, where no step of generalized-α gets through.
#[test]
fn a_massless_slider_that_is_thrown_over_its_dead_centre_gets_there() {
    let text = &Mechanism::new("thrown")
        .points("pa = [0.0, 0.0], pb = [2.378, -0.721], u = [0.3762, -0.114], v = [0.61, 0.41]")
        .material("path", 8.46e8, 0.3, 6000.0)
        .material("coupler", 1.54e9, 0.3, 0.0)
        .rectangle("path", 0.02, 0.04)
        .section("coupler", "circle = { diameter = 0.03 }")
        .member("path", ["pa", "pb"], "elements = 1, material = 'path', section = 'path'")
        .member("coupler", ["u", "v"], "elements = 1, material = 'coupler', section = 'coupler'")
        .mass("v", 0.05)
        .slider("ju", "u", "path", "")
        .and("friction.modified_coulomb = { coefficient = 0.2, threshold_velocity = 0.06 }")
        .load("fu", "point = 'u', fy = -8.0")
        .outputs("energy.*")
        .text();
    let step = 1e-3;
    let mut sim = Simulation::with(text, &[("solver.step", step)]);
    sim.run(0.05, step, |_| {});
    let (balance, work) = (sim.get("energy.balance"), sim.get("energy.input_work"));
    // Falls with the step: 8e-3, 4e-3, 2e-3, 4e-4 J of 1 J at 2, 1, 0.5, 0.3 ms.
    assert!(balance.abs() < 5e-3 * work, "{step} s: {balance} J of {work} J");
}
