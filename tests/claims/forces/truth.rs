//! Rigid bodies in minimal coordinates: Newton's and Euler's equations with kinematics in closed form.

use super::jet::{Frame, Jet};

/// A body and a place of it, in its frame.
pub type Place = (usize, [f64; 2]);

/// A part of a body's mass, with its inertia about its own centre.
pub struct Lump {
    pub mass: f64,
    pub inertia: f64,
    pub at: [f64; 2],
}

/// A force or a moment of unknown size.
pub enum Reaction {
    /// Along a fixed direction on a place of a body, and the opposite on another body.
    Force { on: Place, against: Option<usize>, along: [f64; 2] },
    /// Moments on bodies, by their shares.
    Moment(Vec<(usize, f64)>),
}

/// A spring and a damper from a place of the ground.
pub struct Spring {
    pub to: Place,
    pub ground: [f64; 2],
    pub stiffness: f64,
    pub damping: f64,
    pub free_length: f64,
}

impl Spring {
    /// Its force, above 0 where it pulls, and the direction from the ground to its place.
    pub fn pull(&self, frames: &[Frame]) -> (f64, [f64; 2]) {
        let [x, y] = frames[self.to.0].at(self.to.1);
        let way = [x.0 - self.ground[0], y.0 - self.ground[1]];
        let length = way[0].hypot(way[1]);
        let way = way.map(|w| w / length);
        let rate = way[0] * x.1 + way[1] * y.1;
        (self.stiffness * (length - self.free_length) + self.damping * rate, way)
    }
}

/// How a coordinate moves.
pub enum Coordinate {
    Driven(Box<dyn Fn(f64) -> Jet>),
    /// By itself, from a value and a rate at t = 0.
    Free(f64, f64),
}

/// The frames of all bodies from the coordinates.
pub type Kinematics = Box<dyn Fn(&[Jet]) -> Vec<Frame>>;

pub struct Truth {
    pub coordinates: Vec<Coordinate>,
    pub frames: Kinematics,
    pub bodies: Vec<Vec<Lump>>,
    pub reactions: Vec<Reaction>,
    pub springs: Vec<Spring>,
    pub moments: Vec<(usize, f64)>,
    pub gravity: f64,
}

/// All that is known at one instant.
pub struct Instant {
    pub frames: Vec<Frame>,
    pub reactions: Vec<f64>,
    pub springs: Vec<f64>,
    /// Accelerations of the free coordinates.
    pub accelerations: Vec<f64>,
}

impl Truth {
    pub fn start(&self) -> Vec<f64> {
        let free = self.coordinates.iter().filter_map(|c| match c {
            Coordinate::Free(value, rate) => Some((*value, *rate)),
            Coordinate::Driven(_) => None,
        });
        let (mut values, rates): (Vec<f64>, Vec<f64>) = free.unzip();
        values.extend(rates);
        values
    }

    /// Mass times acceleration of every body along x and y, and about the origin.
    fn inertia(&self, frames: &[Frame]) -> Vec<f64> {
        let mut rows = Vec::with_capacity(3 * frames.len());
        for (frame, lumps) in frames.iter().zip(&self.bodies) {
            let mut sum = [0.0; 3];
            for lump in lumps {
                let [x, y] = frame.at(lump.at);
                sum[0] += lump.mass * x.2;
                sum[1] += lump.mass * y.2;
                sum[2] += lump.mass * (x.0 * y.2 - y.0 * x.2) + lump.inertia * frame.spin_up();
            }
            rows.extend(sum);
        }
        rows
    }

    /// Gravity, springs and given moments on every body, and the forces of the springs.
    fn applied(&self, frames: &[Frame]) -> (Vec<f64>, Vec<f64>) {
        let mut rows = vec![0.0; 3 * frames.len()];
        for (body, lumps) in self.bodies.iter().enumerate() {
            for lump in lumps {
                let weight = [0.0, self.gravity * lump.mass];
                push(&mut rows, frames, (body, lump.at), weight, 1.0);
            }
        }
        for &(body, moment) in &self.moments {
            rows[3 * body + 2] += moment;
        }
        let mut forces = Vec::new();
        for spring in &self.springs {
            let (force, way) = spring.pull(frames);
            push(&mut rows, frames, spring.to, way, -force);
            forces.push(force);
        }
        (rows, forces)
    }

    /// Motion and forces at `t`, from values and rates of the free coordinates.
    pub fn instant(&self, t: f64, free: &[f64]) -> Instant {
        let count = free.len() / 2;
        let jets = |unit: Option<usize>| {
            let mut k = 0;
            let of = |coordinate: &Coordinate| match coordinate {
                Coordinate::Driven(law) => law(t),
                Coordinate::Free(..) => {
                    k += 1;
                    let rises = f64::from(u8::from(unit == Some(k - 1)));
                    Jet(free[k - 1], free[count + k - 1], rises)
                }
            };
            self.coordinates.iter().map(of).collect::<Vec<_>>()
        };
        let frames = (self.frames)(&jets(None));
        let own = self.inertia(&frames);
        let mut columns: Vec<Vec<f64>> =
            (self.reactions.iter()).map(|r| r.column(&frames)).collect();
        for k in 0..count {
            let risen = self.inertia(&(self.frames)(&jets(Some(k))));
            columns.push(own.iter().zip(risen).map(|(a, b)| a - b).collect());
        }
        let (applied, springs) = self.applied(&frames);
        let right = own.iter().zip(applied).map(|(a, b)| a - b).collect();
        let mut found = solve(&columns, right);
        let accelerations = found.split_off(self.reactions.len());
        // The frames once more, with the accelerations found.
        let mut all = jets(None);
        let mut rest = accelerations.iter();
        for (jet, coordinate) in all.iter_mut().zip(&self.coordinates) {
            if let (Coordinate::Free(..), Some(a)) = (coordinate, rest.clone().next()) {
                jet.2 = *a;
                rest.next();
            }
        }
        Instant { frames: (self.frames)(&all), reactions: found, springs, accelerations }
    }
}

impl Reaction {
    /// What one unit of it does to every body.
    fn column(&self, frames: &[Frame]) -> Vec<f64> {
        let mut rows = vec![0.0; 3 * frames.len()];
        match self {
            Reaction::Force { on, against, along } => {
                push(&mut rows, frames, *on, *along, 1.0);
                if let Some(other) = against {
                    let own: Vec<f64> = rows[3 * on.0..3 * on.0 + 3].to_vec();
                    for (i, value) in own.iter().enumerate() {
                        rows[3 * other + i] -= value;
                    }
                }
            }
            Reaction::Moment(shares) => {
                for &(body, share) in shares {
                    rows[3 * body + 2] += share;
                }
            }
        }
        rows
    }
}

/// Adds a force at a place of a body.
fn push(rows: &mut [f64], frames: &[Frame], on: Place, along: [f64; 2], size: f64) {
    let [x, y] = frames[on.0].at(on.1);
    let [fx, fy] = along.map(|a| size * a);
    rows[3 * on.0] += fx;
    rows[3 * on.0 + 1] += fy;
    rows[3 * on.0 + 2] += x.0 * fy - y.0 * fx;
}

/// Gauss's elimination with the largest pivot of each column.
fn solve(columns: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    assert_eq!(columns.len(), n, "as many unknowns as equations");
    let mut rows: Vec<Vec<f64>> = (0..n).map(|i| columns.iter().map(|c| c[i]).collect()).collect();
    for k in 0..n {
        let best = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()));
        let best = best.expect("a row");
        rows.swap(k, best);
        right.swap(k, best);
        let (upper, lower) = rows.split_at_mut(k + 1);
        for (i, row) in lower.iter_mut().enumerate() {
            let factor = row[k] / upper[k][k];
            for j in k..n {
                row[j] -= factor * upper[k][j];
            }
            right[k + 1 + i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / rows[k][k];
    }
    right
}
