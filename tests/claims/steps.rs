//! Communication steps of any length and number.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::rig::{Rig, blueprint};
use crate::common::{self, tier};
use coulisse::fmu::{Call, Instance, Kind, Mode, Status};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// A guide that swings by 1 m, five times a second: its place tells the time.
fn clock() -> String {
    Mechanism::new("Clock")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [1.0, 0.0], free = [0.0, 1.0]")
        .member("guide", ["a", "b"], "elements = 1")
        .mass("free", 1.0)
        .support("guide", "member = 'guide', fix = ['y', 'rotation']")
        .motion("guide", "member = 'guide', direction = 'x', amplitude = 1.0")
        .and("history.sine = { frequency = 5.0 }")
        .outputs("motions.guide.position solver.*")
        .text()
}

const PLACE: &str = "motions.guide.position";

fn step(rig: &mut Rig, now: f64, length: f64) -> Status {
    rig.0.perform(Call::DoStep, |i| i.do_step(now, length))
}

fn read(rig: &mut Rig, kind: Kind, name: &str) -> f64 {
    let reference = rig.0.blueprint().interface().find(name);
    let reference = reference.unwrap_or_else(|| panic!("no variable {name}"));
    let mut value = f64::NAN;
    let get = |i: &mut Instance| i.get(kind, &[reference], |_, x| value = x);
    assert_eq!(rig.0.perform(Call::GetReal, get), Status::Ok, "{name}");
    value
}

/// From `start` on; the start time may be warned about.
fn started(text: &str, start: f64, stop: Option<f64>) -> Rig {
    let mut rig = Rig::new(&blueprint(text));
    let setup = |i: &mut Instance| i.setup_experiment(start, stop);
    let setup = rig.0.perform(Call::SetupExperiment, setup);
    assert!(setup <= Status::Warning);
    rig.enter();
    let exit = Instance::exit_initialization;
    assert_eq!(rig.0.perform(Call::ExitInitializationMode, exit), Status::Ok);
    rig
}

const H: f64 = 1e-3;

fn place(time: f64) -> f64 {
    (10.0 * std::f64::consts::PI * time).sin()
}

/// Slow: rounding shows in a sum of millions of steps only.
#[test]
fn ten_million_steps_of_a_host_that_adds_them_up_do_not_drift() {
    let mut clock = started(&clock(), 0.0, None);
    let mut now = 0.0;
    let count = tier::share(10_000_000_u32);
    for _ in 0..count {
        assert_eq!(step(&mut clock, now, H), Status::Ok);
        now += H;
        assert_eq!(clock.0.time().to_bits(), now.to_bits());
    }
    // The host's sum itself is off by more than a rounding; the guide is where the host thinks.
    assert_ne!(now, f64::from(count) * H);
    assert_eq!(read(&mut clock, Kind::Real, PLACE), place(now));
    let steps = read(&mut clock, Kind::Integer, "solver.steps");
    assert_eq!(steps, f64::from(count));
}

/// Slow: rounding shows in a sum of a million steps only.
#[test]
fn a_million_steps_of_a_host_that_counts_them_do_not_drift() {
    let start = 1000.0;
    let mut clock = started(&clock(), start, None);
    for i in 0..1_000_000 {
        let now = start + f64::from(i) * H;
        assert_eq!(step(&mut clock, now, H), Status::Ok);
        // One rounding of the host's sum, however many steps there were.
        let end = start + f64::from(i + 1) * H;
        assert!((clock.0.time() - end).abs() <= f64::EPSILON * end);
    }
    // 31.4 rad/s by a rounding of 2000 s.
    let error = read(&mut clock, Kind::Real, PLACE) - place(1000.0);
    assert!(error.abs() < 31.5 * 2000.0 * f64::EPSILON, "{error:e}");
}

#[test]
fn a_step_that_varies_in_its_last_bits_takes_the_same_substeps() {
    let mut clock = started(&clock(), 0.0, None);
    let mut now = 0.0;
    for i in 0..1000 {
        let length = 10.0 * H * (1.0 + f64::from(i % 7 - 3) * 1e-13);
        assert_eq!(step(&mut clock, now, length), Status::Ok);
        now += length;
        let steps = read(&mut clock, Kind::Integer, "solver.steps");
        assert_eq!(steps, 10.0 * f64::from(i + 1));
    }
}

/// A block on an incline of 35° without friction, 1 m from the upper end at the start.
fn frictionless() -> String {
    let text = common::bundled("incline");
    let friction = "friction.stribeck";
    let line = text.lines().find(|line| line.starts_with(friction));
    text.edit(line.expect("friction"), "").edit("\"joints.block.friction.stribeck.*\", ", "")
}

#[test]
fn a_block_falls_as_far_whatever_steps_the_host_takes() {
    let plan = blueprint(&frictionless());
    let acceleration = 9.81 * 35_f64.to_radians().sin();
    let mut runner = TestRunner::new(common::random_cases(40));
    // From a millionth of the solver's step to two hundred of them, in any order.
    let lengths = prop::collection::vec((-9.0..-0.7_f64).prop_map(|x| 10_f64.powf(x)), 1..40);
    let run = runner.run(&lengths, |lengths| {
        let (mut rig, _) = Rig::started(&plan, &[]);
        for length in lengths {
            let now = rig.0.time();
            prop_assert_eq!(step(&mut rig, now, length), Status::Ok);
        }
        let time = rig.0.time();
        let distance = read(&mut rig, Kind::Real, "joints.block.position");
        let speed = read(&mut rig, Kind::Real, "joints.block.velocity");
        // The method is exact for a constant acceleration; Newton stops at 1e-10 of 20 m.
        prop_assert!((speed - acceleration * time).abs() < 1e-8, "{speed}");
        let exact = 1.0 + 0.5 * acceleration * time * time;
        prop_assert!((distance - exact).abs() < 1e-8, "{distance} for {exact}");
        Ok(())
    });
    run.unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn steps_that_make_no_sense_are_refused_and_change_nothing() {
    let mut clock = started(&clock(), 1e6, Some(1e6 + 1.0));
    let before = clock.bits();
    for (now, length) in [
        (1e6, 0.0),
        (1e6, -H),
        (1e6, 1e-12), // vanishes compared with the time
        (1e6, f64::NAN),
        (1e6, f64::INFINITY),
        (1e6, 1e300),
        (1e6, 1.01),  // beyond the stop time
        (1e6 + H, H), // leaves a gap
        (0.0, H),
        (f64::NAN, H),
        (f64::NEG_INFINITY, H),
    ] {
        assert_eq!(step(&mut clock, now, length), Status::Error, "{now} {length}");
        assert_eq!((clock.0.mode(), clock.bits()), (Mode::StepComplete, before.clone()));
    }
    assert_eq!(step(&mut clock, 1e6, 1.0), Status::Ok);
    assert_eq!(step(&mut clock, 1e6 + 1.0, 0.01), Status::Error);
}

#[test]
fn more_substeps_than_a_host_can_mean_are_refused_at_once() {
    let mut clock = started(&clock(), 0.0, None);
    assert_eq!(step(&mut clock, 0.0, 1e9), Status::Error);
    assert_eq!(step(&mut clock, 0.0, H), Status::Ok);
}

#[test]
fn a_discarded_step_leaves_the_mass_where_it_was_at_the_last_successful_time() {
    // Free fall along 1 m takes 0.4515 s; the path ends in the middle of the second step.
    let mut mass = started(&common::text("tests/abi/leaves_its_path"), 100.0, None);
    assert_eq!(step(&mut mass, 100.0, 0.4), Status::Ok);
    assert_eq!(step(&mut mass, 100.4, 0.3), Status::Discard);
    assert_eq!((mass.0.mode(), mass.0.last_step()), (Mode::StepFailed, Status::Discard));
    assert!(mass.0.has_ended());
    let time = mass.0.time() - 100.0;
    let fall = (2.0_f64 / 9.81).sqrt();
    assert!((fall - 1e-3..fall).contains(&time), "{time}");
    let position = read(&mut mass, Kind::Real, "joints.mass.position");
    let velocity = read(&mut mass, Kind::Real, "joints.mass.velocity");
    // 1e-13 s of rounding beside 100 s; Newton stops at 1e-10.
    assert!((position - 0.5 * 9.81 * time * time).abs() < 1e-9, "{position}");
    assert!((velocity - 9.81 * time).abs() < 1e-8, "{velocity}");
}

#[test]
fn a_solver_that_gives_up_leaves_the_state_of_the_last_successful_time() {
    // Four iterations are enough for the first steps only.
    // Bars a thousand times less stiff than the paper's, and a Newton's method that goes on until rounding
    // is left: both runs below come to the same forces.
    let text = common::bundled("quick_return")
        .edit("47.04e15", "47.04e12")
        .edit("23.52e15", "23.52e12")
        .edit(
            "step = 1e-4",
            "step = 1e-4\nposition_tolerance = 1e-11\nmax_iterations = 4\nmax_halvings = 0",
        );
    let plan = blueprint(&text);
    let length = 0.01;
    let (mut rig, _) = Rig::started(&plan, &[]);
    let mut now = 0.0;
    while step(&mut rig, now, length) == Status::Ok {
        now += length;
        assert!(now < 1.6, "never gives up");
    }
    let last = rig.0.time();
    assert!(now < last && last < now + length, "{now} {last}");
    let (mut other, _) = Rig::started(&plan, &[]);
    let mut time = 0.0;
    while time < now {
        assert_eq!(step(&mut other, time, length), Status::Ok);
        time += length;
    }
    assert_eq!(step(&mut other, now, last - now), Status::Ok);
    for name in ["points.A.x", "joints.N.position", "joints.N.velocity", "joints.N.normal_force"] {
        // The substeps end at times that differ by rounding.
        let [a, b] = [&mut rig, &mut other].map(|rig| read(rig, Kind::Real, name));
        assert!((a - b).abs() < 1e-5 * (1.0 + a.abs()), "{name}: {a} {b}");
    }
}

/// Steps of the solver's own, then one of `share` of it; the forces before and after that one.
fn forces_around(model: &str, share: f64) -> Vec<[f64; 2]> {
    let plan = blueprint(&common::bundled(model));
    let length = plan.checked().solver.step;
    let variables = plan.interface().variables().iter();
    let forces: Vec<&str> =
        variables.map(|v| v.name.as_str()).filter(|name| name.ends_with("force")).collect();
    let (mut rig, _) = Rig::started(&plan, &[]);
    let mut now = 0.0;
    for _ in 0..200 {
        assert_eq!(step(&mut rig, now, length), Status::Ok);
        now = rig.0.time();
    }
    let all = |rig: &mut Rig| forces.iter().map(|f| read(rig, Kind::Real, f)).collect::<Vec<_>>();
    let before = all(&mut rig);
    assert_eq!(step(&mut rig, now, share * length), Status::Ok, "{model}");
    let after = all(&mut rig);
    before.into_iter().zip(after).map(|(a, b)| [a, b]).collect()
}

#[test]
fn a_rounding_remainder_of_a_step_changes_no_force() {
    for model in
        ["quick_return", "moving_mass_on_bridge", "rabinowicz", "incline", "incline_prismatic"]
    {
        // From a step that is solved for to less than a rounding of the solver's time. In a thousandth of a step the arm of the quick
        // return, which steps do not resolve, vibrates by more than the forces change.
        for (share, allowed) in [(1e-3, 2e-2), (1e-5, 1e-3), (1e-8, 1e-3), (1e-11, 1e-3)] {
            for [before, after] in forces_around(model, share) {
                let change = (after - before).abs();
                assert!(
                    change <= allowed * before.abs(),
                    "{model} {share:e}: {before} to {after} N"
                );
            }
        }
    }
}

#[test]
fn steps_that_are_all_far_shorter_than_the_solver_s_converge_to_the_same_motion() {
    let plan = blueprint(&common::bundled("quick_return"));
    let end: f64 = 0.02;
    let results = [1e-4, 1e-5, 2e-6].map(|length| {
        let (mut rig, _) = Rig::started(&plan, &[]);
        let steps = (end / length).round();
        let mut i = 0.0;
        while i < steps {
            assert_eq!(step(&mut rig, i * length, length), Status::Ok);
            i += 1.0;
        }
        let names = ["probes.tip_deflection", "joints.N.velocity", "joints.N.normal_force"];
        names.map(|name| read(&mut rig, Kind::Real, name))
    });
    // From the solver's step to a tenth of it more changes than from there to a fiftieth.
    for k in 0..3 {
        let [long, short, shorter] = results.map(|values| values[k]);
        assert!((shorter - short).abs() < (short - long).abs(), "{results:?}");
    }
}
