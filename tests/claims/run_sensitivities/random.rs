//! Random mechanisms: derivatives by one of their numbers against differences of runs.

use super::Derived;
use crate::common::{Simulation, tier};
use crate::random_mechanisms::Dice;
use crate::random_mechanisms::kinds::{Mechanism, mechanism};
use coulisse::sensitivity::Sensitivities;

/// Communication steps of a run.
const STEPS: usize = 100;

/// Differences of the number relative to itself.
const DIFFERENCES: [f64; 3] = [4e-4, 2e-4, 1e-4];

/// Rounding of a derivative as a share of the largest output of its quantity over the number.
const ROUNDING: f64 = 1e-6;

/// Difference of an output from that of the run which is derived, as a share of the largest of its quantity, up to which both are one function.
const SAME: f64 = 1e-8;

/// Outputs of all rows of a run, solved down to rounding, with a number replaced.
fn rows(text: &str, name: &str, value: f64, step: f64) -> Option<Vec<Vec<f64>>> {
    let model = coulisse::model::Model::parse(text, "model.toml", &crate::common::data).ok()?;
    let model = model.with_value(name, value).ok()?;
    let mut run = Sensitivities::start(&model, &[], &[]).ok()?;
    let mut rows = Vec::new();
    for i in 0..STEPS {
        run.advance(&[], i as f64 * step, step);
        rows.push(run.values().to_vec());
    }
    Some(rows)
}

/// How often joints change what they do in a run of the solver as it is.
fn transitions(text: &str, step: f64) -> u64 {
    let mut sim = Simulation::of(text);
    for i in 0..STEPS {
        if sim.try_step(i as f64 * step, step).is_err() {
            break;
        }
    }
    sim.state.journal.iter().map(|joint| joint.transitions).sum()
}

/// Errors relative to the largest derivative of an output so far, by which derivatives are counted.
const ERRORS: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];

/// The error above which the worst derivative of a mechanism is listed.
const LISTED: f64 = 1e-5;

/// What one mechanism has shown.
#[derive(Debug, Default)]
struct Seen {
    /// Derivatives that differences know to 1e-6: how many are off by no more than each of the [`ERRORS`], and by more than all.
    counts: [usize; 5],
    /// The one that is off most, as a share of the largest derivative of its output, and what it is.
    worst: (f64, String),
    lost: bool,
    transitions: u64,
}

fn look(seed: u64) -> Option<Seen> {
    let Mechanism { text, step, kind, .. } = mechanism(seed);
    // Differences are blunt by the tolerance of Newton's method.
    let text = text
        .replace("[solver]\n", "[solver]\nposition_tolerance = 1e-13\nforce_tolerance = 1e-11\n")
        .replace("\"solver.*\"", "\"points.*\", \"joints.*\"");
    let model = coulisse::model::Model::parse(&text, "model.toml", &crate::common::data).ok()?;
    let numbers: Vec<(String, f64)> = (model.numbers().into_iter())
        .filter(|(name, value)| {
            let solver = ["solver.", "experiment.", "interface."];
            *value != 0.0 && !solver.iter().any(|section| name.starts_with(section))
        })
        .collect();
    let mut dice = Dice::seeded(seed ^ 0x5e4517);
    // Half of them by what the tangents carry, the others by any number.
    let carried = |name: &str| name.starts_with("initial.") || name.contains(".friction.");
    let of = |half: bool| move |(name, _): &&(String, f64)| carried(name) || !half;
    let half = seed.is_multiple_of(2) && numbers.iter().any(|(name, _)| carried(name));
    let numbers: Vec<_> = numbers.iter().filter(of(half)).cloned().collect();
    let place = dice.whole(0, numbers.len() - 1);
    let (name, value) = numbers[place].clone();
    // Numbers of friction laws may change between steps where a host sees them: tangents carry what follows.
    let seen_by_hosts = format!("[interface]\nparameters = [\"{name}\"]\n");
    let tunable = name.contains(".friction.") && !name.ends_with(']');
    let text = if tunable { text.replace("[interface]\n", &seen_by_hosts) } else { text };
    let mut run = Derived::try_of(&text, &[&name]).ok()?;
    let values: Vec<f64> = DIFFERENCES.iter().flat_map(|d| [1.0 + d, 1.0 - d]).collect();
    let sides: Option<Vec<_>> =
        values.iter().map(|share| rows(&text, &name, value * share, step)).collect();
    let base = rows(&text, &name, value, step)?;
    let sides = sides?;
    let mut seen = Seen { transitions: transitions(&text, step), ..Seen::default() };
    let mut largest = vec![0.0_f64; run.outputs.len()];
    let mut sizes = vec![0.0_f64; run.outputs.len()];
    for (i, row) in base.iter().enumerate() {
        run.step();
        for (k, quantity) in run.quantities.iter().enumerate() {
            let alike = row.iter().zip(&run.quantities).filter(|(_, other)| *other == quantity);
            sizes[k] = alike.fold(sizes[k], |most, (value, _)| most.max(value.abs()));
        }
        for (k, output) in run.outputs.iter().enumerate() {
            // Small differences of large energies.
            if ["energy.balance", "energy.numerical_dissipation"].contains(&&output[..]) {
                continue;
            }
            let central = |pair: usize| {
                let [more, less] = [0, 1].map(|side| sides[2 * pair + side][i][k]);
                (more - less) / (2.0 * DIFFERENCES[pair] * value)
            };
            let [wide, half, quarter] = [0, 1, 2].map(central);
            let [rough, fine] = [(4.0 * half - wide) / 3.0, (4.0 * quarter - half) / 3.0];
            // Where the runs beside take other courses they are no difference of one function.
            let bend = |pair: usize| {
                let [more, less] = [0, 1].map(|side| sides[2 * pair + side][i][k]);
                (more - 2.0 * row[k] + less).abs() / (2.0 * DIFFERENCES[pair] * value.abs())
            };
            let smooth = bend(2) <= 0.3 * bend(0) + 1e-3 * quarter.abs();
            let exact = run.all.of(0)[k];
            // Reported accelerations of what a step does not resolve follow the matrix, which a run of the solver keeps over steps.
            let same = (run.all.values()[k] - row[k]).abs() <= SAME * sizes[k];
            if exact.is_nan() || !same || !smooth {
                continue;
            }
            largest[k] = largest[k].max(fine.abs());
            // What is below is rounding.
            let rounding = ROUNDING * sizes[k] / value.abs();
            let unsure = (fine - rough).abs() + (fine - quarter).abs();
            if unsure <= 1e-6 * largest[k] && largest[k] > rounding {
                let off = (exact - fine).abs() - rounding;
                let place = ERRORS.iter().position(|error| off <= error * largest[k]);
                seen.counts[place.unwrap_or(ERRORS.len())] += 1;
                let error = off / largest[k];
                if error > LISTED.max(seen.worst.0) {
                    let text = format!(
                        "{kind} {seed}: d({output})/d({name}) in step {i}: {exact:e}, by differences {fine:e} \
                         of at most {:e}, output {:e} of at most {:e}",
                        largest[k], row[k], sizes[k]
                    );
                    seen.worst = (error, text);
                }
            }
        }
    }
    if let Some(lost) = run.all.lost(0) {
        println!("{seed} {kind}, {name}: {}", lost.reason);
        seen.lost = true;
    }
    Some(seen)
}

/// Slow: eight runs of each mechanism, one of them with two neighbours. `COULISSE_RANDOM` says which mechanisms.
#[test]
fn random_mechanisms_by_one_of_their_numbers() {
    let seeds = match std::env::var("COULISSE_RANDOM").ok() {
        Some(text) => {
            let (from, to) = text.split_once("..").unwrap_or(("0", &text));
            from.parse().expect("a seed")..to.parse().expect("a seed")
        }
        None => 0..tier::share(300),
    };
    let (mut derived, mut counts, mut lost, mut events) = (0, [0; 5], 0, 0);
    for seed in seeds {
        let Some(seen) = look(seed) else { continue };
        derived += 1;
        if seen.worst.0 > 0.0 {
            println!("{:?}, as {:.1e} in {}", seen.counts, seen.worst.0, seen.worst.1);
        }
        counts.iter_mut().zip(seen.counts).for_each(|(sum, count)| *sum += count);
        lost += usize::from(seen.lost);
        events += seen.transitions;
    }
    println!(
        "{derived} mechanisms, {lost} lost, {events} transitions; derivatives to {ERRORS:?} and beyond: {counts:?}"
    );
    let sure: usize = counts.iter().sum();
    assert!(sure > 100 * derived && events > derived as u64);
    // Measured of three hundred: see the theory.
    assert!(counts[0] > sure * 98 / 100, "to 1e-6");
    assert!(counts[4] <= sure / 1000, "beyond 1e-3");
    assert!(lost <= derived / 4, "{lost} lost");
}
