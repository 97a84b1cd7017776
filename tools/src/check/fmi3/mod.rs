//! Rules that FMI 2.0 does not have: arrays, other names, clocks, and the files besides the description.

mod clocks;
mod files;
mod shapes;
mod terminals;

use std::collections::{HashMap, HashSet};

use coulisse::message::excerpt;

use super::finding::Findings;
use super::tree::Element;
use super::units::Units;
use super::variables::{Variable, Variables};
pub use files::check as check_files;
pub use shapes::DESCRIPTION;

/// Adds what is wrong with the variables besides.
pub fn check(
    root: &Element, variables: &Variables<'_>, units: &Units<'_>, findings: &mut Findings,
) {
    references(variables, findings);
    if !variables.iter().any(|v| v.causality == "independent") {
        let message = "no independent variable; allowed: exactly one";
        findings.add(root.child("ModelVariables").unwrap_or(root).line, message.to_owned());
    }
    let mut previous = HashMap::new();
    for v in variables.iter() {
        let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
        if v.element.flag("intermediateUpdate") && v.variability != "continuous" {
            add(format!(
                "intermediateUpdate of a {} variable; allowed: of continuous ones",
                v.variability
            ));
        }
        // What they refer to may be what could not be read.
        if variables.complete {
            let of_previous = of_previous(v, variables, &mut previous);
            of_clocks(v, variables).into_iter().chain(of_previous).for_each(add);
            arrays(v, variables, findings);
        }
        for alias in v.element.named("Alias").filter(|alias| alias.get("displayUnit").is_some()) {
            let owner = || format!("alias `{}`", excerpt(alias.get("name").unwrap_or("?")));
            units.check_use(alias, v.inherited("unit"), (alias.line, &owner), findings);
        }
        bytes(v, findings);
    }
    clocks::check(root, variables, findings);
    experiment(root, findings);
}

/// Value references are there once.
fn references(variables: &Variables<'_>, findings: &mut Findings) {
    let mut first: HashMap<u32, &Variable<'_>> = HashMap::new();
    for v in variables.iter() {
        let Some(reference) = v.element.reference("valueReference") else {
            continue;
        };
        if let Some(other) = first.insert(reference, v) {
            let message = format!(
                "{}: value reference {reference} is also that of `{}`; allowed: another one, or an <Alias> of that variable",
                v.place(),
                other.shown()
            );
            findings.add(v.line(), message);
        }
    }
}

/// The clocks that a variable belongs to.
fn of_clocks(v: &Variable<'_>, variables: &Variables<'_>) -> Option<String> {
    v.element.get("clocks")?;
    let clocks = v.element.references("clocks")?;
    if clocks.is_empty() {
        return Some("clocks is empty; allowed: value references of clocks".to_owned());
    }
    let is_clock = |key: &&u32| variables.get(**key).is_some_and(|clock| clock.kind() == "Clock");
    if let Some(other) = clocks.iter().find(|key| !is_clock(key)) {
        return Some(format!("clocks: {other} is no clock; allowed: value references of clocks"));
    }
    let jumps = matches!(v.variability, "discrete" | "tunable");
    (!jumps).then(|| format!("clocks of a {} variable; allowed: discrete, tunable", v.variability))
}

/// The variable with the value before.
fn of_previous(
    v: &Variable<'_>, variables: &Variables<'_>, seen: &mut HashMap<u32, String>,
) -> Option<String> {
    let key = v.element.reference("previous")?;
    if v.element.get("clocks").is_none() {
        return Some("previous without clocks".to_owned());
    }
    if v.variability != "discrete" {
        return Some(format!("previous of a {} variable; allowed: discrete", v.variability));
    }
    let Some(before) = variables.get(key) else {
        return Some(format!("previous={key}; allowed: {}", variables.keys()));
    };
    if let Some(other) = seen.insert(key, v.shown()) {
        return Some(format!("previous={key} is also that of `{other}`; allowed: one for each"));
    }
    let fits = before.name != v.name
        && before.kind() == v.kind()
        && before.variability == "discrete"
        && before.causality != "input";
    (!fits).then(|| {
        format!(
            "previous is `{}`, a {} {} {}; allowed: another discrete {} that is no input",
            before.shown(),
            before.variability,
            before.causality,
            before.kind(),
            v.kind()
        )
    })
}

/// Sizes, and as many start values as there are elements.
fn arrays(v: &Variable<'_>, variables: &Variables<'_>, findings: &mut Findings) {
    let mut elements = Some(1_usize);
    let is_parameter = v.causality == "structuralParameter";
    for dimension in v.element.named("Dimension") {
        let mut add = |message: String| {
            findings.add(dimension.line, format!("{}: <Dimension> {message}", v.place()));
        };
        if is_parameter {
            add("of a structural parameter; allowed: none".to_owned());
        }
        let (start, reference) = (dimension.get("start"), dimension.reference("valueReference"));
        let size = match (start, dimension.get("valueReference")) {
            (Some(start), None) => start.trim().parse().ok(),
            (None, Some(_)) => reference.and_then(|key| size_of(key, variables, &mut add)),
            _ => {
                add("with both or none of start and valueReference; allowed: one of both"
                    .to_owned());
                None
            }
        };
        if size == Some(0) {
            add("of size 0; allowed: above 0 at the start".to_owned());
        }
        elements = elements.zip(size).and_then(|(all, own)| all.checked_mul(own));
    }
    let (Some(starts), Some(elements)) = (v.starts(), elements.filter(|elements| *elements > 0))
    else {
        return;
    };
    if starts.len() != 1 && starts.len() != elements {
        let allowed = if elements == 1 { "1".to_owned() } else { format!("1 or {elements}") };
        let message = format!("{}: {} start values; allowed: {allowed}", v.place(), starts.len());
        findings.add(v.line(), message);
    }
}

/// The size that a variable gives at the start.
fn size_of(key: u32, variables: &Variables<'_>, add: &mut impl FnMut(String)) -> Option<usize> {
    let Some(of) = variables.get(key) else {
        add(format!("valueReference={key}; allowed: {}", variables.keys()));
        return None;
    };
    let gives = of.causality == "structuralParameter" || of.variability == "constant";
    if of.kind() != "UInt64" || !gives {
        add(format!(
            "is `{}`, a {} {} of type {}; allowed: a structural parameter or constant of type UInt64",
            of.shown(),
            of.variability,
            of.causality,
            of.kind()
        ));
        return None;
    }
    of.starts()?.first()?.trim().parse().ok()
}

/// Start values of bytes are no longer than allowed.
fn bytes(v: &Variable<'_>, findings: &mut Findings) {
    let most = v.inherited("maxSize").and_then(|most| most.trim().parse::<usize>().ok());
    let (Some(most), "Binary") = (most, v.kind()) else {
        return;
    };
    for start in v.starts().into_iter().flatten().filter(|start| start.trim().len() / 2 > most) {
        let size = start.trim().len() / 2;
        let message = format!("{}: a start of {size} bytes; allowed: maxSize={most}", v.place());
        findings.add(v.line(), message);
    }
}

fn experiment(root: &Element, findings: &mut Findings) {
    let Some(kind) = root.child("CoSimulation") else {
        return;
    };
    if let Some(step) = kind.number("fixedInternalStepSize").filter(|step| *step <= 0.0) {
        let message = format!("<CoSimulation>: fixedInternalStepSize={step}; allowed: above 0");
        findings.add(kind.line, message);
    }
}

/// Names that siblings share.
fn twice<'a>(
    elements: impl Iterator<Item = &'a Element>, key: &str,
) -> Vec<(&'a Element, &'a str)> {
    let mut seen = HashSet::new();
    let named = elements.filter_map(|element| Some((element, element.get(key)?)));
    named.filter(|(_, name)| !seen.insert(*name)).collect()
}
