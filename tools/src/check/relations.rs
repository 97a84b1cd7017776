//! Rules for variables that refer to each other (FMI 2.0.5, section 2.2.7; FMI 3.0, section 2.4.7).

use std::collections::HashMap;

use coulisse::message::excerpt;

use super::finding::Findings;
use super::units::Units;
use super::variables::{Variable, Variables};
use crate::archive::Standard;

/// Other names of a quantity in FMI 2.0, and derivatives.
pub fn check(variables: &Variables<'_>, units: &Units<'_>, findings: &mut Findings) {
    if variables.standard == Standard::Fmi2 {
        aliases(variables, findings);
    }
    derivatives(variables, units, findings);
}

/// Several names for one value reference of one type.
fn aliases(variables: &Variables<'_>, findings: &mut Findings) {
    let mut first: HashMap<(&str, u32), &Variable<'_>> = HashMap::new();
    for v in variables.iter() {
        let Some(reference) = v.element.reference("valueReference") else {
            continue;
        };
        // Enumerations and integers are read by the same function.
        let kind = match v.typed.name.as_str() {
            "Enumeration" => "Integer",
            kind => kind,
        };
        let Some(other) = first.get(&(kind, reference)) else {
            first.insert((kind, reference), v);
            continue;
        };
        let settable =
            |v: &Variable<'_>| matches!(v.causality, "parameter" | "input" | "independent");
        let starts =
            |v: &Variable<'_>| v.typed.get("start").is_some() && v.variability != "constant";
        let what = if settable(v) && settable(other) {
            "two variables that can be set, or time"
        } else if starts(v) && starts(other) {
            "two start values"
        } else if v.unit_is_known()
            && other.unit_is_known()
            && v.inherited("unit") != other.inherited("unit")
        {
            "different units"
        } else if (v.variability == "constant") != (other.variability == "constant") {
            "a constant and one that changes"
        } else {
            continue;
        };
        let message = format!(
            "{}: value reference {reference} is also that of `{}`, with {what}; aliases must be one \
             quantity",
            v.place(),
            other.shown()
        );
        findings.add(v.line(), message);
    }
}

/// The attribute `derivative`.
fn derivatives(variables: &Variables<'_>, units: &Units<'_>, findings: &mut Findings) {
    for v in variables.iter() {
        let Some(state) = v.typed.reference("derivative") else {
            continue;
        };
        let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
        let Some(of) = variables.get(state) else {
            if !variables.complete {
                continue;
            }
            let keys = match variables.standard {
                Standard::Fmi2 => "the number of a variable, ",
                Standard::Fmi3 => "",
            };
            add(format!("derivative={state}; allowed: {keys}{}", variables.keys()));
            continue;
        };
        if !of.is_real() || of.variability != "continuous" || of.name == v.name {
            let real = match variables.standard {
                Standard::Fmi2 => "Real",
                Standard::Fmi3 => "Float32 or Float64",
            };
            add(format!(
                "derivative of `{}`, a {} {}; allowed: another continuous {real}",
                of.shown(),
                of.variability,
                excerpt(of.kind())
            ));
        } else if let (Some(of_state), Some(own)) = (of.inherited("unit"), v.inherited("unit"))
            && units.is_rate(own, of_state) == Some(false)
        {
            add(format!(
                "in {}, the derivative of `{}` in {}; allowed: that unit by s",
                excerpt(own),
                of.shown(),
                excerpt(of_state)
            ));
        }
    }
}
