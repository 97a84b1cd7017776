//! A model file made entry by entry.

use std::fmt::Display;

/// A mechanism that a test describes. Each call adds an entry; `keys` are those of the model file, with commas between them, strings
/// in single quotes where that is easier to read.
pub struct Mechanism {
    /// Heading and lines of sections in the order in which they were begun; first what stands before any heading.
    sections: Vec<(String, String)>,
    /// Heading of the last entry.
    last: String,
}

/// Adds calls for sections that say all by their keys.
macro_rules! entries {
    ($($(#[$doc:meta])* $call:ident in $section:literal;)*) => {
        $($(#[$doc])*
        pub fn $call(self, name: impl Display, keys: impl AsRef<str>) -> Mechanism {
            self.entry(format!("{}.{name}", $section), keys)
        })*
    };
}

impl Mechanism {
    /// An empty model of this name.
    pub fn new(name: &str) -> Mechanism {
        Mechanism {
            sections: vec![(String::new(), format!("name = \"{name}\"\n"))],
            last: String::new(),
        }
    }

    /// Sections to be added to a model.
    pub fn part() -> Mechanism {
        Mechanism { sections: vec![Default::default()], last: String::new() }
    }

    /// The model file.
    pub fn text(self) -> String {
        let shown = |(heading, lines): (String, String)| match heading.is_empty() {
            true => lines,
            false => format!("[{heading}]\n{lines}"),
        };
        self.sections.into_iter().map(shown).collect()
    }

    /// Keys of any section by its heading.
    pub fn entry(mut self, heading: impl Display, keys: impl AsRef<str>) -> Mechanism {
        self.last = heading.to_string();
        self.and(keys)
    }

    /// The lines of a section, which begins here where it is new.
    fn section_of(&mut self, heading: &str) -> &mut String {
        let known = self.sections.iter().position(|(other, _)| other == heading);
        let place = known.unwrap_or(self.sections.len());
        if known.is_none() {
            self.sections.push((heading.to_string(), String::new()));
        }
        &mut self.sections[place].1
    }

    /// Further keys of the last entry.
    pub fn and(mut self, keys: impl AsRef<str>) -> Mechanism {
        let keys = lines(keys.as_ref());
        let heading = self.last.clone();
        self.section_of(&heading).push_str(&keys);
        self
    }

    /// Sections as they stand in a file, or lines such as `points.a = [0.0, 0.0]`.
    pub fn add(self, text: impl AsRef<str>) -> Mechanism {
        self.lines_from("", text.as_ref())
    }

    /// Lines as they stand in a file: further keys of the last entry and the sections behind them.
    pub fn then(self, text: impl AsRef<str>) -> Mechanism {
        let heading = self.last.clone();
        self.lines_from(&heading, text.as_ref())
    }

    fn lines_from<'a>(mut self, mut heading: &'a str, text: &'a str) -> Mechanism {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(begun) => heading = begun,
                None => match line.split_once('.') {
                    Some((section, key)) if heading.is_empty() => {
                        self.section_of(section).push_str(&format!("{key}\n"));
                    }
                    _ => self.section_of(heading).push_str(&format!("{line}\n")),
                },
            }
        }
        self
    }

    /// Length of the internal steps, s.
    pub fn step(self, step: f64) -> Mechanism {
        self.solver(format!("step = {}", shown(step)))
    }

    pub fn solver(self, keys: impl AsRef<str>) -> Mechanism {
        self.entry("solver", keys)
    }

    /// Gravity along y, m/s².
    pub fn gravity(self, y: f64) -> Mechanism {
        self.entry("gravity", format!("y = {y:?}"))
    }

    /// Points with their initial positions, m.
    pub fn points(self, positions: impl AsRef<str>) -> Mechanism {
        self.entry("points", positions)
    }

    /// A material by Young's modulus, Pa, Poisson's ratio and density, kg/m³.
    pub fn material(self, name: &str, young: f64, poisson: f64, density: f64) -> Mechanism {
        let [young, density] = [young, density].map(shown);
        let keys =
            format!("young_modulus = {young}, poisson_ratio = {poisson:?}, density = {density}");
        self.entry(format!("materials.{name}"), keys)
    }

    pub fn steel(self) -> Mechanism {
        self.material("steel", 210e9, 0.3, 7850.0)
    }

    /// A rectangular section, m.
    pub fn rectangle(self, name: &str, height: f64, width: f64) -> Mechanism {
        self.section(name, format!("rectangle = {{ height = {height:?}, width = {width:?} }}"))
    }

    pub fn member(
        self, name: impl Display, ends: [impl Display; 2], keys: impl AsRef<str>,
    ) -> Mechanism {
        let [from, to] = ends;
        let keys = format!("from = '{from}', to = '{to}', {}", keys.as_ref());
        self.entry(format!("members.{name}"), keys)
    }

    /// A member of so many elements of an order, of a material and a section: `steel bar`.
    pub fn beam(
        self, name: impl Display, ends: [impl Display; 2], [elements, order]: [impl Display; 2],
        of: &str,
    ) -> Mechanism {
        let (material, section) = of.split_once(' ').expect("a material and a section");
        let mesh = format!("elements = {elements}, order = {order}");
        self.member(name, ends, format!("{mesh}, material = '{material}', section = '{section}'"))
    }

    /// A member that is fixed all along.
    pub fn guide(
        self, name: impl Display, ends: [impl Display; 2], keys: impl AsRef<str>,
    ) -> Mechanism {
        let support = format!("member = '{name}', fix = ['x', 'y', 'rotation']");
        self.support(&name, support).member(name, ends, keys)
    }

    /// A point that slides along a path, which has spaces between its members, and turns; further keys of its cylindrical joint.
    pub fn slider(
        self, joint: impl Display, point: impl Display, path: &str, keys: impl AsRef<str>,
    ) -> Mechanism {
        let path = list(path);
        let and = if keys.as_ref().is_empty() { "" } else { ", " };
        let keys = format!("slider = '{point}', path = {path:?}{and}{}", keys.as_ref());
        self.joint(joint, format!("cylindrical = {{ {keys} }}"))
    }

    /// A body's mesh in a quadrilateral: how many cells along the first and the second of its edges, and these against the clock as
    /// `name: point where it begins`.
    pub fn patch(self, body: impl Display, cells: [usize; 2], edges: impl AsRef<str>) -> Mechanism {
        let edges: Vec<_> = edges.as_ref().split(", ").filter_map(|e| e.split_once(": ")).collect();
        let edge = |i: usize| {
            let ((name, from), (_, to)) = (edges[i], edges[(i + 1) % 4]);
            format!("{{ name = '{name}', from = '{from}', to = '{to}' }}")
        };
        let edges = [0, 1, 2, 3].map(edge).join(", ");
        let keys = format!("patch = {{ cells = {cells:?}, edges = [{edges}] }}");
        self.entry(format!("bodies.{body}"), keys)
    }

    /// A point mass, kg, at the point of its name.
    pub fn mass(self, point: impl Display, mass: f64) -> Mechanism {
        let keys = format!("point = '{point}', mass = {mass:?}");
        self.entry(format!("masses.{point}"), keys)
    }

    /// A mass, kg, that turns with the point of its name, with its moment of inertia, kg m².
    pub fn wheel(self, point: impl Display, mass: f64, inertia: f64) -> Mechanism {
        let keys = format!("point = '{point}', mass = {mass:?}, rotary_inertia = {inertia:?}");
        self.entry(format!("masses.{point}"), keys)
    }

    /// A point that neither moves nor turns.
    pub fn clamp(self, point: impl Display) -> Mechanism {
        let keys = format!("point = '{point}', fix = ['x', 'y', 'rotation']");
        self.support(point, keys)
    }

    /// A point that turns and does not move.
    pub fn pin(self, point: impl Display) -> Mechanism {
        let keys = format!("point = '{point}', fix = ['x', 'y']");
        self.support(point, keys)
    }

    /// A point that moves along x and turns.
    pub fn roller(self, point: impl Display) -> Mechanism {
        let keys = format!("point = '{point}', fix = ['y']");
        self.support(point, keys)
    }

    /// Velocities of a point at the start.
    pub fn start(self, point: impl Display, keys: impl AsRef<str>) -> Mechanism {
        self.entry(format!("initial.points.{point}"), keys)
    }

    /// Inputs, with spaces between them.
    pub fn inputs(self, paths: &str) -> Mechanism {
        self.entry("interface", format!("inputs = {:?}", list(paths)))
    }

    /// Outputs, with spaces between them.
    pub fn outputs(self, paths: &str) -> Mechanism {
        self.entry("interface", format!("outputs = {:?}", list(paths)))
    }

    entries! {
        section in "sections";
        support in "supports";
        body in "bodies";
        joint in "joints";
        contact in "contacts";
        spring in "springs";
        coupling in "couplings";
        load in "loads";
        motion in "motions";
        probe in "probes";
    }
}

/// A number as one writes it: 7850.0, 0.01, 1e-3, 2.1e11.
fn shown(x: f64) -> String {
    let [plain, short] = [format!("{x:?}"), format!("{x:e}")];
    let longest = if x.abs() < 1.0 { short.len() } else { 8 };
    if plain.len() <= longest { plain } else { short }
}

fn list(paths: &str) -> Vec<&str> {
    paths.split_whitespace().collect()
}

/// Keys one a line, which stand between commas or on lines of their own.
fn lines(keys: &str) -> String {
    let mut depth = 0;
    let separates = |c: char| {
        depth += i32::from("[{".contains(c)) - i32::from("]}".contains(c));
        c == '\n' || c == ',' && depth == 0
    };
    let keys = keys.split(separates).map(str::trim).filter(|key| !key.is_empty());
    let line = |key: &str| {
        assert!(!key.starts_with('['), "no keys but sections: {key}");
        key.replace('\'', "\"") + "\n"
    };
    keys.map(line).collect()
}
