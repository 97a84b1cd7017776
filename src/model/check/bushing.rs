//! Bushings: springs between two sections in x, y and rotation, made of springs along sums of these.

use super::Checker;
use super::coordinate::{Along, Ends};
use crate::checked::{Between, Bushing, BushingSides, Checked, SideOf, Spring};
use crate::laws::spring::squares::{Square, preloaded, squares};
use crate::laws::spring::{Damper, Elastic, Setting, Spring as Law, Stops};
use crate::message::figure;
use crate::model::de::{Name, Scalar};
use crate::model::file::{self, BushingFrame};

/// Two lists of three numbers as written.
type Written<'a> = [Option<&'a [Scalar; 3]>; 2];

/// A symmetric matrix by its diagonal and by what is beside it: xy, xr, yr.
fn symmetric([[x, y, r], [xy, xr, yr]]: [[f64; 3]; 2]) -> [[f64; 3]; 3] {
    [[x, xy, xr], [xy, y, yr], [xr, yr, r]]
}

impl Checker<'_> {
    /// The springs of a bushing and what they are together.
    pub(super) fn bushing(
        &mut self, model: &mut Checked, name: &Name, spring: &file::Spring, given: &file::Bushing,
    ) {
        let sides = self.sides_of_bushing(model, name, spring, given);
        let path = |key: &str| format!("{}.bushing.{key}", name.path);
        let stiffness = self.form(
            name,
            ["stiffness", "coupling"],
            [given.stiffness.as_ref(), given.coupling.as_ref()],
        );
        let damping = self.form(
            name,
            ["damping", "damping_coupling"],
            [given.damping.as_ref(), given.damping_coupling.as_ref()],
        );
        let scales =
            [("stiffness_scale", &given.stiffness_scale), ("damping_scale", &given.damping_scale)];
        let scales = scales.map(|(key, written)| self.usual(written.as_ref(), path(key)));
        let actuator = [("fx", &given.fx), ("fy", &given.fy), ("moment", &given.moment)];
        let force = actuator.map(|(key, written)| self.usual(written.as_ref(), path(key)));
        let free = self.three(given.free.as_ref());
        let preload = self.three(given.preload.as_ref());
        let (Some(sides), Some((stiffness, held)), Some((damping, taken))) =
            (sides, stiffness, damping)
        else {
            return;
        };
        let along = |square: &Square, u: [f64; 3]| -> f64 {
            square.way.iter().zip(u).map(|(l, u)| l * u).sum()
        };
        let mut frees = held.map(|square| along(&square, free));
        if given.preload.is_some() {
            let scaled = held.map(|square| Square { weight: scales[0] * square.weight, ..square });
            match preloaded(&scaled, preload) {
                Some(found) => frees = found,
                None => {
                    let message = format!(
                        "{}: nothing holds this preload, there is no stiffness along it; `fx`, `fy` and `moment` are constant",
                        path("preload")
                    );
                    self.report_entry(name, message);
                }
            }
        }
        self.place_bushing(
            model,
            name,
            Bushing {
                name: name.value.clone(),
                sides,
                stiffness,
                damping,
                scales,
                free: given.preload.is_none().then_some(free),
                force,
                drawn: [0.0; 3],
                springs: 0..0,
            },
            [held, taken],
            frees,
        );
    }

    /// Adds a bushing and its springs, whose squares of the stiffness are free at `frees` from the drawing.
    fn place_bushing(
        &self, model: &mut Checked, name: &Name, mut bushing: Bushing,
        [held, taken]: [[Square; 3]; 2], frees: [f64; 3],
    ) {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut parts: Vec<([f64; 3], Setting, [f64; 2])> = Vec::new();
        for (way, force) in axes.into_iter().zip(bushing.force) {
            let set = Setting { force, ..Setting::default() };
            parts.push((way, set, [0.0; 2]));
        }
        let mut part = |way: [f64; 3]| match parts.iter().position(|part| part.0 == way) {
            Some(i) => i,
            None => {
                parts.push((way, Setting::default(), [0.0; 2]));
                parts.len() - 1
            }
        };
        let places = [held, taken]
            .map(|squares| squares.map(|square| (square.weight > 0.0).then(|| part(square.way))));
        for (k, square) in held.iter().enumerate() {
            if let Some(i) = places[0][k] {
                parts[i].1.free = frees[k];
                parts[i].2[0] = square.weight;
            }
        }
        for (k, square) in taken.iter().enumerate() {
            if let Some(i) = places[1][k] {
                parts[i].2[1] = square.weight;
            }
        }
        let first = model.springs.len();
        let sides = bushing.sides;
        for (way, mut setting, [stiffness, damping]) in parts {
            let between = Between::Bushing { sides, way };
            setting.free += model.drawn_measure(&between);
            setting.stiffness = bushing.scales[0] * stiffness;
            setting.damping = bushing.scales[1] * damping;
            model.springs.push(Spring {
                name: name.value.clone(),
                between,
                law: Law {
                    elastic: Elastic::Linear,
                    damper: Damper::Linear,
                    stops: Stops::default(),
                    slip: None,
                    setting,
                },
                unit: [1.0, stiffness, damping, 1.0],
                bushing: Some(model.bushings.len()),
            });
        }
        bushing.drawn = axes.map(|way| model.drawn_measure(&Between::Bushing { sides, way }));
        bushing.springs = first..model.springs.len();
        model.bushings.push(bushing);
    }

    fn sides_of_bushing(
        &mut self, model: &Checked, name: &Name, spring: &file::Spring, given: &file::Bushing,
    ) -> Option<BushingSides> {
        let angle = self.usual(given.angle.as_ref(), format!("{}.bushing.angle", name.path));
        let ends = Ends {
            what: "spring",
            moves: false,
            from: spring.from.as_ref(),
            ground: spring.ground.as_ref(),
            to: &spring.to,
            along: Along::Axis(0),
            from_member: None,
            to_member: None,
        };
        let Between::Axis { from, to, .. } = self.between(model, name, &ends)? else {
            return None;
        };
        let sections = Ends {
            along: Along::Rotation,
            from_member: spring.from_member.as_ref(),
            to_member: spring.to_member.as_ref(),
            ..ends
        };
        let begin = spring.from.as_ref().map(|_| from.point());
        let Between::Sections { from: turning, to, .. } =
            self.between_sections(model, name, &sections, begin, to)?
        else {
            return None;
        };
        Some(BushingSides {
            from,
            from_member: turning.and_then(|(_, member)| member),
            to,
            frame: match given.frame {
                BushingFrame::From => SideOf::From,
                BushingFrame::To => SideOf::To,
            },
            angle,
        })
    }

    /// Three numbers, zeros where they are left out.
    fn three(&mut self, written: Option<&[Scalar; 3]>) -> [f64; 3] {
        let Some(list) = written else {
            return [0.0; 3];
        };
        let quantities = self.declared(&list[0].path).quantities;
        [0, 1, 2].map(|i| self.number_in(&list[i], quantities[i]))
    }

    /// A symmetric matrix with its squares; `None` with a fault on record.
    fn form(
        &mut self, name: &Name, [own, beside]: [&str; 2], written: Written<'_>,
    ) -> Option<([[f64; 3]; 3], [Square; 3])> {
        let path = format!("{}.bushing", name.path);
        if let [None, Some(_)] = written {
            return None;
        }
        let numbers = [0, 1].map(|i| self.three(written[i]));
        if !self.are_known(written.iter().flatten().copied().flatten()) {
            return None;
        }
        let matrix = symmetric(numbers);
        let found = squares(matrix);
        if found.is_none() {
            let message = match numbers[0].iter().find(|x| **x < 0.0) {
                Some(x) => {
                    format!("{path}.{own} has the number {}; allowed: 0 or above", figure(*x))
                }
                None => format!(
                    "{path}.{own} and `{beside}` make a matrix with a negative eigenvalue, which would add energy; allowed: the square of each \
                     number of `{beside}` at most the product of the two numbers of `{own}` in its row and column, and a determinant of 0 or above"
                ),
            };
            self.report_entry(name, message);
        }
        Some((matrix, found?))
    }
}
