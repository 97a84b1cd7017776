//! Residual and tangent of the equations of motion at one iterate.
//!
//! ```text
//! M q̈ + D q̇ + F_int(q) − F_ext + (∂c/∂q)ᵀ λ = 0  nodal unknowns
//! F_f(v, F_N, F_R) − Q_s               = 0        each sliding coordinate
//! c(q, s)                              = 0        each multiplier
//! ```
//!
//! (Siqueira & Coda 2023, Eq. 25, at the end of the step: see [`crate::solve::alpha`] for why
//! that is the same as their Eq. 38.)

use super::sparse::largest;
use super::{Group, Iterate, MassFactor, System, Term, Workspace};
use crate::elements::group::{TangentRoom, Tangents};
use crate::linear::Singular;
use crate::numerics::positions::Positions;

/// Share of inertia in what rounding does to forces, see [`Workspace::stiffness`]: a single difference of positions is all of it that
/// is rounded. What a step of 1e-8 s lets pass with it is of the size of the joint forces' noise, and no more.
const INERTIA: f64 = 1.0 / 64.0;

/// ε of redundant constraints as a share of the displacement of the whole mass in a step by a unit force, 1/(f m): large enough that the
/// rounding of positions makes no force.
const COMPLIANCE: f64 = 1e-4;

impl System {
    /// Residual and the factored tangent, with all of damping; redundant constraints are [regularised](System::regularise).
    ///
    /// # Errors
    /// Where the tangent is singular all the same.
    pub(crate) fn factored_tangent(
        &self, at: &mut Iterate, work: &mut Workspace, mass_factor: MassFactor,
    ) -> Result<(), Singular> {
        loop {
            self.residual_and_tangent(at, work, mass_factor);
            if let Some(damped) = self.damped(at.flow.factor) {
                damped.add_skew_tangent(&self.equation, at, work);
            }
            let factored = work.matrix.factor();
            if factored.is_ok() || !self.regularise(at, mass_factor) {
                return factored;
            }
        }
    }

    /// Residual only.
    pub fn residual(&self, at: &Iterate, work: &mut Workspace) {
        self.evaluate(at, work, None);
    }

    /// Residual and the tangent of the linear system, with q̈ varying as `mass_factor`·q.
    pub fn residual_and_tangent(
        &self, at: &Iterate, work: &mut Workspace, mass_factor: MassFactor,
    ) {
        self.evaluate(at, work, Some(mass_factor));
    }

    fn evaluate(&self, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>) {
        self.find_passive(at, work, tangent.is_some());
        self.add_inertia_and_joints(at, work, tangent);
    }

    /// The residual where nothing but accelerations and the forces of joints differs from the last evaluation, and the `tangent` where K of the last
    /// one serves.
    pub(crate) fn evaluate_joints(
        &self, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>,
    ) {
        work.residual.copy_from_slice(&work.passive);
        if tangent.is_some() {
            work.matrix.clear_border();
        }
        self.add_inertia_and_joints(at, work, tangent);
    }

    /// Finds the forces that follow from positions and velocities alone, and with the `tangent` K; they are then in the residual and in the matrix, too.
    pub(crate) fn find_passive(&self, at: &Iterate, work: &mut Workspace, tangent: bool) {
        if tangent {
            self.set_constant_damping(at, work.matrix.restart());
            work.mass_factor = 0.0;
        }
        let mut scale = self.groups.evaluate(at, work, tangent);
        let forces = work.elastic.iter().zip(&at.external);
        for (r, (e, f)) in work.residual.iter_mut().zip(forces) {
            *r = e - f;
        }
        let mut loads = largest(&at.external);
        if let Some(damped) = self.damped(at.flow.factor) {
            scale = scale.max(damped.evaluate(&self.equation, at, work, tangent));
        }
        loads = loads.max(self.loads.lines.evaluate(&self.equation, at, work, tangent));
        scale = scale.max(self.surfaces.add_forces(at, work, &self.equation, tangent));
        loads = loads.max(self.springs.evaluate(&self.equation, at, work, tangent));
        work.passive.copy_from_slice(&work.residual);
        work.passive_scale = scale.max(loads);
        work.load_scale = loads;
        if tangent {
            work.matrix.take_diagonal(&mut work.stiffness);
            for stiffness in &mut work.stiffness {
                *stiffness = stiffness.abs();
            }
        }
    }

    fn add_inertia_and_joints(
        &self, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>,
    ) {
        self.mass.forces(&at.acceleration, &mut work.inertia_forces);
        (work.residual.iter_mut().zip(&work.inertia_forces)).for_each(|(r, force)| *r += force);
        let mut scale = work.passive_scale.max(largest(&work.inertia_forces));
        let before = work.mass_factor;
        if let Some(factor) = tangent {
            work.mass_factor = factor.unwrap_or(0.0);
        }
        scale = scale.max(self.sliders.evaluate(&self.equation, at, work, tangent.is_some()));
        if tangent.is_some() {
            let more = work.mass_factor - before;
            self.mass.add_to(&mut work.matrix.interior.values, more);
            for (e, stiffness) in work.stiffness.iter_mut().enumerate() {
                *stiffness += INERTIA * more * self.mass.of_entry(self.layout.diagonal(e));
            }
        }
        scale = scale.max(self.pins.evaluate(&self.equation, at, work, tangent.is_some()));
        scale = scale.max(self.hinges.evaluate(&self.equation, at, work, tangent.is_some()));
        self.pins.gaps(&at.q, 1.0, &mut work.border);
        if tangent.is_some() {
            (work.matrix).take_coupled(&work.stiffness, &mut work.borne);
            for (e, &u) in self.unknown.iter().enumerate() {
                if at.driven[u].is_some() {
                    work.matrix.pin(e);
                }
            }
        }
        work.force_scale = scale;
    }

    /// (K + `mass_factor`·M) v on the nodal unknowns.
    pub(crate) fn tangent_times(
        &self, q: &Positions, v: &[f64], mass_factor: f64, out: &mut [f64], room: &mut TangentRoom,
    ) {
        self.mass.forces(v, out);
        out.iter_mut().for_each(|f| *f *= mass_factor);
        for Group { elements, .. } in self.groups.iter() {
            elements.tangents(q, Tangents::All, room, |found| found.add_product(v, out));
        }
    }

    /// ε of redundant constraints, m/N; `None` where nothing has a mass, or in statics nothing a force.
    pub(crate) fn compliance(&self, at: &Iterate, mass_factor: MassFactor) -> Option<f64> {
        let Some(factor) = mass_factor else {
            let joints = at.sliders.iter().flat_map(|own| own.multipliers);
            let forces = joints.chain(at.external.iter().copied());
            let largest = forces.fold(0.0_f64, |most, force| most.max(force.abs()));
            let displacement = self.model.solver.position_tolerance * self.size;
            return (largest > 0.0).then(|| displacement / largest);
        };
        let mass: f64 = self.loads.gravity.weight[0].iter().map(|(_, mass)| mass).sum();
        (mass > 0.0).then(|| COMPLIANCE / (factor * mass))
    }

    /// Regularises contacts, and sliders that stick or may stick; returns whether any was not regularised before.
    pub(crate) fn regularise(&self, at: &mut Iterate, mass_factor: MassFactor) -> bool {
        let compliance = self.compliance(at, mass_factor);
        compliance.is_some_and(|e| self.sliders.regularise(at, e, mass_factor.is_some()))
    }

    /// Regularises what is regularised for another `mass_factor`.
    pub(crate) fn regularise_anew(&self, at: &mut Iterate, mass_factor: MassFactor) {
        if let Some(compliance) = self.compliance(at, mass_factor) {
            self.sliders.regularise_anew(at, compliance);
        }
    }
}
