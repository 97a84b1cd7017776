//! What every kind of element can do.

/// An element by itself, with at most `N` unknowns; those that it does not have are zero.
pub trait Kernel<const N: usize> {
    /// Least stretch at which an equilibrium is still that of what the element stands for.
    const LEAST_STRETCH: f64;

    /// Of a kind whose places are measured from its first node, so that those of far nodes keep the digits by which they
    /// differ: how many unknowns a node has, the first two of which are its place.
    const FROM_FIRST_NODE: Option<usize> = None;

    /// What has become of an element below the least stretch, after "element 3 of member `arm`".
    fn crushed() -> String;

    /// Strain energy U, J, at the local unknowns `q`.
    fn energy(&self, q: &[f64; N]) -> f64;

    /// The internal force ∂U/∂q; returns the least stretch inside the element, which is 1 in the
    /// initial configuration.
    fn force(&self, q: &[f64; N], force: &mut [f64; N]) -> f64;

    /// The internal force and, in the lower triangle of `tangent`, ∂²U/∂q²; returns the least stretch.
    fn force_and_tangent(
        &self,
        q: &[f64; N],
        force: &mut [f64; N],
        tangent: &mut [[f64; N]; N],
    ) -> f64;

    /// `factor` times the constant mass, kg and kg·m²; zero where unknowns share none.
    fn mass(&self, factor: f64) -> [[f64; N]; N];
}
