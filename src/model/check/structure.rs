//! Header, points, members, masses and supports.

use super::{Checker, bodies, wording};
use crate::checked::{
    About, Analysis, Checked, Direction, Experiment, Mass, Method, Point, Solver, Support, Target,
};
use crate::model::de::Name;
use crate::model::file;

/// Where a support or motion acts, as written.
pub(super) struct Place<'a> {
    pub point: Option<&'a Name>,
    pub member: Option<&'a Name>,
    pub edge: Option<&'a Name>,
}

/// Tolerances of Newton's method as a share of `solver.tolerance`: what is left of a solution is then small beside the error of a step,
/// in forces, too.
const SOLVED: f64 = 1e-3;

/// Name, experiment and solver.
pub(super) fn header(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    match &file.name {
        Some(name) => {
            check.identifier(name, "model");
            model.name = name.value.clone();
        }
        None if file.unreadable.contains("name") => {}
        None => {
            let message = "the model needs a `name`, like name = \"beam\"";
            check.report_whole(message.to_string());
        }
    }
    let texts = [&file.description, &file.author, &file.version];
    let texts = texts.into_iter().chain([&file.copyright, &file.license]);
    for text in texts.flatten() {
        visible(check, text);
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
        stop_time: check.usual(given.stop_time.as_ref(), path("stop_time")),
        communication_step: check
            .usual(given.communication_step.as_ref(), path("communication_step")),
        extrapolation_order: check
            .usual_whole(given.extrapolation_order.as_ref(), path("extrapolation_order"))
            as u8,
    };
    let solver = file.solver.clone().unwrap_or_default();
    model.solver = solver.check(check, model.experiment.communication_step);
}

impl file::Solver {
    fn check(&self, check: &mut Checker<'_>, longest: f64) -> Solver {
        let number = |key: &str| format!("solver.{key}");
        let tolerance = self.step_tolerance(check);
        let solved = tolerance.map_or(0.0, |error| SOLVED * error);
        Solver {
            analysis: match self.analysis {
                file::Analysis::Dynamic => Analysis::Dynamic,
                file::Analysis::QuasiStatic => Analysis::QuasiStatic,
            },
            method: match self.method {
                file::Method::GeneralizedAlpha => Method::GeneralizedAlpha,
                file::Method::Index3GeneralizedAlpha => Method::Index3GeneralizedAlpha,
                file::Method::Newmark => Method::Newmark,
            },
            step: check.number_or(self.step.as_ref(), number("step"), longest),
            step_is_given: self.step.is_some() || check.patches.contains_key("solver.step"),
            tolerance,
            spectral_radius: check.usual(self.spectral_radius.as_ref(), number("spectral_radius")),
            max_iterations: check.count_or(
                self.max_iterations.as_ref(),
                number("max_iterations"),
                25,
            ),
            position_tolerance: check.number_or(
                self.position_tolerance.as_ref(),
                number("position_tolerance"),
                solved.max(1e-10),
            ),
            force_tolerance: check.number_or(
                self.force_tolerance.as_ref(),
                number("force_tolerance"),
                solved.max(1e-8),
            ),
            max_halvings: check.count_or(self.max_halvings.as_ref(), number("max_halvings"), 10)
                as u32,
            energy_tolerance: (self.energy_tolerance.as_ref()).map(|share| check.number(share)),
        }
    }

    /// The error of a step from which the length of steps follows, where the file gives one.
    fn step_tolerance(&self, check: &mut Checker<'_>) -> Option<f64> {
        let tolerance = self.tolerance.as_ref()?;
        Some(check.number(tolerance))
    }
}

impl Place<'_> {
    /// What a support or motion acts on.
    pub(super) fn target(&self, check: &mut Checker<'_>, model: &Checked) -> Option<Target> {
        match (self.point, self.member, self.edge) {
            (Some(point), member, None) => {
                let (point, member) = (check.point(point), check.optional_member(member));
                Some(Target::Point { point: point?, member: member? })
            }
            (None, Some(member), None) => check.member(member).map(|id| model.target_of(id)),
            (None, None, Some(edge)) => {
                let instead = "name one of its points";
                check.elastic_edge(model, edge, instead).map(Target::Edge)
            }
            _ => None,
        }
    }
}

impl Checker<'_> {
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

/// Refuses in a text what XML cannot hold and no page can show.
fn visible(check: &mut Checker<'_>, text: &Name) {
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let odd = |c: &char| odd(*c) || matches!(c, '\u{fffe}' | '\u{ffff}');
    if let Some(odd) = text.value.chars().find(odd) {
        let message = format!(
            "{} holds the character {}; allowed: letters, signs, line breaks and tabs",
            text.path,
            odd.escape_default()
        );
        check.report(text, message);
    }
}

/// Points, members with their properties, hinges' members, masses and supports.
pub(super) fn structure(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for entry in &file.points {
        check.identifier(&entry.name, "point");
        let position = match &entry.value {
            Some([x, y]) => [check.number(x), check.number(y)],
            None => [0.0; 2],
        };
        model.points.push(Point { name: entry.name.value.clone(), position });
    }
    // A mesh file or a drawing has points of its own, or edges suffice.
    let has_mesh = |body: &file::Body| body.mesh.is_some() || body.drawing.is_some();
    let mut bodies = file.bodies.iter();
    let meshed = bodies.any(|body| body.value.as_ref().is_none_or(has_mesh));
    if file.points.is_empty() && !meshed && !file.unreadable.contains("points") {
        let message =
            "the model has no points; write [points] and below it lines like tip = [1.0, 0.0] (m)";
        check.report_whole(message.to_string());
    }
    let materials: Vec<_> = file
        .materials
        .iter()
        .map(|e| {
            check.identifier(&e.name, "material");
            e.value.as_ref().map(|m| m.check(check, &e.name))
        })
        .collect();
    let sections: Vec<_> = file
        .sections
        .iter()
        .map(|e| {
            check.identifier(&e.name, "section");
            e.value.as_ref().map(|s| s.check(check, &e.name))
        })
        .collect();
    // Members may follow edges of bodies.
    bodies::bodies(check, model, &materials);
    for entry in &file.members {
        check.identifier(&entry.name, "member");
        let member = (entry.value.as_ref())
            .and_then(|given| given.check(check, model, &entry.name, &materials, &sections));
        check.members.push(member.is_some().then_some(model.members.len()));
        if let Some(mut member) = member {
            let given = entry.value.as_ref().filter(|given| given.rigid);
            if let Some(given) = given {
                given.make_rigid(check, model, &mut member);
            }
            model.members.push(member);
        }
    }
}

/// Masses and supports; needs the hinges.
pub(super) fn masses_and_supports(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for (name, given) in check.entries(&file.masses, "mass") {
        let point = check.point(&given.point);
        let value = check.number(&given.mass);
        let rotary_inertia = check.usual(given.rotary_inertia.as_ref(), name.key("rotary_inertia"));
        let member = check.optional_member(given.member.as_ref());
        if let (Some(point), Some(member)) = (point, member) {
            model.masses.push(Mass {
                name: name.value.clone(),
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
            let path = entry.name.key("rotary_inertia");
            check.one_rotation(model, mass.point, mass.member, &entry.name, &path);
        }
    }
    for (name, given) in check.entries(&file.supports, "support") {
        let place = Place {
            point: given.point.as_ref(),
            member: given.member.as_ref(),
            edge: given.edge.as_ref(),
        };
        let Some(target) = place.target(check, model) else {
            continue;
        };
        if given.fix.is_empty() {
            let message = format!("{}.fix is empty; allowed: x, y, rotation", name.path);
            check.report_entry(name, message);
        }
        let mut fixed = given.fix.clone();
        fixed.sort();
        if let Some(twice) = fixed.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!(
                "{}.fix has \"{}\" twice; allowed: each of x, y, rotation once",
                name.path,
                ["x", "y", "rotation"][twice[0] as usize]
            );
            check.report_entry(name, message);
        }
        fixed.dedup();
        for &d in &fixed {
            check.turns(model, target, d, name, &name.path);
        }
        model.supports.push(Support { name: name.value.clone(), target, fixed });
    }
}
