//! A step that does not resolve what joints carry says so, and so do the printed forms of the method where a step changes its length.

use coulisse::fmu::Status;

use crate::common::edit::Edit;
use crate::common::rig::blueprint;
use crate::common::text;
use crate::energy_watch::{run, run_in};

/// Turns of 0.05 s.
const CRANK: &str = "tests/models/driven_slider_crank";

#[test]
fn forces_that_a_step_does_not_resolve_are_warned_about_once() {
    for (step, doubtful) in [("5e-4", false), ("2e-3", false), ("1.25e-2", true)] {
        let text = text(CRANK).edit("step = 5e-4", &format!("step = {step}"));
        let (_, status, heard) = run(blueprint(&text), step.parse().expect("a number"), 0.5);
        let warned = heard.iter().filter(|(_, text)| text.contains("N at the instant and"));
        assert_eq!(
            (status, warned.count()),
            (Status::Ok, usize::from(doubtful)),
            "{step}: {heard:?}"
        );
    }
}

#[test]
fn printed_forms_of_the_method_warn_where_a_step_changes_its_length() {
    for (method, rings) in
        [("generalized_alpha", false), ("index3_generalized_alpha", true), ("newmark", true)]
    {
        let text =
            text(CRANK).edit("step = 5e-4", &format!("step = 5e-4\nsolver.method = \"{method}\""));
        let warned = |lengths: [f64; 2]| {
            let (_, status, heard) = run_in(blueprint(&text), lengths.into_iter().cycle(), 0.02);
            assert_eq!(status, Status::Ok);
            heard.iter().filter(|(_, text)| text.contains("ring after that")).count()
        };
        assert_eq!(warned([1e-3, 1e-3]), 0, "{method}");
        assert_eq!(warned([1e-3, 7e-4]), usize::from(rings), "{method}");
    }
}
