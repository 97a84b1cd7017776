//! Friction pendulums of plane solids: a slider with two round faces between two plates.

use crate::common::edit::Edit;
use crate::common::{Simulation, text};

/// The isolator with meshes so many times as fine as those of the paper.
fn isolator(fine: usize) -> String {
    let cells = [[8, 1], [4, 2], [10, 1]];
    cells.into_iter().fold(text("tests/models/isolator"), |text, [a, b]| {
        let finer = [a * fine, b * fine];
        text.edit(&format!("cells = [{a}, {b}]"), &format!("cells = {finer:?}"))
    })
}

#[test]
fn a_loaded_isolator_is_as_stiff_as_a_pendulum_between_the_centres_of_its_faces() {
    for radius in [0.24765, 0.9] {
        let mut run = Simulation::with(&isolator(1), &[("parameters.radius", radius)]);
        run.run(1.0, 0.1, |_| {});
        let distance = radius + 0.03;
        // A pendulum of that length under the weight, 10 mm aside.
        let exact = 510e3 * 0.01 / (distance * distance - 1e-4).sqrt();
        let seen = run.get("motions.aside.reaction");
        println!("radius {radius} m: d = {:.5} m from W/k", 510e3 * 0.01 / seen);
        assert!((seen / exact - 1.0).abs() < 0.01, "{radius}: {seen} {exact}");
        let weight = run.get("joints.sole.fy");
        assert!((weight / -510e3 - 1.0).abs() < 0.01, "{weight}");
    }
}

/// Faces that follow a rough path are strained between their nodes: the finer the mesh, the better they do.
#[test]
fn forces_of_a_rough_isolator_do_not_depend_on_its_mesh() {
    for path in ["dish", "lower.face"] {
        mesh_independence(path);
    }
}

fn mesh_independence(path: &str) {
    let course = |fine: usize| {
        let text = isolator(fine).edit("[\"dish\"]", &format!("[\"{path}\"]"));
        let mut run = Simulation::with(&text, &[("parameters.roughness", 1e-4)]);
        let mut all = Vec::new();
        run.run(1.0, 0.25, |run| {
            let outputs = ["motions.aside.reaction", "joints.sole.fx", "joints.sole.moment"];
            all.push(outputs.map(|output| run.get(output)));
        });
        all
    };
    let [coarse, fine, finest] = [course(1), course(2), course(3)];
    // Shear as a share of the largest; the moment as one of the weight over half the sole.
    let largest = finest.iter().map(|row| row[0].abs()).fold(0.0, f64::max);
    for (k, whole) in [largest, largest, 510e3 * 0.07].into_iter().enumerate() {
        let off = [&coarse, &fine].map(|rows| {
            let off = rows.iter().zip(&finest).map(|(a, b)| (a[k] - b[k]).abs());
            off.fold(0.0, f64::max) / whole
        });
        println!("{path} {k}: {off:.4?} of {whole}");
        assert!(off[0] < 0.04 && off[1] < 0.015, "{path} {k}: {off:?}");
    }
}
