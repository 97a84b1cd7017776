//! A ring under a pressure that follows its wall.

mod common;

use coulisse::solve::continuation::{Ended, Station, follow};
use coulisse::system::System;

const RADIUS: f64 = 1.0;
const HEIGHT: f64 = 0.01;
const YOUNG: f64 = 2e11;

/// Four quarters that meet at the ends of the axes, held so that the wall is free to move; the pressure acts on each.
fn ring(elements: usize) -> String {
    let ends = ["right", "top", "left", "bottom", "right"];
    let quarters: String = (ends.windows(2).enumerate())
        .map(|(i, ends)| {
            format!(
                "[members.q{i}]\nfrom = \"{}\"\nto = \"{}\"\narc.radius = {RADIUS}\n\
                 elements = {elements}\nmaterial = \"steel\"\nsection = \"wall\"\n\
                 [loads.q{i}]\nmember = \"q{i}\"\nnormal = 1.0\n",
                ends[0], ends[1]
            )
        })
        .collect();
    format!(
        r#"
name = "Ring"
[solver]
step = 1e-3
[points]
right = [{RADIUS}, 0.0]
top = [0.0, {RADIUS}]
left = [-{RADIUS}, 0.0]
bottom = [0.0, -{RADIUS}]
[materials.steel]
young_modulus = {YOUNG}
shear_modulus = 8e10
density = 0.0
[sections.wall]
rectangle = {{ height = {HEIGHT}, width = 1.0 }}
[supports.right]
point = "right"
fix = ["y"]
[supports.left]
point = "left"
fix = ["y"]
[supports.top]
point = "top"
fix = ["x"]
{quarters}
[static]
scale = ["loads"]
to = 6e4
first_step = 2e3
[interface]
outputs = ["points.right.x", "points.top.y"]
"#
    )
}

#[test]
fn a_ring_under_pressure_buckles_at_levys_load() {
    // M. Lévy (1884): p = 3 EI/R³ where the pressure stays normal to the wall; loads that kept their
    // directions would give 4 EI/R³.
    let exact = 3.0 * YOUNG * HEIGHT.powi(3) / 12.0 / RADIUS.powi(3);
    let model = common::check(&ring(4), &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
    let path = model.statics.clone().expect("[static]");
    let mut critical = Vec::new();
    let mut unstable = Vec::new();
    let ended = follow(&system, &[], &path, &mut |point| {
        let [x, y] = [0, 1].map(|o| system.read(point.state, model.outputs[o].output));
        // It stays round until it buckles.
        assert!((x - y).abs() < 1e-9 * RADIUS, "{x} {y}");
        if matches!(point.station, Station::Bifurcation { .. }) {
            critical.push(point.factor);
        } else {
            unstable.push((point.factor, point.state.unstable_modes));
        }
    });
    assert_eq!(
        ended.unwrap_or_else(|fault| panic!("{fault}")),
        Ended::Reached
    );
    println!("{critical:?} of {exact}");
    // Two ovals, along the axes and between them.
    assert_eq!(critical.len(), 2);
    assert!(critical.iter().all(|p| (p / exact - 1.0).abs() < 3e-4));
    assert!(
        unstable
            .iter()
            .all(|&(p, modes)| modes == if p < exact { 0 } else { 2 })
    );
}
