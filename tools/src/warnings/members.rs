//! Elements too few, or of too low an order, for what bends them.

use std::f64::consts::{PI, TAU};

use coulisse::laws::friction::Friction;
use coulisse::laws::spring::{Damper, Elastic};
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Carrier, Extent, MemberId, Moved, Spring, Target};
use coulisse::model::history::{History, MotionLaw};

use crate::number::short;

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
    let mut reported: Vec<MemberId> = Vec::new();
    for (path, frequency, members) in excited(model) {
        for id in members {
            let member = &model.members[id];
            let Some(p) = member.bending() else {
                continue;
            };
            let by_length = p.mass_by_length();
            if by_length == 0.0 || reported.contains(&id) {
                continue;
            }
            // k⁴ E I = ρ A ω² of the waves of Euler and Bernoulli.
            let wave = (p.young_modulus * p.second_moment / by_length).powf(0.25);
            let half = PI * wave / (TAU * frequency).sqrt();
            let length = model.length_of(id);
            let h = length / member.elements as f64;
            let waves = h / half;
            if waves > most_waves(member.order) {
                reported.push(id);
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

/// Elastic members of a mechanism that swings and in which nothing dissipates: there is no steady vibration to wait for.
pub fn undamped(model: &Checked) -> Vec<String> {
    let swinging = excited(model);
    let Some((path, ..)) = swinging.first() else {
        return Vec::new();
    };
    let dashpot = |spring: &Spring| {
        let law = &spring.law;
        let by_law = matches!(&law.elastic, Elastic::Law(law) if law.damps());
        by_law || law.damper != Damper::Linear || law.setting.damping > 0.0 || law.slip.is_some()
    };
    let dissipates = !model.damping.is_empty()
        || model.springs.iter().any(dashpot)
        || model.sliders.iter().any(|slider| slider.friction != Friction::None)
        || model.contacts.iter().any(|contact| contact.friction != Friction::None);
    if model.solver.analysis == Analysis::QuasiStatic || dissipates {
        return Vec::new();
    }
    let is_still =
        |id: MemberId| model.supports.iter().any(|support| support.target == Target::Member(id));
    let vibrating = model.members.iter().enumerate().filter(|(id, member)| {
        let heavy = member.bending().is_some_and(|properties| properties.density > 0.0);
        heavy && !is_still(*id)
    });
    let names: Vec<String> = vibrating.map(|(_, member)| format!("\"{}\"", member.name)).collect();
    let Some(first) = names.first() else {
        return Vec::new();
    };
    let own = if names.len() == 1 { "it" } else { "any member" };
    vec![format!(
        "members.{}: {path} swings and nothing damps {own}: vibrations that the start excites never die away, and no steady one is \
         reached; write [damping.NAME] with `members = [{}]` and, for 1 % in two modes, `ratios = [0.01, 0.01]` and `modes = [1, 2]`",
        first.trim_matches('"'),
        names.join(", ")
    )]
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
    let loads =
        loads.chain(line_loads).map(|(name, own, members)| (format!("loads.{name}"), own, members));
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
            Moved::Supports(supports) => {
                (supports.iter()).flat_map(|&k| on(model.supports[k].target)).collect()
            }
            Moved::Coupling(_) => Vec::new(),
        };
        Some((format!("motions.{}", motion.name), own, members))
    });
    loads.chain(motions).collect()
}
