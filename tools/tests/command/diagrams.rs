//! Diagrams of section forces: the numbers in the picture, and the sides on which its lines are.

use crate::common::{folder, model, ok, refused, text};
use crate::edit::Edit;

/// The bundled portal frame as the closed forms have it: its members do not stretch or shear, the beam alone weighs (49.05 N/m), and loads
/// are a hundredth, so that they act on the frame as it is drawn.
fn portal(elements: usize) -> String {
    std::fs::read_to_string(model("portal_frame"))
        .unwrap()
        .edit("i_section = { height = 0.2, width = 0.2, web = 0.009, flange = 0.015, fillet = 0.018 }", "properties = { area = 10.0, second_moment = 5.7e-5 }")
        .edit("density = 7850.0", "density = 0.0")
        .edit("y = -9.81", "y = -0.0981")
        .edit("fx = 20e3", "fx = 200.0")
        .edit("elements = 4", &format!("elements = {elements}"))
}

/// The points of each line of a diagram, px, in the order of members in the file, and the numbers beside them in rising order.
fn drawn(svg: &str) -> (Vec<Vec<[f64; 2]>>, Vec<f64>) {
    let of_diagram = |line: &&str| line.contains("\"#1c64c8\"");
    let lines = svg.lines().filter(of_diagram).filter_map(|line| {
        let (points, _) = line.strip_prefix("<polyline points=\"")?.split_once('"')?;
        let pair = |point: &str| -> Option<[f64; 2]> {
            let (x, y) = point.split_once(',')?;
            Some([x.parse().ok()?, y.parse().ok()?])
        };
        points.split(' ').map(pair).collect()
    });
    let number = |line: &str| line.strip_suffix("</text>")?.rsplit_once('>')?.1.parse().ok();
    let mut numbers: Vec<f64> = svg.lines().filter(of_diagram).filter_map(number).collect();
    numbers.sort_by(f64::total_cmp);
    (lines.collect(), numbers)
}

fn are(seen: &[f64], exact: &[f64]) {
    assert_eq!(seen.len(), exact.len(), "{seen:?}");
    for (seen, exact) in seen.iter().zip(exact) {
        // Four digits are written; the mesh and the small displacements take less.
        assert!((seen - exact).abs() < 1e-3 * exact.abs(), "{seen} instead of {exact}");
    }
}

#[test]
fn the_numbers_of_a_diagram_of_a_portal_frame_are_those_of_the_closed_form() {
    let folder = folder("diagrams");
    let (file, svg) = (folder.join("portal.toml"), folder.join("portal.svg"));
    // Kleinlogel, h = 4 m, L = 6 m, κ = I_b h/(I_c L): under w on the beam and under P at its left end.
    let (w, p, h, l, k) = (49.05, 200.0, 4.0, 6.0, 4.0 / 6.0);
    let sagging = w * l * l / (6.0 * (k + 2.0));
    let (foot, corner) =
        (p * h / 2.0 * (3.0 * k + 1.0) / (6.0 * k + 1.0), p * h / 2.0 * 3.0 * k / (6.0 * k + 1.0));
    let [left, right] = [corner - sagging, corner + sagging];
    let up = w * l / 2.0 - (left + right) / l;
    let most = left + up * up / (2.0 * w);
    let moments = [left, left, most, foot - sagging / 2.0, right, right, foot + sagging / 2.0];
    let thrust = 1.5 * sagging / h;
    let [left_column, right_column] = [p / 2.0 - thrust, p / 2.0 + thrust];
    let down = w * l - up;
    let shear = [-right_column, -right_column, -up, -left_column, -left_column, down];
    let normal = [-down, -down, -right_column, -right_column, -up, -up];
    for elements in [1, 2, 4] {
        std::fs::write(&file, portal(elements)).unwrap();
        for (diagram, exact) in [("moment", &moments[..]), ("shear", &shear), ("normal", &normal)] {
            ok(&["static", text(&file), "--picture", text(&svg), "--diagram", diagram]);
            let (lines, numbers) = drawn(&std::fs::read_to_string(&svg).unwrap());
            are(&numbers, exact);
            assert_eq!(lines.len(), 3);
            if diagram == "moment" {
                // Pushed to the right, both feet are in tension on their left, the right corner outside, the left one inside.
                let side = |line: &[[f64; 2]], axis: usize| {
                    let n = line.len();
                    [line[1][axis] - line[0][axis], line[n - 2][axis] - line[n - 1][axis]]
                };
                let [left, right, beam] =
                    [side(&lines[0], 0), side(&lines[1], 0), side(&lines[2], 1)];
                assert!(left[0] < 0.0 && left[1] > 0.0, "{left:?}");
                assert!(right[0] < 0.0 && right[1] > 0.0, "{right:?}");
                assert!(beam[0] > 0.0 && beam[1] < 0.0, "{beam:?}");
            }
        }
    }
}

#[test]
fn a_diagram_of_a_run_is_that_of_the_time_of_the_picture() {
    let folder = folder("diagrams_run");
    let [file, svg, png] =
        ["portal.toml", "portal.svg", "portal.png"].map(|name| folder.join(name));
    std::fs::write(&file, portal(4)).unwrap();
    let picture = ["--svg", text(&svg), "--png", text(&png), "--at", "0", "--diagram", "moment"];
    ok(&[&["run", text(&file), "--stop", "0.1", "--exaggerate", "50"], &picture[..]].concat());
    // The run begins in the equilibrium under the weight alone.
    let corner = 49.05 * 36.0 / (6.0 * (4.0 / 6.0 + 2.0));
    let middle = 49.05 * 36.0 / 8.0 - corner;
    let [foot, corner, middle] = [[corner / 2.0; 2], [corner; 2], [middle; 2]];
    let (_, numbers) = drawn(&std::fs::read_to_string(&svg).unwrap());
    let mut exact = [&foot[..], &middle[..1], &corner, &corner].concat();
    exact.sort_by(f64::total_cmp);
    are(&numbers, &exact);
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_diagram_without_a_picture_or_without_an_elastic_member_is_refused() {
    let folder = folder("diagrams_refused");
    let svg = folder.join("picture.svg");
    let told = refused(&["run", &model("portal_frame"), "--diagram", "shear"]);
    assert!(told.contains("add --svg or --png"), "{told}");
    let told = refused(&["run", &model("four_bar"), "--svg", text(&svg), "--diagram", "shear"]);
    assert!(told.contains("no member of this model is elastic"), "{told}");
    let told = refused(&["static", &model("portal_frame"), "--picture", "frame.gif"]);
    assert!(told.contains("ends in .svg or .png"), "{told}");
    assert!(!svg.exists());
}
