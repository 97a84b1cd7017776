//! Elements too few, or of too low an order, for what bends them.

use std::f64::consts::{PI, TAU};

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Analysis, Carrier, Course, Direction, Extent, Member, MemberId, Moved, Properties, Target,
};
use coulisse::model::history::{History, MotionLaw};
use coulisse::system::State;

use crate::number::short;

/// So many times too stiff in bending is worth a word.
const TOO_STIFF: f64 = 1.05;

/// Turn (rad) of an element of order 3 or more from which on its deflections are about 2 % too small.
const TURNED: f64 = 1.5;

/// Section and material of a member whose elements bend by polynomials of order 2 or more of their own.
fn bending(member: &Member) -> Option<&Properties> {
    let own = matches!(member.course, Course::Axis(_)) && member.rigid.is_none();
    (member.properties.as_ref()).filter(|_| own && member.order >= 2)
}

/// Elements of members that are bent so far in a state, that `when` names, that their polynomials do not follow.
///
/// A straight one of order 2 cannot bend to an arc without being stretched: with the turn φ from end to end, its length h and the radius of inertia r
/// of its section it is 1 + φ² (h/r)²/360 times too stiff. One of order 3 bent to an arc is 0.4 % too stiff at 1 rad, 2 % at 1.5 rad and 4 %
/// at 2 rad, one of order 4 less than 0.2 % at 1.5 rad and 2 % at 3 rad, whatever its section.
pub fn bent(model: &Checked, state: &State, when: &str) -> Vec<String> {
    let nodes = model.nodes();
    let mut lines = Vec::new();
    for (id, member) in model.members.iter().enumerate() {
        let Some(p) = bending(member) else {
            continue;
        };
        let turned = |node: usize| {
            let rotation = nodes.of_member(id)[node].unknown(Direction::Rotation);
            state.q[rotation] - nodes.initial[rotation]
        };
        let order = member.order;
        let turns = (0..member.elements).map(|e| turned(order * (e + 1)) - turned(order * e));
        let turn = turns.fold(0.0, |most: f64, turn| most.max(turn.abs()));
        let h = model.length_of(id) / member.elements as f64;
        let factor = 1.0 + (turn * h).powi(2) * p.area / (360.0 * p.second_moment);
        let name = &member.name;
        if order == 2 && member.course.is_straight() && factor > TOO_STIFF {
            lines.push(format!(
                "members.{name} has elements of order 2, and one turns by {}° from end to end {when}: bent so far it is about {} times too stiff; \
                 leave `order` out for 3",
                rounded(turn.to_degrees(), 2),
                rounded(factor, 3),
            ));
        } else if order > 2 && turn > TURNED * f64::from(order as u8 - 2) {
            lines.push(format!(
                "members.{name}: an element of order {order} turns by {}° from end to end {when}, which makes deflections 2 % too small or more; \
                 write `elements = {}` or more",
                rounded(turn.to_degrees(), 3),
                2 * member.elements,
            ));
        }
    }
    lines
}

/// Half waves along an element of order p from which on the frequency of a bending wave is about 10 % too high (4 % with order 4).
fn most_waves(order: usize) -> f64 {
    0.5 * (order as f64 - 1.0)
}

/// Members that are shaken faster than their elements can bend.
pub fn shaken(model: &Checked) -> Vec<String> {
    if model.solver.analysis == Analysis::QuasiStatic {
        return Vec::new();
    }
    let mut lines: Vec<String> = Vec::new();
    let mut told: Vec<MemberId> = Vec::new();
    for (path, frequency, members) in excited(model) {
        for id in members {
            let member = &model.members[id];
            let Some(p) = bending(member) else {
                continue;
            };
            let by_length = p.density * p.area;
            if by_length == 0.0 || told.contains(&id) {
                continue;
            }
            // k⁴ E I = ρ A ω² of the waves of Euler and Bernoulli.
            let wave = (p.young_modulus * p.second_moment / by_length).powf(0.25);
            let half = PI * wave / (TAU * frequency).sqrt();
            let length = model.length_of(id);
            let h = length / member.elements as f64;
            let waves = h / half;
            if waves > most_waves(member.order) {
                told.push(id);
                lines.push(format!(
                    "members.{}: {path} acts on it with {} Hz, of which half a bending wave is {} m long, and an element of order {} has {} m; write \
                     `elements = {}` or more",
                    member.name,
                    short(frequency),
                    rounded(half, 3),
                    member.order,
                    rounded(h, 3),
                    (2.0 * length / half / (member.order as f64 - 1.0)).ceil(),
                ));
            }
        }
    }
    lines
}

/// Loads and motions that swing: path, frequency (Hz), and the members that they act on.
fn excited(model: &Checked) -> Vec<(String, f64, Vec<MemberId>)> {
    let frequency = |history: &History| match history {
        History::Sine { frequency, .. } if *frequency != 0.0 => Some(frequency.abs()),
        _ => None,
    };
    let loads = model.loads.iter().filter_map(|load| {
        let own = frequency(&load.factors.history)?;
        Some((&load.name, own, model.members_at(load.point)))
    });
    let line_loads = model.line_loads.iter().filter_map(|load| {
        let own = frequency(&load.factors.history)?;
        let (Extent::Along { carrier, .. } | Extent::At { carrier, .. }) = load.extent else {
            return None;
        };
        match carrier {
            Carrier::Member(id) => Some((&load.name, own, vec![id])),
            Carrier::Edge(_) => None,
        }
    });
    let loads = loads
        .chain(line_loads)
        .map(|(name, own, members)| (format!("loads.{name}"), own, members));
    let on = |target: Target| match target {
        Target::Point { point, .. } => model.members_at(point),
        Target::Member(id) => vec![id],
        Target::Body(_) | Target::Edge(_) => Vec::new(),
    };
    let motions = model.motions.iter().filter_map(|motion| {
        let MotionLaw::Scaled { value, history } = &motion.law else {
            return None;
        };
        let own = frequency(history).filter(|_| *value != 0.0)?;
        let members = match &motion.moved {
            Moved::Target(target) => on(*target),
            Moved::Supports(supports) => (supports.iter())
                .flat_map(|&k| on(model.supports[k].target))
                .collect(),
            Moved::Coupling(_) => Vec::new(),
        };
        Some((format!("motions.{}", motion.name), own, members))
    });
    loads.chain(motions).collect()
}
