//! What a sliding joint does, as one number.

/// Regime of a sliding joint. The numbers are part of the interface and stay what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum JointRegime {
    Stick = 1,
    SlipForward = 2,
    SlipBackward = 3,
    AtEnd = 4,
    Separated = 5,
}

impl JointRegime {
    /// Each of them, in the order of their numbers.
    pub const ALL: [JointRegime; 5] = [
        JointRegime::Stick,
        JointRegime::SlipForward,
        JointRegime::SlipBackward,
        JointRegime::AtEnd,
        JointRegime::Separated,
    ];

    /// Name of the item in `modelDescription/types.xml`.
    pub fn name(self) -> &'static str {
        match self {
            JointRegime::Stick => "stick",
            JointRegime::SlipForward => "slip_forward",
            JointRegime::SlipBackward => "slip_backward",
            JointRegime::AtEnd => "at_end",
            JointRegime::Separated => "separated",
        }
    }

    /// The value that a host reads.
    pub fn number(self) -> f64 {
        f64::from(self as u8)
    }
}
