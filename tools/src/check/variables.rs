//! Rules for the variables of a model description (FMI 2.0.5, section 2.2.7).

use std::collections::{HashMap, HashSet};

use coulisse::message::{excerpt, figure};

use super::finding::{Findings, hint};
use super::names;
use super::shapes::{CAUSALITIES, VARIABILITIES};
use super::tree::Element;
use super::units::Units;

/// A scalar variable with the defaults of the standard filled in.
#[derive(Debug)]
pub struct Variable<'a> {
    pub element: &'a Element,
    pub name: &'a str,
    /// The element of its type, `Real` and so on.
    pub typed: &'a Element,
    pub causality: &'a str,
    pub variability: &'a str,
    /// `None` where the standard has none.
    pub initial: Option<&'a str>,
    declared: Option<&'a Element>,
}

impl<'a> Variable<'a> {
    /// `None` where the element is too broken to say more about it than the grammar does.
    pub fn of(element: &'a Element, types: &HashMap<&str, &'a Element>) -> Option<Variable<'a>> {
        let name = element.get("name")?;
        let typed = (element.children.iter()).find(|c| c.name != "Annotations")?;
        let causality = element.get("causality").unwrap_or("local");
        // The default of the standard is `continuous`; where that cannot be, the finding is one.
        let usual = if typed.name == "Real" { "continuous" } else { "discrete" };
        let variability = element.get("variability").unwrap_or(usual);
        let known = CAUSALITIES.contains(&causality) && VARIABILITIES.contains(&variability);
        let declared = typed.get("declaredType").and_then(|t| types.get(t));
        let declared = declared.and_then(|t| t.children.first());
        known.then(|| Variable {
            element,
            name,
            typed,
            causality,
            variability,
            initial: element.get("initial").or(initials(causality, variability).first().copied()),
            declared: declared.filter(|d| d.name == typed.name),
        })
    }

    fn line(&self) -> usize {
        self.element.line
    }

    /// What it is called in a message.
    fn place(&self) -> String {
        format!("variable `{}`", self.shown())
    }

    /// The name, short enough for a message.
    pub fn shown(&self) -> String {
        excerpt(self.name)
    }

    /// An attribute of its own or of its type.
    pub fn inherited(&self, key: &str) -> Option<&'a str> {
        self.typed.get(key).or_else(|| self.declared?.get(key))
    }

    /// Whether it has no type, or one that there is.
    fn unit_is_known(&self) -> bool {
        self.typed.get("declaredType").is_none() || self.declared.is_some()
    }

    fn inherited_number(&self, key: &str) -> Option<f64> {
        let number = |e: &Element| e.number(key);
        if self.typed.get(key).is_some() {
            return number(self.typed);
        }
        self.declared.and_then(number)
    }
}

/// Values of `initial` that go with causality and variability, the default first (the standard's
/// table of combinations); empty where there must be none.
fn initials(causality: &str, variability: &str) -> &'static [&'static str] {
    match (causality, variability) {
        ("input" | "independent", _) => &[],
        ("parameter", _) | (_, "constant") => &["exact"],
        ("calculatedParameter", _) | ("local", "fixed" | "tunable") => &["calculated", "approx"],
        _ => &["calculated", "exact", "approx"],
    }
}

/// Variabilities that go with a causality.
fn variabilities(causality: &str) -> &'static [&'static str] {
    match causality {
        "parameter" | "calculatedParameter" => &["fixed", "tunable"],
        "input" => &["discrete", "continuous"],
        "output" => &["constant", "discrete", "continuous"],
        "independent" => &["continuous"],
        _ => VARIABILITIES,
    }
}

/// Everything that holds for one variable after another.
pub fn check(
    root: &Element, variables: &[Variable<'_>], types: &HashMap<&str, &Element>, units: &Units<'_>,
    findings: &mut Findings,
) {
    let structured = root.get("variableNamingConvention") == Some("structured");
    let mut seen = HashSet::new();
    for v in variables {
        if !seen.insert(v.name) {
            findings.add(v.line(), format!("{}: a second one of this name", v.place()));
        }
        let wrong = match structured {
            true => names::structured(v.name),
            false => names::flat(v.name),
        };
        if let Some(allowed) = wrong {
            findings.add(v.line(), format!("{}: {allowed}", v.place()));
        }
        combination(v, findings);
        start(v, findings);
        bounds(v, types, findings);
        types_and_units(v, types, units, findings);
    }
    let mut clock = variables.iter().filter(|v| v.causality == "independent").skip(1);
    if let Some(second) = clock.next() {
        let message = "a second independent variable; allowed: one";
        findings.add(second.line(), format!("{}: {message}", second.place()));
    }
    aliases(variables, findings);
    derivatives(variables, units, findings);
}

/// Causality, variability and initial.
fn combination(v: &Variable<'_>, findings: &mut Findings) {
    let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
    let allowed = variabilities(v.causality);
    if v.element.get("variability").is_none() && v.typed.name != "Real" {
        let allowed = allowed.iter().filter(|word| **word != "continuous");
        let allowed: Vec<&str> = allowed.copied().collect();
        add(format!(
            "{} without variability, which is continuous then; allowed: {}",
            match v.typed.name.as_str() {
                "Integer" => "an Integer",
                "Enumeration" => "an Enumeration",
                "Boolean" => "a Boolean",
                _ => "a String",
            },
            allowed.join(", ")
        ));
        return;
    }
    if !allowed.contains(&v.variability) {
        add(format!(
            "causality {} with variability {}; allowed: {}",
            v.causality,
            v.variability,
            allowed.join(", ")
        ));
        return;
    }
    if v.variability == "continuous" && v.typed.name != "Real" {
        add(format!("a continuous {}; allowed: only Real variables are continuous", v.typed.name));
    }
    if v.causality == "independent" && v.typed.name != "Real" {
        add(format!("an independent {}; allowed: Real", v.typed.name));
    }
    if let Some(written) = v.element.get("initial") {
        let allowed = initials(v.causality, v.variability);
        let known = ["exact", "approx", "calculated"].contains(&written);
        if known && !allowed.contains(&written) {
            let allowed = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
            add(format!(
                "initial={written} for {} {}; allowed: {allowed}",
                v.variability, v.causality
            ));
        }
    }
    if v.element.get("canHandleMultipleSetPerTimeInstant").is_some() && v.causality != "input" {
        add("canHandleMultipleSetPerTimeInstant; allowed: for inputs only".to_owned());
    }
}

/// Whether there is a start value where there must be one, and none where there must be none.
fn start(v: &Variable<'_>, findings: &mut Findings) {
    let given = v.typed.get("start").is_some();
    let legal = v.initial.is_none_or(|i| initials(v.causality, v.variability).contains(&i));
    if !legal || !variabilities(v.causality).contains(&v.variability) {
        return; // Said already; what follows from it would only repeat it.
    }
    let wanted = v.causality == "input" || matches!(v.initial, Some("exact" | "approx"));
    let reason = match v.initial {
        Some(initial) => format!("initial={initial}"),
        None => format!("causality={}", v.causality),
    };
    let message = match (given, wanted) {
        (false, true) => format!("no start value; {reason} needs one"),
        (true, false) => format!("a start value; {reason} forbids it"),
        _ => return,
    };
    findings.add(v.line(), format!("{}: {message}", v.place()));
}

/// Start within min and max and, of an enumeration, among its items; nominal above 0.
fn bounds(v: &Variable<'_>, types: &HashMap<&str, &Element>, findings: &mut Findings) {
    let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
    let [min, max, start] = ["min", "max", "start"].map(|key| v.inherited_number(key));
    if let (Some(low), Some(high)) = (min, max)
        && low > high
    {
        // Where both are the type's, the fault is the type's.
        if v.typed.get("min").is_some() || v.typed.get("max").is_some() {
            add(format!("min={low} is above max={high}"));
        }
        return;
    }
    if let Some(start) = start {
        let low = min.is_some_and(|min| start < min);
        let high = max.is_some_and(|max| start > max);
        if low || high {
            let show = |bound: Option<f64>| bound.map_or_else(|| "any".to_owned(), figure);
            let (start, min, max) = (figure(start), show(min), show(max));
            add(format!("start={start} is outside of min={min}, max={max}"));
        }
        let items = v.typed.get("declaredType").and_then(|t| types.get(t));
        let items = items.and_then(|t| t.child("Enumeration"));
        if let (Some(items), "Enumeration") = (items, v.typed.name.as_str()) {
            let values: Vec<f64> =
                items.children.iter().filter_map(|i| i.number("value")).collect();
            if !values.contains(&start) && !low && !high {
                let values: Vec<String> = values.iter().take(20).map(f64::to_string).collect();
                add(format!(
                    "start={start} is no item of its type; allowed: {}",
                    values.join(", ")
                ));
            }
        }
    }
    if let Some(nominal) = v.typed.number("nominal").filter(|n| *n <= 0.0) {
        add(format!("nominal={nominal}; allowed: above 0"));
    }
}

fn types_and_units(
    v: &Variable<'_>, types: &HashMap<&str, &Element>, units: &Units<'_>, findings: &mut Findings,
) {
    if let Some(name) = v.typed.get("declaredType") {
        let kind = types.get(name).and_then(|t| t.children.first());
        let shown = excerpt(name);
        match kind {
            None if types.contains_key(name) => {}
            None => findings.add_with(v.line(), || {
                let hint = hint(name, types.keys().copied());
                let place = v.place();
                format!("{place}: declaredType `{shown}` is not in TypeDefinitions{hint}")
            }),
            Some(kind) if kind.name != v.typed.name => findings.add(
                v.line(),
                format!(
                    "{}: declaredType `{shown}` is of type {}, the variable of type {}",
                    v.place(),
                    excerpt(&kind.name),
                    excerpt(&v.typed.name)
                ),
            ),
            Some(_) => {}
        }
    }
    let owner = || v.place();
    units.check_use(v.typed, v.inherited("unit"), (v.line(), &owner), findings);
}

/// Several names for one value reference of one type.
fn aliases(variables: &[Variable<'_>], findings: &mut Findings) {
    let mut first: HashMap<(&str, u32), &Variable<'_>> = HashMap::new();
    for v in variables {
        let Some(reference) = v.element.get("valueReference").and_then(|r| r.trim().parse().ok())
        else {
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
fn derivatives(variables: &[Variable<'_>], units: &Units<'_>, findings: &mut Findings) {
    for v in variables {
        let Some(written) = v.typed.get("derivative") else {
            continue;
        };
        let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
        let state =
            written.trim().parse().ok().and_then(|i: usize| variables.get(i.checked_sub(1)?));
        let Some(state) = state else {
            if written.trim().parse::<u32>().is_ok() {
                add(format!(
                    "derivative={written}; allowed: the number of a variable, 1 to {}",
                    variables.len()
                ));
            }
            continue;
        };
        if state.typed.name != "Real" || state.variability != "continuous" || state.name == v.name {
            add(format!(
                "derivative of `{}`, a {} {}; allowed: another continuous Real",
                state.shown(),
                state.variability,
                excerpt(&state.typed.name)
            ));
        } else if let (Some(of_state), Some(own)) = (state.inherited("unit"), v.inherited("unit"))
            && units.is_rate(own, of_state) == Some(false)
        {
            add(format!(
                "in {}, the derivative of `{}` in {}; allowed: that unit by s",
                excerpt(own),
                state.shown(),
                excerpt(of_state)
            ));
        }
    }
}
