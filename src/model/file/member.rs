//! Materials, sections, members, masses and supports, as written.

use super::Arc;
use crate::model::de::{Name, Scalar, Switch};
use crate::model::form::{choice, keys};
use crate::nodes::Direction;

keys! {
    /// A material.
    Material {
        /// E
        young_modulus: Option<Scalar> [number(&[Pressure], POSITIVE).named(&["Young's modulus"])];
        /// G, instead of `poisson_ratio`
        shear_modulus: Option<Scalar> [number(&[Pressure], POSITIVE)];
        /// ν, instead of `shear_modulus`: G = E / 2(1 + ν)
        poisson_ratio: Option<Scalar> [number(&[Dimensionless], POISSON_RATIO).named(&["Poisson's ratio"])];
        /// ½ G (Ī₁ − 3) + ½ K (J − 1)²
        neo_hooke: Option<NeoHooke>;
        /// C₁₀ (Ī₁ − 3) + C₀₁ (Ī₂ − 3) + ½ K (J − 1)²
        mooney_rivlin: Option<MooneyRivlin>;
        /// C₁₀ (Ī₁ − 3) + C₂₀ (Ī₁ − 3)² + C₃₀ (Ī₁ − 3)³ + ½ K (J − 1)²
        yeoh: Option<Yeoh>;
        /// mass by volume
        density: Scalar [number(&[Density], NOT_NEGATIVE)];
    }
    exactly_one(&["young_modulus", "neo_hooke", "mooney_rivlin", "yeoh"]);
    needs("young_modulus", &["shear_modulus", "poisson_ratio"]);
    needs("shear_modulus", &["young_modulus"]);
    needs("poisson_ratio", &["young_modulus"]);
    at_most_one(&["shear_modulus", "poisson_ratio"]);
}

keys! {
    /// Neo-Hooke's law.
    NeoHooke {
        /// G
        shear_modulus: Scalar [number(&[Pressure], POSITIVE)];
        /// K
        bulk_modulus: Scalar [number(&[Pressure], POSITIVE)];
    }
}

keys! {
    /// Mooney and Rivlin's law.
    MooneyRivlin {
        /// C₁₀; its sum with C₀₁ is above 0
        c10: Scalar [number(&[Pressure], FINITE).named(&["Coefficient C10"])];
        /// C₀₁
        c01: Scalar [number(&[Pressure], FINITE).named(&["Coefficient C01"])];
        /// K
        bulk_modulus: Scalar [number(&[Pressure], POSITIVE)];
    }
}

keys! {
    /// Yeoh's law.
    Yeoh {
        /// C₁₀
        c10: Scalar [number(&[Pressure], POSITIVE).named(&["Coefficient C10"])];
        /// C₂₀
        c20: Scalar [number(&[Pressure], FINITE).named(&["Coefficient C20"])];
        /// C₃₀
        c30: Scalar [number(&[Pressure], FINITE).named(&["Coefficient C30"])];
        /// K
        bulk_modulus: Scalar [number(&[Pressure], POSITIVE)];
    }
}

choice! {
    /// The shape of a section.
    Section {
        /// a rectangle
        Rectangle "rectangle" {
            /// in the plane of the mechanism
            height: Scalar [number(&[Length], POSITIVE).named(&["Height of the rectangle"])];
            /// across that plane
            width: Scalar [number(&[Length], POSITIVE).named(&["Width of the rectangle"])];
            /// A_v, at most A; Timoshenko's is 5/6 of A
            shear_area: Option<Scalar> [
                number(&[Area], POSITIVE).default("the area A").named(&["Shear area of the rectangle"])
            ];
        };
        /// a circle
        Circle "circle" {
            /// of the circle
            diameter: Scalar [number(&[Length], POSITIVE).named(&["Diameter of the circle"])];
        };
        /// a tube
        Tube "tube" {
            /// of the tube
            outer_diameter: Scalar [number(&[Length], POSITIVE).named(&["Outer diameter of the tube"])];
            /// of its wall, at most half of the outer diameter
            thickness: Scalar [number(&[Length], POSITIVE).named(&["Thickness of the tube"])];
        };
        /// a rectangle with a rectangular hole and sharp corners
        HollowRectangle "hollow_rectangle" {
            /// in the plane of the mechanism
            height: Scalar [number(&[Length], POSITIVE).named(&["Height of the hollow rectangle"])];
            /// across that plane
            width: Scalar [number(&[Length], POSITIVE).named(&["Width of the hollow rectangle"])];
            /// of all four walls, at most half of the height and of the width
            thickness: Scalar [number(&[Length], POSITIVE).named(&["Wall thickness of the hollow rectangle"])];
        };
        /// an I-section bent about its strong axis, such as IPE 300: `height = 0.3, width = 0.15, web = 0.0071, flange = 0.0107, fillet =
        /// 0.015`. A channel has the same moments, with `fillet` left out
        Rolled "i_section" {
            /// in the plane of the mechanism, over both flanges
            height: Scalar [number(&[Length], POSITIVE).named(&["Height of the I-section"])];
            /// of the flanges, across that plane
            width: Scalar [number(&[Length], POSITIVE).named(&["Flange width of the I-section"])];
            /// thickness of the web, at most the width
            web: Scalar [number(&[Length], POSITIVE).named(&["Web thickness of the I-section"])];
            /// thickness of either flange, at most half of the height
            flange: Scalar [number(&[Length], POSITIVE).named(&["Flange thickness of the I-section"])];
            /// radius of the four fillets between web and flanges, for which there must be room
            fillet: Option<Scalar> [
                number(&[Length], NOT_NEGATIVE).default("0.0").named(&["Fillet radius of the I-section"])
            ];
            /// A_v, at most A; the web over the whole height unless given
            shear_area: Option<Scalar> [
                number(&[Area], POSITIVE).default("height · web").named(&["Shear area of the I-section"])
            ];
        };
        /// any section, by its moments
        Properties "properties" {
            /// A
            area: Scalar [number(&[Area], POSITIVE)];
            /// I = ∫η² dA
            second_moment: Scalar [number(&[SecondMoment], POSITIVE)];
            /// J = ∫η⁴ dA, at least I²/A
            fourth_moment: Option<Scalar> [
                number(&[FourthMoment], POSITIVE).default("1.8 I²/A, that of a rectangle")
            ];
            /// A_v, at most A: the shear stiffness is G A_v
            shear_area: Option<Scalar> [number(&[Area], POSITIVE).default("the area A")];
            /// twice the distance e of the outermost fibre from the axis (e = I/W with the section modulus W of tables). Without it
            /// there are no outputs of stress, and faces for contact lie where those of a rectangle with the same J/I would
            height: Option<Scalar> [
                number(&[Length], POSITIVE).default("unknown").named(&["Height of the section"])
            ];
        };
    }
}

keys! {
    /// A member of frame elements.
    Member {
        /// the point where it begins. Must be given, but with `edge`
        from: Option<Name>;
        /// the point where it ends, at a different place. Must be given, but with `edge`
        to: Option<Name>;
        /// number of elements, of equal length. Must be given but for a straight member with `rigid = true`; a straight one that supports
        /// or motions fix as a whole, such as a rail, needs no more than 1
        elements: Option<Scalar> [
            count(1, 100_000).default("1 if straight and `rigid = true`").named(&["Number of elements of {}"])
        ];
        /// instead of these, and without a curve or an order: an edge of a body, `"BODY.EDGE"`, whose positions it shares
        edge: Option<Name>;
        /// degree of the element's polynomials. 3 and 4 are the ones to use; 1 is far too stiff in bending, and so is 2 where it turns far
        order: Option<Scalar> [count(1, 4).default("3, or 1 if straight and rigid")];
        /// a circle from `from` to `to`
        arc: Option<Arc> [default("straight")];
        /// points on the way from `from` to `to`, in order: a smooth curve (C², that of a thin batten, without curvature at its ends)
        /// runs through them; up to 90° from one point to the next
        spline: Option<Vec<[Scalar; 2]>> [
            number(&[Length], FINITE).default("straight").named(&["{axis} of point {row} of the spline of {}"])
        ];
        /// with `section`: a member without both is `rigid`, or must be fixed as a whole by a support or motions
        material: Option<Name>;
        /// with `material`
        section: Option<Name>;
        /// mass by length beside that of material and section, such as a floor on a beam: it has inertia and weight, and no stiffness
        added_mass: Option<Scalar> [
            number(&[MassPerLength], NOT_NEGATIVE).default("0.0").named(&["Added mass by length of {}"])
        ];
        /// `true` adds the inertia of the section's rotation
        #[serde(default)]
        rotary_inertia: bool [default("false")];
        /// `true`: nothing in it is strained, and it moves as one; see [rigid members](#rigid-members)
        #[serde(default)]
        rigid: bool [default("false")];
        /// of a rigid member, with `inertia`
        mass: Option<Scalar> [number(&[Mass], NOT_NEGATIVE).default("from material and section")];
        /// of a rigid member, with `mass`: its moment of inertia about the middle of its axis
        inertia: Option<Scalar> [
            number(&[MomentOfInertia], NOT_NEGATIVE)
            .default("from material and section")
            .named(&["Moment of inertia of {} about its centre of mass"])
        ];
    }
    exactly_one(&["from and to", "edge"]);
    at_least_one(&["elements", "rigid = true", "edge"]);
    needs("arc", &["elements", "edge"]);
    needs("spline", &["elements", "edge"]);
    at_most_one(&["arc", "spline"]);
    together(&["material", "section"]);
    needs("added_mass", &["material and section"]);
    needs("mass", &["rigid = true"]);
    together(&["mass", "inertia"]);
    excludes("mass", &["material", "section"]);
    excludes("edge", &["elements", "order", "arc", "spline", "rigid = true"]).because("it follows the body's nodes");
    needs("edge", &["material and section"]).because("nothing else supports its sections");
}

keys! {
    /// A mass at a point.
    Mass {
        /// where it is
        point: Name;
        /// of translation
        mass: Scalar [number(&[Mass], NOT_NEGATIVE).named(&["Mass {entry}"])];
        /// at a point where no member ends only where something else acts on its rotation: a prismatic joint, a spring, a coupling, a
        /// moment, a support or a motion
        rotary_inertia: Option<Scalar> [number(&[MomentOfInertia], NOT_NEGATIVE).default("0.0")];
        /// whose end turns with the inertia, where several members turn on their own
        member: Option<Name>;
    }
}

keys! {
    /// What keeps its initial position.
    Support {
        /// what is fixed: a point
        point: Option<Name>;
        /// what is fixed: every node of a member; with `point` the rotation of that member's end
        member: Option<Name>;
        /// what is fixed: every node of an edge of a body (`"BODY.EDGE"`, along `x` and `y`)
        edge: Option<Name>;
        /// list of `"x"`, `"y"`, `"rotation"`, each once
        fix: Vec<Direction>;
        /// `false` or 0: the model is calculated as if this entry were not there. An expression, such as the name of a parameter, makes it a
        /// [switch](#switches)
        enabled: Option<Switch> [
            number(&[Truth], ON_OFF).default("true").named(&["Whether {} is there"]).acts(Acts::OnPositions)
        ];
    }
    at_least_one(&["point", "member", "edge"]);
    excludes("edge", &["point", "member"]);
}
