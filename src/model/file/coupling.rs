//! Couplings of coordinates, as written.

use super::SpringDirection;
use crate::model::de::{DataFile, Name, Scalar, Switch};
use crate::model::form::keys;

keys! {
    /// A coordinate that follows others exactly.
    Coupling {
        /// the coordinate that follows
        driven: Coordinate [within("what coupling {entry} drives")];
        /// the coordinates that it follows, each with `ratio` or `table`; their shares are added. None where a motion alone drives it
        #[serde(default)]
        drivers: Vec<Coordinate> [default("none").within("driver {number} of coupling {entry}")];
        /// `false` or 0: the model is calculated as if this entry were not there. An expression, such as the name of a parameter, makes it a
        /// [switch](#switches)
        enabled: Option<Switch> [
            number(&[Truth], ON_OFF).default("true").named(&["Whether {} is there"]).acts(Acts::OnPositions)
        ];
    }
    excludes("driven", &["driven.ratio", "driven.table"]).because("they belong to the drivers");
}

impl Coupling {
    /// Whether it is of the rotation of a point.
    pub fn turns(&self, point: &str) -> bool {
        let mut all = std::iter::once(&self.driven).chain(&self.drivers);
        all.any(|one| {
            let direction = one.direction.unwrap_or(SpringDirection::Rotation);
            let named = |name: &Name| name.value == point;
            let turns = one.along.is_none() && direction == SpringDirection::Rotation;
            turns && (named(&one.to) || one.from.as_ref().is_some_and(named))
        })
    }
}

keys! {
    /// A rotation or a displacement, counted from the initial configuration.
    Coordinate {
        /// from where: a point that moves or turns, too
        from: Option<Name> [default("the ground")];
        /// from where, instead of `from`: a place that stays
        ground: Option<Name> [default("the ground")];
        /// the point that turns or moves
        to: Name;
        /// `"rotation"`; `"x"`, `"y"`; `"line"`: the distance from `from` or `ground`, as of a cylinder
        direction: Option<SpringDirection> [default("rotation")];
        /// instead of `direction`: `[x, y]`, a direction that stays; of any length
        along: Option<[Scalar; 2]> [
            number(&[Dimensionless], FINITE).named(&["Component {axis} of the direction"])
        ];
        /// whose rotation at `from`, where several members turn on their own. A rigid body turns with each of its points
        from_member: Option<Name>;
        /// whose rotation at `to`, likewise
        to_member: Option<Name>;
        /// of a driver: how far what is driven moves for each unit of it; not 0. Without a unit, in m/rad or in rad/m
        ratio: Option<Scalar> [
            number(&[Dimensionless, LengthPerAngle, AnglePerLength], FINITE)
            .named(&["Ratio by which what is driven follows {}"])
        ];
        /// of a driver, instead of `ratio`: where what is driven stands when the driver has moved so far. A C² cubic through these
        /// points, straight outside
        table: Option<TransmissionTable>;
    }
    at_most_one(&["from", "ground"]);
    needs("direction = \"line\"", &["from", "ground"]).because("a distance is measured from somewhere");
    needs("ground", &["along", "direction = \"x\"", "direction = \"y\"", "direction = \"line\""])
        .because("a rotation without `from` is measured against the ground");
    needs("from_member", &["from"]);
    excludes("from_member", &["along", "direction = \"x\"", "direction = \"y\"", "direction = \"line\""])
        .because("it selects whose rotation");
    excludes("to_member", &["along", "direction = \"x\"", "direction = \"y\"", "direction = \"line\""])
        .because("it selects whose rotation");
    at_most_one(&["direction", "along"]);
    at_most_one(&["ratio", "table"]);
}

keys! {
    /// How far what is driven has moved where its driver has.
    TransmissionTable {
        /// rising
        driver: Option<Vec<Scalar>> [
            number(&[Length, Angle], FINITE)
            .named(&["Way of the driver in row {number} of the table of {}"])
        ];
        /// as many
        driven: Option<Vec<Scalar>> [
            number(&[Length, Angle], FINITE)
            .named(&["Way of what is driven in row {number} of the table of {}"])
        ];
        /// instead of both: a [file](#columns-of-numbers) of two columns
        file: Option<DataFile>;
    }
    exactly_one(&["driver and driven", "file"]);
}
