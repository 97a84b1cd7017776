//! Loads and motions that are expressions of the time.

use crate::common::mechanism::Mechanism;
use crate::common::{Simulation, check};
use std::f64::consts::PI;

/// A mass of 1 kg at the origin with these entries.
fn mass(entries: &str) -> String {
    Mechanism::new("mass")
        .entry("experiment", "stop_time = 2.0")
        .step(1e-3)
        .entry("parameters", "size = 3.0, w = '4*pi'")
        .points("b = [0.0, 0.0]")
        .mass("b", 1.0)
        .then(entries)
        .outputs("points.* energy.*")
        .text()
}

#[test]
fn loads_that_are_expressions_give_the_momentum_of_their_integrals() {
    // ∫ over 2 s by hand; jumps and kinks act to a step of 1 ms, the rest to (ωΔt)²/12 of the force.
    for (force, momentum) in [
        ("sin(t)", 1.0 - 2.0_f64.cos()),
        ("size*exp(-t)*t", 3.0 * (1.0 - 3.0 * (-2.0_f64).exp())),
        ("abs(sin(w*t))", 4.0 / PI),
        ("size*step(t - 0.5)", 4.5),
        ("mod(t, 0.4)", 0.4),
        ("10*window(t, 0.5, 1.5)", 10.0),
        ("if(t < 1, sin(pi*t), 2*t - 2)", 2.0 / PI + 1.0),
        ("min(t, 1)*max(0.5, t)", 0.0625 + 7.0 / 24.0 + 1.5),
        ("ramp((t - 0.5)/0.5)", 1.25),
        ("t^3/sqrt(1 + t)", (2.0 / 35.0) * 3.0_f64.sqrt() * 16.0 + 32.0 / 35.0),
    ] {
        let load = format!("[loads.f]\npoint = \"b\"\nfx = \"{force}\"\nfy = 2.0\n");
        let mut sim = Simulation::of(&mass(&load));
        sim.run(2.0, 0.01, |_| ());
        let [vx, vy] = ["vx", "vy"].map(|v| sim.get(&format!("points.b.{v}")));
        assert!((vx - momentum).abs() < 6e-3, "{force}: {vx} {momentum}");
        assert!((vy - 4.0).abs() < 1e-9);
    }
}

#[test]
fn a_factor_and_a_component_in_t_are_multiplied() {
    let load = "[loads.f]\npoint = \"b\"\nfx = \"cos(t)\"\nhistory.expression = \"sin(t)\"\n";
    let mut sim = Simulation::of(&mass(load));
    sim.run(2.0, 0.01, |_| ());
    // ∫ sin cos = sin²/2; second order in 1 ms.
    let right = 0.5 * 2.0_f64.sin().powi(2);
    assert!((sim.get("points.b.vx") - right).abs() < 1e-6);
}

#[test]
fn a_motion_in_t_has_the_exact_rates_of_its_expression() {
    let motion = "[motions.b]\npoint = \"b\"\ndirection = \"x\"\n\
                  displacement = \"0.1*exp(-t)*sin(w*t) + 0.02*t^3\"\n";
    let text = mass(motion).replace("\"energy.*\"", "\"motions.*\"");
    let mut sim = Simulation::of(&text);
    let w = 4.0 * PI;
    sim.run(1.5, 1e-2, |sim| {
        let t = sim.time();
        let (d, (s, c)) = (0.1 * (-t).exp(), (w * t).sin_cos());
        let right = [
            d * s + 0.02 * t.powi(3),
            d * (w * c - s) + 0.06 * t * t,
            d * ((1.0 - w * w) * s - 2.0 * w * c) + 0.12 * t,
        ];
        for (name, right) in ["x", "vx", "ax"].into_iter().zip(right) {
            let got = sim.get(&format!("points.b.{name}"));
            assert!((got - right).abs() < 1e-12, "{name} at {t}: {got} {right}");
        }
        // 1 kg.
        assert!((sim.get("motions.b.reaction") - right[2]).abs() < 1e-11);
    });
}

#[test]
fn a_parameter_of_a_function_is_fixed_and_changes_it() {
    let load = "[loads.f]\npoint = \"b\"\nfx = \"size*sin(t)\"\n";
    let text = mass(load).replace("[interface]", "[interface]\nparameters = [\"parameters.*\"]");
    let model = check(&text, &[]).expect("a model");
    assert!(model.parameters.iter().all(|parameter| parameter.tunable.is_none()));
    let mut sim = Simulation::with(&text, &[("parameters.size", 6.0)]);
    sim.run(2.0, 0.01, |_| ());
    let right = 6.0 * (1.0 - 2.0_f64.cos());
    assert!((sim.get("points.b.vx") - right).abs() < 1e-5);
}

#[test]
fn what_a_function_of_time_cannot_do_is_refused_with_its_place() {
    let load = |fx: &str| format!("[loads.f]\npoint = \"b\"\nfx = \"{fx}\"\n");
    let motion = |law: &str| format!("[motions.b]\npoint = \"b\"\ndirection = \"x\"\n{law}\n");
    for (entries, says) in [
        (load("1/t"), "loads.f.fx = \"1/t\" in N: inf at t = 0 s; allowed: finite numbers"),
        (load("siin(t)"), "unknown function `siin`; allowed: sqrt, sin"),
        (load("sin(u)"), "unknown name `u`; allowed:"),
        (
            motion("displacement = \"abs(t - 1)\""),
            "model.toml:17:17: motions.b.displacement: `abs` may have a kink",
        ),
        (motion("displacement = \"sqrt(t)\""), "its rate of change is inf at t = 0 s"),
        (motion("velocity = \"sin(t)\""), "`t`, the time, is allowed in the components of loads"),
        (
            load("sin(t)") + "[static]\nto = 1.0\n",
            "`loads.f` is a function of the time and has no size",
        ),
    ] {
        let said = check(&mass(&entries), &[]).expect_err("refused");
        assert!(said.contains(says), "{said}");
    }
    let input =
        mass(&load("sin(t)")).replace("[interface]", "[interface]\ninputs = [\"loads.f.fx\"]");
    let said = check(&input, &[]).expect_err("refused");
    assert!(said.contains("`loads.f.fx` is a function of the time, and no input"));
    let same = mass(&load("2 + abs(sin(t))")).replace("size = 3.0", "size = 3.0\nt = 0.5");
    assert_eq!(check(&same, &[]).expect("a model").loads[0].components[0], 2.0 + 0.5_f64.sin());
}
