//! Rayleigh damping against closed forms: decay, energy balance, order, derivatives.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};
use coulisse::laws::rayleigh::Rayleigh;
use coulisse::model::checked::Subject;
use coulisse::quantity::Quantity;
use coulisse::sensitivity::Perturbation;
use coulisse::solve::Stepper;
use coulisse::system::State;

/// A pinned strip of 2 m with a point in its middle and one at its quarter.
fn beam(step: f64, more: &str) -> String {
    Mechanism::new("beam")
        .step(step)
        .solver("spectral_radius = 0.9, position_tolerance = 1e-14")
        .points("a = [0.0, 0.0], quarter = [0.5, 0.0], middle = [1.0, 0.0], b = [2.0, 0.0]")
        .material("steel", 200e9, 0.0, 7800.0)
        .rectangle("strip", 0.02, 0.05)
        .beam("first", ["a", "quarter"], [1, 4], "steel strip")
        .beam("second", ["quarter", "middle"], [1, 4], "steel strip")
        .beam("third", ["middle", "b"], [2, 4], "steel strip")
        .pin("a")
        .roller("b")
        .add(more)
        .text()
}

const OUTPUTS: &str =
    "[interface]\noutputs = [\"points.middle.*\", \"points.quarter.*\", \"energy.*\"]";
const RATIOS: &str = "[damping.all]\nratios = [0.02, 0.03]\nmodes = [1, 3]\n";

/// The beam in its mode `number`, at rest in the middle of its swing of 1e-6·φ.
fn swinging(step: f64, damping: &str, number: usize) -> (Simulation, f64, f64) {
    let mut sim = Simulation::of(&beam(step, &(damping.to_string() + OUTPUTS)));
    let mode = sim.modes(number).list.swap_remove(number - 1);
    let (omega, ratio) = (mode.angular_frequency(), mode.damping_ratio);
    for (u, value) in mode.shape.iter().enumerate() {
        let v = 1e-6 * value;
        sim.state.velocity[u] = v;
        // η″ = −2ζω η′ where η = 0.
        sim.state.acceleration[u] = -2.0 * ratio * omega * v;
        sim.state.algorithmic[u] = sim.state.acceleration[u];
    }
    (sim, omega, ratio)
}

#[test]
fn modes_of_a_beam_decay_with_the_ratios_asked_for() {
    let law = {
        let sim = Simulation::of(&beam(1e-3, &(RATIOS.to_string() + OUTPUTS)));
        sim.system.rayleigh(0).expect("damping")
    };
    for (number, place) in [(1, "middle"), (2, "quarter"), (3, "middle")] {
        let period = std::f64::consts::TAU / swinging(1e-3, RATIOS, number).1;
        let (mut sim, omega, ratio) = swinging(period / 1000.0, RATIOS, number);
        let asked = match number {
            1 => 0.02,
            2 => law.ratio(omega),
            _ => 0.03,
        };
        assert!((ratio - asked).abs() < 1e-9, "{number}: {ratio} {asked}");
        let damped = omega * (1.0 - ratio * ratio).sqrt();
        let drawn = sim.state.q[sim.point(place, 1)];
        let amplitude = |sim: &Simulation| {
            let y = sim.get(&format!("points.{place}.y")) - drawn;
            let v = sim.get(&format!("points.{place}.vy"));
            y.hypot((v + ratio * omega * y) / damped)
        };
        let first = amplitude(&sim);
        let mut worst = 0.0_f64;
        sim.run(10.0 * period, period / 50.0, |sim| {
            let exact = first * (-ratio * omega * sim.time()).exp();
            worst = worst.max((amplitude(sim) / exact - 1.0).abs());
        });
        println!("mode {number}: {omega:.2} rad/s, ratio {ratio:.5}, off by {worst:.2e}");
        assert!(worst < 1e-3, "mode {number}: {worst}");
    }
}

#[test]
fn frequencies_and_coefficients_say_the_same_as_modes() {
    let of = |damping: &str| {
        let sim = Simulation::of(&beam(1e-3, &(damping.to_string() + OUTPUTS)));
        (sim.system.rayleigh(0).expect("damping"), sim.frequencies(3))
    };
    let (by_modes, omegas) = of(RATIOS);
    let hertz = [0, 2].map(|i| omegas[i] / std::f64::consts::TAU);
    let (by_frequencies, _) =
        of(&format!("[damping.all]\nratios = [0.02, 0.03]\nfrequencies = {hertz:?}\n"));
    let Rayleigh { mass, stiffness } = by_modes;
    assert!((by_frequencies.mass / mass - 1.0).abs() < 1e-9);
    assert!((by_frequencies.stiffness / stiffness - 1.0).abs() < 1e-9);
    let (given, _) = of(&format!(
        "[damping.all]\nmembers = [\"first\", \"second\", \"third\"]\nmass_coefficient = {mass:?}\n\
         stiffness_coefficient = {stiffness:?}\n"
    ));
    assert_eq!(given, by_modes);
}

#[test]
fn curved_members_are_damped_each_by_its_own_entry() {
    let ratios = |curve: &str| {
        let entries = "[damping.one]\nmembers = [\"first\", \"third\"]\nstiffness_coefficient = 1e-4\n\
                       [damping.other]\nmembers = [\"second\"]\nstiffness_coefficient = 3e-5\n";
        let ends = "from = \"a\"\nto = \"quarter\"\nelements = 1\n";
        let text = beam(1e-3, &(entries.to_string() + OUTPUTS));
        assert!(text.contains(ends));
        let finer = ends.edit("elements = 1", "elements = 3");
        let sim = Simulation::of(&text.edit(ends, &format!("{finer}{curve}\n")));
        [0, 1, 2].map(|mode| sim.modes(3).list[mode].damping_ratio)
    };
    let straight = ratios("");
    for curve in ["arc.angle = 1e-7", "spline = [[0.25, 1e-9]]"] {
        for (curved, straight) in ratios(curve).into_iter().zip(straight) {
            assert!((curved / straight - 1.0).abs() < 1e-5, "{curved} {straight}");
        }
    }
    // Bent by a right angle the whole still has the ratios asked for.
    let text = beam(1e-3, &(RATIOS.to_string() + OUTPUTS))
        .edit("b = [2.0, 0.0]", "b = [1.6, 0.6]")
        .edit("elements = 2\n", "elements = 6\narc.angle = \"pi/2\"\n");
    let modes = Simulation::of(&text).modes(3).list;
    for (mode, asked) in [(0, 0.02), (2, 0.03)] {
        assert!((modes[mode].damping_ratio / asked - 1.0).abs() < 1e-9);
    }
}

#[test]
fn modes_of_damped_members_hold_a_motion_that_waits_for_a_joint_outside_of_them() {
    let pull = "[motions.pull]\npoint = \"b\"\ndirection = \"x\"\nvelocity = 1e-3\n\
                release.position = { joint = \"bead\", at = 1.0 }\n";
    let held = beam(1e-3, &format!("{RATIOS}{BEAD}{OUTPUTS}"))
        .edit("[points]", "[points]\nbead = [0.3, 0.0]");
    let driven = held.edit("[interface]", &format!("{pull}[interface]"));
    let held = held.edit("point = \"b\"\nfix = [\"y\"]", "point = \"b\"\nfix = [\"x\", \"y\"]");
    let [held, driven] = [held, driven].map(|text| {
        let sim = Simulation::of(&text);
        sim.system.rayleigh(0).expect("damping")
    });
    assert!((driven.mass / held.mass - 1.0).abs() < 1e-9, "{driven:?}");
    assert!((driven.stiffness / held.stiffness - 1.0).abs() < 1e-9);
}

/// A push on the middle, and a lumped mass there.
const PUSHED: &str = "[masses.middle]\npoint = \"middle\"\nmass = 5.0\n\
                      [loads.push]\npoint = \"middle\"\nfy = -50.0\n\
                      history.sine = { frequency = 7.0 }\n";

fn pushed(step: f64, damping: &str) -> Simulation {
    let mut sim = Simulation::of(&beam(step, &(format!("{damping}{PUSHED}{OUTPUTS}"))));
    sim.run(0.2, 0.01, |_| ());
    sim
}

#[test]
fn a_damped_motion_converges_with_second_order_and_its_energy_balance_closes() {
    let steps = [1e-3, 5e-4, 2.5e-4];
    let fine = pushed(2.5e-5, RATIOS);
    let runs = steps.map(|step| pushed(step, RATIOS));
    let errors = |path: &str| runs.each_ref().map(|sim| (sim.get(path) - fine.get(path)).abs());
    for path in ["points.middle.y", "points.middle.vy", "energy.damping_work"] {
        let [a, b, c] = errors(path);
        println!("{path}: {a:.3e} {b:.3e} {c:.3e}");
        assert!((a / b).log2() > 1.8 && (b / c).log2() > 1.8, "{path}");
    }
    let taken = fine.get("energy.damping_work");
    assert!(taken > 0.1 * fine.get("energy.input_work").abs(), "{taken}");
    let lost = runs.each_ref().map(|sim| sim.lost() / taken);
    println!("lost {lost:?} of {taken:.3e} J");
    assert!(lost[2].abs() < 1e-3);
    assert!((lost[0] / lost[1]).log2() > 1.8 && (lost[1] / lost[2]).log2() > 1.8);
}

#[test]
fn damping_never_gives_energy_and_takes_all_of_it_in_the_end() {
    let (mut sim, omega, _) = swinging(1e-3, RATIOS, 1);
    let before = sim.get("energy.kinetic");
    let mut last = 0.0;
    let period = std::f64::consts::TAU / omega;
    sim.run(40.0 * period, period / 20.0, |sim| {
        let now = sim.get("energy.damping_work");
        assert!(now >= last - 1e-12 * before, "{now} {last}");
        last = now;
    });
    println!("{last} of {before}");
    // The trapezoidal rule over the two stages of the first steps is off by its own error.
    assert!(last > 0.95 * before && last < 1.005 * before);
}

#[test]
fn statics_know_no_damping() {
    let of = |damping: &str| {
        let text = beam(1e-2, &format!("{damping}{PUSHED}{OUTPUTS}"))
            .edit("[solver]", "[solver]\nanalysis = \"quasi_static\"");
        let mut sim = Simulation::of(&text);
        sim.run(0.1, 0.01, |_| ());
        sim
    };
    let (damped, free) = (of(RATIOS), of(""));
    assert_eq!(damped.state.q, free.state.q);
    assert_eq!(damped.get("energy.damping_work"), 0.0);
}

#[test]
fn a_bridge_alone_is_damped_while_a_mass_crosses() {
    let damping = "[damping.bridge]\nmembers = [\"span1\", \"span2\"]\nratios = [0.025, 0.025]\n\
                   modes = [1, 4]\n[interface]";
    let free = common::bundled("moving_mass_on_bridge");
    let text = free.edit("[interface]", damping);
    let mut damped = Simulation::of(&text);
    // Of the bridge without the mass that stands on it.
    let [wi, wj] = [1.02579, 5.19317].map(|f| f * std::f64::consts::TAU);
    let law = damped.system.rayleigh(0).expect("damping");
    assert!((law.mass / (0.05 * wi * wj / (wi + wj)) - 1.0).abs() < 1e-4, "{law:?}");
    assert!((law.stiffness / (0.05 / (wi + wj)) - 1.0).abs() < 1e-4, "{law:?}");
    let mut free = Simulation::of(&free);
    let course = |sim: &mut Simulation, end: f64| {
        let mut range = [0.0_f64; 2];
        sim.run(end, 1e-3, |sim| {
            let y = sim.get("probes.first_span");
            range = [range[0].min(y), range[1].max(y)];
        });
        range
    };
    let [while_free, while_damped] = [&mut free, &mut damped].map(|sim| course(sim, 1.8));
    println!("crossing: free {while_free:.6?} m, damped {while_damped:.6?} m");
    for (free, damped) in while_free.into_iter().zip(while_damped) {
        assert!(damped.abs() < free.abs() && damped.abs() > 0.85 * free.abs());
    }
    let (taken, balance) = ("energy.damping_work", "energy.balance");
    let [taken, balance] = [taken, balance].map(|path| damped.get(path));
    assert!(taken > 10.0, "{taken}");
    assert!(balance.abs() < 1e-4 * taken, "{balance} of {taken}");
}

#[test]
fn derivatives_of_a_damped_step_agree_with_differences() {
    let more = "[masses.middle]\npoint = \"middle\"\nmass = 5.0\n\
                [loads.push]\npoint = \"middle\"\nfy = -500.0\n\
                [motions.shake]\npoint = \"b\"\ndirection = \"y\"\nvelocity = 0.02\n\
                [damping.all]\nmass_coefficient = 20.0\nstiffness_coefficient = 2e-3\n\
                [interface]\ninputs = [\"loads.push.fy\", \"motions.shake.velocity\"]\n\
                outputs = [\"points.middle.*\", \"supports.a.*\", \"motions.*\", \"energy.*\"]";
    // Large changes of the force would take other steps.
    let equal = beam(1e-3, more).edit("[solver]", "[solver]\nforce_tolerance = 1e-12");
    let text = equal.edit("[supports.b]\npoint = \"b\"\nfix = [\"y\"]\n", "");
    let mut sim = Simulation::of(&text);
    sim.run(0.02, 1e-3, |_| ());
    let h = 3e-3;
    let end = |by: [f64; 2]| {
        let mut state: State = sim.state.clone();
        for (input, change) in state.inputs.iter_mut().zip(by) {
            *input += change;
        }
        let start = state.time;
        Stepper::new(&sim.system).advance(&sim.system, &mut state, start, h).expect("a step");
        state
    };
    let mut sure = 0;
    for (input, size) in [(0, 50.0), (1, 5e-3)] {
        let mut perturbation = Perturbation::none(&sim.system);
        perturbation.inputs[input] = 1.0;
        let (there, change) = Stepper::new(&sim.system)
            .change(&sim.system, &sim.state, sim.state.time, h, &perturbation)
            .expect("a derivative");
        let moved = |share: f64| {
            let mut by = [0.0; 2];
            by[input] = share * size;
            end(by)
        };
        let states = [-1.0, 1.0, -0.5, 0.5].map(moved);
        for output in &sim.system.model().outputs {
            let read = |k: usize| sim.system.read(&states[k], output.output);
            // Richardson's extrapolation of two central differences.
            let difference = (8.0 * (read(3) - read(2)) - (read(1) - read(0))) / (6.0 * size);
            let exact = sim.system.output_change(&there, &change, output.output);
            if output.output.of == Subject::Solver {
                continue;
            }
            let scale = exact.abs().max(difference.abs());
            // What rounding makes of the value itself is not known better.
            let mut noise = 1e-11 * sim.system.read(&there, output.output).abs() / size;
            noise += match (output.output.of, output.quantity) {
                // A rounding error of the position over βΔt², or times EA/h.
                (Subject::Point(_), Quantity::Acceleration) => 4e-16 * 4e9 / size,
                (Subject::Support(_), _) => 4e-16 * 4e8 / size,
                _ => 0.0,
            };
            let off = (exact - difference).abs();
            println!("{} by {input}: {exact:.8e} {difference:.8e}", output.path);
            // The balance is a sum of terms that cancel to their rounding.
            assert!(off <= 1e-6 * scale + noise + 2e-13 / size, "{}", output.path);
            sure += usize::from(scale > 0.0 && noise < 1e-6 * scale);
        }
    }
    println!("{sure} sure");
    assert!(sure >= 15, "{sure}");
}

/// The beam as the guide of a bead that flies into the stop at its end.
const BEAD: &str = "[masses.bead]\npoint = \"bead\"\nmass = 0.5\n\
                    [joints.bead]\ncylindrical = { slider = \"bead\", path = [\"first\", \"second\", \"third\"], ends = \"stop\" }\n\
                    [initial.points.bead]\nvx = 8.0\n[gravity]\ny = -9.81\n";

#[test]
fn the_energy_balance_stays_closed_after_the_impact_of_a_bead_at_the_end_of_a_damped_beam() {
    let text = beam(1e-4, &format!("{RATIOS}{BEAD}{OUTPUTS}"))
        .edit("[points]", "[points]\nbead = [0.3, 0.0]")
        .edit("position_tolerance = 1e-14\n", "");
    let mut sim = Simulation::of(&text);
    let look = |sim: &Simulation| {
        ["balance", "damping_work", "impact_loss"].map(|e| sim.get(&format!("energy.{e}")))
    };
    // It arrives after 1.7 m at 8 m/s, and leaves the most of its energy.
    sim.run(0.21, 1e-3, |_| ());
    let before = look(&sim);
    sim.run(0.22, 1e-3, |_| ());
    let after = look(&sim);
    sim.run(0.3, 1e-3, |_| ());
    let end = look(&sim);
    println!("{before:?} {after:?} {end:?}");
    let energy = 0.5 * 0.5 * 64.0;
    assert!(before[0].abs() < 1e-6 * energy);
    assert_eq!(before[2], 0.0);
    assert!(after[2] > 0.5 * energy && after[2] < energy, "an inelastic impact");
    // What the blow has left in the beam swings and is damped.
    assert!(after[1] > before[1] + 0.01 * energy && end[1] > after[1]);
    assert!((end[0] - after[0]).abs() < 1e-6 * energy, "{end:?} {after:?}");
}

#[test]
fn numbers_of_damping_are_parameters_of_the_fmu() {
    let outputs = OUTPUTS.edit("[interface]\n", "[interface]\nparameters = [\"damping.all.*\"]\n");
    let text = beam(1e-3, &(RATIOS.to_string() + &outputs));
    let checked = common::check(&text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let described: Vec<[&str; 2]> =
        (checked.parameters.iter()).map(|p| [p.path.as_str(), p.description.as_str()]).collect();
    assert_eq!(
        described,
        [
            ["damping.all.ratios[0]", "Damping ratio 0 of damping all"],
            ["damping.all.ratios[1]", "Damping ratio 1 of damping all"]
        ]
    );
    let sim = Simulation::with(
        &text,
        &[("damping.all.ratios[0]", 0.05), ("damping.all.ratios[1]", 0.05)],
    );
    let ratio = |number: usize| sim.modes(3).list[number - 1].damping_ratio;
    assert!((ratio(1) - 0.05).abs() < 1e-9 && (ratio(3) - 0.05).abs() < 1e-9);
}
