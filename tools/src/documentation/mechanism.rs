//! What the mechanism consists of, in tables.

use coulisse::laws::bearing::SliderBearing;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Carrier, Direction, Extent, MemberId, Moved, PathEnds, PathPart, Side, Slider, SliderKind,
    Target,
};
use coulisse::model::history::{History, MotionLaw};

use coulisse::system::System;

use super::table::{Cell, Table, figure};
use crate::describe::{
    corners, followed, frame_of_bushing, of_rigid_contact, parts_of_bushing, parts_of_spring,
    stiffness_of_contact,
};
use crate::number::short;

/// Tables of everything but the points' coordinates without anything at them.
pub fn sections(system: &System) -> String {
    let model = system.model();
    [
        points(model),
        members(model),
        bodies(model),
        edges(model),
        joints(model),
        contacts(system),
        springs(model),
        couplings(model),
        masses(model),
        supports(model),
        motions(model),
        loads(model),
        line_loads(model),
    ]
    .concat()
}

fn names(model: &Checked, members: impl IntoIterator<Item = MemberId>) -> String {
    let names = members.into_iter().map(|m| model.members[m].name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

fn point(model: &Checked, point: usize) -> Cell {
    Cell::code(&model.points[point].name)
}

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

fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::X => "x",
        Direction::Y => "y",
        Direction::Rotation => "rotation",
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

fn points(model: &Checked) -> String {
    let mut table = Table::new(&["Point", "x in m", "y in m"]);
    for p in model.points.iter().filter(|p| !p.is_nameless()) {
        let [x, y] = p.position;
        table.row([Cell::code(&p.name), Cell::value(x), Cell::value(y)]);
    }
    table.section("Points")
}

fn members(model: &Checked) -> String {
    let mut table = Table::new(&[
        "Member",
        "From",
        "To",
        "Axis",
        "Length in m",
        "Elements",
        "Order",
        "E in Pa",
        "G in Pa",
        "Density in kg/m³",
        "Area in m²",
        "Second moment in m⁴",
    ]);
    for (id, m) in model.members.iter().enumerate() {
        let number = |value: fn(&coulisse::model::checked::Properties) -> f64| {
            Cell::number(m.properties.as_ref().map(value))
        };
        table.row([
            Cell::code(&m.name),
            point(model, m.from),
            point(model, m.to),
            Cell::text(m.course.kind()),
            Cell::value(model.length_of(id)),
            Cell::value(m.elements as f64),
            Cell::value(m.order as f64),
            number(|p| p.young_modulus),
            number(|p| p.shear_modulus),
            number(|p| p.density),
            number(|p| p.area),
            number(|p| p.second_moment),
        ]);
    }
    table.section("Members")
}

fn bodies(model: &Checked) -> String {
    let mut table = Table::new(&[
        "Body",
        "Law",
        "Thickness in m",
        "Density in kg/m³",
        "Triangles",
        "Order",
        "Area in m²",
        "Mass in kg",
    ]);
    for body in &model.bodies {
        let [mass, _] = body.weight();
        let matter = body.matter();
        let of_shape = |value: f64| body.has_shape().then_some(value);
        table.row([
            Cell::code(&body.name),
            Cell::text(body.summary()),
            Cell::number(matter.map(|m| m.thickness)),
            Cell::number(matter.map(|m| m.density)),
            Cell::number(of_shape(body.mesh.triangles().len() as f64)),
            Cell::number(of_shape(body.mesh.order as f64)),
            Cell::number(of_shape(body.moments().area)),
            Cell::value(mass),
        ]);
    }
    table.section("Bodies")
}

fn edges(model: &Checked) -> String {
    let mut table = Table::new(&["Edge", "Sides", "Length in m", ""]);
    for id in model.edges() {
        let body = &model.bodies[id.body];
        let edge = &body.mesh.edges[id.edge];
        table.row([
            Cell::code(&model.name_of_edge(id)),
            Cell::value((edge.nodes.len() / body.mesh.order) as f64),
            Cell::value(model.length_of_carrier(Carrier::Edge(id))),
            Cell::text(if edge.closed { "closed" } else { "" }),
        ]);
    }
    table.section("Edges of bodies")
}

fn joints(model: &Checked) -> String {
    let mut table =
        Table::new(&["Joint", "Kind", "At", "Members", "At the path's ends", "Friction"]);
    for hinge in &model.hinges {
        let released = hinge
            .released
            .iter()
            .map(|group| names(model, group.iter().copied()).replace(", ", " + "));
        let released = released.collect::<Vec<_>>().join(", ");
        table.row([
            Cell::code(&hinge.name),
            Cell::text("hinge"),
            point(model, hinge.point),
            Cell::text(format!("releases {released}")),
            Cell::text(""),
            Cell::text(""),
        ]);
    }
    for id in model.single_sliders() {
        let slider = &model.sliders[id];
        table.row([
            Cell::code(&slider.name),
            Cell::text(match (slider.kind, slider.bearing) {
                (SliderKind::Cylindrical, _) => match slider.side {
                    None => "cylindrical: slides and turns".to_owned(),
                    Some(Side::Left) => {
                        "cylindrical: slides, turns and may lift off to the left of growing s"
                            .to_owned()
                    }
                    Some(Side::Right) => {
                        "cylindrical: slides, turns and may lift off to the right of growing s"
                            .to_owned()
                    }
                },
                (SliderKind::Corner, _) => "corner of a contact".to_owned(),
                (SliderKind::Edge, _) => "friction of an edge".to_owned(),
                (SliderKind::Hinge, _) => "friction of a hinge".to_owned(),
                (SliderKind::Stop, _) => "stop of a spring".to_owned(),
                (SliderKind::Prismatic, SliderBearing::Point) => {
                    "prismatic: slides, does not turn".to_owned()
                }
                (SliderKind::Prismatic, SliderBearing::Ends { length, height }) => format!(
                    "prismatic: slides, does not turn; in contact at two ends {} m apart{}",
                    figure(length),
                    faces_apart(height)
                ),
                (SliderKind::Prismatic, SliderBearing::Layer { length, height }) => format!(
                    "prismatic: slides, does not turn; in contact along a contact layer of {} m{}",
                    figure(length),
                    faces_apart(height)
                ),
            }),
            point(model, slider.point),
            path(model, slider),
            ends(slider),
            Cell::text(slider.friction.summary()),
        ]);
    }
    for pin in &model.pins {
        table.row([
            Cell::code(&pin.name),
            Cell::text("pin: by the mean position of the hole"),
            Cell::code(&model.name_of_edge(pin.hole)),
            Cell::text(format!("on {}", pin.on.name(model))),
            Cell::text(""),
            Cell::text(""),
        ]);
    }
    for sliding in &model.sliding_edges {
        let first = &model.sliders[sliding.sliders.start];
        let [kind, at] = sliding.summary(model);
        table.row([
            Cell::code(&sliding.name),
            Cell::text(kind),
            Cell::text(at),
            path(model, first),
            ends(first),
            Cell::text(model.friction_of(sliding.sliders.start).summary()),
        ]);
    }
    table.section("Joints")
}

fn path(model: &Checked, slider: &Slider) -> Cell {
    Cell::text(format!("path {}", carriers(model, &slider.path)))
}

fn carriers(model: &Checked, path: &[PathPart]) -> String {
    let path: Vec<String> = path.iter().map(|p| p.carrier.plain(model)).collect();
    path.join(", ")
}

fn contacts(system: &System) -> String {
    let mut table = Table::new(&[
        "Contact",
        "Surface",
        "Path",
        "Width in m",
        "Clearance in m",
        "Points",
        "Stiffness of its layer",
        "Friction",
    ]);
    let model = system.model();
    for (id, contact) in model.contacts.iter().enumerate() {
        let surface = contact.surface.iter();
        let surface: Vec<String> = surface.map(|&s| model.name_of_surface(s)).collect();
        table.row([
            Cell::code(&contact.name),
            Cell::text(surface.join(", ")),
            Cell::text(carriers(model, &contact.guide.path)),
            Cell::value(contact.guide.width),
            Cell::value(contact.guide.clearance),
            Cell::value(system.surfaces.count_of_points(id) as f64),
            Cell::text(stiffness_of_contact(system, id)),
            Cell::text(contact.friction.summary()),
        ]);
    }
    for contact in &model.rigid_contacts {
        let [surface, path] = of_rigid_contact(model, contact);
        table.row([
            Cell::code(&contact.name),
            Cell::text(surface),
            Cell::text(path),
            Cell::value(contact.guide.width),
            Cell::value(contact.guide.clearance),
            Cell::value(contact.corners.len() as f64),
            Cell::text(corners(model, contact)),
            Cell::text(model.sliders[contact.corners.start].friction.summary()),
        ]);
    }
    table.section("Contacts of surfaces")
}

fn springs(model: &Checked) -> String {
    let mut table =
        Table::new(&["Spring", "Between", "Along", "In the initial configuration", "Parts"]);
    for bushing in &model.bushings {
        table.row([
            Cell::code(&bushing.name),
            Cell::text(model.name_of_ends(&model.springs[bushing.springs.start].between)),
            Cell::text(frame_of_bushing(bushing)),
            Cell::text(""),
            Cell::text(parts_of_bushing(bushing)),
        ]);
    }
    for (id, spring) in model.lone_springs() {
        let between = &spring.between;
        let drawn = short(model.drawn_measure(between));
        table.row([
            Cell::code(&spring.name),
            Cell::text(model.name_of_ends(between)),
            Cell::text(between.direction()),
            Cell::text(format!("{drawn} {}", between.units().measure.unit())),
            Cell::text(parts_of_spring(model, id)),
        ]);
    }
    table.section("Springs")
}

fn couplings(model: &Checked) -> String {
    let mut table = Table::new(&["Coupling", "Of", "Along", "Follows"]);
    for (id, coupling) in model.couplings.iter().enumerate() {
        table.row([
            Cell::code(&coupling.name),
            Cell::text(model.name_of_ends(&coupling.driven)),
            Cell::text(coupling.driven.direction()),
            Cell::text(followed(model, id)),
        ]);
    }
    table.section("Couplings")
}

fn ends(slider: &Slider) -> Cell {
    Cell::text(match slider.ends {
        PathEnds::Stop | PathEnds::StopAt(_) => "stops",
        PathEnds::Error => "the step is refused",
        PathEnds::Continue => "goes on straight",
        PathEnds::Closed => "closed",
        PathEnds::Leave => "what gets there leaves it",
    })
}

fn masses(model: &Checked) -> String {
    let mut table = Table::new(&["Mass", "At", "Mass in kg", "Rotary inertia in kg·m²"]);
    for m in &model.masses {
        table.row([
            Cell::code(&m.name),
            point(model, m.point),
            Cell::value(m.mass),
            Cell::value(m.rotary_inertia),
        ]);
    }
    table.section("Masses")
}

fn supports(model: &Checked) -> String {
    let mut table = Table::new(&["Support", "Of", "Holds"]);
    for s in &model.supports {
        let held: Vec<&str> = s.fixed.iter().map(|d| word(*d)).collect();
        table.row([
            Cell::code(&s.name),
            Cell::text(target(model, s.target)),
            Cell::text(held.join(", ")),
        ]);
    }
    table.section("Supports")
}

fn motions(model: &Checked) -> String {
    let mut table = Table::new(&["Motion", "Of", "Direction", "Law"]);
    for m in &model.motions {
        let unit = if m.direction == Direction::Rotation { "rad" } else { "m" };
        let law = match &m.law {
            MotionLaw::Position(value) => format!("fixed at {value} {unit}"),
            MotionLaw::Rate(rate) => format!("{rate} {unit}/s"),
            MotionLaw::Acceleration(value) => format!("{value} {unit}/s² from rest"),
            MotionLaw::Scaled { history: History::Expression(function), value: 1.0 } => {
                format!("{} {unit}", function.text)
            }
            MotionLaw::Scaled { value, history: h } => format!("{value} {unit} × {}", history(h)),
            MotionLaw::Record { course, scale, start } => {
                let [from, to] = course.span();
                format!("{scale} × record of {} s from {} s", to - from, from + start)
            }
        };
        table.row([
            Cell::code(&m.name),
            Cell::text(match &m.moved {
                Moved::Target(of) => target(model, *of),
                Moved::Coupling(id) => format!("coupling {}", model.couplings[*id].name),
                Moved::Supports(list) => {
                    let names = list.iter().map(|&s| model.supports[s].name.as_str());
                    format!("supports {}", names.collect::<Vec<_>>().join(", "))
                }
            }),
            Cell::text(match &m.moved {
                Moved::Coupling(id) => model.couplings[*id].driven.direction(),
                _ => word(m.direction),
            }),
            Cell::text(law),
        ]);
    }
    table.section("Imposed motions")
}

fn loads(model: &Checked) -> String {
    let mut table =
        Table::new(&["Load", "At", "Along x in N", "Along y in N", "Moment in N·m", "In time"]);
    for l in &model.loads {
        let [x, y, moment] = [0, 1, 2].map(|c| match &l.factors.own[c] {
            Some(function) => Cell::code(&function.text),
            None => Cell::value(l.components[c]),
        });
        table.row([
            Cell::code(&l.name),
            point(model, l.point),
            x,
            y,
            moment,
            Cell::text(history(&l.factors.history)),
        ]);
    }
    if model.gravity != [0.0; 2] {
        let [x, y] = model.gravity;
        table.row([
            Cell::text("gravity"),
            Cell::text("all masses"),
            Cell::text(format!("{x} m/s²")),
            Cell::text(format!("{y} m/s²")),
            Cell::text(""),
            Cell::text("constant"),
        ]);
    }
    table.section("Loads")
}

fn line_loads(model: &Checked) -> String {
    let mut table = Table::new(&[
        "Load",
        "Along",
        "Where, m",
        "Size in N/m; in a section N, N·m; per volume N/m³",
        "Ends",
        "In time",
    ]);
    for l in &model.line_loads {
        let parts = (l.keys().iter().zip(l.components).zip(&l.factors.own))
            .filter(|((_, q), _)| *q != 0.0)
            .map(|((key, q), own)| match own {
                Some(function) => format!("{key} {}", function.text),
                None => format!("{key} {q}"),
            });
        let (place, ends) = match l.extent {
            Extent::At { place, .. } => (format!("at {place}"), String::new()),
            Extent::Along { between: [from, to], variation: [first, last], .. } => {
                (format!("{from} to {to}"), format!("{first}, {last}"))
            }
            Extent::Through { gradient: [x, y], .. } => {
                ("per volume".to_string(), format!("gradient {x}, {y} 1/m"))
            }
        };
        table.row([
            Cell::code(&l.name),
            Cell::text(match l.extent {
                Extent::Along { carrier, .. } | Extent::At { carrier, .. } => carrier.name(model),
                Extent::Through { body, .. } => model.bodies[body].quoted(),
            }),
            Cell::text(place),
            Cell::text(parts.collect::<Vec<_>>().join(", ")),
            Cell::text(ends),
            Cell::text(history(&l.factors.history)),
        ]);
    }
    table.section("Loads along members and edges and through bodies")
}

/// Where friction acts on a slider with this height.
fn faces_apart(height: f64) -> String {
    match height {
        0.0 => String::new(),
        _ => format!(", has friction on two faces {} m apart", figure(height)),
    }
}
