//! Rules for the variables of a model description (FMI 2.0.5, section 2.2.7; FMI 3.0, section 2.4.7).

use std::collections::{BTreeMap, HashMap, HashSet};

use coulisse::message::{excerpt, figure};

use super::finding::{Findings, hint};
use super::names;
use super::tree::Element;
use super::units::{Type, Types, Units};
use crate::archive::Standard;

/// Types of variables of FMI 3.0.
const TYPES: &str = "Float32 Float64 Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Boolean String Binary \
    Enumeration Clock";

/// A variable with the defaults of the standard filled in.
#[derive(Debug)]
pub struct Variable<'a> {
    pub standard: Standard,
    pub element: &'a Element,
    pub name: &'a str,
    /// The element of its type: in FMI 2.0 one inside, `Real` and so on, and in FMI 3.0 the variable itself.
    pub typed: &'a Element,
    pub causality: &'a str,
    pub variability: &'a str,
    /// `None` where the standard has none.
    pub initial: Option<&'a str>,
    declared: Option<Type<'a>>,
}

impl<'a> Variable<'a> {
    /// `None` where the element is too broken to say more about it than the grammar does.
    pub fn of(standard: Standard, element: &'a Element, types: &Types<'a>) -> Option<Variable<'a>> {
        let name = element.get("name")?;
        let typed = match standard {
            Standard::Fmi2 if element.name == "ScalarVariable" => {
                (element.children.iter()).find(|c| c.name != "Annotations")?
            }
            Standard::Fmi3 if TYPES.split(' ').any(|kind| kind == element.name) => element,
            _ => return None,
        };
        let kind = typed.name.as_str();
        let causality = element.get("causality").unwrap_or("local");
        let usual = match causality {
            "parameter" | "calculatedParameter" | "structuralParameter"
                if standard == Standard::Fmi3 =>
            {
                "fixed"
            }
            // In FMI 2.0 the default is `continuous` of all; where that cannot be, the finding is one.
            _ if is_real(kind) => "continuous",
            _ => "discrete",
        };
        let variability = element.get("variability").unwrap_or(usual);
        let known = !variabilities(causality).is_empty()
            && ["constant", "fixed", "tunable", "discrete", "continuous"].contains(&variability);
        let declared = typed.get("declaredType").and_then(|t| *types.get(t)?);
        let usual = initials(standard, causality, variability).first().copied();
        known.then(|| Variable {
            standard,
            element,
            name,
            typed,
            causality,
            variability,
            initial: element.get("initial").or(usual).filter(|_| kind != "Clock"),
            declared: declared.filter(|of| of.kind == kind),
        })
    }

    /// What it is: `Real`, `Float64` and so on.
    pub fn kind(&self) -> &'a str {
        &self.typed.name
    }

    /// Whether it may be continuous.
    pub fn is_real(&self) -> bool {
        is_real(self.kind())
    }

    pub fn line(&self) -> usize {
        self.element.line
    }

    /// What it is called in a message.
    pub fn place(&self) -> String {
        format!("variable `{}`", self.shown())
    }

    /// The name, short enough for a message.
    pub fn shown(&self) -> String {
        excerpt(self.name)
    }

    /// An attribute of its own or of its type.
    pub fn inherited(&self, key: &str) -> Option<&'a str> {
        self.typed.get(key).or_else(|| self.declared?.values.get(key))
    }

    /// Its start values as written; of texts and bytes they are elements in FMI 3.0.
    pub fn starts(&self) -> Option<Vec<&'a str>> {
        match (self.standard, self.kind()) {
            (Standard::Fmi2, _) => self.typed.get("start").map(|start| vec![start]),
            (Standard::Fmi3, "String" | "Binary") => {
                let values = self.element.named("Start").map(|s| s.get("value").unwrap_or(""));
                Some(values.collect()).filter(|values: &Vec<_>| !values.is_empty())
            }
            (Standard::Fmi3, _) => {
                let list: Vec<&str> = self.typed.get("start")?.split_whitespace().collect();
                Some(list).filter(|list| !list.is_empty())
            }
        }
    }

    /// Whether it has no type, or one that there is.
    pub fn unit_is_known(&self) -> bool {
        self.typed.get("declaredType").is_none() || self.declared.is_some()
    }

    fn inherited_number(&self, key: &str) -> Option<f64> {
        if self.typed.get(key).is_some() {
            return self.typed.number(key);
        }
        self.declared?.values.number(key)
    }
}

fn is_real(kind: &str) -> bool {
    matches!(kind, "Real" | "Float32" | "Float64")
}

/// The variables of a description, which its structure calls by numbers from 1 on in FMI 2.0, and by value references in FMI 3.0.
#[derive(Debug)]
pub struct Variables<'a> {
    pub standard: Standard,
    /// Whether each can be told by its number or value reference; else what names one that is not there follows from another fault.
    pub complete: bool,
    list: Vec<Variable<'a>>,
    places: BTreeMap<u32, usize>,
}

impl<'a> Variables<'a> {
    /// The variables in these elements.
    pub fn of(standard: Standard, elements: &'a [Element], types: &Types<'a>) -> Variables<'a> {
        let found = elements.iter().filter_map(|v| Variable::of(standard, v, types));
        let list: Vec<Variable<'a>> = found.collect();
        let mut places = BTreeMap::new();
        for (place, v) in list.iter().enumerate() {
            let key = match standard {
                Standard::Fmi2 => u32::try_from(place + 1).ok(),
                Standard::Fmi3 => v.element.reference("valueReference"),
            };
            if let Some(key) = key {
                // A second one is a finding of its own.
                places.entry(key).or_insert(place);
            }
        }
        let time = standard == Standard::Fmi2 || list.iter().any(|v| v.causality == "independent");
        Variables { standard, complete: places.len() == elements.len() && time, list, places }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Variable<'a>> {
        self.list.iter()
    }

    pub fn get(&self, key: u32) -> Option<&Variable<'a>> {
        self.list.get(*self.places.get(&key)?)
    }

    /// Each with its number or value reference.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &Variable<'a>)> {
        self.places.iter().filter_map(|(key, place)| Some((*key, self.list.get(*place)?)))
    }

    /// Names of variables and of their aliases, with the causality of each.
    pub fn names(&self) -> HashMap<String, String> {
        let named = |v: &Variable<'a>| {
            let aliases = v.element.named("Alias").filter_map(|alias| alias.get("name"));
            let names: Vec<&str> = [v.name].into_iter().chain(aliases).collect();
            names
                .into_iter()
                .map(|name| (name.to_owned(), v.causality.to_owned()))
                .collect::<Vec<_>>()
        };
        self.list.iter().flat_map(named).collect()
    }

    /// What names a variable in the structure.
    pub fn key(&self) -> &'static str {
        match self.standard {
            Standard::Fmi2 => "index",
            Standard::Fmi3 => "valueReference",
        }
    }

    /// The numbers that there are, in words.
    pub fn keys(&self) -> String {
        match self.standard {
            Standard::Fmi2 => format!("1 to {}", self.list.len()),
            Standard::Fmi3 => "the value reference of a variable".to_owned(),
        }
    }
}

/// Values of `initial` that go with causality and variability, the default first (the standard's
/// table of combinations); empty where there must be none.
fn initials(standard: Standard, causality: &str, variability: &str) -> &'static [&'static str] {
    match (causality, variability) {
        ("input", _) if standard == Standard::Fmi3 => &["exact"],
        ("input" | "independent", _) => &[],
        ("parameter" | "structuralParameter", _) | (_, "constant") => &["exact"],
        ("calculatedParameter", _) | ("local", "fixed" | "tunable") => &["calculated", "approx"],
        _ => &["calculated", "exact", "approx"],
    }
}

/// Variabilities that go with a causality; none with a word that is no causality.
fn variabilities(causality: &str) -> &'static [&'static str] {
    match causality {
        "parameter" | "calculatedParameter" | "structuralParameter" => &["fixed", "tunable"],
        "input" => &["discrete", "continuous"],
        "output" => &["constant", "discrete", "continuous"],
        "independent" => &["continuous"],
        "local" => &["constant", "fixed", "tunable", "discrete", "continuous"],
        _ => &[],
    }
}

/// Everything that holds for one variable after another.
pub fn check(
    root: &Element, variables: &Variables<'_>, types: &Types<'_>, units: &Units<'_>,
    findings: &mut Findings,
) {
    let structured = root.get("variableNamingConvention") == Some("structured");
    let mut seen = HashSet::new();
    for v in variables.iter() {
        let aliases = v.element.named("Alias").filter_map(|a| Some((a.line, a.get("name")?)));
        for (line, name) in [(v.line(), v.name)].into_iter().chain(aliases) {
            let place = || format!("variable `{}`", excerpt(name));
            if !seen.insert(name) {
                findings.add(line, format!("{}: a second one of this name", place()));
            }
            let wrong = if structured { names::structured(name) } else { names::flat(name) };
            if let Some(allowed) = wrong {
                findings.add(line, format!("{}: {allowed}", place()));
            }
        }
        combination(v, findings);
        start(v, findings);
        bounds(v, findings);
        types_and_units(v, types, units, findings);
    }
    let mut time = variables.iter().filter(|v| v.causality == "independent").skip(1);
    if let Some(second) = time.next() {
        let message = "a second independent variable; allowed: one";
        findings.add(second.line(), format!("{}: {message}", second.place()));
    }
}

/// Causality, variability and initial.
fn combination(v: &Variable<'_>, findings: &mut Findings) {
    if v.kind() == "Clock" {
        return; // Clocks have rules of their own.
    }
    let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
    let allowed = variabilities(v.causality);
    if v.standard == Standard::Fmi2
        && v.element.get("variability").is_none()
        && v.typed.name != "Real"
    {
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
    let real = match v.standard {
        Standard::Fmi2 => "Real",
        Standard::Fmi3 => "Float32 and Float64",
    };
    if v.causality == "independent" && !v.is_real() {
        add(format!("an independent {}; allowed: {real}", v.kind()));
    } else if v.variability == "continuous" && !v.is_real() {
        add(format!("a continuous {}; allowed: only {real} variables are continuous", v.kind()));
    }
    if let Some(written) = v.element.get("initial") {
        let allowed = initials(v.standard, v.causality, v.variability);
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
    if v.kind() == "Clock" {
        return;
    }
    let given = v.starts().is_some();
    let allowed = initials(v.standard, v.causality, v.variability);
    let legal = v.initial.is_none_or(|i| allowed.contains(&i));
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
fn bounds(v: &Variable<'_>, findings: &mut Findings) {
    let mut add = |message: String| findings.add(v.line(), format!("{}: {message}", v.place()));
    let [min, max] = ["min", "max"].map(|key| v.inherited_number(key));
    if let (Some(low), Some(high)) = (min, max)
        && low > high
    {
        // Where both are the type's, the fault is the type's.
        if v.typed.get("min").is_some() || v.typed.get("max").is_some() {
            add(format!("min={low} is above max={high}"));
        }
        return;
    }
    let starts = v.starts().filter(|_| !matches!(v.kind(), "String" | "Binary"));
    let finite = |start: &&str| start.trim().parse().ok().filter(|x: &f64| x.is_finite());
    for start in starts.iter().flatten().filter_map(finite) {
        if min.is_some_and(|min| start < min) || max.is_some_and(|max| start > max) {
            let show = |bound: Option<f64>| bound.map_or_else(|| "any".to_owned(), figure);
            let (start, min, max) = (figure(start), show(min), show(max));
            add(format!("start={start} is outside of min={min}, max={max}"));
            break;
        }
        let items = v.declared.filter(|of| of.kind == "Enumeration");
        let Some(items) = items.map(|of| of.values.named("Item")) else { continue };
        let values: Vec<f64> = items.filter_map(|i| i.number("value")).collect();
        if !values.contains(&start) {
            let values: Vec<String> = values.iter().take(20).map(f64::to_string).collect();
            let allowed = values.join(", ");
            add(format!("start={start} is no item of its type; allowed: {allowed}"));
            break;
        }
    }
    if let Some(nominal) = v.typed.number("nominal").filter(|n| *n <= 0.0) {
        add(format!("nominal={nominal}; allowed: above 0"));
    }
}

fn types_and_units(
    v: &Variable<'_>, types: &Types<'_>, units: &Units<'_>, findings: &mut Findings,
) {
    if let Some(name) = v.typed.get("declaredType") {
        let shown = excerpt(name);
        match types.get(name) {
            None => findings.add_with(v.line(), || {
                let hint = hint(name, types.keys().copied());
                let place = v.place();
                format!("{place}: declaredType `{shown}` is not in TypeDefinitions{hint}")
            }),
            Some(Some(of)) if of.kind != v.kind() => findings.add(
                v.line(),
                format!(
                    "{}: declaredType `{shown}` is of type {}, the variable of type {}",
                    v.place(),
                    excerpt(of.kind),
                    excerpt(v.kind())
                ),
            ),
            Some(_) => {}
        }
    }
    let owner = || v.place();
    units.check_use(v.typed, v.inherited("unit"), (v.line(), &owner), findings);
}
