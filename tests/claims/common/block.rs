//! A block of 2 kg on a level path, F_N = 20 N: the plainest thing that rubs.

/// What one test's block has of its own; the rest is [`Block::default`].
use super::mechanism::Mechanism;
pub struct Block<'a> {
    pub step: f64,
    /// More lines of `[solver]`.
    pub solver: &'a str,
    /// Where the path begins and ends, and where the block is on it, m.
    pub path: [f64; 2],
    pub at: f64,
    /// More lines of `[points]`.
    pub points: &'a str,
    /// What the support of the path fixes.
    pub fix: &'a str,
    /// More keys of the joint.
    pub joint: &'a str,
    pub friction: &'a str,
    /// More sections.
    pub more: &'a str,
}

impl Default for Block<'_> {
    fn default() -> Self {
        Block {
            step: 1e-3,
            solver: "",
            path: [-10.0, 10.0],
            at: 0.0,
            points: "",
            fix: r#""x", "y", "rotation""#,
            joint: "",
            friction: "coulomb = { coefficient = 0.5 }",
            more: "",
        }
    }
}

impl Block<'_> {
    /// The model file.
    pub fn text(&self) -> String {
        let Block { step, solver, path: [left, right], at, points, fix, joint, friction, more } =
            self;
        Mechanism::new("block")
            .step(*step)
            .solver(solver)
            .points(format!("left = [{left:?}, 0.0], right = [{right:?}, 0.0]"))
            .and(format!("block = [{at:?}, 0.0], {points}"))
            .member("plane", ["left", "right"], "elements = 1, order = 1")
            .support("plane", format!("member = 'plane', fix = [{fix}]"))
            .mass("block", 2.0)
            .gravity(-10.0)
            .joint(
                "block",
                format!(
                    "cylindrical = {{ slider = 'block', \
                     path = ['plane']{joint} }}"
                ),
            )
            .and(format!("friction.{friction}"))
            .add(more)
            .text()
    }
}
