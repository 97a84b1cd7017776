//! Probes, as written.

use crate::model::de::{Name, Scalar};
use crate::model::form::choice;
use crate::nodes::Direction;

choice! {
    /// A quantity to look at.
    Probe {
        /// transverse deflection of `point` from a line that starts at `from` and rotates with the section there; positive to the left, seen from
        /// `from` to `point`
        Deflection "deflection" {
            /// the point
            point: Name;
            /// the line goes through this point and turns with the section there
            from: Name;
            /// whose section at `from`, where several members turn on their own
            member: Option<Name>;
        };
        /// rotation of a section since the start
        Rotation "rotation" {
            /// where the section is
            point: Name;
            /// whose section, where several members turn on their own
            member: Option<Name>;
        };
        /// distance of two points
        Distance "distance" {
            /// one of them
            point: Name;
            /// the other
            from: Name;
        };
        /// displacement of a place on a member, in m or rad
        Displacement "displacement" {
            /// the member
            member: Name;
            /// place along it, measured from its `from`
            at: Scalar [number(&[Length], NOT_NEGATIVE).named(PLACE)];
            /// `"x"`, `"y"` or `"rotation"`
            direction: Direction;
        };
        /// displacement of one point relative to another, such as a storey's
        Drift "drift" {
            /// the point
            point: Name;
            /// the other one
            from: Name;
            /// `"x"` or `"y"`
            direction: Direction;
        };
        /// a section of a member, with the outputs `probes.NAME.normal`, `.shear`, `.moment` and `.stress`
        Section "section" {
            /// the member
            member: Name;
            /// place along it, measured from its `from`
            at: Scalar [number(&[Length], NOT_NEGATIVE).named(PLACE)];
        };
        /// distance of a place on a member from the straight line through both ends of the member, to the left of the way from `from` to
        /// `to` positive, less what it was in the initial configuration: the deflection that codes of practice limit
        Chord "chord" {
            /// the member
            member: Name;
            /// place along it, measured from its `from`
            at: Scalar [number(&[Length], NOT_NEGATIVE).named(PLACE)];
        };
        /// a place anywhere in a body, which moves with it
        Place "place" {
            /// the body
            body: Name;
            /// `[x, y]` in the initial configuration
            at: [Scalar; 2] [
                number(&[Length], FINITE).named(&["Initial {axis} of the place of {}"])
            ];
        };
        /// a place on an edge of a body
        EdgePlace "edge_place" {
            /// `"BODY.EDGE"`
            edge: Name;
            /// fraction of its initial length, from where it begins with the body on its left
            fraction: Scalar [
                number(&[Dimensionless], SHARE_OF_EDGE)
                .named(&["Place of {} on its edge, as a share of the edge's length"])
            ];
        };
    }
}

/// Name of a place along a member.
const PLACE: &[&str] = &["Place of {}, measured from the beginning of its member"];
