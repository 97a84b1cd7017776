//! Closed chains of edges.

use std::f64::consts::PI;

use super::Checker;
use super::curves::WrittenAxis;
use crate::axis::{Arc, Axis, Ellipse, EllipseArc};
use crate::checked::Checked;
use crate::mesh::Side;
use crate::message::{figure, rounded};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::numerics::hypot::hypot;

/// How far the end of an edge may be from the circle or the ellipse that the edge is part of, beside its radius: coordinates
/// of drawings are rounded, and the curve is brought to the point.
const OFF_CURVE: f64 = 1e-6;

/// Whether an edge is a circle or an ellipse, or part of one.
fn is_round(edge: &file::Edge) -> bool {
    edge.circle.is_some() || edge.ellipse.is_some()
}

/// A circle or an ellipse as it is written.
struct Round {
    ellipse: Ellipse,
    radii: [f64; 2],
    clockwise: bool,
    /// Whether it is a circle whose radius is where its ends are.
    open: bool,
}

impl Round {
    /// Coordinates of a place along the half axes, as multiples of the radii.
    fn along(&self, place: [f64; 2]) -> [f64; 2] {
        let from = [0, 1].map(|i| place[i] - self.ellipse.centre[i]);
        [0, 1].map(|k| {
            let axis = self.ellipse.half_axes[k];
            (from[0] * axis[0] + from[1] * axis[1]) / (self.radii[k] * self.radii[k])
        })
    }

    /// Curves from one parameter on over a range, either way round, in two halves where they come round to their beginning.
    fn curves(&self, begin: f64, range: f64, ends: Option<[[f64; 2]; 2]>) -> Vec<Axis> {
        let parts = if range == 2.0 * PI { 2 } else { 1 };
        let turn = if self.clockwise { -range } else { range };
        let at = |k: usize| match (k, ends) {
            (0, Some([from, _])) => from,
            (k, Some([_, to])) if k == parts => to,
            _ => {
                // Of two parts of a whole turn the middle one lies opposite to the ends.
                let sign = if k % 2 == 1 { -1.0 } else { 1.0 };
                let (sin, cos) = begin.sin_cos();
                let [u, v] = self.ellipse.half_axes;
                [0, 1].map(|i| self.ellipse.centre[i] + sign * (cos * u[i] + sin * v[i]))
            }
        };
        let part = |k: usize| {
            let ends = [at(k), at(k + 1)];
            if self.radii[0] == self.radii[1] {
                return Axis::Arc(Arc::new(ends[0], ends[1], turn / parts as f64));
            }
            let [from, to] = [k, k + 1].map(|k| begin + turn * k as f64 / parts as f64);
            let curve = match self.clockwise {
                true => EllipseArc::new_between(self.ellipse, [to, from]).reversed(),
                false => EllipseArc::new_between(self.ellipse, [from, to]),
            };
            Axis::Ellipse(curve).between(ends)
        };
        (0..parts).map(part).collect()
    }
}

/// The curves of a closed chain of edges, or of one circle; their ends are added to `ends`.
pub(super) fn chain<'f>(
    check: &mut Checker<'_>, model: &Checked, name: &Name, path: &str, edges: &'f [file::Edge],
    ends: &mut Vec<&'f Name>,
) -> Option<Vec<Side>> {
    let mut sides: Vec<Option<Vec<Side>>> = Vec::new();
    for (k, edge) in edges.iter().enumerate() {
        check.identifier(&edge.name, "edge");
        let size = edge.size.as_ref();
        let size = size.map(|size| check.number(size));
        let whole = Name { path: format!("{path}[{k}]"), ..edge.name.clone() };
        let initial = match (&edge.from, &edge.to) {
            (None, None) if is_round(edge) => edge.whole_round(check, model),
            (Some(from), Some(to)) => {
                ends.extend([from, to]);
                let places = check.point(from).zip(check.point(to));
                let places = places.map(|(a, b)| [a, b].map(|p| model.points[p].position));
                match is_round(edge) {
                    true => edge.round(check, model, &whole, places),
                    false => {
                        let initial = WrittenAxis {
                            name: &whole,
                            what: "edge",
                            from,
                            to,
                            arc: edge.arc.as_ref(),
                            spline: edge.spline.as_ref(),
                        };
                        initial.axis(check, places).map(|curve| vec![curve])
                    }
                }
            }
            _ => None,
        };
        let initial = initial.map(|curves| {
            let begins = edge.from.as_ref().map(|from| from.value.clone());
            let each = curves.into_iter().enumerate();
            each.map(|(k, curve)| Side {
                name: edge.name.value.clone(),
                curve,
                size,
                begins: begins.clone().filter(|_| k == 0),
            })
            .collect()
        });
        sides.push(initial);
    }
    let follows = |k: usize| {
        let next = &edges[(k + 1) % edges.len()];
        match (&edges[k].to, &next.from) {
            (Some(to), Some(from)) => to.value == from.value,
            _ => edges.len() == 1 && is_round(&edges[k]),
        }
    };
    if edges.is_empty() {
        return check.refuse_entry(name, format!("{path} is empty; give a closed chain of edges"));
    }
    let sides = sides.into_iter().collect::<Option<Vec<_>>>()?.concat();
    if let Some(k) = (0..edges.len()).find(|&k| !follows(k)) {
        let next = &edges[(k + 1) % edges.len()].name;
        let message = format!(
            "{path}: edge `{}` does not begin where `{}` ends; allowed: a closed chain, in which \
             the `to` of each edge is the `from` of the next, or one circle or ellipse",
            next.value, edges[k].name.value
        );
        return check.refuse(next, message);
    }
    check.known.geometry.then_some(sides)
}

impl file::Edge {
    /// The circle or the ellipse of an edge; `None` with a fault on record.
    fn round_of(&self, check: &mut Checker<'_>, model: &Checked) -> Option<Round> {
        let mut numbers: Vec<&Scalar> = Vec::new();
        let (center, radii, rotation, clockwise) = match (&self.circle, &self.ellipse) {
            (Some(circle), _) => {
                let radius = circle.radius.as_ref();
                numbers.extend(radius);
                let radius = radius.map(|radius| check.number(radius));
                (&circle.center, radius.map(|r| [r; 2]), 0.0, circle.clockwise)
            }
            (None, Some(ellipse)) => {
                numbers.extend(ellipse.radii.iter().chain(&ellipse.rotation));
                let radii = [0, 1].map(|k| check.number(&ellipse.radii[k]));
                let rotation = ellipse.rotation.as_ref();
                let rotation = rotation.map(|angle| check.number(angle));
                (&ellipse.center, Some(radii), rotation.unwrap_or(0.0), ellipse.clockwise)
            }
            (None, None) => return None,
        };
        let centre = check.point(center).map(|point| model.points[point].position);
        if radii.is_none() && self.from.is_none() {
            return None;
        }
        if !check.are_known(numbers) || !check.known.geometry {
            return None;
        }
        let (sin, cos) = rotation.sin_cos();
        let [a, b] = radii.unwrap_or([1.0; 2]);
        Some(Round {
            ellipse: Ellipse {
                centre: centre?,
                half_axes: [[a * cos, a * sin], [-b * sin, b * cos]],
            },
            radii: [a, b],
            clockwise,
            open: radii.is_none(),
        })
    }

    /// A whole circle or ellipse.
    fn whole_round(&self, check: &mut Checker<'_>, model: &Checked) -> Option<Vec<Axis>> {
        let round = self.round_of(check, model)?;
        Some(round.curves(0.0, 2.0 * PI, None))
    }

    /// The part of a circle or an ellipse between two places, or all of it from one place to the same.
    fn round(
        &self, check: &mut Checker<'_>, model: &Checked, whole: &Name,
        places: Option<[[f64; 2]; 2]>,
    ) -> Option<Vec<Axis>> {
        let mut round = self.round_of(check, model)?;
        let ends = places?;
        if round.open {
            let [x, y] = [0, 1].map(|i| ends[0][i] - round.ellipse.centre[i]);
            let radius = hypot(x, y);
            round.radii = [radius; 2];
            round.ellipse.half_axes = [[radius, 0.0], [0.0, radius]];
        }
        let along = ends.map(|end| round.along(end));
        let names = [&self.from, &self.to];
        for (k, [u, v]) in along.into_iter().enumerate() {
            let share = hypot(u, v);
            if let Some(name) =
                names[k].as_ref().filter(|_| share.is_nan() || (share - 1.0).abs() > OFF_CURVE)
            {
                let curve = match self.circle {
                    Some(_) => format!("circle of radius {} m", figure(round.radii[0])),
                    None => "ellipse".to_string(),
                };
                let message = format!(
                    "{}: point `{}` is not on the {curve}: its distance from the center is {} times as large; allowed: up to \
                     {OFF_CURVE} of it off",
                    whole.path,
                    name.value,
                    rounded(share, 9)
                );
                return check.refuse(name, message);
            }
        }
        let [begin, end] = along.map(|[u, v]| v.atan2(u));
        let range = if round.clockwise { begin - end } else { end - begin }.rem_euclid(2.0 * PI);
        let same = ends[0] == ends[1];
        let range = if same { 2.0 * PI } else { range };
        Some(round.curves(begin, range, Some(ends)))
    }
}
