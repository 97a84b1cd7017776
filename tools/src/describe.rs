//! What a model consists of, in tables.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use comfy_table::{Table, presets};
use coulisse::fmu::{Blueprint, MODEL_FILE};
use coulisse::joints::regime::End;
use coulisse::laws::spring::{Damper, Elastic};
use coulisse::laws::transmission::Transmission;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Bushing, Direction, MemberId, PathEnds, RigidContact, SideOf, Slider, SliderKind, Stiffness,
};
use coulisse::modes::{Loads, Sliding, modes};
use coulisse::quantity::Quantity;
use coulisse::start::start;
use coulisse::system::{Freedom, PointFreedom, System};

use crate::archive::Unpacked;
use crate::description::Description;
use crate::number::short;
use crate::run;

/// Memory from which on a simulation is worth a word, bytes.
const LARGE: f64 = 5e8;

/// One line for a model without faults.
///
/// # Errors
/// The fault of a mechanism that cannot be built.
pub fn line(blueprint: &Blueprint) -> Result<String> {
    let model = blueprint.checked();
    let system = &blueprint.built()?.system;
    let drawn = model.bodies.iter().filter(|body| body.member.is_none());
    let bodies = match drawn.count() {
        0 => String::new(),
        count => format!("{count} bodies, "),
    };
    let step = blueprint.proposal().map_or(String::new(), |proposal| {
        format!(
            "\n  no solver.step in the file: {} s, for {}; `coulisse converge` estimates its error",
            short(proposal.step),
            proposal.reason
        )
    });
    let points = (0..model.contacts.len()).map(|id| system.surfaces.count_of_points(id));
    let corners = model.rigid_contacts.iter().map(|one| one.corners.len());
    let contacts = match [points.sum::<usize>(), corners.sum()] {
        [0, 0] => String::new(),
        [points, corners] => {
            let of = [(points, "points"), (corners, "corners")];
            let of = of.iter().filter(|(count, _)| *count > 0);
            let of: Vec<String> = of.map(|(count, what)| format!("{count} {what}")).collect();
            let count = model.contacts.len() + model.rigid_contacts.len();
            let contacts = if count == 1 { "contact" } else { "contacts" };
            format!("{count} {contacts} of surfaces with {}, ", of.join(" and "))
        }
    };
    let memory = match system.memory() {
        bytes if bytes > LARGE => format!(
            "\n  a simulation takes about {} GB of memory; fewer elements or a lower order take less",
            rounded(bytes / 1e9, 2)
        ),
        _ => String::new(),
    };
    Ok(format!(
        "ok: {}, {} members, {bodies}{} sliding joints, {contacts}{} degrees of freedom{step}{memory}",
        model.name,
        model.members.len(),
        model.single_sliders().count() + model.sliding_edges.len(),
        system.equations() + model.sliders.len(),
    ))
}

/// Tables of a model file or an FMU, with as many natural frequencies as wanted.
///
/// # Errors
/// The faults of the model; what is wrong with the FMU.
pub fn text(path: &Path, modes: usize) -> Result<String> {
    if !run::is_fmu(path) {
        let blueprint = run::load(path)?;
        let description = Description::read(&blueprint.description(None)?)?;
        return Ok(variables(&description)
            + &mechanism(&blueprint)?
            + &vibration(&blueprint, modes)?);
    }
    let fmu = Unpacked::open(path)?;
    let mut text = variables(&fmu.description);
    let model = fmu.resources().join(MODEL_FILE);
    if model.is_file() {
        let blueprint = run::load(&model)?;
        text += &mechanism(&blueprint)?;
        text += &vibration(&blueprint, modes)?;
    }
    Ok(text)
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(header);
    table
}

fn section(text: &mut String, title: &str, table: &Table) {
    if !table.is_empty() {
        let _ = writeln!(text, "\n{title}\n{}", table.trim_fmt());
    }
}

fn variables(description: &Description) -> String {
    let mut text = format!("{}: {}\n", description.model_name, description.text);
    if let (Some(stop), Some(step)) = (description.stop_time, description.step_size) {
        let _ = writeln!(text, "default run: {stop} s in communication steps of {step} s");
    }
    for (causality, title) in [
        ("parameter", "PARAMETERS"),
        ("calculatedParameter", "CALCULATED FROM PARAMETERS"),
        ("input", "INPUTS"),
        ("output", "OUTPUTS"),
    ] {
        let mut rows = table(["name", "unit", "start", "meaning"]);
        for v in description.with_causality(causality) {
            let start = v.start.as_deref().unwrap_or("");
            rows.add_row([&v.name, &v.unit, start, &v.description]);
        }
        section(&mut text, title, &rows);
    }
    text
}

fn mechanism(blueprint: &Blueprint) -> Result<String> {
    let model = blueprint.checked();
    let system = &blueprint.built()?.system;
    let mut text = String::new();

    let mut members = table(["member", "from", "to", "axis", "length in m", "elements", "order"]);
    for (id, m) in model.members.iter().enumerate() {
        members.add_row([
            m.name.clone(),
            model.points[m.from].name.clone(),
            model.points[m.to].name.clone(),
            m.course.kind().to_string(),
            short(model.length_of(id)),
            m.elements.to_string(),
            m.order.to_string(),
        ]);
    }
    section(&mut text, "MEMBERS", &members);

    section(&mut text, "BODIES", &bodies(model));

    let mut joints = table(["joint", "kind", "at", "path", "at its ends", "friction"]);
    for hinge in &model.hinges {
        let released = hinge.released.iter().map(|group| names(system, group).replace(", ", " + "));
        let released = released.collect::<Vec<_>>().join(", ");
        joints.add_row([
            &hinge.name,
            "hinge",
            &model.points[hinge.point].name,
            &format!("releases {released}"),
            "",
            "",
        ]);
    }
    for id in model.single_sliders() {
        joints.add_row(joint(system, &model.sliders[id]));
    }
    for sliding in &model.sliding_edges {
        // Its nodes differ by their places only.
        let first = sliding.sliders.start;
        let [_, _, _, path, ends, _] = joint(system, &model.sliders[first]);
        let friction = model.friction_of(first).summary();
        let [kind, at] = sliding.summary(model);
        joints.add_row([sliding.name.clone(), kind, at, path, ends, friction]);
    }
    for pin in &model.pins {
        joints.add_row([
            &pin.name,
            "pin",
            &model.name_of_edge(pin.hole),
            &format!("on {}", pin.on.name(model)),
            "",
            "",
        ]);
    }
    section(&mut text, "JOINTS", &joints);

    section(&mut text, "CONTACTS OF SURFACES", &contacts(system));

    section(&mut text, "SPRINGS", &springs(model));

    section(&mut text, "COUPLINGS", &couplings(model));

    let mut points = table(["point", "x", "y", "rotation"]);
    let named = model.points.iter().enumerate();
    for (id, point) in named.filter(|(_, point)| !point.is_nameless()) {
        let freedoms = system.freedoms(id);
        let of = |direction: Direction| -> String {
            let found: Vec<String> = freedoms
                .iter()
                .filter(|f| f.direction == direction)
                .map(|f| word(system, &freedoms, f))
                .collect();
            found.join(", ")
        };
        points.add_row([
            point.name.clone(),
            of(Direction::X),
            of(Direction::Y),
            of(Direction::Rotation),
        ]);
    }
    section(&mut text, "DEGREES OF FREEDOM OF THE POINTS", &points);
    let _ = writeln!(
        text,
        "\n{} free positions and rotations (those of the nodes inside members and bodies included), \
         {} sliding coordinates, {} multipliers",
        system.equations(),
        model.sliders.len(),
        system.border() - model.sliders.len()
    );
    Ok(text)
}

fn contacts(system: &System) -> Table {
    let mut contacts = table([
        "contact",
        "surface",
        "path",
        "width in m",
        "clearance in m",
        "points",
        "stiffness",
        "friction",
    ]);
    let model = system.model();
    for (id, contact) in model.contacts.iter().enumerate() {
        let surface = contact.surface.iter();
        let surface: Vec<String> = surface.map(|&s| model.name_of_surface(s)).collect();
        let path: Vec<String> =
            (contact.guide.path.iter()).map(|p| p.carrier.plain(model)).collect();
        contacts.add_row([
            contact.name.clone(),
            surface.join(", "),
            path.join(", "),
            short(contact.guide.width),
            short(contact.guide.clearance),
            system.surfaces.count_of_points(id).to_string(),
            stiffness_of_contact(system, id),
            contact.friction.summary(),
        ]);
    }
    for contact in &model.rigid_contacts {
        let [surface, path] = of_rigid_contact(model, contact);
        contacts.add_row([
            contact.name.clone(),
            surface,
            path,
            short(contact.guide.width),
            short(contact.guide.clearance),
            contact.corners.len().to_string(),
            corners(model, contact),
            model.sliders[contact.corners.start].friction.summary(),
        ]);
    }
    contacts
}

/// The surface and the path of a contact of a rigid surface.
pub fn of_rigid_contact(model: &Checked, contact: &RigidContact) -> [String; 2] {
    let surface = contact.surface.iter();
    let surface: Vec<String> = surface.map(|&s| model.name_of_surface(s)).collect();
    let path = contact.guide.path.iter();
    let path: Vec<String> = path.map(|p| p.carrier.plain(model)).collect();
    [surface.join(", "), path.join(", ")]
}

/// What the corners of a rigid surface do when they strike.
pub fn corners(model: &Checked, contact: &RigidContact) -> String {
    let first = &model.sliders[contact.corners.start];
    let friction = match first.impact_friction {
        true => ", friction in impacts",
        false => "",
    };
    format!("rigid: restitution {}{friction}", short(first.restitution))
}

/// Stiffness of the contact layer, of `"penalty"` what it comes to.
pub fn stiffness_of_contact(system: &System, contact: usize) -> String {
    let [low, high] = system.surfaces.stiffness_of(contact).map(short);
    let range = match low == high {
        true => low,
        false => format!("{low} to {high}"),
    };
    match system.model().contacts[contact].stiffness {
        Stiffness::Surface(_) => format!("{range} Pa"),
        Stiffness::Penalty(_) => format!("penalty: {range} Pa"),
        Stiffness::Nodes(_) => format!("{range} N/m at each node"),
    }
}

fn springs(model: &Checked) -> Table {
    let mut springs = table(["spring", "between", "along", "initially", "parts"]);
    for bushing in &model.bushings {
        springs.add_row([
            bushing.name.clone(),
            model.name_of_ends(&model.springs[bushing.springs.start].between),
            frame_of_bushing(bushing).to_string(),
            String::new(),
            parts_of_bushing(bushing),
        ]);
    }
    for (id, spring) in model.lone_springs() {
        let (between, units) = (&spring.between, spring.between.units());
        springs.add_row([
            spring.name.clone(),
            model.name_of_ends(between),
            between.direction().to_string(),
            format!("{} {}", short(model.drawn_measure(between)), units.measure.unit()),
            parts_of_spring(model, id),
        ]);
    }
    springs
}

fn couplings(model: &Checked) -> Table {
    let mut couplings = table(["coupling", "of", "along", "follows"]);
    for (id, coupling) in model.couplings.iter().enumerate() {
        couplings.add_row([
            coupling.name.clone(),
            model.name_of_ends(&coupling.driven),
            coupling.driven.direction().to_string(),
            followed(model, id),
        ]);
    }
    couplings
}

/// "-0.4 times the rotation from the ground to point pinion, motion motor".
pub fn followed(model: &Checked, coupling: usize) -> String {
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

/// In whose frame a bushing measures.
pub fn frame_of_bushing(bushing: &Bushing) -> &'static str {
    match bushing.sides.frame {
        SideOf::From => "frame of from",
        SideOf::To => "frame of to",
    }
}

/// "stiffness 2e5, 2e5 N/m, 80 N.m/rad, damping …".
pub fn parts_of_bushing(bushing: &Bushing) -> String {
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
pub fn parts_of_spring(model: &Checked, id: usize) -> String {
    let spring = &model.springs[id];
    let (law, units) = (&spring.law, spring.between.units());
    let of = |value: f64, quantity: Quantity| format!("{} {}", short(value), quantity.unit());
    let set = &law.setting;
    let mut parts = Vec::new();
    match &law.elastic {
        Elastic::Linear if set.stiffness > 0.0 => parts.push(format!(
            "{} from {} on",
            of(set.stiffness, units.stiffness),
            of(set.free, units.measure)
        )),
        Elastic::Linear => {}
        Elastic::Table(_) => parts.push(format!("table from {} on", of(set.free, units.measure))),
    }
    match &law.damper {
        Damper::Linear if set.damping > 0.0 => {
            parts.push(format!("damper {}", of(set.damping, units.damping)));
        }
        Damper::Linear => {}
        Damper::Table(_) => parts.push("damper by a table".into()),
    }
    for stop in model.stops_of_spring(id) {
        let side = match stop.end {
            End::First => "below",
            End::Last => "above",
        };
        let at = of(stop.at, units.measure);
        parts.push(match stop.restitution {
            None => {
                let stiffness = of(law.stops.stiffness, units.stiffness);
                format!("stop {side} {at}: {stiffness}")
            }
            Some(restitution) => {
                let restitution = short(restitution);
                format!("rigid stop {side} {at}: restitution {restitution}")
            }
        });
    }
    parts.extend(law.slip.map(|slip| {
        let [force, stiffness] = [of(slip.force, units.force), of(slip.stiffness, units.stiffness)];
        format!("slips at {force} behind {stiffness}")
    }));
    if set.force != 0.0 {
        parts.push(format!("actuator {}", of(set.force, units.force)));
    }
    parts.join(", ")
}

fn bodies(model: &Checked) -> Table {
    let mut bodies = table([
        "body",
        "law",
        "thickness in m",
        "triangles",
        "order",
        "area in m²",
        "mass in kg",
        "edges",
    ]);
    for body in &model.bodies {
        let [mass, _] = body.weight();
        let edges = body.mesh.edges.iter().map(|edge| edge.name.as_str());
        let of_shape = |text: String| {
            if body.has_shape() { text } else { String::new() }
        };
        bodies.add_row([
            body.name.clone(),
            body.summary(),
            body.matter().map_or_else(String::new, |m| short(m.thickness)),
            of_shape(body.mesh.triangles().len().to_string()),
            of_shape(body.mesh.order.to_string()),
            of_shape(short(body.moments().area)),
            short(mass),
            edges.collect::<Vec<_>>().join(", "),
        ]);
    }
    bodies
}

fn vibration(blueprint: &Blueprint, count: usize) -> Result<String> {
    if count == 0 {
        return Ok(String::new());
    }
    let built = blueprint.built()?;
    let faults = |fault| blueprint.model().faults(&fault);
    let state = start(&built.system, &built.inputs).map_err(faults).context("--modes")?;
    let mut rows = table(["mode", "rad/s", "Hz", "period in s"]);
    let loads = Loads::at_start(blueprint.checked());
    let found = modes(&built.system, &state, count, Sliding::Free, loads)
        .map_err(faults)
        .context("--modes")?;
    for (number, mode) in found.list.iter().enumerate() {
        let w = mode.angular_frequency();
        let hertz = w / std::f64::consts::TAU;
        rows.add_row([(number + 1).to_string(), short(w), short(hertz), short(1.0 / hertz)]);
    }
    let mut text = String::new();
    section(&mut text, "NATURAL FREQUENCIES AT THE START", &rows);
    Ok(text)
}

fn joint(system: &System, slider: &Slider) -> [String; 6] {
    let model = system.model();
    let path: Vec<String> = slider.path.iter().map(|p| p.carrier.plain(model)).collect();
    [
        slider.name.clone(),
        match slider.kind {
            SliderKind::Cylindrical => "cylindrical",
            SliderKind::Corner => "corner of a contact",
            SliderKind::Prismatic => "prismatic",
            SliderKind::Edge => "friction of an edge",
            SliderKind::Hinge => "friction of a hinge",
            SliderKind::Stop => "stop of a spring",
        }
        .to_owned(),
        model.points[slider.point].name.clone(),
        path.join(", "),
        match slider.ends {
            PathEnds::Stop | PathEnds::StopAt(_) => "stop",
            PathEnds::Error => "error",
            PathEnds::Continue => "continue",
            PathEnds::Closed => "closed",
            PathEnds::Leave => "leave",
        }
        .to_owned(),
        slider.friction.summary(),
    ]
}

fn names(system: &System, members: &[MemberId]) -> String {
    let members = members.iter();
    let names: Vec<&str> = members.map(|&m| system.model().members[m].name.as_str()).collect();
    names.join(", ")
}

/// "free", or with the members where the point has several rotations.
fn word(system: &System, all: &[PointFreedom], one: &PointFreedom) -> String {
    let word = match one.freedom {
        Freedom::Free => "free",
        Freedom::Fixed => "held",
        Freedom::Driven => "driven",
    };
    let alike = all.iter().filter(|f| f.direction == one.direction).count();
    if alike < 2 {
        return word.to_owned();
    }
    format!("{word} ({})", names(system, &one.members))
}
