//! Rules for clocks (FMI 3.0, sections 2.2.8 and 2.4.4).

use super::super::finding::Findings;
use super::super::tree::Element;
use super::super::variables::{Variable, Variables};

/// Adds what is wrong with clocks, and with what they ask of the FMU.
pub fn check(root: &Element, variables: &Variables<'_>, findings: &mut Findings) {
    let mut clocks = variables.iter().filter(|v| v.kind() == "Clock").peekable();
    let (steps, scheduled) =
        (root.child("CoSimulation"), root.child("ScheduledExecution").is_some());
    if let (Some(kind), true) = (steps, clocks.peek().is_some())
        && !kind.flag("hasEventMode")
    {
        let message = "<CoSimulation>: clocks without hasEventMode; allowed: hasEventMode=\"true\"";
        findings.add(kind.line, message.to_owned());
    }
    for clock in clocks {
        for message in faults(clock, scheduled) {
            findings.add(clock.line(), format!("{}: {message}", clock.place()));
        }
    }
}

/// What is wrong with one of them; a fault of its place hides those of its times.
fn faults(clock: &Variable<'_>, scheduled: bool) -> Vec<String> {
    let known = ["input", "output", "local"];
    if !known.contains(&clock.causality) {
        return vec![format!(
            "a clock with causality {}; allowed: {}",
            clock.causality,
            known.join(", ")
        )];
    }
    if clock.variability != "discrete" {
        return vec![format!("a {} clock; allowed: discrete", clock.variability)];
    }
    let Some(kind) = clock.inherited("intervalVariability") else {
        return Vec::new(); // The grammar has said so.
    };
    if clock.causality != "input" && kind != "triggered" {
        return vec![format!(
            "intervalVariability={kind} of a clock that is no input; allowed: triggered"
        )];
    }
    let mut faults = Vec::new();
    let has = |key: &str| clock.inherited(key).is_some();
    let number = |key: &str| clock.inherited(key).and_then(|x| x.trim().parse::<f64>().ok());
    let periodic = matches!(kind, "constant" | "fixed" | "tunable");
    let fractions = matches!(clock.inherited("supportsFraction"), Some("true" | "1"));
    for key in ["intervalDecimal", "intervalCounter", "resolution"] {
        if has(key) && !periodic {
            faults.push(format!("{key} of a {kind} clock; allowed: of periodic clocks"));
        } else if number(key).is_some_and(|x| x <= 0.0) {
            faults.push(format!("{key}={}; allowed: above 0", clock.inherited(key).unwrap_or("")));
        }
    }
    if kind == "constant" && !has("intervalDecimal") {
        faults.push("no intervalDecimal; a constant clock needs one".to_owned());
    }
    if periodic && has("intervalCounter") && !fractions {
        faults.push("intervalCounter without supportsFraction".to_owned());
    }
    if periodic && has("intervalCounter") && fractions && !has("resolution") {
        faults.push("intervalCounter without resolution".to_owned());
    }
    for (shift, interval) in
        [("shiftDecimal", "intervalDecimal"), ("shiftCounter", "intervalCounter")]
    {
        if has(shift) && !has(interval) {
            faults.push(format!("{shift} without {interval}"));
        } else if number(shift).is_some_and(|x| x < 0.0) {
            faults.push(format!("{shift} below 0; allowed: 0 or above"));
        }
    }
    match clock.causality {
        "input" if scheduled && !has("priority") => {
            faults.push("no priority; Scheduled Execution needs one of input clocks".to_owned());
        }
        "output" if has("priority") => {
            faults.push("priority of an output clock; allowed: of inputs".to_owned());
        }
        _ => {}
    }
    faults
}
