//! Gaps and forces of sliders in numbers of any kind.

use num_dual::DualStruct;

use super::{Slider, SliderJoints};
use crate::system::State;
use crate::system::numbers::{Number, Numbers, Placed, size};

impl Slider {
    /// The gap in a state.
    pub fn gap_in<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let now = state.now();
        let gap = self.gap_of_state(now);
        state.with(gap, |by| self.gap_rate(now, &by.q))
    }

    /// F_N, N and M′ in a state.
    pub fn normal_force_of<N: Numbers<State>>(&self, state: &N) -> [N::Number; 3] {
        let [normal, moment] = self.pressing(None, state);
        let bearing = &self.bearing;
        if bearing.height() == 0.0 {
            let force = bearing.normal_force(normal, moment, N::Number::from(0.0));
            return [force, normal, moment];
        }
        let ([x, y], _) = self.path_slope(None, state);
        let friction = state.get(|s| s.sliders[self.index].friction) / size([x, y]);
        let force = bearing.normal_force(normal, moment, friction);
        let own = bearing.moment_at_faces(normal, moment, friction, force);
        [force, normal, own]
    }

    /// λ·n, with n normal to the current path, in N and λ₃ in N·m.
    pub fn pressing<S: Placed, N: Numbers<S>>(
        &self, kept: Option<usize>, at: &N,
    ) -> [N::Number; 2] {
        let ([x, y], _) = self.path_slope(kept, at);
        let force = |i: usize| at.get(|s| s.multipliers_of(self.index)[i]);
        let stretch = x.hypot(y);
        let normal = if stretch.re() > 0.0 {
            (force(1) * x - force(0) * y) / stretch
        } else {
            N::Number::from(0.0)
        };
        [normal, force(2)]
    }

    /// Y′ and r′ + ½ f′ λ₃ of the current path under slider `j`.
    pub fn path_slope<S: Placed, N: Numbers<S>>(
        &self, kept: Option<usize>, at: &N,
    ) -> ([N::Number; 2], N::Number) {
        let k = self.kinematics(at.now().places(), kept);
        let slid = |by: &S| by.places()[self.coordinate];
        let tangent = [0, 1].map(|i| {
            at.with(k.tangent[i], |by| {
                let turned = k.tangent_of(&self.path, by.places(), &self.unknowns);
                k.bend[i] * slid(by) + turned[i]
            })
        });
        let [_, rate, growth] = k.flexibility.map(|f| 0.5 * f);
        let moment = |at: &S| at.multipliers_of(self.index)[2];
        let now = moment(at.now());
        let spin = at.with(k.spin[0] + rate * now, |by| {
            (k.spin[1] + growth * now) * slid(by)
                + rate * moment(by)
                + k.spin_of(&self.path, by.places())
        });
        (tangent, spin)
    }
}

impl SliderJoints {
    /// F_f in a state, along the surface on which slider `j` moves, N; positive resists positive ds/dt.
    pub fn friction_force<N: Numbers<State>>(&self, j: usize, state: &N) -> N::Number {
        if !self[j].friction.acts {
            return N::Number::from(0.0);
        }
        state.get(|s| s.sliders[j].friction) / self.stretch_in(j, |_| None, state)
    }
}
