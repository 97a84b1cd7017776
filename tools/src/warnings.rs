//! What may go wrong in a model without faults: what a person who looks at it would ask about.

mod bearings;
mod connections;
mod friction;
mod guides;
mod isolated;
mod jams;
mod masses;
mod members;
mod meshes;
mod mobility;
mod rubber;
mod springs;
mod steps;
mod tables;
mod units;

use std::f64::consts::TAU;

use coulisse::axis::turn;
use coulisse::joints::regime::End;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Analysis, Axes, Between, Carrier, DampingLaw, Direction, Member, MemberId, MemberLine, Motion,
    Moved, Part, PathEnds, PathPart, PointId, SliderKind, StartVelocities, Target,
};
use coulisse::model::history::MotionLaw;
use coulisse::start::{slid, strained};
use coulisse::system::{Bending, State, System};

use crate::number::short;

/// Acceleration of gravity in what warnings compare with, m/s².
const GRAVITY: f64 = 9.81;

pub use friction::of_equilibrium;
pub use guides::small_patches;

/// Share of a member's length up to which a point lies on it, and from which on it is not its end.
const ON: f64 = 1e-6;

/// So many times too stiff in bending is worth a word.
const TOO_STIFF: f64 = 1.02;

/// So many of its slowest vibrations in one step make a member as good as rigid.
const IN_A_STEP: f64 = 10.0;

/// Share of a member that is near its end, and the turn (rad) along a whole member of the curvature there that is worth a word.
const NEAR: f64 = 1e-3;
const BENT: f64 = 0.01;

/// (β L)² of the first vibration of a cantilever.
const CANTILEVER: f64 = 3.516;

/// All of a model and its start, in sentences.
pub fn of(system: &System, start: &State) -> Vec<String> {
    let model = system.model();
    [
        units::of_materials(model),
        rubber::unstable(model),
        units::of_lengths(model),
        units::of_friction(model),
        units::of_gravity(model),
        units::of_comments(model),
        units::of_angles(model),
        units::of_waves(model),
        units::of_parts(model),
        masses::of_cantilevers(model),
        tables::of_other_units(model),
        tables::too_strong(model),
        points_on_members(model),
        stiff_in_bending(model),
        flutter(model),
        jolts(model),
        turned_at_once(model),
        damped_while_turning(model),
        mobility::locked(system),
        mobility::frozen(system),
        guides::between_corners(model),
        guides::wedged(model),
        guides::far_from_its_faces(model),
        bearings::clamped(model),
        connections::loose(model),
        connections::dragged(model),
        isolated::damped(model),
        isolated::damped_in_space(system),
        friction::giving_energy(model),
        friction::unpressed(system, start),
        friction::unstrained(system, start),
        slid(system, start),
        strained(system, start).into_iter().collect(),
        jams::of_joints(model),
        jams::of_contacts(model),
        connections::massless(model),
        steps::against_each_other(model),
        steps::against_motions(model),
        steps::against_samples(model),
        springs::reversed(model),
        springs::begun_in_stops(model),
        springs::giving_energy(model),
        tables::leaving_their_range(model),
        tables::too_late(model),
        tables::of_friction(model),
        meshes::large(model),
        meshes::stiff_in_bending(model),
        of_state(system, start, "at the start"),
        members::shaken(model),
        members::undamped(model),
        as_good_as_rigid(model),
    ]
    .concat()
}

/// Numbers that look as if they were in other units, which may be why there is no start.
pub fn of_units(model: &Checked) -> Vec<String> {
    [
        units::of_materials(model),
        units::of_lengths(model),
        units::of_gravity(model),
        units::of_comments(model),
        units::of_waves(model),
        units::of_parts(model),
        masses::of_cantilevers(model),
        tables::of_other_units(model),
    ]
    .concat()
}

/// What makes a run useless although it ends well, and what it does not take from its file.
pub fn of_run(system: &System, start: &State) -> Vec<String> {
    let model = system.model();
    [
        tables::of_other_units(model),
        friction::unpressed(system, start),
        jams::of_joints(model),
        jams::of_contacts(model),
        steps::against_each_other(model),
    ]
    .concat()
}

/// What jams by its drawing alone.
pub fn of_jams(model: &Checked) -> Vec<String> {
    [jams::of_joints(model), jams::of_contacts(model), guides::wedged(model)].concat()
}

/// What of a mesh is too coarse for a state, that `when` names.
pub fn of_state(system: &System, state: &State, when: &str) -> Vec<String> {
    let bent = (0..system.model().members.len())
        .filter_map(|member| Bending::of(system, member).warning(state, || when.to_owned()));
    let mut lines: Vec<String> = bent.collect();
    lines.extend(small_patches(system, state, when));
    lines
}

/// Points that lie on a member without being connected with it.
fn points_on_members(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (point, described) in model.points.iter().enumerate() {
        if described.is_nameless() || !is_loaded(model, point) {
            continue;
        }
        let beside = (0..model.members.len()).filter(|&m| lies_inside(model, point, m));
        for member in beside {
            lines.push(format!(
                "point `{}` lies on member `{member}` and is not connected with it; let one member end there and another begin, or write a joint if \
                 the point slides",
                described.name,
                member = model.members[member].name,
            ));
        }
    }
    lines
}

/// Whether a point carries something and nothing carries it: what is on it would fall through the member.
fn is_loaded(model: &Checked, point: PointId) -> bool {
    let loaded = model.masses.iter().any(|m| m.point == point)
        || model.loads.iter().any(|l| l.point == point);
    let held = model.is_among(point, model.supports.iter().map(|s| s.target));
    let slides = model.sliders_of_joints().any(|(_, s)| s.point == point);
    let carried = !model.members_at(point).is_empty() || model.bodies_at(point).next().is_some();
    loaded && !held && !slides && !carried
}

/// Whether a point is on a member and none of its ends.
fn lies_inside(model: &Checked, point: PointId, member: MemberId) -> bool {
    let described = &model.members[member];
    if described.properties.is_none() || model.members_at(point).contains(&member) {
        return false;
    }
    let part = PathPart { carrier: Carrier::Member(member), reversed: false };
    let (place, length) = (model.points[point].position, model.length_of(member));
    let nearest = model.nearest_on_part(part, place);
    let inside = ON * length..(1.0 - ON) * length;
    nearest.distance <= ON * length && inside.contains(&nearest.along)
}

/// Members of order 1, whose elements bend as straight pieces under shear: about 1 + G A h²/(12 E I) times too stiff.
fn stiff_in_bending(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, member) in model.members.iter().enumerate() {
        let Some(p) =
            member.properties.as_ref().filter(|_| member.order == 1 && member.elements > 1)
        else {
            continue;
        };
        let h = model.length_of(id) / member.elements as f64;
        let factor =
            1.0 + p.shear_modulus * p.area * h * h / (12.0 * p.young_modulus * p.second_moment);
        if factor > TOO_STIFF {
            lines.push(format!(
                "members.{} has elements of order 1, about {} times too stiff in bending: deflections {} % too small; leave `order` out for 3",
                member.name,
                rounded(factor, 3),
                rounded(100.0 * (1.0 - 1.0 / factor), 2)
            ));
        }
    }
    lines
}

/// Friction of surfaces without any damping.
fn flutter(model: &Checked) -> Vec<String> {
    let lines = model.may_flutter().into_iter().map(|(contact, part)| {
        format!(
            "contacts.{name} has friction with a coefficient of {} on {}, which nothing damps: steady sliding may be unstable (flutter), because \
             friction makes the stiffness unsymmetric; see with `coulisse modes --sliding --contact {name} --time T` whether it is; a [damping.NAME] with \
             a stiffness_coefficient of 1e-5 to 1e-4 s often cures it",
            rounded(contact.friction.largest_coefficient(), 3),
            part.quoted(model),
            name = contact.name,
        )
    });
    lines.collect()
}

/// Cranks that turn from the first instant on where everything else is at rest. What is pushed along a line may well be all that moves.
fn jolts(model: &Checked) -> Vec<String> {
    let start = &model.start;
    let rests = start.velocities == StartVelocities::Rest && start.given.is_empty();
    if model.solver.analysis == Analysis::QuasiStatic || !rests {
        return Vec::new();
    }
    let turning = (model.motions.iter()).filter(|m| m.direction == Direction::Rotation);
    let rates = turning.filter_map(|motion| {
        let rate = match &motion.law {
            MotionLaw::Rate(rate) => *rate,
            MotionLaw::Scaled { value, history } => value * history.at(0.0)[1],
            // A record begins with what was recorded.
            MotionLaw::Position(_) | MotionLaw::Acceleration(_) | MotionLaw::Record { .. } => 0.0,
        };
        (rate != 0.0).then_some((motion, rate))
    });
    let line = |(motion, rate): (&Motion, f64)| {
        format!(
            "motions.{} begins with {} rad/s while everything else is at rest: an impact on all that it moves; write `velocities = \"rigid_mechanism\"` in \
             [initial], so that the mechanism moves with it, or let it begin with a ramp",
            motion.name,
            rounded(rate, 3),
        )
    };
    rates.map(line).collect()
}

/// Prismatic sliders on paths that go on straight behind an end at which they are curved: what turns with the path stops turning there
/// in no time.
fn turned_at_once(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, slider) in model.sliders_of_joints() {
        let goes_on = |end: End| match slider.ends {
            PathEnds::Continue => true,
            PathEnds::StopAt(stop) => stop != end,
            _ => false,
        };
        let ends = [(End::First, slider.path.first()), (End::Last, slider.path.last())];
        for (end, part) in ends {
            let (SliderKind::Prismatic, true, Some(part)) = (slider.kind, goes_on(end), part)
            else {
                continue;
            };
            let Carrier::Member(member) = part.carrier else {
                continue;
            };
            let member = &model.members[member];
            let MemberLine::Axis(axis) = &member.line else {
                continue;
            };
            let (from, to) = match part.reversed == (end == End::First) {
                true => (1.0 - NEAR, 1.0),
                false => (0.0, NEAR),
            };
            let turned = turn(axis.at(from).angle, axis.at(to).angle).abs();
            if turned > NEAR * BENT {
                lines.push(format!(
                    "joints.{} turns with its path, which is curved (radius {} m) at the {} of member `{}` and goes on straight behind it: there it \
                     stops turning at once, an impact on what turns with it; put a straight member at the end of the path",
                    slider.name,
                    rounded(NEAR * axis.length() / turned, 3),
                    if to < 1.0 { "beginning" } else { "end" },
                    member.name,
                ));
            }
        }
    }
    lines
}

/// Members that turn for ever under a motion, itself or by gears, while their initial stiffness damps them: D = c_k K₀ stays
/// as it is, so that it brakes the rotation, too.
fn damped_while_turning(model: &Checked) -> Vec<String> {
    let runs = |motion: &Motion| {
        motion.direction == Direction::Rotation
            && matches!(motion.law, MotionLaw::Rate(rate) if rate != 0.0)
    };
    let mut turning: Vec<(PointId, Option<MemberId>)> = Vec::new();
    for motion in model.motions.iter().filter(|motion| runs(motion)) {
        match motion.moved {
            Moved::Target(Target::Point { point, member }) => turning.push((point, member)),
            Moved::Coupling(id) => {
                if let Between::Sections { from: None, to } = model.couplings[id].driven {
                    turning.push(to);
                }
            }
            Moved::Target(_) | Moved::Supports(_) => {}
        }
    }
    // What is geared to what turns does so, too.
    loop {
        let before = turning.len();
        for coupling in &model.couplings {
            let sections: Vec<_> = (coupling.coordinates())
                .filter_map(|between| match *between {
                    Between::Sections { from: None, to } => Some(to),
                    _ => None,
                })
                .collect();
            let all = sections.len() == coupling.coordinates().count();
            let still = sections.iter().filter(|to| !turning.contains(to));
            let still: Vec<_> = still.copied().collect();
            if let ([one], true) = (&still[..], all) {
                turning.push(*one);
            }
        }
        if turning.len() == before {
            break;
        }
    }
    let mut lines = Vec::new();
    for entry in &model.damping {
        let by_stiffness = match entry.law {
            DampingLaw::Coefficients(law) => law.stiffness > 0.0,
            DampingLaw::Modes { .. } => true,
        };
        let turns = |part: &&Part| match **part {
            Part::Member(member) => turning.iter().any(|(point, own)| {
                own.map_or(model.members_at(*point).contains(&member), |own| own == member)
            }),
            Part::Body(_) => false,
        };
        let drawn = entry.axes == Axes::Initial && by_stiffness;
        if let Some(part) = entry.parts.iter().find(turns).filter(|_| drawn) {
            lines.push(format!(
                "damping.{} damps {}, which goes on turning, in the axes of its initial configuration: that brakes the rotation itself; write \
                 `axes = \"turning\"`, or leave `axes` out",
                entry.name,
                part.quoted(model)
            ));
        }
    }
    lines
}

/// Members so stiff that nothing of their vibrations is seen in a step: often a way to write what is rigid.
fn as_good_as_rigid(model: &Checked) -> Vec<String> {
    let step = model.solver.step;
    let slowest = |member: &Member| {
        // What is lighter than foam stands for a spring, or is in other units.
        let p = member.properties.as_ref().filter(|p| p.density > units::FOAM)?;
        let MemberLine::Axis(axis) = &member.line else {
            return None;
        };
        let wave = (p.young_modulus * p.second_moment / p.mass_by_length()).sqrt();
        Some(CANTILEVER * wave / (TAU * axis.length().powi(2)))
    };
    let dynamic = model.solver.analysis == Analysis::Dynamic;
    let members = model.members.iter().filter(|_| dynamic);
    let stiff = members.filter_map(|member| Some((member, slowest(member)?)));
    stiff
        .filter(|(_, frequency)| frequency * step >= IN_A_STEP)
        .map(|(member, frequency)| {
            format!(
                "members.{}: its slowest vibration as a cantilever has {} Hz, {} in a step of {} s, which no step resolves; if it represents \
                 something rigid, write `rigid = true`",
                member.name,
                short(frequency),
                rounded(frequency * step, 2),
                short(step),
            )
        })
        .collect()
}
