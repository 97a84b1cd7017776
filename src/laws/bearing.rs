//! How a slider touches its guide: which normal forces press where it carries a normal force N and a moment M.
//!
//! A prismatic slider of length L and height h touches its guide with two faces, at ± h/2 across the path, of which one presses
//! with N_l ≥ 0 to the left of growing s, the other with N_r ≥ 0 to the right. Then N = N_l − N_r and friction sees
//!
//! ```text
//! F_N = N_l + N_r = S(N, M′),     M′ = M + (h/2) F_f N/F_N
//! ```
//!
//! M′ is the moment of the normal forces alone: friction F_f acts at the faces in the ratio of N_l and N_r, beside the axis. With
//! both ends of the slider
//!
//! ```text
//! S = max(|N|, 2|M′|/L),
//! ```
//!
//! with a contact layer along its length, on which the pressure is linear (r = 6|M′|/(|N| L)),
//!
//! ```text
//! S = |N| where r ≤ 1, else |N| (r + 1/r)/2 = 3|M′|/L + N² L/(12 |M′|).
//! ```
//!
//! F_f may depend on F_N, so that F_N is the solution of one equation. Its right-hand side has a slope below μ h/L by F_N, wherefore
//! there is one solution for μ h/L < 1; from there on both friction cones of a slider that stands across its guide contain each
//! other's contact, and it can be wedged without a load.

use num_dual::DualNum;

use super::friction::Response;

/// Most corrections of F_N; one that would leave the interval of the solution halves that instead.
const CORRECTIONS: usize = 100;

/// Change of F_N that is none, as a share.
const SETTLED: f64 = 4.0 * f64::EPSILON;

/// What of a slider touches its guide.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SliderBearing {
    /// A point: a moment presses nothing.
    #[default]
    Point,
    /// The pin of a hinge: N is the size of its force. An iterate of Newton's method may have N < 0, which presses nothing; F_N grows with N
    /// there, too, so that the next iterate does not take friction for what drives.
    Pin,
    /// Both ends of a slider with this length and height, m.
    Ends { length: f64, height: f64 },
    /// A contact layer along a slider with this length and height, m.
    Layer { length: f64, height: f64 },
}

/// F_N with its derivatives; where both ends begin to touch opposite sides, those of one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressing {
    /// F_N ≥ 0, N.
    pub force: f64,
    /// M′, N·m.
    pub moment: f64,
    /// ∂F_N/∂N.
    pub by_normal: f64,
    /// ∂F_N/∂M, 1/m.
    pub by_moment: f64,
    /// ∂F_N by a force that is added to what friction answers to F_N.
    pub by_friction: f64,
    /// ∂F_f by the same force; 1 where F_N does not follow friction.
    pub friction: f64,
}

impl SliderBearing {
    /// L, m; 0 of a point.
    pub fn length(&self) -> f64 {
        match *self {
            SliderBearing::Point | SliderBearing::Pin => 0.0,
            SliderBearing::Ends { length, .. } | SliderBearing::Layer { length, .. } => length,
        }
    }

    /// h, m.
    pub fn height(&self) -> f64 {
        match *self {
            SliderBearing::Point | SliderBearing::Pin => 0.0,
            SliderBearing::Ends { height, .. } | SliderBearing::Layer { height, .. } => height,
        }
    }

    /// The coefficient of friction from which on it would wedge across its guide, L/h.
    pub fn wedging(&self) -> f64 {
        if self.height() > 0.0 { self.length() / self.height() } else { f64::INFINITY }
    }

    /// F_N under N = `normal` (N) and M = `moment` (N·m) with the friction that `respond` answers to F_N, and that answer.
    pub fn press(
        &self, normal: f64, moment: f64, mut respond: impl FnMut(f64) -> Response,
    ) -> (Pressing, Response) {
        let lever = 0.5 * self.height();
        if lever == 0.0 {
            let pressing = self.press_on_axis(normal, moment);
            return (pressing, respond(pressing.force));
        }
        let [mut force, ..] = self.sum(normal, moment);
        // At |N| the right-hand side is not below F_N.
        let (mut low, mut high) = (normal.abs(), f64::INFINITY);
        let mut corrections = 0;
        loop {
            let response = respond(force);
            let share = if force > 0.0 { response.force / force } else { 0.0 };
            let own = moment + lever * share * normal;
            let [sum, by_normal, by_moment] = self.sum(normal, own);
            let feedback = if force > 0.0 { by_moment * lever * normal / force } else { 0.0 };
            let slope = 1.0 + feedback * (share - response.by_normal_force);
            let excess = sum - force;
            let settled = excess.abs() <= SETTLED * force;
            if settled || corrections == CORRECTIONS || !excess.is_finite() {
                let pressing = Pressing {
                    force,
                    moment: own,
                    by_normal: (by_normal + by_moment * lever * share) / slope,
                    by_moment: by_moment / slope,
                    by_friction: feedback / slope,
                    friction: 1.0 + response.by_normal_force * feedback / slope,
                };
                return (pressing, response);
            }
            if excess > 0.0 {
                low = low.max(force);
            } else {
                high = high.min(force);
            }
            let next = force + excess / slope;
            force = match (low..=high).contains(&next) {
                true => next,
                false if high.is_finite() => 0.5 * (low + high),
                false => sum,
            };
            corrections += 1;
        }
    }

    /// F_N where friction is the force `friction` (N), whatever F_N is.
    pub fn press_with(&self, normal: f64, moment: f64, friction: f64) -> Pressing {
        if self.height() == 0.0 {
            return self.press_on_axis(normal, moment);
        }
        let given = Response { force: friction, ..Response::default() };
        self.press(normal, moment, |_| given).0
    }

    /// F_N where friction acts on the axis.
    #[inline]
    fn press_on_axis(&self, normal: f64, moment: f64) -> Pressing {
        let [force, by_normal, by_moment] = self.sum(normal, moment);
        Pressing { force, moment, by_normal, by_moment, by_friction: 0.0, friction: 1.0 }
    }

    /// F_N in numbers that carry first derivatives.
    pub fn normal_force<D: DualNum<Primitive = f64> + Copy>(
        &self, normal: D, moment: D, friction: D,
    ) -> D {
        let found = self.press_with(normal.re(), moment.re(), friction.re());
        let change = |number: D, by: f64| match by {
            0.0 => D::from(0.0),
            _ => (number - number.re()) * by,
        };
        change(normal, found.by_normal)
            + change(moment, found.by_moment)
            + change(friction, found.by_friction)
            + found.force
    }

    /// M′ in numbers that carry derivatives, where F_N is `force`.
    pub fn moment_at_faces<D: DualNum<Primitive = f64> + Copy>(
        &self, normal: D, moment: D, friction: D, force: D,
    ) -> D {
        if self.height() == 0.0 || force.re() == 0.0 {
            return moment;
        }
        moment + friction * normal / force * (0.5 * self.height())
    }

    /// Normal forces of the end towards growing s and of the other under N and M′, N; positive ones press to the left.
    pub fn end_forces<D: DualNum<Primitive = f64> + Copy>(&self, normal: D, moment: D) -> [D; 2] {
        let levered = moment * (2.0 / self.length());
        [normal + levered, normal - levered].map(|twice| twice * 0.5)
    }

    /// How much of its length a contact layer bears with the face that carries more, under N and M′, m.
    pub fn contact_length<D: DualNum<Primitive = f64> + Copy>(&self, normal: D, moment: D) -> D {
        let length = self.length();
        let (n, m) = (normal.abs(), moment.abs() * 6.0);
        if m.re() <= n.re() * length {
            return D::from(length);
        }
        (n * length / m + 1.0) * (0.5 * length)
    }

    /// The largest force by length of a contact layer under N and M′, N/m.
    pub fn line_pressure<D: DualNum<Primitive = f64> + Copy>(&self, normal: D, moment: D) -> D {
        let length = self.length();
        (normal.abs() + moment.abs() * (6.0 / length)) / length
    }

    /// S, ∂S/∂N and ∂S/∂M′.
    #[inline]
    fn sum(&self, normal: f64, moment: f64) -> [f64; 3] {
        let (n, m) = (normal.abs(), moment.abs());
        let both = match *self {
            SliderBearing::Ends { length, .. } if 2.0 * m > n * length => {
                Some([2.0 * m / length, 0.0, 2.0 / length])
            }
            SliderBearing::Layer { length, .. } if 6.0 * m > n * length => {
                let share = n * length / (6.0 * m);
                let square = share * share;
                let slope = 3.0 / length;
                Some([slope * m * (1.0 + square), share, slope * (1.0 - square)])
            }
            SliderBearing::Pin => return [normal.max(0.0), 1.0, 0.0],
            _ => None,
        };
        let [sum, by_normal, by_moment] = both.unwrap_or([n, 1.0, 0.0]);
        [sum, by_normal * normal.signum(), by_moment * moment.signum()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: f64 = 0.3;

    fn bearings(height: f64) -> [SliderBearing; 2] {
        let length = LENGTH;
        [SliderBearing::Ends { length, height }, SliderBearing::Layer { length, height }]
    }

    /// N, M and F_f at random, of either sign, with |F_f| below 1.4 |N|.
    fn carried(count: u32) -> impl Iterator<Item = [f64; 3]> {
        (1..=count).map(|k| {
            let x = f64::from(k);
            let normal = 100.0 * (1.7 * x).sin();
            [normal, 20.0 * (2.9 * x).cos(), 1.4 * normal * (0.37 * x).sin()]
        })
    }

    #[test]
    fn the_force_is_that_of_the_pressures() {
        const CELLS: usize = 40_000;
        for [normal, moment, friction] in carried(50) {
            let [ends, layer] = bearings(0.15).map(|b| b.press_with(normal, moment, friction));
            let both = [1.0, -1.0].map(|side| normal / 2.0 + side * ends.moment / LENGTH);
            let sum = both[0].abs() + both[1].abs();
            assert!((ends.force - sum).abs() < 1e-12 * sum, "{ends:?}");
            let cell = LENGTH / CELLS as f64;
            let pressure = |k: usize| {
                let x = cell * (k as f64 + 0.5) - LENGTH / 2.0;
                normal / LENGTH + 12.0 * layer.moment * x / LENGTH.powi(3)
            };
            let sum: f64 = (0..CELLS).map(|k| cell * pressure(k).abs()).sum();
            // The midpoint rule with one kink.
            assert!((layer.force / sum - 1.0).abs() < 1e-8, "{layer:?} {sum}");
            // Friction at the faces has the moment that is missing.
            for found in [ends, layer] {
                let faces = [1.0, -1.0].map(|side| 0.5 * (found.force + side * normal));
                let by_friction = 0.075 * friction * (faces[0] - faces[1]) / found.force;
                assert!((found.moment - moment - by_friction).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        const SMALL: f64 = 1e-6;
        for bearing in bearings(0.15) {
            for at in carried(300) {
                let force = |[n, m, f]: [f64; 3]| bearing.press_with(n, m, f).force;
                let found = bearing.press_with(at[0], at[1], at[2]);
                let given = [found.by_normal, found.by_moment, found.by_friction];
                for (i, given) in given.into_iter().enumerate() {
                    let [low, high] = [-SMALL, SMALL].map(|d| {
                        let mut moved = at;
                        moved[i] += d;
                        force(moved)
                    });
                    let seen = (high - low) / (2.0 * SMALL);
                    // A kink may lie between.
                    let kink = (high + low - 2.0 * found.force).abs() > 1e-9 * found.force;
                    assert!(
                        kink || (seen - given).abs() < 1e-6 * (1.0 + given.abs()),
                        "{seen} {given}"
                    );
                }
            }
        }
    }

    #[test]
    fn coulomb_friction_at_the_faces_is_that_of_the_closed_form() {
        const FRICTION: f64 = 0.6;
        for bearing in bearings(0.4) {
            for [normal, moment, way] in carried(300) {
                let by_normal_force = FRICTION * way.signum();
                let mut asked = 0;
                let (found, response) = bearing.press(normal, moment, |force| {
                    asked += 1;
                    Response {
                        force: by_normal_force * force,
                        by_normal_force,
                        ..Response::default()
                    }
                });
                let own = moment + 0.2 * by_normal_force * normal;
                let exact = bearing.sum(normal, own)[0];
                assert!((found.force - exact).abs() < 1e-14 * exact);
                assert!((response.force - by_normal_force * exact).abs() < 1e-14 * exact);
                assert!(asked <= 3, "{asked}");
            }
        }
    }
}
