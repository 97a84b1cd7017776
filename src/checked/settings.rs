//! How a model is integrated, and what a host does by default.

/// The largest [`Solver::tolerance`]: above it the longest step decides, and not the error.
pub const LARGEST_TOLERANCE: f64 = 1e-3;

/// How the equations are integrated. See [`crate::solve`] for the equations themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct Solver {
    pub analysis: Analysis,
    pub method: Method,
    /// Longest substep Δt, s (> 0).
    pub step: f64,
    /// Whether the file says so; else `step` is the communication step, until [one is proposed](crate::modes::proposal).
    pub step_is_given: bool,
    /// Largest accepted error of a step relative to what moves; the length of steps then follows from it. `None`: equal steps.
    pub tolerance: Option<f64>,
    /// Spectral radius ρ∞ at infinite frequency, in [0, 1).
    pub spectral_radius: f64,
    /// Newton iterations before a step is halved (≥ 2).
    pub max_iterations: usize,
    /// Largest accepted ‖Δq‖/‖X‖ of the last correction (> 0).
    pub position_tolerance: f64,
    /// Largest accepted residual relative to the acting forces (> 0).
    pub force_tolerance: f64,
    /// Halvings of `step` before a step is given up.
    pub max_halvings: u32,
    /// Largest accepted error of the energy balance relative to the largest of the energies (> 0); where a
    /// communication step leaves more it is discarded.
    pub energy_tolerance: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// Inertia counts.
    Dynamic,
    /// Equilibrium at every step; time only orders the loads and motions.
    QuasiStatic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Generalized-α after two steps of TR-BDF2; constraints hold for positions and velocities.
    GeneralizedAlpha,
    /// Generalized-α with constraints on positions alone, as the papers print it.
    Index3GeneralizedAlpha,
    /// Newmark's method with constraints on positions alone.
    Newmark,
}

impl Method {
    /// Whether constraints hold for velocities, too.
    pub fn is_stabilised(self) -> bool {
        self == Method::GeneralizedAlpha
    }
}

/// What a host or the command does when nobody says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// End of the default run, s.
    pub stop_time: f64,
    /// Default communication step, s.
    pub communication_step: f64,
    /// Order of the polynomial in time by which real outputs go on between the events of Model Exchange: 0 holds them,
    /// 1 runs on with their rates.
    pub extrapolation_order: u8,
}
