//! Springs between points, as written.

use serde::Deserialize;

use crate::model::de::{DataFile, Name, Scalar, Switch};
use crate::model::form::{keys, words};

keys! {
    /// A spring, a damper, stops, a slip element and an actuator between two points, or some of these; or a bushing.
    Spring {
        /// where it begins: a point that can move. One that a motion drives counts, too (a road under a tyre). A point without mass that a
        /// support or motion fixes in one direction is in equilibrium in the other, if its springs act on it in the initial configuration
        from: Option<Name>;
        /// where it begins, instead of `from`: a point that only says where on the ground. A spring of rotations without `from` turns
        /// against the ground
        ground: Option<Name>;
        /// the point where it ends
        to: Name;
        /// `"line"`: along the line between both, wherever it turns; `"x"`, `"y"`: along this direction, whatever happens across it,
        /// with the [sign](#sign-of-lengths-and-forces) of the axis; `"rotation"`: between the rotations at both
        #[serde(default)]
        direction: SpringDirection [default("line")];
        /// whose rotation at `from`, where several members turn on their own: the two members of a hinge, say
        from_member: Option<Name>;
        /// whose rotation at `to`, likewise
        to_member: Option<Name>;
        /// k
        stiffness: Option<Scalar> [number(&[Stiffness, RotationalStiffness], NOT_NEGATIVE).default("0.0")];
        /// instead of `stiffness`: a smooth curve through points that rises and falls only where they do, straight outside
        table: Option<SpringTable>;
        /// instead of `stiffness`: an expression in quotes of the elongation `x` beyond the free length and its rate `v`, as
        /// `"k*x + k3*x^3"` or `"c*v + d*tanh(v/v0)"`. What it is at `v` = 0 is the spring, which stores energy; the rest is a damper
        force: Option<Scalar>;
        /// length, or coordinate difference along x or y, at which `stiffness` or `table` has no force. For `"line"` 0 or above
        free_length: Option<Scalar> [
            number(&[Length], FINITE)
            .default("in the initial configuration")
            .named(&["Length without a force"])
        ];
        /// angle since the start at which `stiffness` or `table` has no moment
        free_angle: Option<Scalar> [
            number(&[Angle], FINITE)
            .default("in the initial configuration")
            .named(&["Angle without a moment"])
        ];
        /// instead of `free_length` and `free_angle`: the force in the initial configuration
        preload: Option<Scalar> [
            number(&[Force, Moment], FINITE).named(&["Force in the initial configuration"])
        ];
        /// c
        damping: Option<Scalar> [
            number(&[ViscousCoefficient, RotationalDamping], NOT_NEGATIVE)
            .default("0.0")
            .named(&["Coefficient of the damper"])
        ];
        /// instead of `damping`: a curve through the point (0, 0) and others, whose forces have the sign of their rates. From (0, 0) on
        /// it is the same both ways; with rates below 0 it may differ, as a car's in bump and rebound
        damper: Option<DamperTable>;
        /// stops: the range that is free. Elastic ones have a `stiffness`; they push and never pull. With `rigid = true` nothing goes
        /// beyond: what meets them has an impact
        stop: Option<Stop>;
        /// a slip element: a spring in series with dry friction, as in leaf springs and friction dampers
        friction: Option<SlipElement>;
        /// a force that an actuator adds
        actuator: Option<Scalar> [
            number(&[Force, Moment], FINITE).default("0.0").named(&["Force of the actuator against a growing length or angle"])
        ];
        /// instead of all that acts along one direction: see [bushings](#bushings)
        bushing: Option<Bushing> [within("bushing {entry}")];
        /// `false` or 0: the model is calculated as if this entry were not there. An expression, such as the name of a parameter, makes it a
        /// [switch](#switches)
        enabled: Option<Switch> [
            number(&[Truth], ON_OFF).default("true").named(&["Whether {} is there"]).acts(Acts::OnPositions)
        ];
    }
    at_most_one(&["from", "ground"]).because("a point that moves is `from`, a fixed position is `ground`");
    at_least_one(&["from", "ground", "direction = \"rotation\""])
        .because("it begins at a point that moves, `from`, or at a fixed position, `ground`");
    excludes("direction = \"rotation\"", &["ground", "free_length"])
        .because("without `from` a spring of rotations acts against the ground, and its angle is `free_angle`");
    needs("from_member", &["from"]);
    needs("from_member", &["direction = \"rotation\"", "bushing"]).because("it selects whose rotation");
    needs("to_member", &["direction = \"rotation\"", "bushing"]).because("it selects whose rotation");
    needs("free_angle", &["direction = \"rotation\""]);
    at_most_one(&["stiffness", "table", "force"]);
    at_most_one(&["preload", "free_length", "free_angle"]);
    needs("preload", &["stiffness", "table"]).because("`actuator` is a constant force");
    at_most_one(&["damping", "damper"]);
    at_least_one(&["stiffness", "table", "force", "damping", "damper", "stop", "friction", "actuator", "bushing"]);
    excludes("bushing", &[
        "direction", "stiffness", "table", "force", "free_length", "free_angle", "preload", "damping", "damper", "stop", "friction", "actuator",
    ]);
}

impl Spring {
    /// Whether it acts on the rotation of a point.
    pub fn turns(&self, point: &str) -> bool {
        let named = |name: &Name| name.value == point;
        let turns = self.bushing.is_some() || self.direction == SpringDirection::Rotation;
        turns && (named(&self.to) || self.from.as_ref().is_some_and(named))
    }
}

keys! {
    /// What acts between two sections along x and y of a frame and on their rotations.
    Bushing {
        /// `"from"`, `"to"`: the side with which the frame turns; with the ground as `from` it stays
        #[serde(default)]
        frame: BushingFrame [default("from")];
        /// initial angle of the frame
        angle: Option<Scalar> [number(&[Angle], UP_TO_A_TURN).default("0.0").named(&["Angle of the frame"])];
        /// `[K_x, K_y, K_r]`
        stiffness: Option<[Scalar; 3]> [
            number(&[Stiffness, Stiffness, RotationalStiffness], FINITE)
            .default("0")
            .named(&["Stiffness along x", "Stiffness along y", "Stiffness of the rotation"])
        ];
        /// `[K_xy, K_xr, K_yr]`, beside the diagonal. K has no eigenvalue below 0
        coupling: Option<[Scalar; 3]> [
            number(&[Stiffness, ForcePerAngle, ForcePerAngle], FINITE).default("0").named(&[
                "Stiffness of x and y together",
                "Stiffness of x and rotation together",
                "Stiffness of y and rotation together",
            ])
        ];
        /// u₀, without a force
        free: Option<[Scalar; 3]> [
            number(&[Length, Length, Angle], FINITE).default("0").named(&[
                "Displacement along x of the frame without a force",
                "Displacement along y of the frame without a force",
                "Angle without a moment",
            ])
        ];
        /// instead of `free`: force and moment in the initial configuration
        preload: Option<[Scalar; 3]> [
            number(&[Force, Force, Moment], FINITE).named(&[
                "Force along x in the initial configuration",
                "Force along y in the initial configuration",
                "Force of the rotation in the initial configuration",
            ])
        ];
        /// the diagonal of C, written as that of K
        damping: Option<[Scalar; 3]> [
            number(&[ViscousCoefficient, ViscousCoefficient, RotationalDamping], FINITE)
            .default("0")
            .named(&["Damping along x", "Damping along y", "Damping of the rotation"])
        ];
        /// beside the diagonal of C
        damping_coupling: Option<[Scalar; 3]> [
            number(&[ViscousCoefficient, ForcePerAngularVelocity, ForcePerAngularVelocity], FINITE)
            .default("0")
            .named(&[
                "Damping of x and y together",
                "Damping of x and rotation together",
                "Damping of y and rotation together",
            ])
        ];
        /// factor of K
        stiffness_scale: Option<Scalar> [
            number(&[Dimensionless], NOT_NEGATIVE).default("1.0").named(&["Factor of the stiffness"])
        ];
        /// factor of C
        damping_scale: Option<Scalar> [
            number(&[Dimensionless], NOT_NEGATIVE).default("1.0").named(&["Factor of the damping"])
        ];
        /// F along x, which an actuator adds
        fx: Option<Scalar> [
            number(&[Force], FINITE).default("0.0").named(&["Force of the actuator against growing x of the frame"])
        ];
        /// F along y
        fy: Option<Scalar> [
            number(&[Force], FINITE).default("0.0").named(&["Force of the actuator against growing y of the frame"])
        ];
        /// moment of F
        moment: Option<Scalar> [
            number(&[Moment], FINITE).default("0.0").named(&["Moment of the actuator against a growing angle"])
        ];
    }
    at_least_one(&["stiffness", "damping", "fx", "fy", "moment"]);
    at_most_one(&["free", "preload"]);
    needs("coupling", &["stiffness"]).because("that is the diagonal of the same matrix");
    needs("damping_coupling", &["damping"]).because("that is the diagonal of the same matrix");
}

/// Whose rotation turns the frame of a bushing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum BushingFrame {
    #[default]
    From,
    To,
}

/// Along what a spring acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum SpringDirection {
    /// The line between its points.
    #[default]
    Line,
    X,
    Y,
    Rotation,
}

words!(BushingFrame, SpringDirection);

keys! {
    /// Forces by the elongation beyond the free length.
    SpringTable {
        /// rising, beyond the free length
        elongations: Option<Vec<Scalar>> [
            number(&[Length, Angle], FINITE).named(&["Elongation {number} of the table"])
        ];
        /// as many
        forces: Option<Vec<Scalar>> [
            number(&[Force, Moment], FINITE).named(&["Force {number} of the table"])
        ];
        /// instead of both: a [file](#columns-of-numbers) of two columns
        file: Option<DataFile>;
    }
    exactly_one(&["elongations and forces", "file"]);
}

keys! {
    /// Forces by the rate.
    DamperTable {
        /// rising
        rates: Option<Vec<Scalar>> [
            number(&[Velocity, AngularVelocity], FINITE).named(&["Rate {number} of the damper"])
        ];
        /// as many
        forces: Option<Vec<Scalar>> [
            number(&[Force, Moment], FINITE).named(&["Force {number} of the damper"])
        ];
        /// instead of both: a [file](#columns-of-numbers) of two columns
        file: Option<DataFile>;
    }
    exactly_one(&["rates and forces", "file"]);
}

keys! {
    /// Stops: elastic ones, or rigid ones.
    Stop {
        /// smallest length or angle that is free
        least: Option<Scalar> [number(&[Length, Angle], FINITE).named(&["Smallest free length or angle"])];
        /// largest length or angle that is free
        most: Option<Scalar> [number(&[Length, Angle], FINITE).named(&["Largest free length or angle"])];
        /// of elastic stops, beyond the free range
        stiffness: Option<Scalar> [
            number(&[Stiffness, RotationalStiffness], POSITIVE).named(&["Stiffness of the stops"])
        ];
        /// of elastic stops
        damping: Option<Scalar> [
            number(&[ViscousCoefficient, RotationalDamping], NOT_NEGATIVE)
            .default("0.0")
            .named(&["Damping of the stops"])
        ];
        /// `true`: nothing goes beyond
        #[serde(default)]
        rigid: bool [default("false")];
        /// of rigid stops: the coefficient of restitution
        restitution: Option<Scalar> [
            number(&[Dimensionless], RESTITUTION)
            .default("0.0")
            .named(&["Restitution of the stops"])
            .acts(Acts::Later)
        ];
    }
    at_least_one(&["least", "most"]);
    below("least", "most");
    exactly_one(&["stiffness", "rigid = true"]);
    excludes("rigid = true", &["damping"]);
    needs("restitution", &["rigid = true"]);
}

keys! {
    /// Dry friction in series with a spring.
    SlipElement {
        /// at which it slides
        force: Scalar [number(&[Force, Moment], POSITIVE).named(&["Largest force of the slip element"])];
        /// of the spring
        stiffness: Scalar [
            number(&[Stiffness, RotationalStiffness], POSITIVE).named(&["Stiffness of the slip element"])
        ];
    }
}
