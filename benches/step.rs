//! Cost of a solver step: `cargo bench --bench step`, or one part of it: `cargo bench --bench step -- bridge`.
//!
//! One thread; every figure is taken several times and printed as minimum and median, because
//! other work on the machine only ever adds.

#[allow(dead_code)]
#[path = "../tests/claims/common/mod.rs"]
mod common;
#[path = "../tests/counting/mod.rs"]
mod counting;
#[path = "step/solids.rs"]
mod solids;
#[path = "step/surfaces.rs"]
mod surfaces;

use common::edit::Edit;
use common::sliders::{RUBS, sliders_on_a_bar};
use std::time::Instant;

use common::Simulation;
use coulisse::solve::Stepper;
use coulisse::system::System;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// The solver step of `quick_return.toml`, s.
const STEP: f64 = 1e-4;

/// What one run of some steps has cost.
struct Cost {
    /// Wall clock of each repetition, s per step, rising.
    seconds: Vec<f64>,
    /// Linear solutions per step.
    iterations: f64,
}

impl Cost {
    /// Runs `steps` solver steps from the present state, `repetitions` times over.
    fn of(sim: &mut Simulation, steps: usize, repetitions: usize) -> Cost {
        let step = sim.system.model().solver.step;
        let begin = sim.state.clone();
        let mut iterations = 0;
        let mut seconds: Vec<f64> = (0..repetitions)
            .map(|_| {
                sim.state.copy_from(&begin);
                let clock = Instant::now();
                sim.run(begin.time + steps as f64 * step, step, |_| ());
                iterations = sim.state.counters.iterations - begin.counters.iterations;
                clock.elapsed().as_secs_f64() / steps as f64
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        Cost { seconds, iterations: iterations as f64 / steps as f64 }
    }

    fn least(&self) -> f64 {
        self.seconds[0]
    }

    fn median(&self) -> f64 {
        self.seconds[self.seconds.len() / 2]
    }
}

/// The quick return with another number of elements in the arm.
fn with_elements(elements: usize) -> String {
    let text = common::bundled("quick_return");
    let changed = text.replacen("elements = 10\n", &format!("elements = {elements}\n"), 1);
    assert!(elements == 10 || changed != text, "the arm was not found");
    changed
}

fn quick_return() {
    const FRICTION: &str = "joints.N.friction.stribeck";
    println!("quick return, 10 cubic elements in the arm, Δt = 0.1 ms, four cycles (1.6 s)");
    println!(
        "{:>14} {:>9} {:>9} {:>11} {:>12}",
        "", "µs/step", "median", "iterations", "× real time"
    );
    for (name, s, k) in
        [("frictionless", 0.0, 0.0), ("mu 0.35/0.30", 0.35, 0.30), ("mu 0.75/0.70", 0.75, 0.70)]
    {
        let values = [
            (format!("{FRICTION}.static_coefficient"), s),
            (format!("{FRICTION}.kinetic_coefficient"), k),
        ];
        let values: Vec<(&str, f64)> = values.iter().map(|(p, v)| (p.as_str(), *v)).collect();
        let mut sim = Simulation::bundled("quick_return", &values);
        let cost = Cost::of(&mut sim, 16_000, 5);
        println!(
            "{name:>14} {:9.2} {:9.2} {:11.2} {:12.2}",
            1e6 * cost.least(),
            1e6 * cost.median(),
            cost.iterations,
            STEP / cost.least()
        );
    }
}

/// The mass that crosses the bridge: a path from element to element, smooth or not.
fn bridge() {
    println!("\nmass of 1500 kg at 100 km/h on the two-span bridge, the whole way (1.8 s)");
    println!(
        "{:>26} {:>9} {:>9} {:>11} {:>12}",
        "", "µs/step", "median", "iterations", "× real time"
    );
    let text = common::bundled("moving_mass_on_bridge");
    let ends = "ends = \"continue\" }";
    let kinked = text.edit(ends, "ends = \"continue\", smooth = false }");
    let rubbing = text.edit(
        ends,
        "ends = \"continue\" }\nfriction.stribeck = { static_coefficient = 0.3, \
         kinetic_coefficient = 0.25, decay_velocity = 0.5 }",
    );
    let rough = text.edit(
        ends,
        "ends = \"continue\" }\nroughness.iso8608 = { class = \"A\", from = 0.1, to = 1.0, \
         lines = 20, seed = 1 }",
    );
    let cases = [
        ("smooth", &text),
        ("with kinks", &kinked),
        ("smooth, mu 0.30/0.25", &rubbing),
        ("smooth under class A", &rough),
    ];
    for (name, model) in cases {
        assert!(name == "smooth" || *model != text, "the joint was not found");
        for h in [1e-3, 1e-4] {
            let mut sim = Simulation::with(model, &[("solver.step", h)]);
            let cost = Cost::of(&mut sim, (1.8 / h).round() as usize, 5);
            println!(
                "{name:>21} {:3} ms {:7.2} {:9.2} {:11.2} {:12.2}",
                1e3 * h,
                1e6 * cost.least(),
                1e6 * cost.median(),
                cost.iterations,
                h / cost.least()
            );
        }
    }
}

/// The quick return with every law at a coefficient of about 0.3, against none.
fn laws() {
    println!("\nquick return with each law, Δt = 0.1 ms, the first cycle (0.4 s)");
    println!(
        "{:>17} {:>9} {:>9} {:>11} {:>10}",
        "", "µs/step", "median", "iterations", "frictional"
    );
    let text = common::bundled("quick_return");
    let begin = text.find("friction.stribeck = ").expect("friction");
    let end = begin + text[begin..].find('\n').expect("a line");
    let laws = [
        "",
        "coulomb = { coefficient = 0.3, static_coefficient = 0.35 }",
        "stribeck = { static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.1 }",
        "table = { velocities = [0.0, 0.1, 1.0, 5.0], coefficients = [0.35, 0.32, 0.3, 0.3] }",
        "modified_coulomb = { coefficient = 0.3, threshold_velocity = 0.01 }",
        "power_series = { coefficient = 0.35, threshold_velocity = 0.01, coefficients = [-0.02, 1e-3] }",
        "arctangent = { coefficient = 0.35, threshold_velocity = 0.01, change = -0.1 }",
        "exponential = { coefficient = 0.35, threshold_velocity = 0.01, change = -0.1, decay_velocity = 0.2 }",
        "piecewise_linear = { slopes = [35.0, -35.5, 0.5], velocities = [0.0, 0.01, 0.11] }",
        "spring_friction = { stiffness = 1e6, coefficient = 0.3 }",
        "dahl = { stiffness = 1e6, coefficient = 0.3, exponent = 1.5 }",
        "lugre = { stiffness = 1e6, static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.01, damping = 300.0 }",
        "elasto_plastic = { stiffness = 1e6, static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.01, damping = 300.0 }",
        "bristle = { stiffness = 1e6, static_coefficient = 0.35, kinetic_coefficient = 0.3, decay_velocity = 0.01, dwell_time = 0.1, damping = 300.0 }",
        "bristle_lcp = { stiffness = 1e6, coefficient = 0.3, damping = 300.0 }",
    ];
    let mut sims = laws.map(|law| {
        let line = if law.is_empty() { String::new() } else { format!("friction.{law}") };
        let text = format!("{}{line}{}", &text[..begin], &text[end..]);
        Simulation::of(&text.edit("\"joints.N.friction.stribeck.*\", ", ""))
    });
    let starts = sims.each_ref().map(|sim| sim.state.clone());
    // In turn, so that other work on the machine meets all of them alike.
    let mut seconds = laws.map(|_| Vec::new());
    let mut iterations = laws.map(|_| 0.0);
    for _ in 0..9 {
        for (i, sim) in sims.iter_mut().enumerate() {
            sim.state.copy_from(&starts[i]);
            let cost = Cost::of(sim, 4_000, 1);
            seconds[i].push(cost.least());
            iterations[i] = cost.iterations;
        }
    }
    for list in &mut seconds {
        list.sort_by(f64::total_cmp);
    }
    for (i, law) in laws.iter().enumerate() {
        let name = law.split(' ').next().filter(|name| !name.is_empty());
        let (least, median) = (seconds[i][0], seconds[i][seconds[i].len() / 2]);
        println!(
            "{:>17} {:9.2} {:9.2} {:11.2} {:+9.1}%",
            name.unwrap_or("frictionless"),
            1e6 * least,
            1e6 * median,
            iterations[i],
            100.0 * (least / seconds[0][0] - 1.0)
        );
    }
}

fn growth() {
    println!("\nelements in the arm, mu 0.35/0.30, the first 0.05 s");
    println!(
        "{:>9} {:>9} {:>10} {:>10} {:>11} {:>16} {:>12} {:>13}",
        "elements",
        "unknowns",
        "µs/step",
        "median",
        "iterations",
        "µs/step/element",
        "System, kB",
        "Stepper, kB"
    );
    let mut points = Vec::new();
    for elements in [10, 20, 50, 100, 200, 500, 1000] {
        let text = with_elements(elements);
        let checked = common::check(&text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
        let (system_bytes, system) = counting::held(|| System::build(&checked));
        let system = system.unwrap_or_else(|fault| panic!("{fault}"));
        let (stepper_bytes, _stepper) = counting::held(|| Stepper::new(&system));
        let mut sim = Simulation::of(&text);
        let cost = Cost::of(&mut sim, 500, 5);
        println!(
            "{elements:9} {:9} {:10.2} {:10.2} {:11.2} {:16.3} {:12} {:13}",
            system.equations() + system.border(),
            1e6 * cost.least(),
            1e6 * cost.median(),
            cost.iterations,
            1e6 * cost.least() / elements as f64,
            system_bytes / 1000,
            stepper_bytes / 1000
        );
        points.push((elements as f64, cost.least()));
    }
    let large: Vec<_> = points.iter().copied().filter(|p| p.0 >= 100.0).collect();
    println!(
        "cost grows like elements^{:.3} over all, ^{:.3} from 100 to 1000",
        exponent(&points),
        exponent(&large)
    );
}

/// Slope of the least-squares line through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let (mx, my) = logs().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (cross, square) = logs()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + (x - mx) * (y - my), b + (x - mx) * (x - mx)));
    cross / square
}

/// Many sliders on one bar, each shaken along it at another pace so that some stick and some slide, and without friction.
fn sliders() {
    println!("\n20 sliders of 2 kg on a bar of 10 m, Δt = 0.1 ms, 0.2 s of sticking and sliding");
    println!("{:>12} {:>14} {:>9} {:>9} {:>11}", "elements", "", "µs/step", "median", "iterations");
    for elements in [5, 10, 20] {
        for friction in ["", RUBS] {
            let mut sim = Simulation::of(&sliders_on_a_bar(20, elements, friction));
            // What its start makes ring has died down.
            let step = sim.system.model().solver.step;
            sim.run(0.2, step, |_| ());
            let cost = Cost::of(&mut sim, 2_000, 5);
            println!(
                "{elements:>12} {:>14} {:9.1} {:9.1} {:11.2}",
                if friction.is_empty() { "frictionless" } else { "mu 0.35/0.30" },
                1e6 * cost.least(),
                1e6 * cost.median(),
                cost.iterations
            );
        }
    }
}

/// The bundled building on friction pendulums while the ground is strongest.
fn building() {
    println!("\nisolated building, 60 cubic elements, Δt = 5 ms, 4 s of strong motion");
    println!("{:>9} {:>9} {:>11} {:>12}", "µs/step", "median", "iterations", "× real time");
    let mut sim = Simulation::bundled("isolated_building_frame", &[]);
    let step = sim.system.model().solver.step;
    sim.run(3.0, step, |_| ());
    let cost = Cost::of(&mut sim, 800, 5);
    println!(
        "{:9.2} {:9.2} {:11.2} {:12.2}",
        1e6 * cost.least(),
        1e6 * cost.median(),
        cost.iterations,
        step / cost.least()
    );
}

/// The vehicle on the bridge on its three roads, held at 100 km/h and braking.
fn vehicle() {
    println!(
        "\nvehicle on the bridge, 52 cubic elements, two wheels, Δt = 0.1 ms, the first 0.8 s"
    );
    println!("{:>26} {:>9} {:>9} {:>11}", "", "µs/step", "median", "iterations");
    for (road, level) in [("smooth", 0.0), ("class A", 16e-6), ("class B", 64e-6)] {
        for (rubs, coefficients) in [("friction", [0.4, 0.3]), ("frictionless", [0.0, 0.0])] {
            let mut sim = Simulation::bundled(
                "vehicle_on_bridge",
                &[
                    ("parameters.road", level),
                    ("parameters.static_friction", coefficients[0]),
                    ("parameters.kinetic_friction", coefficients[1]),
                ],
            );
            let cost = Cost::of(&mut sim, 8_000, 3);
            println!(
                "{:>26} {:9.1} {:9.1} {:11.2}",
                format!("{road}, {rubs}"),
                1e6 * cost.least(),
                1e6 * cost.median(),
                cost.iterations
            );
        }
    }
}

fn main() {
    let parts: [(&str, fn()); 9] = [
        ("quick_return", quick_return),
        ("bridge", bridge),
        ("sliders", sliders),
        ("building", building),
        ("vehicle", vehicle),
        ("laws", laws),
        ("growth", growth),
        ("solids", solids::solids),
        ("surfaces", surfaces::report),
    ];
    // Cargo's own argument is `--bench`.
    let wanted: Vec<String> =
        (std::env::args().skip(1)).filter(|argument| !argument.starts_with("--")).collect();
    for (name, part) in parts {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            part();
        }
    }
}
