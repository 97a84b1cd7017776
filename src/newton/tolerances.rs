//! All tolerances, limits and counts of Newton's method, each with its unit and its reason.

/// After so many iterations a slider stays on its path element: at a kink between two elements the iterates can hop to and fro for ever.
pub(crate) const KEEP_ELEMENT_AFTER: usize = 8;

/// From this iteration on what reverses is held for one correction: from one way of
/// sliding the solution of the other can be out of reach, and the iterates would change for ever.
pub(crate) const HOLD_AFTER: usize = 2;

/// From this iteration on the tangent of damping is whole: before that its symmetric half, with which solutions are quicker, mostly does.
pub(crate) const SKEW_AFTER: usize = 3;

/// A correction above this share of the one before asks for a new factorisation.
pub(crate) const SHRINKS_QUICKLY: f64 = 0.02;

/// That share where constraints hold for velocities, too: the matrix leaves out how these follow the positions, so that a new one is hardly
/// better.
pub(crate) const SHRINKS: f64 = 0.25;

/// Share of the tolerance of positions that may be left after a correction by a matrix of an earlier iterate, as corrections shrink: a step
/// divides it by h² for accelerations.
pub(crate) const SETTLED: f64 = 1e-3;

/// Share of the tolerance of positions up to which a correction need not be applied to an iterate that satisfies all equations.
pub(crate) const NEGLIGIBLE: f64 = 1e-4;

/// A correction above this share of the one before is rounding, where both are small.
pub(crate) const STAYS: f64 = 0.25;

/// Share of the tolerance of positions up to which constraints count as closed during the iterations: a step divides nothing
/// by what is left of them.
pub(crate) const CLOSED: f64 = 1e-3;

/// Share of an element's length by which a slider that stays on it may stand beside it in a solution: at a corner the
/// solution is on the prolongation of one of both; far beside it there is no path.
pub(crate) const BESIDE_ELEMENT: f64 = 0.1;

/// Iterations of the augmented Lagrangian of contacts: a contact layer as stiff as what it supports halves the penetration each time.
pub(crate) const AUGMENTATIONS: usize = 40;

/// Renewals of the multipliers of redundant constraints in one solution: each leaves 1e-4 of what the constraints are open by, unless they
/// contradict each other.
pub(crate) const RENEWALS: usize = 4;

/// Times what is allowed below which a message gives more digits: both would look the same.
pub(crate) const NEARLY: f64 = 1.1;

/// Rounding of positions relative to themselves, as it adds up.
pub(crate) const POSITION_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// ∂ṡ/∂s of a sliding velocity that is specified, as a share of 1/h: small enough not to be seen, and not singular.
pub(crate) const GIVEN_VELOCITY: f64 = 1e-4;

/// Share of the limit of static friction that redundant constraints leave free where they share their forces anew: far above what rounding and the
/// tolerances of a step make of forces, so that what rests is not looked at again in every step.
pub(crate) const MARGIN: f64 = 1e-6;

/// Change of a multiplier by a unit of another from which on both belong to forces that balance each other: one that does not answers with the
/// regularisation's share of a force, 1e-4.
pub(crate) const COUPLED: f64 = 1e-3;

/// Solutions that take a shift to forces that balance each other: each leaves 1e-4 of what does not.
pub(crate) const PROJECTIONS: usize = 3;

/// Rounds in which limits of static friction follow the forces that are shared: their linear parts converge quadratically.
pub(crate) const SHARINGS: usize = 6;
