//! Derivatives of a communication step against central differences of the step.

use super::edit::Edit;
use coulisse::model::checked::Subject;
use coulisse::sensitivity::Perturbation;
use coulisse::solve::Stepper;
use coulisse::system::outputs::OfSlider;
use coulisse::system::{State, System, Tuning};
use nalgebra::{DMatrix, DVector};

use super::Simulation;

/// One communication step from `before` with inputs and parameters changed by `by`; the model
/// file with changed parameters is another file.
fn stepped(text: &str, before: &State, h: f64, by: &Perturbation) -> State {
    let checked = super::check(text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let changed: Vec<(&str, f64)> = (checked.parameters.iter().zip(&by.parameters))
        .filter(|(_, change)| **change != 0.0)
        .map(|(parameter, change)| (parameter.path.as_str(), parameter.value + change))
        .collect();
    let checked = super::check(text, &changed).unwrap_or_else(|faults| panic!("{faults}"));
    let system = System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"));
    let mut state = before.clone();
    state.tune(Tuning::of(&checked));
    for (input, change) in state.inputs.iter_mut().zip(&by.inputs) {
        *input += change;
    }
    let mut stepper = Stepper::new(&system);
    let t = state.time;
    stepper.advance(&system, &mut state, t, h).unwrap_or_else(|fault| panic!("{fault}"));
    // Halved steps are other steps: their results differ by more than a derivative.
    assert_eq!(state.counters.rejections, before.counters.rejections);
    state
}

/// Central differences over a falling row of steps, extrapolated (Ridders 1982): the derivative
/// and an estimate of its error. Rounding lets two entries of the scheme agree by accident now and then, so
/// that no error below what it leaves of the [`scatter`] counts.
fn ridders(differences: &[f64]) -> (f64, f64) {
    let mut row: Vec<f64> = differences.to_vec();
    let (mut best, mut error) = (row[0], f64::INFINITY);
    let mut factor = 1.0;
    while row.len() > 1 {
        factor *= RATIO * RATIO;
        let better: Vec<f64> =
            row.windows(2).map(|pair| (factor * pair[1] - pair[0]) / (factor - 1.0)).collect();
        for (pair, value) in row.windows(2).zip(&better) {
            let spread = (value - pair[0]).abs().max((value - pair[1]).abs());
            if spread < error {
                (best, error) = (*value, spread);
            }
        }
        row = better;
    }
    (best, error.max(scatter(differences)))
}

/// What is left of central differences d after a fit of d = a + b h² + c h⁴ + e h⁶: their rounding.
fn scatter(differences: &[f64]) -> f64 {
    const TERMS: usize = 4;
    let n = differences.len();
    let squares = DMatrix::from_fn(n, TERMS, |i, j| RATIO.powi(-2 * (i * j) as i32));
    let values = DVector::from_column_slice(differences);
    let fit = squares.clone().svd(true, true).solve(&values, 0.0);
    let left = values - squares * fit.expect("both sides of the decomposition");
    (left.norm_squared() / (n - TERMS) as f64).sqrt()
}

const RATIO: f64 = 1.6;

/// A unit change of the input or else tunable parameter of this path.
pub fn unit(sim: &Simulation, path: &str) -> Perturbation {
    let model = sim.system.model();
    let mut perturbation = Perturbation::none(&sim.system);
    if let Some(i) = model.inputs.iter().position(|input| input.path == path) {
        perturbation.inputs[i] = 1.0;
    } else {
        let place = model.parameters.iter().position(|p| p.path == path);
        let place = place.unwrap_or_else(|| panic!("nothing is called {path}"));
        assert!(model.parameters[place].tunable.is_some(), "{path}");
        perturbation.parameters[place] = 1.0;
    }
    perturbation
}

/// Compares the derivatives of all outputs by each of `knowns` with central differences over steps
/// of the size given with it and below: to `tolerance`, or what the differences are themselves
/// sure of. Returns for how many they were sure to `tolerance`.
pub fn check(
    sim: &Simulation, text: &str, h: f64, knowns: &[(&str, f64)], tolerance: f64,
) -> usize {
    let before = &sim.state;
    let mut sure = 0;
    for &(path, size) in knowns {
        let perturbation = unit(sim, path);
        let mut stepper = Stepper::new(&sim.system);
        let (end, change) = stepper
            .change(&sim.system, before, before.time, h, &perturbation)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let none = Perturbation::none(&sim.system);
        assert_eq!(end, stepped(text, before, h, &none), "the same step");
        let steps: Vec<f64> = (0..6).map(|k| size / RATIO.powi(k)).collect();
        let moved = |step: f64| {
            let mut by = perturbation.clone();
            let all = by.inputs.iter_mut().chain(&mut by.parameters);
            all.for_each(|change| *change *= step);
            stepped(text, before, h, &by)
        };
        let pairs: Vec<[State; 2]> = steps.iter().map(|d| [moved(-d), moved(*d)]).collect();
        let outputs = &sim.system.model().outputs;
        for output in outputs {
            let read = |state: &State| sim.system.read(state, output.output);
            let differences: Vec<f64> = (pairs.iter().zip(&steps))
                .map(|([low, high], step)| (read(high) - read(low)) / (2.0 * step))
                .collect();
            let (difference, unsure) = ridders(&differences);
            let exact = sim.system.output_change(&end, &change, output.output);
            let size = exact.abs().max(difference.abs());
            // The power of friction is a product, whose two changes may nearly cancel.
            let of = output.output.of;
            let parts = match of {
                Subject::Slider(_) if output.output == OfSlider::FrictionPower.of(of) => {
                    let (force, velocity) =
                        (OfSlider::FrictionForce.of(of), OfSlider::Velocity.of(of));
                    let by = |output| sim.system.output_change(&end, &change, output).abs();
                    let now = |output| sim.system.read(&end, output).abs();
                    by(force) * now(velocity) + now(force) * by(velocity)
                }
                _ => 0.0,
            };
            // The energies' balance is a small difference of large numbers.
            let alike = outputs.iter().filter(|o| o.quantity == output.quantity);
            let (largest, value) = alike.fold((0.0_f64, 0.0_f64), |(largest, value), o| {
                let by = sim.system.output_change(&end, &change, o.output);
                let now = sim.system.read(&end, o.output);
                (largest.max(by.abs()), value.max(now.abs()))
            });
            // Extrapolation amplifies the rounding of the differences.
            // The power of a joint that sticks is some 100 N times a velocity that is rounding.
            let nothing = 1e3 * f64::EPSILON;
            let floor = 1e-8 * largest + 1e-12 * value / steps[5] + nothing;
            assert!(
                (exact - difference).abs() <= tolerance * (size + parts) + 10.0 * unsure + floor,
                "∂{}/∂{} at t = {}: {exact:e}, by differences {difference:e} ± {unsure:.1e}",
                output.path,
                path,
                before.time
            );
            sure += usize::from(size > 0.0 && unsure <= tolerance * size);
        }
    }
    sure
}

/// [`check`] over a step of 10 ms after a run to the time `until`, s, in such steps: more than `least` are sure.
pub fn check_run(text: &str, until: f64, knowns: &[(&str, f64)], tolerance: f64, least: usize) {
    let mut sim = Simulation::of(text);
    sim.run(until, 0.01, |_| {});
    let sure = check(&sim, text, 0.01, knowns, tolerance);
    println!("{sure} derivatives");
    assert!(sure > least, "{sure}");
}

/// A model with a tolerance of Newton's method at which differences are worth something.
pub fn sharp(text: &str, tolerance: f64) -> String {
    let tolerances =
        format!("position_tolerance = {tolerance:e}\nforce_tolerance = {:e}", 1e2 * tolerance);
    text.edit("\nstep = ", &format!("\n{tolerances}\nstep = "))
}
