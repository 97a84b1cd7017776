//! What can be read of points, of places of bodies and of the other probes.

use crate::model::checked::{Checked, Direction, Field, Output, OutputVariable};
use crate::model::quantity::Quantity;

/// Position, velocity and acceleration along an axis: how its key begins, its quantity, its words.
const MOTION: [(&str, Quantity, &str); 3] = [
    ("", Quantity::Length, "Position"),
    ("v", Quantity::Velocity, "Velocity along"),
    ("a", Quantity::Acceleration, "Acceleration along"),
];

/// The outputs of all points, then those of all probes, in the order of the file.
pub(super) fn point_outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = List(Vec::new());
    for (point, p) in model.points.iter().enumerate() {
        let of = format!("point {}", p.name);
        let path = format!("points.{}", p.name);
        let along = |axis: usize| [Direction::X, Direction::Y][axis];
        all.add_motion(&path, &of, |order, axis| {
            let direction = along(axis);
            match order {
                0 => Output::PointPosition { point, direction },
                1 => Output::PointVelocity { point, direction },
                _ => Output::PointAcceleration { point, direction },
            }
        });
        if model.rotations_at(point) == 1 {
            let direction = Direction::Rotation;
            all.add(
                format!("{path}.rotation"),
                Output::PointPosition { point, direction },
                Quantity::Angle,
                format!("Rotation of {of} from its initial direction"),
            );
            all.add(
                format!("{path}.rotation_rate"),
                Output::PointVelocity { point, direction },
                Quantity::AngularVelocity,
                format!("Rate of rotation of {of}"),
            );
        }
    }
    for (point, p) in model.points.iter().enumerate() {
        if model.bodies_at(point).any(|body| !model.is_rigid(body)) {
            let (path, of) = (format!("points.{}", p.name), format!("point {}", p.name));
            all.add_fields(&path, &of, |field| Output::PointField { point, field });
        }
    }
    for (id, probe) in model.probes.iter().enumerate() {
        let (quantity, what) = probe.kind.meaning(model);
        all.add(format!("probes.{}", probe.name), Output::Probe(id), quantity, what);
    }
    for (place, p) in model.places.iter().enumerate() {
        let path = format!("probes.{}", p.name);
        let of = format!("place {} of body {}", p.name, model.bodies[p.body].name);
        all.add_motion(&path, &of, |order, axis| match order {
            0 => Output::PlacePosition { place, axis },
            1 => Output::PlaceVelocity { place, axis },
            _ => Output::PlaceAcceleration { place, axis },
        });
        if !model.is_rigid(p.body) {
            all.add_fields(&path, &of, |field| Output::PlaceField { place, field });
        }
    }
    all.0
}

struct List(Vec<OutputVariable>);

impl List {
    fn add(&mut self, path: String, output: Output, quantity: Quantity, description: String) {
        self.0.push(OutputVariable { path, output, quantity, description });
    }

    /// What `output` gives for the order of a time derivative and an axis.
    fn add_motion(&mut self, path: &str, of: &str, output: impl Fn(usize, usize) -> Output) {
        for (axis, key) in ["x", "y"].into_iter().enumerate() {
            for (order, (prefix, quantity, what)) in MOTION.into_iter().enumerate() {
                let description = format!("{what} {key} of {of}");
                let path = format!("{path}.{prefix}{key}");
                self.add(path, output(order, axis), quantity, description);
            }
        }
    }

    fn add_fields(&mut self, path: &str, at: &str, output: impl Fn(Field) -> Output) {
        for &field in Field::ALL {
            let (key, quantity, what) = described(field);
            let path = format!("{path}.{key}");
            self.add(path, output(field), quantity, format!("{what} at {at}"));
        }
    }
}

/// Key, quantity and description of a stress or strain.
fn described(field: Field) -> (&'static str, Quantity, &'static str) {
    match field {
        Field::StressXx => ("stress_xx", Quantity::Pressure, "Cauchy stress along x"),
        Field::StressYy => ("stress_yy", Quantity::Pressure, "Cauchy stress along y"),
        Field::StressXy => ("stress_xy", Quantity::Pressure, "Cauchy shear stress"),
        Field::VonMises => ("von_mises", Quantity::Pressure, "Von Mises stress"),
        Field::FirstPrincipal => {
            ("principal_1", Quantity::Pressure, "Larger principal stress in the plane")
        }
        Field::SecondPrincipal => {
            ("principal_2", Quantity::Pressure, "Smaller principal stress in the plane")
        }
        Field::StrainXx => ("strain_xx", Quantity::Dimensionless, "Green strain E11"),
        Field::StrainYy => ("strain_yy", Quantity::Dimensionless, "Green strain E22"),
        Field::StrainXy => ("strain_xy", Quantity::Dimensionless, "Green strain E12"),
    }
}
