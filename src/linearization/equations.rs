//! The equations of motion about a state, constraints eliminated:
//!
//! ```text
//! M z̈ + D ż + K z + Q ζ + Σ F_k p⁽ᵏ⁾ = 0,    k = 0, 1, 2
//! ```
//!
//! z are independent coordinates, ζ what laws with memory remember, and p the inputs: a load, or the place of what a motion drives. Each
//! column is one small change of the state that satisfies the constraints for positions, velocities and accelerations.

use nalgebra::{DMatrix, DVector};

use super::Joints;
use super::eliminate::Elimination;
use crate::checked::Input;
use crate::numerics::hypot::hypot;
use crate::sensitivity::{About, Direction};
use crate::system::{Along, Iterate, State, System, SystemFault};

/// A coordinate and the equation that belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coordinate {
    /// A nodal unknown.
    Nodal(usize),
    /// s of a slider, and whether it keeps its place.
    Slider { index: usize, kept: bool },
    /// A multiplier in this place of the border, which is no constraint's but that of an elastic law.
    Multiplier(usize),
}

/// What one input does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Driver {
    pub input: usize,
    /// The motion that it drives.
    motion: Option<usize>,
    /// The input is p⁽ᵏ⁾ with this k.
    pub offset: usize,
}

/// The equations about a state.
pub(super) struct Equations<'a> {
    pub system: &'a System,
    pub about: About<'a>,
    pub coordinates: Vec<Coordinate>,
    pub elimination: Elimination,
    /// Places of the multipliers of constraints in the border.
    multipliers: Vec<usize>,
    /// ∂(rows)/∂(multipliers).
    by_multipliers: DMatrix<f64>,
    /// Gives multipliers from the rows of dependent coordinates.
    balance: DMatrix<f64>,
    pub drivers: Vec<Driver>,
    /// Sliders and places of what they remember.
    pub memories: Vec<(usize, usize)>,
    /// Each column as a direction: z, ż, z̈, ζ, then p, ṗ and p̈ of every input.
    columns: DMatrix<f64>,
    /// The change of the equations along each of them, multipliers unchanged.
    rows: DMatrix<f64>,
}

/// How far z reaches into the columns.
pub(super) const ORDERS: usize = 3;

impl<'a> Equations<'a> {
    /// About `state` with these `inputs`.
    ///
    /// # Errors
    /// Where the forces of the instant or the constraints are singular.
    pub fn about(
        system: &'a System, state: &State, inputs: &[usize], joints: Joints,
    ) -> Result<Equations<'a>, SystemFault> {
        let choose = |at: &mut Iterate| {
            let along = match joints {
                Joints::AsTheyAre => return,
                Joints::Stuck => Along::Stick,
                Joints::Free => Along::Free,
            };
            for own in &mut at.sliders {
                own.along = along;
            }
        };
        let mut about = About::new(system, state, choose)?;
        let (coordinates, constraints) = coordinates(system, &about);
        let weights: Vec<f64> = coordinates.iter().map(|w| weight(system, state, *w)).collect();
        let mut g = DMatrix::zeros(constraints.len(), coordinates.len());
        for (w, coordinate) in coordinates.iter().enumerate() {
            if matches!(coordinate, Coordinate::Multiplier(_)) {
                continue;
            }
            let mut direction = Direction::none(system);
            *at_place(system, *coordinate, &mut direction.velocity) = 1.0;
            about.vary(&direction);
            let rates = about.constraint_rates();
            for (row, &b) in constraints.iter().enumerate() {
                g[(row, w)] = rates[b];
            }
        }
        let elimination = Elimination::of(&g, &weights)?;
        let kept = |b: &usize| system.sliders.iter().any(|slider| slider.border == *b);
        let multipliers: Vec<usize> = constraints.iter().copied().filter(|b| !kept(b)).collect();
        let memories = (system.sliders.iter().enumerate())
            .filter(|(j, slider)| slider.friction.remembers && acts(&about, *j))
            .flat_map(|(j, _)| [0, 1].map(|k| (j, k)))
            .collect();
        let drivers = inputs.iter().map(|&input| driver(system, state, input)).collect();
        let mut equations = Equations {
            system,
            about,
            coordinates,
            elimination,
            multipliers,
            by_multipliers: DMatrix::zeros(0, 0),
            balance: DMatrix::zeros(0, 0),
            drivers,
            memories,
            columns: DMatrix::zeros(0, 0),
            rows: DMatrix::zeros(0, 0),
        };
        equations.vary_multipliers()?;
        equations.vary_columns(&constraints);
        Ok(equations)
    }

    /// Number of independent coordinates.
    pub fn independent(&self) -> usize {
        self.elimination.independent.len()
    }

    /// For each input the order of the derivative of p that it is.
    pub fn offsets(&self) -> Vec<usize> {
        self.drivers.iter().map(|driver| driver.offset).collect()
    }

    fn vary_multipliers(&mut self) -> Result<(), SystemFault> {
        let mut by_multipliers = DMatrix::zeros(self.coordinates.len(), self.multipliers.len());
        for k in 0..self.multipliers.len() {
            let mut direction = Direction::none(self.system);
            direction.border[self.multipliers[k]] = 1.0;
            by_multipliers.set_column(k, &self.rows_along(&direction));
        }
        let dependent = by_multipliers.select_rows(&self.elimination.dependent);
        // What keeps its place has no equation that a force could balance.
        let kept =
            |w: &usize| matches!(self.coordinates[*w], Coordinate::Slider { kept: true, .. });
        let places = 0..self.elimination.dependent.len();
        let bear: Vec<usize> = places.filter(|&k| !kept(&self.elimination.dependent[k])).collect();
        let (count, own) = (self.multipliers.len(), dependent.select_rows(&bear));
        let inverse = if own.is_square() { own.clone().try_inverse() } else { None };
        let inverse = match inverse {
            Some(inverse) => inverse,
            None if count == 0 => own.transpose(),
            // The least forces where joints constrain the same motion twice.
            None => own.pseudo_inverse(1e-12 * by_multipliers.amax()).map_err(|what| {
                SystemFault(format!("the forces of the joints cannot be found there: {what}"))
            })?,
        };
        let mut balance = DMatrix::zeros(count, dependent.nrows());
        for (from, &to) in bear.iter().enumerate() {
            balance.set_column(to, &inverse.column(from));
        }
        self.balance = balance;
        self.by_multipliers = by_multipliers;
        Ok(())
    }

    /// Changes of the equations of all coordinates along a direction; 0 where a slider keeps its place.
    fn rows_along(&mut self, direction: &Direction) -> DVector<f64> {
        self.about.vary(direction);
        let (nodal, border) = self.about.rows();
        let row = |coordinate: &Coordinate| match *coordinate {
            Coordinate::Nodal(u) => nodal[u],
            Coordinate::Slider { kept: true, .. } => 0.0,
            Coordinate::Slider { index, .. } => border[self.system.sliders[index].border],
            Coordinate::Multiplier(b) => border[b],
        };
        DVector::from_iterator(self.coordinates.len(), self.coordinates.iter().map(row))
    }

    fn vary_columns(&mut self, constraints: &[usize]) {
        let system = self.system;
        let mut columns: Vec<Direction> = Vec::new();
        for order in 0..ORDERS {
            for i in 0..self.independent() {
                let mut direction = Direction::none(system);
                self.put(order, &self.elimination.basis.column(i).clone_owned(), &mut direction);
                columns.push(direction);
            }
        }
        for &(j, k) in &self.memories {
            let mut direction = Direction::none(system);
            direction.memory[j][k] = 1.0;
            columns.push(direction);
        }
        for order in 0..ORDERS {
            for driver in self.drivers.clone() {
                let mut direction = Direction::none(system);
                match driver.motion {
                    Some(m) => {
                        direction.motions[m][order] = 1.0;
                        for &u in &system.motions[m].unknowns {
                            let rates = [
                                &mut direction.q,
                                &mut direction.velocity,
                                &mut direction.acceleration,
                            ];
                            rates.into_iter().nth(order).expect("three orders")[u] = 1.0;
                        }
                    }
                    None if order == 0 => direction.inputs[driver.input] = 1.0,
                    None => {}
                }
                columns.push(direction);
            }
        }
        let count = columns[..].len();
        let length = Direction::none(system).numbers().count();
        self.rows = DMatrix::zeros(self.coordinates.len(), count);
        self.columns = DMatrix::zeros(length, count);
        for (k, direction) in columns.iter_mut().enumerate() {
            // A load has no derivatives.
            if direction.is_none() {
                continue;
            }
            self.close(constraints, direction);
            let rows = self.rows_along(direction);
            self.rows.set_column(k, &rows);
            let numbers = direction.numbers().map(|x| *x);
            self.columns.column_mut(k).iter_mut().zip(numbers).for_each(|(to, x)| *to = x);
        }
    }

    /// Adds coordinates to positions, velocities or accelerations.
    fn put(&self, order: usize, values: &DVector<f64>, direction: &mut Direction) {
        let Direction { q, velocity, acceleration, border, .. } = direction;
        let to = match order {
            0 => q,
            1 => velocity,
            _ => acceleration,
        };
        for (coordinate, value) in self.coordinates.iter().zip(values.iter()) {
            match *coordinate {
                Coordinate::Multiplier(b) if order == 0 => border[b] += value,
                Coordinate::Multiplier(_) => {}
                coordinate => *at_place(self.system, coordinate, to) += value,
            }
        }
    }

    /// Completes a direction by dependent positions, velocities and accelerations with which all constraints hold on.
    fn close(&mut self, constraints: &[usize], direction: &mut Direction) {
        let gather = |rows: &[f64]| {
            DVector::from_iterator(constraints.len(), constraints.iter().map(|&b| rows[b]))
        };
        // Constraints on positions have the derivatives that their rates have by velocities.
        let mut still = Direction::none(self.system);
        still.velocity.copy_from_slice(&direction.q);
        self.about.vary(&still);
        let open = gather(&self.about.constraint_rates());
        self.shift(0, &open, direction);
        self.follow_open(direction);
        self.about.vary(direction);
        let open = gather(&self.about.constraint_rates());
        self.shift(1, &open, direction);
        self.follow_open(direction);
        self.about.vary(direction);
        let open = gather(&self.about.constraint_accelerations());
        self.shift(2, &open, direction);
    }

    fn shift(&self, order: usize, open: &DVector<f64>, direction: &mut Direction) {
        if open.iter().all(|x| *x == 0.0) {
            return;
        }
        let mut values = DVector::zeros(self.coordinates.len());
        for (&w, value) in self.elimination.dependent.iter().zip(self.elimination.closing(open)) {
            values[w] = value;
        }
        self.put(order, &values, direction);
    }

    /// Sliders off their paths stand at the closest points.
    fn follow_open(&self, direction: &mut Direction) {
        for (j, slider) in self.system.sliders.iter().enumerate() {
            if self.about.is_open(j) {
                let q = &self.about.state.q;
                direction.q[slider.coordinate] = slider.closest_point_rate(q, &direction.q);
                direction.velocity[slider.coordinate] =
                    slider.closest_point_rate(q, &direction.velocity);
            }
        }
    }

    /// The equations without multipliers: a row for each independent coordinate, a column for each of [`Equations::columns`].
    pub fn reduced(&self) -> DMatrix<f64> {
        let Elimination { independent, dependent, .. } = &self.elimination;
        let shared = self.by_multipliers.select_rows(independent);
        let (own, others) = (self.rows.select_rows(independent), self.rows.select_rows(dependent));
        let mut reduced = &own - &shared * (&self.balance * &others);
        let terms = own.abs() + shared.abs() * (self.balance.abs() * others.abs());
        reduced.zip_apply(&terms, |left, all| {
            if left.abs() <= ROUNDING * all {
                *left = 0.0;
            }
        });
        reduced
    }

    /// Checks that combinations of the columns solve the equations.
    ///
    /// # Errors
    /// Where they do not balance.
    pub fn check(&self, combinations: &DMatrix<f64>) -> Result<(), SystemFault> {
        let (rows, multipliers) = self.balanced(combinations);
        let left = rows + &self.by_multipliers * &multipliers;
        let terms =
            self.rows.abs() * combinations.abs() + self.by_multipliers.abs() * multipliers.abs();
        let floor = NOISE * terms.amax();
        let holds = |k: usize| left.column(k).amax() <= LEFT * terms.column(k).amax() + floor;
        if (0..left.ncols()).all(holds) {
            return Ok(());
        }
        Err(SystemFault(
            "the linear equations do not balance: joints constrain the same motion twice, and friction depends on how they \
             share its forces; remove a redundant joint"
                .into(),
        ))
    }

    /// The change of the equations along combinations of the columns, and the multipliers that balance it.
    fn balanced(&self, combinations: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
        let rows = &self.rows * combinations;
        let multipliers = -(&self.balance * rows.select_rows(&self.elimination.dependent));
        (rows, multipliers)
    }

    /// The whole directions of combinations of the columns that solve the equations, with the multipliers that balance them.
    pub fn directions(&self, combinations: &DMatrix<f64>) -> Vec<Direction> {
        let whole = &self.columns * combinations;
        let (_, multipliers) = self.balanced(combinations);
        let mut directions = Vec::with_capacity(combinations.ncols());
        for k in 0..combinations.ncols() {
            let mut direction = Direction::none(self.system);
            direction.numbers().zip(whole.column(k).iter()).for_each(|(to, x)| *to = *x);
            for (&b, force) in self.multipliers.iter().zip(multipliers.column(k).iter()) {
                direction.border[b] += force;
            }
            directions.push(direction);
        }
        directions
    }

    /// Whether a coordinate moves no mass.
    pub fn massless(&self, i: usize) -> bool {
        let system = self.system;
        let mass = |coordinate: &Coordinate| match *coordinate {
            Coordinate::Nodal(u) => system.mass.diagonal(u),
            Coordinate::Slider { .. } | Coordinate::Multiplier(_) => 0.0,
        };
        let all: Vec<f64> = self.coordinates.iter().map(mass).collect();
        let column = self.elimination.basis.column(i);
        let carried: f64 = column.iter().zip(&all).map(|(x, m)| x * x * m).sum();
        carried <= NOTHING * all.iter().fold(0.0_f64, |most, m| most.max(*m))
    }
}

/// What may be left of an equation relative to its terms: far above rounding, far below what a user reads.
const LEFT: f64 = 1e-7;

/// What is left of terms that cancel within rounding, relative to them.
const ROUNDING: f64 = 1e-14;

/// Forces relative to those of all columns that are rounding.
const NOISE: f64 = 1e-20;

/// Mass relative to the largest that is rounding of the constraints.
const NOTHING: f64 = 1e-20;

/// The number of a coordinate among unknowns.
fn at_place<'v>(system: &System, coordinate: Coordinate, of: &'v mut [f64]) -> &'v mut f64 {
    match coordinate {
        Coordinate::Nodal(u) => &mut of[u],
        Coordinate::Slider { index, .. } => &mut of[system.sliders[index].coordinate],
        Coordinate::Multiplier(_) => unreachable!("a force has no place among unknowns"),
    }
}

/// Whether a law acts on slider `j`.
fn acts(about: &About, j: usize) -> bool {
    let along = about.at().sliders[j].along;
    !about.is_open(j) && !about.at().sliders[j].keeps_place() && along != Along::Free
}

/// All coordinates, and the rows of the border that are constraints.
fn coordinates(system: &System, about: &About) -> (Vec<Coordinate>, Vec<usize>) {
    let at = about.at();
    let mut marks = vec![0.0; system.border()];
    system.take_constraints(at, &vec![1.0; system.border()], &mut marks);
    let is_constraint = |b: usize| marks[b] == 1.0;
    let free = system.unknown.iter().filter(|&&u| at.driven[u].is_none());
    let mut list: Vec<Coordinate> = free.map(|&u| Coordinate::Nodal(u)).collect();
    for slider in &system.sliders {
        if about.is_open(slider.index) {
            continue;
        }
        let kept = is_constraint(slider.border);
        list.push(Coordinate::Slider { index: slider.index, kept });
        let conditions = slider.border + 1..=slider.border + slider.conditions();
        list.extend(conditions.filter(|&b| !is_constraint(b)).map(Coordinate::Multiplier));
    }
    (list, (0..system.border()).filter(|&b| is_constraint(b)).collect())
}

/// How much a coordinate is preferred as one that follows from others: what has no mass first, angles last. Of mild size: products of these along
/// a chain of constraints must stay far above rounding. A slider that its path carries along, as on a rod that turns, is described by its place on
/// the path: that may be at rest where its coordinates in the plane are not.
fn weight(system: &System, state: &State, coordinate: Coordinate) -> f64 {
    let is_carried = |index: usize| {
        let slider = &system.sliders[index];
        let speed = hypot(state.velocity[slider.unknowns[0]], state.velocity[slider.unknowns[1]]);
        speed > 2.0 * state.velocity[slider.coordinate].abs()
    };
    match coordinate {
        Coordinate::Slider { kept: true, .. } => 16.0,
        Coordinate::Slider { index, .. } if is_carried(index) => 1.0 / 16.0,
        Coordinate::Slider { .. } => 8.0,
        Coordinate::Multiplier(_) => 0.0,
        Coordinate::Nodal(u) => {
            let massless = if system.mass.diagonal(u) > 0.0 { 1.0 } else { 4.0 };
            let angle = if system.is_rotation[u] { 0.1 / system.size } else { 1.0 };
            massless * angle
        }
    }
}

/// What an input drives.
fn driver(system: &System, state: &State, input: usize) -> Driver {
    let motion = match system.model().inputs[input].input {
        Input::MotionPosition { motion } => Some((motion, 0)),
        Input::MotionRate { motion } => Some((motion, 1)),
        Input::MotionAcceleration { motion } => Some((motion, 2)),
        _ => None,
    };
    let motion = motion.filter(|(m, _)| !state.motions[*m].released);
    Driver { input, motion: motion.map(|(m, _)| m), offset: motion.map_or(0, |(_, k)| k) }
}
