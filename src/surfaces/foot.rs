//! The place of a path nearest to a point, followed from where it was, with its first and second derivatives.
//!
//! ```text
//! (X − Y(s))·Y′(s) = 0,    d = (X − Y)·n,    m = |Y′|,    ρ = m² − d n·Y″
//! δs = [Y′·a + d n·b]/ρ,   δd = n·a,         a = δX − δY(s),  b = δY′(s)
//! ```
//!
//! A surface at a distance from the path slips along it by δs, also where the path turns, so that what rubs does no work in a rigid
//! motion of both.

use super::local::{Arm, Local, Locals};
use super::point::{Placed, turned};
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
    /// X − Y, m.
    pub gap: [f64; 2],
    /// d, positive to the left of growing s, m.
    pub distance: f64,
    /// t and n.
    pub tangent: [f64; 2],
    pub normal: [f64; 2],
    /// m.
    pub stretch: f64,
    /// Y″ and Y‴, 1/m and 1/m².
    bend: [f64; 2],
    third: [f64; 2],
    /// ρ.
    rate: f64,
    /// D, D′ of a path on a rigid body, as it has turned.
    arm: Option<[[f64; 2]; 3]>,
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Y − `from`, Y′, Y″ and the turned arm at a place of a path.
struct OnPath {
    derivatives: [[f64; 2]; 3],
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
            arm: Some(arm),
        };
    }
    let mut derivatives = [[0.0; 2]; 3];
    for (l, node) in nodes.iter().enumerate() {
        for (i, &u) in node.position.iter().enumerate() {
            let place = q.get(u).way_from(at.from[i]);
            for (derivative, weights) in derivatives.iter_mut().zip(&point.position) {
                derivative[i] += weights[l] * place;
            }
        }
    }
    OnPath {
        derivatives,
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
            let slope = dot(foot.gap, foot.along());
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
        let point = path.point_on(path.element_at(s), s);
        let OnPath {
            derivatives: [place, slope, bend],
            arm,
        } = on_path(path, &point, q, at);
        let gap = [0, 1].map(|i| at.place[i] - place[i]);
        let stretch = slope[0].hypot(slope[1]);
        let tangent = slope.map(|c| c / stretch);
        let normal = [-tangent[1], tangent[0]];
        let distance = dot(gap, normal);
        Foot {
            point,
            gap,
            distance,
            tangent,
            normal,
            stretch,
            bend,
            third: [0.0; 2],
            rate: stretch * stretch - distance * dot(normal, bend),
            arm,
        }
    }

    /// s, m.
    pub fn s(&self) -> f64 {
        self.point.s
    }

    /// Y′.
    fn along(&self) -> [f64; 2] {
        self.tangent.map(|t| self.stretch * t)
    }

    /// Looks up Y‴, which only second derivatives ask for.
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
        for (l, node) in nodes.iter().enumerate() {
            if value[l] == 0.0 && slope[l] == 0.0 && bend[l] == 0.0 {
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
                    place: on(-value[l]),
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
                slope: across(arm[1]),
                bend: across(arm[2]),
                turn: 1.0,
                arm: Arm::Path,
            });
        }
    }

    /// ∂d/∂z and ∂s/∂z.
    pub fn first(&self, local: &Local) -> [f64; 2] {
        let by_distance = dot(self.normal, local.place);
        let along = self.stretch * dot(self.tangent, local.place)
            + self.distance * dot(self.normal, local.slope);
        [by_distance, along / self.rate]
    }

    /// ∂²d/∂z_i∂z_j and ∂²s/∂z_i∂z_j.
    pub fn second(&self, locals: &Locals, i: usize, j: usize, firsts: [[f64; 2]; 2]) -> [f64; 2] {
        let list = locals.as_slice();
        let (a, b) = (&list[i], &list[j]);
        let [[_, s_i], [d_j, s_j]] = firsts;
        let [place, slope] = locals.second(i, j);
        let (n, t, d, m) = (self.normal, self.tangent, self.distance, self.stretch);
        let bent = dot(n, self.bend);
        // n·(ΔY′ + Y″ Δs): the path turns by this over m.
        let turns = dot(n, b.slope) + bent * s_j;
        let by_distance = -turns / m * dot(t, a.place) - dot(n, a.slope) * s_j + dot(n, place);
        let slope_change = [0, 1].map(|k| b.slope[k] + self.bend[k] * s_j);
        let along = self.along();
        let place_change = [0, 1].map(|k| b.place[k] - along[k] * s_j);
        let rate_change = 2.0 * dot(along, slope_change)
            - dot(place_change, self.bend)
            - d * (dot(n, b.bend) + dot(n, self.third) * s_j);
        let of_place = [0, 1].map(|k| place[k] - a.slope[k] * s_j);
        let by_s = dot(slope_change, a.place) + dot(along, of_place) + d_j * dot(n, a.slope)
            - d * turns / m * dot(t, a.slope)
            + d * (dot(n, a.bend) * s_j + dot(n, slope))
            - rate_change * s_i;
        [by_distance, by_s / self.rate]
    }
}
