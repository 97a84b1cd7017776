//! The place of a path nearest to a point, followed from where it was, with its first and second derivatives.
//!
//! ```text
//! (X − P(s))·τ(s) = 0,    d = (X − P)·n,    m = |τ|,    ρ = P′·τ − d n·τ′,    u = n·P′
//! δs = [τ·a + d n·b]/ρ,   δd = n·a − u δs,  a = δX − δP(s),  b = δτ(s)
//! ```
//!
//! P = Y and τ = Y′, u = 0 on a path that is smooth from element to element. Of one that is [traced by its elements](Path::traced_by_its_elements)
//! places P are those of the elements' own polynomials, so that loads act on their nodes as on the elements, and directions τ those of
//! the smooth path Y, so that closest points pass from element to element without a jump.
//!
//! A surface at a distance from the path slips along it by δs, also where the path turns, so that friction does no work in a rigid
//! motion of both.

use super::local::{ArmOf, Arms, Local, Locals};
use super::point::Placed;
use crate::joints::path::Path;
use crate::nodes::Node;
use crate::numerics::hypot::hypot;
use crate::numerics::plane::{dot, rotated};
use crate::numerics::positions::{Position, Positions};

/// Steps of Newton's method; some three do.
const MAX_STEPS: usize = 40;

/// Rounding of s relative to the path's length at which they end.
const STEP_TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// Share of the path's length whose square is rounding: what changes over such a step does so by its rate.
const SHORT: f64 = 1e-9;

/// The place of a path below a point.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClosestPoint {
    /// The element of the path, and s, m.
    element: usize,
    s: f64,
    /// X − P, m.
    pub gap: [f64; 2],
    /// d, positive to the left of growing s, m.
    distance: f64,
    /// t and n.
    pub tangent: [f64; 2],
    pub normal: [f64; 2],
    /// m.
    pub stretch: f64,
    /// τ′ and τ″, 1/m and 1/m².
    bend: [f64; 2],
    third: [f64; 2],
    /// P′ and P″.
    along: [f64; 2],
    curve: [f64; 2],
    /// Whether P is not on the smooth path.
    traced: bool,
    /// ρ.
    rate: f64,
}

/// What the second derivatives of a pair of unknowns take of each of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Half {
    pub unknown: usize,
    /// ∂d/∂z and ∂s/∂z.
    pub first: [f64; 2],
    place: [f64; 2],
    slope: [f64; 2],
    /// Of what arm it is a turn, and its weight in that.
    pub turn: f64,
    pub arm: ArmOf,
    /// n·(δτ + τ′ δs): the path turns by this over m.
    turns: f64,
    /// n·(δP′ + ½ P″ δs).
    along: f64,
    /// What ρ ∂²s/∂z∂z gets times ∂s/∂z of the other.
    rate: f64,
}

impl Half {
    /// The half of an unknown without second derivatives of its own.
    pub fn of_first(unknown: usize, first: [f64; 2]) -> Half {
        Half { unknown, first, ..Half::default() }
    }
}

/// How the rigid body that carries a path has turned.
fn rotation(path: &Path, q: &Positions) -> Option<[f64; 2]> {
    let turn = path.body()?.rotation.map_or(0.0, |r| q[r]);
    let (sin, cos) = turn.sin_cos();
    Some([cos, sin])
}

impl ClosestPoint {
    /// The closest point of a point on a `path`, followed from `s`.
    pub fn of(path: &Path, q: &Positions, at: &Placed, s: f64) -> ClosestPoint {
        let length = path.length();
        let rest = STEP_TOLERANCE * length.max(s.abs());
        let mut closest = ClosestPoint::at(path, q, at, s);
        for _ in 0..MAX_STEPS {
            let slope = dot(closest.gap, closest.direction());
            // Beyond the centre of curvature there is no nearest place; the step is then that of a straight path.
            let square = closest.stretch * closest.stretch;
            let step = slope / closest.rate.max(0.1 * square).max(f64::MIN_POSITIVE);
            let step = step.clamp(-length, length);
            if step.is_nan() || step.abs() <= rest {
                break;
            }
            if step.abs() <= SHORT * length && closest.rate >= 0.1 * square {
                closest.go(step);
                break;
            }
            let s = closest.s + step;
            closest = ClosestPoint::on(path, path.element_near(closest.element, s), q, at, s);
        }
        closest
    }

    /// Goes a step so short that its square is rounding.
    fn go(&mut self, step: f64) {
        let by = |a: [f64; 2], rate: [f64; 2]| [a[0] + step * rate[0], a[1] + step * rate[1]];
        let slope = by(self.direction(), self.bend);
        self.s += step;
        self.gap = [0, 1].map(|i| self.gap[i] - step * self.along[i]);
        self.along = by(self.along, self.curve);
        self.turn_to(slope);
    }

    /// Finds what follows from τ.
    fn turn_to(&mut self, slope: [f64; 2]) {
        self.stretch = hypot(slope[0], slope[1]);
        self.tangent = slope.map(|c| c / self.stretch);
        self.normal = [-self.tangent[1], self.tangent[0]];
        self.distance = dot(self.gap, self.normal);
        self.rate = dot(self.along, slope) - self.distance * dot(self.normal, self.bend);
    }

    /// How far a point is from the place `s` of a path, m.
    pub fn distance_at(path: &Path, q: &Positions, at: &Placed, s: f64) -> f64 {
        let [x, y] = ClosestPoint::at(path, q, at, s).gap;
        hypot(x, y)
    }

    /// What there is at `s`, closest point or not.
    pub fn at(path: &Path, q: &Positions, at: &Placed, s: f64) -> ClosestPoint {
        ClosestPoint::on(path, path.element_at(s), q, at, s)
    }

    /// The closest point at `s` on this element, also at its end.
    pub fn on(path: &Path, element: usize, q: &Positions, at: &Placed, s: f64) -> ClosestPoint {
        let seen = path.seen(element, s);
        let [mut place, mut slope, mut bend] = path.sums(element, &seen.smooth, q, at.from);
        if let (Some(node), Some(turn)) = (path.body(), rotation(path, q)) {
            let centre = node.position.map(|u| q.get(u));
            [place, slope, bend] = [place, slope, bend].map(|arm| rotated(turn, arm));
            place = [0, 1].map(|i| centre[i].displacement_from(at.from[i]) + place[i]);
        }
        let (mut along, mut curve) = (slope, bend);
        if let Some(own) = &seen.own {
            [place, along, curve] = path.own_sums(element, own, q, at.from);
        }
        let mut closest = ClosestPoint {
            element,
            s,
            gap: [0, 1].map(|i| at.place[i] - place[i]),
            traced: seen.own.is_some(),
            bend,
            along,
            curve,
            ..ClosestPoint::default()
        };
        closest.turn_to(slope);
        closest
    }

    /// d, positive to the left of growing s, m.
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// s, m.
    pub fn s(&self) -> f64 {
        self.s
    }

    /// τ.
    pub(super) fn direction(&self) -> [f64; 2] {
        self.tangent.map(|t| self.stretch * t)
    }

    /// P less where the place that it is the closest point of is counted from, m.
    pub(super) fn place(&self, at: &Placed) -> [f64; 2] {
        [0, 1].map(|i| at.place[i] - self.gap[i])
    }

    /// u.
    fn slant(&self) -> f64 {
        if self.traced { dot(self.normal, self.along) } else { 0.0 }
    }

    /// u/ρ and 1/ρ, which differ on the two elements that meet in a place.
    pub(super) fn by_rate(&self) -> [f64; 2] {
        [self.slant() / self.rate, self.rate.recip()]
    }

    /// The derivatives by the rate beyond an end of the path, which goes on straight.
    pub(super) fn by_rate_beyond(&self) -> [f64; 2] {
        let rate = dot(self.along, self.direction());
        [self.slant() / rate, rate.recip()]
    }

    /// ρ ∂s/∂z.
    pub(super) fn turns_off(&self, local: &Local) -> f64 {
        self.stretch * dot(self.tangent, local.place)
            + self.distance * dot(self.normal, local.slope)
    }

    /// Looks up τ″, which only second derivatives ask for.
    pub fn look_up_third(&mut self, path: &Path, q: &Positions, at: &Placed) {
        if self.bend == [0.0; 2] {
            return;
        }
        let third = path.third(self.element, self.s, q, at.from);
        self.third = rotation(path, q).map_or(third, |turn| rotated(turn, third));
    }

    /// Adds the unknowns that the path hangs on here.
    pub fn add_locals(&self, path: &Path, q: &Positions, locals: &mut Locals) {
        let seen = path.seen(self.element, self.s);
        if let (Some(node), Some(turn)) = (path.body(), rotation(path, q)) {
            // Sums of initial positions depend on no unknown.
            let arm = path.sums(self.element, &seen.smooth, q, [Position::default(); 2]);
            self.add_body(node, arm.map(|arm| rotated(turn, arm)), locals);
            return;
        }
        let [value, slope, bend] = &seen.smooth;
        let own = (seen.own.as_ref()).map(|own| path.of_carriers(self.element, own));
        let [place, along, _] = own.as_ref().unwrap_or(&seen.smooth);
        for (l, node) in path.carriers(self.element).iter().enumerate() {
            if place[l] == 0.0 && value[l] == 0.0 && slope[l] == 0.0 && bend[l] == 0.0 {
                continue;
            }
            for (i, &unknown) in node.position.iter().enumerate() {
                let on = |w: f64| {
                    let mut vector = [0.0; 2];
                    vector[i] = w;
                    vector
                };
                locals.push(Local {
                    unknown,
                    place: on(-place[l]),
                    along: on(along[l]),
                    slope: on(slope[l]),
                    bend: on(bend[l]),
                    ..Local::default()
                });
            }
        }
    }

    fn add_body(&self, node: &Node, arm: [[f64; 2]; 3], locals: &mut Locals) {
        for (i, &unknown) in node.position.iter().enumerate() {
            let mut place = [0.0; 2];
            place[i] = -1.0;
            locals.push(Local { unknown, place, ..Local::default() });
        }
        if let Some(unknown) = node.rotation {
            let across = |d: [f64; 2]| [-d[1], d[0]];
            locals.arms.path = [arm[0], arm[1]];
            locals.push(Local {
                unknown,
                place: across(arm[0]).map(|c| -c),
                along: across(arm[1]),
                slope: across(arm[1]),
                bend: across(arm[2]),
                turn: 1.0,
                arm: ArmOf::Path,
                surface: false,
            });
        }
    }

    /// ∂d/∂z and ∂s/∂z.
    pub fn first(&self, local: &Local) -> [f64; 2] {
        let by_s = self.turns_off(local) / self.rate;
        [dot(self.normal, local.place) - self.slant() * by_s, by_s]
    }

    /// What second derivatives take of an unknown.
    pub fn half(&self, local: &Local) -> Half {
        let first = self.first(local);
        let (by_s, n) = (first[1], self.normal);
        let direction = self.direction();
        // ρ changes by this along the path at an unchanged place.
        let rate = dot(direction, self.curve) + 2.0 * dot(self.along, self.bend)
            - self.distance * dot(n, self.third);
        Half {
            unknown: local.unknown,
            first,
            place: local.place,
            slope: local.slope,
            turn: local.turn,
            arm: local.arm,
            turns: dot(n, local.slope) + dot(n, self.bend) * by_s,
            along: dot(n, local.along) + 0.5 * dot(n, self.curve) * by_s,
            rate: dot(self.bend, local.place) + self.distance * dot(n, local.bend)
                - dot(direction, local.along)
                - dot(self.along, local.slope)
                - 0.5 * rate * by_s,
        }
    }

    /// ∂²d/∂z∂z and ∂²s/∂z∂z of a pair of unknowns of what turns with these `arms`.
    #[inline]
    pub fn second(&self, arms: &Arms, a: &Half, b: &Half) -> [f64; 2] {
        let ([_, s_a], [_, s_b]) = (a.first, b.first);
        let mut by_s = dot(b.slope, a.place) + dot(a.slope, b.place) + a.rate * s_b + b.rate * s_a;
        let mut by_distance = self.distance / (self.stretch * self.stretch) * a.turns * b.turns
            - a.along * s_b
            - b.along * s_a;
        if let Some([place, slope]) = arms.second((a.turn, a.arm), (b.turn, b.arm)) {
            by_s += dot(self.direction(), place) + self.distance * dot(self.normal, slope);
            by_distance += dot(self.normal, place);
        }
        let by_s = by_s / self.rate;
        [by_distance - self.slant() * by_s, by_s]
    }
}
