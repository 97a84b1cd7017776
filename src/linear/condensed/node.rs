//! The node of a slider and what of its border unknowns can be condensed.

use crate::linear::entries::Entries;
use crate::linear::envelope::Profile;
use crate::linear::frontal::Follower;

/// Most coordinates of a node.
pub const COORDINATES: usize = 3;

/// Interior unknowns that carry a place of a path, for which there is room at first.
const CARRIERS: usize = 64;

/// s goes where it keeps this share of what its node's mass makes of it.
const REGULAR: f64 = 0.5;

/// The node of a slider.
#[derive(Debug, Clone)]
pub struct Node {
    /// s, behind which the multipliers follow, and the coordinates in the interior.
    pub sliding: usize,
    pub coordinates: Vec<usize>,
    pub inside: Inside,
    /// k, c, b_x, r_λ and ρ.
    pub stiffness: [[f64; COORDINATES]; COORDINATES],
    pub slope: [f64; COORDINATES],
    pub beside: [f64; COORDINATES],
    pub by_multipliers: [f64; COORDINATES],
    pub lever: [f64; COORDINATES],
    /// What is on the diagonal of s, and b_q + G (k c − b_x) where s is condensed as well.
    pub diagonal: f64,
    pub column: Vec<(usize, f64)>,
    /// Right-hand sides f_x, g and that of s.
    pub force: [f64; COORDINATES],
    pub gap: [f64; COORDINATES],
    pub along: f64,
}

/// What of a node's border unknowns is condensed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inside {
    Nothing,
    Multipliers,
    /// And s, which is on nothing but its own diagonal: a slider that keeps its place.
    Given,
    /// And s.
    All,
}

impl Node {
    pub fn of(follower: &Follower) -> Option<Node> {
        let sliding = follower.sliding?;
        let coordinates: Vec<usize> = follower
            .coordinates
            .iter()
            .copied()
            .collect::<Option<_>>()?;
        Some(Node {
            sliding,
            coordinates,
            inside: Inside::Nothing,
            stiffness: [[0.0; COORDINATES]; COORDINATES],
            slope: [0.0; COORDINATES],
            beside: [0.0; COORDINATES],
            by_multipliers: [0.0; COORDINATES],
            lever: [0.0; COORDINATES],
            diagonal: 0.0,
            column: Vec::with_capacity(CARRIERS),
            force: [0.0; COORDINATES],
            gap: [0.0; COORDINATES],
            along: 0.0,
        })
    }

    /// The border unknown of multiplier `i`.
    fn multiplier(&self, i: usize) -> usize {
        self.sliding + 1 + i
    }

    /// The coordinate that interior unknown `e` is.
    fn coordinate(&self, e: usize) -> Option<usize> {
        self.coordinates.iter().position(|&own| own == e)
    }

    /// The multiplier that border unknown `b` is.
    fn place(&self, b: usize) -> Option<usize> {
        let place = b.checked_sub(self.sliding + 1)?;
        (place < self.coordinates.len()).then_some(place)
    }

    pub fn is_condensed(&self) -> bool {
        self.inside != Inside::Nothing
    }

    /// Whether the multipliers stand beside an identity, and couple with nothing but the path and s.
    pub fn is_held(&self, border: &Entries) -> bool {
        (0..self.coordinates.len()).all(|i| {
            let b = self.multiplier(i);
            let mut unit = 0.0;
            let own = border
                .column(b)
                .iter()
                .all(|&(e, value)| match self.coordinate(e) {
                    Some(other) if other == i => {
                        unit += value;
                        true
                    }
                    Some(_) => value == 0.0,
                    None => true,
                });
            let corner = border.corner(b).iter();
            let alone = corner
                .filter(|(_, value)| *value != 0.0)
                .all(|(c, _)| *c == self.sliding);
            own && unit == 1.0 && alone && !border.has_own_row(b)
        })
    }

    /// Takes what the `border` and the envelope's `values` have at the node.
    pub fn take(&mut self, profile: &Profile, values: &[f64], border: &Entries) {
        let n = self.coordinates.len();
        let s = self.sliding;
        for i in 0..n {
            for j in 0..n {
                let at = profile.find(self.coordinates[i], self.coordinates[j]);
                self.stiffness[i][j] = at.map_or(0.0, |at| values[at]);
            }
            self.slope[i] = border
                .corner(self.multiplier(i))
                .iter()
                .map(|(_, value)| value)
                .sum();
        }
        let mut own = [0.0; COORDINATES];
        self.beside = [0.0; COORDINATES];
        for (entries, sums) in [
            (border.column(s), &mut self.beside),
            (border.row(s), &mut own),
        ] {
            for &(e, value) in entries {
                let at = self.coordinates.iter().position(|own| *own == e);
                at.into_iter().for_each(|i| sums[i] += value);
            }
        }
        self.by_multipliers = [0.0; COORDINATES];
        self.diagonal = 0.0;
        for &(c, value) in border.corner(s) {
            match self.place(c) {
                Some(i) => self.by_multipliers[i] += value,
                None => self.diagonal += value,
            }
        }
        self.lever = own;
        for i in 0..n {
            self.lever[i] -= dot(self.stiffness[i], self.by_multipliers);
        }
        self.diagonal -= dot(self.lever, self.slope) + dot(self.by_multipliers, self.beside);
        let mass = dot(self.slope, [0, 1, 2].map(|i| self.pushed(i)));
        self.inside = if border.has_own_row(s) {
            let alone = border.row(s).iter().all(|(_, value)| *value == 0.0)
                && self.by_multipliers == [0.0; COORDINATES];
            match alone && self.diagonal != 0.0 {
                true => Inside::Given,
                false => Inside::Multipliers,
            }
        } else if self.diagonal > REGULAR * mass && mass > 0.0 {
            Inside::All
        } else {
            Inside::Multipliers
        };
    }

    /// Sums up `entries` that are not the node's own, and what multiplier i couples with in the path, by `factors`.
    pub fn gather(
        &self,
        border: &Entries,
        entries: &[(usize, f64)],
        factors: [f64; COORDINATES],
        sums: &mut Sums,
    ) {
        let others = |(e, _): &&(usize, f64)| self.coordinate(*e).is_none();
        entries
            .iter()
            .filter(others)
            .for_each(|&(e, value)| sums.add(e, value));
        for (i, factor) in factors[..self.coordinates.len()].iter().enumerate() {
            for &(e, value) in self.path(border, i) {
                sums.add(e, factor * value);
            }
        }
    }

    /// What multiplier `i` couples with in the path.
    pub fn path<'a>(
        &'a self,
        border: &'a Entries,
        i: usize,
    ) -> impl Iterator<Item = &'a (usize, f64)> {
        let entries = border.column(self.multiplier(i)).iter();
        entries.filter(|(e, _)| self.coordinate(*e).is_none())
    }

    /// Coordinate `i` of k c.
    pub fn pushed(&self, i: usize) -> f64 {
        dot(self.stiffness[i], self.slope)
    }
}

pub fn dot(a: [f64; COORDINATES], b: [f64; COORDINATES]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A sum of few interior unknowns' numbers.
#[derive(Debug, Clone)]
pub struct Sums {
    values: Vec<f64>,
    there: Vec<bool>,
    list: Vec<usize>,
}

impl Sums {
    pub fn new(order: usize) -> Sums {
        Sums {
            values: vec![0.0; order],
            there: vec![false; order],
            list: Vec::with_capacity(order),
        }
    }

    pub fn add(&mut self, e: usize, value: f64) {
        if !std::mem::replace(&mut self.there[e], true) {
            self.list.push(e);
        }
        self.values[e] += value;
    }

    /// Hands each number on and forgets it.
    pub fn drain(&mut self, mut each: impl FnMut(usize, f64)) {
        for e in self.list.drain(..) {
            self.there[e] = false;
            each(e, std::mem::take(&mut self.values[e]));
        }
    }
}
