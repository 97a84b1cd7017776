//! Derivatives of a communication step by its inputs and tunable parameters against central
//! differences of the step.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::sensitivity::{check, sharp, unit};
use crate::common::{Simulation, bundled};
use coulisse::sensitivity::NoDerivative;
use coulisse::solve::Stepper;

#[test]
fn quick_return_by_the_rate_of_its_crank_and_a_load() {
    // Crank and link a hundred times stiffer than the arm: at a million times, what is left of
    // Newton's iteration makes the differences of the reactions blunt.
    let text = sharp(&bundled("quick_return"), 2e-13)
        .edit("decay_velocity = 0.10", "decay_velocity = 0.10, viscous_coefficient = 5.0")
        .edit("47.04e15", "47.04e11")
        .edit("23.52e15", "23.52e11")
        .edit(
            "[interface]",
            "[loads.push]\npoint = \"N\"\nfx = 0.0\nfy = 0.0\n[gravity]\ny = 0.0\n\
             [interface]\ninputs = [\"motions.crank.rate\", \"loads.push.fx\", \"gravity.y\"]",
        )
        .edit(", \"motions.crank.rate\"]\noutputs", "]\noutputs")
        .edit(
            "\"solver.*\",",
            "\"supports.B.*\", \"points.A.*\", \"points.N.vx\", \"points.N.ax\",",
        )
        .edit("    \"points.A.x\",\n    \"points.A.y\",\n", "");
    let mut sim = Simulation::of(&text);
    // Slow strokes and quick return, all sliding. In stiff bars with many unknowns the
    // differences are blunter than in the other tests: 3e-5.
    let mut sure = 0;
    for end in [0.05, 0.12, 0.29, 0.36, 0.52] {
        let h = 5e-4;
        while sim.time() < end - 1e-9 {
            sim.step(h);
        }
        let knowns = [
            ("motions.crank.rate", 0.1),
            ("loads.push.fx", 20.0),
            ("gravity.y", 50.0),
            ("joints.N.friction.stribeck.static_coefficient", 1e-2),
            ("joints.N.friction.stribeck.kinetic_coefficient", 3e-2),
            ("joints.N.friction.stribeck.viscous_coefficient", 4.0),
        ];
        sure += check(&sim, &text, 3e-4, &knowns, 3e-5);
    }
    println!("{sure} derivatives sure");
    assert!(sure > 200);
}

#[test]
fn rabinowicz_by_belt_and_load_while_sticking_and_while_sliding() {
    for transition in ["siqueira_coda_2023", "set_valued"] {
        rabinowicz(transition);
    }
}

/// The law of the joint is that of both ends of its edge.
#[test]
fn block_by_the_friction_of_an_edge_that_slides_by_its_ends_or_mean_places() {
    const VISCOUS: &str = "joints.block.friction.coulomb.viscous_coefficient";
    for nodes in ["all", "ends", "mean"] {
        let text = crate::common::text("tests/models/edges_that_rub")
            .edit(
                "solver.step = 1e-3",
                "solver = { step = 1e-3, position_tolerance = 1e-14, force_tolerance = 1e-12 }",
            )
            .edit("nodes = \"all\"", &format!("nodes = \"{nodes}\""))
            .edit(
                "friction.coulomb.coefficient = 0.3",
                "friction.coulomb = { coefficient = 0.3, viscous_coefficient = 0.5 }",
            );
        let mut sim = Simulation::of(&text);
        sim.run(5e-3, 1e-3, |_| ());
        let knowns = [("joints.block.friction.coulomb.coefficient", 1e-2), (VISCOUS, 1e-2)];
        let sure = check(&sim, &text, 1e-3, &knowns, 1e-6);
        println!("{nodes}: {sure} derivatives sure");
        assert!(sure > 10, "{nodes}: {sure}");
    }
}

fn rabinowicz(transition: &str) {
    let text = sharp(&bundled("rabinowicz"), 1e-15).edit("\nstep = 1e-3", "\nstep = 1e-2").edit(
        "decay_velocity = 0.05",
        &format!("decay_velocity = 0.05, viscous_coefficient = 5.0, transition = \"{transition}\""),
    );
    let mut sim = Simulation::of(&text);
    let mut sure = 0;
    for (end, sticks) in [(10.0, 1.0), (20.0, 1.0), (25.0, 0.0), (28.0, 0.0), (30.0, 1.0)] {
        while sim.time() < end - 1e-9 {
            sim.step(0.1);
        }
        assert_eq!(sim.get("joints.block.sticking"), sticks, "{end}");
        // A jump of the belt is a blow on what sticks exactly: a larger one breaks it loose.
        let belt = if transition == "set_valued" { 1e-4 } else { 4e-3 };
        let mut knowns = vec![("motions.belt.velocity", belt), ("loads.normal.fy", 1.0)];
        let law = [
            ("joints.block.friction.stribeck.static_coefficient", 1e-1),
            // The moment hardly follows it: small steps would show the multiplier's rounding alone.
            ("joints.block.friction.stribeck.kinetic_coefficient", 5e-2),
            ("joints.block.friction.stribeck.decay_velocity", 2e-3),
            ("joints.block.friction.stribeck.decay_exponent", 1e-1),
            ("joints.block.friction.stribeck.viscous_coefficient", 1.0),
        ];
        knowns.extend(law);
        sure += check(&sim, &text, 0.05, &knowns, 1e-6);
    }
    println!("{transition}: {sure} derivatives sure");
    assert!(sure > 30);
}

#[test]
fn a_step_in_which_a_slider_begins_to_slide_has_no_derivative_and_says_when() {
    let text = bundled("rabinowicz")
        .edit("decay_velocity = 0.05", "decay_velocity = 0.05, transition = \"set_valued\"");
    let mut sim = Simulation::of(&text);
    sim.run(23.1, 0.1, |_| ());
    let mut stepper = Stepper::new(&sim.system);
    let perturbation = unit(&sim, "loads.normal.fy");
    let answer = stepper.change(&sim.system, &sim.state, 23.1, 0.1, &perturbation);
    let Err(NoDerivative::Transition { time }) = answer else {
        panic!("{answer:?}");
    };
    // The exact instant.
    assert!((time - 23.14083).abs() < 1e-4, "{time}");
}

/// Steps over which bristles of 100 N/m bend, slip and come back, with all that they remember.
/// Slow: differences at six places of a run of 33 s for each law.
#[test]
fn laws_with_memory_carry_what_they_remember() {
    let laws: [(&str, &[(&str, f64)]); 6] = [
        ("spring_friction", &[("stiffness", 100.0), ("coefficient", 0.5)]),
        ("dahl", &[("stiffness", 100.0), ("coefficient", 0.5), ("exponent", 1.3)]),
        (
            "lugre",
            &[
                ("stiffness", 100.0),
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.5),
                ("decay_velocity", 0.4),
                ("damping", 20.0),
            ],
        ),
        (
            "elasto_plastic",
            &[
                ("stiffness", 100.0),
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.5),
                ("decay_velocity", 0.4),
                ("damping", 20.0),
                ("breakaway_share", 0.6),
            ],
        ),
        (
            "bristle",
            &[
                ("stiffness", 100.0),
                ("static_coefficient", 0.6),
                ("kinetic_coefficient", 0.5),
                ("decay_velocity", 0.4),
                ("damping", 20.0),
                ("dwell_time", 3.0),
            ],
        ),
        ("bristle_lcp", &[("stiffness", 100.0), ("coefficient", 0.5), ("damping", 20.0)]),
    ];
    for (name, numbers) in laws {
        let keys: Vec<String> =
            (numbers.iter()).map(|(key, value)| format!("{key} = {value:?}")).collect();
        let law = format!("friction.{name} = {{ {}, viscous_coefficient = 5.0 }}", keys.join(", "));
        let text = bundled("rabinowicz");
        let begin = text.find("friction.stribeck = ").expect("friction");
        let end = begin + text[begin..].find('\n').expect("a line");
        let text = format!("{}{law}{}", &text[..begin], &text[end..])
            .edit("friction.stribeck.*", &format!("friction.{name}.*"))
            .edit("\nstep = 1e-3", "\nstep = 1e-2")
            // The same stiffness in a shorter bar, which makes the differences sharper.
            .edit("-1000.0", "-40.0")
            .edit("10e3", "400.0")
            .edit("100.0, 0.0]", "20.0, 0.0]");
        let text = sharp(&text, 1e-15);
        let mut sim = Simulation::of(&text);
        // A larger change crosses from holding to slipping, where these laws have corners.
        let corners =
            ["spring_friction", "elasto_plastic", "bristle", "bristle_lcp"].contains(&name);
        let (belt, load, share) = if corners { (2e-3, 0.05, 1e-4) } else { (1e-2, 10.0, 5e-2) };
        let mut sure = 0;
        for end in [0.5, 1.5, 10.0, 24.0, 28.0, 33.0] {
            while sim.time() < end - 1e-9 {
                sim.step(0.1);
            }
            let mut knowns = vec![
                ("motions.belt.velocity".to_owned(), belt),
                ("loads.normal.fy".to_owned(), load),
                (format!("joints.block.friction.{name}.viscous_coefficient"), 1.0),
            ];
            for (key, value) in numbers {
                knowns.push((format!("joints.block.friction.{name}.{key}"), share * value));
            }
            let knowns: Vec<(&str, f64)> = knowns.iter().map(|(p, d)| (p.as_str(), *d)).collect();
            sure += check(&sim, &text, 0.2, &knowns, 3e-5);
        }
        println!("{name}: {sure} derivatives sure");
        assert!(sure > 50, "{name}: {sure}");
    }
}

#[test]
fn of_and_after_a_step_of_a_rounding_s_length() {
    let text = sharp(&bundled("rabinowicz"), 1e-15).edit("\nstep = 1e-3", "\nstep = 1e-2");
    let mut sim = Simulation::of(&text);
    while sim.time() < 25.0 - 1e-9 {
        sim.step(0.1);
    }
    let knowns = [("motions.belt.velocity", 4e-3), ("loads.normal.fy", 1.0)];
    // It runs ahead: what is set acts with the next one.
    assert_eq!(check(&sim, &text, 5e-10, &knowns, 1e-6), 0);
    sim.step(5e-10);
    assert!(check(&sim, &text, 0.05, &knowns, 1e-6) > 5);
}

/// A block on an elastic guide that bears with its ends or a contact layer and is pulled and turned.
#[test]
fn two_sided_contact_by_pull_moment_and_coefficients() {
    const THICK_LINING: &str = ", bearing = \"layer\", height = 0.15";
    const STRIBECK: (&str, [&str; 2]) = (
        "stribeck = { static_coefficient = 0.4, kinetic_coefficient = 0.3, decay_velocity = 1.0 }",
        ["static_coefficient", "kinetic_coefficient"],
    );
    const OF_BRISTLES: [&str; 2] = ["coefficient", "stiffness"];
    for (bearing, (law, numbers)) in [
        ("", STRIBECK),
        (", height = 0.15", STRIBECK),
        (THICK_LINING, STRIBECK),
        (THICK_LINING, ("dahl = { coefficient = 0.3, stiffness = 1e4 }", OF_BRISTLES)),
        (THICK_LINING, ("bristle_lcp = { coefficient = 0.3, stiffness = 1e4 }", OF_BRISTLES)),
    ] {
        let sure = sure_under_two_sided_contact(bearing, law, numbers);
        println!("{sure} derivatives sure, {law}{bearing}");
        assert!(sure > 100, "{sure} {law}{bearing}");
    }
}

fn sure_under_two_sided_contact(bearing: &str, law: &str, numbers: [&str; 2]) -> usize {
    let text = sharp(
        &Mechanism::new("two_sided")
            .step(1e-3)
            .solver("energy_tolerance = 1e9")
            .points("left = [-1.0, 0.0], right = [1.0, 0.2], block = [0.0, 0.1]")
            .material("soft", 1e9, 0.3, 1000.0)
            .rectangle("bar", 0.05, 0.05)
            .member("guide", ["left", "right"], "elements = 3, material = 'soft', section = 'bar'")
            .clamp("left")
            .clamp("right")
            .wheel("block", 2.0, 0.05)
            .load("pull", "point = 'block', fx = 60.0, fy = -20.0, moment = 0.0")
            .joint(
                "block",
                "prismatic = { slider = 'block', path = ['guide'], length = 0.2BEARING }",
            )
            .and("friction.LAW")
            .start("block", "vx = 0.5")
            .inputs("loads.pull.*")
            .entry("interface", "parameters = ['joints.block.friction.*']")
            .outputs("points.block.* energy.*")
            .text()
            .replace("BEARING", bearing)
            .replace("LAW", law),
        1e-14,
    );
    let (name, _) = law.split_once(' ').unwrap_or_default();
    let numbers = numbers.map(|number| format!("joints.block.friction.{name}.{number}"));
    let mut sure = 0;
    // Pressing with one side; with opposite corners; with the other two.
    for (moment, turned) in [(0.3, 0.0), (6.0, 1.0), (-6.0, -1.0)] {
        let mut sim = Simulation::of(&text);
        sim.set("loads.pull.moment", moment);
        for _ in 0..20 {
            sim.step(2e-3);
        }
        if bearing.is_empty() {
            let [front, rear] =
                ["front", "rear"].map(|e| sim.get(&format!("joints.block.{e}_force")));
            let seen = if front * rear < 0.0 { front.signum() } else { 0.0 };
            assert_eq!(seen, turned, "{front} {rear}");
        }
        let knowns: [(&str, f64); 5] = [
            ("loads.pull.fx", 1.0),
            ("loads.pull.fy", 1.0),
            ("loads.pull.moment", 0.1),
            (&numbers[0], 1e-2),
            (&numbers[1], 1e-2),
        ];
        sure += check(&sim, &text, 4e-3, &knowns, 3e-6);
    }
    sure
}

/// A flexible beam whose support and load are inputs.
fn beam(reconstruction: &str, analysis: &str) -> String {
    Mechanism::new("beam")
        .step(1e-3)
        .solver(format!("analysis = '{analysis}'"))
        .points("a = [0.0, 0.0], b = [1.0, 0.0]")
        .material("soft", 2e6, 0.3, 1000.0)
        .rectangle("strip", 0.05, 0.05)
        .member("beam", ["a", "b"], "elements = 3, material = 'soft', section = 'strip'")
        .pin("a")
        .motion("a", "point = 'a', direction = 'rotation', angle = 0.0")
        .load("b", "point = 'b', fy = 0.0, history.ramp = { duration = 0.1 }")
        .probe("bend", "deflection = { point = 'b', from = 'a' }")
        .probe("far", "distance = { point = 'b', from = 'a' }")
        .probe("inside", "displacement = { member = 'beam', at = 0.4, direction = 'y' }")
        .inputs("motions.a.angle loads.b.fy")
        .entry("interface", format!("{reconstruction} = ['motions.a.angle', 'loads.b.fy']"))
        .outputs("probes.* points.b.* supports.* motions.* energy.*")
        .text()
}

#[test]
fn a_driven_beam_with_lines_and_cubics_between_the_inputs() {
    let mut sure = 0;
    for reconstruction in ["linear", "cubic"] {
        for analysis in ["dynamic", "quasi_static"] {
            let text = sharp(&beam(reconstruction, analysis), 1e-13);
            let mut sim = Simulation::of(&text);
            for n in 0..12 {
                let t = 0.01 * f64::from(n + 1);
                sim.set("motions.a.angle", 0.3 * (20.0 * t).sin());
                sim.set("loads.b.fy", 10.0 * t);
                if n % 4 == 3 {
                    let knowns = [("motions.a.angle", 1e-2), ("loads.b.fy", 1.0)];
                    sure += check(&sim, &text, 0.01, &knowns, 3e-6);
                }
                sim.step(0.01);
            }
        }
    }
    println!("{sure} derivatives sure");
    assert!(sure > 200);
}

#[test]
fn the_moment_of_a_member_that_is_held_and_stretched() {
    let text = &Mechanism::new("stretched")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [1.0, 0.0], P = [0.6, 0.0]")
        .material("soft", 2e4, 0.3, 1000.0)
        .rectangle("strip", 0.05, 0.05)
        .member("g", ["a", "b"], "elements = 3, material = 'soft', section = 'strip'")
        .support("g", "member = 'g', fix = ['y', 'rotation']")
        .motion("a", "point = 'a', direction = 'x', displacement = 0.0")
        .mass("P", 2.0)
        .slider("P", "P", "g", "")
        .load("P", "point = 'P', fy = -20.0")
        .load("b", "point = 'b', fx = 0.0")
        .inputs("motions.a.displacement loads.P.fy loads.b.fx")
        .outputs("supports.*")
        .text();
    // Differences of steps that are equal.
    let text = sharp(text, 1e-13).edit("[solver]", "[solver]\nenergy_tolerance = 1e9");
    let mut sim = Simulation::of(&text);
    let mut sure = 0;
    for n in 0..6 {
        sim.set("motions.a.displacement", 0.01 * f64::from(n));
        sim.set("loads.b.fx", 5.0 * f64::from(n));
        if n % 2 == 1 {
            let knowns =
                [("motions.a.displacement", 1e-3), ("loads.P.fy", 1.0), ("loads.b.fx", 1.0)];
            sure += check(&sim, &text, 0.01, &knowns, 3e-6);
        }
        sim.step(0.01);
    }
    println!("{sure} derivatives sure");
    assert!(sure > 20);
}

/// The model of the tutorial on friction from a measured loop.
fn carriage() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tutorials/friction_from_a_loop.md");
    let page = std::fs::read_to_string(path).unwrap_or_else(|fault| panic!("{path}: {fault}"));
    let (_, block) = page.split_once("```toml\n").expect("a model");
    block.split("```").next().expect("its end").to_owned()
}

#[test]
fn a_carriage_whose_drive_prescribes_its_motion_by_its_friction() {
    let mut sim = Simulation::of(&carriage());
    let law = "joints.carriage.friction.stribeck.";
    let drive = (sim.system.model().outputs.iter())
        .find(|output| output.path == "motions.drive.reaction")
        .expect("the force of the drive");
    let drive = drive.output;
    let (h, normal_force) = (8e-3, 3.0 * 9.81);
    for sample in 0..250 {
        let before = sim.state.clone();
        sim.step(h);
        let v = sim.get("joints.carriage.velocity");
        let fade = (-v.abs() / 0.02).exp();
        for (number, exact) in [
            ("static_coefficient", normal_force * fade * v.signum()),
            ("kinetic_coefficient", normal_force * (1.0 - fade) * v.signum()),
            ("viscous_coefficient", v),
        ] {
            // The motion does not follow: what is left of its change may be as small as numbers can be.
            for size in [1.0, 1e-300] {
                let mut by = unit(&sim, &format!("{law}{number}"));
                by.parameters.iter_mut().for_each(|change| *change *= size);
                let change =
                    Stepper::new(&sim.system).change(&sim.system, &before, before.time, h, &by);
                let (end, change) =
                    change.unwrap_or_else(|fault| panic!("sample {sample}: {fault}"));
                let found = sim.system.output_change(&end, &change, drive);
                let exact = exact * size;
                assert!(
                    (found - exact).abs() < 1e-9,
                    "sample {sample}, {number}: {found:e}, exactly {exact:e}"
                );
            }
        }
    }
}
