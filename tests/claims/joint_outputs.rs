//! What a sliding joint tells of itself: regime, friction power and work, transitions.

use crate::common::edit::Edit;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::common::{Simulation, bundled};
use coulisse::fmu::{Blueprint, Call, Category, Instance, Kind, Log, Sink, Status};
use coulisse::joints::regime::{End, Regime, Sense};
use coulisse::model::Model;

fn regime(sim: &Simulation, joint: &str) -> Regime {
    let number = sim.get(&format!("joints.{joint}.regime"));
    let found = Regime::KINDS.into_iter().find(|r| r.number() == number);
    found.unwrap_or_else(|| panic!("{number} is no regime"))
}

fn set_valued(model: &str, velocity: &str) -> String {
    let key = format!("decay_velocity = {velocity}");
    bundled(model).edit(&key, &format!("{key}, transition = \"set_valued\""))
}

#[test]
fn a_block_that_slides_down_turns_its_potential_energy_into_friction_until_the_stop_holds_it() {
    let mut sim = Simulation::bundled("incline", &[]);
    let weight = 2.0 * 9.81;
    let (sin, cos) = (35_f64.to_radians().sin(), 35_f64.to_radians().cos());
    let start = sim.get("joints.block.position");
    let mut seen = Vec::new();
    sim.run(4.5, 1e-2, |sim| {
        let of = |key: &str| sim.get(&format!("joints.block.{key}"));
        let now = regime(sim, "block");
        if seen.last() != Some(&now) {
            seen.push(now);
        }
        let product = of("friction_force") * of("velocity");
        assert!((of("friction_power") - product).abs() <= 1e-14 * product.abs());
        let slid = of("position") - start;
        if now == Regime::Slip(Sense::Forward) && slid > 0.1 {
            let exact = 0.4 * weight * cos * slid;
            let taken = of("dissipated_energy");
            assert!((taken / exact - 1.0).abs() < 5e-3, "{taken} {exact}");
            let power = 0.4 * weight * cos * of("velocity");
            assert!((of("friction_power") / power - 1.0).abs() < 1e-3);
            assert!(taken < weight * sin * slid);
        }
    });
    assert_eq!(seen, [Regime::Slip(Sense::Forward), Regime::AtStop(End::Last)]);
    assert_eq!(sim.get("joints.block.transitions"), 0.0);
    assert_eq!(sim.get("joints.block.friction_power"), 0.0);
}

#[test]
fn what_stands_still_sticks_whichever_way_it_is_pulled_and_slides_the_way_it_is_pushed() {
    for (angle, speed, expected) in [
        (0.5, 0.0, Regime::Stick),
        (0.5, 1.0, Regime::Slip(Sense::Forward)),
        (0.5, -1.0, Regime::Slip(Sense::Backward)),
    ] {
        for transition in ["set_valued", "siqueira_coda_2023"] {
            let text = bundled("incline").edit(
                "decay_velocity = 1e-3",
                &format!("decay_velocity = 1e-3, transition = \"{transition}\""),
            );
            let velocity = format!("[initial.points.block]\nvx = {speed:?}\n[interface]");
            let text = text.edit("[interface]", &velocity);
            let mut sim = Simulation::with(&text, &[("parameters.angle", angle)]);
            assert_eq!(regime(&sim, "block"), expected, "{transition} at the start");
            sim.run(0.02, 1e-2, |_| ());
            assert_eq!(regime(&sim, "block"), expected, "{transition}");
        }
    }
}

#[test]
fn rabinowicz_block_changes_as_often_and_when_the_event_driven_solution_does() {
    let mut sim = Simulation::of(&set_valued("rabinowicz", "0.05"));
    let (mut count, mut times) = (0.0, Vec::new());
    assert_eq!(sim.get("joints.block.transition_time"), 0.0);
    // Coarse: the instants are those inside the steps all the same.
    sim.run(80.0, 0.25, |sim| {
        let now = sim.get("joints.block.transitions");
        if now != count {
            assert_eq!(now, count + 1.0);
            times.push(sim.get("joints.block.transition_time"));
        }
        count = now;
    });
    assert_eq!(times.len(), 9, "{times:?}");
    for (i, t) in times.iter().enumerate() {
        let first = [23.14083, 28.63591][i % 2];
        let exact = first + 13.34431 * (i / 2) as f64;
        assert!((t - exact).abs() < 2e-4, "{t} {exact}");
    }
}

#[test]
fn what_the_joints_dissipate_is_the_friction_work_of_the_energy_balance() {
    // Friction in the arm's slider as well, and its power integrated on its own.
    let law = "friction.stribeck = { static_coefficient = 0.35, kinetic_coefficient = 0.30, decay_velocity = 0.10 }";
    let text = bundled("quick_return");
    let slider = text.find("[joints.S]").expect("a slider S");
    let line = text[slider..].find("\n\n").expect("an end") + slider;
    let text = format!("{}\n{law}{}", &text[..line], &text[line..]);
    let mut sim = Simulation::of(&text);
    let mut integral = [0.0; 2];
    let power =
        |sim: &Simulation| ["S", "N"].map(|j| sim.get(&format!("joints.{j}.friction_power")));
    let mut before = power(&sim);
    sim.run(0.4, 1e-4, |sim| {
        let now = power(sim);
        for j in 0..2 {
            integral[j] += 0.5e-4 * (now[j] + before[j]);
        }
        before = now;
    });
    let taken = ["S", "N"].map(|j| sim.get(&format!("joints.{j}.dissipated_energy")));
    assert!(taken.iter().all(|work| *work > 10.0), "{taken:?}");
    assert_eq!(taken[0] + taken[1], sim.get("energy.friction_work"));
    for (taken, integral) in taken.iter().zip(integral) {
        assert!((taken / integral - 1.0).abs() < 5e-3, "{taken} {integral}");
    }
}

struct Lines(Rc<RefCell<Vec<String>>>);

impl Sink for Lines {
    fn message(&self, _: Status, category: Category, text: &str) {
        if category == Category::Events {
            self.0.borrow_mut().push(text.to_owned());
        }
    }
}

fn instance(text: &str, start: f64) -> (Instance, Rc<RefCell<Vec<String>>>) {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    let model = Model::parse(text, "model.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    let blueprint = Arc::new(Blueprint::of(model).unwrap_or_else(|f| panic!("{f}")));
    let lines = Rc::new(RefCell::new(Vec::new()));
    let log = Log::new(Box::new(Lines(Rc::clone(&lines))), true);
    let mut instance = Instance::new(blueprint, log);
    let setup = |i: &mut Instance| i.setup_experiment(start, None);
    assert_eq!(instance.perform(Call::SetupExperiment, setup), Status::Ok);
    let enter = Instance::enter_initialization;
    instance.perform(Call::EnterInitializationMode, enter);
    let exit = Instance::exit_initialization;
    assert_eq!(instance.perform(Call::ExitInitializationMode, exit), Status::Ok);
    lines.borrow_mut().clear();
    (instance, lines)
}

fn read(instance: &mut Instance, call: (Call, Kind), name: &str) -> Option<f64> {
    let reference = instance.blueprint().interface().find(name);
    let reference = [reference.unwrap_or_else(|| panic!("no {name}"))];
    let mut value = None;
    instance.perform(call.0, |i| i.get(call.1, &reference, |_, x| value = Some(x)));
    value
}

#[test]
fn the_log_tells_each_change_with_its_instant_also_where_one_step_has_several() {
    // All of the first cycle in one communication step, on a clock that starts at 100 s.
    let (mut block, lines) = instance(&set_valued("rabinowicz", "0.05"), 100.0);
    let step = |i: &mut Instance| i.do_step(100.0, 30.0);
    assert_eq!(block.perform(Call::DoStep, step), Status::Ok);
    let lines: Vec<String> = lines.borrow().clone();
    let told: Vec<(f64, &str)> = (lines.iter())
        .filter_map(|line| {
            let (time, what) = line.strip_prefix("t = ")?.split_once(" s: joints.block ")?;
            Some((time.parse().expect("a time"), what))
        })
        .collect();
    assert_eq!(told.len(), 2, "{lines:?}");
    for ((time, what), (exact, expected)) in
        told.iter().zip([(123.14083, "slides"), (128.63591, "sticks")])
    {
        assert!((time - exact).abs() < 2e-4, "{time} {exact}");
        assert_eq!(*what, expected);
    }
    let last = read(&mut block, (Call::GetReal, Kind::Real), "joints.block.transition_time");
    // The log rounds to ten digits.
    assert!(last.is_some_and(|last| (last - told[1].0).abs() < 1e-7));
}

#[test]
fn a_stop_is_reported_when_it_is_met() {
    let (mut block, lines) = instance(&bundled("incline"), 0.0);
    let step = |i: &mut Instance| i.do_step(0.0, 5.0);
    assert_eq!(block.perform(Call::DoStep, step), Status::Ok);
    let lines = lines.borrow();
    let told: Vec<&String> = lines.iter().filter(|l| l.contains("stop")).collect();
    assert_eq!(told.len(), 1, "{lines:?}");
    // 20 m at a = g (sin 35° − 0.4 cos 35°) from rest.
    let angle = 35_f64.to_radians();
    let exact = (2.0 * 20.0 / (9.81 * (angle.sin() - 0.4 * angle.cos()))).sqrt();
    let time = told[0].strip_prefix("t = ").and_then(|l| l.split(' ').next());
    let time: f64 = time.and_then(|t| t.parse().ok()).expect("a time");
    assert!((time - exact).abs() < 3e-3, "{time} {exact}");
}

#[test]
fn an_enumeration_is_read_as_an_integer_and_as_nothing_else() {
    let (mut block, _) = instance(&bundled("incline"), 0.0);
    let name = "joints.block.regime";
    let forward = Regime::Slip(Sense::Forward).number();
    let integer = (Call::GetInteger, Kind::Integer);
    assert_eq!(read(&mut block, integer, name), Some(forward));
    assert_eq!(read(&mut block, (Call::GetReal, Kind::Real), name), None);
    assert_eq!(read(&mut block, (Call::GetBoolean, Kind::Boolean), name), None);
}
