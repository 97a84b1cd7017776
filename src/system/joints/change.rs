//! Small changes of what sliders have in the residual.

use num_dual::Dual64;

use super::found::Found;
use super::{Slider, SliderJoints};
use crate::joints::slider::Kinematics;
use crate::laws::friction::{Contact, Response};
use crate::system::numbers::{Numbers, Varied};
use crate::system::{Along, Constraint, Iterate, Linear, Residual};

impl Slider {
    /// Changes of its constraints in the border, where it stands at `k`, by the change `by`.
    fn change_constraints(
        &self, k: &Kinematics, (at, by): (&Iterate, &Iterate), border: &mut [f64],
    ) {
        let own = &at.sliders[self.index];
        let change = &by.sliders[self.index].multipliers;
        let ds = by.q[self.coordinate];
        let shifted = k.gap_of(&self.path, &by.q, &self.unknowns);
        let slopes = k.slopes(&own.multipliers);
        let given = [0.0, 0.0, k.flexibility[0] * change[2]];
        let shared: [f64; 3] = std::array::from_fn(|i| own.compliance[i] * change[i]);
        for i in 0..self.conditions() {
            border[self.border + 1 + i] = shifted[i] - slopes[i] * ds - given[i] - shared[i];
        }
    }

    /// Change of its equation of s, in the border of `out`, where this is `found` of it, by the change `by` and the changes `friction` of the numbers
    /// of its law.
    fn change_sliding(
        &self, found: &Found, (at, by): (&Iterate, &Iterate), friction: &[f64], out: &mut Residual,
    ) {
        let Found { k, row, response, seen } = found;
        let change_of = &by.sliders[self.index];
        let (path, change) = (&self.path, &change_of.multipliers);
        let ds = by.q[self.coordinate];
        let turned = k.tangent_of(path, &by.q, &self.unknowns);
        let spun = k.spin_of(path, &by.q);
        let mut sliding =
            row.by_s * ds + row.by_origin * change_of.velocity.origin.rounded + row.by_spin * spun;
        for (i, turned) in turned.iter().enumerate() {
            sliding += row.by_tangent[i] * turned;
            if self.friction.feels_inertia {
                sliding += row.by_resultant * out.change[self.unknowns[i]] * k.tangent[i];
            }
        }
        if let Some(seen) = seen {
            let remembered = Contact { memory: change_of.memory, ..Contact::default() };
            let law = at.tuning.friction(self.index);
            let change = law.change(seen, response, &remembered, friction);
            sliding += row.by_added * change.force;
        }
        for (by, change) in row.by_multipliers.iter().zip(change).take(self.conditions()) {
            sliding += by * change;
        }
        out.border[self.border] = sliding;
    }

    /// Change of |Y′| F_f by a `change` of its multipliers alone, where `inertia_forces` is M q̈; what sticks bears all of it.
    pub fn friction_by_multipliers(
        &self, at: &Iterate, inertia_forces: &[f64], change: &[f64; 3],
    ) -> f64 {
        let own = &at.sliders[self.index];
        if !self.friction.acts || own.constraint != Constraint::Path {
            return 0.0;
        }
        // The equation of s is |Y′| F_f − Q_s, or nothing but a position; |Y′| stays.
        let k = self.kinematics_in(at);
        let (row, _) = self.sliding(&k, at, inertia_forces);
        let slopes = k.slopes(&own.multipliers);
        (0..3).map(|i| (row.by_multipliers[i] + slopes[i]) * change[i]).sum()
    }

    /// Change of |Y′| F_f: on the path and outside stops the equation of s says that it is Q_s.
    pub fn friction_change(&self, at: &Iterate, by: &Iterate) -> f64 {
        let own = &at.sliders[self.index];
        if !self.friction.acts || own.constraint != Constraint::Path {
            return 0.0;
        }
        let varied = Varied { now: at, by };
        let (tangent, spin) = self.path_slope(own.decided.element, &varied);
        let force = |i: usize| varied.get(|at| at.sliders[self.index].multipliers[i]);
        (force(0) * tangent[0] + force(1) * tangent[1] + force(2) * spin).eps
    }
}

impl SliderJoints {
    /// Changes of what the law with memory of slider `j` remembers, of its work over the step and of what it stores, where `inertia_forces` is
    /// M q̈.
    pub fn memory_change(
        &self, j: usize, (at, by): (&Iterate, &Iterate), inertia_forces: &[f64], numbers: &[f64],
    ) -> Response {
        let (slider, own, change_of) = (&self[j], &at.sliders[j], &by.sliders[j]);
        if !slider.friction.remembers || own.constraint != Constraint::Path {
            return Response::default();
        }
        let k = self.place_in(j, at);
        let (_, response) = slider.sliding(&k, at, inertia_forces);
        let (seen, _) = slider.contact(&k, at, inertia_forces);
        let slid = by.q[slider.coordinate] - change_of.velocity.origin.rounded;
        let varied = Varied { now: at, by };
        let [normal, moment] = slider.pressing(own.decided.element, &varied);
        let stretch = self.stretch_in(j, |k| at.sliders[k].decided.element, &varied);
        let rate = own.velocity.at(at.q.get(slider.coordinate));
        let velocity = stretch * Dual64::new(rate, own.velocity.factor * slid);
        let along = Dual64::new(k.stretch * response.force, slider.friction_change(at, by));
        let normal_force = slider.bearing.normal_force(normal, moment, along / stretch);
        let by_contact = Contact {
            velocity: velocity.eps,
            normal_force: normal_force.eps,
            memory: change_of.memory,
            ..Contact::default()
        };
        (at.tuning.friction(j)).change(&seen, &response, &by_contact, numbers)
    }

    /// Keeps the sliders of `there`, which is an iterate beside `at`, on the path elements on which they are in `at`.
    pub fn keep_elements(&self, at: &Iterate, there: &mut Iterate) {
        for (slider, own) in self.iter().zip(&mut there.sliders) {
            let now = || slider.path.element_at(at.q[slider.coordinate]);
            let decided = at.sliders[slider.index].decided.element;
            own.decided.element = Some(decided.unwrap_or_else(now));
        }
    }

    /// Finds where the sliders of `at` stand and what their friction answers, where `inertia_forces` is M q̈; nothing of those off their path.
    pub fn find_all(&self, at: &Iterate, inertia_forces: &[f64], out: &mut Vec<Option<Found>>) {
        out.clear();
        out.extend(self.iter().map(|slider| {
            let own = &at.sliders[slider.index];
            if own.constraint == Constraint::Open {
                return None;
            }
            let k = self.place_in(slider.index, at);
            let (row, response) = slider.sliding(&k, at, inertia_forces);
            let acts = own.constraint == Constraint::Path && own.along != Along::Free;
            let seen = acts.then(|| slider.contact(&k, at, inertia_forces).0);
            Some(Found { k, row, response, seen })
        }));
    }

    /// Writes the changes of the constraints of sliders at `at` by the change `by` into their rows of the border.
    pub fn change_constraints(
        &self, (at, about): (&Iterate, &Linear), by: &Iterate, border: &mut [f64],
    ) {
        let varied = Varied { now: at, by };
        for (slider, found) in self.iter().zip(&about.sliders) {
            let Some(Found { k, .. }) = found else {
                border[slider.border..=slider.border + slider.conditions()].fill(0.0);
                continue;
            };
            slider.change_constraints(k, (at, by), border);
            if slider.carries_friction_of_edge() {
                let ways = slider.shares.iter();
                let ways = ways.map(|&(k, share)| share * by.q[slider.coordinate_of(k)]);
                border[slider.border + 1] += ways.sum::<f64>();
                self.add_change_of_edge(slider, &varied, border);
            }
        }
    }

    /// Adds the change of the forces of sliders at `at` by the change `by`, and by the changes `friction[law]` of the numbers of their laws, to
    /// `out`, where the change of M q̈ is known, and writes that of their equations in the border.
    pub fn add_changes(
        &self, (at, about): (&Iterate, &Linear), by: &Iterate, friction: &[Vec<f64>],
        out: &mut Residual,
    ) {
        let varied = Varied { now: at, by };
        self.change_constraints((at, about), by, &mut out.border);
        for (slider, found) in self.iter().zip(&about.sliders) {
            let Some(found) = found else {
                // No force; s follows the others, see `closest_point_rate`.
                continue;
            };
            slider.change_sliding(found, (at, by), &friction[slider.index], out);
            if slider.carries_friction_of_edge() {
                self.add_change_of_edge(slider, &varied, &mut out.border);
                let kept = |k: usize| at.sliders[k].decided.element;
                let stretch = self.stretch_in(slider.index, kept, &varied);
                out.border[slider.border] += found.row.by_stretch * stretch.eps;
            }
            let nodal = &mut out.nodal;
            slider.each_force_in(&found.k, &varied, |u, force| nodal[u] += force.eps);
        }
    }
}
