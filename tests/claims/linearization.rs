//! Linear models against closed forms, the modes of the mechanism, and runs.

use std::f64::consts::TAU;

use coulisse::linearization::{Joints, Linear, Request, is_linear, linearize};
use nalgebra::Complex;

use crate::common::Simulation;
use crate::common::mechanism::Mechanism;

/// The linear model about the state of a simulation, of all inputs and of outputs by their paths.
fn linear(sim: &Simulation, outputs: &[&str], joints: Joints) -> Linear {
    let model = sim.system.model();
    let place = |path: &&str| {
        let place = model.outputs.iter().position(|output| output.path == *path);
        place.unwrap_or_else(|| panic!("no output {path}"))
    };
    let request = Request {
        inputs: (0..model.inputs.len()).collect(),
        outputs: outputs.iter().map(place).collect(),
        joints,
    };
    linearize(&sim.system, &sim.state, &request).unwrap_or_else(|fault| panic!("{fault}"))
}

fn near(seen: Complex<f64>, exact: Complex<f64>, within: f64, what: &str) {
    let error = (seen - exact).norm() / exact.norm();
    println!("{what}: {seen} instead of {exact}, {error:e}");
    assert!(error < within, "{what}: {seen} {exact} {error:e}");
}

/// Masses (kg) of body and wheel, stiffness (N/m) and damping (N·s/m) of strut and tyre.
const CAR: [f64; 6] = [320.0, 38.0, 22e3, 1.1e3, 190e3, 60.0];

/// A quarter car whose foot a motion moves.
fn car(step: f64) -> Simulation {
    let [body, wheel, strut, damper, tyre, loss] = CAR;
    let file = Mechanism::new("quarter_car")
        .step(step)
        .points("foot = [0.0, 0.0], hub = [0.0, 0.3], body = [0.0, 0.8]")
        .mass("hub", wheel)
        .mass("body", body)
        .support("foot", "point = 'foot', fix = ['x']")
        .support("hub", "point = 'hub', fix = ['x']")
        .support("body", "point = 'body', fix = ['x']")
        .motion("foot", "point = 'foot', direction = 'y', displacement = 0.0")
        .spring("tyre", "from = 'foot', to = 'hub', direction = 'y'")
        .and(format!("stiffness = {tyre:?}, damping = {loss:?}"))
        .spring("strut", "from = 'hub', to = 'body', direction = 'y'")
        .and(format!("stiffness = {strut:?}, damping = {damper:?}"))
        .inputs("motions.foot.displacement springs.strut.actuator")
        .outputs("points.body.* springs.strut.length")
        .text();
    Simulation::of(&file)
}

#[test]
fn a_quarter_car_on_a_moving_base_has_the_transfer_function_of_two_masses() {
    let [body, wheel, strut, damper, tyre, loss] = CAR;
    let sim = car(1e-3);
    let outputs = ["points.body.y", "springs.strut.length", "points.body.ay"];
    let model = linear(&sim, &outputs, Joints::AsTheyAre);
    // The acceleration of the body follows the place of the foot without its derivatives.
    assert_eq!(model.states.len(), 4);
    assert_eq!(model.inputs[0].path, "motions.foot.displacement");
    for frequency in [0.05, 1.0, 1.3, 7.0, 12.0, 300.0] {
        let s = Complex::new(0.0, TAU * frequency);
        let seen = &model.response(&[TAU * frequency])[0];
        let (k2, k1) = (s * damper + strut, s * loss + tyre);
        let (m2, m1) = (s * s * body, s * s * wheel);
        let both = (m1 + k1 + k2) * (m2 + k2) - k2 * k2;
        let by_foot = k1 * k2 / both;
        near(seen[(0, 0)], by_foot, 1e-10, "body by foot");
        near(seen[(1, 0)], by_foot - k1 * (m2 + k2) / both, 1e-9, "strut by foot");
        near(seen[(2, 0)], s * s * by_foot, 1e-9, "acceleration by foot");
        // An actuator draws both together.
        let (up, down) = (-(m1 + k1) / both, m2 / both);
        near(seen[(0, 1)], up, 1e-10, "body by actuator");
        near(seen[(1, 1)], up - down, 1e-10, "strut by actuator");
    }
    let gain = model.steady_gain().expect("nothing is free");
    assert!((gain[(0, 0)] - 1.0).abs() < 1e-12 && gain[(1, 0)].abs() < 1e-12, "{gain}");
    assert!((gain[(1, 1)] * strut + 1.0).abs() < 1e-12, "{gain}");
}

#[test]
fn a_slip_element_that_sticks_is_a_spring_beside_the_spring() {
    let (mass, spring, slip) = (2.0, 300.0, 500.0);
    for length in [0.5, 1.0, 2.0] {
        let file = Mechanism::new("slip")
            .step(1e-3)
            .points(format!("o = [0.0, 0.0], p = [{length:?}, 0.0]"))
            .mass("p", mass)
            .support("p", "point = 'p', fix = ['y']")
            .spring("s", "ground = 'o', to = 'p', direction = 'line'")
            .and(format!(
                "stiffness = {spring:?}, friction = {{ force = 50.0, stiffness = {slip:?} }}"
            ))
            .load("f", "point = 'p', fx = 10.0, fy = 0.0")
            .inputs("loads.f.*")
            .outputs("points.p.*")
            .text();
        let model = linear(&Simulation::of(&file), &["points.p.x"], Joints::AsTheyAre);
        let frequency = ((spring + slip) / mass).sqrt();
        for pole in model.poles().expect("two of them") {
            let upper = Complex::new(pole.re, pole.im.abs());
            near(upper, Complex::new(0.0, frequency), 1e-9, "pole");
        }
        let gain = model.steady_gain().expect("nothing is free");
        assert!((gain[(0, 0)] * (spring + slip) - 1.0).abs() < 1e-9, "{gain}");
        assert!(gain[(0, 1)].abs() < 1e-15, "{gain}");
    }
}

#[test]
fn what_nothing_damps_needs_no_mass_to_be_damped() {
    let file = Mechanism::new("mast")
        .step(5e-4)
        .points("a = [0.0, 0.0], b = [2.0, 0.3], s = [0.7, 0.105], top = [0.7, 0.7], w = [1.0, -1.0]")
        .steel()
        .rectangle("r", 0.02, 0.02)
        .member("beam", ["a", "b"], "elements = 4, material = 'steel', section = 'r'")
        .member("mast", ["s", "top"], "elements = 3, material = 'steel', section = 'r'")
        .support("a", "point = 'a', fix = ['x', 'y']")
        .support("b", "point = 'b', fix = ['y']")
        .joint("s", "prismatic = { slider = 's', path = ['beam'] }")
        .load("f", "point = 'top', fx = 0.0, moment = 0.0")
        .add("[bodies.wheel]\nrigid = true\nmass = 0.5\ninertia = 0.02\ncenter = 'w'\npoints = ['w']")
        .inputs("loads.f.*")
        .outputs("points.top.*")
        .text();
    let sim = Simulation::of(&file);
    let model = linear(&sim, &["points.top.x"], Joints::AsTheyAre);
    // Poles are those of the modes, which nothing damps.
    let poles = model.poles().expect("poles");
    let modes = sim.modes(1000).list;
    let elastic = modes.iter().filter(|mode| mode.square > 1.0);
    for mode in elastic.take(12) {
        let omega = mode.square.sqrt();
        let nearest = poles.iter().map(|p| (p - Complex::new(0.0, omega)).norm() / omega);
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-6, "{omega}: {nearest:e}");
    }
}

/// It has slipped, and sticks again while it still swings on its contact layer of 2 MN/m².
#[test]
fn a_block_that_sticks_and_swings_on_its_contact_layer_has_a_linear_model() {
    let file = Mechanism::new("block")
        .step(2e-4)
        .points("a = [-2.0, 0.0], b = [2.0, 0.0], c = [0.1, 0.05]")
        .points("p1 = [0.0, 0.0], p2 = [0.2, 0.0], p3 = [0.2, 0.1], p4 = [0.0, 0.1]")
        .add("[members.floor]\nfrom = 'a'\nto = 'b'\nrigid = true")
        .support("floor", "member = 'floor', fix = ['x', 'y', 'rotation']")
        .add(
            "[bodies.k]\nrigid = true\nmass = 2.0\ninertia = 0.01\ncenter = 'c'\npoints = ['c']\n\
             outline.size = 0.1\noutline.edges = [{ name = 'bottom', from = 'p1', to = 'p2' }, \
             { name = 'r', from = 'p2', to = 'p3' }, { name = 't', from = 'p3', to = 'p4' }, { name = 'l', from = 'p4', to = 'p1' }]\n\
             [contacts.k]\nsurface = ['k.bottom']\npath = ['floor']\nstiffness = 2e6\ntangential_ratio = 0.5\n\
             friction.coulomb = { coefficient = 0.4 }",
        )
        .spring("x", "ground = 'a', to = 'c', direction = 'x', stiffness = 500.0, damping = 3.0")
        .gravity(-9.81)
        .entry("initial", "equilibrium = true")
        .add("[loads.f]\npoint = 'c'\nfx = '20*window(t, 0.05, 0.15)'\nfy = 0.0")
        .inputs("loads.f.fy")
        .outputs("points.c.* contacts.*")
        .text();
    let mut sim = Simulation::of(&file);
    sim.run(0.59, 2e-3, |_| ());
    assert_eq!(sim.get("contacts.k.sticking"), 1.0);
    let poles = linear(&sim, &["points.c.y"], Joints::AsTheyAre).poles().expect("poles");
    let up_and_down = Complex::new(0.0, (2e6_f64 * 0.2 / 2.0).sqrt());
    let nearest = poles.iter().map(|pole| (pole - up_and_down).norm() / up_and_down.norm());
    assert!(nearest.fold(f64::INFINITY, f64::min) < 1e-9, "{poles:?}");
}

/// A cantilever of steel with a force at its tip.
fn cantilever(damping: &str) -> Simulation {
    let file = Mechanism::new("cantilever")
        .step(1e-3)
        .points("wall = [0.0, 0.0], tip = [2.0, 0.0]")
        .steel()
        .rectangle("strip", 0.01, 0.05)
        .member(
            "beam",
            ["wall", "tip"],
            "elements = 3, order = 3, material = 'steel', section = 'strip'",
        )
        .clamp("wall")
        .load("push", "point = 'tip', fy = 0.0")
        .add(damping)
        .inputs("loads.push.fy")
        .outputs("points.tip.* supports.wall.*")
        .text();
    Simulation::of(&file)
}

#[test]
fn a_cantilever_answers_at_its_tip_with_the_sum_of_its_modes() {
    for (alpha, beta) in [(0.0, 0.0), (3.0, 0.0), (2.0, 2e-4)] {
        let sim = cantilever(&format!(
            "[damping.all]\nmembers = [\"beam\"]\nmass_coefficient = {alpha:?}\nstiffness_coefficient = {beta:?}"
        ));
        let model = linear(&sim, &["points.tip.y", "supports.wall.fy"], Joints::AsTheyAre);
        let tip = sim.point("tip", 1);
        // All modes: rotations of the nodes have no mass.
        let modes = sim.modes(1000).list;
        println!("{} states, {} modes", model.states.len(), modes.len());
        for frequency in [0.3, 2.0, 13.0, 200.0, 5000.0] {
            let s = Complex::new(0.0, TAU * frequency);
            let of = |mode: &coulisse::modes::Mode| {
                let own = mode.shape[tip] * mode.shape[tip];
                Complex::new(own, 0.0) / (s * s + s * (alpha + beta * mode.square) + mode.square)
            };
            let exact: Complex<f64> = modes.iter().map(of).sum();
            let seen = &model.response(&[TAU * frequency])[0];
            near(seen[(0, 0)], exact, 1e-8, &format!("{frequency} Hz, {alpha} {beta}"));
        }
        let gain = model.steady_gain().expect("nothing is free");
        let exact = 8.0 / (3.0 * 210e9 * 0.05 * 0.01_f64.powi(3) / 12.0);
        println!("{gain} {exact}");
        assert!((gain[(0, 0)] / exact - 1.0).abs() < 1e-4, "{gain} {exact}");
        assert!((gain[(1, 0)] + 1.0).abs() < 1e-9, "{gain}");
    }
}

#[test]
fn a_pendulum_on_a_cart_swings_about_both_equilibria_as_the_closed_form_says() {
    let (cart, bob, length, g) = (2.0, 0.5, 0.7, 9.81);
    for (hangs, sign) in [(true, -1.0), (false, 1.0)] {
        let file = Mechanism::new("cart")
            .step(1e-3)
            .gravity(-g)
            .points(format!("cart = [0.0, 0.0], bob = [0.0, {:?}]", sign * length))
            .member("rod", ["cart", "bob"], "rigid = true")
            .mass("cart", cart)
            .mass("bob", bob)
            .support("rail", "point = 'cart', fix = ['y']")
            .load("push", "point = 'cart', fx = 0.0")
            .inputs("loads.push.fx")
            .outputs("points.cart.x points.bob.x")
            .text();
        let sim = Simulation::of(&file);
        let model = linear(&sim, &["points.cart.x", "points.bob.x"], Joints::AsTheyAre);
        assert_eq!(model.states.len(), 4);
        let square = (cart + bob) * g / (cart * length);
        for frequency in [0.1, 1.0, 30.0] {
            let s = Complex::new(0.0, TAU * frequency);
            let swing = if hangs { square } else { -square };
            let own = if hangs { g / length } else { -g / length };
            // (M + m) x'' + m l φ'' = F, l φ'' + x'' ± g φ = 0.
            let x = (s * s + own) / (s * s * cart * (s * s + swing));
            let bob = Complex::new(own, 0.0) / (s * s * cart * (s * s + swing));
            let seen = &model.response(&[TAU * frequency])[0];
            near(seen[(0, 0)], x, 1e-10, "cart");
            near(seen[(1, 0)], bob, 1e-8, "bob");
        }
        let poles = model.poles().expect("they are found");
        let growing = |a: &Complex<f64>, b: &Complex<f64>| a.re.total_cmp(&b.re);
        let fastest = |a: &Complex<f64>, b: &Complex<f64>| a.norm().total_cmp(&b.norm());
        let last = poles.iter().copied();
        let (last, exact) = match hangs {
            true => (last.max_by(fastest), Complex::new(0.0, square.sqrt())),
            false => (last.max_by(growing), Complex::new(square.sqrt(), 0.0)),
        };
        let last = last.expect("four");
        near(last, exact, 1e-10, "pole");
    }
}

#[test]
fn bristles_are_a_state_and_friction_that_slides_has_its_slope() {
    // Bristles without deflection at the velocity v: ż = v − |v| z/z_ss has the slopes −v/z_ss and 1; F = σ₀ z.
    let (mass, v, stiffness, weight) = (2.0, 0.3, 4e3, 2.0 * 9.81);
    let block = |friction: &str| {
        let file = Mechanism::new("block")
            .step(1e-3)
            .gravity(-9.81)
            .points("a = [-1.0, 0.0], b = [1.0, 0.0], block = [0.0, 0.0]")
            .guide("rail", ["a", "b"], "elements = 1")
            .mass("block", mass)
            .slider("block", "block", "rail", "")
            .and(friction)
            .start("block", format!("vx = {v:?}"))
            .load("push", "point = 'block', fx = 0.0")
            .inputs("loads.push.fx")
            .outputs("points.block.* joints.block.*")
            .text();
        Simulation::of(&file)
    };
    let sim = block(&format!(
        "friction.lugre = {{ stiffness = {stiffness:?}, static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.1 }}"
    ));
    let model = linear(&sim, &["points.block.vx"], Joints::AsTheyAre);
    let paths: Vec<&str> = model.states.iter().map(|state| state.path.as_str()).collect();
    println!("{paths:?} {}", model.a);
    assert_eq!(paths.len(), 3);
    let coefficient = 0.2 + 0.1 * (-(v / 0.1_f64).powi(2)).exp();
    let settled = weight * coefficient / stiffness;
    let exact =
        nalgebra::Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, -stiffness / mass, 0.0, 1.0, -v / settled);
    let error = (&model.a - exact).component_div(&exact.map(|x: f64| x.abs().max(1.0))).amax();
    assert!(error < 1e-6, "{} {exact} {error:e}", model.a);

    // Stribeck's curve has its slope; a block at rest that sticks does not move.
    let law = "friction.stribeck = { static_coefficient = 0.3, kinetic_coefficient = 0.2, decay_velocity = 0.1 }";
    let model = linear(&block(law), &["points.block.ax"], Joints::AsTheyAre);
    let slope = -0.1 / 0.1 * (-v / 0.1_f64).exp() * 9.81;
    let velocity = model.states.iter().position(|state| state.path.starts_with("der(")).unwrap();
    assert!((model.a[(velocity, velocity)] + slope).abs() < 1e-9, "{} {slope}", model.a);
    let stuck = linear(&block(law), &["joints.block.friction_force"], Joints::Stuck);
    assert!(stuck.states.is_empty());
    // It bears the whole push.
    assert!((stuck.d[(0, 0)].abs() - 1.0).abs() < 1e-9, "{}", stuck.d);
    let free = linear(&block(law), &["points.block.ax"], Joints::Free);
    assert!((free.d[(0, 0)] * mass - 1.0).abs() < 1e-9 && free.a[(velocity, velocity)] == 0.0);
}

#[test]
fn a_hinge_that_sticks_holds_and_a_free_arm_is_not_unstable() {
    let pendulum = Simulation::bundled("pendulum", &[("parameters.angle", 1e-3)]);
    let states = |joints| linear(&pendulum, &["points.bob.x"], joints).states.len();
    assert_eq!((states(Joints::Stuck), states(Joints::Free)), (0, 2));
    // An arm that turns freely about its hub: the double pole at 0 is rounding of its stiffness, whatever the mesh.
    for elements in [2, 6, 16] {
        let file = Mechanism::new("arm")
            .step(1e-3)
            .points("hub = [0.0, 0.0], tip = [0.8, 0.0]")
            .steel()
            .rectangle("strip", 0.003, 0.04)
            .beam("arm", ["hub", "tip"], [elements, 3], "steel strip")
            .mass("tip", 0.3)
            .pin("hub")
            .load("motor", "point = 'hub', moment = 0.0")
            .inputs("loads.motor.moment")
            .outputs("points.hub.rotation")
            .text();
        let sim = Simulation::of(&file);
        let poles = linear(&sim, &["points.hub.rotation"], Joints::AsTheyAre).poles();
        let poles = poles.expect("they are found");
        let zero = poles.iter().filter(|pole| pole.norm() == 0.0).count();
        println!("{elements} elements: {} {}", poles[0], poles[2]);
        assert!(zero == 2 && poles[2].norm() > 10.0, "{elements}: {zero} {poles:?}");
    }
}

/// A bead on a rod that turns steadily obeys m s̈ + c ṡ + (k − m Ω²) s = const, at every angle of the rod: its place along the rod is the state, not one
/// of its coordinates in the plane.
#[test]
fn a_bead_on_a_rod_that_turns_has_the_poles_of_its_place_along_it() {
    let [mass, stiffness, damping, rate] = [2.0, 200.0, 1.0, 6.0];
    let mut sim = Mechanism::new("bead")
        .step(1e-3)
        .points("o = [0.0, 0.0], e = [6.0, 0.0], b = [1.0, 0.0]")
        .entry("members.rod", "from = 'o', to = 'e', rigid = true, mass = 1.0, inertia = 0.1")
        .mass("b", mass)
        .entry("joints.j", "cylindrical = { slider = 'b', path = ['rod'] }")
        .spring("k", "from = 'o', to = 'b'")
        .and(format!("stiffness = {stiffness:?}, damping = {damping:?}"))
        .pin("o")
        .motion("turn", format!("point = 'o', direction = 'rotation', rate = {rate:?}"))
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("b", "vx = 0.0")
        .inputs("springs.k.actuator")
        .outputs("joints.j.position")
        .simulation();
    let decay = damping / (2.0 * mass);
    let frequency = (stiffness / mass - rate * rate - decay * decay).sqrt();
    for _ in 0..4 {
        let model = linear(&sim, &["joints.j.position"], Joints::AsTheyAre);
        let poles = model.poles().expect("poles");
        let pole = poles.iter().find(|pole| pole.im > 0.0).expect("it swings");
        near(*pole, Complex::new(-decay, frequency), 1e-6, "pole");
        let (end, h) = (sim.time() + 0.13, 0.01);
        while sim.time() < end {
            sim.step(h);
        }
    }
}

#[test]
fn samples_of_the_linear_model_are_the_changes_of_runs() {
    // What a step of the actuator changes after 20 ms.
    let outputs = ["points.body.y", "springs.strut.length", "points.body.ay"];
    let model = linear(&car(1e-4), &outputs, Joints::AsTheyAre);
    let actuator =
        model.inputs.iter().position(|input| input.path == "springs.strut.actuator").unwrap();
    let sampled = model.sampled(1e-3);
    let mut x = nalgebra::DVector::zeros(model.states.len());
    let change = 1.0;
    let input =
        nalgebra::DVector::from_fn(
            model.inputs.len(),
            |k, _| if k == actuator { change } else { 0.0 },
        );
    let run = |value: f64| {
        let mut sim = car(1e-4);
        sim.set("springs.strut.actuator", value);
        (0..20).for_each(|_| sim.step(1e-3));
        outputs.map(|path| sim.get(path))
    };
    let (more, less) = (run(change), run(-change));
    for _ in 0..20 {
        x = &sampled.a * &x + &sampled.b * &input;
    }
    let exact = &model.c * &x + &model.d * &input;
    for (k, path) in outputs.iter().enumerate() {
        let seen = 0.5 * (more[k] - less[k]);
        println!("{path}: {seen:e} {:e}", exact[k]);
        assert!((seen - exact[k]).abs() < 5e-5 * exact[k].abs(), "{path}: {seen:e} {:e}", exact[k]);
    }
}

#[test]
fn a_load_on_a_rigid_member_has_no_derivatives_whatever_motions_there_are() {
    let sim = Mechanism::new("arm")
        .step(1e-3)
        .gravity(-9.81)
        .points("g = [0.0, 0.0], m = [1.0, 0.0], tip = [1.0, 0.8]")
        .mass("m", 2.0)
        .mass("tip", 0.5)
        .member("arm", ["m", "tip"], "rigid = true, mass = 0.3, inertia = 0.02")
        .spring("s", "from = 'g', to = 'm', direction = 'x', stiffness = 800.0, damping = 5.0")
        .spring("r", "to = 'm', direction = 'rotation', stiffness = 20.0, damping = 0.1")
        .support("g", "point = 'g', fix = ['y']")
        .support("m", "point = 'm', fix = ['y']")
        .motion("q", "point = 'g', direction = 'x', displacement = 0.0")
        .load("f", "point = 'tip', fx = 0.0")
        .inputs("loads.f.fx motions.q.displacement")
        .outputs("points.m.* points.tip.* supports.*")
        .simulation();
    let outputs = ["points.m.x", "points.m.ax", "points.tip.ax", "supports.m.fy"];
    let linear = linear(&sim, &outputs, Joints::AsTheyAre);
    assert_eq!(linear.inputs[0].path, "loads.f.fx");
    assert!(linear.states.iter().all(|state| !state.path.contains("loads.f")));
    // A steady push stretches the spring alone.
    let steady = linear.response(&[1e-3])[0][(0, 0)].re;
    assert!((steady - 1.0 / 800.0).abs() < 1e-5 / 800.0, "{steady}");
}

#[test]
fn every_dynamic_bundled_model_has_a_linear_model_or_says_why_not() {
    for name in
        ["rabinowicz", "incline", "half_car", "cam_and_spring", "compressor", "belt_tensioner"]
    {
        let sim = Simulation::bundled(name, &[]);
        let model = sim.system.model();
        let outputs: Vec<&str> = (model.outputs.iter())
            .filter(|output| is_linear(&sim.system, output))
            .map(|output| output.path.as_str())
            .collect();
        let found = linear(&sim, &outputs, Joints::AsTheyAre);
        for matrix in [&found.a, &found.b, &found.c, &found.d] {
            assert!(matrix.iter().all(|x| x.is_finite()), "{name}: {matrix}");
        }
        assert_eq!(found.c.shape(), (outputs.len(), found.states.len()), "{name}");
    }
}
