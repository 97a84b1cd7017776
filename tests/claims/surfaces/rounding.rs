//! Contact layers so stiff that surfaces are pressed in by less than positions are rounded to.

use coulisse::joints::regime::Sense;
use coulisse::sliding::sliding;
use coulisse::start::equilibrium;

use super::guided::{Guided, built};
use crate::common::edit::Edit;

/// Share of an acceleration, or of a normal force, that may be off without a word.
const OFF: f64 = 1e-2;

fn pulled(force: f64, harder: f64, offset: f64) -> String {
    let guided = Guided { force, offset, gravity: 0.0, ..Guided::of_nodes(1.05e9 * harder) };
    let steel = format!("young_modulus = {:?}", 210e9 * harder);
    guided.text().edit("young_modulus = 2.1e11", &steel)
}

/// Without clearance nothing depends on E or on the load, but for rounding.
#[test]
fn layers_of_any_stiffness_slide_as_they_should_or_say_that_they_are_not_known() {
    let (mut right, mut refused) = (0, 0);
    let softest = built(&pulled(1500.0, 1.0, 1.0));
    let by_force = sliding(&softest, &[], 0, Sense::Forward, 0.0).unwrap();
    let by_force = by_force.acceleration / 1500.0;
    let mut worst = 0.0_f64;
    for decade in 0..=12 {
        let harder = 10_f64.powi(decade);
        for force in [1e-3, 1.0, 1500.0] {
            let system = built(&pulled(force, harder, 1.0));
            match sliding(&system, &[], 0, Sense::Forward, 0.0) {
                Ok(found) => {
                    let off = (found.acceleration / (force * by_force) - 1.0).abs();
                    assert!(off < OFF, "E·{harder:e}, F = {force} N: {off:e}");
                    (right, worst) = (right + 1, worst.max(off));
                }
                Err(why) => {
                    let why = why.to_string();
                    assert!(why.contains("its forces are not known"), "{why}");
                    refused += 1;
                }
            }
            // What jams is held, or that is not known.
            if let Err(why) = equilibrium(&built(&pulled(force, harder, 2.6)), &[]) {
                let why = why.to_string();
                assert!(
                    why.contains("its forces are not known"),
                    "E·{harder:e}, F = {force} N: {why}"
                );
            }
        }
    }
    println!("{right} right to {worst:.1e}, {refused} told");
    assert!(right >= 15 && refused >= 9, "{right} {refused}");
}
