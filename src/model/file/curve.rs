//! The curve of a member, as written.

use crate::model::de::Scalar;
use crate::model::form::choice;

choice! {
    /// An arc of a circle from the member's `from` to its `to`.
    Arc {
        /// `[x, y]`, a third point of it
        Through "through" ([Scalar; 2]) [
            number(&[Length], FINITE).named(&["{axis} of the point through which the arc of {} goes"])
        ];
        /// by which it turns on the way, positive to the left (counter-clockwise)
        Angle "angle" (Scalar) [
            number(&[Angle], ARC_ANGLE)
            .named(&["Angle by which {} turns from its beginning to its end"])
        ];
        /// the shorter way round, positive with its centre on the left of the way, at least half of the distance
        Radius "radius" (Scalar) [
            number(&[Length], FINITE).named(&["Radius of {}, positive with the centre on the left"])
        ];
    }
}
