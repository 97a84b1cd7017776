//! Why an outline has no mesh.

use crate::mesh::flaw::place;
use crate::mesh::{Flaw, MAX_TRIANGLES};
use crate::message::{rounded, shown};

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OutlineFault {
    #[error("edges that turn by {} rad; allowed: above 0, up to 1.57", rounded(*.0, 4))]
    Turn(f64),
    #[error("mesh size {} m{}; allowed: above 0, up to {} m, the extent of the outline", rounded(*.size, 6), of(.side),
        rounded(*.extent, 4))]
    Size {
        size: f64,
        /// Where it is that of a side.
        side: Option<String>,
        extent: f64,
    },
    #[error(
        "mesh size {} m gives some {} triangles; allowed: {MAX_TRIANGLES}, as from a size of {} m",
        rounded(*.size, 6), rounded(*.triangles, 2), rounded(*.enough, 2)
    )]
    TooFine { size: f64, triangles: f64, enough: f64 },
    #[error(
        "edges are divided into more than {0} pieces, the most that are allowed; take a larger `size`, or leave thin and \
        short details out"
    )]
    Pieces(usize),
    #[error("{} has no sides; allowed: two or more", loop_name(*.0))]
    Empty(usize),
    #[error("side `{}` has no length, or no finite one, at {}", shown(.side), place(.at))]
    NoLength { side: String, at: [f64; 2] },
    #[error("side `{}` ends at {} and the next, `{}`, begins at {}; allowed: where it ends", shown(.side),
        place(.ends), shown(.next), place(.begins))]
    Open { side: String, next: String, ends: [f64; 2], begins: [f64; 2] },
    #[error("two edges are named `{}`; allowed: one, or sides that follow each other", shown(.0))]
    Twice(String),
    #[error("sides `{}` and `{}` meet at {} with an angle of {} degrees; allowed: 5 or more", shown(&.sides[0]),
        shown(&.sides[1]), place(.at), rounded(.angle.to_degrees(), 3))]
    Sharp { sides: [String; 2], at: [f64; 2], angle: f64 },
    #[error("side `{}` has a kink at {}; allowed: curves whose direction does not jump", shown(.side), place(.at))]
    Kink { side: String, at: [f64; 2] },
    #[error("{} at {}; allowed: sides that meet at their ends only", crossing(.sides), place(.at))]
    Crossing { sides: [String; 2], at: [f64; 2] },
    #[error("another side crosses side `{}` at {}; allowed: sides that meet at their ends only", shown(.side),
        place(.at))]
    Crossed { side: String, at: [f64; 2] },
    #[error("{} encloses no area", loop_name(*.0))]
    NoArea(usize),
    #[error("hole {hole}, whose first side is `{}`, lies {} at {}; allowed: inside the outline, outside other holes",
        shown(.side), .lies, place(.at))]
    Hole { hole: usize, side: String, lies: &'static str, at: [f64; 2] },
    #[error("no triangulation keeps all sides of the outline; take a smaller size")]
    NoTriangulation,
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

fn of(side: &Option<String>) -> String {
    side.as_ref().map_or(String::new(), |side| format!(" of side `{}`", shown(side)))
}

fn loop_name(index: usize) -> String {
    match index {
        0 => "the outline".to_string(),
        _ => format!("hole {index}"),
    }
}

fn crossing([a, b]: &[String; 2]) -> String {
    if a == b {
        format!("side `{}` crosses or touches itself", shown(a))
    } else {
        format!("sides `{}` and `{}` cross or touch", shown(a), shown(b))
    }
}
