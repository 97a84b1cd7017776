//! What is free, in the words of the model file.

use super::mobility::RigidMotions;
use super::redundant::Redundancy;
use super::{Group, System};
use crate::checked::Checked;
use crate::linear::FreeMotion;
use crate::message::rounded;
use crate::numerics::hypot::hypot;

/// Bytes that a started simulation holds for each equation, for each entry of the matrix and for each entry of its factors: vectors of states,
/// the matrix with the mass and where its entries go, and numbers.
const BYTES: [f64; 3] = [1060.0, 65.0, 8.0];

impl System {
    /// Memory that a simulation takes, bytes, by what simulations of members and bodies were seen to take.
    pub fn memory(&self) -> f64 {
        let counts = [self.equations(), self.layout.len(), self.factors];
        let each = counts.into_iter().zip(BYTES);
        each.map(|(count, bytes)| count as f64 * bytes).sum()
    }

    /// An unknown or sliding coordinate in the words of the model file.
    pub(crate) fn name_of(&self, unknown: usize) -> String {
        let slider = (self.sliders.iter()).position(|slider| slider.coordinate == unknown);
        match slider {
            Some(j) => format!("s of {}", self.model.path_of_slider(j)),
            None => self.model.name_of_unknown(unknown, &self.nodes),
        }
    }
}

/// What is free in a singular system of equations.
#[derive(Clone, Copy)]
pub(crate) struct SingularMotion<'a> {
    system: &'a System,
    motion: &'a FreeMotion,
}

impl<'a> SingularMotion<'a> {
    pub fn of(system: &'a System, motion: &'a FreeMotion) -> SingularMotion<'a> {
        SingularMotion { system, motion }
    }

    fn redundancy(&self) -> Redundancy<'a> {
        Redundancy::of(self.system, &self.motion.border)
    }

    /// Unknowns that move most in it, at most three and dots; none where only
    /// multipliers are free.
    pub fn moving(&self) -> Vec<String> {
        let SingularMotion { system, motion } = *self;
        let mut moving: Vec<(f64, usize)> = motion
            .interior
            .iter()
            .enumerate()
            .map(|(e, v)| (v.abs(), system.unknown[e]))
            .filter(|(size, _)| *size > 0.3)
            .collect();
        moving.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let shown = moving.iter().take(3);
        let mut parts: Vec<String> =
            shown.map(|&(_, u)| system.model.name_of_unknown(u, &system.nodes)).collect();
        if moving.len() > 3 {
            parts.push("…".to_string());
        }
        parts
    }

    /// What is free, in words.
    pub fn describe(&self) -> String {
        if self.is_redundant() {
            return self.redundancy().describe();
        }
        let parts = self.moving();
        format!(
            "it has a rigid-body mode: {} can move without resistance; constrain it by a support, a joint or a spring or, in a dynamic \
             analysis, give it a mass in [masses]",
            parts.join(", ")
        )
    }

    /// Whether the multipliers of joints are free, and nothing else.
    pub fn is_redundant(&self) -> bool {
        self.moving().is_empty() || self.redundancy().is_balanced()
    }
}

impl Group {
    /// Which `element` is shorter than any of its kind could be, and by what, in words.
    pub fn describe_crushed(&self, model: &Checked, element: usize) -> String {
        let Group { owner, elements } = self;
        let owner = owner.name(model);
        format!("element {} of {owner} {}", element + 1, elements.crushed())
    }
}

impl RigidMotions<'_> {
    /// "member `arm` rotates about point `pivot`", body by body.
    pub fn describe(&self, motion: &[f64]) -> String {
        let largest = motion.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let moves: Vec<String> = (0..self.bodies.list.len())
            .filter(|&b| (0..3).any(|i| motion[3 * b + i].abs() > 1e-3 * largest))
            .map(|b| self.describe_body(b, &motion[3 * b..3 * b + 3], largest))
            .collect();
        let slides = motion[3 * self.bodies.list.len()..].iter().enumerate();
        let slides = slides.filter(|(_, way)| way.abs() > 1e-3 * largest);
        let slides = slides
            .map(|(j, _)| format!("the slider of {} slides", self.system.model.path_of_slider(j)));
        let moves: Vec<String> = if moves.is_empty() { slides.collect() } else { moves };
        let more = if moves.len() > 3 { " and more" } else { "" };
        format!("{}{more}", moves[..moves.len().min(3)].join(", "))
    }

    /// Members and bodies that turn in a motion.
    pub fn moving(&self, motion: &[f64]) -> Vec<String> {
        let turns = |body: usize| motion[3 * body + 2].abs();
        let bodies = 0..self.bodies.list.len();
        let largest = bodies.clone().map(turns).fold(0.0, f64::max);
        let mut names: Vec<String> = Vec::new();
        for body in bodies.filter(|body| turns(*body) > 0.1 * largest) {
            let owner = self.bodies.list[body].owners.first();
            let name = owner.map(|owner| owner.name(&self.system.model));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names.truncate(3);
        names
    }

    /// A support of one point that takes away the motion of the first body that moves, as the model file has it.
    pub fn support_against(&self, motion: &[f64]) -> Option<String> {
        let model = &self.system.model;
        let largest = motion.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        let own = |b: usize| &motion[3 * b..3 * b + 3];
        let mut bodies = 0..self.bodies.list.len();
        let body = bodies.find(|&b| own(b).iter().any(|v| v.abs() > 1e-3 * largest))?;
        let (described, [x, y, turn]) = (&self.bodies.list[body], [0, 1, 2].map(|i| own(body)[i]));
        let rotates = turn.abs() > 1e-6 * largest;
        if rotates && described.rotations.is_empty() {
            return None;
        }
        let fix = match rotates {
            true => "rotation",
            false if x.abs() >= y.abs() => "x",
            false => "y",
        };
        let mut points = 0..model.points.len();
        let point = points.find(|&p| {
            let [place, _] = self.system.nodes.of_place(p);
            let there = described.positions.iter().any(|[x, _]| *x == place);
            there && !model.points[p].is_nameless()
        })?;
        let point = &model.points[point].name;
        Some(format!("for example by a support with point = \"{point}\" and fix = [\"{fix}\"]"))
    }

    fn describe_body(&self, body: usize, motion: &[f64], largest: f64) -> String {
        let model = &self.system.model;
        let described = &self.bodies.list[body];
        let who = match &described.owners[..] {
            [one] => one.name(model),
            several => {
                let names: Vec<String> =
                    (several.iter().take(3).map(|owner| owner.name(model))).collect();
                let more = match several.len().saturating_sub(3) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("the body of {}{more}", names.join(", "))
            }
        };
        let small = 1e-6 * largest;
        let [x, y, turn] = [motion[0], motion[1], motion[2]];
        if turn.abs() <= small {
            let along = match (x.abs() > small, y.abs() > small) {
                (true, false) => "along x".to_string(),
                (false, true) => "along y".to_string(),
                _ => {
                    let along = [x, y].map(|part| rounded(part / hypot(x, y), 3));
                    format!("along ({}, {})", along[0], along[1])
                }
            };
            return format!("{who} translates {along}");
        }
        if described.positions.len() == 1 {
            return format!("{who} rotates");
        }
        let size = self.system.size;
        let origin = described.origin;
        let centre = [origin[0] - y * size / turn, origin[1] + x * size / turn];
        let near = (0..model.points.len()).find(|&p| {
            let at = model.points[p].position;
            hypot(at[0] - centre[0], at[1] - centre[1]) <= 1e-6 * size
        });
        match near {
            Some(point) => format!("{who} rotates about point `{}`", model.points[point].name),
            None => {
                // Rounding of a coordinate that is 0 has no size of its own.
                let places =
                    centre.map(|c| rounded(if c.abs() < 1e-6 * size { 0.0 } else { c }, 5));
                format!("{who} rotates about ({}, {}) m", places[0], places[1])
            }
        }
    }
}
