//! Entries that a parameter switches on and off: what is off is as if the file had never had it.

use std::fmt::Write;

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::rig::{Rig, Step, blueprint};
use crate::common::{self, Simulation, check};
use coulisse::fmu::{Call, Kind, Status};
use coulisse::joints::regime::Regime;
use coulisse::model::Checked;

const ISOLATED: &str = "parameters.isolated";

/// The clamped feet of the bundled building.
fn clamps(key: &str) -> String {
    let foot = |foot: &str, point: &str| {
        format!(
            "[supports.foot_{foot}]\npoint = \"{point}\"\nfix = [\"x\", \"y\", \"rotation\"]\n{key}\n"
        )
    };
    foot("l", "l0") + &foot("r", "r0")
}

/// The joints on which the bundled building stands.
fn pendulums(text: &str) -> &str {
    let from = text.find("[joints.foot_l]").expect("joints");
    let to = text.find("[loads.floor_1]").expect("loads");
    &text[from..to]
}

/// The bundled building, its feet clamped or on pendulums by a parameter.
fn both() -> String {
    let text = common::bundled("isolated_building_frame");
    let joints = pendulums(&text);
    let switched = joints.replace("friction.coulomb", "enabled = \"isolated\"\nfriction.coulomb");
    let text = text
        .replace(joints, &(switched + &clamps("enabled = \"1 - isolated\"")))
        .replace("supports = [\"dish_*\"]", "supports = [\"dish_*\", \"foot_*\"]");
    text.edit("[parameters]", "[parameters]\nisolated = 1")
}

/// The same with one of them alone.
fn alone(isolated: bool) -> String {
    let text = common::bundled("isolated_building_frame");
    match isolated {
        true => text,
        false => text
            .replace(pendulums(&text), &clamps(""))
            .replace("supports = [\"dish_*\"]", "supports = [\"dish_*\", \"foot_*\"]"),
    }
}

/// All outputs of a model over some steps of the ground motion, with the lowest frequencies about the start.
fn course(text: &str, values: &[(&str, f64)], outputs: &[String]) -> String {
    let mut sim = Simulation::with(text, values);
    let mut all = format!("{:?}\n", sim.frequencies(6));
    sim.run(0.1, 5e-3, |sim| {
        let values: Vec<u64> = outputs.iter().map(|path| sim.get(path).to_bits()).collect();
        writeln!(all, "{values:x?}").expect("memory takes all");
    });
    all
}

/// Slow: statics, modes and steps of a building, four times.
#[test]
fn a_building_on_either_base_is_the_building_with_that_base_alone() {
    for isolated in [true, false] {
        let own = check(&alone(isolated), &[]).expect("a model");
        let paths: Vec<String> = own.outputs.iter().map(|output| output.path.clone()).collect();
        let switch = [(ISOLATED, f64::from(u8::from(isolated)))];
        let [switched, alone] = [(both(), &switch[..]), (alone(isolated), &[])]
            .map(|(text, v)| course(&text, v, &paths));
        assert!(switched == alone, "isolated: {isolated}\n{switched}\n{alone}");
    }
}

#[test]
fn outputs_of_what_is_off_stay_and_read_zero() {
    let off = check(&both(), &[(ISOLATED, 0.0)]).expect("a model");
    let on = check(&both(), &[]).expect("a model");
    let paths = |model: &Checked| -> Vec<String> {
        model.outputs.iter().map(|output| output.path.clone()).collect()
    };
    assert_eq!(paths(&off), paths(&on));
    let mut sim = Simulation::built(&off);
    sim.step(5e-3);
    assert_eq!(sim.get("joints.foot_l.normal_force"), 0.0);
    assert_eq!(sim.get("joints.foot_l.position"), 0.0);
    assert_eq!(sim.get("joints.foot_l.regime"), Regime::Open.number());
    let names: Vec<&str> = off.switched_off().collect();
    assert_eq!(names, ["joints.foot_l", "joints.foot_r"]);
}

/// A steel rod, 1 m long, whose left end is pinned, and clamped by a parameter.
fn rod() -> Mechanism {
    Mechanism::new("rod")
        .step(1e-4)
        .entry("parameters", "clamped = 0")
        .points("a = [0.0, 0.0]\nb = [1.0, 0.0]")
        .steel()
        .rectangle("bar", 0.01, 0.01)
        .beam("rod", ["a", "b"], [8, 3], "steel bar")
        .pin("a")
        .support("clamp", "point = 'a', fix = ['rotation'], enabled = 'clamped'")
}

/// Angular frequencies of slender rods, (β L)² √(E I/(ρ A L⁴)), from tables; the section's shear and rotary inertia change them by a thousandth.
#[test]
fn a_rod_vibrates_as_its_end_is_pinned_or_clamped() {
    let unit = (210e9_f64 * 0.01 * 0.01 / 12.0 / 7850.0).sqrt();
    let frequencies = |clamped: f64| {
        Simulation::with(&rod().text(), &[("parameters.clamped", clamped)]).frequencies(2)
    };
    let near = |found: f64, known: f64| assert!((found / unit / known - 1.0).abs() < 2e-3);
    let [pinned, clamped] = [0.0, 1.0].map(frequencies);
    assert!(pinned[0] < 1e-2, "a mechanism: {pinned:?}");
    near(pinned[1], 3.92660_f64.powi(2));
    near(clamped[0], 1.87510_f64.powi(2));
    near(clamped[1], 4.69409_f64.powi(2));
}

/// A bob of 2 kg on a straight guide under 30 N, held by a parameter.
fn bob() -> String {
    Mechanism::new("bob")
        .step(1e-3)
        .entry("parameters", "held = 0")
        .points("left = [-1.0, 0.0]\nright = [1.0, 0.0]\nbob = [0.0, 0.0]")
        .guide("guide", ["left", "right"], "elements = 1, order = 1")
        .mass("bob", 2.0)
        .slider("bob", "bob", "guide", "")
        .load("push", "point = 'bob', fx = 30.0")
        .support("bob", "point = 'bob', fix = ['x'], enabled = 'held'")
        .spring("aside", "ground = 'right', to = 'bob', direction = 'x', stiffness = 1e6")
        .and("enabled = false")
        .inputs("springs.aside.actuator")
        .outputs("points.bob.x supports.bob.*")
        .text()
}

#[test]
fn a_host_sets_a_switch_before_the_start_only() {
    let plan = blueprint(&bob());
    let description = plan.description(None).expect("a description");
    assert!(description.contains("name=\"supports.bob.fx\""));
    assert!(!description.contains("dependencies="), "{description}");
    let (mut held, started) = Rig::started(&plan, &[("parameters.held", 1.0)]);
    assert!(started);
    let (mut free, started) = Rig::started(&plan, &[]);
    assert!(started);
    let step = Step { length: 1e-2, inputs: vec![1e3] };
    let place = |name: &str| plan.interface().find(name).expect("an output") as usize;
    let value = |rig: &mut Rig, name: &str| f64::from_bits(rig.bits()[place(name)]);
    for _ in 0..10 {
        assert_eq!(held.step(&step).0, Status::Ok);
        assert_eq!(free.step(&step).0, Status::Ok);
    }
    // x = t² F/(2 m), whatever the actuator does that is off; held, the support takes 30 N.
    assert!((value(&mut free, "points.bob.x") - 0.075).abs() < 1e-9);
    assert_eq!(value(&mut free, "supports.bob.fx"), 0.0);
    assert_eq!(value(&mut held, "points.bob.x"), 0.0);
    assert!((value(&mut held, "supports.bob.fx") + 30.0).abs() < 1e-9);
    let switch = plan.interface().find("parameters.held").expect("a parameter");
    let late = held.0.perform(Call::SetReal, |i| i.set(Kind::Real, &[switch], |_| 0.0));
    assert_eq!(late, Status::Error);
}

#[test]
fn a_switch_by_its_own_path_is_a_boolean() {
    let parameters = "[interface]\nparameters = [\"supports.bob.enabled\"]";
    let text = bob().edit("enabled = \"held\"", "enabled = false").edit("[interface]", parameters);
    let plan = blueprint(&text);
    let description = plan.description(None).expect("a description");
    assert!(description.contains("<Boolean start=\"false\"/>"), "{description}");
    let mut rig = Rig::new(&plan);
    let switch = plan.interface().find("supports.bob.enabled").expect("a parameter");
    let set = rig.0.perform(Call::SetBoolean, |i| i.set(Kind::Boolean, &[switch], |_| 1.0));
    assert_eq!(set, Status::Ok);
    rig.enter();
    let place = plan.interface().find("supports.bob.fx").expect("an output") as usize;
    assert!((f64::from_bits(rig.bits()[place]) + 30.0).abs() < 1e-9);
}

#[test]
fn numbers_of_a_law_that_is_off_can_be_tuned() {
    const COEFFICIENT: &str = "joints.bob.friction.coulomb.coefficient";
    let switched =
        "path = [\"guide\"] }\nenabled = \"1 - held\"\nfriction.coulomb = { coefficient = 0.1 }";
    let text = bob()
        .edit("path = [\"guide\"] }", switched)
        .edit("[interface]", "[interface]\nparameters = [\"joints.bob.friction.*\"]");
    let (mut rig, started) = Rig::started(&blueprint(&text), &[("parameters.held", 1.0)]);
    assert!(started);
    let step = Step { length: 1e-2, inputs: vec![0.0] };
    assert_eq!(rig.step(&step).0, Status::Ok);
    rig.set(&[(COEFFICIENT, 0.3)]);
    assert_eq!(rig.step(&step).0, Status::Ok);
}
