//! A mechanism whose energy balance does not close says so, once, and is stopped where the model asks for it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use coulisse::fmu::{Blueprint, Call, Category, Instance, Kind, Log, Sink, Status};
use coulisse::model::Model;

use crate::common;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::rig::{Rig, Step, blueprint};
use crate::random_mechanisms::{Dice, mechanism};
use crate::surfaces::guided::{DAMPED, Guided};

/// A mass on a rod that swings from the horizontal: 9.81 J at its lowest.
pub fn pendulum() -> String {
    Mechanism::new("Pendulum")
        .step(0.03)
        .points("o = [0.0, 0.0], b = [1.0, 0.0]")
        .material("m", 210e9, 0.3, 0.0)
        .section("s", "circle = { diameter = 0.02 }")
        .beam("p", ["o", "b"], [1, 1], "m s")
        .mass("b", 1.0)
        .pin("o")
        .gravity(-9.81)
        .outputs("points.b.* energy.*")
        .text()
}

/// What a host hears.
#[derive(Clone, Default)]
struct Ear(Rc<RefCell<Vec<(Status, String)>>>);

impl Sink for Ear {
    fn message(&self, status: Status, _: Category, text: &str) {
        self.0.borrow_mut().push((status, text.to_owned()));
    }
}

/// A log whose warnings reach `ear`.
fn warnings(ear: &Ear) -> Log {
    let mut log = Log::new(Box::new(ear.clone()), false);
    log.switch(true, &[Category::Warning.name()]).expect("a category");
    log
}

/// Runs a mechanism in communication steps of `length` (s) until `stop` (s) or a step that is not taken; the
/// instance, the status of the last step and what was heard.
pub fn run(
    blueprint: Arc<Blueprint>, length: f64, stop: f64,
) -> (Rig, Status, Vec<(Status, String)>) {
    run_in(blueprint, std::iter::repeat(length), stop)
}

/// [`run`] in communication steps of these `lengths` (s), one after the other.
pub fn run_in(
    blueprint: Arc<Blueprint>, mut lengths: impl Iterator<Item = f64>, stop: f64,
) -> (Rig, Status, Vec<(Status, String)>) {
    let ear = Ear::default();
    let mut rig = Rig(Instance::new(blueprint, warnings(&ear)));
    rig.enter();
    (rig.0).perform(Call::ExitInitializationMode, Instance::exit_initialization);
    let mut status = Status::Ok;
    while status == Status::Ok && rig.0.time() < stop {
        let length = lengths.next().expect("lengths until the end");
        let inputs = Vec::new();
        status = rig.step(&Step { length, inputs }).0;
    }
    let heard = ear.0.borrow().clone();
    (rig, status, heard)
}

#[test]
fn a_step_too_long_for_a_pendulum_is_reported_once_with_what_to_do() {
    let text = pendulum().edit("step = 0.03", "step = 0.03\nenergy_tolerance = 1e9");
    let (_, status, heard) = run(blueprint(&text), 0.03, 60.0);
    assert_eq!((status, heard.len()), (Status::Ok, 1), "{heard:?}");
    assert!((heard.iter()).all(|(status, _)| *status == Status::Warning));
    let told = |words: &str| heard.iter().any(|(_, text)| text.contains(words));
    assert!(told("that nothing explains"), "{heard:?}");
    assert!(told("try a shorter one"));
}

#[test]
fn a_step_short_enough_for_a_pendulum_is_no_reason_for_a_word() {
    for length in [1e-3, 1e-2] {
        let text = pendulum().edit("step = 0.03", "step = 1e-3");
        let (.., heard) = run(blueprint(&text), length, 5.0);
        assert!(heard.is_empty(), "{heard:?}");
    }
}

/// A rigid slider-crank without friction that turns by itself.
fn crank() -> String {
    Mechanism::new("crank")
        .step(2e-4)
        .solver("method = 'newmark'")
        .points("o = [0.0, 0.0], a = [0.1, 0.0], b = [0.4, 0.0], g0 = [-1.0, 0.0], g1 = [1.0, 0.0]")
        .member("crank", ["o", "a"], "rigid = true, mass = 0.2, inertia = 0.0002")
        .member("rod", ["a", "b"], "rigid = true, mass = 0.3, inertia = 0.00225")
        .guide("guide", ["g0", "g1"], "elements = 1, order = 1")
        .pin("o")
        .joint("a", "hinge = { point = 'a', release = ['rod'] }")
        .mass("b", 1.0)
        .slider("b", "b", "guide", "")
        .entry("initial", "velocities = 'rigid_mechanism'")
        .start("a", "vy = 12.0")
        .outputs("energy.*")
        .text()
}

#[test]
fn a_method_that_takes_a_tenth_of_the_energy_of_a_free_crank_is_reported() {
    for (method, words) in [("newmark", 1), ("generalized_alpha", 0)] {
        let (.., heard) = run(blueprint(&crank().edit("newmark", method)), 1e-3, 1.0);
        assert_eq!(heard.len(), words, "{method}: {heard:?}");
        assert!(
            heard.iter().all(|(_, text)| text.contains("the time integration has taken")),
            "{heard:?}"
        );
    }
}

/// A shoe of 0.3 g that rests in a dish by its friction.
fn shoe() -> String {
    Mechanism::new("shoe")
        .step(0.00166985)
        .solver("method = 'newmark'")
        .gravity(-9.81)
        .points("a = [-1.0, 0.0], b = [1.0, 0.0]")
        .and("shoe = [0.24341333066763848, -0.24490648778356514]")
        .guide("dish", ["a", "b"], "elements = 10, order = 3, arc.angle = 1.0150572565883762")
        .mass("shoe", 0.00034505)
        .joint("shoe", "cylindrical.slider = 'shoe', cylindrical.path = ['dish']")
        .and("cylindrical.ends = 'stop', cylindrical.contact = 'unilateral'")
        .and("friction.coulomb.coefficient = 0.232562")
        .and("friction.coulomb.static_coefficient = 0.334494")
        .and("friction.coulomb.viscous_coefficient = 2.1518")
        .outputs("energy.*")
        .text()
}

#[test]
fn what_a_weight_does_on_rounded_heights_is_no_reason_for_a_word() {
    // 2e-19 J have appeared where the shoe moves with 1e-28 J; a height of 1 m rounds to 1e-16 m, times 3 mN.
    let (.., heard) = run(blueprint(&shoe()), 0.00166985, 0.5);
    assert!(heard.is_empty(), "{heard:?}");
}

/// A slider that 1 N pushes through its guide without clearance, E and the stiffness of its contact layers `harder` times as large.
fn pushed(harder: f64) -> String {
    let guided = Guided {
        force: 1.0,
        offset: 1.0,
        gravity: 0.0,
        more: DAMPED.into(),
        ..Guided::of_nodes(1.05e9 * harder)
    };
    let steel = format!("young_modulus = {:?}", 210e9 * harder);
    guided.text().edit("young_modulus = 2.1e11", &steel)
}

#[test]
fn contacts_so_stiff_that_rounding_hides_their_forces_say_so_once() {
    for (harder, words) in [(1.0, 0), (1e3, 0), (1e6, 1), (1e8, 1)] {
        let (.., heard) = run(blueprint(&pushed(harder)), 1e-3, 0.1);
        let told = heard.iter().filter(|(_, text)| {
            text.contains("the forces of contacts.guide are not known")
                && text.contains("give it less `stiffness`")
        });
        assert_eq!(told.count(), words, "{harder:e}: {heard:?}");
    }
}

#[test]
fn a_step_that_misses_the_tolerance_of_the_energy_is_discarded_with_nothing_changed() {
    let text =
        pendulum().edit("step = 0.03", "step = 0.03\nmax_halvings = 0\nenergy_tolerance = 1e-3");
    let (mut rig, status, heard) = run(blueprint(&text), 0.03, 60.0);
    assert_eq!(status, Status::Discard);
    let (_, message) = heard.last().expect("a reason");
    assert!(message.contains("`solver.energy_tolerance` = 0.001"), "{message}");
    let (time, bits) = (rig.0.time(), rig.bits());
    // The same instance that is stopped one step earlier.
    let (mut other, ..) = run(blueprint(&text), 0.03, time - 0.01);
    assert!((other.0.time() - time).abs() < 1e-9);
    assert_eq!(bits, other.bits());
}

/// Slow: bundled models run to their ends.
#[test]
fn bundled_models_have_nothing_to_tell_of_their_energy() {
    for file in common::tier::cases(common::bundled_files(), 5) {
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let blueprint = Arc::new(Blueprint::of(model).unwrap_or_else(|r| panic!("{r:?}")));
        let (checked, name) = (blueprint.checked(), file.display());
        let (length, step) = (checked.experiment.communication_step, checked.solver.step);
        let stop = (100.0 * length).min(1000.0 * step);
        let (_, status, heard) = run(blueprint, length, stop);
        assert_eq!(status, Status::Ok, "{name}");
        assert!(heard.is_empty(), "{name}: {heard:?}");
    }
}

#[test]
fn no_random_mechanism_loses_a_hundredth_of_its_energy_without_a_word() {
    let (mut off, mut told) = (0, 0);
    for seed in 1..=common::tier::share(60) {
        let mut dice = Dice(seed);
        let text = mechanism(&mut dice);
        let ear = Ear::default();
        let mut rig = Rig(Instance::new(blueprint(&text), warnings(&ear)));
        rig.enter();
        (rig.0).perform(Call::ExitInitializationMode, Instance::exit_initialization);
        let (mut largest, mut worst) = (0.0_f64, 0.0_f64);
        for _ in 0..30 {
            let inputs = vec![dice.between(-40.0, 40.0), dice.between(-40.0, 20.0)];
            rig.step(&Step { length: 0.01, inputs });
            let mut size = |name: &str| energy(&mut rig, name).abs();
            let terms = ["kinetic", "strain", "input_work", "friction_work"];
            largest = terms.map(&mut size).into_iter().fold(largest, f64::max);
            worst = worst.max(size("balance") / largest);
        }
        off += usize::from(worst > 1.01e-2);
        told += usize::from(!ear.0.borrow().is_empty());
        assert!(worst <= 1.01e-2 || !ear.0.borrow().is_empty(), "{seed}: {worst}");
    }
    println!("{off} off by more than 1 %, {told} have told something");
}

/// An output `energy.NAME`, J.
fn energy(rig: &mut Rig, name: &str) -> f64 {
    let path = format!("energy.{name}");
    let reference =
        (rig.0.blueprint().interface().find(&path)).unwrap_or_else(|| panic!("no {path}"));
    let mut value = f64::NAN;
    let get = |i: &mut Instance| i.get(Kind::Real, &[reference], |_, x| value = x);
    rig.0.perform(Call::GetReal, get);
    value
}

/// Of a push below the limit of friction nothing comes; that conditions share what they hold gives way by less than a balance knows.
#[test]
fn a_block_that_stands_on_its_corners_is_no_reason_for_a_word() {
    let block = &Mechanism::new("block")
        .step(1e-2)
        .points("a = [-0.1, 0.0], b = [0.1, 0.0], c = [0.1, 0.1], d = [-0.1, 0.1]")
        .and("from = [-1.0, 0.0], to = [1.0, 0.0]")
        .body("block", "rigid = true, mass = 27.0, inertia = 0.1, points = ['d']")
        .patch("block", [1, 1], "sole: a, front: b, top: c, rear: d")
        .guide("floor", ["from", "to"], "elements = 1")
        .contact("block", "surface = ['block.sole'], path = ['floor'], rigid = true")
        .and("friction.coulomb = { coefficient = 0.5 }")
        .load("push", "point = 'd', fx = 90.0, history.sine = { frequency = 4.0 }")
        .gravity(-9.81)
        .outputs("energy.* points.d.*")
        .text();
    for push in ["10.0", "60.0", "90.0"] {
        for step in [1e-2, 1e-3, 1e-4] {
            let text = block.edit("fx = 90.0", &format!("fx = {push}"));
            let text = text.edit("step = 0.01", &format!("step = {step:e}"));
            let (_, status, heard) = run(blueprint(&text), 1e-2, 1.3);
            assert_eq!((status, heard.len()), (Status::Ok, 0), "{push} N, {step}: {heard:?}");
        }
    }
}
