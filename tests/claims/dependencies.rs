//! The dependencies that a model description states, against what changes when a value changes.

use crate::common;
use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::rig::Silence;
use std::sync::Arc;

use coulisse::fmu::dependencies::Dependencies;
use coulisse::fmu::{Blueprint, Call, Instance, Kind, Log, Role, Status};
use coulisse::model::Model;
use coulisse::model::checked::Output;

/// Two carts that do not know of each other: `left` on springs of its own guide, `right` driven
/// through a rod. What is stated must tell them apart.
fn two_carts() -> String {
    Mechanism::new("two")
        .step(1e-2)
        // mass of the left cart, kg
        .entry("parameters", "weight = 2.0")
        .points("a = [0.0, 0.0], b = [4.0, 0.0], left = [1.0, 0.0], c = [0.0, 3.0], d = [1.0, 3.0]")
        .and("held = [9.0, 9.0]")
        .material("steel", 1e6, 0.3, 1000.0)
        .section("rod", "circle = { diameter = 0.05 }")
        .guide("guide", ["a", "b"], "elements = 1, order = 1")
        .member("rod", ["c", "d"], "elements = 1, material = 'steel', section = 'rod'")
        .entry("masses.left", "point = 'left', mass = 'weight'")
        .mass("held", 1.0)
        .pin("held")
        .slider("left", "left", "guide", "")
        .and("friction.stribeck.static_coefficient = 0.1")
        .and("friction.stribeck.kinetic_coefficient = 0.1, friction.stribeck.decay_velocity = 0.1")
        .and("equivalent.amplitude = 0.01, equivalent.frequency = 2.0")
        .and("equivalent.normal_force = 40.0")
        .motion("turn", "point = 'c', direction = 'rotation', angle = 0.1")
        .motion("hold_x", "point = 'c', direction = 'x', velocity = 0.5")
        .roller("c")
        .load("push", "point = 'left', fx = 5.0")
        .load("tip", "point = 'd', fy = 3.0, history.sine = { frequency = 1.0, phase = 0.3 }")
        .load("held", "point = 'held', fx = 1.0")
        .gravity(-9.81)
        .entry(
            "interface",
            "parameters = ['joints.left.friction.stribeck.*', \
             'joints.left.equivalent.*', 'loads.tip.history.sine.phase', 'materials.steel.*', \
             'points.held[0]', 'experiment.stop_time']",
        )
        .inputs("loads.* motions.* gravity.*")
        .outputs(
            "points.* supports.* motions.turn.position motions.turn.reaction \
             motions.hold_x.* energy.* solver.*",
        )
        .text()
}

/// Share of a value, or of one unit where it is smaller, that is rounding.
const ROUNDING: f64 = 1e-12;

/// When a value is changed and what is looked at.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Start,
    Step,
}

/// All variables as bits with one of them changed; `None` where the mechanism does not bear it.
fn bits(blueprint: &Arc<Blueprint>, when: When, change: Option<(u32, f64)>) -> Option<Vec<u64>> {
    let mut instance = Instance::new(Arc::clone(blueprint), Log::new(Box::new(Silence), false));
    let set = |instance: &mut Instance, now: When| match change {
        Some((reference, value)) if now == when => {
            let set = |i: &mut Instance| i.set(Kind::Real, &[reference], |_| value);
            assert_eq!(instance.perform(Call::SetReal, set), Status::Ok);
        }
        _ => {}
    };
    let enter = Instance::enter_initialization;
    instance.perform(Call::EnterInitializationMode, enter);
    set(&mut instance, When::Start);
    if when == When::Step {
        instance.perform(Call::ExitInitializationMode, Instance::exit_initialization);
        for round in 0..2 {
            if round == 1 {
                set(&mut instance, When::Step);
            }
            let now = instance.time();
            let length = blueprint.checked().experiment.communication_step;
            let status = instance.perform(Call::DoStep, |i| i.do_step(now, length));
            if status != Status::Ok {
                return None;
            }
        }
    }
    let mut all = Vec::new();
    for v in blueprint.interface().variables() {
        let get = |i: &mut Instance| i.get(v.kind, &[v.reference], |_, x| all.push(x.to_bits()));
        if instance.perform(Call::GetReal, get) != Status::Ok {
            return None;
        }
    }
    Some(all)
}

/// What a variable reads, if it is an output or a calculated parameter.
fn output(blueprint: &Blueprint, role: Role) -> Option<Output> {
    let model = blueprint.checked();
    match role {
        Role::Output(k) => Some(model.outputs[k].output),
        Role::Calculated(k) => Some(model.calculated[k].output),
        Role::Parameter(_) | Role::Input(_) | Role::Own(_) => None,
    }
}

/// Every output that changed with some value, and whether it is stated to follow from it.
fn changes(blueprint: &Arc<Blueprint>, when: When) -> Vec<(String, String, bool)> {
    let dependencies = Dependencies::of(&blueprint.built().expect("a mechanism").system);
    let before = bits(blueprint, when, None).expect("the model as written runs");
    let variables = blueprint.interface().variables();
    let mut found = Vec::new();
    for known in variables {
        let changeable = match known.role {
            Role::Parameter(_) => when == When::Start,
            Role::Input(_) => true,
            Role::Output(_) | Role::Calculated(_) | Role::Own(_) => false,
        };
        let Some(start) = known.start.filter(|_| changeable) else {
            continue;
        };
        let value = if start == 0.0 { 1e-3 } else { 1.001 * start };
        let Some(after) = bits(blueprint, when, Some((known.reference, value))) else {
            continue;
        };
        for ((v, before), after) in variables.iter().zip(&before).zip(&after) {
            let Some(output) = output(blueprint, v.role) else {
                continue;
            };
            let stated = match when {
                When::Start => dependencies.at_the_start(output, known.role),
                When::Step => dependencies.in_a_step(output, known.role),
            };
            // What one solution of equations gives may change in its last digits with any coefficient of theirs.
            let [was, is] = [before, after].map(|bits| f64::from_bits(*bits));
            let rounded = (was - is).abs() <= ROUNDING * was.abs().max(is.abs()).max(1.0);
            if before != after && !rounded {
                found.push((v.name.clone(), known.name.clone(), stated));
            }
        }
    }
    found
}

fn blueprint(model: Model) -> Arc<Blueprint> {
    Arc::new(Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}")))
}

fn two() -> Arc<Blueprint> {
    carts(&two_carts())
}

/// The same, which starts in equilibrium.
fn two_in_equilibrium() -> Arc<Blueprint> {
    carts(&two_carts().edit("[interface]", "[initial]\nequilibrium = true\n[interface]"))
}

fn carts(text: &str) -> Arc<Blueprint> {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
    blueprint(Model::parse(text, "two.toml", &none).unwrap_or_else(|faults| panic!("{faults}")))
}

fn bundled() -> Vec<Arc<Blueprint>> {
    let files = common::tier::cases(common::bundled_files(), 6).into_iter();
    files
        .map(|file| blueprint(Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"))))
        .collect()
}

#[test]
fn nothing_changes_that_is_not_stated_to_follow() {
    let mut seen = 0;
    for blueprint in bundled().into_iter().chain([two(), two_in_equilibrium()]) {
        let name = &blueprint.checked().name;
        for when in [When::Start, When::Step] {
            for (output, known, stated) in changes(&blueprint, when) {
                seen += 1;
                assert!(stated, "{name}: {output} changes with {known}");
            }
        }
    }
    assert!(seen > common::tier::share(200), "{seen} changes are too few to show anything");
}

#[test]
fn what_has_no_influence_is_not_stated() {
    let model = two();
    let dependencies = Dependencies::of(&model.built().expect("a mechanism").system);
    let variable = |name: &str| {
        let variables = model.interface().variables();
        let found = variables.iter().find(|v| v.name == name);
        found.unwrap_or_else(|| panic!("no {name}")).role
    };
    let follows = |when: When, output: &str, known: &str| {
        let output = self::output(&model, variable(output)).expect("an output");
        match when {
            When::Start => dependencies.at_the_start(output, variable(known)),
            When::Step => dependencies.in_a_step(output, variable(known)),
        }
    };
    for (output, known, stated) in [
        ("points.left.x", "loads.push.fx", true),
        ("points.left.x", "loads.tip.fy", false),
        ("points.left.x", "motions.turn.angle", false),
        ("points.d.x", "loads.push.fx", false),
        ("points.d.x", "motions.turn.angle", true),
        ("points.c.x", "motions.hold_x.velocity", true),
        ("points.c.x", "loads.tip.fy", false),
        ("points.c.y", "gravity.y", false),
        ("points.held.x", "loads.held.fx", false),
        ("supports.held.fx", "loads.held.fx", true),
        ("supports.held.fx", "loads.push.fx", false),
        ("supports.guide.fy", "loads.push.fx", true),
        ("supports.guide.fy", "loads.tip.fy", false),
        ("motions.turn.position", "loads.tip.fy", false),
        ("motions.turn.reaction", "loads.tip.fy", true),
    ] {
        assert_eq!(follows(When::Step, output, known), stated, "{output} {known}");
    }
    let friction = "joints.left.friction.stribeck.static_coefficient";
    for (output, known, stated) in [
        ("points.left.x", "loads.push.fx", false),
        ("points.left.vx", "loads.push.fx", false),
        ("points.left.ax", "loads.push.fx", true),
        ("points.left.ax", friction, true),
        ("points.left.vx", friction, false),
        ("points.d.ax", friction, false),
        ("points.left.ax", "parameters.weight", true),
        ("points.held.vx", "points.held[0]", false),
        ("points.held.x", "points.held[0]", true),
        ("points.d.x", "motions.turn.angle", true),
        ("points.d.x", "motions.hold_x.velocity", false),
        ("points.d.vx", "motions.hold_x.velocity", true),
        ("points.d.ay", "experiment.stop_time", false),
        ("points.d.ay", "loads.tip.history.sine.phase", true),
        ("points.d.vy", "loads.tip.history.sine.phase", false),
        ("energy.input_work", "loads.push.fx", false),
        ("solver.steps", "loads.push.fx", false),
    ] {
        assert_eq!(follows(When::Start, output, known), stated, "{output} {known}");
    }
}

#[test]
fn places_of_an_equilibrium_follow_the_loads_of_their_part() {
    let stated = |model: &Blueprint, output: &str, known: &str| {
        let role = |name: &str| {
            let found = model.interface().variables().iter().find(|v| v.name == name);
            found.unwrap_or_else(|| panic!("no {name}")).role
        };
        let output = self::output(model, role(output)).expect("an output");
        Dependencies::of(&model.built().expect("a mechanism").system)
            .at_the_start(output, role(known))
    };
    let (drawn, balanced) = (two(), two_in_equilibrium());
    for (output, known, follows) in [
        ("points.d.y", "loads.tip.fy", true),
        ("points.d.y", "loads.tip.history.sine.phase", true),
        ("points.d.y", "gravity.y", true),
        ("points.d.y", "loads.push.fx", false),
        ("points.held.x", "gravity.y", false),
    ] {
        assert!(!stated(&drawn, output, known), "{output} {known}");
        assert_eq!(stated(&balanced, output, known), follows, "{output} {known}");
    }
}

#[test]
fn one_quantity_under_two_names_has_one_value_reference() {
    let model = two();
    let reference = |name: &str| {
        let found = model.interface().find(name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(reference("motions.turn.position"), reference("points.c.rotation"));
    assert_ne!(reference("motions.hold_x.position"), reference("points.c.x"));
}

/// FMI 2.0 lets no host ask in between; the stated dependencies rest on it all the same.
#[test]
fn an_input_changes_no_output_before_the_next_step() {
    let model = two();
    let log = Log::new(Box::new(Silence), false);
    let mut instance = Instance::new(Arc::clone(&model), log);
    let enter = Instance::enter_initialization;
    instance.perform(Call::EnterInitializationMode, enter);
    instance.perform(Call::ExitInitializationMode, Instance::exit_initialization);
    assert_eq!(instance.perform(Call::DoStep, |i| i.do_step(0.0, 0.01)), Status::Ok);
    let outputs = |instance: &mut Instance| -> Vec<u64> {
        let mut bits = Vec::new();
        let variables = model.interface().variables().iter();
        for v in variables.filter(|v| matches!(v.role, Role::Output(_))) {
            let get =
                |i: &mut Instance| i.get(v.kind, &[v.reference], |_, x| bits.push(x.to_bits()));
            assert_eq!(instance.perform(Call::GetReal, get), Status::Ok);
        }
        bits
    };
    let before = outputs(&mut instance);
    let mut inputs = 0;
    for v in model.interface().variables() {
        if matches!(v.role, Role::Input(_)) {
            inputs += 1;
            let set = |i: &mut Instance| i.set(Kind::Real, &[v.reference], |_| 0.7);
            assert_eq!(instance.perform(Call::SetReal, set), Status::Ok);
        }
    }
    assert!(inputs > 5);
    assert_eq!(before, outputs(&mut instance));
}
