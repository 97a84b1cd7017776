//! The constraint of a sliding joint and the forces it exerts.
//!
//! With the slider's position Ŷ (and rotation r̂) and the path's node weights at s
//!
//! ```text
//! c_i = Ŷ_i − Σ w_l(s) Y_l,i   (i = 1, 2),     c_3 = r̂ − Σ w_l(s) r_l   (prismatic)
//! ```
//!
//! (Siqueira & Coda 2023, Eq. 7; rotations are measured from the initial directions, so that Δθ⁰
//! drops out on a straight path; on a curved one the angle α(s) by which the initial path has turned
//! since the slider's place in the drawing is added to Σ w_l(s) r_l in c_3 and in φ below). On a rough path the place Y on the axis is followed by the height h(s) along the
//! section, whose initial normal n⁰ (to the left of growing s) turns by φ = Σ w_l(s) r_l (Eq. 8):
//!
//! ```text
//! c_i = Ŷ_i − Σ w_l(s) Y_l,i − h(s) n_i,     n = R(φ) n⁰,     m = ∂n/∂φ
//! ```
//!
//! (of an edge without rotations n is normal to its tangent, see [`super::arm`]) and Y below stands for the place on the surface. The potential λ·c makes λ the force that the
//! slider exerts on the path, also on its rotations, with the lever h; the row of s reads
//! |Y′| F_f − Q_s = 0 with Q_s = λ·Y′ + λ₃ r′: friction acts along the surface, on which the slider moves by |Y′| ṡ.
//!
//! Under the moment λ₃ of a prismatic slider the path turns by f(s) λ₃ more than its elements let it ([`super::flexibility`]): c₃ = f λ₃, and Q_s
//! has the part ½ f′ λ₃² of the potential λ·c − ½ f λ₃².
//!
//! What friction sees of λ·n and λ₃ is said in [`crate::laws::bearing`].

use super::arm::{Arm, Section};
use super::path::{OnBody, Path, PathPoint};
use crate::laws::bearing::{Pressing, SliderBearing};
use crate::laws::friction::{Contact, Response};
use crate::numerics::plane::rotated;
use crate::numerics::positions::{Coordinates, Position, Positions};

/// Geometry of the path under a slider and the gap of the constraint.
#[derive(Debug, Clone, Copy)]
pub struct Kinematics {
    pub point: PathPoint,
    /// c: m, m, rad.
    pub gap: [f64; 3],
    /// dY/ds of the current path, of its surface where it is rough.
    pub tangent: [f64; 2],
    /// |Y′|, by which the slider moves along the surface per ds. Of the friction of an edge the mean of its nodes.
    pub stretch: f64,
    /// t, the unit tangent.
    pub direction: [f64; 2],
    /// d²Y/ds², 1/m.
    pub bend: [f64; 2],
    /// dr/ds and d²r/ds² of the path's rotation.
    pub spin: [f64; 2],
    /// f, f′ and f″, by which it turns under λ₃ beyond what its nodes do, 1/(N·m) per length.
    pub flexibility: [f64; 3],
    /// Where the path is rough or on a rigid body.
    pub arm: Option<Arm>,
}

/// What of a slider's kinematics is linear in the unknowns: that on the path's axis.
struct OnAxis {
    gap: [f64; 3],
    tangent: [f64; 2],
    bend: [f64; 2],
    spin: [f64; 2],
}

impl OnAxis {
    /// At the place `point`. Positions are measured from the node that carries the place most: the weights add up to 1 and their
    /// derivatives to 0.
    #[inline]
    fn of<Q>(path: &Path, point: &PathPoint, q: &Q, slider: &[usize]) -> OnAxis
    where
        Q: Coordinates + ?Sized,
    {
        let mut gap = [0.0; 3];
        let (mut tangent, mut bend, mut spin) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let nodes = point.carriers(path);
        let near = nodes.get(point.nearest(nodes.len()));
        let near = near.map_or([Position::default(); 2], |node| node.position.map(|u| q.place(u)));
        for (gap, (&u, near)) in gap.iter_mut().zip(slider.iter().zip(near)) {
            *gap = q.place(u).displacement_from(near);
        }
        let rotation = slider.get(2);
        if let Some(&r) = rotation {
            gap[2] = q.place(r).rounded;
        }
        for (l, node) in nodes.iter().enumerate() {
            for i in 0..2 {
                let y = q.place(node.position[i]).displacement_from(near[i]);
                gap[i] -= point.position[0][l] * y;
                tangent[i] += point.position[1][l] * y;
                bend[i] += point.position[2][l] * y;
            }
            if let (Some(_), Some(r)) = (rotation, node.rotation) {
                let r = q.place(r).rounded;
                gap[2] -= point.rotation[0][l] * r;
                spin[0] += point.rotation[1][l] * r;
                spin[1] += point.rotation[2][l] * r;
            }
        }
        OnAxis { gap, tangent, bend, spin }
    }
}

impl Kinematics {
    /// `q` holds all unknowns, `slider` the indices of Ŷ₁, Ŷ₂ and (prismatic) r̂.
    // In line, so that the point is not copied.
    #[inline]
    pub fn at(path: &Path, point: PathPoint, q: &Positions, slider: &[usize]) -> Kinematics {
        let OnAxis { gap, tangent, bend, spin } = OnAxis::of(path, &point, q, slider);
        let turned = path.turned(&point);
        let mut k = Kinematics {
            point,
            gap,
            tangent,
            stretch: 1.0,
            direction: [0.0; 2],
            bend,
            spin,
            flexibility: [0.0; 3],
            arm: None,
        };
        if slider.len() == 3 {
            k.gap[2] -= turned[0];
            k.spin[0] += turned[1];
            k.spin[1] += turned[2];
            k.flexibility = path.flexibility(&k.point);
        }
        if let Some(profile) = path.roughness() {
            let section = k.section(path, q, turned);
            k.rise(&section, profile.at(k.point.s));
        }
        if let Some(place) = k.point.on_body {
            k.turn_with_body(&place, k.point.turn(path, &k.point.rotation[0], q));
        }
        let [x, y] = k.tangent;
        k.stretch = (x * x + y * y).sqrt();
        k.direction = k.tangent.map(|x| x / k.stretch.max(f64::MIN_POSITIVE));
        k
    }

    /// On a straight line that nothing moves, with a `gap` (m) along it; across it lies the second direction.
    pub fn along_line(point: PathPoint, gap: f64) -> Kinematics {
        Kinematics {
            point,
            gap: [gap, 0.0, 0.0],
            tangent: [1.0, 0.0],
            stretch: 1.0,
            direction: [1.0, 0.0],
            bend: [0.0; 2],
            spin: [0.0; 2],
            flexibility: [0.0; 3],
            arm: None,
        }
    }

    /// The section at the axis, where the initial path has `turned`.
    fn section(&self, path: &Path, q: &Positions, turned: [f64; 3]) -> Section {
        let point = &self.point;
        let nodes = point.carriers(path);
        if nodes.iter().all(|node| node.rotation.is_some()) {
            let turn = |d: usize| point.turn(path, &point.rotation[d], q) + turned[d];
            return Section::turned([0, 1, 2].map(turn), path.elements()[point.element].normal);
        }
        let near = nodes[point.nearest(nodes.len())].position;
        let weights = path.third_derivatives(point);
        let third = [0, 1].map(|i| {
            let origin = q.place(near[i]);
            let places = nodes.iter().zip(&weights);
            let third =
                places.map(|(node, w)| w * q.place(node.position[i]).displacement_from(origin));
            third.sum()
        });
        Section::across([self.tangent, self.bend, third])
    }

    /// From the axis to the surface at the height [h, h′, h″] over a section.
    fn rise(&mut self, section: &Section, [h, slope, curvature]: [f64; 3]) {
        let (n, [rate, growth]) = (section.normal, section.rates);
        let m = [-n[1], n[0]];
        for i in 0..2 {
            self.gap[i] -= h * n[i];
            self.tangent[i] += slope * n[i] + h * rate * m[i];
            self.bend[i] += curvature * n[i]
                + 2.0 * slope * rate * m[i]
                + h * (growth * m[i] - rate * rate * n[i]);
        }
        self.arm = Some(Arm::of_surface(section, [h, slope]));
    }

    /// From the centre of mass of the rigid body that carries the path, turned by `angle`, to the place.
    fn turn_with_body(&mut self, place: &OnBody, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        let [arm, slope, bend] = (place.arm).map(|arm| rotated([cos, sin], arm));
        for i in 0..2 {
            self.gap[i] -= arm[i];
            self.tangent[i] += slope[i];
            self.bend[i] += bend[i];
        }
        self.arm.get_or_insert_default().add_body(arm, slope);
    }

    /// What a path that yields to the moment on it stores of it, J.
    pub fn turn_energy(&self) -> f64 {
        0.5 * self.gap[2] * self.gap[2] / self.flexibility[0]
    }

    /// The rate of c at constant s when the unknowns move with the velocities `rates`.
    pub fn gap_of(&self, path: &Path, rates: &[f64], slider: &[usize]) -> [f64; 3] {
        let mut gap = OnAxis::of(path, &self.point, rates, slider).gap;
        if let Some(arm) = &self.arm {
            let [turn, _] = self.turns(path, arm, rates);
            for (gap, lever) in gap.iter_mut().zip(arm.lever) {
                *gap -= lever * turn;
            }
        }
        gap
    }

    /// The rate of Y′ at constant s when the unknowns move with the velocities `rates`.
    pub fn tangent_of(&self, path: &Path, rates: &[f64], slider: &[usize]) -> [f64; 2] {
        let mut rate = OnAxis::of(path, &self.point, rates, slider).tangent;
        if let Some(arm) = &self.arm {
            let change = arm.tangent_change(self.turns(path, arm, rates));
            (rate.iter_mut().zip(change)).for_each(|(rate, change)| *rate += change);
        }
        rate
    }

    /// Changes of φ and φ′ at constant s by the changes `by` of the unknowns.
    pub fn turns(&self, path: &Path, arm: &Arm, by: &[f64]) -> [f64; 2] {
        let unknowns = path.turned_by(self.point.element);
        unknowns.fold([0.0; 2], |[turn, bend], unknown| {
            let [first, second] = arm.turning.by(&self.point, unknown);
            let change = by[unknown.unknown];
            [turn + first * change, bend + second * change]
        })
    }

    /// Change of r′ at constant s by the changes `by` of the unknowns.
    pub fn spin_of(&self, path: &Path, by: &[f64]) -> f64 {
        self.point.turn(path, &self.point.rotation[1], by)
    }

    /// Change of Y′ of the axis at constant s by the changes `by` of the unknowns.
    pub fn axis_tangent_of(&self, path: &Path, by: &[f64]) -> [f64; 2] {
        OnAxis::of(path, &self.point, by, &[]).tangent
    }

    /// Q_s = λ·Y′ + λ₃ r′ + ½ f′ λ₃², the contact force along the path, conjugate to s, N.
    pub fn tangential_force(&self, multipliers: &[f64; 3]) -> f64 {
        multipliers[0] * self.tangent[0]
            + multipliers[1] * self.tangent[1]
            + multipliers[2] * self.spin_under(0.5 * multipliers[2])
    }

    /// What has to vanish: c, of which f λ₃ is how the path yields.
    pub fn constraint(&self, multipliers: &[f64; 3]) -> [f64; 3] {
        let [x, y, turn] = self.gap;
        [x, y, turn - self.flexibility[0] * multipliers[2]]
    }

    /// Its derivatives by −s.
    pub fn slopes(&self, multipliers: &[f64; 3]) -> [f64; 3] {
        let [x, y] = self.tangent;
        [x, y, self.spin_under(multipliers[2])]
    }

    /// r′ + f′ `moment`.
    fn spin_under(&self, moment: f64) -> f64 {
        self.spin[0] + self.flexibility[1] * moment
    }

    /// n·c, m: how far the slider is to the left of the path.
    pub fn height(&self) -> f64 {
        let [nx, ny, _] = self.normal();
        self.gap[0] * nx + self.gap[1] * ny
    }

    /// n, to the left of growing s, and 0 for the rotation.
    pub fn normal(&self) -> [f64; 3] {
        let [tx, ty] = self.direction;
        [-ty, tx, 0.0]
    }

    /// λ·n, N; positive where the slider pushes to the left of growing s.
    pub fn signed_normal_force(&self, multipliers: &[f64; 3]) -> f64 {
        let [nx, ny, _] = self.normal();
        multipliers[0] * nx + multipliers[1] * ny
    }

    /// Q_s/|Y′|, the contact force along the surface, N: what friction bears there.
    pub fn force_along_surface(&self, multipliers: &[f64; 3]) -> f64 {
        self.tangential_force(multipliers) / self.stretch
    }
}

/// The row of s, |Y′| F_f − Q_s, linearised: coefficients of the variations of λ, Y′, r′ and s. The
/// part of s through Y′ and r′ is already in `by_s`.
#[derive(Debug, Clone, Copy)]
pub struct SlidingRow {
    pub residual: f64,
    pub by_multipliers: [f64; 3],
    pub by_tangent: [f64; 2],
    /// The part of `by_tangent` by |Y′|, which for the friction of an edge is no length of a tangent.
    pub by_stretch: f64,
    pub by_spin: f64,
    pub by_s: f64,
    /// ∂F_f/∂F_R; times Y′ it multiplies the slider's inertia force.
    pub by_resultant: f64,
    /// By a force that friction gets besides what it answers to F_N.
    pub by_added: f64,
    /// By the s at which v vanishes.
    pub by_origin: f64,
}

impl SlidingRow {
    /// Complete linearisation with the friction `response` to what its law has `seen`, under `pressing`, where `inertia_force` is (M q̈) of
    /// the slider (zero if it is not part of the law's resultant) and ∂ṡ/∂s = `factor`, 1/s.
    ///
    /// F_N varies with λ and, through n, with the nodes of the path and s, and v = |Y′| ṡ with |Y′|.
    pub fn with_friction(
        k: &Kinematics, multipliers: &[f64; 3], seen: &Contact, pressing: &Pressing,
        response: &Response, inertia_force: [f64; 2], factor: f64,
    ) -> SlidingRow {
        let (stretch, t) = (k.stretch, k.direction);
        let by_normal = pressing.by_normal * response.by_normal_force;
        let by_moment = pressing.by_moment * response.by_normal_force;
        let by_resultant = pressing.friction * response.by_resultant;
        let by_velocity = pressing.friction * response.by_velocity;
        let by_position = stretch * pressing.friction * response.by_position;
        let by_rate = stretch * stretch * by_velocity * factor;
        let resultant = seen.tangential_force + seen.inertia_force;
        let by_stretch = response.force + by_velocity * seen.velocity - by_resultant * resultant;
        // |Y′| ∂(λ·n)/∂Y′ = (1 − t tᵀ)(λ₂, −λ₁)
        let turned = [multipliers[1], -multipliers[0]];
        let along = turned[0] * t[0] + turned[1] * t[1];
        let by_tangent = [0, 1].map(|i| {
            by_normal * (turned[i] - along * t[i])
                + by_stretch * t[i]
                + by_resultant * (multipliers[i] + inertia_force[i])
                - multipliers[i]
        });
        let by_spin = (by_resultant - 1.0) * multipliers[2];
        SlidingRow {
            residual: stretch * response.force - k.tangential_force(multipliers),
            by_multipliers: [
                -stretch * by_normal * t[1] + (by_resultant - 1.0) * k.tangent[0],
                stretch * by_normal * t[0] + (by_resultant - 1.0) * k.tangent[1],
                stretch * by_moment + (by_resultant - 1.0) * k.spin_under(multipliers[2]),
            ],
            by_tangent,
            by_stretch,
            by_spin,
            by_s: by_rate
                + by_position
                + by_tangent[0] * k.bend[0]
                + by_tangent[1] * k.bend[1]
                + by_spin * k.spin[1]
                + 0.5 * by_spin * k.flexibility[2] * multipliers[2],
            by_resultant,
            by_added: stretch * pressing.friction,
            by_origin: -by_rate,
        }
    }

    /// The row of a slider that is kept at `place`.
    pub fn kept_at(s: Position, place: impl Into<Position>) -> SlidingRow {
        SlidingRow {
            residual: s.displacement_from(place),
            by_multipliers: [0.0; 3],
            by_tangent: [0.0; 2],
            by_stretch: 0.0,
            by_spin: 0.0,
            by_s: 1.0,
            by_resultant: 0.0,
            by_added: 0.0,
            by_origin: -1.0,
        }
    }
}

/// What the friction law sees of a slider whose s has the `rate` ṡ: speed and forces along the surface.
pub fn contact(
    k: &Kinematics, multipliers: &[f64; 3], bearing: SliderBearing, inertia_force: [f64; 2],
    rate: f64, stick_stiffness: f64, rested: bool,
) -> Contact {
    let tangential_force = k.force_along_surface(multipliers);
    let normal = k.signed_normal_force(multipliers);
    let [tx, ty] = k.direction;
    Contact {
        velocity: k.stretch * rate,
        normal_force: (bearing.press_with(normal, multipliers[2], tangential_force)).force,
        tangential_force,
        inertia_force: inertia_force[0] * tx + inertia_force[1] * ty,
        stick_stiffness,
        rested,
        ..Contact::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEARINGS: [SliderBearing; 3] = [
        SliderBearing::Point,
        SliderBearing::Ends { length: 0.3, height: 0.2 },
        SliderBearing::Layer { length: 0.3, height: 0.1 },
    ];

    fn kinematics(tangent: [f64; 2], spin: f64) -> Kinematics {
        let stretch = tangent[0].hypot(tangent[1]);
        Kinematics {
            tangent,
            stretch,
            direction: tangent.map(|x| x / stretch),
            spin: [spin, 0.0],
            ..Kinematics::along_line(PathPoint::without_nodes(0.0), 0.0)
        }
    }

    /// |Y′| F_f − Q_s with F_f = 0.4 F_N + 0.7 F_R + 1.3 v and ṡ = 2 m/s.
    fn row(bearing: SliderBearing, x: [f64; 6]) -> SlidingRow {
        let k = kinematics([x[0], x[1]], x[2]);
        let multipliers = [x[3], x[4], x[5]];
        let normal = k.signed_normal_force(&multipliers);
        let seen = contact(&k, &multipliers, bearing, [0.0; 2], 2.0, 0.0, false);
        let (pressing, response) = bearing.press(normal, multipliers[2], |force| Response {
            force: 0.4 * force + 0.7 * seen.tangential_force + 1.3 * seen.velocity,
            by_velocity: 1.3,
            by_normal_force: 0.4,
            by_resultant: 0.7,
            ..Response::default()
        });
        SlidingRow::with_friction(&k, &multipliers, &seen, &pressing, &response, [0.0; 2], 1.0)
    }

    #[test]
    fn the_row_is_linearised_by_tangent_spin_and_all_multipliers() {
        for (bearing, moment) in
            BEARINGS.into_iter().flat_map(|b| [0.2, -0.2, 3.0, -3.0].map(|m| (b, m)))
        {
            let at = [0.9, -0.5, 0.02, 7.0, 4.0, moment];
            let given = row(bearing, at);
            let exact = [
                given.by_tangent[0],
                given.by_tangent[1],
                given.by_spin,
                given.by_multipliers[0],
                given.by_multipliers[1],
                given.by_multipliers[2],
            ];
            for (i, exact) in exact.into_iter().enumerate() {
                let [high, low] = [1e-6, -1e-6].map(|d| {
                    let mut moved = at;
                    moved[i] += d;
                    row(bearing, moved).residual
                });
                let seen = (high - low) / 2e-6;
                assert!((seen - exact).abs() < 1e-7, "{bearing:?} {moment} {i}: {seen} {exact}");
            }
        }
    }
}
