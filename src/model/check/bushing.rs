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

impl file::Bushing {
    /// The springs of a bushing and what they are together.
    pub(super) fn check(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, spring: &file::Spring,
    ) {
        let sides = self.sides(check, model, name, spring);
        let path = |key: &str| format!("{}.bushing.{key}", name.path);
        let stiffness = matrix_with_squares(
            check,
            name,
            ["stiffness", "coupling"],
            [self.stiffness.as_ref(), self.coupling.as_ref()],
        );
        let damping = matrix_with_squares(
            check,
            name,
            ["damping", "damping_coupling"],
            [self.damping.as_ref(), self.damping_coupling.as_ref()],
        );
        let scales =
            [("stiffness_scale", &self.stiffness_scale), ("damping_scale", &self.damping_scale)];
        let scales = scales.map(|(key, written)| check.usual(written.as_ref(), path(key)));
        let actuator = [("fx", &self.fx), ("fy", &self.fy), ("moment", &self.moment)];
        let force = actuator.map(|(key, written)| check.usual(written.as_ref(), path(key)));
        let free = three(check, self.free.as_ref());
        let preload = three(check, self.preload.as_ref());
        let (Some(sides), Some((stiffness, held)), Some((damping, taken))) =
            (sides, stiffness, damping)
        else {
            return;
        };
        let along = |square: &Square, u: [f64; 3]| -> f64 {
            square.way.iter().zip(u).map(|(l, u)| l * u).sum()
        };
        let mut frees = held.map(|square| along(&square, free));
        if self.preload.is_some() {
            let scaled = held.map(|square| Square { weight: scales[0] * square.weight, ..square });
            match preloaded(&scaled, preload) {
                Some(found) => frees = found,
                None => {
                    let message = format!(
                        "{}: a preload needs a stiffness along it, and there is none; `fx`, `fy` and `moment` are constant",
                        path("preload")
                    );
                    check.report_entry(name, message);
                }
            }
        }
        place_bushing(
            model,
            name,
            Bushing {
                name: name.value.clone(),
                sides,
                stiffness,
                damping,
                scales,
                free: self.preload.is_none().then_some(free),
                force,
                initial: [0.0; 3],
                springs: 0..0,
            },
            [held, taken],
            frees,
        );
    }

    fn sides(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, spring: &file::Spring,
    ) -> Option<BushingSides> {
        let angle = check.usual(self.angle.as_ref(), name.key("bushing.angle"));
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
        let Between::Axis { from, to, .. } = ends.between(check, model, name)? else {
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
            sections.between_sections(check, model, name, begin, to)?
        else {
            return None;
        };
        Some(BushingSides {
            from,
            from_member: turning.and_then(|(_, member)| member),
            to,
            frame: match self.frame {
                BushingFrame::From => SideOf::From,
                BushingFrame::To => SideOf::To,
            },
            angle,
        })
    }
}

/// Adds a bushing and its springs, whose squares of the stiffness are free at `frees` from the drawing.
fn place_bushing(
    model: &mut Checked, name: &Name, mut bushing: Bushing, [held, taken]: [[Square; 3]; 2],
    frees: [f64; 3],
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
        setting.free += model.initial_measure(&between);
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
    bushing.initial = axes.map(|way| model.initial_measure(&Between::Bushing { sides, way }));
    bushing.springs = first..model.springs.len();
    model.bushings.push(bushing);
}

/// Three numbers, zeros where they are left out.
fn three(check: &mut Checker<'_>, written: Option<&[Scalar; 3]>) -> [f64; 3] {
    let Some(list) = written else {
        return [0.0; 3];
    };
    let quantities = check.declared(&list[0].path).quantities;
    [0, 1, 2].map(|i| check.number_in(&list[i], quantities[i]))
}

/// A symmetric matrix with its squares; `None` with a fault on record.
fn matrix_with_squares(
    check: &mut Checker<'_>, name: &Name, [own, beside]: [&str; 2], written: Written<'_>,
) -> Option<([[f64; 3]; 3], [Square; 3])> {
    let path = name.key("bushing");
    if let [None, Some(_)] = written {
        return None;
    }
    let numbers = [0, 1].map(|i| three(check, written[i]));
    if !check.are_known(written.iter().flatten().copied().flatten()) {
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
        check.report_entry(name, message);
    }
    Some((matrix, found?))
}
