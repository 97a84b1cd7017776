//! Plane bodies, as written.

use serde::Deserialize;

use super::Arc;
use crate::mesh::{HIGHEST_ORDER, MAX_TRIANGLES};
use crate::model::de::{DataFile, Labels, Name, Scalar};
use crate::model::form::{Facts, keys, words};
use crate::model::range::SIDE_TURN;
use crate::quantity::{POSITIVE, Quantity};

keys! {
    /// A plane body.
    Body {
        /// one of `[materials]`, with Poisson's ratio below 0.5. Must be given, but where `mass` and `inertia` are
        material: Option<Name>;
        /// of the body across its plane. Must be given, but without `material`
        thickness: Option<Scalar> [number(&[Length], POSITIVE)];
        /// `"plane_stress"`: thin, free to become thicker or thinner; `"plane_strain"`: a slice of a long body. Must be given, but where
        /// the body is rigid
        state: Option<PlaneState>;
        /// `true`: nothing in it is strained; see [rigid bodies](#rigid-bodies)
        #[serde(default)]
        rigid: bool [default("false")];
        /// of a rigid body, with `inertia`
        mass: Option<Scalar> [number(&[Mass], NOT_NEGATIVE).default("from the shape")];
        /// of a rigid body, with `mass`: its moment of inertia about its centre of mass
        inertia: Option<Scalar> [
            number(&[MomentOfInertia], NOT_NEGATIVE)
            .default("from the shape")
            .named(&["Moment of inertia of {} about its centre of mass"])
        ];
        /// a point: the centre of mass, with `mass` and `inertia`. It moves with the body only if `points` lists it, too
        center: Option<Name> [default("that of the area")];
        /// degree of the polynomials of the triangles and of their sides. Of a `mesh` file its own unless given, which raises it
        order: Option<Scalar> [count(1, HIGHEST_ORDER).default("3")];
        /// points that are nodes of the mesh, besides the ends of its edges: what names them then acts on the body. Of a rigid body points
        /// anywhere
        #[serde(default)]
        points: Vec<Name> [default("none")];
        /// a shape between four edges, in cells of two triangles
        patch: Option<Patch>;
        /// a shape inside an outline with holes
        outline: Option<Outline>;
        /// a shape [drawn](#drawings) in a CAD program
        drawing: Option<Drawing>;
        /// a [mesh](#meshes) of Gmsh
        mesh: Option<MeshFile>;
    }
    at_most_one(&["patch", "outline", "drawing", "mesh"]);
    at_least_one(&["patch", "outline", "drawing", "mesh", "mass and inertia and center and points"])
        .because("a rigid body of given mass needs no shape");
    exactly_one(&["material and thickness", "mass and inertia"]);
    exactly_one(&["state", "rigid = true"]).because("nothing is strained in a rigid body");
    needs("mass", &["rigid = true"]);
    needs("center", &["mass"]);
}

/// What is zero across the plane.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaneState {
    PlaneStress,
    PlaneStrain,
}

words!(PlaneState);

keys! {
    /// A body with four sides, divided into cells of two triangles.
    Patch {
        /// four edges, counter-clockwise, each beginning where the one before ends
        edges: Vec<Edge> [within("edge {number} of body {entry}")];
        /// cells along the first and third edge, and along the second and fourth
        cells: [Scalar; 2] [count(1, 10_000)];
    }
}

keys! {
    /// A body within a closed chain of edges, without those within others.
    Outline {
        /// a closed chain of edges: each begins where the one before ends
        edges: Vec<Edge> [within("edge {number} of body {entry}")];
        /// such chains inside, which do not touch
        #[serde(default)]
        holes: Vec<Vec<Edge>> [default("none").within("edge {number} of body {entry}")];
        /// length of the sides of triangles, such that there are at most 200,000 of them
        size: Scalar [size_of_triangles()];
        /// most that a side of a triangle turns on a curve; 30° unless given, that is 12 sides on a circle
        largest_turn: Option<Scalar> [turn_of_sides()];
    }
}

/// What is said of the fineness of a mesh that is made here.
impl Facts {
    fn size_of_triangles(self) -> Facts {
        self.number(&[Quantity::Length], POSITIVE).named(&["Length of the sides of triangles"])
    }

    fn turn_of_sides(self) -> Facts {
        let named = self.named(&["Most that a side of a triangle of {} turns on a curve"]);
        named.number(&[Quantity::Angle], SIDE_TURN).default("0.5236")
    }
}

keys! {
    /// The outline of a body in a drawing.
    Drawing {
        /// the name of a file beside the model
        file: DataFile;
        /// name of the layer of the body, or a list of them
        layers: Option<Labels> [default("all")];
        /// what a length of 1 in the drawing is in m; 0.001 for millimetres. A drawing without a unit needs it
        scale: Option<Scalar> [
            number(&[Dimensionless], POSITIVE)
            .default("from `$INSUNITS`")
            .named(&["What a length of 1 in the drawing of {} is in m"])
        ];
        /// ends of curves that are nearer to each other are joined, halfway
        tolerance: Option<Scalar> [
            number(&[Length], POSITIVE)
            .default("1e-6 of the drawing's extent")
            .named(&["Largest gap between curves of the drawing of {} that are joined"])
        ];
        /// edges end also where the direction jumps by more than this
        corner: Option<Scalar> [
            number(&[Angle], CORNER).default("none").named(&["Jump of the direction at which edges of {} end"])
        ];
        /// length of the sides of triangles, as that of an outline
        size: Scalar [size_of_triangles()];
        /// most that a side of a triangle turns on a curve, as that of an outline
        largest_turn: Option<Scalar> [turn_of_sides()];
    }
}

keys! {
    /// An edge from a point to another, or a whole circle or ellipse.
    Edge {
        /// its name within the body
        name: Name;
        /// the point where it begins, a node of the body
        from: Option<Name>;
        /// the point where it ends, a node of the body
        to: Option<Name>;
        /// its curve, as that of a [member](#membersname)
        arc: Option<Arc> [default("straight")];
        /// its curve, as that of a [member](#membersname)
        spline: Option<Vec<[Scalar; 2]>> [
            number(&[Length], FINITE).default("straight").named(&["{axis} of point {row} of the spline of {}"])
        ];
        /// without `from` and `to` a whole circle, as a hole or an outline by itself. With them the arc between them, counter-clockwise
        /// about the center, of any angle; all of the circle where both are the same point
        circle: Option<Circle>;
        /// the same of an ellipse
        ellipse: Option<Ellipse>;
        /// length of the sides of triangles along it in an outline, where it is not that of the whole
        size: Option<Scalar> [number(&[Length], POSITIVE).named(&["Length of the sides of triangles along {}"])];
    }
    together(&["from", "to"]);
    at_least_one(&["from", "circle.radius", "ellipse"]);
    at_most_one(&["circle", "ellipse", "arc", "spline"]);
}

keys! {
    /// A circle, or its part between the ends of an edge.
    Circle {
        /// a point
        center: Name;
        /// follows from `from` and `to` where there are these
        radius: Option<Scalar> [number(&[Length], POSITIVE)];
        /// `true`: the arc from `from` to `to` is the clockwise one
        #[serde(default)]
        clockwise: bool [default("false")];
    }
}

keys! {
    /// An ellipse, or its part between the ends of an edge.
    Ellipse {
        /// a point
        center: Name;
        /// `[a, b]`
        radii: [Scalar; 2] [
            number(&[Length], POSITIVE)
            .named(&["First radius of the ellipse", "Second radius of the ellipse"])
        ];
        /// from the x axis to the first radius
        rotation: Option<Scalar> [
            number(&[Angle], UP_TO_A_TURN).default("0").named(&["Rotation of the ellipse"])
        ];
        /// `true`: the arc from `from` to `to` is the clockwise one
        #[serde(default)]
        clockwise: bool [default("false")];
    }
}

keys! {
    /// A mesh that another program has made.
    MeshFile {
        /// the name of a file beside the model
        file: DataFile;
        /// the physical surface of the body by name or number, like `"rocker"` or `3`, or a list of several, like `["web", "flange"]`
        surface: Option<Labels> [default("the only one")];
        /// what a length of 1 in the file is in m; 0.001 for a file in millimetres. `coulisse check` asks about meshes larger than 100 m
        scale: Option<Scalar> [
            number(&[Dimensionless], POSITIVE)
            .default("1")
            .named(&["What a length of 1 in the mesh file of {} is in m"])
        ];
        /// how many pieces there are that no side of a triangle connects
        pieces: Option<Scalar> [count(1, MAX_TRIANGLES).default("1")];
    }
}
