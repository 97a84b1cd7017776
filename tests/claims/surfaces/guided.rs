//! A slider between the two faces of its guide.

use coulisse::joints::regime::Sense;
use coulisse::sliding::{Sliding, sliding};

use crate::common::check;
use crate::common::mechanism::Mechanism;

/// A slider between two faces, pulled along +x by `force` at `offset` over its middle.
#[derive(Debug, Clone)]
pub struct Guided {
    pub size: [f64; 2],
    pub cells: [usize; 2],
    pub order: usize,
    pub thickness: f64,
    pub stiffness: String,
    pub clearance: f64,
    pub friction: String,
    pub gravity: f64,
    pub force: f64,
    pub offset: f64,
    /// Along +y, N.
    pub push: f64,
    /// Which face the force enters through, or `volume`.
    pub enters: &'static str,
    pub more: String,
}

impl Guided {
    /// 27 nodes with equal springs.
    pub fn of_nodes(k: f64) -> Guided {
        Guided {
            size: [2.0, 0.8],
            cells: [8, 2],
            order: 1,
            thickness: 0.01,
            stiffness: format!("node_stiffness = {k:?}"),
            clearance: 0.0,
            friction: "static_coefficient = 0.31, coefficient = 0.3".into(),
            gravity: 9.81,
            force: 1500.0,
            offset: 1.2,
            push: 0.0,
            enters: "right",
            more: String::new(),
        }
    }

    pub fn text(&self) -> String {
        let Guided {
            size: [a, b],
            cells: [n, m],
            order,
            thickness,
            stiffness,
            clearance,
            friction,
            gravity,
            force,
            offset,
            push,
            ..
        } = self;
        let analysis = match self.more.contains("[damping") {
            true => "step = 1e-4\nspectral_radius = 0.8",
            false => "analysis = \"quasi_static\"\nstep = 1e-3",
        };
        // Tractions: uniform, and linear with the moment −F e about the middle.
        let edge = self.enters;
        let [pull, turn] = [force / b, 6.0 * force * offset / (b * b)];
        let push = push / b;
        let ramp = match self.more.contains("[damping") {
            true => "history.ramp = { duration = 0.02 }",
            false => "",
        };
        // The left face is walked downwards.
        let variation = match edge {
            "left" => "[1.0, -1.0]",
            _ => "[-1.0, 1.0]",
        };
        Mechanism::new("guided")
            .solver(analysis)
            .points(format!("from = [-3.0, {:?}]", 0.5 * b))
            .and(format!("to = [{:?}, {:?}], a = [0.0, 0.0]", 3.0 * a + 5.0, 0.5 * b))
            .and(format!("b = [{a:?}, 0.0], c = [{a:?}, {b:?}], d = [0.0, {b:?}]"))
            .material("steel", 210e9, 0.25, 7850.0)
            .body("slider", format!("material = 'steel', thickness = {thickness:?}"))
            .and(format!("state = 'plane_stress', order = {order}"))
            .patch("slider", [*m, *n], "right: b, upper: c, left: d, lower: a")
            .guide("guide", ["from", "to"], "elements = 1, order = 1")
            .contact("guide", "surface = ['slider.lower', 'slider.upper'], path = ['guide']")
            .and(format!("width = {b:?}, clearance = {clearance:?}, {stiffness}"))
            .and(format!("friction.coulomb = {{ {friction} }}"))
            .gravity(-gravity)
            .load("pull", format!("edge = 'slider.{edge}', qx = {pull:?}, {ramp}"))
            .load("turn", format!("edge = 'slider.{edge}', qx = {turn:?}"))
            .and(format!("variation = {variation}, {ramp}"))
            .load("push", format!("edge = 'slider.{edge}', qy = {push:?}, {ramp}"))
            .add(&self.more)
            .outputs("energy.*")
            .text()
    }

    /// Steady sliding along +x.
    pub fn slides(&self) -> Sliding {
        let simulation = built(&self.text());
        sliding(&simulation, &[], 0, Sense::Forward, 0.0)
            .unwrap_or_else(|fault| panic!("{fault}\n{self:?}"))
    }
}

pub fn built(text: &str) -> coulisse::system::System {
    let checked = check(text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    coulisse::system::System::build(&checked).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Damping that ends flutter.
pub const DAMPED: &str = "[damping.slider]\nbodies = [\"slider\"]\nstiffness_coefficient = 1e-4\n";
