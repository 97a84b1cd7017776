//! A step asks for no memory, and neither does reading its results.

use crate::common::mechanism::Mechanism;
#[path = "allocation/bodies.rs"]
mod bodies;
#[allow(dead_code)]
#[path = "claims/common/mod.rs"]
mod common;
mod counting;
#[path = "allocation/couplings.rs"]
mod couplings;

use common::edit::Edit;
use common::sliders::{RUBS, sliders_on_a_bar};
use coulisse::joints::regime::Regime;
use std::path::Path;
use std::sync::Arc;

use common::Simulation;
use coulisse::fmu::{Blueprint, Call, Category, Instance, Kind, Log, Protocol, Sink, Status};
use coulisse::model::Model;
use counting::requests;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// Requests of communication steps of `h` until `end` after the first one, with every output
/// read after each; and how often a slider has begun to stick, or to slide another way.
fn requests_of_a_run(mut sim: Simulation, end: f64, h: f64) -> (u64, usize) {
    sim.step(h);
    let outputs = sim.system.model().outputs.clone();
    let mut before: Vec<Regime> = sim.state.sliders.iter().map(|own| own.regime).collect();
    let mut switches = 0;
    let count = requests(|| {
        sim.run(end, h, |sim| {
            for output in &outputs {
                assert!(sim.system.read(&sim.state, output.output).is_finite());
            }
            for (before, slider) in before.iter_mut().zip(&sim.state.sliders) {
                switches += usize::from(*before != slider.regime);
                *before = slider.regime;
            }
        });
    });
    (count, switches)
}

#[test]
fn the_counter_sees_an_allocation() {
    assert_eq!(requests(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn a_cycle_of_the_quick_return_allocates_nothing() {
    // The arm's slider passes its 0.1 m elements at 0.3 m to 0.7 m and back.
    let sim = Simulation::bundled("quick_return", &[]);
    let (count, switches) = requests_of_a_run(sim, 0.5, 1e-4);
    assert!(switches >= 2, "the slider has to turn back: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn shaking_a_building_that_slides_allocates_nothing() {
    let sim = Simulation::bundled("isolated_building_frame", &[]);
    let (count, _) = requests_of_a_run(sim, 4.0, 5e-3);
    assert_eq!(count, 0);
}

#[test]
fn loads_that_follow_allocate_nothing() {
    let text = common::bundled("cantilever_rollup");
    let wind = "[loads.wind]\nmember = \"beam\"\nnormal = 0.5\nhistory.ramp = { duration = 1.0 }\n";
    let text = text.edit("[interface]", &format!("{wind}[interface]"));
    assert!(text.contains("normal"));
    let (count, _) = requests_of_a_run(Simulation::of(&text), 0.1, 1e-2);
    assert_eq!(count, 0);
}

/// Elements of the outer tube become coupled with others of the inner one, which leads to other orders of elimination.
#[test]
fn a_telescope_whose_tubes_bend_allocates_nothing() {
    let sim = Simulation::bundled("telescope", &[]);
    let (count, _) = requests_of_a_run(sim, 1.0, 5e-3);
    assert_eq!(count, 0);
}

#[test]
fn stick_slip_on_the_belt_allocates_nothing() {
    let sim = Simulation::bundled("rabinowicz", &[]);
    let (count, switches) = requests_of_a_run(sim, 40.0, 1e-2);
    assert!(switches >= 3, "stick, slip, stick: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn sliding_along_flexible_curves_allocates_nothing() {
    let sim = Simulation::of(&common::text("tests/models/flexible_dish"));
    let (count, switches) = requests_of_a_run(sim, 3.0, 5e-4);
    assert!(switches >= 2, "to and fro: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn finding_the_forces_of_many_bristles_together_allocates_nothing() {
    let law = "bristle_lcp = { stiffness = 1e5, coefficient = 0.5 }";
    let mut sim = Simulation::of(&common::bar::long_bar(10, law));
    sim.set("loads.skew.fx", 150.0);
    let (count, switches) = requests_of_a_run(sim, 0.5, 1e-3);
    assert!(switches >= 20, "bristles have to slip: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn many_sliders_that_stick_and_slide_allocate_nothing() {
    let sim = Simulation::of(&sliders_on_a_bar(20, 10, RUBS));
    let (count, switches) = requests_of_a_run(sim, 0.2, 1e-4);
    assert!(switches >= 50, "they have to stick and slide: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn finding_transitions_allocates_nothing() {
    let text = common::bundled("rabinowicz")
        .edit("decay_velocity = 0.05", "decay_velocity = 0.05, transition = \"set_valued\"");
    let (count, switches) = requests_of_a_run(Simulation::of(&text), 40.0, 1e-2);
    assert!(switches >= 3, "stick, slip, stick: {switches}");
    assert_eq!(count, 0);
}

#[test]
fn lifting_off_and_touching_down_allocates_nothing() {
    let mut sim = Simulation::of(
        &Mechanism::new("Hopper")
            .step(1e-3)
            .points("a = [0.0, 0.0], b = [4.0, 0.0], bead = [1.0, 0.1]")
            .material("wood", 1e10, 0.3, 600.0)
            .rectangle("board", 0.03, 0.2)
            .member("board", ["a", "b"], "elements = 6, material = 'wood', section = 'board'")
            .pin("a")
            .roller("b")
            .mass("bead", 1.0)
            .gravity(-9.81)
            .start("bead", "vx = 1.0")
            .joint("bead", "cylindrical.slider = 'bead', cylindrical.path = ['board']")
            .and("cylindrical.contact = 'unilateral'")
            .and("roughness.cosine = { amplitude = 0.01, wavelength = 0.4 }")
            .and("friction.coulomb = { coefficient = 0.1, transition = 'set_valued' }")
            .text(),
    );
    sim.step(1e-2);
    assert_eq!(requests(|| sim.run(1.0, 1e-2, |_| ())), 0);
    assert!(sim.get("joints.bead.transitions") > 10.0);
}

#[test]
fn crossing_the_bridge_and_its_end_allocates_nothing() {
    let sim = Simulation::bundled("moving_mass_on_bridge", &[]);
    let (count, _) = requests_of_a_run(sim, 1.85, 1e-3);
    assert_eq!(count, 0);
}

#[test]
fn damping_allocates_nothing() {
    let damping = "[damping.bridge]\nratios = [0.025, 0.025]\nmodes = [1, 4]\n[interface]";
    let text = common::bundled("moving_mass_on_bridge").edit("[interface]", damping);
    let (count, _) = requests_of_a_run(Simulation::of(&text), 0.2, 1e-3);
    assert_eq!(count, 0);
}

#[test]
fn damping_that_turns_allocates_nothing() {
    // At steps so long that its tangent is whole.
    let text = common::bundled("press")
        .edit("step = 2e-4", "step = 4e-3")
        .edit("stiffness_coefficient = 2e-6", "stiffness_coefficient = 1e-3")
        .edit("31.41592653589793 ", "314.0 ");
    let mut sim = Simulation::of(&text);
    sim.step(4e-3);
    let iterations = |sim: &Simulation| sim.state.counters.iterations;
    let before = iterations(&sim);
    assert_eq!(requests(|| sim.run(0.2, 4e-3, |_| ())), 0);
    assert!(iterations(&sim) - before > 5 * 49);
}

#[test]
fn hitting_a_stop_allocates_nothing() {
    // The block reaches the end of its guide, 20 m below, after 4 s.
    let mut sim = Simulation::bundled("incline", &[]);
    sim.step(1e-2);
    assert_eq!(requests(|| sim.run(5.0, 1e-2, |_| ())), 0);
    assert_eq!(sim.get("joints.block.position"), 21.0);
    assert!(sim.get("joints.block.velocity").abs() < 1e-12);
}

#[test]
fn rejected_and_halved_steps_allocate_nothing() {
    // Four iterations are too few where the friction at the guide changes its branch.
    let text = common::bundled("quick_return")
        .edit("\nstep = 1e-4\n", "\nstep = 1e-3\nmax_iterations = 4\n");
    let mut sim = Simulation::of(&text);
    sim.step(1e-3);
    let count = requests(|| sim.run(0.5, 1e-3, |_| ()));
    let rejections = sim.get("solver.rejections");
    println!("{rejections} rejections");
    assert!(rejections > 0.0);
    assert_eq!(count, 0);
}

#[test]
fn statics_and_histories_allocate_nothing() {
    for model in ["cantilever_rollup", "tensile_buckling"] {
        let mut sim = Simulation::bundled(model, &[]);
        let h = sim.system.model().solver.step;
        sim.step(h);
        let end = 20.0 * h;
        assert_eq!(requests(|| sim.run(end, h, |_| ())), 0, "{model}");
    }
}

#[test]
fn a_motion_and_a_load_from_tables_allocate_nothing() {
    let table =
        "{ times = [0.0, 0.1, 0.2, 0.4, 0.7, 1.0], values = [0.0, 0.2, 0.1, -0.3, 0.5, 0.0] }";
    let sim = Simulation::of(
        &Mechanism::new("Tables")
            .step(1e-3)
            .points("root = [0.0, 0.0], tip = [1.0, 0.0]")
            .entry("materials.steel", "young_modulus = 210e9, shear_modulus = 80e9")
            .and("density = 7850.0")
            .rectangle("strip", 0.02, 0.02)
            .member("beam", ["root", "tip"], "elements = 4, material = 'steel', section = 'strip'")
            .support("root", "point = 'root', fix = ['x', 'rotation']")
            .motion("shaker", "point = 'root', direction = 'y', amplitude = 0.01")
            .and(format!("history.table = {table}"))
            .load("tip", format!("point = 'tip', fy = 10.0, history.table = {table}"))
            .outputs("points.* supports.* motions.* energy.* solver.*")
            .text(),
    );
    let (count, _) = requests_of_a_run(sim, 1.2, 1e-3);
    assert_eq!(count, 0);
}

/// A host that wants no messages.
struct Deaf;

impl Sink for Deaf {
    fn message(&self, _: Status, _: Category, _: &str) {}
}

#[test]
fn communication_steps_through_the_fmu_allocate_nothing() {
    for (name, input, h, steps) in [
        ("quick_return", None, 1e-3, 500),
        ("rabinowicz", Some("loads.normal.fy"), 1e-2, 4000),
        ("moving_mass_on_bridge", None, 1e-3, 1800),
    ] {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("resources/models/{name}.toml"));
        let model = Model::load(&file).expect("a bundled model");
        let blueprint = Arc::new(Blueprint::of(model).expect("a bundled model"));
        let reals: Vec<u32> = (0..)
            .zip(blueprint.interface().variables())
            .filter(|(_, v)| v.kind == Kind::Real)
            .map(|(reference, _)| reference)
            .collect();
        let input = input.map(|i| blueprint.interface().find(i).expect("an input"));
        let mut instance = Instance::new(blueprint, Log::new(Box::new(Deaf), false));
        let enter = Instance::enter_initialization;
        let exit = Instance::exit_initialization;
        instance.perform(Call::EnterInitializationMode, enter);
        assert_eq!(instance.perform(Call::ExitInitializationMode, exit), Status::Ok);
        let mut values = vec![0.0; reals.len()];
        let mut step = |instance: &mut Instance| {
            let now = instance.time();
            if let Some(input) = input {
                let load = -196.2 - now.sin();
                let set =
                    instance.perform(Call::SetReal, |i| i.set(Kind::Real, &[input], |_| load));
                assert_eq!(set, Status::Ok);
            }
            let done = instance.perform(Call::DoStep, |i| i.do_step(now, h));
            assert_eq!(done, Status::Ok);
            let got = instance
                .perform(Call::GetReal, |i| i.get(Kind::Real, &reals, |k, x| values[k] = x));
            assert_eq!(got, Status::Ok);
        };
        step(&mut instance);
        let count = requests(|| (1..steps).for_each(|_| step(&mut instance)));
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn events_and_outputs_that_run_on_between_them_allocate_nothing() {
    let text = common::bundled("quick_return")
        .edit("communication_step = ", "extrapolation_order = 1\ncommunication_step = ");
    let blueprint = common::rig::blueprint(&text);
    let h = blueprint.checked().experiment.communication_step;
    let reals: Vec<u32> = (0..)
        .zip(blueprint.interface().variables())
        .filter(|(_, v)| v.kind == Kind::Real)
        .map(|(reference, _)| reference)
        .collect();
    let mut values = vec![0.0; reals.len()];
    let mut block =
        Instance::of(Protocol::ModelExchange, blueprint, Log::new(Box::new(Deaf), false));
    block.enter_initialization().expect("legal");
    block.exit_initialization().expect("a start");
    block.new_discrete_states().expect("an event");
    let mut interval = |block: &mut Instance, k: u32| {
        block.enter_continuous_time_mode().expect("legal");
        for share in [0.3, 0.8, 0.5] {
            block.set_time((f64::from(k) + share) * h).expect("later");
            let got = block.get(Kind::Real, &reals, |i, x| values[i] = x);
            got.expect("outputs");
        }
        block.set_time(f64::from(k + 1) * h).expect("later");
        block.enter_event_mode().expect("legal");
        block.new_discrete_states().expect("an event");
    };
    interval(&mut block, 0);
    let count = requests(|| (1..200).for_each(|k| interval(&mut block, k)));
    assert_eq!(count, 0);
}
