//! Many sliders on one bar, whose nodes are eliminated with it.

use crate::common::Simulation;
use crate::common::sliders::{RUBS, sliders_on_a_bar};

/// Sliders on the bar.
const COUNT: usize = 20;

/// The sliders, or the same with springs between their nodes that weigh nothing in any sum: these have nodes that are coupled.
fn both(joint: &str) -> [Simulation; 2] {
    let alone = sliders_on_a_bar(COUNT, 10, joint);
    let mut tied = alone.clone();
    for k in 0..COUNT - 1 {
        tied += &format!(
            "[springs.s{k}]\nfrom = \"p{k}\"\nto = \"p{}\"\ndirection = \"x\"\nstiffness = 1e-12\n",
            k + 1
        );
    }
    [alone, tied].map(|text| Simulation::of(&text))
}

#[test]
fn sliders_alone_move_as_those_whose_nodes_are_coupled() {
    for (joint, steps) in [("", 2000), (RUBS, 300)] {
        let [mut own, mut other] = both(joint);
        let h = own.system.model().solver.step;
        let mut worst = 0.0_f64;
        for i in 0..steps {
            let t = i as f64 * h;
            for sim in [&mut own, &mut other] {
                sim.try_step(t, h).unwrap_or_else(|fault| panic!("{fault}"));
            }
            let pairs = own.state.q.iter().zip(other.state.q.iter());
            worst = pairs.map(|(a, b)| (a - b).abs()).fold(worst, f64::max);
        }
        let changes: u64 = own.state.journal.iter().map(|joint| joint.transitions).sum();
        let counted = [&own, &other].map(|sim| sim.state.counters.iterations);
        println!(
            "{joint}: {worst:.1e} m apart after {steps} steps with {changes} changes, {counted:?} iterations"
        );
        // Rounding, which each change between sticking and sliding makes larger.
        assert!(worst < 1e-10, "{worst}");
        assert!(joint.is_empty() || changes > 50, "{changes}");
    }
}

#[test]
fn many_sliders_bear_steps_of_all_sizes_and_any_masses() {
    // From a slider that is far lighter than the bar to one that is far heavier.
    for step in [1e-6, 1e-4, 1e-2] {
        for mass in [1e-6, 2.0, 1e3, 1e5] {
            let text = sliders_on_a_bar(COUNT, 10, RUBS)
                .replace("mass = 2.0", &format!("mass = {mass:?}"));
            let text = text.replace("fx = 10.0", &format!("fx = {:?}", 5.0 * mass))
                + "[interface]\noutputs = [\"energy.*\"]\n";
            let mut sim = Simulation::with(&text, &[("solver.step", step)]);
            for i in 0..40 {
                sim.try_step(f64::from(i) * step, step)
                    .unwrap_or_else(|fault| panic!("{step} s, {mass} kg: {fault}"));
            }
            let most = [
                "kinetic",
                "strain",
                "potential",
                "friction_work",
                "input_work",
                "numerical_dissipation",
            ]
            .map(|name| sim.get(&format!("energy.{name}")).abs())
            .into_iter()
            .fold(0.0, f64::max);
            let balance = sim.get("energy.balance").abs();
            println!(
                "{step} s, {mass} kg: balance {:.1e} of {most:.1e} J, {} iterations",
                balance, sim.state.counters.iterations
            );
            // What the watch over the energy lets pass.
            assert!(
                balance <= 1e-3 * most + sim.noise(),
                "{step} s, {mass} kg: {balance:e} of {most:e} J"
            );
        }
    }
}
