//! The curves of members and of the edges of bodies: the geometry asked for exists, and the elements of
//! members can follow it.

use std::f64::consts::FRAC_PI_2;

use super::Checker;
use crate::axis::{Arc, Axis, PlaneSpline, turn};
use crate::checked::{Member, MemberLine};
use crate::elements::frame::section::half_height;
use crate::elements::initial::InitialAxis;
use crate::message::{figure, rounded};
use crate::model::de::{Located, Name, Scalar};
use crate::model::file;
use crate::model::range::ARC_ANGLE;
use crate::numerics::hypot::hypot;

/// Largest change of direction over one element, rad.
const TURN: f64 = FRAC_PI_2 * (1.0 + 1e-9);

/// Largest half height of a section times the curvature of its axis.
pub const HALF_HEIGHT_CURVATURE: f64 = 0.5;

/// Smallest cosine between the axis of an element and the normal of its sections: 15°, which elements
/// of an arc stay well below and elements that miss a sharp bend between their nodes do not.
const LEAST_COSINE: f64 = 0.966;

/// A curve between two points, as written.
pub(super) struct WrittenAxis<'a> {
    /// The member or the edge.
    pub name: &'a Name,
    /// "member" or "edge".
    pub what: &'static str,
    pub from: &'a Name,
    pub to: &'a Name,
    pub arc: Option<&'a file::Arc>,
    pub spline: Option<&'a Vec<[Scalar; 2]>>,
}

impl WrittenAxis<'_> {
    /// The curve of a member or an edge between its points; straight where its curve is at fault, `None` where the
    /// points are not known.
    pub(super) fn axis(
        &self, check: &mut Checker<'_>, ends: Option<[[f64; 2]; 2]>,
    ) -> Option<Axis> {
        let numbers = self.numbers(check);
        let [from, to] = ends?;
        Some(self.axis_between(check, &numbers, [from, to]))
    }

    fn axis_between(
        &self, check: &mut Checker<'_>, numbers: &[[f64; 2]], [from, to]: [[f64; 2]; 2],
    ) -> Axis {
        let name = self.name;
        let straight = Axis::Straight { from, to };
        let written: Vec<&Scalar> = match &self.arc {
            Some(file::Arc::Through([x, y])) => vec![x, y],
            Some(file::Arc::Angle(number) | file::Arc::Radius(number)) => vec![number],
            None => self.spline.into_iter().flatten().flatten().collect(),
        };
        let file = check.file;
        let ends = [self.from, self.to].map(|end| {
            let found = file.points.iter().find(|e| e.name.value == end.value);
            found.and_then(|e| e.value.as_ref())
        });
        let [Some(a), Some(b)] = ends else {
            return straight;
        };
        if !check.are_known(written.into_iter().chain(a).chain(b)) {
            return straight;
        }
        if from == to {
            let message = format!(
                "{} has no length: `{}` and `{}` are at the same position; let its `to` be another point, or move one of them in [points]",
                name.path, self.from.value, self.to.value
            );
            check.report(self.to, message);
            return straight;
        }
        match (self.arc, self.spline) {
            (Some(arc), _) => self.arc(check, arc, numbers, from, to).unwrap_or(straight),
            (None, Some(points)) => {
                let spline = spline(check, self, points, numbers, from, to);
                spline.unwrap_or(straight)
            }
            (None, None) => straight,
        }
    }

    /// The numbers of the curve as written, in pairs where they are coordinates.
    fn numbers(&self, check: &mut Checker<'_>) -> Vec<[f64; 2]> {
        let mut pair = |[x, y]: &[Scalar; 2]| [x, y].map(|scalar| check.number(scalar));
        let spline: Vec<[f64; 2]> = (self.spline.into_iter().flatten()).map(&mut pair).collect();
        match self.arc {
            Some(file::Arc::Through(point)) => vec![pair(point)],
            Some(file::Arc::Angle(angle)) => {
                vec![[check.number(angle), 0.0]]
            }
            Some(file::Arc::Radius(radius)) => {
                vec![[check.number(radius), 0.0]]
            }
            None => spline,
        }
    }

    fn arc(
        &self, check: &mut Checker<'_>, arc: &file::Arc, numbers: &[[f64; 2]], from: [f64; 2],
        to: [f64; 2],
    ) -> Option<Axis> {
        let number = *numbers.first()?;
        let (what, a, b) = (self.what, &self.from.value, &self.to.value);
        let chord = hypot(to[0] - from[0], to[1] - from[1]);
        let (scalar, angle) = match arc {
            file::Arc::Angle(scalar) => (scalar, Ok(number[0])),
            file::Arc::Radius(scalar) => {
                let angle = Arc::angle_of_radius(from, to, number[0]).ok_or_else(|| {
                    format!(
                        "is {} m, too small for an arc from `{a}` to `{b}`, which are {} m apart; \
                         allowed: at least half of that, {} m (centre to the left of the way from \
                         `{a}` to `{b}`) or at most -{2} m (to the right)",
                        figure(number[0]),
                        figure(chord),
                        figure(0.5 * chord)
                    )
                });
                (scalar, angle)
            }
            file::Arc::Through([scalar, _]) => {
                let angle = Arc::angle_through(from, to, number);
                let far = |p: [f64; 2]| hypot(number[0] - p[0], number[1] - p[1]);
                let at = format!("[{}, {}]", figure(number[0]), figure(number[1]));
                let fault = if far(from) <= 1e-9 * chord || far(to) <= 1e-9 * chord {
                    format!("{at} is an end of the {what}; give a point between `{a}` and `{b}`")
                } else {
                    format!(
                        "{at} makes an arc of nearly the whole circle, or lies on the line through \
                         `{a}` and `{b}` outside of them; give a point nearer to the middle of the \
                         arc, or divide it into several {what}s"
                    )
                };
                let inside = angle.abs() <= ARC_ANGLE.max && far(from).min(far(to)) > 1e-9 * chord;
                (scalar, if inside { Ok(angle) } else { Err(fault) })
            }
        };
        match angle {
            Ok(angle) => Some(Axis::Arc(Arc::new(from, to, angle))),
            Err(fault) => {
                let path = scalar.path.split('[').next().unwrap_or_default();
                let message = format!("{path} {fault}");
                check.refuse(scalar, message)
            }
        }
    }
}

impl file::Member {
    /// Whether the elements of a curved member can follow it.
    pub(super) fn elements_follow(&self, check: &mut Checker<'_>, member: &Member, count: &Scalar) {
        let mut numbers = [Some(count), self.order.as_ref()].into_iter().flatten();
        let known = numbers.all(|n| !check.reader.is_faulty(&n.path));
        let MemberLine::Axis(axis) = &member.line else {
            return;
        };
        if !known || axis.is_straight() {
            return;
        }
        let (part, angle) = axis.largest_turn(member.elements);
        let axes = member.axes_along(axis);
        let bluntest = axes.iter().map(|axis| axis.severity().1).fold(1.0, f64::min);
        if angle > TURN || bluntest < LEAST_COSINE {
            let limit = if angle > TURN {
                "up to 90° per element".to_string()
            } else {
                format!(
                    "bends that polynomials of order {} can follow; here they are not perpendicular to the \
                     sections",
                    member.order
                )
            };
            let message = format!(
                "{} is {}, and element {} turns by {:.0}° along the {}; allowed: {limit}; take \
                 more elements",
                count.path,
                member.elements,
                part + 1,
                angle.to_degrees(),
                axis.kind()
            );
            check.report(count, message);
            return;
        }
        sections_fit(check, member, &axes, (self, count));
    }
}

fn spline(
    check: &mut Checker<'_>, WrittenAxis { name, what, .. }: &WrittenAxis<'_>,
    written: &[[Scalar; 2]], between: &[[f64; 2]], from: [f64; 2], to: [f64; 2],
) -> Option<Axis> {
    let path = name.key("spline");
    if between.is_empty() {
        let message = format!(
            "{path} has no points; give at least one [x, y] between the {what}'s ends, or leave \
             `spline` out for a straight {what}"
        );
        return check.refuse_entry(name, message);
    }
    let points: Vec<[f64; 2]> =
        ([from].into_iter()).chain(between.iter().copied()).chain([to]).collect();
    // The fault stands at the point itself or, for the last chord, at the point before.
    let at = |k: usize| &written[k.clamp(1, written.len()) - 1][0];
    let place = |k: usize| format!("[{}, {}]", figure(points[k][0]), figure(points[k][1]));
    for k in 1..points.len() {
        if points[k] == points[k - 1] {
            let message =
                format!("{path}: two points in a row are at {}; leave one of them out", place(k));
            return check.refuse(at(k), message);
        }
    }
    let chord = |k: usize| {
        let [a, b] = [points[k], points[k + 1]];
        (b[1] - a[1]).atan2(b[0] - a[0])
    };
    for k in 1..points.len() - 1 {
        let corner = turn(chord(k - 1), chord(k)).abs();
        if corner > FRAC_PI_2 {
            let message = format!(
                "{path} turns by {:.0}° at {}; allowed: up to 90° from one point to the next; \
                 give the points in the order in which they follow each other, and more of them \
                 where the curve is narrow",
                corner.to_degrees(),
                place(k)
            );
            return check.refuse(at(k), message);
        }
    }
    PlaneSpline::through(&points).map(Axis::Spline)
}

/// Whether the sections of a member fit the radii of its `axes`; `written` is the member, and what made it curved.
pub(super) fn sections_fit<T>(
    check: &mut Checker<'_>, member: &Member, axes: &[InitialAxis],
    (given, curve): (&file::Member, &Located<T>),
) {
    let Some(properties) = &member.properties else {
        return;
    };
    let sharpest = axes.iter().map(|axis| axis.severity().0).fold(0.0, f64::max);
    let half = half_height(properties);
    if half * sharpest <= HALF_HEIGHT_CURVATURE {
        return;
    }
    let message = format!(
        "members.{}: the radius of its {} falls to {} m, too small for a section {} m high; allowed: at least {} m, the whole \
         height; take a lower section or a wider curve",
        member.name,
        member.line.kind(),
        rounded(1.0 / sharpest, 6),
        rounded(2.0 * half, 6),
        rounded(half / HALF_HEIGHT_CURVATURE, 6)
    );
    match &given.section {
        Some(section) => check.report(section, message),
        None => check.report(curve, message),
    }
}
