//! What is measured of how two sides stand to each other, for springs and couplings: lengths, distances along a direction, angles, and
//! what a bushing measures in the frame of one of its sides.
//!
//! With the place d of the end as seen from the beginning, in a frame that turns by φ with the rotation r of one side, a bushing measures
//!
//! ```text
//! m = l·R(φ)ᵀ d + l_r (r_b − r_a),    ∂m/∂d = w = R(φ) l,   ∂m/∂r = t·d,  ∂²m/∂d∂r = t,  ∂²m/∂r² = −w·d,    t = J w
//! ```
//!
//! with J a quarter turn to the left. A second derivative is H = p eᵀ + e pᵀ in all of them: of a distance with the unit vector τ
//! across it e = τ and p = τ/2m, of what a bushing measures e = ∂r/∂q and p = t ∂d/∂q − w·d/2 e.

use crate::checked::{Between, Checked, Direction, SpringEnd};
use crate::linear::Bordered;
use crate::nodes::Nodes;
use crate::numerics::positions::{Position, Positions};
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers, Placed};

/// Most unknowns that a measure hangs on.
pub(super) const MOST: usize = 6;

/// What a spring measures.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measure {
    /// The distance between two places, m.
    Distance { from: [Side; 2], to: [usize; 2] },
    /// The difference of two unknowns, m or rad.
    Difference { from: Side, to: usize },
    /// How far one place is from another along a direction, m.
    Along { direction: [f64; 2], from: [Side; 2], to: [usize; 2] },
    /// What a bushing measures.
    Turning(TurningMeasure),
}

/// A measure in the frame of a side: m = l·R(φ)ᵀ d + l_r (r_b − r_a), m or rad.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurningMeasure {
    from: [Side; 2],
    to: [usize; 2],
    /// r_a and r_b.
    rotations: [Side; 2],
    /// Which of both turns the frame.
    frame: usize,
    /// φ in the initial configuration, rad.
    angle: f64,
    /// l, l_r.
    way: [f64; 3],
}

impl TurningMeasure {
    /// Adds it to what is measured, where the `way` from one side to another is known.
    fn add<D: Number>(&self, way: impl Fn([Side; 2]) -> D, measured: &mut Measured<D>) {
        let zero = D::zero();
        let [lx, ly, turn] = self.way;
        let phi = way([Side::Ground(0.0), self.rotations[self.frame]]) + self.angle;
        let (sin, cos) = phi.sin_cos();
        let w = [cos * lx - sin * ly, sin * lx + cos * ly];
        let t = [-w[1], w[0]];
        let d = [0, 1].map(|axis| way([self.from[axis], Side::Unknown(self.to[axis])]));
        let [along, lever] = [w, t].map(|way| way[0] * d[0] + way[1] * d[1]);
        measured.value = along + way(self.rotations) * turn;
        for axis in [0, 1] {
            measured.push(self.from[axis].unknown(), -w[axis], [-t[axis], zero]);
            measured.push(Some(self.to[axis]), w[axis], [t[axis], zero]);
        }
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let (lever, bent) = match side == self.frame {
                true => (lever, [along * -0.5, D::one()]),
                false => (zero, [zero; 2]),
            };
            measured.push(self.rotations[side].unknown(), lever + sign * turn, bent);
        }
    }
}

/// One coordinate of where a spring ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    Unknown(usize),
    /// On the ground.
    Ground(f64),
}

impl Side {
    fn unknown(self) -> Option<usize> {
        match self {
            Side::Unknown(u) => Some(u),
            Side::Ground(_) => None,
        }
    }

    fn at(self, q: &Positions) -> Position {
        match self {
            Side::Unknown(u) => q.get(u),
            Side::Ground(place) => place.into(),
        }
    }

    /// How it moves with the unknowns.
    fn change(self, by: &Positions) -> f64 {
        match self {
            Side::Unknown(u) => by[u],
            Side::Ground(_) => 0.0,
        }
    }
}

/// The way from one side to another where the unknowns are `q`, m or rad.
pub(crate) fn ways(q: &Positions) -> impl Fn([Side; 2]) -> f64 + Copy {
    move |[from, to]| to.at(q).displacement_from(from.at(q))
}

/// The way from one side to another in numbers of any kind.
pub(super) fn displacements_in<'a, S: Placed + 'a, N: Numbers<S>>(
    at: &'a N,
) -> impl Fn([Side; 2]) -> N::Number + Copy + use<'a, S, N> {
    let way = ways(at.now().places());
    move |[from, to]: [Side; 2]| {
        let change = |by: &S| to.change(by.places()) - from.change(by.places());
        at.with(way([from, to]), change)
    }
}

/// A measure at some positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured<D = f64> {
    /// m, m or rad.
    pub value: D,
    unknowns: [usize; MOST],
    count: usize,
    /// g.
    first: [D; MOST],
    /// p and e of H = p eᵀ + e pᵀ.
    bent: [[D; 2]; MOST],
    /// Whether there is an H.
    pub bends: bool,
}

impl<D: Number> Measured<D> {
    /// The unknowns with their entries of g.
    pub fn entries(&self) -> impl Iterator<Item = (usize, D)> + '_ {
        (0..self.count).map(|i| (self.unknowns[i], self.first[i]))
    }

    /// g·v.
    pub fn along(&self, v: impl Fn(usize) -> D) -> D {
        self.entries().map(|(u, g)| g * v(u)).sum()
    }

    fn push(&mut self, unknown: Option<usize>, first: D, bent: [D; 2]) {
        if let Some(u) = unknown {
            (self.unknowns[self.count], self.first[self.count]) = (u, first);
            self.bent[self.count] = bent;
            self.count += 1;
        }
    }
}

impl Measured {
    /// Each pair of unknowns with the product of their entries of g and their entry of H.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize, f64, f64)> + '_ {
        (0..self.count).flat_map(move |i| {
            (0..self.count).map(move |k| {
                let ([p, e], [q, f]) = (self.bent[i], self.bent[k]);
                let square = self.first[i] * self.first[k];
                (self.unknowns[i], self.unknowns[k], square, p * f + e * q)
            })
        })
    }

    /// The unknowns with their entries of g and of H v.
    pub fn turned(&self, v: impl Fn(usize) -> f64) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        let mut by = [0.0; 2];
        for i in (0..self.count).filter(|_| self.bends) {
            let way = v(self.unknowns[i]);
            by = [0, 1].map(|k| by[k] + self.bent[i][k] * way);
        }
        (0..self.count).map(move |i| {
            let [p, e] = self.bent[i];
            (self.unknowns[i], self.first[i], p * by[1] + e * by[0])
        })
    }

    /// Adds `along` g gᵀ + `across` H to the matrix.
    pub fn add_symmetric(
        &self, equations: &Equations, [along, across]: [f64; 2], matrix: &mut Bordered,
    ) {
        for (u, v, square, bend) in self.pairs() {
            if let (Some(row), Some(column)) = (equations.of(u), equations.of(v))
                && row <= column
            {
                let place = matrix.interior.layout.position(row, column);
                matrix.interior.values[place] += along * square + across * bend;
            }
        }
    }

    /// v·H w.
    pub fn curved(&self, v: impl Fn(usize) -> f64, w: impl Fn(usize) -> f64) -> f64 {
        if self.bends { self.turned(w).map(|(u, _, turned)| turned * v(u)).sum() } else { 0.0 }
    }
}

impl Measure {
    pub fn of(between: &Between, model: &Checked, nodes: &Nodes) -> Option<Measure> {
        let coordinate = |end: SpringEnd, axis: usize| match end {
            SpringEnd::Point(point) => Side::Unknown(nodes.of_place(point)[axis]),
            SpringEnd::Ground(point) => Side::Ground(model.points[point].position[axis]),
        };
        let turn = |(point, member)| nodes.of_point(point, member, Direction::Rotation);
        Some(match *between {
            Between::Line { from, to } => Measure::Distance {
                from: [0, 1].map(|axis| coordinate(from, axis)),
                to: nodes.of_place(to),
            },
            Between::Axis { axis, from, to } => {
                Measure::Difference { from: coordinate(from, axis), to: nodes.of_place(to)[axis] }
            }
            Between::Along { direction, from, to } => Measure::Along {
                direction,
                from: [0, 1].map(|axis| coordinate(from, axis)),
                to: nodes.of_place(to),
            },
            Between::Bushing { sides, way } => Measure::Turning(TurningMeasure {
                from: [0, 1].map(|axis| coordinate(sides.from, axis)),
                to: nodes.of_place(sides.to.0),
                rotations: [
                    match sides.section() {
                        Some(section) => Side::Unknown(turn(section)?),
                        None => Side::Ground(0.0),
                    },
                    Side::Unknown(turn(sides.to)?),
                ],
                frame: sides.frame as usize,
                angle: sides.angle,
                way,
            }),
            Between::Sections { from, to } => Measure::Difference {
                from: match from {
                    Some(section) => Side::Unknown(turn(section)?),
                    None => Side::Ground(0.0),
                },
                to: turn(to)?,
            },
        })
    }

    /// The unknowns that it hangs on.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> {
        let [from, to, turned] = match *self {
            Measure::Distance { from, to } | Measure::Along { from, to, .. } => {
                [from.map(Side::unknown), to.map(Some), [None; 2]]
            }
            Measure::Difference { from, to } => {
                [[from.unknown(), None], [Some(to), None], [None; 2]]
            }
            Measure::Turning(TurningMeasure { from, to, rotations, .. }) => {
                [from.map(Side::unknown), to.map(Some), rotations.map(Side::unknown)]
            }
        };
        from.into_iter().chain(to).chain(turned).flatten()
    }

    /// Whether its direction changes.
    pub fn bends(&self) -> bool {
        matches!(self, Measure::Distance { .. } | Measure::Turning(_))
    }

    /// Where the unknowns are `q`.
    pub fn at(&self, q: &Positions) -> Measured {
        self.by_displacements(ways(q))
    }

    /// In numbers of any kind.
    pub fn evaluate<S: Placed, N: Numbers<S>>(&self, at: &N) -> Measured<N::Number> {
        self.by_displacements(displacements_in(at))
    }

    /// Where the `way` from one side to another is known.
    pub fn by_displacements<D: Number>(&self, way: impl Fn([Side; 2]) -> D) -> Measured<D> {
        let zero = D::zero();
        let mut measured = Measured {
            value: zero,
            unknowns: [0; MOST],
            count: 0,
            first: [zero; MOST],
            bent: [[zero; 2]; MOST],
            bends: self.bends(),
        };
        match *self {
            Measure::Difference { from, to } => {
                measured.value = way([from, Side::Unknown(to)]);
                measured.push(from.unknown(), D::from(-1.0), [zero; 2]);
                measured.push(Some(to), D::from(1.0), [zero; 2]);
            }
            Measure::Along { direction, from, to } => {
                for (axis, g) in direction.into_iter().enumerate() {
                    measured.value += way([from[axis], Side::Unknown(to[axis])]) * g;
                    measured.push(from[axis].unknown(), D::from(-g), [zero; 2]);
                    measured.push(Some(to[axis]), D::from(g), [zero; 2]);
                }
            }
            Measure::Distance { from, to } => {
                let way = [0, 1].map(|axis| way([from[axis], Side::Unknown(to[axis])]));
                let length = way[0].hypot(way[1]);
                // Without a direction it has no moment to turn by either.
                let (length, bend, [c, s]) = match length.re() > 0.0 {
                    true => (length, length.recip() * 0.5, way.map(|x| x / length)),
                    false => (D::from(length.re()), zero, [zero; 2]),
                };
                measured.value = length;
                for (axis, (g, t)) in [(c, -s), (s, c)].into_iter().enumerate() {
                    measured.push(from[axis].unknown(), -g, [-bend * t, -t]);
                    measured.push(Some(to[axis]), g, [bend * t, t]);
                }
            }
            Measure::Turning(turning) => turning.add(way, &mut measured),
        }
        measured
    }
}
