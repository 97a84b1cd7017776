//! Plane bodies, as written.

use serde::Deserialize;

use super::Arc;
use crate::model::de::{DataFile, Labels, Name, Scalar};

#[derive(Debug, Clone, Deserialize)]
pub struct Body {
    pub material: Option<Name>,
    pub thickness: Option<Scalar>,
    pub state: Option<PlaneState>,
    #[serde(default)]
    pub rigid: bool,
    pub mass: Option<Scalar>,
    pub inertia: Option<Scalar>,
    /// The centre of mass, where it is not that of the area.
    pub center: Option<Name>,
    pub order: Option<Scalar>,
    /// Points that are nodes of the mesh beside the ends of its edges.
    #[serde(default)]
    pub points: Vec<Name>,
    pub patch: Option<Patch>,
    pub outline: Option<Outline>,
    pub drawing: Option<Drawing>,
    pub mesh: Option<MeshFile>,
}

/// What is zero across the plane.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaneState {
    PlaneStress,
    PlaneStrain,
}

/// A body with four sides, divided into cells of two triangles.
#[derive(Debug, Clone, Deserialize)]
pub struct Patch {
    /// Counter-clockwise; the first and the third have as many cells each.
    pub edges: Vec<Edge>,
    pub cells: [Scalar; 2],
}

/// A body within a closed chain of edges, without those within others.
#[derive(Debug, Clone, Deserialize)]
pub struct Outline {
    pub edges: Vec<Edge>,
    #[serde(default)]
    pub holes: Vec<Vec<Edge>>,
    pub size: Scalar,
    /// Most that a side of a triangle turns on a curve, rad.
    pub largest_turn: Option<Scalar>,
}

/// The outline of a body in a drawing.
#[derive(Debug, Clone, Deserialize)]
pub struct Drawing {
    pub file: DataFile,
    pub layers: Option<Labels>,
    /// Metres of a length of one in the drawing.
    pub scale: Option<Scalar>,
    /// Largest gap between curves that are joined.
    pub tolerance: Option<Scalar>,
    /// Jump of the direction at which edges end.
    pub corner: Option<Scalar>,
    pub size: Scalar,
    pub largest_turn: Option<Scalar>,
}

/// An edge from a point to another, or a whole circle or ellipse.
#[derive(Debug, Clone, Deserialize)]
pub struct Edge {
    pub name: Name,
    pub from: Option<Name>,
    pub to: Option<Name>,
    pub arc: Option<Arc>,
    pub spline: Option<Vec<[Scalar; 2]>>,
    pub circle: Option<Circle>,
    pub ellipse: Option<Ellipse>,
    pub size: Option<Scalar>,
}

/// A circle, or its part between the ends of an edge.
#[derive(Debug, Clone, Deserialize)]
pub struct Circle {
    pub center: Name,
    pub radius: Option<Scalar>,
    #[serde(default)]
    pub clockwise: bool,
}

/// An ellipse, or its part between the ends of an edge.
#[derive(Debug, Clone, Deserialize)]
pub struct Ellipse {
    pub center: Name,
    pub radii: [Scalar; 2],
    /// From the x axis to the first of the radii.
    pub rotation: Option<Scalar>,
    #[serde(default)]
    pub clockwise: bool,
}

/// A mesh that another program has made.
#[derive(Debug, Clone, Deserialize)]
pub struct MeshFile {
    pub file: DataFile,
    pub surface: Option<Labels>,
    /// Metres of a length of one in the file.
    pub scale: Option<Scalar>,
    /// Pieces that no side of a triangle connects.
    pub pieces: Option<Scalar>,
}
