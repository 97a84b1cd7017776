//! Outlines from drawings in DXF, the exchange format of CAD programs, as text and binary.
//!
//! Group codes come from the tokenizer of `cadkit-dxf`; what the entities mean follows Autodesk's DXF reference. All that is
//! drawn in model space on the chosen layers belongs to the body: what is no curve or point is refused, and nothing is left out
//! without a word.

mod chain;
mod content;
mod entity;
mod fault;
mod name;

pub use fault::DxfFault;

use super::Side;
use crate::axis::Axis;
use content::Content;

/// Gap between curves that are joined, beside the drawing, where no tolerance is stated.
pub const USUAL_TOLERANCE: f64 = 1e-6;

/// Most curves of an outline.
const MAX_CURVES: usize = 20_000;

/// What of a drawing belongs to a body, and how it is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice<'a> {
    /// All layers without any.
    pub layers: &'a [&'a str],
    /// Metres of a length of one in the drawing, where the drawing is not asked.
    pub scale: Option<f64>,
    /// Largest gap between curves that are joined, m.
    pub tolerance: Option<f64>,
    /// Edges end where the direction jumps by more than this, rad; without, only where the layer changes.
    pub corner: Option<f64>,
}

/// The outline of a body in the initial configuration, with the body on the left of every side.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub outer: Vec<Side>,
    pub holes: Vec<Vec<Side>>,
    /// Points that are on no edge, m.
    pub places: Vec<(String, [f64; 2])>,
    /// Layers that are several edges, with what they are.
    pub no_edges: Vec<(String, String)>,
    /// Layers with several points.
    pub no_points: Vec<(String, String)>,
}

/// A curve of the drawing.
#[derive(Debug, Clone)]
struct Drawn {
    /// m.
    curve: Axis,
    layer: String,
    origin: Origin,
}

/// A point of the drawing.
#[derive(Debug, Clone)]
struct Point {
    /// m.
    at: [f64; 2],
    layer: String,
}

/// What a curve is in the file.
#[derive(Debug, Clone, PartialEq)]
struct Origin {
    kind: String,
    /// Line of a text, byte of a binary file.
    place: String,
}

/// The outline that a drawing holds.
///
/// # Errors
/// What is no such file, or of a version before R10; units that are not stated; entities that are no curves; curves that do not
/// close, branch or lie upon each other, with their places.
pub fn read(bytes: &[u8], choice: &Choice<'_>) -> Result<Drawing, DxfFault> {
    let content = Content::of(bytes)?;
    let shown = content.unit(choice.scale)?;
    let (curves, points) = entity::read(&content, choice.layers, &shown)?;
    if curves.is_empty() {
        return Err(DxfFault::NoCurves(content.layers()));
    }
    if curves.len() > MAX_CURVES {
        return Err(DxfFault::Many(curves.len()));
    }
    let loops = chain::loops(curves, choice.tolerance, &shown)?;
    Ok(name::sides(loops, &points, choice.corner))
}
