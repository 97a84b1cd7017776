//! Gmsh's types of elements.

/// What an element is, with its order where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Point,
    Line(usize),
    Triangle(usize),
}

impl Shape {
    /// The shape of an element type.
    ///
    /// # Errors
    /// What the type is instead, and what to do about it.
    pub fn of(kind: i32) -> Result<Shape, String> {
        let other = match kind {
            15 => return Ok(Shape::Point),
            1 => return Ok(Shape::Line(1)),
            8 => return Ok(Shape::Line(2)),
            26 => return Ok(Shape::Line(3)),
            27 => return Ok(Shape::Line(4)),
            2 => return Ok(Shape::Triangle(1)),
            9 => return Ok(Shape::Triangle(2)),
            21 => return Ok(Shape::Triangle(3)),
            23 => return Ok(Shape::Triangle(4)),
            3 => "quadrangles of 4 nodes; mesh without `Recombine`",
            10 => "quadrangles of 9 nodes; mesh without `Recombine`",
            16 => "quadrangles of 8 nodes; mesh without `Recombine`",
            36 => "quadrangles of 16 nodes; mesh without `Recombine`",
            37 => "quadrangles of 25 nodes; mesh without `Recombine`",
            20 => {
                "triangles of order 3 without an inner node; mesh with `Mesh.SecondOrderIncomplete = 0`"
            }
            22 => {
                "triangles of order 4 without inner nodes; mesh with `Mesh.SecondOrderIncomplete = 0`"
            }
            24 => {
                "triangles of order 5 without inner nodes; mesh with `Mesh.ElementOrder = 4` or less"
            }
            25 => "triangles of order 5; mesh with `Mesh.ElementOrder = 4` or less",
            28 => "lines of order 5; mesh with `Mesh.ElementOrder = 4` or less",
            4 | 11 | 29 | 30 | 31 => "tetrahedra; mesh the surface alone",
            5 | 12 | 17 => "hexahedra; mesh the surface alone",
            6 | 13 | 18 => "prisms; mesh the surface alone",
            7 | 14 | 19 => "pyramids; mesh the surface alone",
            _ => "no type that is known here",
        };
        Err(format!(
            "elements of type {kind}, {other}; allowed: points, lines and triangles of order 1 to 4"
        ))
    }

    pub fn node_count(self) -> usize {
        match self {
            Shape::Point => 1,
            Shape::Line(order) => order + 1,
            Shape::Triangle(order) => crate::numerics::triangle::node_count(order),
        }
    }
}
