//! When an imposed motion ends, as written.

use crate::model::de::{Name, Scalar};
use crate::model::form::choice;

choice! {
    /// When a motion ends.
    Release {
        /// the instant at which it ends
        Time "time" (Scalar) [number(&[Time], POSITIVE).named(&["Time at which {} ends"])];
        /// it ends where the slider of a joint passes a place of its path for the first time, in either direction
        Position "position" {
            /// the joint
            joint: Name;
            /// sliding coordinate on its path
            at: Scalar [number(&[Length], NOT_NEGATIVE).named(&["Sliding coordinate at which {} ends"])];
        };
    }
}
