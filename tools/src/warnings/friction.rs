//! Normal forces of friction at the start: those that nothing makes, and those that elastic members do not carry yet. Laws by expressions
//! that give energy.

use super::GRAVITY;
use coulisse::laws::friction::Friction;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Analysis, Between, Direction, Input, InputVariable, Slider, StartVelocities,
};
use coulisse::start::{Overloaded, equilibrium, locked_beyond_friction};
use coulisse::system::{State, System, outputs};

use crate::number::short;

/// Share of its normal force in equilibrium by which a joint may bear more or less at the start before that is worth a word.
const APART: f64 = 0.03;

/// Share of the weight of all masses up to which a normal force is none.
const NONE: f64 = 1e-9;
/// Share of a force across a path up to which it acts along it.
const ACROSS: f64 = 1e-3;

/// Joints with friction that have no normal force in the state at the `start`, in models in which nothing acts across their paths.
pub fn unpressed(system: &System, start: &State) -> Vec<String> {
    let model = system.model();
    let all = outputs::all(model);
    let negligible = NONE * GRAVITY * mass(model);
    let idle = |slider: &&Slider| {
        let wanted = format!("joints.{}.normal_force", slider.name);
        let output = all.iter().find(|output| output.path == wanted);
        let force = output.map(|output| system.read(start, output.output).abs());
        slider.friction.largest_coefficient() > 0.0
            && slider.roughness.is_none()
            && force.is_some_and(|force| force <= negligible)
            && !may_be_pressed(model, slider)
    };
    let sliders = model.sliders_of_joints().map(|(_, slider)| slider).filter(idle);
    sliders
        .map(|slider| {
            format!(
                "joints.{} has friction but no normal force at t = 0, and no gravity, load, spring or motion acts across its path: friction does \
                 nothing; write y = -9.81 in [gravity], or add a load across the path",
                slider.name
            )
        })
        .collect()
}

/// Mass of all that has one, kg.
fn mass(model: &Checked) -> f64 {
    let members = model.members.iter().enumerate().filter(|(_, m)| m.rigid.is_none());
    let members = members.filter_map(|(id, member)| {
        Some(member.properties.as_ref()?.mass_by_length() * model.length_of(id))
    });
    let bodies = model.bodies.iter().map(|body| body.weight()[0]);
    let masses = model.masses.iter().map(|mass| mass.mass);
    members.chain(bodies).chain(masses).sum()
}

/// Whether something acts across the path of a slider in the initial configuration. Hinges and couplings turn forces, so that with them anything
/// may; so may moments and what turns.
fn may_be_pressed(model: &Checked, slider: &Slider) -> bool {
    let place = model.points[slider.point].position;
    let near = slider.path.iter().map(|part| model.nearest_on_part(*part, place));
    let Some(nearest) = near.min_by(|a, b| a.distance.total_cmp(&b.distance)) else {
        return true;
    };
    let (sin, cos) = nearest.place.angle.sin_cos();
    let crosses = |[x, y]: [f64; 2]| (y * cos - x * sin).abs() > ACROSS * x.hypot(y);
    let turns_forces =
        !model.hinges.is_empty() || !model.pins.is_empty() || !model.couplings.is_empty();
    if turns_forces {
        return model.gravity != [0.0; 2]
            || !model.loads.is_empty()
            || !model.line_loads.is_empty()
            || !model.motions.is_empty()
            || !model.springs.is_empty()
            || !model.inputs.is_empty();
    }
    let unit = |axis: usize| [0, 1].map(|i| f64::from(u8::from(i == axis)));
    // Forces along x and y, and what comes behind them: moments and what follows.
    let acts = |components: &[f64]| {
        let (forces, others) = components.split_at(2);
        crosses([forces[0], forces[1]]) || others.iter().any(|moment| *moment != 0.0)
    };
    let spring = |between: &Between| match *between {
        Between::Line { from, to } => {
            let [a, b] = [from.point(), to].map(|point| model.points[point].position);
            a == b || crosses([b[0] - a[0], b[1] - a[1]])
        }
        Between::Axis { axis, .. } => crosses(unit(axis)),
        Between::Along { direction, .. } => crosses(direction),
        Between::Bushing { .. } | Between::Sections { .. } => true,
    };
    let motion = |direction| match direction {
        Direction::X => crosses(unit(0)),
        Direction::Y => crosses(unit(1)),
        Direction::Rotation => true,
    };
    let input = |input: &InputVariable| match input.input {
        Input::Load { component, .. }
        | Input::LineLoad { component, .. }
        | Input::Gravity { component } => component > 1 || crosses(unit(component)),
        // What they drive is there itself.
        Input::MotionPosition { .. }
        | Input::MotionRate { .. }
        | Input::MotionAcceleration { .. }
        | Input::Spring { .. }
        | Input::Bushing { .. }
        | Input::SwitchedOff => false,
    };
    crosses(model.gravity)
        || model.loads.iter().any(|load| acts(&load.components))
        || model.line_loads.iter().any(|load| acts(&load.components))
        || model.springs.iter().any(|own| spring(&own.between))
        || model.motions.iter().any(|own| motion(own.direction))
        || model.inputs.iter().any(input)
}

/// Joints and contacts with friction whose normal force at the start of a dynamic analysis is not that of the equilibrium: elastic members begin
/// unstrained and do not carry their weight yet, so that static friction bears less than it seems.
pub fn unstrained(system: &System, start: &State) -> Vec<String> {
    let model = system.model();
    let begin = &model.start;
    let rests = begin.velocities == StartVelocities::Rest && begin.given.is_empty();
    let dynamic = model.solver.analysis == Analysis::Dynamic && begin.equilibrium.is_none();
    let rough = frictional(model);
    if !(rests && dynamic && model.has_elastic_parts() && model.gravity != [0.0, 0.0])
        || rough.is_empty()
    {
        return Vec::new();
    }
    let inputs: Vec<f64> = model.inputs.iter().map(|input| input.start).collect();
    let Ok(settled) = equilibrium(system, &inputs) else {
        return Vec::new();
    };
    let all = outputs::all(model);
    let overloaded = locked_beyond_friction(system, &settled);
    let forces = rough.into_iter().filter_map(|path| {
        if overloaded.iter().any(|own| path == format!("joints.{}", own.joint)) {
            return None;
        }
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

/// Joints that the equilibrium `state`, which is called `what`, locks with more than their friction bears.
pub fn of_equilibrium(system: &System, state: &State, what: &str) -> Vec<String> {
    let line = |Overloaded { joint, needed, bears }| {
        format!(
            "joints.{joint}: {what} locks it with {} N along its path, and its static friction is at most {} N: with friction this is no equilibrium, it slides; \
             write `fixed_sliders = \"none\"` for the equilibrium without friction, or simulate it",
            rounded(needed, 4),
            rounded(bears, 4),
        )
    };
    locked_beyond_friction(system, state).into_iter().map(line).collect()
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

/// Laws by expressions that would give energy: coefficients below 0, which count as 0, and forces with memory.
pub fn giving_energy(model: &Checked) -> Vec<String> {
    let sliders = model.sliders.iter().map(|slider| ("joints", &slider.name, &slider.friction));
    let contacts = model.contacts.iter().map(|c| ("contacts", &c.name, &c.friction));
    let mut lines: Vec<String> = Vec::new();
    for (section, name, law) in sliders.chain(contacts) {
        let path = format!("{section}.{name}.friction.{}", law.name());
        if let (Friction::Expression(_), Some((speed, at, value))) =
            (law, law.negative_coefficient())
        {
            lines.push(format!(
                "{path}: the coefficient is {} at v = {} m/s, N = {} N, x = {} m and t = {} s, and counts as 0 there: friction that drives \
                 would add energy",
                short(value),
                short(speed),
                short(at.normal_force.re),
                short(at.position.re),
                short(at.time)
            ));
        }
        if let Some(gain) = law.energy_gain() {
            lines.push(format!(
                "{path} gives energy, {} J in two cycles of {} m at {} Hz from rest under {} N; look for a sign, or a state that grows with the \
                 motion that unloads it",
                short(gain.energy),
                short(gain.amplitude),
                short(gain.frequency),
                short(gain.normal_force)
            ));
        }
    }
    lines.dedup();
    lines
}
