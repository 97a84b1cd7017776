//! A measured characteristic.

use num_dual::Dual64;

use super::law::{Law, Surroundings, law};
use super::monotone::{self, Curve};
use super::number::{Contradiction, Value};
use super::{Rest, Transition};
use crate::quantity::NOT_NEGATIVE;

law! {
    /// A monotone curve through measured points (|v|, μ), constant outside. If the first coefficient
    /// is above 0 the joint holds at rest, if it is 0 it creeps.
    Table {
        optional_lists {
            /// |v| of the points, rising; the first is mostly 0
            velocities: Velocity, NOT_NEGATIVE;
            /// μ of the points
            coefficients: Dimensionless, NOT_NEGATIVE;
        }
        files {
            /// data file with both, in place of the lists
            file => velocities, coefficients;
        }
        choices {
            /// how it passes through rest
            transition: Transition;
        }
    }
}

impl<N: Value> Law for Table<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        Curve { x: &self.velocities, y: &self.coefficients }.at(speed)
    }

    fn rest(&self) -> Rest {
        match self.coefficients.first() {
            Some(first) if first.dual().re > 0.0 => Rest::Holds(self.transition),
            _ => Rest::Creeps,
        }
    }

    fn corners(&self) -> Vec<f64> {
        self.velocities.iter().map(|v| v.dual().re).collect()
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let velocities = ("velocities", self.velocities.as_slice());
        let coefficients = ("coefficients", self.coefficients.as_slice());
        monotone::contradiction(velocities, coefficients, 2)
    }
}

impl Table {
    pub(super) fn samples() -> Vec<Table> {
        let law = Table {
            velocities: vec![0.0, 0.02, 0.1, 0.5, 2.0],
            coefficients: vec![0.6, 0.55, 0.5, 0.51, 0.52],
            ..Table::blank()
        };
        vec![
            law.clone(),
            Table {
                viscous_coefficient: 3.0,
                normal_forces: vec![10.0, 150.0, 400.0],
                factors: vec![1.3, 1.0, 0.8],
                ..law.clone()
            },
            Table { coefficients: vec![0.0, 0.55, 0.5, 0.51, 0.52], ..law },
        ]
    }
}
