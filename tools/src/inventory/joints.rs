//! Joints, contacts of surfaces, springs and couplings.

use coulisse::joints::regime::End;
use coulisse::laws::bearing::SliderBearing;
use coulisse::laws::spring::{Damper, Elastic};
use coulisse::laws::transmission::Transmission;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Bushing, PathEnds, Side, SideOf, Slider, SliderKind, Stiffness, SurfacePart,
};
use coulisse::quantity::Quantity;
use coulisse::system::System;

use super::{carriers, members};
use crate::number::short;
use crate::table::{Cell, Table};

pub fn joints(model: &Checked) -> Table {
    let columns = ["Joint", "Kind", "At", "Path or members", "At the path's ends", "Friction"];
    let hinges = model.hinges.iter().map(|hinge| {
        let released = hinge.released.iter().map(|group| members(model, group).join(" + "));
        [
            Cell::name(&hinge.name),
            "hinge".into(),
            Cell::name(&model.points[hinge.point].name),
            format!("releases {}", released.collect::<Vec<_>>().join(", ")).into(),
            Cell::Empty,
            Cell::Empty,
        ]
    });
    let sliders = model.single_sliders().map(|id| {
        let slider = &model.sliders[id];
        let at = Cell::name(&model.points[slider.point].name);
        sliding(model, id, &slider.name, kind(slider).into(), at)
    });
    let edges = model.sliding_edges.iter().map(|edge| {
        let [kind, at] = edge.summary(model);
        // Its nodes differ by their places only.
        sliding(model, edge.sliders.start, &edge.name, kind.into(), at.into())
    });
    let pins = model.pins.iter().map(|pin| {
        [
            Cell::name(&pin.name),
            "pin: by the mean position of the hole".into(),
            Cell::name(model.name_of_edge(pin.hole)),
            format!("on {}", pin.on.name(model)).into(),
            Cell::Empty,
            Cell::Empty,
        ]
    });
    Table::new("Joints", columns, hinges.chain(sliders).chain(edges).chain(pins))
}

/// The row of a joint that slides as this slider does.
fn sliding(model: &Checked, slider: usize, name: &str, kind: Cell, at: Cell) -> [Cell; 6] {
    let Slider { path, ends, .. } = &model.sliders[slider];
    let ends = match ends {
        PathEnds::Stop | PathEnds::StopAt(_) => "stops",
        PathEnds::Error => "the step is refused",
        PathEnds::Continue => "goes on straight",
        PathEnds::Closed => "closed",
        PathEnds::Leave => "leaves the path",
    };
    let friction = model.friction_of(slider).summary();
    [Cell::name(name), kind, at, carriers(model, path).into(), ends.into(), friction.into()]
}

fn kind(slider: &Slider) -> String {
    let faces_apart = |height: f64| match height {
        0.0 => String::new(),
        _ => format!(", has friction on two faces {} m apart", short(height)),
    };
    match (slider.kind, slider.bearing) {
        (SliderKind::Cylindrical, _) => match slider.side {
            None => "cylindrical: slides and turns".to_owned(),
            Some(side) => {
                let side = if side == Side::Left { "left" } else { "right" };
                format!("cylindrical: slides, turns and may lift off to the {side} of growing s")
            }
        },
        (SliderKind::Corner, _) => "corner of a contact".to_owned(),
        (SliderKind::Edge, _) => "friction of an edge".to_owned(),
        (SliderKind::Hinge, _) => "friction of a hinge".to_owned(),
        (SliderKind::Stop, _) => "stop of a spring".to_owned(),
        (SliderKind::Prismatic, SliderBearing::Point | SliderBearing::Pin) => {
            "prismatic: slides, does not turn".to_owned()
        }
        (SliderKind::Prismatic, SliderBearing::Ends { length, height }) => format!(
            "prismatic: slides, does not turn; in contact at two ends {} m apart{}",
            short(length),
            faces_apart(height)
        ),
        (SliderKind::Prismatic, SliderBearing::Layer { length, height }) => format!(
            "prismatic: slides, does not turn; in contact along a contact layer of {} m{}",
            short(length),
            faces_apart(height)
        ),
    }
}

pub fn contacts(system: &System) -> Table {
    let model = system.model();
    let columns = [
        "Contact",
        "Surface",
        "Path",
        "Width in m",
        "Clearance in m",
        "Points",
        "Stiffness of its layer",
        "Friction",
    ];
    let surface = |parts: &[SurfacePart]| {
        let names: Vec<String> = parts.iter().map(|&part| model.name_of_surface(part)).collect();
        Cell::from(names.join(", "))
    };
    let soft = model.contacts.iter().enumerate().map(|(id, contact)| {
        [
            Cell::name(&contact.name),
            surface(&contact.surface),
            carriers(model, &contact.guide.path).into(),
            contact.guide.width.into(),
            contact.guide.clearance.into(),
            system.surfaces.count_of_points(id).into(),
            stiffness(system, id).into(),
            contact.friction.summary().into(),
        ]
    });
    let rigid = model.rigid_contacts.iter().map(|contact| {
        let corner = &model.sliders[contact.corners.start];
        let friction = if corner.impact_friction { ", friction in impacts" } else { "" };
        [
            Cell::name(&contact.name),
            surface(&contact.surface),
            carriers(model, &contact.guide.path).into(),
            contact.guide.width.into(),
            contact.guide.clearance.into(),
            contact.corners.len().into(),
            format!("rigid: restitution {}{friction}", short(corner.restitution)).into(),
            corner.friction.summary().into(),
        ]
    });
    Table::new("Contacts of surfaces", columns, soft.chain(rigid))
}

/// Stiffness of the contact layer, of `"penalty"` what it comes to.
fn stiffness(system: &System, contact: usize) -> String {
    let [low, high] = system.surfaces.stiffness_of(contact).map(short);
    let range = if low == high { low } else { format!("{low} to {high}") };
    match system.model().contacts[contact].stiffness {
        Stiffness::Surface(_) => format!("{range} Pa"),
        Stiffness::Penalty(_) => format!("penalty: {range} Pa"),
        Stiffness::Nodes(_) => format!("{range} N/m at each node"),
    }
}

pub fn springs(model: &Checked) -> Table {
    let columns = ["Spring", "Between", "Along", "In the initial configuration", "Parts"];
    let bushings = model.bushings.iter().map(|bushing| {
        let frame = match bushing.sides.frame {
            SideOf::From => "frame of from",
            SideOf::To => "frame of to",
        };
        let between = &model.springs[bushing.springs.start].between;
        [
            Cell::name(&bushing.name),
            model.name_of_ends(between).into(),
            frame.into(),
            Cell::Empty,
            parts_of_bushing(bushing).into(),
        ]
    });
    let springs = model.lone_springs().map(|(id, spring)| {
        let between = &spring.between;
        let initial = with_unit(model.initial_measure(between), between.units().measure);
        [
            Cell::name(&spring.name),
            model.name_of_ends(between).into(),
            between.direction().into(),
            initial.into(),
            parts_of_spring(model, id).into(),
        ]
    });
    Table::new("Springs", columns, bushings.chain(springs))
}

fn with_unit(value: f64, quantity: Quantity) -> String {
    format!("{} {}", short(value), quantity.unit())
}

/// "stiffness 2e5, 2e5 N/m, 80 N.m/rad, damping …".
fn parts_of_bushing(bushing: &Bushing) -> String {
    let mut parts = Vec::new();
    let matrices = [
        ("stiffness", bushing.stiffness, ["N/m", "N/rad", "N.m/rad"]),
        ("damping", bushing.damping, ["N.s/m", "N.s/rad", "N.m.s/rad"]),
    ];
    for ((what, matrix, units), scale) in matrices.into_iter().zip(bushing.scales) {
        if matrix == [[0.0; 3]; 3] {
            continue;
        }
        let [x, y, r] = [0, 1, 2].map(|i| short(matrix[i][i]));
        parts.push(format!("{what} {x}, {y} {}, {r} {}", units[0], units[2]));
        let [xy, xr, yr] = [matrix[0][1], matrix[0][2], matrix[1][2]];
        if [xy, xr, yr] != [0.0; 3] {
            let [xy, xr, yr] = [xy, xr, yr].map(short);
            parts.push(format!("coupling {xy} {}, {xr}, {yr} {}", units[0], units[1]));
        }
        if scale != 1.0 {
            parts.push(format!("times {}", short(scale)));
        }
    }
    if bushing.force != [0.0; 3] {
        let [x, y, m] = bushing.force.map(short);
        parts.push(format!("actuator {x}, {y} N, {m} N.m"));
    }
    parts.join(", ")
}

/// "2e4 N/m from 0.4 m, damper 5 N.s/m, …".
fn parts_of_spring(model: &Checked, id: usize) -> String {
    let spring = &model.springs[id];
    let (law, units) = (&spring.law, spring.between.units());
    let set = &law.setting;
    let free = with_unit(set.free, units.measure);
    let mut parts = Vec::new();
    match &law.elastic {
        Elastic::Linear if set.stiffness > 0.0 => {
            parts.push(format!("{} from {free} on", with_unit(set.stiffness, units.stiffness)));
        }
        Elastic::Linear => {}
        Elastic::Table(_) => parts.push(format!("table from {free} on")),
        Elastic::Law(law) if law.springs() => {
            parts.push(format!("force {} from {free} on", law.text()));
        }
        Elastic::Law(law) => parts.push(format!("damper {}", law.text())),
    }
    match &law.damper {
        Damper::Linear if set.damping > 0.0 => {
            parts.push(format!("damper {}", with_unit(set.damping, units.damping)));
        }
        Damper::Linear => {}
        Damper::Table(_) => parts.push("damper by a table".into()),
    }
    for stop in model.stops_of_spring(id) {
        let side = match stop.end {
            End::First => "below",
            End::Last => "above",
        };
        let at = with_unit(stop.at, units.measure);
        parts.push(match stop.restitution {
            None => {
                let stiffness = with_unit(law.stops.stiffness, units.stiffness);
                let damping = match law.stops.damping {
                    0.0 => String::new(),
                    damping => format!(", damper {}", with_unit(damping, units.damping)),
                };
                format!("stop {side} {at}: {stiffness}{damping}")
            }
            Some(restitution) => {
                format!("rigid stop {side} {at}: restitution {}", short(restitution))
            }
        });
    }
    parts.extend(law.slip.map(|slip| {
        let force = with_unit(slip.force, units.force);
        format!("slips at {force} behind {}", with_unit(slip.stiffness, units.stiffness))
    }));
    if set.force != 0.0 {
        parts.push(format!("actuator {}", with_unit(set.force, units.force)));
    }
    parts.join(", ")
}

pub fn couplings(model: &Checked) -> Table {
    let rows = model.couplings.iter().enumerate().map(|(id, coupling)| {
        [
            Cell::name(&coupling.name),
            model.name_of_ends(&coupling.driven).into(),
            coupling.driven.direction().into(),
            followed(model, id).into(),
        ]
    });
    Table::new("Couplings", ["Coupling", "Of", "Along", "Follows"], rows)
}

/// "-0.4 times the rotation from the ground to point pinion, motion motor".
fn followed(model: &Checked, coupling: usize) -> String {
    let drivers = model.couplings[coupling].drivers.iter().map(|driver| {
        let by = match driver.law {
            Transmission::Ratio(ratio) => format!("{} times", short(ratio)),
            Transmission::Table { .. } => "by a table".to_string(),
        };
        let along = driver.coordinate.direction();
        format!("{by} {along} {}", model.name_of_ends(&driver.coordinate))
    });
    let motion = model.drive_of(coupling).map(|m| format!("motion {}", model.motions[m].name));
    drivers.chain(motion).collect::<Vec<_>>().join(", ")
}
