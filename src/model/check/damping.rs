//! Structural damping: which members and bodies, and by which coefficients.

use std::f64::consts::TAU;

use super::Checker;
use crate::checked::{Axes, Checked, Damping, DampingLaw, MemberId, Part};
use crate::laws::rayleigh::Rayleigh;
use crate::message::figure;
use crate::model::de::{Name, Scalar};
use crate::model::file::{self};

impl Checker<'_> {
    pub(super) fn damping(&mut self, model: &mut Checked) {
        let file = self.file;
        let mut damped: Vec<(Part, &Name)> = Vec::new();
        for entry in &file.damping {
            self.identifier(&entry.name, "damping");
            let Some(given) = &entry.value else { continue };
            let parts = self.damped_parts(model, &entry.name, given);
            for (part, name) in &parts {
                match damped.iter().find(|(other, _)| other == part) {
                    Some((_, first)) => {
                        let message = format!(
                            "{}: {} is damped by {} already; name each once",
                            name.path,
                            part.quoted(model),
                            first.path
                        );
                        self.report_entry(name, message);
                    }
                    None => damped.push((*part, &entry.name)),
                }
            }
            if let Some(law) = self.damping_law(&entry.name, given) {
                model.damping.push(Damping {
                    name: entry.name.value.clone(),
                    parts: parts.into_iter().map(|(part, _)| part).collect(),
                    law,
                    axes: match given.axes {
                        file::Axes::Turning => Axes::Turning,
                        file::Axes::Drawn => Axes::Drawn,
                    },
                });
            }
        }
    }

    /// The members and bodies of an entry, each with the place that names it; all that are flexible where
    /// it names none.
    fn damped_parts<'n>(
        &mut self, model: &Checked, name: &'n Name, given: &'n file::Damping,
    ) -> Vec<(Part, &'n Name)> {
        let file = self.file;
        let flexible = |id: &MemberId| {
            let name = &model.members[*id].name;
            let written = file.members.iter().find(|e| e.name.value == *name);
            let written = written.and_then(|e| e.value.as_ref());
            let made =
                |member: &file::Member| member.material.is_some() || member.section.is_some();
            written.is_some_and(|member| made(member) && !member.rigid)
        };
        if given.members.is_none() && given.bodies.is_none() {
            let members = (0..model.members.len()).filter(flexible).map(Part::Member);
            let elastic = (0..model.bodies.len()).filter(|&id| !model.is_rigid(id));
            let all = members.chain(elastic.map(Part::Body));
            let all: Vec<_> = all.map(|part| (part, name)).collect();
            if all.is_empty() && self.unread.is_empty() && self.known.topology {
                let message = format!(
                    "{}: the model has no flexible member and no elastic body to damp; give one a material, or leave this out",
                    name.path
                );
                self.report_entry(name, message);
            }
            return all;
        }
        for (key, names) in [("members", &given.members), ("bodies", &given.bodies)] {
            if names.as_ref().is_some_and(Vec::is_empty) {
                let message = format!(
                    "{}.{key} is empty; name the {key} that are damped, or leave it out for all",
                    name.path
                );
                self.report_entry(name, message);
            }
        }
        let mut found = Vec::new();
        for body in given.bodies.iter().flatten() {
            let Some(id) = self.body_named(body) else {
                continue;
            };
            if model.is_rigid(id) {
                let message = format!(
                    "{}: body `{}` is rigid, nothing in it is strained; leave it out",
                    body.path, body.value
                );
                self.report(body, message);
            }
            found.push((Part::Body(id), body));
        }
        for member in given.members.iter().flatten() {
            let Some(id) = self.member(member) else {
                continue;
            };
            if !flexible(&id) && !self.is_unread(&format!("members.{}", member.value)) {
                let why = match model.members[id].rigid {
                    Some(_) => "is rigid",
                    None => "has no material and section",
                };
                let message = format!(
                    "{}: member `{}` {why}, nothing in it is strained; leave it out",
                    member.path, member.value
                );
                self.report(member, message);
            }
            found.push((Part::Member(id), member));
        }
        found
    }

    fn damping_law(&mut self, name: &Name, given: &file::Damping) -> Option<DampingLaw> {
        let coefficients = [&given.mass_coefficient, &given.stiffness_coefficient];
        let direct = coefficients.iter().any(|c| c.is_some());
        match (direct, &given.ratios, &given.frequencies, &given.modes) {
            (true, None, None, None) => {
                let mut number = |scalar: &Option<Scalar>, key: &str| {
                    let path = format!("{}.{key}", name.path);
                    self.usual(scalar.as_ref(), path)
                };
                Some(DampingLaw::Coefficients(Rayleigh {
                    mass: number(coefficients[0], "mass_coefficient"),
                    stiffness: number(coefficients[1], "stiffness_coefficient"),
                }))
            }
            (false, Some(ratios), Some(frequencies), None) => {
                let [a, b] = frequencies;
                let hertz = [a, b].map(|f| self.number(f));
                let shares = self.ratios(ratios);
                if !self.are_known(frequencies) || !self.are_known(ratios) {
                    return None;
                }
                if hertz[0] == hertz[1] {
                    let message = format!(
                        "{}.frequencies are both {} Hz; give two that differ",
                        name.path,
                        figure(hertz[0])
                    );
                    self.report(a, message);
                    return None;
                }
                match Rayleigh::through(shares, hertz.map(|f| TAU * f)) {
                    Ok(law) => Some(DampingLaw::Coefficients(law)),
                    Err(apart) => {
                        let message = format!("{}: {apart}", name.path);
                        self.report(a, message);
                        None
                    }
                }
            }
            (false, Some(ratios), None, Some([a, b])) => {
                let modes = [a, b].map(|mode| self.count(mode));
                let ratios = self.ratios(ratios);
                if modes[0] == modes[1] && !self.reader.is_faulty(&name.path) {
                    let message =
                        format!("{}.modes are both {}; give two that differ", name.path, modes[0]);
                    self.report(a, message);
                }
                Some(DampingLaw::Modes { ratios, modes })
            }
            // What is missing or too much is found among the relations of the keys.
            _ => None,
        }
    }

    fn ratios(&mut self, [a, b]: &[Scalar; 2]) -> [f64; 2] {
        [a, b].map(|ratio| self.number(ratio))
    }
}
