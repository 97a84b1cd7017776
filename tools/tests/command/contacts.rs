//! Contacts of surfaces in pictures, pages, films and tables, as a user asks for them.

use std::path::{Path, PathBuf};

use crate::common::{folder, ok, text};
use crate::mechanism::Mechanism;
use crate::written::{array, data, decoded, table, values};

/// Stiffness of the contact layer of each, N/m².
const STIFFNESS: f64 = 1e10;

/// A slider between two faces with clearance, pulled and turned until it slips, of 2 × 4 cells.
pub fn slider() -> String {
    let ramp = "history.ramp = { duration = 0.1, smooth = false }";
    Mechanism::new("slider")
        .step(1e-3)
        .solver("analysis = 'quasi_static'")
        .entry("experiment", "stop_time = 0.1, communication_step = 1e-2")
        .points("left = [-1.0, 0.4], right = [4.0, 0.4]")
        .and("a = [0.0, 0.0], b = [2.0, 0.0], c = [2.0, 0.8], d = [0.0, 0.8]")
        .material("steel", 210e9, 0.25, 7850.0)
        .body("slider", "material = 'steel', thickness = 0.01, state = 'plane_stress'")
        .patch("slider", [2, 4], "lower: a, front: b, upper: c, rear: d")
        .guide("guide", ["left", "right"], "elements = 2")
        .contact("slide", "surface = ['slider.lower', 'slider.upper'], path = ['guide']")
        .and("width = 0.8, stiffness = 1e10, friction.coulomb = { coefficient = 0.3 }")
        .gravity(-9.81)
        .load("pull", format!("edge = 'slider.front', qx = 300.0, {ramp}"))
        .load(
            "turn",
            format!("edge = 'slider.front', qx = 2500.0, variation = [-1.0, 1.0], {ramp}"),
        )
        .outputs("contacts.slide.*")
        .text()
}

pub fn write(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("slider.toml");
    std::fs::write(&file, text).unwrap();
    file
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn paraview_gets_the_points_of_a_surface_with_what_presses_and_rubs() {
    let folder = folder("contact_vtk");
    let model = write(&folder, &slider());
    let (film, rows) = (folder.join("film"), folder.join("rows.csv"));
    ok(&["run", text(&model), "--vtk", text(&film), "-o", text(&rows)]);
    let file = std::fs::read_to_string(film.join("slider_00010.vtu")).unwrap();
    let contact = array(&file, "contact", i32::from_le_bytes);
    let ends = array(&file, "offsets", i64::from_le_bytes);
    let corners = array(&file, "connectivity", i64::from_le_bytes);
    let cells = (0..contact.len()).filter(|&cell| contact[cell] == 0);
    let points: Vec<usize> = cells.map(|cell| corners[ends[cell] as usize - 1] as usize).collect();
    let doubles = |name| array(&file, name, f64::from_le_bytes);
    let place = doubles("Points");
    let [pressure, friction, state] =
        ["contact_pressure", "contact_friction", "contact_state"].map(doubles);
    let force = doubles("contact_line_force");
    assert_eq!(points.len(), 14);
    let mut seen = [0; 3];
    for &k in &points {
        // How deep it stands within its face tells how it is pressed.
        let from_middle = place[3 * k + 1] - 0.4;
        let depth = (from_middle.abs() - 0.4).max(0.0);
        let most = largest(pressure.iter().copied());
        assert!((pressure[k] - STIFFNESS * depth).abs() < 1e-5 * most);
        assert!((force[3 * k + 1] - from_middle.signum() * pressure[k]).abs() < 1e-6 * most);
        assert!((force[3 * k] - friction[k]).abs() < 1e-6 * most);
        assert_eq!(state[k] == 0.0, pressure[k] == 0.0);
        // Friction of the surface on its path; to rounding of the return map.
        let bound = 0.3 * pressure[k];
        match state[k] as usize {
            2 => assert!((friction[k].abs() - bound).abs() < 1e-6 * most),
            _ => assert!(friction[k].abs() <= bound + 1e-6 * most),
        }
        seen[state[k] as usize] += 1;
    }
    assert!(seen[0] > 0 && seen[1] + seen[2] > 0, "{seen:?}");
    let said = values(&table(&rows), "contacts.slide.line_pressure");
    let most = largest(points.iter().map(|&k| pressure[k]));
    assert!((most / said[10] - 1.0).abs() < 1e-9);
    // Nothing of it at what is no point of a surface.
    let others = (0..place.len() / 3).filter(|k| !points.contains(k));
    assert!({ others }.all(|k| pressure[k] == 0.0 && state[k] == 0.0));
}

#[test]
fn a_page_holds_what_presses_on_a_guide_in_every_frame() {
    let folder = folder("contact_page");
    let model = write(&folder, &slider().replace("width = 0.8", "width = 0.8\nclearance = 1e-7"));
    let (html, rows) = (folder.join("page.html"), folder.join("rows.csv"));
    ok(&["run", text(&model), "--html", text(&html), "-o", text(&rows)]);
    let data = data(&std::fs::read_to_string(html).unwrap());
    let film = &data["animation"];
    let contact = &film["contacts"][0];
    let string = |key: &str| contact[key].as_str().unwrap().to_owned();
    let points = contact["points"].as_u64().unwrap() as usize;
    let unit = film["pressure_unit"].as_f64().unwrap();
    let forces = decoded(&string("forces"), i16::from_le_bytes);
    let states = decoded(&string("states"), |b: [u8; 1]| b[0]);
    let positions = decoded(&string("positions"), f32::from_le_bytes);
    let said = values(&table(&rows), "contacts.slide.line_pressure");
    assert_eq!([forces.len() / 2, states.len(), positions.len()], [points * said.len(); 3]);
    for (frame, said) in said.iter().enumerate() {
        let forces = &forces[2 * points * frame..2 * points * (frame + 1)];
        let pressed = forces.chunks_exact(2).map(|f| unit * f64::from(f[0].abs()));
        assert!((largest(pressed) - said).abs() <= unit);
    }
    assert!(largest(said.iter().copied()) > 100.0 * unit);
    assert!((contact["offset"].as_f64().unwrap() - (0.4 + 1e-7)).abs() < 1e-15);
    assert_eq!(contact["sides"], serde_json::json!([1.0, -1.0]));
    // As it starts the slider stands from 1 m to 3 m along its path.
    let first = &positions[..points];
    let (low, high) = (
        first.iter().copied().fold(f32::INFINITY, f32::min),
        first.iter().copied().fold(0.0, f32::max),
    );
    assert!((low - 1.0).abs() < 1e-3 && (high - 3.0).abs() < 1e-3);
}

#[test]
fn the_layer_of_a_contact_is_reported_by_length_or_at_its_nodes() {
    let folder = folder("contact_described");
    let said = |stiffness: &str| {
        let model = slider().replace("stiffness = 1e10", stiffness);
        let said = ok(&["describe", text(&write(&folder, &model))]);
        let (_, rest) = said.split_once("CONTACTS OF SURFACES").unwrap();
        rest.lines().nth(2).unwrap().to_owned()
    };
    let row = said("stiffness = 1e10");
    assert!(row.contains("slider.lower, slider.upper"), "{row}");
    assert!(row.contains(" 1e10 Pa "), "{row}");
    let row = said("node_stiffness = 2e7");
    // 7 nodes on each of two edges, of two cells of order 3.
    assert!(row.contains(" 14 ") && row.contains("N/m at each node"), "{row}");
    // A hundred times E t/(1 − ν²) over the side of a cell, 1 m.
    let row = said("stiffness = \"penalty\"");
    let (_, rest) = row.split_once("penalty: ").unwrap();
    let value: f64 = rest.split(' ').next().unwrap().parse().unwrap();
    let exact = 100.0 * 210e9 / (1.0 - 0.25 * 0.25) * 0.01;
    assert!((value / exact - 1.0).abs() < 1e-3, "{row}");
}

/// Zhang and Wang's 27 nodes, mass distributed: 400.82 1/s at 4494.3 Hz by another program, nothing with a damping of 1e-5 s.
#[test]
fn growth_of_steady_sliding_is_printed_and_warned_of() {
    let folder = folder("growth");
    let nodes = std::fs::read_to_string(crate::common::model("slider_in_guide")).unwrap();
    let nodes = nodes
        .replace("cells = [8, 20]", "cells = [2, 8]")
        .replace("order = 2\npoints", "order = 1\npoints")
        .replace("stiffness = 4.2e11", "node_stiffness = 1.05e9")
        .replace("stiffness_coefficient = 1e-4", "stiffness_coefficient = \"damping\"")
        .replace("[parameters]", "[parameters]\ndamping = 0.0");
    let file = write(&folder, &nodes);
    let table = folder.join("growth.csv");
    let arguments = ["modes", "--sliding", text(&file), "--time", "1", "-n", "3"];
    let said = ok(&[&arguments[..], &["-o", text(&table)]].concat());
    assert!(said.contains("contacts.guide towards growing s"), "{said}");
    assert!(said.contains("400.818") && said.contains("4494.27  grows  body slider"), "{said}");
    assert!(said.contains("of all 54 motions; 1 of them rigid"), "{said}");
    assert!(said.contains("GROWS: 5 motions swing themselves up"), "{said}");
    let table = std::fs::read_to_string(table).unwrap();
    assert_eq!(table.lines().count(), 54);
    assert!(table.lines().nth(1).unwrap().starts_with("1,grows,400.8"), "{table}");
    let damped = ok(&[&arguments[..], &["--set", "parameters.damping=1e-5"]].concat());
    assert!(damped.contains("decays: the sliding is steady"), "{damped}");
    let back = ok(&[&arguments[..], &["--backwards"]].concat());
    assert!(back.contains("contacts.guide towards falling s"), "{back}");
    assert!(back.contains("nothing brings it to slide"), "{back}");
    let warned = ok(&["check", text(&file)]);
    assert!(
        warned.contains(
            "warning: contacts.guide has friction with a coefficient of 0.31 on body `slider`"
        ),
        "{warned}"
    );
    let quiet = [
        ("damping = 0.0", "damping = 1e-5"),
        ("mu = 0.30 ", "mu = 0.05 "),
        ("spectral_radius = 0.8", "analysis = \"quasi_static\""),
    ];
    for (old, new) in quiet {
        let changed = nodes.replace(old, new).replace(
            "mu_static = 0.31",
            if old.starts_with("mu") { "mu_static = 0.06" } else { "mu_static = 0.31" },
        );
        assert_ne!(changed, nodes);
        let said = ok(&["check", text(&write(&folder, &changed))]);
        assert!(!said.contains("rubs"), "{said}");
    }
}
