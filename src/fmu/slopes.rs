//! Rates with which outputs run on.

use crate::system::TimeDerivatives;

/// Rates of outputs at the instant at which the mechanism stands, each found when it is first asked for. They
/// follow from the state and the last step alone.
#[derive(Debug, Default)]
pub(super) struct Slopes {
    pub derivatives: Option<TimeDerivatives>,
    /// Whether `derivatives` are those of the present state.
    pub known: bool,
    /// Rate of the output with a value reference; NaN until it has been asked for.
    pub rates: Vec<f64>,
}

impl Slopes {
    /// The state is another one; what has room keeps it.
    pub fn forget(&mut self) {
        if std::mem::take(&mut self.known) {
            self.rates.fill(f64::NAN);
        }
    }
}
