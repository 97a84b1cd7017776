//! What the host of an instance takes part in, as it says when it makes one.

/// A host of FMI 2.0 takes part in nothing: its communication steps go to their ends in one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Host {
    /// Whether it speaks FMI 3.0, and so sees [more variables](super::Own).
    pub version_3: bool,
    /// Whether a communication step may end at an event.
    pub early_return: bool,
    /// Whether it is called back behind each step of the solver.
    pub updates: bool,
}

impl Host {
    /// One of FMI 3.0 that takes part in nothing else.
    pub const VERSION_3: Host = Host { version_3: true, early_return: false, updates: false };
}
