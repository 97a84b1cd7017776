//! Relations between the keys of a table: which exclude each other, need each other, or of which some must be there.
//!
//! They are declared behind the keys in `keys!`. The checker reports those that do not hold, the JSON Schema states them, and
//! `docs/model-file.md` lists them below the table of keys.
//!
//! A relation names *terms*: a key (`"stiffness"`), a key inside another one (`"hinge.radius"`), a key with a value
//! (`"rigid = true"`, `"ends = \"stop\""`), or several of these that go together (`"times and values"`).

/// A relation between keys of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    pub kind: Kind,
    /// What it is between.
    pub terms: Vec<Term>,
    /// Why, or what to do instead; empty where the relation says enough.
    pub reason: &'static str,
}

/// What a relation asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    ExactlyOne,
    AtMostOne,
    AtLeastOne,
    /// All terms, or none of them.
    Together,
    /// The first term is only there with one of the others.
    Needs,
    /// The first term is only there without the others.
    Excludes,
    /// The number of the first term is below that of the second, where both are there.
    Below,
}

/// One of the terms is there, and no other.
pub fn exactly_one(terms: &[&'static str]) -> Relation {
    Relation::between(Kind::ExactlyOne, terms)
}

/// No two of the terms are there.
pub fn at_most_one(terms: &[&'static str]) -> Relation {
    Relation::between(Kind::AtMostOne, terms)
}

/// One of the terms is there, or several.
pub fn at_least_one(terms: &[&'static str]) -> Relation {
    Relation::between(Kind::AtLeastOne, terms)
}

/// All of the terms are there, or none.
pub fn together(terms: &[&'static str]) -> Relation {
    Relation::between(Kind::Together, terms)
}

/// `term` is only there where one of `others` is.
pub fn needs(term: &'static str, others: &[&'static str]) -> Relation {
    Relation::between(Kind::Needs, &[&[term], others].concat())
}

/// `term` is only there where none of `others` is.
pub fn excludes(term: &'static str, others: &[&'static str]) -> Relation {
    Relation::between(Kind::Excludes, &[&[term], others].concat())
}

/// The number `low` is below the number `high`, where both are there.
pub fn below(low: &'static str, high: &'static str) -> Relation {
    Relation::between(Kind::Below, &[low, high])
}

impl Relation {
    fn between(kind: Kind, terms: &[&'static str]) -> Relation {
        Relation { kind, terms: terms.iter().map(|term| Term::of(term)).collect(), reason: "" }
    }

    /// Either all of `keys` or `other`.
    pub fn either(keys: &[&'static str], other: &'static str) -> Relation {
        let parts = keys.iter().map(|key| Part { key, value: None, text: key });
        let kind = Kind::ExactlyOne;
        Relation { kind, terms: vec![Term(parts.collect()), Term::of(other)], reason: "" }
    }

    /// With the reason, or what to do instead.
    pub fn because(self, reason: &'static str) -> Relation {
        Relation { reason, ..self }
    }

    /// The relation in words, as "exactly one of `times` and `values`, `file`".
    pub fn words(&self) -> String {
        let all = || quoted(&self.terms, ", ");
        let (first, others) = self.terms.split_at(1);
        let first = quoted(first, "");
        let words = match self.kind {
            Kind::ExactlyOne => format!("exactly one of {}", all()),
            Kind::AtMostOne => format!("at most one of {}", all()),
            Kind::AtLeastOne => format!("at least one of {}", all()),
            Kind::Together => format!("all or none of {}", all()),
            Kind::Needs => format!("{first} only with {}", quoted(others, " or ")),
            Kind::Excludes => format!("{first} without {}", quoted(others, ", ")),
            Kind::Below => format!("{first} below {}", quoted(others, "")),
        };
        match self.reason {
            "" => words,
            reason => format!("{words}: {reason}"),
        }
    }
}

/// Terms in backticks with this between them.
pub fn quoted<'t>(terms: impl IntoIterator<Item = &'t Term>, between: &str) -> String {
    let terms: Vec<String> = terms.into_iter().map(Term::quoted).collect();
    terms.join(between)
}

/// Keys that are there together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term(pub Vec<Part>);

/// A key, or a key with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its dotted path inside the table.
    pub key: &'static str,
    /// The word or truth that it has.
    pub value: Option<&'static str>,
    /// Both as they are written.
    pub text: &'static str,
}

impl Term {
    fn of(text: &'static str) -> Term {
        let part = |text: &'static str| {
            let (key, value) = match text.split_once(" = ") {
                Some((key, value)) => (key, Some(value.trim_matches('"'))),
                None => (text, None),
            };
            Part { key, value, text }
        };
        Term(text.split(" and ").map(part).collect())
    }

    /// In backticks, as "`times` and `values`".
    pub fn quoted(&self) -> String {
        let parts: Vec<String> = self.0.iter().map(|part| format!("`{}`", part.text)).collect();
        parts.join(" and ")
    }
}
