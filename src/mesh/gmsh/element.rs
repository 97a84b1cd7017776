//! Gmsh's types of elements.

use std::fmt;

const ALLOWED: &str = "allowed: points, lines and triangles of order 1 to 4";
const SOLID: &str = "a solid; mesh the surface alone";

/// What an element is, with its order where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Point,
    Line(usize),
    Triangle(usize),
    /// A type that no body is made of: in groups that nothing uses it is no fault of the file.
    Other(Other),
}

/// A type of elements that is read and not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Other {
    kind: i32,
    dimension: i32,
    nodes: usize,
    /// What it is, and what to do about it.
    is: &'static str,
}

impl Shape {
    /// The shape of an element type.
    ///
    /// # Errors
    /// Of types whose nodes cannot be counted.
    pub fn of(kind: i32) -> Result<Shape, String> {
        let (dimension, nodes, is) = match kind {
            15 => return Ok(Shape::Point),
            1 => return Ok(Shape::Line(1)),
            8 => return Ok(Shape::Line(2)),
            26 => return Ok(Shape::Line(3)),
            27 => return Ok(Shape::Line(4)),
            28 => return Ok(Shape::Line(5)),
            2 => return Ok(Shape::Triangle(1)),
            9 => return Ok(Shape::Triangle(2)),
            21 => return Ok(Shape::Triangle(3)),
            23 => return Ok(Shape::Triangle(4)),
            3 => (2, 4, "quadrangles of 4 nodes; mesh without `Recombine`"),
            10 => (2, 9, "quadrangles of 9 nodes; mesh without `Recombine`"),
            16 => (2, 8, "quadrangles of 8 nodes; mesh without `Recombine`"),
            36 => (2, 16, "quadrangles of 16 nodes; mesh without `Recombine`"),
            37 => (2, 25, "quadrangles of 25 nodes; mesh without `Recombine`"),
            20 => (
                2,
                9,
                "triangles of order 3 without an inner node; mesh with `Mesh.SecondOrderIncomplete = 0`",
            ),
            22 => (
                2,
                12,
                "triangles of order 4 without inner nodes; mesh with `Mesh.SecondOrderIncomplete = 0`",
            ),
            24 => (
                2,
                15,
                "triangles of order 5 without inner nodes; mesh with `Mesh.ElementOrder = 4` or less",
            ),
            25 => (2, 21, "triangles of order 5; mesh with `Mesh.ElementOrder = 4` or less"),
            4 => (3, 4, SOLID),
            11 => (3, 10, SOLID),
            29 => (3, 20, SOLID),
            30 => (3, 35, SOLID),
            31 => (3, 56, SOLID),
            5 => (3, 8, SOLID),
            12 => (3, 27, SOLID),
            17 => (3, 20, SOLID),
            6 => (3, 6, SOLID),
            13 => (3, 18, SOLID),
            18 => (3, 15, SOLID),
            7 => (3, 5, SOLID),
            14 => (3, 14, SOLID),
            19 => (3, 13, SOLID),
            _ => {
                return Err(format!(
                    "elements of type {kind}, no type that is known here; {ALLOWED}"
                ));
            }
        };
        Ok(Shape::Other(Other { kind, dimension, nodes, is }))
    }

    /// 0 for points to 3 for solids.
    pub fn dimension(self) -> i32 {
        match self {
            Shape::Point => 0,
            Shape::Line(_) => 1,
            Shape::Triangle(_) => 2,
            Shape::Other(other) => other.dimension,
        }
    }

    pub fn node_count(self) -> usize {
        match self {
            Shape::Point => 1,
            Shape::Line(order) => order + 1,
            Shape::Triangle(order) => crate::numerics::triangle::node_count(order),
            Shape::Other(other) => other.nodes,
        }
    }
}

impl fmt::Display for Other {
    /// What it is, what to do about it, and what is allowed.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "elements of type {}, {}; {ALLOWED}", self.kind, self.is)
    }
}
