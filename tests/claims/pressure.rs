//! A ring under a pressure that follows its wall.

use crate::common;
use crate::common::mechanism::Mechanism;
use coulisse::continuation::{Ended, Station, follow};
use coulisse::modes::{Loads, Sliding, modes};
use coulisse::start::equilibrium;
use coulisse::system::System;

const RADIUS: f64 = 1.0;
const HEIGHT: f64 = 0.01;
const YOUNG: f64 = 2e11;
const DENSITY: f64 = 7850.0;
const BENDING: f64 = YOUNG * HEIGHT * HEIGHT * HEIGHT / 12.0;

/// Four quarters that meet at the ends of the axes, held so that the wall is free to move; the pressure acts on each.
fn ring(elements: usize, pressure: f64) -> String {
    let ends = ["right", "top", "left", "bottom", "right"];
    let quarters: String = (ends.windows(2).enumerate())
        .map(|(i, ends)| {
            format!(
                "[members.q{i}]\nfrom = \"{}\"\nto = \"{}\"\narc.radius = {RADIUS}\n\
                 elements = {elements}\nmaterial = \"steel\"\nsection = \"wall\"\n\
                 [loads.q{i}]\nmember = \"q{i}\"\nnormal = {pressure}\n",
                ends[0], ends[1]
            )
        })
        .collect();
    Mechanism::new("Ring")
        .step(1e-3)
        .points(format!("right = [{RADIUS}, 0.0], top = [0.0, {RADIUS}]"))
        .and(format!("left = [-{RADIUS}, 0.0], bottom = [0.0, -{RADIUS}]"))
        .entry("materials.steel", format!("young_modulus = {YOUNG}, shear_modulus = 8e10"))
        .and(format!("density = {DENSITY}"))
        .rectangle("wall", HEIGHT, 1.0)
        .roller("right")
        .roller("left")
        .support("top", "point = 'top', fix = ['x']")
        .add(quarters)
        .entry("static", "scale = ['loads'], to = 6e4, first_step = 2e3")
        .outputs("points.right.x points.top.y")
        .text()
}

#[test]
fn a_ring_under_pressure_buckles_at_levys_load() {
    // M. Lévy (1884): p = 3 EI/R³ where the pressure stays normal to the wall; loads that kept their
    // directions would give 4 EI/R³.
    let exact = 3.0 * BENDING / RADIUS.powi(3);
    let model = common::check(&ring(4, 1.0), &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
    let path = model.statics.clone().expect("[static]");
    let mut critical = Vec::new();
    let mut unstable = Vec::new();
    let ended = follow(&system, &[], &path, &mut |point| {
        let [x, y] = [0, 1].map(|o| system.read(point.state, model.outputs[o].output));
        // It stays round until it buckles.
        assert!((x - y).abs() < 1e-9 * RADIUS, "{x} {y}");
        if let Station::Bifurcation { motions } = point.station {
            critical.push((point.factor, motions));
        } else {
            unstable.push((point.factor, point.state.unstable_modes));
        }
    });
    assert_eq!(ended.unwrap_or_else(|fault| panic!("{fault}")), Ended::Reached);
    println!("{critical:?} of {exact}");
    // Two ovals, along the axes and between them, at one point or at two close ones.
    assert_eq!(critical.iter().map(|(_, motions)| motions).sum::<u32>(), 2);
    assert!(critical.iter().all(|(p, _)| (p / exact - 1.0).abs() < 3e-4));
    assert!(unstable.iter().all(|&(p, modes)| modes == if p < exact { 0 } else { 2 }));
}

/// Frequencies of the ovals in equilibrium under a share of Lévy's pressure, rad/s.
fn ovals(share: f64) -> [f64; 2] {
    let pressure = share * 3.0 * BENDING / RADIUS.powi(3);
    let model = common::check(&ring(4, pressure), &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&model).unwrap_or_else(|fault| panic!("{fault}"));
    let state = equilibrium(&system, &[]).unwrap_or_else(|fault| panic!("{fault}"));
    let found = modes(&system, &state, 2, Sliding::Free, Loads::Acting);
    let found = found.unwrap_or_else(|fault| panic!("{fault}"));
    [0, 1].map(|i| found.list[i].angular_frequency())
}

#[test]
fn pressure_slows_the_vibrations_of_a_ring_as_it_nears_its_load() {
    // ω² = ω₀² (1 − p/p_cr) with ω₀² = 36/5 EI/(m R⁴) of the free oval; the supports hold none of one oval
    // and turn the other.
    let free = (36.0 / 5.0 * BENDING / (DENSITY * HEIGHT * RADIUS.powi(4))).sqrt();
    for share in [0.0, 0.4, 0.8] {
        let found = ovals(share);
        let exact = free * (1.0 - share).sqrt();
        println!("{share}: {found:.4?} of {exact:.4}");
        assert!(found.iter().any(|w| (w / exact - 1.0).abs() < 1e-3));
    }
}
