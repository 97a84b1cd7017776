//! Resolves every name of a model file and checks every value; collects all faults.

pub(crate) use contact::wrong_side;

mod bearing;
mod bodies;
mod bushing;
mod chain;
mod closed;
mod contact;
mod coordinate;
mod coupling;
mod curves;
mod damping;
mod drives;
mod edges;
mod equivalent;
mod expression;
mod friction;
mod friction_hinge;
mod ground;
mod initial;
mod inputs;
mod interface;
mod joints;
mod line_load;
mod material;
mod matter;
mod members;
mod mesh_file;
mod numbers;
mod outlines;
mod parameters;
mod pin;
mod places;
mod redundant;
mod relations;
mod release;
mod rigid_contact;
mod rigid_member;
mod rigid_stop;
mod roughness;
mod section;
mod sliding_edge;
mod spring;
mod statics;
mod structure;
mod surface_contact;
mod switches;
mod table;
mod time;
mod turning;
mod volume_load;
mod whole;
mod wording;

use std::collections::{BTreeMap, BTreeSet};

use toml::Spanned;
use toml::de::DeTable;

use super::checked::{BodyId, Checked, DataRead, MemberId, PointId};
use super::de::{Located, Name, Reader, Scalar, is_among};
use super::fault::Fault;
use super::file::{Entry, File, Top};
use super::form::Form;
use super::quantity::{FINITE, Limit, NOT_NEGATIVE, Quantity};
use super::source;
use crate::columns::Read;
use crate::message::{did_you_mean, excerpt, listed};

/// A number of the file with its resolved value.
#[derive(Debug, Clone)]
pub struct KnownNumber {
    pub value: f64,
    pub quantity: Quantity,
    limit: Limit,
    /// Names of `[parameters]` in its expression.
    names: Vec<String>,
    /// Whether its expression is nothing but the first of these names.
    is_name: bool,
}

/// What a check leaves behind.
pub struct Outcome {
    pub faults: Vec<Fault>,
    pub checked: Option<Checked>,
    /// Every number of the file by its dotted path, defaults included.
    pub numbers: BTreeMap<String, KnownNumber>,
    /// Every number of the file that counts something, likewise.
    pub counts: BTreeMap<String, usize>,
    /// Dotted paths of the entries that are switched off.
    pub off: BTreeSet<String>,
}

/// What is known of a file with entries that are switched off.
pub struct Complete {
    /// Dotted paths of these entries.
    pub off: BTreeSet<String>,
    /// The model with all of them on; `None` where it has faults.
    pub model: Option<Checked>,
}

/// Letters of a name: files of this name with an ending have room on every disk.
const LONGEST: usize = 200;

struct Checker<'a> {
    file: &'a File,
    /// What is declared with its keys.
    keys: &'a Form,
    reader: Reader<'a>,
    patches: &'a BTreeMap<String, f64>,
    data: &'a BTreeMap<String, Vec<u8>>,
    numbers: BTreeMap<String, KnownNumber>,
    counts: BTreeMap<String, usize>,
    /// Value of each entry of `[parameters]` by name; `None` where it is not known.
    parameters: BTreeMap<String, Option<f64>>,
    /// Place in [`Checked::members`] of each entry of the file that has its points.
    members: Vec<Option<MemberId>>,
    /// Place in [`Checked::bodies`] of each entry of the file that has a mesh.
    bodies: Vec<Option<BodyId>>,
    /// Points that mesh files name, which follow those of the file.
    mesh_points: Vec<String>,
    /// What mesh files name and is no point, each with the reason.
    no_mesh_points: Vec<(String, String)>,
    /// Places of the entries of a section by name, once one has been looked for.
    places: BTreeMap<&'static str, BTreeMap<&'a str, usize>>,
    /// Paths of what could not be read.
    unread: BTreeSet<String>,
    /// Pairs of numbers whose order is declared.
    ordered: Vec<relations::Ordered>,
    /// The columns of data files, by the key that names the file.
    read: Vec<(Name, Vec<Read>)>,
    /// Paths of entries that `file` is without, for they are switched off.
    off: BTreeSet<String>,
    known: Known,
}

/// What is known of the whole mechanism, for checks that look at more than one entry: where it is not
/// as written, they would find fault with what nobody has written.
struct Known {
    /// Members' ends, hinges and masses: which rotations there are.
    topology: bool,
    /// Places of points and curves of members.
    geometry: bool,
    /// Supports and motions.
    drives: bool,
}

/// Checks `file`, which `reader` has read from `root` and whose keys are those of `form`. Entries that are switched off are checked one by one, and nothing as a whole:
/// see [`Outcome::off`]. The whole is then that of the file without them, whose variables are those of the `complete` model.
pub fn check(
    (root, file): (&Spanned<DeTable<'_>>, &File), form: &Form, reader: Reader<'_>,
    patches: &BTreeMap<String, f64>, data: &BTreeMap<String, Vec<u8>>, complete: Option<Complete>,
) -> Outcome {
    reader.end_reading();
    let unread = reader.faulty();
    let mut checker = Checker {
        file,
        keys: form,
        reader,
        patches,
        data,
        numbers: BTreeMap::new(),
        counts: BTreeMap::new(),
        parameters: BTreeMap::new(),
        members: Vec::new(),
        bodies: Vec::new(),
        mesh_points: Vec::new(),
        no_mesh_points: Vec::new(),
        places: BTreeMap::new(),
        ordered: Vec::new(),
        read: Vec::new(),
        off: complete.as_ref().map(|complete| complete.off.clone()).unwrap_or_default(),
        known: Known { topology: true, geometry: true, drives: true },
        unread: unread.clone(),
    };
    for path in &unread {
        checker.invalidate(path);
    }
    checker.relations(root);
    let model = checker.model(complete);
    let off = model.switched_off().map(str::to_string).collect();
    let (numbers, counts) = (checker.numbers, checker.counts);
    let mut faults = checker.reader.into_faults();
    faults.sort();
    Outcome { checked: faults.is_empty().then_some(model), faults, numbers, counts, off }
}

impl<'a> Checker<'a> {
    fn model(&mut self, complete: Option<Complete>) -> Checked {
        self.named_parameters();
        let mut model = Checked::empty();
        model.switches = match &complete {
            Some(complete) => {
                complete.model.as_ref().map(|model| model.switches.clone()).unwrap_or_default()
            }
            None => self.switches(),
        };
        // What is on without what is off is looked at by itself.
        let is_whole = complete.is_some() || model.switched_off().next().is_none();
        structure::header(self, &mut model);
        structure::structure(self, &mut model);
        joints::joints(self, &mut model);
        surface_contact::contacts(self, &mut model);
        spring::springs(self, &mut model);
        coupling::couplings(self, &mut model);
        model.hinge_forces = model.forces_of_hinges();
        damping::damping(self, &mut model);
        drives::drives(self, &mut model);
        if is_whole && self.known.topology && self.known.drives {
            whole::whole(self, &model);
        }
        match complete {
            Some(Complete { model: Some(all), .. }) => {
                switches::take_variables(self, &mut model, all);
            }
            // The faults of the variables are those of the complete model.
            Some(Complete { model: None, .. }) => {}
            None => interface::interface(self, &mut model),
        }
        self.orders();
        if is_whole {
            statics::statics(self, &mut model);
        }
        model.read = std::mem::take(&mut self.read)
            .into_iter()
            .map(|(file, columns)| DataRead { path: file.path, file: file.value, columns })
            .collect();
        model
    }

    /// The bytes of a data file; `None` where it could not be read, which is on record: what it would give is not missed anywhere else.
    fn bytes_of(&mut self, file: &Name) -> Option<&'a [u8]> {
        let bytes = self.data.get(&file.value);
        if bytes.is_none() {
            self.invalidate(&file.path);
            self.reader.doubt(&file.path);
        }
        bytes.map(Vec::as_slice)
    }

    /// The text of a data file; `None` with a fault on record.
    fn text_of(&mut self, file: &Name) -> Option<&'a str> {
        let bytes = self.bytes_of(file)?;
        let text = source::text(bytes);
        if let Err(why) = &text {
            let shown = excerpt(&file.value);
            self.report(file, format!("data file `{shown}` cannot be read: {why}"));
        }
        text.ok()
    }

    /// Records a fault of a number or a name.
    fn report<T>(&mut self, at: &Located<T>, message: String) {
        self.invalidate(&at.path);
        self.reader.report_of(&at.path, &at.span, message);
    }

    /// As [`Checker::report`], where nothing can be made of what is at fault.
    fn refuse<T, R>(&mut self, at: &Located<T>, message: String) -> Option<R> {
        self.report(at, message);
        None
    }

    /// Records a fault of an entry as a whole. It is not told where a part of the entry could not be
    /// read: that part may be what is missed.
    fn report_entry(&mut self, name: &Name, message: String) {
        self.invalidate(&name.path);
        if is_among(&self.unread, &name.path) {
            self.reader.doubt(&name.path);
        } else {
            self.reader.report_of(&name.path, &name.span, message);
        }
    }

    /// As [`Checker::report_entry`], where nothing can be made of the entry.
    fn refuse_entry<R>(&mut self, name: &Name, message: String) -> Option<R> {
        self.report_entry(name, message);
        None
    }

    /// Records a fault that belongs to no place.
    fn report_whole(&mut self, message: String) {
        self.reader.report(&(0..0), message);
    }

    /// What is not known of the whole where there is a fault at `path`.
    fn invalidate(&mut self, path: &str) {
        let words: Vec<&str> = path.split(['.', '[']).collect();
        let known = &mut self.known;
        let Some(top) = Top::of(words[0]) else {
            (known.topology, known.geometry, known.drives) = (false, false, false);
            return;
        };
        match (top, &words[1..]) {
            (Top::Points, []) => (known.topology, known.geometry) = (false, false),
            (Top::Points, _) => known.geometry = false,
            (Top::Members, [] | [_] | [_, "from" | "to" | "edge", ..]) => {
                (known.topology, known.geometry) = (false, false);
            }
            // What has no mesh has no nodes.
            (Top::Bodies, _) => (known.topology, known.geometry) = (false, false),
            (Top::Members, [_, "arc" | "spline", ..]) => known.geometry = false,
            (Top::Joints, [] | [_] | [_, "hinge" | "cylindrical" | "prismatic" | "sliding"])
            | (Top::Joints, [_, "hinge", ..])
            | (Top::Masses, _) => known.topology = false,
            (Top::Supports | Top::Motions, _) => known.drives = false,
            (Top::Members | Top::Joints | Top::Contacts, _) => {}
            (Top::Springs | Top::Couplings, _) => {}
            (Top::Name | Top::Description | Top::Author | Top::Version, _) => {}
            (Top::Copyright | Top::License | Top::Experiment | Top::Solver, _) => {}
            (Top::Materials | Top::Sections | Top::Damping | Top::Loads, _) => {}
            (Top::Gravity | Top::Initial | Top::Probes | Top::Parameters, _) => {}
            (Top::Static | Top::Arrays | Top::Interface, _) => {}
        }
    }

    /// Whether a variable may be missing for a fault of what its path begins with.
    fn may_be_missing(&self, path: &str) -> bool {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let Some(top) = Top::of(first) else {
            return false;
        };
        let names = self.file.entries_of(top);
        let (entry, written) = match rest.split(['.', '[']).next() {
            Some(entry) if !names.is_empty() && entry != "*" => {
                (format!("{first}.{entry}"), names.iter().any(|name| name.value == entry))
            }
            _ => (first.to_string(), true),
        };
        // What names a point, a member or a body that is not known is left out.
        let whole = written && !(self.known.topology && self.known.geometry);
        let of_mesh = top == Top::Points && self.has_unknown_points(rest);
        whole || of_mesh || self.file.unreadable.contains(first) || self.reader.is_faulty(&entry)
    }

    /// Whether `name` begins with a body whose mesh is not known for a fault, so that it may be a point which the mesh names: `BODY.NAME`.
    fn has_unknown_points(&self, name: &str) -> bool {
        let body = name.split_once('.').map(|(body, _)| body);
        let mut bodies = self.file.bodies.iter();
        body.is_some_and(|body| {
            bodies.any(|entry| entry.name.value == body && self.reader.is_faulty(&entry.name.path))
        })
    }

    /// Whether something of the entry or value at `path` could not be read.
    fn is_unread(&self, path: &str) -> bool {
        is_among(&self.unread, path)
    }

    /// Whether all of these numbers are free of faults, so that comparing them means something.
    fn are_known<'n>(&self, numbers: impl IntoIterator<Item = &'n Scalar>) -> bool {
        let mut numbers = numbers.into_iter();
        numbers.all(|number| self.numbers.contains_key(&number.path))
    }

    /// A name made of letters, digits and underscores, as FMI variables and files want it.
    fn identifier(&mut self, name: &Name, what: &str) {
        if self.reader.is_faulty(&name.path) {
            // What is no text is no name either.
        } else if !is_identifier(&name.value) {
            self.report(
                name,
                format!(
                    "the {what} name `{}` is not allowed; allowed: a letter, then letters, digits and `_`",
                    excerpt(&name.value)
                ),
            );
        } else if name.value.len() > LONGEST {
            let (shown, seen) = (excerpt(&name.value), name.value.len());
            self.report(
                name,
                format!("the {what} name `{shown}` has {seen} letters; allowed: at most {LONGEST}"),
            );
        }
    }

    fn find<T>(
        &mut self, name: &Name, section: &'static str, entries: &'a [Entry<T>],
    ) -> Option<usize> {
        if self.is_unread(&name.path) {
            return None;
        }
        let places = self.places.entry(section).or_insert_with(|| {
            let places = entries.iter().enumerate().rev();
            places.map(|(i, e)| (e.name.value.as_str(), i)).collect()
        });
        let found = places.get(name.value.as_str()).copied();
        if found.is_none() && self.is_off(section, &name.value) {
            let (path, shown) = (&name.path, excerpt(&name.value));
            let message = format!(
                "{path} names `{shown}`, which is switched off; switch it on, or switch off with it what names it"
            );
            return self.refuse(name, message);
        }
        // What a broken section holds is not known.
        if found.is_none() && !self.file.unreadable.contains(section) {
            let known = || entries.iter().map(|e| e.name.value.as_str());
            let file = self.file;
            let hint = if file.points.iter().any(|e| e.name.value == name.value) {
                format!("; `{}` is a point", excerpt(&name.value))
            } else if file.members.iter().any(|e| e.name.value == name.value) {
                format!("; `{}` is a member", excerpt(&name.value))
            } else if file.bodies.iter().any(|e| e.name.value == name.value) {
                format!("; `{}` is a body", excerpt(&name.value))
            } else {
                did_you_mean(&name.value, known())
            };
            let why = format!("which is not in [{section}]");
            self.unknown(name, &why, known(), &hint);
        }
        found
    }

    /// Records that there is not what `name` names: `why` not, which there are instead, and a `hint` at what may be meant.
    fn unknown<'n>(
        &mut self, name: &Name, why: &str, known: impl Iterator<Item = &'n str>, hint: &str,
    ) {
        let (path, shown) = (&name.path, excerpt(&name.value));
        let message = format!("{path} names `{shown}`, {why}; there are: {}{hint}", listed(known));
        self.report(name, message);
    }

    /// The entries of a section that could be read, after a look at the names of all of them; one of them is `what`, as "spring".
    fn entries<T>(
        &mut self, entries: &'a [Entry<T>], what: &str,
    ) -> impl Iterator<Item = (&'a Name, &'a T)> + use<'a, T> {
        entries.iter().for_each(|entry| self.identifier(&entry.name, what));
        entries.iter().filter_map(|entry| Some((&entry.name, entry.value.as_ref()?)))
    }

    fn point(&mut self, name: &Name) -> Option<PointId> {
        let file = self.file;
        let of_mesh = self.mesh_points.iter().position(|p| *p == name.value);
        if let Some(k) = of_mesh.filter(|_| !self.is_unread(&name.path)) {
            return Some(file.points.len() + k);
        }
        if of_mesh.is_none() && self.has_unknown_points(&name.value) {
            self.invalidate(&name.path);
            self.reader.doubt(&name.path);
            return None;
        }
        let none = self.no_mesh_points.iter().find(|(n, _)| *n == name.value);
        if let Some((_, why)) = none {
            let message = format!("{} names `{}`, which {why}", name.path, excerpt(&name.value));
            return self.refuse(name, message);
        }
        self.find(name, "points", &file.points)
    }

    fn member(&mut self, name: &Name) -> Option<MemberId> {
        let file = self.file;
        let found = self.find(name, "members", &file.members)?;
        self.members.get(found).copied().flatten()
    }

    /// A member that may be left out; `None` where it is named and there is none.
    fn optional_member(&mut self, name: Option<&Name>) -> Option<Option<MemberId>> {
        name.map_or(Some(None), |name| self.member(name).map(Some))
    }
}

/// Whether a name is made of letters, digits and underscores, the first of them a letter.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
}
