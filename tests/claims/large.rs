//! Models that are too large are refused in words, and large ones cost in proportion to their size.

use std::fmt::Write;
use std::time::Duration;

use coulisse::fmu::Blueprint;

use crate::common::mechanism::Mechanism;
use crate::common::watch::work_time;
use crate::common::{Simulation, life, refusal};

/// Slow: the largest body that may be described is meshed and numbered.
#[test]
fn a_body_whose_matrix_has_no_room_is_refused_with_its_size() {
    let text = &Mechanism::new("plate")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [1.0, 0.0], c = [1.0, 1.0], d = [0.0, 1.0]")
        .steel()
        .body("plate", "material = 'steel', thickness = 0.02, state = 'plane_stress', order = 4")
        .patch("plate", [170, 170], "bottom: a, right: b, top: c, left: d")
        .support("clamp", "edge = 'plate.left', fix = ['x', 'y']")
        .outputs("points.c.y")
        .text();
    let message = refusal(text);
    // 681 nodes on each side, of two coordinates each.
    for said in ["927522 equations", "5.2e7 entries", "5e7", "fewer elements"] {
        assert!(message.contains(said), "{message}");
    }
}

/// A chain of masses and springs.
fn springs(count: usize) -> String {
    let mut text = "name = \"chain\"\nsolver.step = 1e-3\n[points]\n".to_owned();
    for i in 0..=count {
        let _ = writeln!(text, "p{i} = [{i}.0, 0.0]");
    }
    for i in 0..=count {
        let _ = writeln!(text, "[masses.m{i}]\npoint = \"p{i}\"\nmass = 1.0");
    }
    for i in 0..count {
        let ends = format!("from = \"p{i}\"\nto = \"p{}\"", i + 1);
        let _ = writeln!(text, "[springs.s{i}]\n{ends}\nstiffness = 1e3");
    }
    text
}

/// Parameters that a mass is made of, each named in the interface.
fn parameters(count: usize) -> String {
    let mut text = "name = \"many\"\nsolver.step = 1e-3\n[parameters]\n".to_owned();
    for i in 0..count {
        let _ = writeln!(text, "a{i} = 1.0");
    }
    text += "[points]\np = [0.0, 0.0]\n[masses.p]\npoint = \"p\"\nmass = \"a0 + a1\"\n[interface]\nparameters = [";
    for i in 0..count {
        let _ = write!(text, "\"parameters.a{i}\", ");
    }
    text + "]\n"
}

/// Many sliders at one place of a bar.
fn sliders(count: usize) -> String {
    let mut text =
        "name = \"beads\"\nsolver.step = 1e-3\n[points]\na = [0.0, 0.0]\nb = [1.0, 0.0]\n"
            .to_owned();
    for i in 0..count {
        let _ = writeln!(text, "p{i} = [0.5, 0.0]");
    }
    text += "[members.m]\nfrom = \"a\"\nto = \"b\"\nelements = 1\n[supports.m]\nmember = \"m\"\nfix = [\"x\", \"y\", \"rotation\"]\n";
    for i in 0..count {
        let joint = format!("cylindrical = {{ slider = \"p{i}\", path = [\"m\"] }}");
        let _ =
            writeln!(text, "[masses.p{i}]\npoint = \"p{i}\"\nmass = 1.0\n[joints.p{i}]\n{joint}");
    }
    text
}

/// Members that cross at one point, which slides on all of them.
fn crossing(count: usize) -> String {
    let mut text = "name = \"star\"\nsolver = { step = 1e-3, analysis = \"quasi_static\" }\n[points]\nc = [0.0, 0.0]\n".to_owned();
    for i in 0..count {
        let (y, x) = (std::f64::consts::PI * (i as f64 + 0.5) / count as f64).sin_cos();
        let _ = writeln!(text, "p{i} = [{x:?}, {y:?}]\nq{i} = [{:?}, {:?}]", -x, -y);
    }
    text += "[materials.steel]\nyoung_modulus = 210e9\npoisson_ratio = 0.3\ndensity = 7850.0\n\
             [sections.bar]\nrectangle = { height = 0.02, width = 0.02 }\n\
             [masses.c]\npoint = \"c\"\nmass = 1.0\n[loads.c]\npoint = \"c\"\nfx = 10.0\nfy = 1.0\n";
    for i in 0..count {
        let ends = format!("from = \"p{i}\"\nto = \"q{i}\"\nelements = 2");
        let joint = format!("cylindrical = {{ slider = \"c\", path = [\"m{i}\"] }}");
        let _ = writeln!(
            text,
            "[members.m{i}]\n{ends}\nmaterial = \"steel\"\nsection = \"bar\"\n[joints.j{i}]\n{joint}"
        );
        for end in ["p", "q"] {
            let fixed = "fix = [\"x\", \"y\", \"rotation\"]";
            let _ = writeln!(text, "[supports.{end}{i}]\npoint = \"{end}{i}\"\n{fixed}");
        }
    }
    text + "[interface]\noutputs = [\"points.c.*\"]\n"
}

#[test]
fn members_that_cross_at_one_point_cost_in_proportion() {
    let cost = |count: usize| {
        let text = crossing(count);
        let before = work_time();
        let mut sim = Simulation::of(&text);
        (0..5).for_each(|_| sim.step(1e-3));
        let took = work_time() - before;
        // Each beam, clamped at both ends, resists in its middle across itself alone, by 192 EI/L³: half of them along x.
        let stiffness = 192.0 * 210e9 * 0.02_f64.powi(4) / 12.0 / 8.0;
        let exact = 10.0 / (0.5 * count as f64 * stiffness);
        let x = sim.get("points.c.x");
        // Shear, which (h/L)² measures.
        assert!((x / exact - 1.0).abs() < 5e-3, "{x} {exact}");
        took
    };
    let [one, two] = [100, 200].map(|count| (0..3).map(|_| cost(count)).min().expect("a time"));
    println!("{one:?} of 100, {two:?} of twice as many");
    assert!(two < 3 * one, "{one:?}, {two:?}");
}

#[test]
fn models_twice_as_large_take_twice_as_long() {
    type Kind = (&'static str, fn(usize) -> String, usize);
    let kinds: [Kind; 3] =
        [("springs", springs, 2000), ("parameters", parameters, 4000), ("sliders", sliders, 800)];
    for (what, of, count) in kinds {
        let cost = |count: usize| {
            let text = of(count);
            let tries = (0..3).map(|_| {
                let before = work_time();
                let model = life::parse(&text).unwrap_or_else(|faults| panic!("{what}: {faults}"));
                let blueprint =
                    Blueprint::of(model).unwrap_or_else(|fault| panic!("{what}: {fault}"));
                blueprint.description(None).unwrap_or_else(|fault| panic!("{what}: {fault}"));
                work_time() - before
            });
            tries.min().unwrap_or(Duration::ZERO)
        };
        let [one, two] = [count, 2 * count].map(cost);
        println!("{what}: {one:?} of {count}, {two:?} of twice as many");
        assert!(two < 3 * one, "{what}: {one:?}, {two:?}");
    }
}

#[test]
fn the_memory_that_check_states_is_what_a_simulation_takes() {
    let chain = |order: usize| {
        format!(
            "name = \"chain\"\n[solver]\nstep = 1e-3\n[points]\na = [0.0, 0.0]\nb = [9.0, 0.0]\n\
             [materials.steel]\nyoung_modulus = 210e9\npoisson_ratio = 0.3\ndensity = 7850.0\n\
             [sections.bar]\nrectangle = {{ height = 0.02, width = 0.02 }}\n\
             [members.m]\nfrom = \"a\"\nto = \"b\"\nelements = 4000\norder = {order}\nmaterial = \"steel\"\n\
             section = \"bar\"\n[supports.a]\npoint = \"a\"\nfix = [\"x\", \"y\", \"rotation\"]\n"
        )
    };
    let plate = "name = \"plate\"\n[solver]\nstep = 1e-3\n[points]\na = [0.0, 0.0]\nb = [1.0, 0.0]\nc = [1.0, 1.0]\nd = [0.0, 1.0]\n\
        [materials.steel]\nyoung_modulus = 210e9\npoisson_ratio = 0.3\ndensity = 7850.0\n\
        [bodies.plate]\nmaterial = \"steel\"\nthickness = 0.01\nstate = \"plane_stress\"\norder = 3\n\
        patch.cells = [30, 30]\npatch.edges = [{ name = \"s\", from = \"a\", to = \"b\" }, { name = \"e\", from = \"b\", to = \"c\" },\
        { name = \"n\", from = \"c\", to = \"d\" }, { name = \"w\", from = \"d\", to = \"a\" }]\n\
        [supports.w]\nedge = \"plate.w\"\nfix = [\"x\", \"y\"]\n";
    for text in [chain(2), chain(4), plate.to_string()] {
        let (peak, stated) = crate::faults::counting::peak(|| {
            let mut sim = Simulation::of(&text);
            sim.step(1e-3);
            sim.system.memory()
        });
        println!("{:.1} MB, stated {:.1} MB", peak as f64 / 1e6, stated / 1e6);
        assert!((peak as f64 / stated - 1.0).abs() < 0.4, "{peak} {stated}");
    }
}
