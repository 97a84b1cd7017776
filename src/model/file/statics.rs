//! Equilibria as written: that of the start and the path of `[static]`.

use crate::checked::statics::{Branch, Control, FixedSliders, MOST_POINTS};
use crate::model::de::{Name, Scalar};
use crate::model::form::{keys, words};

keys! {
    /// The path of equilibria that `coulisse static` follows.
    Static {
        /// what the factor stands for: `"loads"`, `"loads.NAME"` and `"gravity"`, alone or together and each once, are multiplied by it
        /// (from 0, histories left out); of one motion `"motions.NAME"` it is the displacement in m or the rotation in rad
        scale: Option<Vec<Name>> [default("all loads; without loads gravity; without both the motion")];
        /// `"load"`: the factor; ends at a limit point. `"displacement"`: the `quantity`, past limit points of the load. `"arc_length"`:
        /// the way along the path, past all limit points
        #[serde(default)]
        control: Control [default("load")];
        /// of displacement control: `"points.NAME.x"`, `.y`, `.rotation`, `"joints.NAME.position"`, `"probes.NAME"`, of a place of a body
        /// `"probes.NAME.x"`, `.y`
        quantity: Option<Name>;
        /// where the path ends: the factor, or the `quantity` under displacement control
        to: Scalar [number(&[Dimensionless], FINITE).named(&["End of the path of equilibria"])];
        /// in the unit of `to`; later steps adapt
        first_step: Option<Scalar> [
            number(&[Dimensionless], POSITIVE)
            .default("a hundredth of the way")
            .named(&["First step of the path of equilibria"])
        ];
        /// farthest move between two points, relative to the mechanism's size; of rotations in rad
        largest_move: Option<Scalar> [
            number(&[Dimensionless], POSITIVE)
            .default("0.02")
            .named(&["Farthest move between two points of the path of equilibria"])
        ];
        /// most points
        points: Option<Scalar> [count(1, MOST_POINTS).default("500")];
        /// `"plus"` or `"minus"`: at the first bifurcation point the path goes on with the other branch, on this side of it (`plus`: the
        /// largest entry of the motion is positive)
        switch: Option<Branch>;
        /// as for `[initial]`
        #[serde(default)]
        fixed_sliders: FixedSliders [default("friction")];
    }
    needs("control = \"displacement\"", &["quantity"]).because("that is what it prescribes, as `\"points.NAME.y\"`");
}

words!(FixedSliders, Control, Branch);
