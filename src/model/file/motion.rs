//! Imposed motions and functions of the time, as written.

use serde::Deserialize;

use super::{Record, Release};
use crate::checked::history::Interpolation;
use crate::model::de::{DataFile, Name, Scalar, Switch};
use crate::model::form::{choice, keys, words};
use crate::nodes::Direction;

keys! {
    /// An imposed displacement or rotation from the initial configuration.
    Motion {
        /// what is moved: a point
        point: Option<Name>;
        /// what is moved: a whole member, along `x` and `y`, a rigid one also in `rotation`; with `point` the rotation of that member's end
        member: Option<Name>;
        /// what is moved: an edge of a body, `"BODY.EDGE"`, only along `x` and `y`
        edge: Option<Name>;
        /// instead of these, and without a `direction`: a [coupling](#couplingsname) that it drives
        coupling: Option<Name>;
        /// instead of these: supports that the ground moves as one along `x` or `y`, which each of them must fix. `"base_*"` stands for
        /// all whose names begin so, `"*"` for all. `motions.NAME.reaction` is then the sum of their reactions: the base shear
        supports: Option<Vec<Name>>;
        /// `"x"`, `"y"` or `"rotation"`. Must be given, but with `coupling`
        direction: Option<Direction>;
        /// a constant rotation, or one in quotes with [`t`](#numbers-expressions-and-names), as of `displacement`
        angle: Option<Scalar> [number(&[Angle], FINITE).named(&["Imposed angle"])];
        /// a constant displacement, which as an input runs on a straight line from one communication point to the next; or in quotes with
        /// [`t`](#numbers-expressions-and-names): velocity and acceleration are its exact derivatives. Functions with kinks or jumps
        /// (`abs`, `min`, `max`, `step`, `window`, `if` of `t`) are refused: take `ramp`. It is then no input
        displacement: Option<Scalar> [number(&[Length], FINITE).named(&["Imposed displacement"])];
        /// a constant rate of rotation; as an input constant over a communication step, its integral is the motion
        rate: Option<Scalar> [
            number(&[AngularVelocity], FINITE).named(&["Imposed rate"]).acts(Acts::OnVelocities)
        ];
        /// a constant velocity; as an input constant over a communication step, its integral is the motion. If it jumps, what joints tie to the driven points gets an impulse, and what friction alone takes along slides until it is as fast
        velocity: Option<Scalar> [
            number(&[Velocity], FINITE).named(&["Imposed velocity"]).acts(Acts::OnVelocities)
        ];
        /// a constant acceleration; as an input it runs on a straight line from one communication point to the next; velocity and motion
        /// are its integrals, from rest
        acceleration: Option<Scalar> [
            number(&[Acceleration, AngularAcceleration], FINITE)
            .named(&["Imposed acceleration"])
            .acts(Acts::OnForces)
        ];
        /// times the `history`
        amplitude: Option<Scalar> [number(&[Length, Angle], FINITE).named(&["Imposed amplitude"])];
        /// factor of time, [see below](#history)
        history: Option<History>;
        /// a measured or synthetic ground motion, [see below](#record)
        record: Option<Record>;
        /// how the motion ends, in a dynamic analysis; what it drove then goes on by itself, with the velocity that it has
        release: Option<Release> [default("never").acts(Acts::Later)];
        /// `false` or 0: the model is calculated as if this entry were not there. An expression, such as the name of a parameter, makes it a
        /// [switch](#switches)
        enabled: Option<Switch> [
            number(&[Truth], ON_OFF).default("true").named(&["Whether {} is there"]).acts(Acts::OnPositions)
        ];
    }
    at_least_one(&["point", "member", "edge", "supports", "coupling"]);
    excludes("edge", &["point", "member"]);
    excludes("supports", &["point", "member", "edge", "release", "direction = \"rotation\""]);
    excludes("coupling", &["point", "member", "edge", "supports", "release"]);
    exactly_one(&["direction", "coupling"]);
    exactly_one(&[
        "displacement", "velocity", "angle", "rate", "acceleration", "record", "amplitude and history",
    ]);
}

choice! {
    /// A factor of time.
    History {
        /// from 0 to 1, then 1
        Ramp "ramp" {
            /// when it leaves 0
            start: Option<Scalar> [number(&[Time], FINITE).default("0").named(&["Start of the ramp"])];
            /// until it is 1
            duration: Scalar [number(&[Time], POSITIVE).named(&["Duration of the ramp"])];
            /// no corner at either end; `false`: a straight line
            smooth: Option<bool> [default("true")];
        };
        /// sin(2πft + φ)
        Sine "sine" {
            /// f
            frequency: Scalar [number(&[Frequency], NOT_NEGATIVE).named(&["Frequency of the sine"])];
            /// φ
            phase: Option<Scalar> [number(&[Angle], FINITE).default("0").named(&["Phase of the sine"])];
        };
        /// a function of `t` in quotes, as `"exp(-t)*sin(5*t)"`: see [expressions](#numbers-expressions-and-names)
        Expression "expression" (Scalar) [number(&[Dimensionless], FINITE)];
        /// values at certain times
        Table "table" {
            /// each later than the one before
            times: Option<Vec<Scalar>> [number(&[Time], FINITE).named(&["Time {row} in the table of {}"])];
            /// as many
            values: Option<Vec<Scalar>> [
                number(&[Dimensionless], FINITE).named(&["Value {row} in the table of {}"])
            ];
            /// instead of both: a [file](#columns-of-numbers) of two columns, which may contain the load or the amplitude itself: values with
            /// a unit (`force [kN]`) need components of 1 or −1
            file: Option<DataFile>;
            /// outside of its times: `"straight"`: goes on as a straight line. `"hold"`: keeps the first and the last value, which a
            /// smooth or monotone curve then reaches without a slope
            #[serde(default)]
            beyond: Beyond [default("straight")];
            /// `"linear"`: straight from value to value. `"step"`: each value until the next; not for motions, which cannot jump.
            /// `"monotone"`: cubics without a corner that rise and fall only where the values do (PCHIP). `"smooth"`: a curve of
            /// continuous curvature (C² spline), which may leave the range of the values
            interpolation: Option<Interpolation> [default("`\"linear\"` for loads, `\"smooth\"` for motions")];
        } with {
            exactly_one(&["times and values", "file"]);
        };
    }
}

/// How a table goes on before its first and after its last value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Beyond {
    /// As a straight line.
    #[default]
    Straight,
    /// With that value, which the curve reaches without a slope.
    Hold,
}

words!(Beyond);
