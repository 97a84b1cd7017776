//! Normal forces of friction at the start: those that nothing makes, and those that elastic members do not carry yet.

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Slider, StartVelocities};
use coulisse::start::equilibrium;
use coulisse::system::{State, System, outputs};

use super::jams;

/// Share of its normal force in equilibrium by which a joint may bear more or less at the start before that is worth a word.
const APART: f64 = 0.03;

/// Joints with friction on straight paths, in models in which nothing can press a slider on its path.
pub fn unpressed(model: &Checked) -> Vec<String> {
    let pressed = model.gravity != [0.0, 0.0]
        || !model.loads.is_empty()
        || !model.line_loads.is_empty()
        || !model.motions.is_empty()
        || !model.springs.is_empty()
        || !model.couplings.is_empty()
        || !model.inputs.is_empty();
    if pressed {
        return Vec::new();
    }
    let rough = |slider: &&Slider| {
        slider.friction.largest_coefficient() > 0.0
            && slider.roughness.is_none()
            && jams::straight(model, &slider.path).is_some()
    };
    let sliders = model.sliders_of_joints().map(|(_, slider)| slider).filter(rough);
    sliders
        .map(|slider| {
            format!(
                "joints.{} has friction but no normal force at t = 0, for no gravity, no load and no spring presses its slider on the path: friction \
                 does nothing; write y = -9.81 in [gravity], or add a load",
                slider.name
            )
        })
        .collect()
}

/// Joints and contacts with friction whose normal force at the start of a dynamic analysis is not that of the equilibrium: elastic members begin
/// unstrained and do not carry their weight yet, so that static friction bears less than it seems.
pub fn unstrained(system: &System, start: &State) -> Vec<String> {
    let model = system.model();
    let begin = &model.start;
    let rests = begin.velocities == StartVelocities::Rest && begin.given.is_empty();
    let dynamic = model.solver.analysis == Analysis::Dynamic && begin.equilibrium.is_none();
    let elastic = model.members.iter().any(|m| m.properties.is_some() && m.rigid.is_none())
        || (0..model.bodies.len()).any(|body| !model.is_rigid(body));
    let rough = frictional(model);
    if !(rests && dynamic && elastic && model.gravity != [0.0, 0.0]) || rough.is_empty() {
        return Vec::new();
    }
    let inputs: Vec<f64> = model.inputs.iter().map(|input| input.start).collect();
    let Ok(settled) = equilibrium(system, &inputs) else {
        return Vec::new();
    };
    let all = outputs::all(model);
    let forces = rough.into_iter().filter_map(|path| {
        let wanted = format!("{path}.normal_force");
        let output = all.iter().find(|output| output.path == wanted)?.output;
        let [now, later] = [start, &settled].map(|state| system.read(state, output).abs());
        // A surface that has clearance at the start is not there yet.
        let touches = now > 0.0 || path.starts_with("joints.");
        let apart = touches && later > 0.0 && (now - later).abs() > APART * later;
        apart.then_some((path, now, later))
    });
    forces
        .map(|(path, now, later)| {
            format!(
                "{path}: the run starts unstrained, and its normal force is {} N at t = 0 and {} N in static equilibrium: elastic parts do not carry \
                 their weight yet, so that friction is not what it is at rest; write `equilibrium = true` in [initial]",
                rounded(now, 4),
                rounded(later, 4),
            )
        })
        .collect()
}

/// Paths of joints and contacts with friction.
fn frictional(model: &Checked) -> Vec<String> {
    let joints = model.sliders_of_joints().map(|(_, slider)| slider);
    let joints = joints.filter(|slider| slider.friction.largest_coefficient() > 0.0);
    let joints = joints.map(|slider| format!("joints.{}", slider.name));
    let contacts = model.contacts.iter();
    let contacts = contacts.filter(|contact| contact.friction.largest_coefficient() > 0.0);
    joints.chain(contacts.map(|contact| format!("contacts.{}", contact.name))).collect()
}
