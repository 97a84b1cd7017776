//! All tolerances, limits and counts of the time integration and of equilibria, each with its unit and its reason; those of Newton's method are in
//! [its own room](crate::newton).

// Stages and steps

/// ρ∞ below which every step is one of TR-BDF2: generalized-α that damps more overshoots after a change of step.
pub(crate) const LEAST_RADIUS: f64 = 0.5;

/// After so many halvings another scheme replaces generalized-α: until then the step may only have been too long.
pub(crate) const HALVINGS_BEFORE_SWITCH: u32 = 3;

/// Parts of a step after which its rest is taken without a search for events, see `scheme.rs`: bounces that get shorter and shorter
/// have no last one.
pub(crate) const PARTS_OF_A_STEP: usize = 16;

/// Attempts by generalized-α after friction has changed, each with one more slider that slides, before the step remains one of implicit Euler.
pub(crate) const TRIALS_OF_ALPHA: usize = 4;

/// Share of the length of a step below which a communication step is extrapolated: what rounding and tolerances leave of velocities over h
/// would be its joint forces. The next step takes this time with its own inputs, so the share is that of an impulse that may be lost: small enough that no
/// host comes to the next one by such steps.
pub(crate) const UNRESOLVED: f64 = 1e-6;

// Steps as long as their error allows

/// Error over `solver.tolerance` above which a step is taken once more.
pub(crate) const ERROR_REFUSED: f64 = 2.0;

/// Share of the length at which the error would be `solver.tolerance`: few steps are refused.
pub(crate) const SAFETY: f64 = 0.9;

/// The least length of a step as a share of the one before.
pub(crate) const LEAST_CHANGE: f64 = 0.2;

/// Allowed length over that of the last step up to which the latter is kept: within a turn of a machine, or a vibration that steps
/// hardly resolve, what is allowed varies by that much.
pub(crate) const KEPT_UP_TO: f64 = 2.0;

/// Share of the way, in logarithms, that the length goes in a step towards a longer one: a change by a few per cent excites little.
pub(crate) const CREEP: f64 = 0.25;

/// Share of the longest step below which an error shortens a step no more: positions and velocities hardly change over it.
pub(crate) const SHORTEST: f64 = 1e-6;

/// Error over `solver.tolerance` that counts at least: below it nothing but rounding and the tolerances of Newton's method is left.
pub(crate) const LEAST_ERROR: f64 = 1e-8;

/// Steps that one communication step may take, those that fail among them: beyond, a host cannot have meant it.
pub const MOST_SUBSTEPS: u32 = 10_000_000;

// Accelerations and reported forces

/// τ as a share of the solver's step: what a step resolves feels (ω τ)² of S − M, and the next pass of the solution the square of that.
pub(crate) const INSTANT: f64 = 1e-3;

/// The least τ, s, where it is below the solver's step: the compliances τ²/m of joints stand beside sliding coordinates of order 1 and
/// have to stay above their rounding.
pub(crate) const LEAST_INSTANT: f64 = 1e-6;

/// Solutions that begin without accelerations and forces: friction that follows what presses converges quadratically, and each leaves
/// (ω τ)² of what the one before has left.
pub(crate) const INSTANT_SOLUTIONS: usize = 5;

/// Solutions in which friction and what presses have to agree: bearings and hinges press with the size of a force, which is not linear.
pub(crate) const MOST_INSTANT_SOLUTIONS: usize = 20;

/// Time with which contact sets are found, as a share of a step: accelerations are then those that stiffness lets through.
pub(crate) const SET_TIME: f64 = 0.25;

/// Share of the mechanism's size that is no motion over a short step.
pub(crate) const NO_MOTION: f64 = 1e-13;

/// Rounds after which sets that never fit together are taken as they are.
pub(crate) const SET_ROUNDS: usize = 4;

/// Share of the largest overload from which on what holds slides in the same round.
pub(crate) const RELEASED: f64 = 0.5;

/// Turn (rad) of a hinge's force up to which its size follows from the direction before: half its square is left out of the size.
pub(crate) const HINGE_TURN: f64 = 1e-3;

// Energy

/// ϑ, the error of the balance as a share of the largest energy, where the model states none.
pub(crate) const ENERGY_TOLERANCE: f64 = 1e-3;

/// Share of what is left of the energy tolerance that a step in contact layers may use.
pub(crate) const ENERGY_SHARE: f64 = 0.1;

/// Share of the energy tolerance that always counts as left.
pub(crate) const LEAST_ENERGY_LEFT: f64 = 0.01;

/// Share of the largest energy that a step may not leave unexplained: no length of a step has a solution where friction finds no force
/// (Painlevé's paradox), and what Newton's method finds there is none.
pub(crate) const ENERGY_WRONG: f64 = 0.03;

/// Roundings of the largest term of the balance that its terms gather.
pub(crate) const ENERGY_ROUNDINGS: f64 = 1e6;

// Events

/// Share of a step to which the place of an event is found.
pub(crate) const EVENT_SHARPNESS: f64 = 1e-9;

/// That share where [solutions go down to rounding](crate::newton::Corrections::to_rounding): what rounding of positions leaves of a gap that a step passes.
pub(crate) const EVENT_ROUNDING: f64 = 1e-13;

/// Share of a step within which an event is taken for one at its beginning or end: steps much shorter than the others give rough
/// accelerations, and still shorter ones none, as inertia drowns the stiffness of what has no mass.
pub(crate) const BORDER: f64 = 0.02;

/// The same for corners of loads, of which steep ramps have two close together.
pub(crate) const CORNER_BORDER: f64 = 1e-4;

/// Trials of a search for the place of an event: regula falsi needs less than half of them.
pub(crate) const EVENT_TRIALS: usize = 20;

/// Conditions closer together than this share of what is passed in the step are broken together.
pub(crate) const TOGETHER: f64 = 1e-3;

/// That share for impacts and ends of paths, which fix positions where they happen.
pub(crate) const TOGETHER_IF_SHARP: f64 = 1e-8;

/// Instants closer together than this share of a step are one.
pub(crate) const RELEASED_TOGETHER: f64 = 1e-6;

/// A slider that is farther from its place than this many times the way at its present speed is
/// not looked for; one that gets there all the same passes it unseen for less than a step.
pub(crate) const RELEASE_REACH: f64 = 2.0;

/// Share of a step in which what has no mass reaches equilibrium after a motion ends.
pub(crate) const AT_ONCE: f64 = 1e-4;

/// Rounding of a path's length relative to itself.
pub(crate) const LENGTH_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Share of the largest acting force below which the pull of a stop is rounding.
pub(crate) const NO_PULL: f64 = 1e-10;

/// Share of a path that a slider does not pass in one step of a sensible length.
pub(crate) const FAR_BEYOND_END: f64 = 0.1;

/// Events of one communication step beyond which they are only counted.
pub(crate) const RECORDED_EVENTS: usize = 10_000;

// Impacts and complementarity problems

/// Share of the kinetic energy that an impact may give by rounding.
pub(crate) const VELOCITY_ROUNDING: f64 = 1e-12;

/// How often the time of an impact is divided by ten until it gains no energy.
pub(crate) const SHORTENINGS: usize = 8;

/// Rounds in which normal forces and coefficients of friction that depend on them settle.
pub(crate) const FRICTION_ROUNDS: usize = 20;

/// Change of a coefficient of friction that ends these rounds.
pub(crate) const ROWS_SETTLED: f64 = 1e-9;

// Steps that are too long

/// Share of the mechanism's size, or angle in rad, that a step of a sensible length moves at most.
pub(crate) const SENSIBLE_MOVE: f64 = 0.01;

/// Length of a step, s, below which no step helps.
pub(crate) const NO_LENGTH: f64 = 1e-9;

/// Times the rounding that inertia has to be for a joint to close and forces to balance.
pub(crate) const CLEAR_OF_ROUNDING: f64 = 1e6;

// Equilibria

/// Stiffness of the springs on a node on its way to an equilibrium, relative to its own: the least.
pub(crate) const FAINTEST: f64 = 1e-13;

/// That stiffness at the beginning.
pub(crate) const FIRM: f64 = 1.0;

/// The largest.
pub(crate) const FIRMEST: f64 = 1e9;

/// Displacement relative to the mechanism's size, or rotation in rad, at which such a node is at rest.
pub(crate) const AT_REST: f64 = 1e-12;

/// Share of its own stiffness at which what is at rest is in equilibrium, also where nothing else supports it.
pub(crate) const NEUTRAL: f64 = 1e-6;

/// Steps towards an equilibrium after which there is none.
pub(crate) const MOST_STEPS: usize = 1000;

/// Steps at rest after which it is no use to go on where a smaller stiffness of those springs is not borne: the tangent is
/// singular to rounding, and no step leads anywhere.
pub(crate) const MOST_RESTS: u32 = 20;

/// Displacement relative to the mechanism's size, or rotation in rad, of a step towards an equilibrium: half a turn away there is another
/// position with the same forces, which leads elsewhere.
pub(crate) const LONGEST_STEP: f64 = 1.0;

/// Times its size that a mechanism moves towards an equilibrium before there is none.
pub(crate) const FARTHEST: f64 = 100.0;

/// Steps towards an equilibrium where contacts of surfaces have not reached it by Newton's method.
pub(crate) const MOST_ON_SURFACES: usize = 100;

/// Share of the energies of the motion by which an equilibrium may lie higher than what leads to it.
pub(crate) const CLIMBS: f64 = 1e-3;

/// Times the move that the tangent explains from which on a step is looked at.
pub(crate) const UNEXPLAINED_MOVE: f64 = 2.0;

/// Share of the move of the whole step below which a part of it is no jump.
pub(crate) const GOES_ON: f64 = 0.25;

/// Halvings after which what still moves is a jump: a path that bends like a root moves 1/32 then.
pub(crate) const SNAP_HALVINGS: usize = 10;

/// Moves relative to the mechanism's size, or in rad, that nobody sees.
pub(crate) const UNSEEN_MOVE: f64 = 1e-6;
