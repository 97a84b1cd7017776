//! Derivatives of an instance: of outputs by inputs and parameters, of inputs and outputs by time;
//! and parameters that change between steps.

use crate::common;
use crate::common::edit::Edit;
use crate::common::rig::{Rig, blueprint};
use coulisse::fmu::{Call, Instance, Kind, Refusal, Status};

const VELOCITY: &str = "motions.belt.velocity";
const LOAD: &str = "loads.normal.fy";
const STATIC: &str = "joints.block.friction.stribeck.static_coefficient";
const KINETIC: &str = "joints.block.friction.stribeck.kinetic_coefficient";
const POSITION: &str = "points.block.x";
const SPEED: &str = "points.block.vx";
const FRICTION: &str = "joints.block.friction_force";
const NORMAL_FORCE: &str = "joints.block.normal_force";

/// The bundled belt with a tolerance of Newton's method at which differences are worth something.
fn belt() -> String {
    let tolerances = "\nposition_tolerance = 1e-15\nforce_tolerance = 1e-13\nstep = ";
    common::bundled("rabinowicz").edit("\nstep = ", tolerances)
}

fn started(text: &str) -> Rig {
    let (rig, starts) = Rig::started(&blueprint(text), &[]);
    assert!(starts);
    rig
}

fn references(rig: &Rig, names: &[&str]) -> Vec<u32> {
    let interface = rig.0.blueprint().interface();
    let find = |name: &&str| interface.find(name).unwrap_or_else(|| panic!("no {name}"));
    names.iter().map(find).collect()
}

fn read(rig: &mut Rig, name: &str) -> f64 {
    let reference = references(rig, &[name]);
    let mut value = f64::NAN;
    let get = |i: &mut Instance| i.get(Kind::Real, &reference, |_, x| value = x);
    assert_eq!(rig.0.perform(Call::GetReal, get), Status::Ok, "{name}");
    value
}

fn sticks(rig: &mut Rig) -> bool {
    let reference = references(rig, &["joints.block.sticking"]);
    let mut value = f64::NAN;
    let get = |i: &mut Instance| i.get(Kind::Boolean, &reference, |_, x| value = x);
    assert_eq!(rig.0.perform(Call::GetBoolean, get), Status::Ok);
    value != 0.0
}

fn step(rig: &mut Rig, length: f64) {
    let now = rig.0.time();
    let status = rig.0.perform(Call::DoStep, |i| i.do_step(now, length));
    assert_eq!(status, Status::Ok, "at {now} s");
}

fn derivative(rig: &mut Rig, unknown: &str, known: &str) -> Result<f64, Refusal> {
    let (unknown, known) = (references(rig, &[unknown]), references(rig, &[known]));
    let mut found = f64::NAN;
    rig.0.directional_derivative(&unknown, &known, |_| 1.0, |_, x| found = x)?;
    Ok(found)
}

#[test]
fn over_a_step_they_are_those_of_central_differences_of_the_step() {
    let mut rig = started(&belt());
    let h = 0.02;
    for (until, sticking) in [(10.0, true), (26.0, false), (30.0, true)] {
        while rig.0.time() < until - 1e-9 {
            step(&mut rig, 0.05);
        }
        let here = rig.save();
        step(&mut rig, h);
        assert_eq!(sticks(&mut rig), sticking, "t = {until} s");
        let there = rig.save();
        let mut sure = 0;
        for (known, size) in [
            // Small enough that the jump of the belt does not tear the block off.
            (VELOCITY, 1e-5),
            (LOAD, 2.0),
            (KINETIC, 0.05),
            (STATIC, 0.05),
        ] {
            let before = match known {
                STATIC => 0.6,
                KINETIC => 0.5,
                _ => read(&mut rig, known),
            };
            let moved = |rig: &mut Rig, e: f64, unknown: &str| {
                rig.restore(&here);
                rig.set(&[(known, before + e)]);
                step(rig, h);
                read(rig, unknown)
            };
            for unknown in [POSITION, SPEED, FRICTION, NORMAL_FORCE] {
                rig.restore(&there);
                let exact = derivative(&mut rig, unknown, known).expect("a derivative");
                // Richardson's extrapolation of two central differences.
                let mut central = |e: f64| {
                    (moved(&mut rig, e, unknown) - moved(&mut rig, -e, unknown)) / (2.0 * e)
                };
                let (coarse, fine) = (central(size), central(0.5 * size));
                let difference = (4.0 * fine - coarse) / 3.0;
                // A rounding error of s, in a mechanism of 1 km, times m/Δt² is a friction force, over Δt a velocity.
                let noise = match unknown {
                    FRICTION => 4e-4,
                    SPEED => 5e-10,
                    _ => 1e-12,
                } / size;
                assert!(
                    (exact - difference).abs() <= 1e-6 * exact.abs() + noise,
                    "∂{unknown}/∂{known} at {until} s: {exact:e}, by differences {difference:e}"
                );
                sure += usize::from(exact.abs() > 1e3 * noise);
            }
            rig.restore(&there);
        }
        assert!(sure >= 3, "{sure} at {until} s");
    }
}

#[test]
fn asking_for_them_changes_nothing() {
    let (mut asked, mut silent) = (started(&belt()), started(&belt()));
    let mut answers = 0;
    for _ in 0..600 {
        step(&mut asked, 0.05);
        step(&mut silent, 0.05);
        // None where it begins to stick or to slide.
        answers += usize::from(derivative(&mut asked, SPEED, VELOCITY).is_ok());
        assert_eq!(asked.bits(), silent.bits());
    }
    assert!((590..600).contains(&answers), "{answers}");
}

#[test]
fn before_the_first_step_they_are_those_of_the_start() {
    // N = −fy, and friction carries the block along, so that it feels no spring yet.
    let mut rig = Rig::new(&blueprint(&belt()));
    rig.enter();
    for _ in 0..2 {
        let by_load = derivative(&mut rig, NORMAL_FORCE, LOAD).expect("a derivative");
        assert!((by_load + 1.0).abs() < 1e-9, "{by_load}");
        let by_law = derivative(&mut rig, NORMAL_FORCE, KINETIC).expect("a derivative");
        assert_eq!(by_law, 0.0);
        let by_itself = derivative(&mut rig, "joints.block.velocity", VELOCITY);
        // ds/dt is that of the block relative to the belt.
        assert!((by_itself.expect("a derivative") + 1.0).abs() < 1e-9);
        // Once more between initialization and the first step.
        let exit = |i: &mut Instance| i.exit_initialization();
        rig.0.perform(Call::ExitInitializationMode, exit);
    }
}

#[test]
fn of_a_start_by_any_parameter_of_the_file() {
    // N = m g cos α.
    let mut rig = Rig::new(&blueprint(&common::bundled("incline")));
    rig.enter();
    let (weight, angle) = (2.0 * 9.81, 35_f64.to_radians());
    for (known, exact) in
        [("parameters.angle", -weight * angle.sin()), ("gravity.y", -2.0 * angle.cos())]
    {
        let found = derivative(&mut rig, NORMAL_FORCE, known).expect("a derivative");
        assert!(
            // Rounding of the place over the short step of a start is 10 nN, differences are over 4 mrad.
            (found - exact).abs() < 1e-6 * exact.abs(),
            "{known}: {found} {exact}"
        );
    }
}

#[test]
fn a_wrong_question_is_refused_and_says_what_is_allowed() {
    let mut rig = started(&belt());
    step(&mut rig, 0.05);
    let message = |refused: Result<f64, Refusal>| refused.expect_err("refused").message;
    assert_eq!(
        message(derivative(&mut rig, VELOCITY, VELOCITY)),
        "motions.belt.velocity is no unknown; allowed: outputs of type Real"
    );
    assert_eq!(
        message(derivative(&mut rig, SPEED, SPEED)),
        "points.block.vx is no known; allowed: inputs and parameters"
    );
    assert_eq!(
        message(derivative(&mut rig, SPEED, "joints.block.sticking")),
        "joints.block.sticking (value reference 14) is of type Boolean, not Real; \
         call fmi2GetBoolean or fmi2SetBoolean"
    );
    let text = belt().edit("parameters = [", "parameters = [\"masses.block.mass\", ");
    let mut rig = started(&text);
    step(&mut rig, 0.05);
    assert_eq!(
        message(derivative(&mut rig, SPEED, "masses.block.mass")),
        "masses.block.mass is a fixed parameter, and a communication step has been taken; \
         allowed: inputs and tunable parameters"
    );
}

/// Sets the derivative of an input.
fn tell(rig: &mut Rig, name: &str, order: i32, value: f64) -> Status {
    let reference = references(rig, &[name]);
    rig.0.perform(Call::SetRealInputDerivatives, |i| {
        i.set_input_derivatives(&reference, |_| order, |_| value)
    })
}

#[test]
fn an_input_runs_on_the_polynomial_that_the_host_told() {
    let mut rig = started(&belt());
    // The block sticks on a belt with v = 0.5 + 0.2 τ − 0.3 τ².
    assert_eq!(tell(&mut rig, VELOCITY, 1, 0.2), Status::Ok);
    assert_eq!(tell(&mut rig, VELOCITY, 2, -0.6), Status::Ok);
    step(&mut rig, 0.5);
    assert!(sticks(&mut rig));
    let way = 0.5 * 0.5 + 0.1 * 0.25 - 0.1 * 0.125;
    let found = read(&mut rig, POSITION);
    assert!((found - way).abs() < 1e-4, "{found} {way}");
    // Told for one step: the next one holds the value again.
    let here = read(&mut rig, POSITION);
    step(&mut rig, 0.5);
    let found = read(&mut rig, POSITION) - here;
    assert!((found - 0.25).abs() < 1e-4, "{found}");
    for (name, order, value) in [
        (VELOCITY, 0, 1.0),
        (VELOCITY, 3, 1.0),
        (SPEED, 1, 1.0),
        (KINETIC, 1, 1.0),
        (VELOCITY, 1, f64::NAN),
        (VELOCITY, 2, f64::INFINITY),
    ] {
        assert_eq!(tell(&mut rig, name, order, value), Status::Error, "{name}");
    }
}

#[test]
fn derivatives_told_before_the_start_hold_for_the_first_step() {
    let positions = [false, true].map(|early| {
        let mut rig = Rig::new(&blueprint(&belt()));
        if early {
            assert_eq!(tell(&mut rig, VELOCITY, 1, 0.2), Status::Ok);
        }
        rig.enter();
        rig.0.perform(Call::ExitInitializationMode, |i| i.exit_initialization());
        if !early {
            assert_eq!(tell(&mut rig, VELOCITY, 1, 0.2), Status::Ok);
        }
        step(&mut rig, 0.5);
        read(&mut rig, POSITION)
    });
    assert_eq!(positions[0], positions[1]);
    assert!((positions[0] - 0.275).abs() < 1e-4, "{}", positions[0]);
}

fn rate(rig: &mut Rig, name: &str, order: i32) -> Result<f64, Refusal> {
    let reference = references(rig, &[name]);
    let mut value = f64::NAN;
    rig.0.output_derivatives(&reference, |_| order, |_, x| value = x)?;
    Ok(value)
}

#[test]
fn time_derivatives_of_outputs_are_the_slopes_of_their_course() {
    let mut rig = started(&belt());
    let h = 1e-3;
    // Sliding freely, on the way back.
    while rig.0.time() < 26.0 - 1e-9 {
        step(&mut rig, h);
    }
    let mut course = Vec::new();
    for _ in 0..3 {
        let position = read(&mut rig, POSITION);
        let slopes = [1, 2].map(|order| rate(&mut rig, POSITION, order).expect("known"));
        course.push((position, slopes, rate(&mut rig, SPEED, 1).expect("known")));
        step(&mut rig, h);
    }
    let slope = (course[2].0 - course[0].0) / (2.0 * h);
    let bend = (course[2].0 - 2.0 * course[1].0 + course[0].0) / (h * h);
    let [first, second] = course[1].1;
    assert!((first - slope).abs() < 1e-6 * slope.abs(), "{first} {slope}");
    assert!((second - bend).abs() < 1e-4 * bend.abs(), "{second} {bend}");
    assert_eq!(second, course[1].2, "the first of the velocity");
    // What the state does not hold is the slope of the last step.
    let before = read(&mut rig, FRICTION);
    step(&mut rig, h);
    let slope = (read(&mut rig, FRICTION) - before) / h;
    assert_eq!(rate(&mut rig, FRICTION, 1).expect("known"), slope);
    assert_eq!(rate(&mut rig, FRICTION, 2).expect("known"), 0.0);
    assert!(rate(&mut rig, SPEED, 2).expect("known") != 0.0);
    assert!(rate(&mut rig, POSITION, 3).is_err());
}

#[test]
fn friction_can_be_tuned_between_two_steps() {
    let mut rig = started(&belt());
    while rig.0.time() < 26.0 - 1e-9 {
        step(&mut rig, 0.05);
    }
    let ratio = |rig: &mut Rig| read(rig, FRICTION) / read(rig, NORMAL_FORCE);
    assert!((ratio(&mut rig).abs() - 0.5).abs() < 1e-3);
    let position = read(&mut rig, POSITION);
    rig.set(&[(KINETIC, 0.3), (STATIC, 0.3)]);
    assert_eq!(read(&mut rig, POSITION), position, "nothing moves by it");
    step(&mut rig, 0.05);
    assert!((ratio(&mut rig).abs() - 0.3).abs() < 1e-12);
    // What does not fit together is told by the next call that needs it, and can be mended.
    rig.set(&[(KINETIC, 0.4)]);
    let now = rig.0.time();
    let status = rig.0.perform(Call::DoStep, |i| i.do_step(now, 0.05));
    assert_eq!(status, Status::Error);
    rig.set(&[(STATIC, 0.4)]);
    step(&mut rig, 0.05);
    assert!((ratio(&mut rig).abs() - 0.4).abs() < 1e-12);
}
