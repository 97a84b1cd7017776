//! Header, points, members, masses and supports.

use std::f64::consts::PI;

use super::{Checker, wording};
use crate::checked::{
    About, Analysis, Checked, Direction, Experiment, Mass, Method, Point, SectionShape, Solver,
    Support, Target,
};
use crate::message::figure;
use crate::model::de::{Located, Name};
use crate::model::file::{self, Section};

/// Where a support or motion acts, as written.
pub(super) struct Place<'a> {
    pub point: Option<&'a Name>,
    pub member: Option<&'a Name>,
    pub edge: Option<&'a Name>,
}

/// Tolerances of Newton's method as a share of `solver.tolerance`: what is left of a solution is then small beside the error of a step,
/// in forces, too.
const SOLVED: f64 = 1e-3;

impl Checker<'_> {
    /// Name, experiment and solver.
    pub(super) fn header(&mut self, model: &mut Checked) {
        let file = self.file;
        match &file.name {
            Some(name) => {
                self.identifier(name, "model");
                model.name = name.value.clone();
            }
            None if file.unreadable.contains("name") => {}
            None => {
                let message = "the model needs a `name`, like name = \"beam\"";
                self.report_whole(message.to_string());
            }
        }
        let texts = [&file.description, &file.author, &file.version];
        let texts = texts.into_iter().chain([&file.copyright, &file.license]);
        for text in texts.flatten() {
            self.visible(text);
        }
        model.description = file.description.as_ref().map_or(String::new(), |d| d.value.clone());
        model.about = About {
            author: wording::text(file.author.as_ref()),
            version: wording::text(file.version.as_ref()),
            copyright: wording::text(file.copyright.as_ref()),
            license: wording::text(file.license.as_ref()),
        };
        let given = file.experiment.clone().unwrap_or_default();
        let path = |key: &str| format!("experiment.{key}");
        model.experiment = Experiment {
            stop_time: self.usual(given.stop_time.as_ref(), path("stop_time")),
            communication_step: self
                .usual(given.communication_step.as_ref(), path("communication_step")),
            extrapolation_order: self
                .usual_whole(given.extrapolation_order.as_ref(), path("extrapolation_order"))
                as u8,
        };
        let solver = file.solver.clone().unwrap_or_default();
        model.solver = self.solver(&solver, model.experiment.communication_step);
    }

    /// Refuses in a text what XML cannot hold and no page can show.
    fn visible(&mut self, text: &Name) {
        let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        let odd = |c: &char| odd(*c) || matches!(c, '\u{fffe}' | '\u{ffff}');
        if let Some(odd) = text.value.chars().find(odd) {
            let message = format!(
                "{} holds the character {}; allowed: letters, signs, line breaks and tabs",
                text.path,
                odd.escape_default()
            );
            self.report(text, message);
        }
    }

    fn solver(&mut self, given: &file::Solver, longest: f64) -> Solver {
        let number = |key: &str| format!("solver.{key}");
        let tolerance = self.step_tolerance(given);
        let solved = tolerance.map_or(0.0, |error| SOLVED * error);
        Solver {
            analysis: match given.analysis {
                file::Analysis::Dynamic => Analysis::Dynamic,
                file::Analysis::QuasiStatic => Analysis::QuasiStatic,
            },
            method: match given.method {
                file::Method::GeneralizedAlpha => Method::GeneralizedAlpha,
                file::Method::Index3GeneralizedAlpha => Method::Index3GeneralizedAlpha,
                file::Method::Newmark => Method::Newmark,
            },
            step: self.number_or(given.step.as_ref(), number("step"), longest),
            step_is_given: given.step.is_some() || self.patches.contains_key("solver.step"),
            tolerance,
            spectral_radius: self.usual(given.spectral_radius.as_ref(), number("spectral_radius")),
            max_iterations: self.count_or(
                given.max_iterations.as_ref(),
                number("max_iterations"),
                25,
            ),
            position_tolerance: self.number_or(
                given.position_tolerance.as_ref(),
                number("position_tolerance"),
                solved.max(1e-10),
            ),
            force_tolerance: self.number_or(
                given.force_tolerance.as_ref(),
                number("force_tolerance"),
                solved.max(1e-8),
            ),
            max_halvings: self.count_or(given.max_halvings.as_ref(), number("max_halvings"), 10)
                as u32,
            energy_tolerance: (given.energy_tolerance.as_ref()).map(|share| self.number(share)),
        }
    }

    /// The error of a step from which the length of steps follows, where the file gives one.
    fn step_tolerance(&mut self, given: &file::Solver) -> Option<f64> {
        let tolerance = given.tolerance.as_ref()?;
        Some(self.number(tolerance))
    }

    /// Points, members with their properties, hinges' members, masses and supports.
    pub(super) fn structure(&mut self, model: &mut Checked) {
        let file = self.file;
        for entry in &file.points {
            self.identifier(&entry.name, "point");
            let position = match &entry.value {
                Some([x, y]) => [self.number(x), self.number(y)],
                None => [0.0; 2],
            };
            model.points.push(Point { name: entry.name.value.clone(), position });
        }
        // A mesh file or a drawing has points of its own, or edges suffice.
        let has_mesh = |body: &file::Body| body.mesh.is_some() || body.drawing.is_some();
        let mut bodies = file.bodies.iter();
        let meshed = bodies.any(|body| body.value.as_ref().is_none_or(has_mesh));
        if file.points.is_empty() && !meshed && !file.unreadable.contains("points") {
            let message = "the model has no points; write [points] and below it lines like tip = [1.0, 0.0] (m)";
            self.report_whole(message.to_string());
        }
        let materials: Vec<_> = file
            .materials
            .iter()
            .map(|e| {
                self.identifier(&e.name, "material");
                e.value.as_ref().map(|m| self.material(m, &e.name))
            })
            .collect();
        let sections: Vec<_> = file
            .sections
            .iter()
            .map(|e| {
                self.identifier(&e.name, "section");
                e.value.as_ref().map(|s| self.section(s, &e.name))
            })
            .collect();
        // Members may follow edges of bodies.
        self.bodies(model, &materials);
        for entry in &file.members {
            self.identifier(&entry.name, "member");
            let member = (entry.value.as_ref()).and_then(|given| {
                self.one_member(model, &entry.name, given, &materials, &sections)
            });
            self.members.push(member.is_some().then_some(model.members.len()));
            if let Some(mut member) = member {
                let given = entry.value.as_ref().filter(|given| given.rigid);
                if let Some(given) = given {
                    self.make_rigid(model, &mut member, given);
                }
                model.members.push(member);
            }
        }
    }

    /// Shape, and (A, I, J₄).
    fn section(&mut self, given: &Section, name: &Name) -> (SectionShape, [f64; 3]) {
        match given {
            Section::Rectangle { height, width } => {
                let h = self.number(height);
                let b = self.number(width);
                let moments = [b * h, b * h.powi(3) / 12.0, b * h.powi(5) / 80.0];
                (SectionShape::Rectangle, moments)
            }
            Section::Circle { diameter } => {
                let d = self.number(diameter);
                (SectionShape::Ring, ring(d / 2.0, 0.0))
            }
            Section::Tube { outer_diameter, thickness } => {
                let d = self.number(outer_diameter);
                let t = self.number(thickness);
                if t > d / 2.0 && self.are_known([outer_diameter, thickness]) {
                    let message = format!(
                        "{} is {} m; allowed: at most half of the outer diameter, {} m",
                        thickness.path,
                        figure(t),
                        figure(d / 2.0)
                    );
                    self.report(thickness, message);
                }
                (SectionShape::Ring, ring(d / 2.0, d / 2.0 - t))
            }
            Section::Properties { area, second_moment, fourth_moment } => {
                let a = self.number(area);
                let i = self.number(second_moment);
                let least = i * i / a;
                let j = self.number_or(
                    fourth_moment.as_ref(),
                    format!("{}.properties.fourth_moment", name.path),
                    1.8 * least,
                );
                let given = [Some(area), Some(second_moment), fourth_moment.as_ref()];
                if j < least && self.are_known(given.into_iter().flatten()) {
                    let span = fourth_moment.as_ref().map_or(0..0, |s| s.span.clone());
                    let path = format!("{}.properties.fourth_moment", name.path);
                    let message = format!(
                        "{path} is {} m6; allowed: at least I²/A = {} m6",
                        figure(j),
                        figure(least)
                    );
                    self.report(&Located::at(path, span), message);
                }
                (SectionShape::Moments, [a, i, j])
            }
        }
    }

    /// Masses and supports; needs the hinges.
    pub(super) fn masses_and_supports(&mut self, model: &mut Checked) {
        let file = self.file;
        for entry in &file.masses {
            self.identifier(&entry.name, "mass");
            let Some(given) = &entry.value else { continue };
            let point = self.point(&given.point);
            let value = self.number(&given.mass);
            let rotary_inertia = self.usual(
                given.rotary_inertia.as_ref(),
                format!("{}.rotary_inertia", entry.name.path),
            );
            let member = self.optional_member(given.member.as_ref());
            if let (Some(point), Some(member)) = (point, member) {
                model.masses.push(Mass {
                    name: entry.name.value.clone(),
                    point,
                    mass: value,
                    rotary_inertia,
                    member,
                });
            }
        }
        for mass in model.masses.clone() {
            let entry = file.masses.iter().find(|e| e.name.value == mass.name);
            if let Some(entry) = entry.filter(|_| mass.rotary_inertia > 0.0) {
                let path = format!("{}.rotary_inertia", entry.name.path);
                self.one_rotation(model, mass.point, mass.member, &entry.name, &path);
            }
        }
        for entry in &file.supports {
            self.identifier(&entry.name, "support");
            let Some(given) = &entry.value else { continue };
            let place = Place {
                point: given.point.as_ref(),
                member: given.member.as_ref(),
                edge: given.edge.as_ref(),
            };
            let Some(target) = self.target(model, &place) else {
                continue;
            };
            if given.fix.is_empty() {
                let message = format!("{}.fix is empty; allowed: x, y, rotation", entry.name.path);
                self.report_entry(&entry.name, message);
            }
            let mut fixed = given.fix.clone();
            fixed.sort();
            if let Some(twice) = fixed.windows(2).find(|pair| pair[0] == pair[1]) {
                let message = format!(
                    "{}.fix has \"{}\" twice; allowed: each of x, y, rotation once",
                    entry.name.path,
                    ["x", "y", "rotation"][twice[0] as usize]
                );
                self.report_entry(&entry.name, message);
            }
            fixed.dedup();
            for &d in &fixed {
                self.turns(model, target, d, &entry.name, &entry.name.path);
            }
            model.supports.push(Support { name: entry.name.value.clone(), target, fixed });
        }
    }

    /// What a support or motion acts on.
    pub(super) fn target(&mut self, model: &Checked, place: &Place<'_>) -> Option<Target> {
        match (place.point, place.member, place.edge) {
            (Some(point), member, None) => {
                let (point, member) = (self.point(point), self.optional_member(member));
                Some(Target::Point { point: point?, member: member? })
            }
            (None, Some(member), None) => self.member(member).map(|id| model.target_of(id)),
            (None, None, Some(edge)) => {
                let instead = "name one of its points";
                self.elastic_edge(model, edge, instead).map(Target::Edge)
            }
            _ => None,
        }
    }

    /// Checks that a rotation that is acted on is one.
    pub(super) fn turns(
        &mut self, model: &Checked, target: Target, direction: Direction, at: &Name, path: &str,
    ) {
        if direction != Direction::Rotation {
            return;
        }
        match target {
            Target::Point { point, member } => self.one_rotation(model, point, member, at, path),
            Target::Member(_) => {}
            Target::Body(body) if model.is_rigid(body) => {}
            Target::Body(_) | Target::Edge(_) => {
                let message = format!(
                    "{path}: the nodes of a body have no rotation; allowed along an edge: x, y"
                );
                self.report_entry(at, message);
            }
        }
    }
}

/// A, I, J₄ of a circular ring.
fn ring(outer: f64, inner: f64) -> [f64; 3] {
    [
        PI * (outer.powi(2) - inner.powi(2)),
        PI * (outer.powi(4) - inner.powi(4)) / 4.0,
        PI * (outer.powi(6) - inner.powi(6)) / 8.0,
    ]
}
