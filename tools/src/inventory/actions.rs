//! Supports, motions and loads.

use coulisse::model::Checked;
use coulisse::model::checked::{Direction, Extent, Moved, Target};
use coulisse::model::history::{History, MotionLaw};

use super::word;
use crate::table::{Cell, Table};

fn target(model: &Checked, target: Target) -> String {
    match target {
        Target::Point { point, member: None } => format!("point {}", model.points[point].name),
        Target::Point { point, member: Some(m) } => {
            format!("point {}, end of member {}", model.points[point].name, model.members[m].name)
        }
        Target::Member(m) => format!("all of member {}", model.members[m].name),
        Target::Body(b) => format!("all of body {}", model.bodies[b].name),
        Target::Edge(edge) => format!("edge {}", model.name_of_edge(edge)),
    }
}

fn history(history: &History) -> String {
    match history {
        History::Constant => "constant".to_owned(),
        History::Ramp { start, duration, .. } => {
            format!("ramp from 0 to 1 in {duration} s, from {start} s on")
        }
        History::Sine { frequency, phase } => {
            format!("sine of {frequency} Hz, phase {phase} rad")
        }
        History::Expression(function) => function.text.clone(),
        History::Table(_, interpolation) => {
            format!("table of values, {} between them", interpolation.word())
        }
    }
}

pub fn supports(model: &Checked) -> Table {
    let rows = model.supports.iter().map(|s| {
        let fixed: Vec<&str> = s.fixed.iter().map(|d| word(*d)).collect();
        [Cell::name(&s.name), target(model, s.target).into(), fixed.join(", ").into()]
    });
    Table::new("Supports", ["Support", "Of", "Fixes"], rows)
}

pub fn motions(model: &Checked) -> Table {
    let rows = model.motions.iter().map(|m| {
        let unit = if m.direction == Direction::Rotation { "rad" } else { "m" };
        let law = match &m.law {
            MotionLaw::Position(value) => format!("fixed at {value} {unit}"),
            MotionLaw::Rate(rate) => format!("{rate} {unit}/s"),
            MotionLaw::Acceleration(value) => format!("{value} {unit}/s² from rest"),
            MotionLaw::Scaled { history: History::Expression(function), value: 1.0 } => {
                format!("{} {unit}", function.text)
            }
            MotionLaw::Scaled { value, history: h } => format!("{value} {unit} × {}", history(h)),
            MotionLaw::Record { ground, scale, start } => {
                let [from, to] = ground.span();
                format!("{scale} × record of {} s from {} s", to - from, from + start)
            }
        };
        let (of, direction) = match &m.moved {
            Moved::Target(of) => (target(model, *of), word(m.direction)),
            Moved::Coupling(id) => {
                let coupling = &model.couplings[*id];
                (format!("coupling {}", coupling.name), coupling.driven.direction())
            }
            Moved::Supports(list) => {
                let names: Vec<&str> =
                    list.iter().map(|&s| model.supports[s].name.as_str()).collect();
                (format!("supports {}", names.join(", ")), word(m.direction))
            }
        };
        [Cell::name(&m.name), of.into(), direction.into(), law.into()]
    });
    Table::new("Imposed motions", ["Motion", "Of", "Direction", "Law"], rows)
}

pub fn loads(model: &Checked) -> Table {
    let gravity = model.gravity != [0.0; 2];
    let [x, y] = match gravity {
        true => ["Along x in N; gravity m/s²", "Along y in N; gravity m/s²"],
        false => ["Along x in N", "Along y in N"],
    };
    let columns = ["Load", "At", x, y, "Moment in N·m", "In time"];
    let loads = model.loads.iter().map(|l| {
        let [x, y, moment] = [0, 1, 2].map(|c| match &l.factors.own[c] {
            Some(function) => Cell::name(&function.text),
            None => l.components[c].into(),
        });
        let at = Cell::name(&model.points[l.point].name);
        [Cell::name(&l.name), at, x, y, moment, history(&l.factors.history).into()]
    });
    let gravity = gravity.then(|| {
        let [x, y] = model.gravity.map(Cell::from);
        ["gravity".into(), "all masses".into(), x, y, Cell::Empty, "constant".into()]
    });
    Table::new("Loads", columns, loads.chain(gravity))
}

pub fn line_loads(model: &Checked) -> Table {
    let columns = [
        "Load",
        "Along",
        "Where, m",
        "Size in N/m; in a section N, N·m; per volume N/m³",
        "Ends",
        "In time",
    ];
    let rows = model.line_loads.iter().map(|l| {
        let parts = (l.keys().iter().zip(l.components).zip(&l.factors.own))
            .filter(|((_, q), _)| *q != 0.0)
            .map(|((key, q), own)| match own {
                Some(function) => format!("{key} {}", function.text),
                None => format!("{key} {q}"),
            });
        let (along, place, ends) = match l.extent {
            Extent::At { carrier, place, .. } => {
                (carrier.name(model), format!("at {place}"), String::new())
            }
            Extent::Along { carrier, between: [from, to], variation: [first, last], .. } => {
                (carrier.name(model), format!("{from} to {to}"), format!("{first}, {last}"))
            }
            Extent::Through { body, gradient: [x, y], .. } => (
                model.bodies[body].quoted(),
                "per volume".to_string(),
                format!("gradient {x}, {y} 1/m"),
            ),
        };
        [
            Cell::name(&l.name),
            along.into(),
            place.into(),
            parts.collect::<Vec<_>>().join(", ").into(),
            ends.into(),
            history(&l.factors.history).into(),
        ]
    });
    Table::new("Loads along members and edges and through bodies", columns, rows)
}
