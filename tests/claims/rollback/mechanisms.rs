//! Random mechanisms: the bundled models with other meshes, numbers, steps and inputs.

use crate::common::edit::Edit;
use proptest::prelude::*;

use crate::common::bundled;
use crate::common::rig::{Step, Value};

/// A mechanism with its history, and a second history that is rolled back.
#[derive(Debug, Clone)]
pub struct Case {
    pub text: String,
    pub parameters: Vec<Value>,
    pub before: Vec<Step>,
    pub dropped: Vec<Step>,
    pub after: Vec<Step>,
}

/// What of a bundled model may vary.
struct Kind {
    model: &'static str,
    /// Texts of the file and their replacements; `{n}` is a number of elements, `{x}` a factor
    /// near 1.
    edits: &'static [(&'static str, &'static str)],
    /// Communication step, s.
    step: f64,
    /// Parameters that a host sets, about their value in the file.
    parameters: &'static [Value],
    inputs: &'static [f64],
}

const KINDS: &[Kind] = &[
    Kind {
        model: "quick_return",
        edits: &[
            ("elements = 10", "elements = {n}"),
            ("47.04e9", "{x}e10"),
            (", \"motions.crank.rate\"]", "]\ninputs = [\"motions.crank.rate\"]"),
        ],
        step: 2e-3,
        parameters: &[
            ("parameters.crank", 0.2),
            ("joints.N.friction.stribeck.static_coefficient", 0.35),
            ("joints.N.friction.stribeck.decay_velocity", 0.1),
        ],
        inputs: &[15.7],
    },
    Kind {
        model: "rabinowicz",
        edits: &[("mass = 20.0", "mass = \"20*{x}\""), ("step = 1e-3", "step = 1e-2")],
        step: 1.0,
        parameters: &[
            ("joints.block.friction.stribeck.static_coefficient", 0.6),
            ("joints.block.friction.stribeck.viscous_coefficient", 3.0),
        ],
        inputs: &[0.5, -196.2],
    },
    // Bristles that are bent, with their time at rest.
    Kind {
        model: "rabinowicz",
        edits: &[
            (
                "friction.stribeck = { static_coefficient = 0.6, kinetic_coefficient = 0.5, \
                 decay_velocity = 0.05 }",
                "friction.bristle = { stiffness = 100.0, static_coefficient = 0.6, \
                 kinetic_coefficient = 0.5, decay_velocity = 0.05, damping = 20.0, \
                 dwell_time = \"3*{x}\" }",
            ),
            ("friction.stribeck.*", "friction.bristle.*"),
            ("step = 1e-3", "step = 1e-2"),
        ],
        step: 1.0,
        parameters: &[
            ("joints.block.friction.bristle.stiffness", 100.0),
            ("joints.block.friction.bristle.dwell_time", 3.0),
        ],
        inputs: &[0.5, -196.2],
    },
    Kind {
        model: "moving_mass_on_bridge",
        edits: &[
            ("elements = 5", "elements = {n}"),
            ("speed = \"100/3.6\"", "speed = \"150*{x}\""),
            ("outputs = [\"probes", "inputs = [\"loads.weight.fy\"]\noutputs = [\"probes"),
        ],
        step: 1e-2,
        parameters: &[],
        inputs: &[-15e3],
    },
    Kind {
        model: "tensile_buckling",
        edits: &[
            ("elements = 10", "elements = {n}"),
            ("deg(2)", "deg(2*{x})"),
            ("parameters = [\"motions", "inputs = [\"motions"),
        ],
        step: 5.0,
        parameters: &[],
        inputs: &[1e-3],
    },
    Kind {
        model: "incline",
        edits: &[(", \"gravity.y\"]", "]\ninputs = [\"gravity.y\"]")],
        step: 2e-2,
        parameters: &[
            ("parameters.angle", 0.6),
            ("joints.block.friction.stribeck.kinetic_coefficient", 0.4),
        ],
        inputs: &[-9.8],
    },
    Kind {
        model: "incline_prismatic",
        edits: &[],
        step: 2e-2,
        parameters: &[
            ("parameters.angle", 0.6),
            ("joints.block.friction.stribeck.decay_velocity", 0.1),
            ("gravity.y", -9.8),
        ],
        inputs: &[],
    },
    Kind {
        model: "cantilever_rollup",
        edits: &[(
            "outputs = [\"points.tip.x",
            "inputs = [\"loads.tip.moment\"]\noutputs = [\"points.tip.x",
        )],
        step: 0.05,
        parameters: &[],
        inputs: &[1e3],
    },
];

impl Kind {
    fn text(&self, n: u32, x: f64) -> String {
        let mut text = bundled(self.model);
        for (old, new) in self.edits {
            let new = new.replace("{n}", &n.to_string()).replace("{x}", &x.to_string());
            text = text.edit(old, &new);
        }
        text
    }

    fn steps(&'static self, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Step>> {
        // One in eight is far shorter than the solver's.
        let share = prop_oneof![7 => 0.05..1.5_f64, 1 => 1e-9..1e-5_f64];
        let step = (share, prop::collection::vec(0.8..1.2_f64, self.inputs.len()));
        let step = step.prop_map(|(share, factors)| Step {
            length: share * self.step,
            inputs: scaled(self.inputs, &factors),
        });
        prop::collection::vec(step, count)
    }
}

fn scaled(values: &[f64], factors: &[f64]) -> Vec<f64> {
    values.iter().zip(factors).map(|(v, f)| v * f).collect()
}

pub fn case() -> impl Strategy<Value = Case> {
    (0..KINDS.len()).prop_flat_map(|k| {
        let kind = &KINDS[k];
        let parameters = kind.parameters;
        (
            2_u32..9,
            0.9..1.1_f64,
            // Little enough that static friction stays above kinetic.
            prop::collection::vec(0.97..1.03_f64, parameters.len()),
            kind.steps(0..15),
            kind.steps(1..8),
            kind.steps(1..15),
        )
            .prop_map(move |(n, x, factors, before, dropped, after)| Case {
                text: kind.text(n, x),
                parameters: (parameters.iter().zip(factors))
                    .map(|((name, value), factor)| (*name, value * factor))
                    .collect(),
                before,
                dropped,
                after,
            })
    })
}
