//! Structural damping, as written.

use serde::Deserialize;

use crate::model::de::{Name, Scalar};
use crate::model::form::{keys, words};

/// The highest mode that damping may refer to.
const MOST_MODES: usize = 200;

keys! {
    /// Structural (Rayleigh) damping of some members and bodies.
    Damping {
        /// which members; all that have a material unless `members` or `bodies` is given. None in two entries
        members: Option<Vec<Name>>;
        /// which bodies; all unless `members` or `bodies` is given. None in two entries
        bodies: Option<Vec<Name>>;
        /// c_m
        mass_coefficient: Option<Scalar> [number(&[Rate], NOT_NEGATIVE).default("0.0")];
        /// c_k
        stiffness_coefficient: Option<Scalar> [number(&[Time], NOT_NEGATIVE).default("0.0")];
        /// instead of the coefficients: two damping ratios ξ, with `frequencies` or `modes`
        ratios: Option<[Scalar; 2]> [
            number(&[Dimensionless], DAMPING_RATIO).named(&["Damping ratio {row}"])
        ];
        /// the two frequencies of the ratios
        frequencies: Option<[Scalar; 2]> [number(&[Frequency], POSITIVE).named(&["Frequency {row}"])];
        /// the two modes of the ratios, of these members alone, with the supports, masses and (fixed) motions at them and the
        /// sliding joints and pins between them; `coulisse modes MODEL.toml --members span1,span2` lists them
        modes: Option<[Scalar; 2]> [count(1, MOST_MODES)];
        /// of K: `"turning"`: those of each section and each place of a body, wherever it turns, so that rotation is not braked;
        /// `"initial"`: those of the initial configuration, K constant in time, as papers print it: for what turns little
        #[serde(default)]
        axes: Axes [default("turning")];
    }
    at_least_one(&["mass_coefficient", "stiffness_coefficient", "ratios"]);
    excludes("ratios", &["mass_coefficient", "stiffness_coefficient"]);
    needs("ratios", &["frequencies", "modes"]);
    needs("frequencies", &["ratios"]);
    needs("modes", &["ratios"]);
    at_most_one(&["frequencies", "modes"]);
}

/// The axes in which a stiffness is that of the elements in the initial configuration.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Axes {
    /// Those that turn with the elements.
    #[default]
    Turning,
    /// Those of the initial configuration.
    Initial,
}

words!(Axes);
