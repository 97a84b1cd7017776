//! Structural damping: which members and bodies, and by which coefficients.

use std::f64::consts::TAU;

use super::Checker;
use crate::checked::{Axes, Checked, Damping, DampingLaw, MemberId, Part};
use crate::laws::rayleigh::Rayleigh;
use crate::message::figure;
use crate::model::de::{Name, Scalar};
use crate::model::file::{self};

pub(super) fn damping(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    let mut damped: Vec<(Part, &Name)> = Vec::new();
    for (entry, given) in check.entries(&file.damping, "damping") {
        let parts = given.parts(check, model, entry);
        for (part, name) in &parts {
            match damped.iter().find(|(other, _)| other == part) {
                Some((_, first)) => {
                    let message = format!(
                        "{}: {} is damped by {} already; name each once",
                        name.path,
                        part.quoted(model),
                        first.path
                    );
                    check.report_entry(name, message);
                }
                None => damped.push((*part, entry)),
            }
        }
        if let Some(law) = given.law(check, entry) {
            model.damping.push(Damping {
                name: entry.value.clone(),
                parts: parts.into_iter().map(|(part, _)| part).collect(),
                law,
                axes: match given.axes {
                    file::Axes::Turning => Axes::Turning,
                    file::Axes::Initial => Axes::Initial,
                },
            });
        }
    }
}

impl file::Damping {
    /// The members and bodies of an entry, each with the place that names it; all that are flexible where
    /// it names none.
    fn parts<'n>(
        &'n self, check: &mut Checker<'_>, model: &Checked, name: &'n Name,
    ) -> Vec<(Part, &'n Name)> {
        let file = check.file;
        let flexible = |id: &MemberId| {
            let name = &model.members[*id].name;
            let written = file.members.iter().find(|e| e.name.value == *name);
            let written = written.and_then(|e| e.value.as_ref());
            let made =
                |member: &file::Member| member.material.is_some() || member.section.is_some();
            written.is_some_and(|member| made(member) && !member.rigid)
        };
        if self.members.is_none() && self.bodies.is_none() {
            let members = (0..model.members.len()).filter(flexible).map(Part::Member);
            let elastic = (0..model.bodies.len()).filter(|&id| !model.is_rigid(id));
            let all = members.chain(elastic.map(Part::Body));
            let all: Vec<_> = all.map(|part| (part, name)).collect();
            if all.is_empty() && check.unread.is_empty() && check.known.topology {
                let message = format!(
                    "{}: the model has no flexible member and no elastic body to damp; give one a material, or leave this out",
                    name.path
                );
                check.report_entry(name, message);
            }
            return all;
        }
        for (key, names) in [("members", &self.members), ("bodies", &self.bodies)] {
            if names.as_ref().is_some_and(Vec::is_empty) {
                let message = format!(
                    "{}.{key} is empty; name the {key} that are damped, or leave it out for all",
                    name.path
                );
                check.report_entry(name, message);
            }
        }
        let mut found = Vec::new();
        for body in self.bodies.iter().flatten() {
            let Some(id) = check.body_named(body) else {
                continue;
            };
            if model.is_rigid(id) {
                let message = format!(
                    "{}: body `{}` is rigid, nothing in it is strained; leave it out",
                    body.path, body.value
                );
                check.report(body, message);
            }
            found.push((Part::Body(id), body));
        }
        for member in self.members.iter().flatten() {
            let Some(id) = check.member(member) else {
                continue;
            };
            if !flexible(&id) && !check.is_unread(&format!("members.{}", member.value)) {
                let why = match model.members[id].rigid {
                    Some(_) => "is rigid",
                    None => "has no material and section",
                };
                let message = format!(
                    "{}: member `{}` {why}, nothing in it is strained; leave it out",
                    member.path, member.value
                );
                check.report(member, message);
            }
            found.push((Part::Member(id), member));
        }
        found
    }

    fn law(&self, check: &mut Checker<'_>, name: &Name) -> Option<DampingLaw> {
        let coefficients = [&self.mass_coefficient, &self.stiffness_coefficient];
        let direct = coefficients.iter().any(|c| c.is_some());
        match (direct, &self.ratios, &self.frequencies, &self.modes) {
            (true, None, None, None) => {
                let mut number = |scalar: &Option<Scalar>, key: &str| {
                    let path = format!("{}.{key}", name.path);
                    check.usual(scalar.as_ref(), path)
                };
                Some(DampingLaw::Coefficients(Rayleigh {
                    mass: number(coefficients[0], "mass_coefficient"),
                    stiffness: number(coefficients[1], "stiffness_coefficient"),
                }))
            }
            (false, Some(ratios), Some(frequencies), None) => {
                let [a, b] = frequencies;
                let hertz = [a, b].map(|f| check.number(f));
                let shares = damping_ratios(check, ratios);
                if !check.are_known(frequencies) || !check.are_known(ratios) {
                    return None;
                }
                if hertz[0] == hertz[1] {
                    let message = format!(
                        "{}.frequencies are both {} Hz; give two that differ",
                        name.path,
                        figure(hertz[0])
                    );
                    return check.refuse(a, message);
                }
                match Rayleigh::through(shares, hertz.map(|f| TAU * f)) {
                    Ok(law) => Some(DampingLaw::Coefficients(law)),
                    Err(apart) => {
                        let message = format!("{}: {apart}", name.path);
                        check.refuse(a, message)
                    }
                }
            }
            (false, Some(ratios), None, Some([a, b])) => {
                let modes = [a, b].map(|mode| check.count(mode));
                let ratios = damping_ratios(check, ratios);
                if modes[0] == modes[1] && !check.reader.is_faulty(&name.path) {
                    let message =
                        format!("{}.modes are both {}; give two that differ", name.path, modes[0]);
                    check.report(a, message);
                }
                Some(DampingLaw::Modes { ratios, modes })
            }
            // What is missing or too much is found among the relations of the keys.
            _ => None,
        }
    }
}

fn damping_ratios(check: &mut Checker<'_>, [a, b]: &[Scalar; 2]) -> [f64; 2] {
    [a, b].map(|ratio| check.number(ratio))
}
