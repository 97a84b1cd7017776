//! Numbers of friction laws that change between steps: beside one plan, in place, checked as a file is.

mod jumps;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::common::edit::Edit;
use crate::common::rig::{Rig, Step, blueprint};
use crate::common::{self, check};
use coulisse::fmu::{Blueprint, Call, Category, Instance, Kind, Log, Sink, Status};
use coulisse::model::Model;

const STATIC: &str = "joints.block.friction.stribeck.static_coefficient";
const KINETIC: &str = "joints.block.friction.stribeck.kinetic_coefficient";
const FRICTION: &str = "joints.block.friction_force";

/// Bundled models with friction, and edges of bodies with friction, their laws' numbers for a host to tune.
fn tunable_models() -> Vec<String> {
    let names = ["rabinowicz", "incline", "incline_prismatic", "quick_return"];
    let mut models: Vec<String> = names.map(common::bundled).into();
    let open = |joint: &str| format!("[interface]\nparameters = [\"joints.{joint}.friction.*\"]");
    models.push(
        common::bundled("isolated_building_frame")
            .edit("{ coefficient = \"friction\" }", "{ coefficient = 0.06 }")
            .edit("[interface]", &open("foot_l")),
    );
    models.push(
        common::bundled("vehicle_on_bridge")
            .edit("static_coefficient = \"static_friction\"", "static_coefficient = 0.4")
            .edit("kinetic_coefficient = \"kinetic_friction\"", "kinetic_coefficient = 0.3")
            .edit("[interface]", &open("front")),
    );
    let edges = common::text("tests/models/edges_that_rub");
    for nodes in ["ends", "mean"] {
        models.push(edges.edit("nodes = \"all\"", &format!("nodes = \"{nodes}\"")));
    }
    models.push(edges);
    models
}

fn model(text: &str) -> Model {
    model_in("resources/models", text)
}

fn model_in(folder: &str, text: &str) -> Model {
    let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
    let data = |name: &str| std::fs::read_to_string(format!("{folder}/{name}"));
    Model::parse(text, "model.toml", &data).unwrap_or_else(|faults| panic!("{faults}"))
}

fn plan(model: Model) -> Arc<Blueprint> {
    Arc::new(Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}")))
}

/// The tunable parameters of a model with their values in the file.
fn tunable(plan: &Blueprint) -> Vec<(String, f64)> {
    let parameters = plan.checked().parameters.iter();
    let tunable = parameters.filter(|p| p.tunable.is_some());
    tunable.map(|p| (p.path.clone(), p.value)).collect()
}

fn step(rig: &mut Rig, length: f64) -> Status {
    let now = rig.0.time();
    rig.0.perform(Call::DoStep, |i| i.do_step(now, length))
}

fn write(rig: &mut Rig, path: &str, value: f64) {
    let reference = rig.0.blueprint().interface().find(path);
    let reference = [reference.unwrap_or_else(|| panic!("no {path}"))];
    let set = |i: &mut Instance| i.set(Kind::Real, &reference, |_| value);
    assert_eq!(rig.0.perform(Call::SetReal, set), Status::Ok, "{path}");
}

fn read(rig: &mut Rig, path: &str) -> f64 {
    let reference = rig.0.blueprint().interface().find(path);
    let reference = [reference.unwrap_or_else(|| panic!("no {path}"))];
    let mut value = f64::NAN;
    let get = |i: &mut Instance| i.get(Kind::Real, &reference, |_, x| value = x);
    assert_eq!(rig.0.perform(Call::GetReal, get), Status::Ok, "{path}");
    value
}

#[test]
fn tuning_shares_one_plan_in_every_bundled_model_with_friction() {
    for text in tunable_models() {
        let plan = plan(model(&text));
        let (mut rig, starts) = Rig::started(&plan, &[]);
        assert!(starts, "{text}");
        let length = plan.checked().solver.step;
        let built = Arc::clone(rig.0.mechanism().expect("a start").0);
        assert!(Arc::ptr_eq(&built, plan.built().expect("a mechanism")));
        let numbers = tunable(&plan);
        assert!(!numbers.is_empty(), "{}", plan.checked().name);
        for (path, value) in numbers {
            write(&mut rig, &path, value * (1.0 + 1e-9));
            assert_eq!(step(&mut rig, length), Status::Ok, "{path}");
            assert!(Arc::ptr_eq(&built, rig.0.mechanism().expect("a state").0), "{path}");
        }
    }
}

#[test]
fn numbers_set_beside_the_plan_act_like_numbers_in_the_file() {
    for text in tunable_models() {
        let original = plan(model(&text));
        // Upwards, in the order of the file: static coefficients stay above kinetic ones.
        let changed: Vec<(String, f64)> =
            (tunable(&original).into_iter()).map(|(path, value)| (path, 1.1 * value)).collect();
        let length = original.checked().solver.step;
        let steps = vec![Step { length, inputs: Vec::new() }; 4];
        let mut beside = Rig::new(&original);
        changed.iter().for_each(|(path, value)| write(&mut beside, path, *value));
        beside.enter();
        let exit = Instance::exit_initialization;
        assert_eq!(beside.0.perform(Call::ExitInitializationMode, exit), Status::Ok);

        let mut edited = model(&text);
        for (path, value) in &changed {
            edited = (edited.with_value(path, *value)).expect("a number of the file");
        }
        let (mut inside, starts) = Rig::started(&plan(edited), &[]);
        assert!(starts);
        assert!(inside.run(&steps) == beside.run(&steps), "{}", original.checked().name);
    }
}

#[test]
fn a_refused_tuning_says_what_the_file_check_says_and_changes_nothing() {
    let text = common::bundled("rabinowicz");
    let (mut rig, _) = Rig::started(&blueprint(&text), &[]);
    // What no number of a model may be is refused at once.
    let reference = rig.0.blueprint().interface().find(STATIC);
    let reference = [reference.expect("the coefficient")];
    let set = |i: &mut Instance| i.set(Kind::Real, &reference, |_| 1e51);
    assert_eq!(rig.0.perform(Call::SetReal, set), Status::Error);
    for (values, broken) in
        [([(STATIC, 0.2), (KINETIC, 0.5)], STATIC), ([(STATIC, 0.6), (KINETIC, -0.1)], KINETIC)]
    {
        assert_eq!(step(&mut rig, 0.01), Status::Ok);
        let before = rig.bits();
        values.iter().for_each(|(path, value)| write(&mut rig, path, *value));
        let now = rig.0.time();
        let refused = rig.0.do_step(now, 0.01).expect_err("a fault");
        let faults = check(&text, &values).expect_err("a fault");
        let written = |message: &str| message.split_once(": ").map(|(_, rest)| rest.to_owned());
        assert_eq!(written(&refused.message), written(&faults));
        assert!(refused.message.contains(broken), "{refused}");
        values.iter().for_each(|(path, _)| {
            let own = if *path == STATIC { 0.6 } else { 0.5 };
            write(&mut rig, path, own);
        });
        assert_eq!(rig.bits(), before);
    }
    assert_eq!(step(&mut rig, 0.01), Status::Ok);
}

#[test]
fn a_coefficient_with_which_a_slider_would_wedge_is_refused() {
    const COEFFICIENT: &str = "joints.drawer.friction.coulomb.coefficient";
    let text = common::text("tests/models/drawer")
        .edit("length = 0.4", "length = 0.4, height = 0.3")
        + "\nparameters = [\"joints.drawer.friction.*\"]\n";
    let (mut rig, _) = Rig::started(&blueprint(&text), &[]);
    assert_eq!(step(&mut rig, 0.01), Status::Ok);
    for (coefficient, wedges) in [(1.3, false), (1.4, true), (0.2, false)] {
        write(&mut rig, COEFFICIENT, coefficient);
        let now = rig.0.time();
        let refused = rig.0.do_step(now, 0.01).err();
        assert_eq!(refused.is_some(), wedges, "{coefficient}");
        if let Some(refused) = refused {
            assert!(refused.message.contains("wedges"), "{refused}");
        }
    }
}

#[test]
fn a_communication_step_without_end_is_refused_also_after_a_refused_tuning() {
    let (mut rig, _) = Rig::started(&blueprint(&common::bundled("rabinowicz")), &[]);
    write(&mut rig, STATIC, 0.1);
    assert_eq!(step(&mut rig, 0.01), Status::Error);
    write(&mut rig, STATIC, 0.6);
    let refused = rig.0.do_step(0.0, 1e300).expect_err("longer than a life");
    assert!(refused.message.contains("solver steps"), "{refused}");
    assert_eq!(step(&mut rig, 0.01), Status::Ok);
}

#[test]
fn a_state_with_numbers_that_do_not_fit_yet_comes_back_from_its_bytes() {
    let plan = blueprint(&common::bundled("rabinowicz"));
    let (mut rig, _) = Rig::started(&plan, &[]);
    let tuned = [(STATIC, 0.5), (KINETIC, 0.4)];
    tuned.iter().for_each(|(path, value)| write(&mut rig, path, *value));
    assert_eq!(step(&mut rig, 0.05), Status::Ok);
    write(&mut rig, STATIC, 0.2);
    let bytes = rig.save().to_bytes().expect("bytes");
    let mut other = Rig::new(&plan);
    other.restore_bytes(&bytes);
    assert_eq!(other.bits(), rig.bits());
    assert_eq!(step(&mut other, 0.05), Status::Error, "they still do not fit");
    for rig in [&mut rig, &mut other] {
        write(rig, KINETIC, 0.1);
        assert_eq!(step(rig, 0.05), Status::Ok);
    }
    assert_eq!(other.bits(), rig.bits());
}

#[test]
fn a_state_from_elsewhere_brings_its_own_numbers_to_a_shared_plan() {
    let plan = blueprint(&common::bundled("quick_return"));
    let fixed = (plan.checked().parameters.iter()).find(|p| p.tunable.is_none());
    let fixed = fixed.expect("a fixed parameter");
    let started = |tuned: bool| {
        let mut rig = Rig::new(&plan);
        write(&mut rig, &fixed.path, fixed.value * (1.0 + 1e-6));
        for (path, value) in tunable(&plan).iter().filter(|_| tuned) {
            write(&mut rig, path, 1.2 * value);
        }
        rig.enter();
        let exit = Instance::exit_initialization;
        assert_eq!(rig.0.perform(Call::ExitInitializationMode, exit), Status::Ok);
        assert_eq!(step(&mut rig, 1e-3), Status::Ok);
        rig
    };
    let (mut plain, mut tuned) = (started(false), started(true));
    let bytes = plain.save().to_bytes().expect("bytes");
    let built = Arc::clone(tuned.0.mechanism().expect("a state").0);
    tuned.restore_bytes(&bytes);
    assert!(Arc::ptr_eq(&built, tuned.0.mechanism().expect("a state").0));
    for rig in [&mut plain, &mut tuned] {
        assert_eq!(step(rig, 1e-3), Status::Ok);
    }
    assert_eq!(plain.bits(), tuned.bits());
}

#[test]
fn the_derivative_of_the_last_step_stays_while_numbers_are_tuned() {
    let (mut rig, _) = Rig::started(&blueprint(&common::bundled("rabinowicz")), &[]);
    while rig.0.time() < 26.0 - 1e-9 {
        assert_eq!(step(&mut rig, 0.05), Status::Ok);
    }
    let find = |name: &str| rig.0.blueprint().interface().find(name).expect("a variable");
    let (friction, kinetic) = (find(FRICTION), find(KINETIC));
    let derivative = |rig: &mut Rig| {
        let mut by = f64::NAN;
        (rig.0)
            .directional_derivative(&[friction], &[kinetic], |_| 1.0, |_, x| by = x)
            .expect("a derivative");
        by
    };
    let before = derivative(&mut rig);
    write(&mut rig, STATIC, 0.5);
    write(&mut rig, KINETIC, 0.3);
    assert_eq!(derivative(&mut rig), before);
    assert!(before.abs() > 1.0, "{before} N");
}

#[test]
fn calculated_parameters_follow_what_is_tuned_at_once() {
    let equivalent = "equivalent = { amplitude = 0.01, frequency = 1.0, normal_force = 100.0 }";
    let text = common::bundled("rabinowicz")
        .edit("ends = \"continue\" }", &format!("ends = \"continue\" }}\n{equivalent}"));
    let (mut rig, _) = Rig::started(&blueprint(&text), &[]);
    assert_eq!(step(&mut rig, 0.05), Status::Ok);
    let friction = read(&mut rig, FRICTION);
    for coefficient in [0.3, 0.45] {
        write(&mut rig, STATIC, coefficient);
        write(&mut rig, KINETIC, coefficient);
        // Coulomb friction: b = 4 μ F_N/(π a ω) (Půst et al. 2011, Eq. 23 in its limit).
        let speed = 0.01 * std::f64::consts::TAU;
        let damping = 4.0 * coefficient * 100.0 / (std::f64::consts::PI * speed);
        let found = read(&mut rig, "joints.block.equivalent.damping");
        assert!((found / damping - 1.0).abs() < 1e-6, "{found} {damping} N·s/m");
        assert_eq!(read(&mut rig, FRICTION), friction, "before the next step");
    }
}

/// A parameter of any kind below the least that the description states: at the latest the end of initialization refuses it, by its name.
///
/// Slow: it initializes the largest model once for each of its parameters.
#[test]
fn parameters_out_of_their_range_are_refused_with_name_value_and_range() {
    let mut plans: Vec<Arc<Blueprint>> = tunable_models().iter().map(|m| plan(model(m))).collect();
    let text = common::text("tests/models/everything");
    plans.push(plan(model_in("tests/models", &text)));
    let mut count = 0;
    for plan in plans {
        let variables = plan.interface().variables().iter().zip(0_u32..);
        for (variable, reference) in variables.filter(|(v, _)| v.is_parameter()) {
            let [Some(least), _] = variable.range else { continue };
            // Below -1e50 is no number of a model.
            let value = (least - 1.0).min(2.0 * least).max(-2e50);
            let said: Rc<RefCell<String>> = Rc::default();
            let log = Log::new(Box::new(Ear(Rc::clone(&said))), false);
            let mut instance = Instance::new(Arc::clone(&plan), log);
            let (call, kind) = match variable.kind.called() {
                Kind::Integer => (Call::SetInteger, Kind::Integer),
                kind => (Call::SetReal, kind),
            };
            let set = instance.perform(call, |i| i.set(kind, &[reference], |_| value));
            let enter =
                instance.perform(Call::EnterInitializationMode, Instance::enter_initialization);
            let exit =
                instance.perform(Call::ExitInitializationMode, Instance::exit_initialization);
            let (name, said) = (&variable.name, said.borrow());
            assert_eq!(set.max(enter).max(exit), Status::Error, "{name} = {value}");
            assert!(said.contains(name.as_str()) && said.contains("allowed: "), "{name}: {said}");
            count += 1;
        }
    }
    assert!(count > 100, "{count} parameters");
}

/// The log messages that a host gets.
struct Ear(Rc<RefCell<String>>);

impl Sink for Ear {
    fn message(&self, _: Status, _: Category, text: &str) {
        self.0.borrow_mut().push_str(text);
    }
}
