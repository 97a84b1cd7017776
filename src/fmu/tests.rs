//! The life of an instance, on the belt of `tests/abi` and a mass that leaves its guide.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::interface::Kind;
use super::mode::{Call, Mode};
use super::report::{Category, Log, Sink, Status};
use super::{Blueprint, Instance};
use crate::model::Model;

const STEP: f64 = 1e-2;
const VELOCITY: &str = "joints.block.velocity";
const NORMAL_FORCE: &str = "joints.block.normal_force";
const STATIC: &str = "joints.block.friction.stribeck.static_coefficient";
const LOAD: &str = "loads.normal.fy";
const WEIGHT: &str = "parameters.weight";

type Lines = Rc<RefCell<Vec<String>>>;

struct List(Lines);

impl Sink for List {
    fn message(&self, status: Status, _: Category, text: &str) {
        self.0.borrow_mut().push(format!("{status:?} {text}"));
    }
}

fn instance(model: &str) -> (Instance, Lines) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi");
    let model = Model::load(&file.join(model)).expect("the test's model is right");
    let blueprint = Arc::new(Blueprint::of(model).expect("the test's model is right"));
    let lines = Lines::default();
    let log = Log::new(Box::new(List(Rc::clone(&lines))), false);
    (Instance::new(blueprint, log), lines)
}

fn reference(instance: &Instance, name: &str) -> u32 {
    let found = instance.blueprint().interface().find(name);
    found.unwrap_or_else(|| panic!("no variable {name}"))
}

fn read(instance: &mut Instance, name: &str) -> f64 {
    let reference = [reference(instance, name)];
    let mut value = f64::NAN;
    let status =
        instance.perform(Call::GetReal, |i| i.get(Kind::Real, &reference, |_, x| value = x));
    assert_eq!(status, Status::Ok, "{name}");
    value
}

fn write(instance: &mut Instance, name: &str, value: f64) -> Status {
    let reference = [reference(instance, name)];
    instance.perform(Call::SetReal, |i| i.set(Kind::Real, &reference, |_| value))
}

fn enter(instance: &mut Instance) {
    let status = instance.perform(Call::EnterInitializationMode, Instance::enter_initialization);
    assert_eq!(status, Status::Ok);
}

fn initialize(instance: &mut Instance) -> Status {
    enter(instance);
    instance.perform(Call::ExitInitializationMode, Instance::exit_initialization)
}

fn step(instance: &mut Instance) -> Status {
    let now = instance.time();
    instance.perform(Call::DoStep, |i| i.do_step(now, STEP))
}

#[test]
fn outputs_of_the_start_follow_the_inputs_set_so_far() {
    let (mut belt, _) = instance("belt.toml");
    enter(&mut belt);
    let light = read(&mut belt, NORMAL_FORCE);
    assert_eq!(write(&mut belt, LOAD, -40.0), Status::Ok);
    assert_eq!(read(&mut belt, LOAD), -40.0);
    let heavy = read(&mut belt, NORMAL_FORCE);
    // Nothing but the load presses the block on the belt; Newton's force tolerance is 1e-8.
    assert!((light - 20.0).abs() < 1e-6 && (heavy - 40.0).abs() < 1e-6);
}

#[test]
fn an_input_keeps_its_start_whatever_parameters_are_set() {
    let (mut belt, _) = instance("belt.toml");
    assert_eq!(write(&mut belt, WEIGHT, 30.0), Status::Ok);
    enter(&mut belt);
    assert_eq!(read(&mut belt, LOAD), -20.0);
    assert!((read(&mut belt, NORMAL_FORCE) - 20.0).abs() < 1e-6);
    assert_eq!(write(&mut belt, LOAD, -50.0), Status::Ok);
    assert_eq!(write(&mut belt, WEIGHT, 35.0), Status::Ok);
    assert_eq!(read(&mut belt, LOAD), -50.0);
}

#[test]
fn an_element_that_is_bent_too_far_is_warned_about_once() {
    let (mut beam, lines) = instance("../questions/element_bent_in_a_run.toml");
    let all =
        beam.perform(Call::SetDebugLogging, |i| i.set_debug_logging(true, &["logStatusWarning"]));
    assert_eq!((all, initialize(&mut beam)), (Status::Ok, Status::Ok));
    while beam.time() < 1.0 - 0.5 * STEP {
        assert_eq!(step(&mut beam), Status::Ok);
    }
    let reported = lines.borrow();
    let [only] = &reported[..] else {
        panic!("{reported:?}");
    };
    // The moment M bends a straight beam to an arc of M L/(E I), 1.83 rad at the end; 1.5 rad are 0.82 of it, which the ramp has at 0.691 s.
    let when = "turns by 86.1° from end to end at t = 0.7 s";
    assert!(only.contains("members.beam: an element of order 3") && only.contains(when), "{only}");
}

#[test]
fn inputs_act_on_the_next_step() {
    let (mut belt, _) = instance("belt.toml");
    assert_eq!(initialize(&mut belt), Status::Ok);
    assert_eq!(step(&mut belt), Status::Ok);
    assert_eq!(write(&mut belt, LOAD, -50.0), Status::Ok);
    assert!((read(&mut belt, NORMAL_FORCE) - 20.0).abs() < 1e-6);
    assert_eq!(step(&mut belt), Status::Ok);
    assert!((read(&mut belt, NORMAL_FORCE) - 50.0).abs() < 1e-6);
}

#[test]
fn a_parameter_rebuilds_the_mechanism_until_initialization_ends() {
    let (mut belt, lines) = instance("belt.toml");
    assert_eq!(write(&mut belt, WEIGHT, 25.0), Status::Ok);
    assert_eq!(initialize(&mut belt), Status::Ok);
    assert_eq!(read(&mut belt, WEIGHT), 25.0);
    assert_eq!(write(&mut belt, WEIGHT, 30.0), Status::Error);
    assert_eq!(read(&mut belt, WEIGHT), 25.0);
    assert!(lines.borrow()[0].contains(&format!("{WEIGHT} is a fixed parameter")));
}

#[test]
fn parameters_that_do_not_fit_each_other_stop_the_start_and_reset_heals() {
    let (mut belt, lines) = instance("belt.toml");
    assert_eq!(write(&mut belt, STATIC, 0.1), Status::Ok);
    assert_eq!(initialize(&mut belt), Status::Error);
    assert_eq!(belt.mode(), Mode::Error);
    assert_eq!(step(&mut belt), Status::Error);
    assert!(lines.borrow()[1].contains("what had happened"));
    assert_eq!(belt.perform(Call::Reset, Instance::reset), Status::Ok);
    assert_eq!(initialize(&mut belt), Status::Ok);
    assert_eq!(read(&mut belt, STATIC), 0.6);
}

#[test]
fn one_wrong_value_among_several_sets_none() {
    let (mut belt, _) = instance("belt.toml");
    let both = [reference(&belt, LOAD), reference(&belt, STATIC)];
    let status =
        belt.perform(Call::SetReal, |i| i.set(Kind::Real, &both, |k| [-99.0, f64::NAN][k]));
    assert_eq!(status, Status::Error);
    enter(&mut belt);
    assert_eq!(read(&mut belt, LOAD), -20.0);
}

#[test]
fn a_copy_of_the_memory_is_a_snapshot_to_the_last_bit() {
    let (mut belt, _) = instance("belt.toml");
    assert_eq!(initialize(&mut belt), Status::Ok);
    for _ in 0..3 {
        assert_eq!(step(&mut belt), Status::Ok);
    }
    let snapshot = belt.memory.clone();
    assert_eq!(step(&mut belt), Status::Ok);
    let after = belt.memory.clone();
    belt.memory = snapshot;
    // Scratch space may hold anything, or nothing.
    belt.stepper = None;
    assert_eq!(step(&mut belt), Status::Ok);
    assert_eq!(belt.memory.state, after.state);
    assert_eq!(belt.time().to_bits(), after.time.to_bits());
}

#[test]
fn the_next_step_begins_where_the_last_one_ended() {
    let (mut belt, _) = instance("belt.toml");
    assert_eq!(initialize(&mut belt), Status::Ok);
    assert_eq!(step(&mut belt), Status::Ok);
    // A host that adds up its steps is off by rounding, not more.
    let rounded = STEP * (1.0 + 1e-12);
    let at = |belt: &mut Instance, t| belt.perform(Call::DoStep, |i| i.do_step(t, STEP));
    assert_eq!(at(&mut belt, rounded), Status::Ok);
    assert_eq!(at(&mut belt, STEP), Status::Error);
    assert_eq!(at(&mut belt, 3.0 * STEP), Status::Error);
    assert_eq!(at(&mut belt, 2.0 * STEP), Status::Ok);
}

#[test]
fn the_stop_time_is_a_promise_with_room_for_rounding() {
    let (mut belt, _) = instance("belt.toml");
    let stop = 3.0 * STEP * (1.0 - 1e-12);
    let status = belt.perform(Call::SetupExperiment, |i| i.setup_experiment(0.0, Some(stop)));
    assert_eq!(status, Status::Ok);
    assert_eq!(initialize(&mut belt), Status::Ok);
    for _ in 0..3 {
        assert_eq!(step(&mut belt), Status::Ok);
    }
    assert_eq!(step(&mut belt), Status::Error);
    assert_eq!(belt.mode(), Mode::StepComplete);
}

#[test]
fn an_infinite_stop_time_is_none() {
    for (stop, expected) in
        [(f64::INFINITY, Status::Ok), (f64::NEG_INFINITY, Status::Error), (f64::NAN, Status::Error)]
    {
        let (mut belt, _) = instance("belt.toml");
        let status = belt.perform(Call::SetupExperiment, |i| i.setup_experiment(0.0, Some(stop)));
        assert_eq!(status, expected, "{stop}");
    }
}

#[test]
fn a_mass_that_leaves_its_path_discards_the_step_and_keeps_what_was_reached() {
    let (mut mass, lines) = instance("leaves_its_path.toml");
    assert_eq!(initialize(&mut mass), Status::Ok);
    let mut status = Status::Ok;
    while status == Status::Ok {
        status = step(&mut mass);
    }
    assert_eq!(status, Status::Discard);
    assert_eq!(mass.mode(), Mode::StepFailed);
    // Free fall along 1 m takes sqrt(2/g); the solver's step is 1 ms.
    let fall = (2.0_f64 / 9.81).sqrt();
    assert!((mass.time() - fall).abs() < 2e-3, "{}", mass.time());
    assert!(lines.borrow()[0].contains("last successful time"));
    assert_eq!(step(&mut mass), Status::Error);
    assert!(lines.borrow()[1].contains("last successful time"));
}

#[test]
fn a_panic_is_an_error_that_only_reset_heals() {
    let (mut belt, lines) = instance("belt.toml");
    let status = belt.perform(Call::Reset, |_| -> Result<(), _> { panic!("index 7") });
    assert_eq!(status, Status::Error);
    assert!(lines.borrow()[0].contains("a defect of coulisse, not of the model: index 7"));
    assert_eq!(belt.mode(), Mode::Error);
    assert_eq!(belt.perform(Call::Reset, Instance::reset), Status::Ok);
    assert_eq!(initialize(&mut belt), Status::Ok);
    assert!(read(&mut belt, VELOCITY).is_finite());
}
