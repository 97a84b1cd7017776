//! Viscosity of groups of elements.

use num_dual::DualNum;

use super::{Block, Contribution, Coordinates, Elements, Entries, Rows};
use crate::elements::kernel::{Half, Viscous};

#[cfg(test)]
mod tests;

impl<K: Viscous<N>, const N: usize> Block<K, N> {
    /// The force of one element for a coefficient of 1 s, N and N·m: at `q`, of which `place(u, value)` makes the number of an unknown
    /// with its derivatives, with its `velocity(u)` and `circling`, the κ of [`Viscous::viscous_force`].
    #[inline(always)]
    pub fn viscous_force<D: DualNum<Primitive = f64> + Copy>(
        &self, element: usize, (q, circling): (&(impl Coordinates + ?Sized), f64),
        place: impl Fn(usize, f64) -> D, velocity: impl Fn(usize) -> D,
    ) -> [D; N] {
        let (kernel, local) = self.element(element, q);
        let (mut places, mut velocities) = ([D::zero(); N], [D::zero(); N]);
        for (i, &u) in self.unknowns_of(element).iter().enumerate() {
            (places[i], velocities[i]) = (place(u, local[i]), velocity(u));
        }
        kernel.viscous_force(&places, &velocities, circling)
    }

    #[inline(always)]
    fn viscous_forces<D: DualNum<Primitive = f64> + Copy>(
        &self, at: (&(impl Coordinates + ?Sized), f64), place: impl Fn(usize, f64) -> D,
        velocity: impl Fn(usize) -> D, mut visit: impl FnMut(&[usize], &[D]),
    ) {
        for element in 0..self.moves.len() {
            let force = self.viscous_force(element, at, &place, &velocity);
            let unknowns = self.unknowns_of(element);
            visit(unknowns, &force[..unknowns.len()]);
        }
    }

    #[inline(always)]
    fn viscous_tangents(
        &self, q: &(impl Coordinates + ?Sized), velocity: impl Fn(usize) -> f64, by: [f64; 3],
        half: Half, mut visit: impl FnMut(Contribution<'_>),
    ) {
        let mut tangent = [[0.0; N]; N];
        self.each(q, |element, kernel, unknowns, local| {
            let mut velocities = [0.0; N];
            for (v, &u) in velocities.iter_mut().zip(unknowns) {
                *v = velocity(u);
            }
            let force = kernel.viscous_tangent([local, &velocities], by, half, &mut tangent);
            visit(Contribution {
                element,
                unknowns,
                force: &force[..unknowns.len()],
                margin: 0.0,
                tangent: Some(Rows {
                    entries: Entries::Own(tangent.as_flattened()),
                    length: N,
                    places: self.places_of(element),
                }),
            });
        });
    }
}

impl Contribution<'_> {
    /// Calls `each` with two unknowns and their entry of the skew half of a tangent.
    pub fn skew_entries(&self, mut each: impl FnMut(usize, usize, f64)) {
        let Some(rows) = &self.tangent else { return };
        for (i, &u) in self.unknowns.iter().enumerate() {
            for (j, &w) in self.unknowns[..i].iter().enumerate() {
                let entry = rows.at(i, j);
                each(u, w, entry);
                each(w, u, -entry);
            }
        }
    }
}

impl Elements {
    /// Calls `visit` with the unknowns of each element and its [force](Viscous::viscous_force) for a coefficient of 1 s: at `q` with κ, of
    /// which `place(u, value)` makes the number of an unknown with its derivatives, with its `velocity(u)`.
    #[inline(always)]
    pub fn viscous_forces<D: DualNum<Primitive = f64> + Copy>(
        &self, at: (&(impl Coordinates + ?Sized), f64), place: impl Fn(usize, f64) -> D,
        velocity: impl Fn(usize) -> D, visit: impl FnMut(&[usize], &[D]),
    ) {
        of_any_kind!(self, block => block.viscous_forces(at, place, velocity, visit));
    }

    /// Calls `visit` with the viscous force of each element and one half of its tangent, where `by` are the coefficient (s), the
    /// factor with which velocities follow positions (1/s), and κ (s²).
    #[inline(always)]
    pub fn viscous_tangents(
        &self, q: &(impl Coordinates + ?Sized), velocity: impl Fn(usize) -> f64, by: [f64; 3],
        half: Half, visit: impl FnMut(Contribution<'_>),
    ) {
        of_any_kind!(self, block => block.viscous_tangents(q, velocity, by, half, visit));
    }
}
