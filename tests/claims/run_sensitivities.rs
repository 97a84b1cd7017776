//! Derivatives of runs by numbers of the model, through events, against closed forms and differences of runs.

mod random;

use crate::common::block::Block;
use crate::common::mechanism::Mechanism;
use crate::common::{bundled, data};
use coulisse::model::Model;
use coulisse::quantity::Quantity;
use coulisse::sensitivity::{NoSensitivity, Sensitivities};

const G: f64 = 9.81;

/// A run beside its derivatives.
struct Derived {
    all: Sensitivities,
    outputs: Vec<String>,
    /// What each output measures.
    quantities: Vec<Quantity>,
    inputs: Vec<f64>,
    step: f64,
    steps: usize,
}

impl Derived {
    fn of(text: &str, names: &[&str]) -> Derived {
        Derived::try_of(text, names).unwrap_or_else(|fault| panic!("{fault}"))
    }

    fn try_of(text: &str, names: &[&str]) -> Result<Derived, NoSensitivity> {
        let model = Model::parse(text, "model.toml", &data).unwrap_or_else(|f| panic!("{f}"));
        let checked = model.check().unwrap_or_else(|faults| panic!("{faults}"));
        let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
        let all = Sensitivities::start(&model, names, &inputs)?;
        let outputs = checked.outputs.iter().map(|output| output.path.clone()).collect();
        let quantities = checked.outputs.iter().map(|output| output.quantity).collect();
        Ok(Derived { all, outputs, quantities, inputs, step: checked.solver.step, steps: 0 })
    }

    /// Goes on by a communication step as long as the solver's.
    fn step(&mut self) {
        let start = self.steps as f64 * self.step;
        self.all.advance(&self.inputs, start, self.step);
        self.steps += 1;
    }

    fn run(&mut self, end: f64) {
        while self.time() < end - 1e-9 {
            self.step();
        }
    }

    fn time(&self) -> f64 {
        self.steps as f64 * self.step
    }

    /// The derivative of an output by the number of this place.
    fn get(&self, output: &str, name: usize) -> f64 {
        let place = self.outputs.iter().position(|path| path == output);
        self.all.of(name)[place.unwrap_or_else(|| panic!("no output `{output}`"))]
    }
}

#[track_caller]
fn near(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance * exact.abs(), "{found:e}, exactly {exact:e}");
}

/// df/dp of a closed form.
fn slope(f: impl Fn(f64) -> f64, p: f64) -> f64 {
    let h = 1e-3 * p;
    (8.0 * (f(p + h) - f(p - h)) - f(p + 2.0 * h) + f(p - 2.0 * h)) / (12.0 * h)
}

#[test]
fn an_oscillator_by_its_stiffness_damper_mass_and_start() {
    let (k, c, m, v) = (800.0_f64, 3.0_f64, 2.0_f64, 0.7_f64);
    let exact = |k: f64, c: f64, m: f64, v: f64, t: f64| {
        let decay = c / (2.0 * m);
        let omega = (k / m - decay * decay).sqrt();
        v / omega * (-decay * t).exp() * (omega * t).sin()
    };
    let text = Mechanism::new("oscillator")
        .step(1e-4)
        .points("mass = [0.0, 1.0], foot = [0.0, 0.0]")
        .mass("mass", m)
        .support("guide", "point = 'mass', fix = ['x']")
        .spring("s", format!("ground = 'foot', to = 'mass', stiffness = {k:?}, damping = {c:?}"))
        .start("mass", format!("vy = {v:?}"))
        .outputs("points.mass.y energy.kinetic")
        .text();
    let names =
        ["springs.s.stiffness", "springs.s.damping", "masses.mass.mass", "initial.points.mass.vy"];
    let mut run = Derived::of(&text, &names);
    run.run(0.3);
    let t = run.time();
    let slopes = [
        slope(|k| exact(k, c, m, v, t), k),
        slope(|c| exact(k, c, m, v, t), c),
        slope(|m| exact(k, c, m, v, t), m),
        slope(|v| exact(k, c, m, v, t), v),
    ];
    for (name, exact) in slopes.into_iter().enumerate() {
        println!("{}: {:e} {exact:e}", names[name], run.get("points.mass.y", name));
        // The time integration is off by (ω h)²/12 of a phase of 6.
        near(run.get("points.mass.y", name), exact, 3e-5);
    }
}

#[test]
fn a_block_that_slides_to_rest_by_its_friction_and_its_start() {
    let (mu, v) = (0.5, 2.0313);
    let block = Block { friction: "coulomb = { coefficient = 0.5 }", ..Block::default() };
    let text = block.text()
        + "\n[initial.points.block]\nvx = 2.0313\n[interface]\noutputs = [\"points.block.x\", \"joints.*\"]\n";
    let gravity = 20.0 / 2.0;
    let names = ["joints.block.friction.coulomb.coefficient", "initial.points.block.vx"];
    let mut run = Derived::of(&text, &names);
    run.run(0.6);
    let (way, time) = (v * v / (2.0 * mu * gravity), v / (mu * gravity));
    // The acceleration is constant, and so the integration exact.
    near(run.get("points.block.x", 0), -way / mu, 1e-7);
    near(run.get("joints.block.transition_time", 0), -time / mu, 1e-7);
    near(run.get("points.block.x", 1), 2.0 * way / v, 1e-7);
    near(run.get("joints.block.transition_time", 1), time / v, 1e-7);
}

#[test]
fn a_ball_that_bounces_by_restitution_gravity_and_height() {
    let text = crate::bounces::falling(0.5, 1e-3);
    let names = ["joints.ball.cylindrical.restitution", "gravity.y", "points.ball[1]"];
    let mut run = Derived::of(&text, &names);
    // In the second flight.
    run.run(1.1);
    let t = run.time();
    let exact = |e: f64, g: f64, height: f64| {
        let fall = (2.0 * height / g).sqrt();
        let (begun, v) = (fall * (1.0 + 2.0 * e), e * e * g * fall);
        let late = t - begun;
        v * late - 0.5 * g * late * late
    };
    let y = "points.ball.y";
    near(run.get(y, 0), slope(|e| exact(e, G, 1.0), 0.5), 1e-7);
    near(run.get(y, 1), -slope(|g| exact(0.5, g, 1.0), G), 1e-7);
    near(run.get(y, 2), slope(|h| exact(0.5, G, h), 1.0), 1e-7);
}

#[test]
fn a_pendulum_by_its_length_and_gravity() {
    let text = bundled("pendulum")
        .replace("\"deg(120)\"", "1e-3")
        .replace("mass = 0.3, inertia = \"0.3*length^2/12\"", "mass = 1e-9, inertia = 1e-12")
        .replace("step = 2e-3", "step = 5e-4")
        .replace("dry = 0.3", "dry = 0.0")
        .replace("viscous = 30.0", "viscous = 0.0");
    let mut run = Derived::of(&text, &["parameters.length", "gravity.y", "parameters.angle"]);
    run.run(1.0);
    let t = run.time();
    let x = |length: f64, g: f64, angle: f64| length * (angle * ((g / length).sqrt() * t).cos());
    let slopes = [
        slope(|length| x(length, G, 1e-3), 0.5),
        -slope(|g| x(0.5, g, 1e-3), G),
        slope(|angle| x(0.5, G, angle), 1e-3),
    ];
    for (name, exact) in slopes.into_iter().enumerate() {
        // (ω h)²/12 of the phase and the square of the angle.
        near(run.get("points.bob.x", name), exact, 2e-5);
    }
}

#[test]
fn where_a_stop_is_just_reached_there_is_no_derivative_and_the_run_says_so() {
    // Uphill under gravity along the path: it turns back v²/2g from where it begins, and there is the stop.
    let v = (2.0 * G * 0.5_f64).sqrt();
    let text = |length: f64| {
        Mechanism::new("thrown")
            .step(1e-3)
            .points(format!("a = [0.0, 0.0], b = [0.0, {length:?}], bead = [0.0, 0.0]"))
            .guide("path", ["a", "b"], "elements = 1")
            .mass("bead", 1.0)
            .gravity(-G)
            .start("bead", format!("vy = {v:?}"))
            .slider("bead", "bead", "path", "ends = 'stop'")
            .outputs("points.bead.*")
            .text()
    };
    // A billionth of a millimetre beyond, the run itself has no event.
    for (length, lost) in [(0.51, false), (0.5, true), (0.5 + 1e-12, true), (0.4, false)] {
        let mut run = Derived::of(&text(length), &["initial.points.bead.vy"]);
        run.run(0.5);
        println!("{length}: {:?}", run.all.lost(0));
        assert_eq!(run.all.lost(0).is_some(), lost, "{length}");
        assert_eq!(run.get("points.bead.y", 0).is_nan(), lost, "{length}");
        if let Some(lost) = run.all.lost(0) {
            assert!((lost.time - v / G).abs() < 3e-3 && lost.reason.contains("grazes"), "{lost:?}");
        }
    }
}

#[test]
fn what_has_no_derivative_is_refused_with_the_reason() {
    let text = bundled("incline");
    let refused = |name: &str| {
        let fault = Derived::try_of(&text, &[name]).err().unwrap_or_else(|| panic!("{name}"));
        fault.to_string()
    };
    assert!(
        refused("gravity.yy").contains("did you mean `gravity.y`"),
        "{}",
        refused("gravity.yy")
    );
    let counts = refused("members.guide.elements");
    assert!(counts.contains("counts something"), "{counts}");
    let text = text.replace("static_coefficient = 0.6", "static_coefficient = 0.0");
    let ranges = Derived::try_of(
        &text.replace("kinetic_coefficient = 0.4", "kinetic_coefficient = 0.0"),
        &["joints.block.friction.stribeck.kinetic_coefficient"],
    );
    let ranges = ranges.err().expect("no number below 0").to_string();
    assert!(ranges.contains("near 0: ") && ranges.contains("kinetic"), "{ranges}");
}

/// A ball of 1 kg that falls from 0.5 m above a rail, which hangs at one end on a spring.
fn ball_above_a_rail() -> String {
    Mechanism::new("Above")
        .step(1e-3)
        .gravity(-10.0)
        .points("a = [0.0, 0.0], b = [6.0, 0.0], ball = [3.0, 0.5]")
        .member("rail", ["a", "b"], "rigid = true, mass = 2.0, inertia = 3.0")
        .pin("a")
        .spring("t", "to = 'a', direction = 'rotation', stiffness = 300.0")
        .mass("ball", 1.0)
        .joint("ball", "cylindrical = { slider = 'ball', path = ['rail'], ends = 'continue', contact = 'unilateral' }")
        .start("ball", "vx = 0.3")
        .outputs("points.ball.*")
        .text()
}

#[test]
fn a_flight_above_a_rail_that_moves_has_derivatives() {
    let names = ["gravity.y", "members.rail.mass", "initial.points.ball.vx"];
    let mut run = Derived::of(&ball_above_a_rail(), &names);
    run.run(0.2);
    let t = run.time();
    near(run.get("points.ball.y", 0), 0.5 * t * t, 1e-9);
    assert!(run.get("points.ball.y", 1).abs() < 1e-9);
    near(run.get("points.ball.x", 2), t, 1e-9);
}
