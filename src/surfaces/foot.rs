//! The place of a path nearest to a point, followed from where it was, with its first and second derivatives.
//!
//! ```text
//! (X − P(s))·τ(s) = 0,    d = (X − P)·n,    m = |τ|,    ρ = P′·τ − d n·τ′,    u = n·P′
//! δs = [τ·a + d n·b]/ρ,   δd = n·a − u δs,  a = δX − δP(s),  b = δτ(s)
//! ```
//!
//! P = Y and τ = Y′, u = 0 on a path that is smooth from element to element. Of one that is [traced](Path::trace) by its elements
//! places P are those of the elements' own polynomials, so that loads act on their nodes as on the elements, and directions τ those of
//! the smooth path Y, so that feet pass from element to element without a leap.
//!
//! A surface at a distance from the path slips along it by δs, also where the path turns, so that what rubs does no work in a rigid
//! motion of both.

use super::local::{Arm, Local, Locals};
use super::point::{Placed, turned};
use crate::joints::blend::Weights;
use crate::joints::path::{Path, PathPoint};
use crate::numerics::positions::Positions;

/// Steps of Newton's method; some three do.
const MOST_STEPS: usize = 40;

/// Rounding of s relative to the path's length at which they end.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The place of a path below a point.
#[derive(Debug, Clone, Copy)]
pub struct Foot {
    pub point: PathPoint,
    /// X − P, m.
    pub gap: [f64; 2],
    /// d, positive to the left of growing s, m.
    pub distance: f64,
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
    /// u.
    slant: f64,
    /// ρ.
    rate: f64,
    /// Weights of P with its derivatives where they are not those of Y.
    trace: Option<[Weights; 3]>,
    /// D, D′ of a path on a rigid body, as it has turned.
    arm: Option<[[f64; 2]; 3]>,
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A place of a path.
struct OnPath {
    /// P − `from`, τ and τ′.
    derivatives: [[f64; 2]; 3],
    /// P′ and P″ where they are not τ and τ′, with the weights of P.
    traced: Option<([[f64; 2]; 2], [Weights; 3])>,
    /// The turned arm.
    arm: Option<[[f64; 2]; 3]>,
}

fn on_path(path: &Path, point: &PathPoint, q: &Positions, at: &Placed) -> OnPath {
    let nodes = point.carriers(path);
    if let Some(body) = &point.on_body {
        let node = nodes[0];
        let (sin, cos) = node.rotation.map_or(0.0, |r| q[r]).sin_cos();
        let arm = body
            .arm
            .map(|[x, y]| [cos * x - sin * y, sin * x + cos * y]);
        let centre = [0, 1].map(|i| q.get(node.position[i]).way_from(at.from[i]));
        return OnPath {
            derivatives: [
                [centre[0] + arm[0][0], centre[1] + arm[0][1]],
                arm[1],
                arm[2],
            ],
            traced: None,
            arm: Some(arm),
        };
    }
    let sum = |weights: &[Weights; 3]| {
        let mut derivatives = [[0.0; 2]; 3];
        for (l, node) in nodes.iter().enumerate() {
            for (i, &u) in node.position.iter().enumerate() {
                let place = q.get(u).way_from(at.from[i]);
                for (derivative, weights) in derivatives.iter_mut().zip(weights) {
                    derivative[i] += weights[l] * place;
                }
            }
        }
        derivatives
    };
    let mut derivatives = sum(&point.position);
    let traced = path.trace(point).map(|weights| {
        let [place, along, curve] = sum(&weights);
        derivatives[0] = place;
        ([along, curve], weights)
    });
    OnPath {
        derivatives,
        traced,
        arm: None,
    }
}

impl Foot {
    /// The foot of a point on a `path`, followed from `s`.
    pub fn of(path: &Path, q: &Positions, at: &Placed, s: f64) -> Foot {
        let (mut s, length) = (s, path.length());
        let rest = ROUNDING * length.max(s.abs());
        let mut foot = Foot::at(path, q, at, s);
        for _ in 0..MOST_STEPS {
            let slope = dot(foot.gap, foot.direction());
            // Beyond the centre of curvature there is no nearest place; the step is then that of a straight path.
            let square = foot.stretch * foot.stretch;
            let step = slope / foot.rate.max(0.1 * square).max(f64::MIN_POSITIVE);
            let step = step.clamp(-length, length);
            if step.is_nan() || step.abs() <= rest {
                break;
            }
            s += step;
            foot = Foot::at(path, q, at, s);
        }
        foot
    }

    /// How far a point is from the place `s` of a path, m.
    pub fn distance_at(path: &Path, q: &Positions, at: &Placed, s: f64) -> f64 {
        let [x, y] = Foot::at(path, q, at, s).gap;
        x.hypot(y)
    }

    /// What there is at `s`, foot or not.
    pub fn at(path: &Path, q: &Positions, at: &Placed, s: f64) -> Foot {
        Foot::on(path, path.element_at(s), q, at, s)
    }

    /// The same on this element, also at its end.
    pub fn on(path: &Path, element: usize, q: &Positions, at: &Placed, s: f64) -> Foot {
        let point = path.point_on(element, s);
        let OnPath {
            derivatives: [place, slope, bend],
            traced,
            arm,
        } = on_path(path, &point, q, at);
        let gap = [0, 1].map(|i| at.place[i] - place[i]);
        let stretch = slope[0].hypot(slope[1]);
        let tangent = slope.map(|c| c / stretch);
        let normal = [-tangent[1], tangent[0]];
        let distance = dot(gap, normal);
        let ([along, curve], trace) = match traced {
            Some((derivatives, weights)) => (derivatives, Some(weights)),
            None => ([slope, bend], None),
        };
        let slant = trace.map_or(0.0, |_| dot(normal, along));
        Foot {
            point,
            gap,
            distance,
            tangent,
            normal,
            stretch,
            bend,
            third: [0.0; 2],
            rate: dot(along, slope) - distance * dot(normal, bend),
            along,
            curve,
            slant,
            trace,
            arm,
        }
    }

    /// s, m.
    pub fn s(&self) -> f64 {
        self.point.s
    }

    /// τ.
    pub(super) fn direction(&self) -> [f64; 2] {
        self.tangent.map(|t| self.stretch * t)
    }

    /// P less where the place that it is the foot of is counted from, m.
    pub(super) fn place(&self, at: &Placed) -> [f64; 2] {
        [0, 1].map(|i| at.place[i] - self.gap[i])
    }

    /// u/ρ and 1/ρ, which differ on the two elements that meet in a place.
    pub(super) fn by_rate(&self) -> [f64; 2] {
        [self.slant / self.rate, self.rate.recip()]
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
        if let Some(third) = path.third_on_body(&self.point) {
            let rotation = self.point.carriers(path)[0].rotation;
            self.third = turned(third, rotation.map_or(0.0, |r| q[r]));
            return;
        }
        let weights = path.third_derivatives(&self.point);
        self.third = [0.0; 2];
        for (l, node) in self.point.carriers(path).iter().enumerate() {
            for (i, &u) in node.position.iter().enumerate() {
                self.third[i] += weights[l] * q.get(u).way_from(at.from[i]);
            }
        }
    }

    /// Adds the unknowns that the path hangs on here.
    pub fn add_locals(&self, path: &Path, locals: &mut Locals) {
        let nodes = self.point.carriers(path);
        let [value, slope, bend] = &self.point.position;
        let [place, along, _] = self.trace.as_ref().unwrap_or(&self.point.position);
        for (l, node) in nodes.iter().enumerate() {
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
        if let (Some(arm), Some(unknown)) = (&self.arm, nodes[0].rotation) {
            let across = |d: [f64; 2]| [-d[1], d[0]];
            locals.path_arm = [arm[0], arm[1]];
            locals.push(Local {
                unknown,
                place: across(arm[0]).map(|c| -c),
                along: across(arm[1]),
                slope: across(arm[1]),
                bend: across(arm[2]),
                turn: 1.0,
                arm: Arm::Path,
                surface: false,
            });
        }
    }

    /// ∂d/∂z and ∂s/∂z.
    pub fn first(&self, local: &Local) -> [f64; 2] {
        let by_s = self.turns_off(local) / self.rate;
        [dot(self.normal, local.place) - self.slant * by_s, by_s]
    }

    /// ∂²d/∂z_i∂z_j and ∂²s/∂z_i∂z_j.
    pub fn second(&self, locals: &Locals, i: usize, j: usize, firsts: [[f64; 2]; 2]) -> [f64; 2] {
        let list = locals.as_slice();
        let (a, b) = (&list[i], &list[j]);
        let [[_, s_i], [_, s_j]] = firsts;
        let [place, slope] = locals.second(i, j);
        let (n, d, m) = (self.normal, self.distance, self.stretch);
        let bent = dot(n, self.bend);
        // n·(δτ + τ′ δs): the path turns by this over m.
        let turns = [dot(n, a.slope) + bent * s_i, dot(n, b.slope) + bent * s_j];
        let direction = self.direction();
        let direction_change = [0, 1].map(|k| b.slope[k] + self.bend[k] * s_j);
        let along_change = [0, 1].map(|k| b.along[k] + self.curve[k] * s_j);
        let place_change = [0, 1].map(|k| b.place[k] - self.along[k] * s_j);
        let rate_change = dot(direction, along_change) + dot(self.along, direction_change)
            - dot(place_change, self.bend)
            - d * (dot(n, b.bend) + dot(n, self.third) * s_j);
        let of_place = [0, 1].map(|k| place[k] - a.along[k] * s_j);
        let by_s = dot(direction_change, a.place)
            + dot(direction, of_place)
            + dot(place_change, a.slope)
            + d * (dot(n, a.bend) * s_j + dot(n, slope))
            - rate_change * s_i;
        let by_s = by_s / self.rate;
        let by_distance = d / (m * m) * turns[0] * turns[1] + dot(n, place)
            - dot(n, a.along) * s_j
            - dot(n, b.along) * s_i
            - dot(n, self.curve) * s_i * s_j
            - self.slant * by_s;
        [by_distance, by_s]
    }
}
