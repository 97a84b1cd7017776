//! Why a drawing gives no outline.

use super::{Drawn, Origin};
use crate::message::{rounded, shown};

/// Most faults of a kind that a message lists.
const LISTED: usize = 4;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DxfFault {
    /// The file cannot be read.
    #[error("{0}")]
    Format(String),
    #[error(
        "the drawing states no unit ($INSUNITS is {0}); state `scale`: 0.001 for millimetres, 0.0254 for inches, 1 for metres"
    )]
    Unit(String),
    #[error("{0}")]
    Entity(String),
    #[error("no curves; the layers with something in model space are: {0}")]
    NoCurves(String),
    #[error("{0} curves; allowed: {most}; simplify the drawing", most = super::MAX_CURVES)]
    Many(usize),
    #[error("{0}")]
    Open(String),
    #[error("{0}")]
    Branch(String),
    #[error("{0}")]
    Double(String),
}

/// How messages write lengths: as the drawing does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    /// Metres of a length of one in the drawing.
    pub scale: f64,
    pub unit: &'static str,
}

impl Shown {
    pub fn length(&self, length: f64) -> String {
        format!("{} {}", rounded(length / self.scale, 6), self.unit)
    }

    pub fn place(&self, at: [f64; 2]) -> String {
        let [x, y] = at.map(|x| rounded(x / self.scale, 9));
        format!("({x}, {y}) {}", self.unit)
    }
}

impl Origin {
    pub fn described(&self, layer: &str) -> String {
        format!("{} in layer `{}` ({})", self.kind, shown(layer), self.place)
    }
}

impl Drawn {
    pub fn described(&self) -> String {
        self.origin.described(&self.layer)
    }
}

/// The first of several descriptions, and how many more there are.
pub(super) fn listed(all: &[String]) -> String {
    let first = all[..all.len().min(LISTED)].join("; ");
    match all.len().saturating_sub(LISTED) {
        0 => first,
        more => format!("{first}; and {more} more"),
    }
}
