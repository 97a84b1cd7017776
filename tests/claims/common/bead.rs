//! A bead of 1 kg on a straight rigid path with a surface: the plainest thing that rides.

use super::mechanism::Mechanism;
use super::rigid_member;

/// What one test's bead has of its own.
pub struct Bead<'a> {
    pub step: f64,
    /// Length of the path, which begins at the origin, m, and its elements.
    pub length: f64,
    pub elements: usize,
    /// Where the bead is drawn, m.
    pub at: [f64; 2],
    /// Its velocity along x at the start, m/s.
    pub speed: f64,
    /// More keys of the joint's kind.
    pub contact: &'a str,
    /// Roughness and friction.
    pub surface: &'a str,
}

impl Bead<'_> {
    /// The model file.
    pub fn text(&self) -> String {
        let Bead { step, length, elements, at: [x, y], speed, contact, surface } = self;
        let path = rigid_member("m", ["a", "b"], *elements);
        Mechanism::new("Bead")
            .step(*step)
            .solver("spectral_radius = 0.8, position_tolerance = 1e-13")
            .points(format!("a = [0.0, 0.0], b = [{length:?}, 0.0], bead = [{x:?}, {y:?}]"))
            .add(path)
            .mass("bead", 1.0)
            .gravity(-9.81)
            .start("bead", format!("vx = {speed:?}"))
            .joint("bead", format!("cylindrical = {{ slider = 'bead', path = ['m']{contact} }}"))
            .and(surface)
            .outputs("points.bead.* energy.* solver.*")
            .text()
    }
}
