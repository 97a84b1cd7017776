//! What every kind of element can do.

use num_dual::DualNum;

use crate::numerics::lanes::LANES;

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
        &self, q: &[f64; N], force: &mut [f64; N], tangent: &mut [[f64; N]; N],
    ) -> f64;

    /// The strain energies of [`LANES`] elements with this kernel, J, at the local unknowns `q`, a lane for each.
    fn energies(&self, q: &[[f64; LANES]; N]) -> [f64; LANES] {
        std::array::from_fn(|lane| self.energy(&q.map(|lanes| lanes[lane])))
    }

    /// The internal forces of [`LANES`] elements with this kernel, and the tangents where there is room for them, a lane for each; returns
    /// the least stretches.
    fn forces(
        &self, q: &[[f64; LANES]; N], forces: &mut [[f64; LANES]; N],
        mut tangents: Option<&mut [[[f64; LANES]; N]; N]>,
    ) -> [f64; LANES] {
        std::array::from_fn(|lane| {
            let (mut force, mut tangent) = ([0.0; N], [[0.0; N]; N]);
            let local = q.map(|lanes| lanes[lane]);
            let stretch = match tangents {
                Some(_) => self.force_and_tangent(&local, &mut force, &mut tangent),
                None => self.force(&local, &mut force),
            };
            forces.iter_mut().zip(force).for_each(|(lanes, own)| lanes[lane] = own);
            if let Some(tangents) = &mut tangents {
                let entries = tangents.as_flattened_mut().iter_mut();
                entries.zip(tangent.as_flattened()).for_each(|(lanes, own)| lanes[lane] = *own);
            }
            stretch
        })
    }

    /// `factor` times the constant mass, kg and kg·m²; zero where unknowns share none.
    fn mass(&self, factor: f64) -> [[f64; N]; N];
}

/// Half of a matrix: (T + Tᵀ)/2 or (T − Tᵀ)/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Symmetric,
    Skew,
}

/// A [`Kernel`] whose strains ε resist their own rates, as in a dashpot beside each spring (Kelvin and Voigt):
///
/// ```text
/// F = Bᵀ C₀ ε̇,    ε̇ = B q̇,    B = ∂ε/∂q
/// ```
///
/// with the moduli C₀ = ∂²w/∂ε² of the strain energy w in the initial configuration, integrated over the element. In the initial configuration F = K₀ q̇ with the tangent
/// K₀; a rigid motion has no ε̇ and no force, wherever the element is, and q̇ᵀ F = ε̇ᵀ C₀ ε̇ is never negative.
pub trait Viscous<const N: usize>: Kernel<N> {
    /// F for a coefficient of 1 s, N and N·m, at the local unknowns `q` with the velocities `v`. Positions that turn with rotations of the rate φ̇ have
    /// the velocities of φ̇ + κ φ̇³, where κ is `circling` in s².
    fn viscous_force<D: DualNum<Primitive = f64> + Copy>(
        &self, q: &[D; N], v: &[D; N], circling: f64,
    ) -> [D; N];

    /// At `[q, v]`, with `[coefficient, factor, circling]` in s, 1/s and s²: `coefficient` times one half of ∂F/∂q in the lower triangle of
    /// `tangent`, where q̇ follows q with `factor`,
    ///
    /// ```text
    /// ∂F/∂q = Bᵀ C₀ (factor B + ∂ε̇/∂q) + (C₀ ε̇) ∂²ε/∂q²
    /// ```
    ///
    /// of which ∂ε̇/∂q at constant q̇ alone makes it unsymmetric; returns `coefficient` times F.
    fn viscous_tangent(
        &self, at: [&[f64; N]; 2], by: [f64; 3], half: Half, tangent: &mut [[f64; N]; N],
    ) -> [f64; N];
}
