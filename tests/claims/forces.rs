//! Forces and accelerations of random rigid mechanisms against inverse dynamics and reference motions in
//! minimal coordinates.
//!
//! `COULISSE_RANDOM=500 cargo test --test claims forces:: -- --nocapture` runs 500 mechanisms in each test
//! and prints the error of every force.

mod blocks;
mod case;
mod chain;
mod events;
mod four_bar;
mod integrate;
mod jet;
mod run;
mod slider_crank;
mod truth;

use case::Case;
use chain::Chain;
use events::Event;
use four_bar::FourBar;
use run::{Outcome, Seen, Steps, divided_steps, equal_steps, resolved};
use slider_crank::SliderCrank;

use crate::common::Simulation;
use crate::random_mechanisms::Dice;

/// Mechanism number `seed`.
fn mechanism(seed: u64) -> (Case, Steps, Dice) {
    let mut dice = Dice::seeded(seed);
    let dice = &mut dice;
    let case = match seed % 6 {
        0 => SliderCrank::draw(dice).case("slider-crank", seed),
        1 => FourBar::draw(dice).case(seed),
        2 => Chain::draw(dice).case(seed),
        3 => SliderCrank::draw(dice).sprung(dice).case("crank, spring", seed),
        4 => SliderCrank::draw(dice).let_go(dice).case("crank let go", seed),
        _ => SliderCrank::draw(dice).geared(dice).case("gears", seed),
    };
    let steps = resolved(&case, Steps::draw(dice));
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
        errors.iter().fold(0.0, |most, e| if e.is_nan() { f64::INFINITY } else { e.max(most) })
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

/// In steps changed by `with` no force is off by more than 3 % of its range.
fn are_right(usual: u64, with: impl Fn(Steps) -> Steps) {
    let mut wrong = Vec::new();
    for seed in 0..count(usual) {
        let (case, steps, _) = mechanism(seed);
        let steps = with(steps);
        let outcome = equal_steps(&case, steps);
        print(&case, steps, &outcome);
        if worst(&outcome) > 0.03 {
            wrong.push((case.kind, seed, worst(&outcome)));
        }
    }
    assert!(wrong.is_empty(), "{} above 3 % of the range: {wrong:?}", wrong.len());
}

/// Slow: dozens of random mechanisms.
#[test]
fn forces_of_random_rigid_mechanisms_are_those_of_inverse_dynamics() {
    are_right(48, |steps| steps);
}

#[test]
fn forces_are_right_where_steps_follow_from_their_error() {
    // The longest step is four times as long.
    are_right(24, |steps| Steps {
        per_turn: 0.25 * steps.per_turn,
        solver: "tolerance = 1e-5",
        ..steps
    });
}

/// Slow: random mechanisms, each in equal and in unequal steps.
#[test]
fn steps_in_unequal_parts_have_errors_like_those_of_equal_steps() {
    let mut wrong = Vec::new();
    for seed in 0..count(24) {
        let (case, steps, mut dice) = mechanism(seed);
        let steps = Steps { ratio: 1.0, ..steps };
        let equal = equal_steps(&case, steps);
        let divided = divided_steps(&case, steps, &mut dice);
        print(&case, steps, &equal);
        print(&case, steps, &divided);
        let factors = match (&equal, &divided) {
            // Both may be exact but for rounding.
            (Ok(equal), Ok(divided)) => {
                (equal.iter().zip(divided)).map(|(e, d)| d / e.max(ROUNDING)).collect()
            }
            _ => vec![f64::INFINITY],
        };
        if factors.iter().any(|factor| factor.is_nan() || *factor > 3.0) {
            wrong.push((case.kind, seed, factors));
        }
    }
    assert!(wrong.is_empty(), "{} above three times: {wrong:.1?}", wrong.len());
}

/// Error, as a share of the range, up to which a force counts as exact: stages of a step are solved to
/// 1e-8 of the largest force (`force_tolerance`), and positions to 1e-10 of the size.
const ROUNDING: f64 = 1e-6;

/// The energy balance as it is must not divide steps.
const UNDIVIDED: &str = "energy_tolerance = 0.5";

/// Slow: the truth needs fine steps.
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

/// Slow: random mechanisms, each in two steps.
#[test]
fn forces_are_of_second_order_in_equal_steps() {
    let mut wrong = Vec::new();
    for seed in 0..count(18) {
        let (case, drawn, _) = mechanism(seed);
        let [coarse, fine] = [4.0, 8.0].map(|factor| {
            let per_turn = factor * drawn.per_turn;
            let steps = Steps::equal(per_turn, drawn.spectral_radius, UNDIVIDED);
            let outcome = equal_steps(&case, steps);
            print(&case, steps, &outcome);
            outcome.unwrap_or_else(|message| panic!("{message}"))
        });
        for ((force, coarse), fine) in case.forces.iter().zip(coarse).zip(fine) {
            let order = (coarse / fine).log2();
            if fine > ROUNDING && !(1.7..2.5).contains(&order) {
                wrong.push((case.kind, seed, force.name, order));
            }
        }
    }
    assert!(wrong.is_empty(), "not of order 2: {wrong:.2?}");
}

/// Runs an event with steps of `h`, 24 before it ends and 40 after; the errors from the second step after it
/// on, and those of the first, as fractions of the ranges.
fn about(event: &Event, h: f64, radius: f64) -> Vec<[f64; 2]> {
    let head = format!("name = \"event\"\n[solver]\nstep = {h:?}\nspectral_radius = {radius:?}\n");
    let paths: Vec<&String> = event.forces.iter().flat_map(|(_, paths)| paths).collect();
    let inputs: Vec<&str> = event.input.iter().map(|(path, _)| *path).collect();
    let interface = format!("[interface]\ninputs = {inputs:?}\noutputs = {paths:?}\n");
    let mut sim = Simulation::of(&(head + &event.sections + &interface));
    let mut seen = vec![[Seen::default(), Seen::default()]; event.forces.len()];
    for i in 1..=64 {
        let (before, time) = (f64::from(i - 1) * h, f64::from(i) * h);
        if let Some((path, value)) = event.input.filter(|_| before >= event.at) {
            sim.set(path, value);
        }
        sim.try_step(before, h).unwrap_or_else(|fault| panic!("{}: {fault}", event.name));
        let first = time > event.at && before <= event.at;
        let truth = (event.truth)(time);
        for (((_, paths), truth), seen) in event.forces.iter().zip(truth).zip(&mut seen) {
            for (counted, seen) in [before > event.at, first].into_iter().zip(seen) {
                let found = paths.iter().zip(&truth);
                let found = found.map(|(path, &t)| (if counted { sim.get(path) } else { t }, t));
                seen.look(found);
            }
        }
    }
    seen.iter().map(|both| [both[0].error(), both[1].error()]).collect()
}

#[test]
fn forces_are_right_from_the_second_step_after_an_event_on() {
    let mut wrong = Vec::new();
    for h in [1e-3, 1e-4, 1e-5] {
        let mut all = events::events(23.37 * h, 24.0 * h);
        all.extend(blocks::events(23.37 * h));
        for (event, radius) in all.iter().flat_map(|event| [(event, 0.9), (event, 0.0)]) {
            let errors = about(event, h, radius);
            let shown: Vec<String> = (event.forces.iter().zip(&errors))
                .map(|((name, _), [later, first])| format!("{name} {later:.1e} ({first:.1e})"))
                .collect();
            println!("{:20} {h:.0e} s, radius {radius}: {}", event.name, shown.join(", "));
            if errors.iter().any(|[later, _]| later.is_nan() || *later > 0.05) {
                wrong.push((event.name, h, radius));
            }
        }
    }
    assert!(wrong.is_empty(), "{} above 5 % of the range: {wrong:?}", wrong.len());
}
