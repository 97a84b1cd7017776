//! Ranges of numbers of the model file that belong to certain keys.

use crate::checked::LARGEST_TOLERANCE;
use crate::quantity::{Limit, SMALLEST};

/// Errors of a step from which the length of steps follows.
pub const STEP_ERROR: Limit = Limit {
    min: SMALLEST,
    max: LARGEST_TOLERANCE,
    text: "above 0, at most 0.001; 1e-4 is usual. For results that may be less accurate take equal steps",
};
pub const SPECTRAL_RADIUS: Limit = Limit {
    min: 0.0,
    max: 1.0_f64.next_down(),
    text: "from 0 to below 1; 0.9 is usual, at 1 the forces of the joints diverge",
};
/// Tolerances of Newton's method.
pub const TOLERANCE: Limit = Limit { min: SMALLEST, max: 1e-2, text: "above 0, at most 0.01" };
/// A polynomial of second order would need second derivatives, which forces have none of.
pub const EXTRAPOLATION_ORDER: Limit = Limit { min: 0.0, max: 1.0, text: "0 or 1" };
pub const POISSON_RATIO: Limit =
    Limit { min: (-1.0_f64).next_up(), max: 0.5, text: "above -1, at most 0.5" };
/// Angles of an arc: at 2π its chord vanishes.
pub const ARC_ANGLE: Limit = Limit {
    min: -6.2,
    max: 6.2,
    text: "from -6.2 to 6.2 rad; divide a longer arc into several members",
};
/// Most that a side of a triangle turns on a curve.
pub const SIDE_TURN: Limit = Limit { min: 0.01, max: 1.57, text: "from 0.01 to 1.57 rad" };
/// Jumps of the direction at which an edge ends.
pub const CORNER: Limit = Limit { min: 1e-3, max: 3.0, text: "from 0.001 to 3 rad" };
/// Damping ratios: overdamped modes are no vibrations, and their coefficients a slip of the pen.
pub const DAMPING_RATIO: Limit =
    Limit { min: 0.0, max: 1.0_f64.next_down(), text: "from 0 to below 1 (0.02 is 2 %)" };
pub const RESTITUTION: Limit =
    Limit { min: 0.0, max: 1.0, text: "from 0 (it stays) to 1 (it comes back as fast)" };
/// Of the clearance: below, rounding of positions moves a surface as far.
pub const PENETRATION: Limit = Limit { min: 1e-6, max: 1.0, text: "from 1e-6 to 1" };
pub const TANGENTIAL_RATIO: Limit = Limit { min: 1e-6, max: 1e6, text: "from 1e-6 to 1e6" };
/// Seeds are whole numbers that a floating-point number holds.
pub const SEED: Limit =
    Limit { min: 0.0, max: 9_007_199_254_740_992.0, text: "a whole number from 0 to 2^53" };
/// Switches of entries.
pub const ON_OFF: Limit = Limit { min: 0.0, max: 1.0, text: "`true` (1) or `false` (0)" };
/// Places on an edge.
pub const SHARE_OF_EDGE: Limit =
    Limit { min: 0.0, max: 1.0, text: "from 0, where the edge begins, to 1, where it ends" };
