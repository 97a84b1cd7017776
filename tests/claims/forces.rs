//! Forces and accelerations of random rigid mechanisms against inverse dynamics and reference motions in
//! minimal coordinates.

mod case;
mod chain;
mod four_bar;
mod integrate;
mod jet;
mod run;
mod slider_crank;
mod truth;

use case::Case;
use chain::Chain;
use four_bar::FourBar;
use run::{Outcome, Steps, divided_steps, equal_steps};
use slider_crank::SliderCrank;

use crate::random_mechanisms::Dice;

/// Mechanism number `seed`.
fn mechanism(seed: u64) -> (Case, Steps, Dice) {
    let mut dice = Dice::seeded(seed);
    let dice = &mut dice;
    let case = match seed % 6 {
        0 => SliderCrank::draw(dice).case("slider-crank", seed),
        1 => FourBar::draw(dice).case(seed),
        2 => Chain::draw(dice).case(seed),
        3 => SliderCrank::draw(dice)
            .sprung(dice)
            .case("crank, spring", seed),
        4 => SliderCrank::draw(dice)
            .let_go(dice)
            .case("crank let go", seed),
        _ => SliderCrank::draw(dice).geared(dice).case("gears", seed),
    };
    let steps = Steps::draw(dice);
    (case, steps, Dice::seeded(seed + 1_000_000))
}

/// How many mechanisms: `COULISSE_RANDOM`, otherwise so many.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("COULISSE_RANDOM").ok();
    asked.map_or(usual, |text| text.parse().expect("a number of mechanisms"))
}

fn worst(outcome: &Outcome) -> f64 {
    let errors = outcome.as_ref().map(Vec::as_slice);
    errors.map_or(f64::INFINITY, |errors| {
        errors.iter().fold(0.0, |most, e| {
            if e.is_nan() {
                f64::INFINITY
            } else {
                e.max(most)
            }
        })
    })
}

/// A row of the table of a test.
fn print(case: &Case, steps: Steps, outcome: &Outcome) {
    let shown = match outcome {
        Err(message) => message.clone(),
        Ok(errors) => (case.forces.iter().zip(errors))
            .map(|(force, error)| format!("{} {:.2e}", force.name, error))
            .collect::<Vec<_>>()
            .join(", "),
    };
    println!(
        "{:15} {:4} {:4.0} steps a turn, radius {:.2}, ratio {:.2}: {shown}",
        case.kind, case.seed, steps.per_turn, steps.spectral_radius, steps.ratio
    );
}

#[test]
fn forces_of_random_rigid_mechanisms_are_those_of_inverse_dynamics() {
    let mut wrong = Vec::new();
    for seed in 0..count(60) {
        let (case, steps, _) = mechanism(seed);
        let outcome = equal_steps(&case, steps);
        print(&case, steps, &outcome);
        if worst(&outcome) > 0.03 {
            wrong.push((case.kind, seed, worst(&outcome)));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} above 3 % of the range: {wrong:?}",
        wrong.len()
    );
}

#[test]
fn steps_in_unequal_parts_have_errors_like_those_of_equal_steps() {
    let mut wrong = Vec::new();
    for seed in 0..count(60) {
        let (case, steps, mut dice) = mechanism(seed);
        let steps = Steps {
            ratio: 1.0,
            ..steps
        };
        let equal = equal_steps(&case, steps);
        let divided = divided_steps(&case, steps, &mut dice);
        print(&case, steps, &equal);
        print(&case, steps, &divided);
        let factors = match (&equal, &divided) {
            // Both may be exact but for rounding.
            (Ok(equal), Ok(divided)) => (equal.iter().zip(divided))
                .map(|(e, d)| d / e.max(ROUNDING))
                .collect(),
            _ => vec![f64::INFINITY],
        };
        if factors
            .iter()
            .any(|factor| factor.is_nan() || *factor > 3.0)
        {
            wrong.push((case.kind, seed, factors));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} above three times: {wrong:.1?}",
        wrong.len()
    );
}

/// Error, as a share of the range, up to which a force counts as exact: stages of a step are solved to
/// 1e-8 of the largest force (`force_tolerance`), and positions to 1e-10 of the size.
const ROUNDING: f64 = 1e-6;

/// The energy balance as it is must not divide steps.
const UNDIVIDED: &str = "energy_tolerance = 0.5";

#[test]
fn the_truth_is_that_of_fine_equal_steps() {
    let mut wrong = Vec::new();
    for seed in 0..count(12) {
        let (case, _, _) = mechanism(seed);
        let steps = Steps::equal(4000.0, 0.5, UNDIVIDED);
        let outcome = equal_steps(&case, steps);
        print(&case, steps, &outcome);
        if worst(&outcome) > 1e-3 {
            wrong.push((case.kind, seed));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn forces_are_of_second_order_in_equal_steps() {
    for seed in 0..count(24) {
        let (case, drawn, _) = mechanism(seed);
        let errors = [200.0, 400.0, 800.0].map(|per_turn| {
            let steps = Steps::equal(per_turn, drawn.spectral_radius, UNDIVIDED);
            let outcome = equal_steps(&case, steps);
            print(&case, steps, &outcome);
            outcome.unwrap_or_else(|message| panic!("{message}"))
        });
        for (i, force) in case.forces.iter().enumerate() {
            let [_, coarse, fine] = [0, 1, 2].map(|k| errors[k][i].max(ROUNDING));
            let exact = fine <= ROUNDING;
            assert!(
                exact || (coarse / fine).log2() > 1.7,
                "{} {seed}, {}: {errors:?}",
                case.kind,
                force.name
            );
        }
    }
}
