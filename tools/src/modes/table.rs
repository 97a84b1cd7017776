//! Modes in rows.

use std::f64::consts::TAU;

use anyhow::Result;
use coulisse::message::listed;
use coulisse::modes::{Mode, Nature};
use coulisse::system::{MaterialPoint, System};

use super::resolution::unresolved;
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::shapes::Found;
use crate::table::plain;

/// Mass that swings where the largest displacement is 1 m in a motion of 1 m, kg; 0 where nothing
/// but rotations move.
pub fn generalized_mass(system: &System, q: &[f64], mode: &Mode) -> f64 {
    let model = system.model();
    let points = (0..model.points.len())
        .map(|point| system.drawing().unknowns_of_point(point).map(|u| mode.shape[u]));
    let members =
        (0..model.members.len()).flat_map(|m| system.drawing().axis_of(m, &mode.shape, 4));
    let bodies = (0..model.bodies.len()).flat_map(|b| {
        system.drawing().nodes_of_body(b).into_iter().map(|node| node.velocity(q, &mode.shape))
    });
    let size = points.chain(members).chain(bodies).map(|[x, y]| x.hypot(y)).fold(0.0, f64::max);
    if size > 0.0 { 1.0 / (size * size) } else { 0.0 }
}

/// What goes for a frequency: rad/s, Hz, s.
fn frequency(mode: &Mode) -> [String; 3] {
    let dash = || "-".to_owned();
    match mode.nature {
        Nature::Vibration => {
            let omega = mode.angular_frequency();
            [omega, omega / TAU, TAU / omega].map(short)
        }
        Nature::Rigid => ["0".to_owned(), "rigid".to_owned(), dash()],
        Nature::Unstable => ["unstable".to_owned(), dash(), dash()],
    }
}

/// Table and what has to be said about it.
pub fn text(found: &Found) -> String {
    let (system, list) = (&found.system, &found.modes.list);
    let total = found.modes.total;
    let damped = list.iter().any(|mode| mode.damping_ratio > 0.0);
    let mut header = vec!["mode", "rad/s", "Hz", "period, s"];
    if damped {
        header.push("damping, %");
    }
    header.extend(["generalized mass, kg", "x, %", "y, %", "turn, %", "moves most"]);
    let right = header.len() - 1;
    let mut table = plain(header, 0..right);
    let percent = |part: f64, d: usize| match total[d] > 0.0 {
        true => format!("{:.2}", 100.0 * part / total[d]),
        false => "-".to_owned(),
    };
    let mut sums = [0.0; 3];
    let mut coarse: Vec<&str> = Vec::new();
    for (number, mode) in list.iter().enumerate() {
        let mut row = vec![(number + 1).to_string()];
        row.extend(frequency(mode));
        if damped {
            row.push(format!("{:.3}", 100.0 * mode.damping_ratio));
        }
        row.push(short(generalized_mass(system, &found.state.q, mode)));
        for (d, mass) in mode.effective_mass().into_iter().enumerate() {
            sums[d] += mass;
            row.push(percent(mass, d));
        }
        let unresolved = unresolved(system, &found.state, mode);
        let mark = if unresolved.is_some() { " *" } else { "" };
        row.push(system.drawing().moves_most(&mode.shape) + mark);
        table.add_row(row);
        coarse.extend(unresolved.filter(|name| !coarse.contains(name)));
    }
    let mut row = vec!["sum".to_owned(), String::new(), String::new(), String::new()];
    row.extend(std::iter::repeat_n(String::new(), 1 + usize::from(damped)));
    row.extend(sums.into_iter().enumerate().map(|(d, sum)| percent(sum, d)));
    table.add_row(row);
    let [x, y] = found.modes.centre;
    let mut text = format!(
        "{}: {} modes {}\nmass {} kg, centre of mass ({}, {}) m, moment of inertia about it {} kg m2\n\n{}\nx, y, turn: effective modal \
         mass in % of the whole\n",
        system.model().name,
        list.len(),
        found.place,
        short(total[0]),
        short(x),
        short(y),
        short(total[2]),
        table.trim_fmt()
    );
    if !coarse.is_empty() {
        text += &format!(
            "\n* not resolved: at most one element of third order for each half wave; more `elements` in members {}",
            listed(coarse.into_iter())
        );
    }
    text += &damping(system);
    let count = |nature| list.iter().filter(|mode| mode.nature == nature).count();
    let rigid = count(Nature::Rigid);
    if rigid > 0 {
        text += &format!("\n{rigid} of them rigid: nothing resists these motions");
    }
    for mode in list.iter().filter(|mode| mode.nature == Nature::Unstable) {
        text += &format!(
            "\nUNSTABLE: this state is left along a mode that grows e-fold in {} s",
            short(1.0 / mode.growth())
        );
    }
    text
}

/// The coefficients of the model's damping.
fn damping(system: &System) -> String {
    let entries = system.model().damping.iter().enumerate();
    let lines = entries.filter_map(|(id, entry)| {
        let law = system.rayleigh(id)?;
        Some(format!(
            "\ndamping.{}: c_m = {} 1/s, c_k = {} s",
            entry.name,
            short(law.mass),
            short(law.stiffness)
        ))
    });
    lines.collect()
}

/// All numbers as CSV.
pub fn csv(found: &Found) -> Result<Vec<u8>> {
    let mut rows = Rows::under([
        "mode",
        "nature",
        "omega_squared",
        "angular_frequency",
        "frequency",
        "growth",
        "damping_ratio",
        "generalized_mass",
        "participation_x",
        "participation_y",
        "participation_rotation",
        "effective_mass_x",
        "effective_mass_y",
        "effective_inertia",
        "moves_most",
    ])?;
    for (number, mode) in found.modes.list.iter().enumerate() {
        let nature = match mode.nature {
            Nature::Vibration => "vibration",
            Nature::Rigid => "rigid",
            Nature::Unstable => "unstable",
        };
        let numbers = [
            mode.square,
            mode.angular_frequency(),
            mode.angular_frequency() / TAU,
            mode.growth(),
            mode.damping_ratio,
            generalized_mass(&found.system, &found.state.q, mode),
        ];
        let masses = mode.effective_mass();
        let most = found.system.drawing().moves_most(&mode.shape);
        let first = [Cell::from(number + 1), Cell::from(nature)];
        let numbers = numbers.into_iter().chain(mode.participation).chain(masses);
        let numbers = numbers.map(Cell::from);
        rows.add(first.into_iter().chain(numbers).chain([Cell::from(&most)]))?;
    }
    rows.bytes()
}

/// The shapes as CSV: a row for each point, each node of a member and each node of a body, with its position in the state (m), and for each
/// mode displacements and, where the node has one rotation, rotation. φᵀ M φ = 1: displacements are in 1/√kg, rotations in rad/(m √kg).
pub fn shapes(found: &Found) -> Result<Vec<u8>> {
    let (system, q) = (&found.system, &found.state.q);
    let (model, drawing) = (system.model(), system.drawing());
    let modes = &found.modes.list;
    let of_mode = |mode: usize| ["x", "y", "rotation"].map(|of| format!("mode{} {of}", mode + 1));
    let mut head = ["node", "x", "y"].map(String::from).to_vec();
    head.extend((0..modes.len()).flat_map(of_mode));
    let mut rows = Rows::under(head.iter().map(String::as_str))?;
    let mut add = |name: String, place: MaterialPoint, rotation: Option<usize>| -> Result<()> {
        let moves = modes.iter().flat_map(|mode| {
            let [x, y] = place.velocity(q, &mode.shape);
            [Some(x), Some(y), rotation.map(|unknown| mode.shape[unknown])]
        });
        let position = place.place(q).map(Some);
        let cells = position.into_iter().chain(moves).map(Cell::from);
        rows.add([Cell::from(&name)].into_iter().chain(cells))
    };
    for (point, described) in model.points.iter().enumerate() {
        let place = drawing.unknowns_of_point(point).into();
        add(described.name.clone(), place, drawing.rotation_of(point, None))?;
    }
    for (member, described) in model.members.iter().enumerate() {
        for (k, node) in drawing.nodes_of_member(member).iter().enumerate() {
            let name = format!("members.{}[{k}]", described.name);
            add(name, node.position.into(), Some(node.rotation))?;
        }
    }
    for (body, described) in model.bodies.iter().enumerate() {
        for (k, node) in drawing.nodes_of_body(body).into_iter().enumerate() {
            let rotation = node.arm.map(|arm| arm.rotation);
            add(format!("bodies.{}[{k}]", described.name), node, rotation)?;
        }
    }
    rows.bytes()
}
