//! Contacts of surfaces with paths, as written.

use super::Friction;
use crate::model::de::{Name, Scalar, Switch};
use crate::model::form::keys;

keys! {
    /// A surface that touches the faces of a guide.
    SurfaceContact {
        /// edges of bodies (`BODY.EDGE`) and faces of members (`MEMBER.left`, `MEMBER.right`: half the height of the section beside its
        /// axis, seen along it); several are in contact together, as both faces of a slider
        surface: Vec<Name>;
        /// members or edges, end to end, as of a [sliding joint](#jointsname); no corners, and nothing that the surface belongs to
        path: Vec<Name>;
        /// point at which s = 0
        start: Option<Name> [default("first end")];
        /// whether the path goes on where it begins
        #[serde(default)]
        closed: bool [default("false")];
        /// clear width between the two faces of the guide, half of it on each side of the path; 0: the path itself is the face, on both
        /// of its sides
        width: Option<Scalar> [
            number(&[Length], NOT_NEGATIVE)
            .default("0.0")
            .named(&["Clear width between the faces of the guide"])
            .acts(Acts::OnPositions)
        ];
        /// clearance on each side: each face is at `width`/2 + `clearance` from the path
        clearance: Option<Scalar> [
            number(&[Length], NOT_NEGATIVE)
            .default("0.0")
            .named(&["Clearance on each side"])
            .acts(Acts::OnPositions)
        ];
        /// `true`: nothing deforms, and the corners of a rigid surface hit the faces with friction
        /// ([below](#corners-of-rigid-bodies)); instead of a stiffness
        #[serde(default)]
        rigid: bool [default("false")];
        /// with `rigid = true`: the coefficient of restitution of a corner
        restitution: Option<Scalar> [
            number(&[Dimensionless], RESTITUTION)
            .default("0.0")
            .named(&["Coefficient of restitution of the corners"])
            .acts(Acts::Later)
        ];
        /// with `rigid = true`: whether friction acts in impacts
        #[serde(default)]
        impact_friction: bool [default("false")];
        /// stiffness of the contact layer by length of the surface, its pressure by length over its penetration; or
        /// `"penalty"` for hard contact: a hundred times the stiffness of the stiffest element below the surface (E t over the length of
        /// its side; of a member E A over the square of its height), of which `coulisse describe` prints the value
        stiffness: Option<Scalar> [
            number(&[Pressure], POSITIVE)
            .named(&["Stiffness of the contact layer by length of the surface"])
        ];
        /// instead of `stiffness`: equal springs at the nodes of the surface. Corners and short sides then count more than their length;
        /// for comparison with programs that do so
        node_stiffness: Option<Scalar> [
            number(&[Stiffness], POSITIVE).named(&["Stiffness of the springs at the nodes"])
        ];
        /// stiffness along the faces over that across them
        tangential_ratio: Option<Scalar> [
            number(&[Dimensionless], TANGENTIAL_RATIO)
            .default("1.0")
            .named(&["Stiffness along the faces over that across them"])
        ];
        /// largest penetration of a point, as a fraction of `clearance`, whatever its contact layer's stiffness: multipliers limit it ([below](#hard-contact-augmented-lagrangian))
        penetration: Option<Scalar> [
            number(&[Dimensionless], PENETRATION)
            .named(&["Share of the clearance by which a point is pressed in at the most"])
        ];
        /// a law with a coefficient of friction, one for all points; each sees its own normal force and velocity. Not those with memory,
        /// and not the printed form
        friction: Option<Friction> [default("none")];
        /// `false` or 0: the model is calculated as if this entry were not there. An expression, such as the name of a parameter, makes it a
        /// [switch](#switches)
        enabled: Option<Switch> [
            number(&[Truth], ON_OFF).default("true").named(&["Whether {} is there"]).acts(Acts::OnPositions)
        ];
    }
    exactly_one(&["stiffness", "node_stiffness", "rigid = true"]);
    excludes("rigid = true", &["tangential_ratio", "penetration"]).because("they are of a contact layer");
    needs("restitution", &["rigid = true"]).because("a contact layer stores the energy");
    needs("impact_friction = true", &["rigid = true"]).because("a contact layer has no impacts");
}
