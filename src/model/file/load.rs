//! A load at a point, along a member or an edge, or through a body, as written.

use super::History;
use crate::model::de::{Name, Scalar};
use crate::model::form::keys;

keys! {
    /// A load. The names of its components as parameters depend on what they act on: see `check`.
    Load {
        /// where it acts
        point: Option<Name>;
        /// what carries it along its length or in a section, instead of `point`. Of a load at a point: whose end carries the moment,
        /// where several members turn on their own
        member: Option<Name>;
        /// what carries it along its length or at a place, instead of `point`: an edge of a body, `"BODY.EDGE"`
        edge: Option<Name>;
        /// what carries it, without a `point`; a rigid body needs a thickness, not `mass` and `inertia`
        body: Option<Name>;
        /// force along x; the direction stays
        fx: Option<Scalar> [number(&[Force], FINITE).default("0.0")];
        /// force along y; the direction stays
        fy: Option<Scalar> [number(&[Force], FINITE).default("0.0")];
        /// acts on the rotation of the point, of `member`'s end, or of the section of a member: where there is none, or are several, it is
        /// refused, and is no input
        moment: Option<Scalar> [number(&[Moment], FINITE).default("0.0")];
        /// along x per initial length; the direction stays
        qx: Option<Scalar> [number(&[LineLoad], FINITE).default("0.0")];
        /// along y per initial length; the direction stays
        qy: Option<Scalar> [number(&[LineLoad], FINITE).default("0.0")];
        /// along x per initial volume, at the centroid; the direction stays
        bx: Option<Scalar> [number(&[VolumeLoad], FINITE).default("0.0")];
        /// along y per initial volume, at the centroid; the direction stays
        by: Option<Scalar> [number(&[VolumeLoad], FINITE).default("0.0")];
        /// per initial length, or in N in one section: follows the deformed axis, to the left of `tangential`, on an edge into the body: a
        /// pressure is positive
        normal: Option<Scalar> [number(&[LineLoad, Force], FINITE).default("0.0")];
        /// per initial length, or in N in one section: follows the deformed axis from `from` to `to`, along an edge so that the body is
        /// on the left
        tangential: Option<Scalar> [number(&[LineLoad, Force], FINITE).default("0.0")];
        /// place of the section, measured from the beginning of the member or edge
        at: Option<Scalar> [number(&[Length], NOT_NEGATIVE).named(&["Place of the section under {}"])];
        /// `[s1, s2]`, the loaded part, measured from the beginning of the member or edge
        between: Option<[Scalar; 2]> [
            number(&[Length], FINITE)
            .default("the whole of it")
            .named(&["Beginning of the part under line {}", "End of the part under line {}"])
        ];
        /// factors at both ends of the loaded part, straight between them; `[0.0, 1.0]` is a triangle
        variation: Option<[Scalar; 2]> [
            number(&[Dimensionless], FINITE).default("`[1.0, 1.0]`").named(&[
                "Factor at the beginning of the part under line {}",
                "Factor at the end of the part under line {}",
            ])
        ];
        /// g: at the place x, in the initial configuration, the load is 1 + g·(x − c) times `bx`, `by`, with the centroid c.
        /// `[0.0, 2.0]` grows upwards and has, with `bx`, a moment about c
        gradient: Option<[Scalar; 2]> [
            number(&[SpatialFrequency], FINITE)
            .default("`[0.0, 0.0]`")
            .named(&["Change along x of volume {}", "Change along y of volume {}"])
        ];
        /// factor of time, [see below](#history)
        history: Option<History> [default("constant")];
    }
    at_least_one(&["point", "member", "edge", "body"]);
    at_most_one(&["member", "edge", "body"]);
    at_least_one(&["fx", "fy", "moment", "qx", "qy", "normal", "tangential", "bx", "by"])
        .because("forces at a point or at `at`, line loads along a member or an edge, loads per volume through a body");
    excludes("point", &["edge", "body", "qx", "qy", "normal", "tangential", "at", "between", "variation"]);
    excludes("body", &["qx", "qy", "normal", "tangential", "at", "between", "variation"]);
    excludes("at", &["qx", "qy", "between", "variation"]);
    excludes("edge", &["moment"]).because("the nodes of an edge have no rotation");
    needs("fx", &["point", "at"]);
    needs("fy", &["point", "at"]);
    needs("moment", &["point", "at"]);
    needs("bx", &["body"]);
    needs("by", &["body"]);
    needs("gradient", &["body"]);
}
