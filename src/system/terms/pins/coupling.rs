//! Couplings: conditions between coordinates.
//!
//! ```text
//! c = Δx − Σ f_k(Δx_k) − u = 0,    Δx = x(q) − x(q₀)
//! ```
//!
//! with coordinates x that are measured as springs are, and u an unknown of its own that a motion prescribes: what the
//! motion exerts on it is what it exerts on the mechanism. The multiplier λ acts with λ ∂c/∂q, so that what follows is
//! pushed by −λ and a driver by λ f′; its tangent is
//!
//! ```text
//! λ ∂²c/∂q² = λ (H − Σ (f_k′ H_k + f_k″ g_k g_kᵀ)),    g = ∂x/∂q,  H = ∂²x/∂q²
//! ```

use crate::checked::{
    Between, BodyId, Checked, Coupling, FrictionHinge, PointId, RigidStop, Turns,
};
use crate::laws::transmission::Transmission;
use crate::linear::Bordered;
use crate::nodes::Nodes;
use crate::numerics::positions::Positions;
use crate::system::State;
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers};
use crate::system::terms::measure::{Measure, Measured, Side, displacements_in, ways};

/// A coupling in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct PlacedCoupling {
    /// Δx, then −f_k(Δx_k).
    pub parts: Vec<Coupled>,
    /// u, where a motion drives it.
    pub drive: Option<usize>,
    /// Whether c is an angle.
    pub turns: bool,
    /// Whether it only leads a slider that nothing carries and that has no friction, so that it holds nothing by itself.
    pub leads: bool,
    /// The slider whose slip, that of a hinge with friction, it leads.
    pub slips: Option<usize>,
    /// The point at which it clamps two rigid bodies to each other.
    pub clamps: Option<PointId>,
}

/// A coordinate of a coupling.
#[derive(Debug, Clone)]
pub(crate) struct Coupled {
    measure: Measure,
    /// x(q₀).
    initial: f64,
    law: Transmission,
    /// 1 of what follows, −1 of a driver.
    sign: f64,
}

/// A part of c at some positions.
pub(crate) struct Part<D = f64> {
    pub measured: Measured<D>,
    /// ∂c/∂x.
    pub slope: D,
    /// ∂²c/∂x².
    pub bend: D,
    value: D,
    /// x − x(q₀).
    pub way: D,
}

impl Coupled {
    /// Where the `way` from one side to another is known.
    fn by_displacements<D: Number>(&self, way: impl Fn([Side; 2]) -> D) -> Part<D> {
        let measured = self.measure.by_displacements(way);
        let way = measured.value - self.initial;
        let [value, slope, bend] = self.law.at(way).map(|x| x * self.sign);
        Part { measured, slope, bend, value, way }
    }

    /// In the numbers of a state.
    pub fn evaluate<N: Numbers<State>>(&self, state: &N) -> Part<N::Number> {
        self.by_displacements(displacements_in(state))
    }
}

impl PlacedCoupling {
    /// A coupling of a model whose unknowns begin at `initial`.
    pub fn of(
        model: &Checked, nodes: &Nodes, (id, coupling): (usize, &Coupling),
    ) -> Option<PlacedCoupling> {
        let initial = Positions::from(nodes.initial.as_slice());
        let coupled = |between: &Between, law: Transmission, sign: f64| {
            let measure = Measure::of(between, model, nodes)?;
            Some(Coupled { initial: measure.at(&initial).value, measure, law, sign })
        };
        let mut parts = vec![coupled(&coupling.driven, Transmission::Ratio(1.0), 1.0)?];
        for driver in &coupling.drivers {
            parts.push(coupled(&driver.coordinate, driver.law.clone(), -1.0)?);
        }
        Some(PlacedCoupling {
            parts,
            drive: nodes.of_drive(id),
            turns: coupling.driven.turns(),
            leads: false,
            slips: None,
            clamps: None,
        })
    }

    /// Δw − Δx of a rigid stop.
    pub fn of_stop(
        model: &Checked, nodes: &Nodes, (id, stop): (usize, &RigidStop),
    ) -> Option<PlacedCoupling> {
        let initial = Positions::from(nodes.initial.as_slice());
        let [way, _] = nodes.of_travel(model.friction_hinges.len() + id);
        let way = Measure::Difference { from: Side::Ground(0.0), to: way };
        let coupled = |measure: Measure, sign| Coupled {
            initial: measure.at(&initial).value,
            measure,
            law: Transmission::Ratio(1.0),
            sign,
        };
        let measured = Measure::of(&stop.between, model, nodes)?;
        Some(PlacedCoupling {
            parts: vec![coupled(way, 1.0), coupled(measured, -1.0)],
            drive: None,
            turns: stop.between.turns(),
            leads: true,
            slips: None,
            clamps: None,
        })
    }

    /// w − r (φ − φ₀) of a hinge with friction.
    pub fn of_hinge(nodes: &Nodes, (id, hinge): (usize, &FrictionHinge)) -> Option<PlacedCoupling> {
        let turn = |side: Turns| match side {
            Turns::Ground => Some(Side::Ground(0.0)),
            side => side.rotation(hinge.point, nodes).map(Side::Unknown),
        };
        let [from, to] = hinge.sides.map(turn);
        let Side::Unknown(to) = to? else {
            return None;
        };
        let [way, _] = nodes.of_travel(id);
        let coupled = |measure, ratio, sign| Coupled {
            measure,
            initial: 0.0,
            law: Transmission::Ratio(ratio),
            sign,
        };
        let from_ground = Side::Ground(0.0);
        let slip = Measure::Difference { from: from_ground, to: way };
        let turned = Measure::Difference { from: from?, to };
        Some(PlacedCoupling {
            parts: vec![coupled(slip, 1.0, 1.0), coupled(turned, hinge.radius, -1.0)],
            drive: None,
            turns: false,
            leads: false,
            slips: Some(hinge.slider),
            clamps: None,
        })
    }

    /// r_b − r_a of two rigid bodies that are clamped to each other at a point.
    pub fn of_clamp(nodes: &Nodes, point: PointId, bodies: [BodyId; 2]) -> Option<PlacedCoupling> {
        let [from, to] = bodies.map(|body| nodes.of_rigid_body(body));
        let turned = Measure::Difference { from: Side::Unknown(from?.rotation), to: to?.rotation };
        Some(PlacedCoupling {
            parts: vec![Coupled {
                measure: turned,
                initial: 0.0,
                law: Transmission::Ratio(1.0),
                sign: 1.0,
            }],
            drive: None,
            turns: true,
            leads: false,
            slips: None,
            clamps: Some(point),
        })
    }

    /// The parts of c that coordinates have at the positions `q`.
    pub fn parts<'a>(&'a self, q: &'a Positions) -> impl Iterator<Item = Part> + 'a {
        self.parts.iter().map(|part| part.by_displacements(ways(q)))
    }

    /// Its unknowns, perhaps more than once.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> + '_ {
        let coordinates = self.parts.iter().flat_map(|part| part.measure.unknowns());
        coordinates.chain(self.drive)
    }

    /// Unknowns that its tangent couples with each other, coordinate by coordinate.
    pub fn cliques(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let bent = self.parts.iter();
        let bent = bent.filter(|part| part.law.bends() || part.measure.bends());
        bent.map(|part| part.measure.unknowns().collect())
    }

    /// c.
    pub fn gap(&self, q: &Positions) -> f64 {
        let coordinates: f64 = self.parts(q).map(|part| part.value).sum();
        coordinates - self.drive.map_or(0.0, |u| q[u])
    }

    /// ∂c/∂q · v.
    pub fn along(&self, q: &Positions, v: impl Fn(usize) -> f64) -> f64 {
        let coordinates: f64 = self.parts(q).map(|part| part.slope * part.measured.along(&v)).sum();
        coordinates - self.drive.map_or(0.0, v)
    }

    /// Calls `add` with each unknown and its entry of ∂c/∂q, where the `way` from one side to another is known; unknowns may come more
    /// than once.
    pub fn each_slope<D: Number>(
        &self, way: impl Fn([Side; 2]) -> D + Copy, mut add: impl FnMut(usize, D),
    ) {
        for part in &self.parts {
            let part = part.by_displacements(way);
            for (u, g) in part.measured.entries() {
                add(u, part.slope * g);
            }
        }
        if let Some(u) = self.drive {
            add(u, D::from(-1.0));
        }
    }

    /// Adds the column of its multiplier, whose place in the border is `border`, to the matrix, and how its direction changes.
    pub fn add_tangent(
        &self, equations: &Equations, (border, multiplier): (usize, f64), q: &Positions,
        matrix: &mut Bordered,
    ) {
        self.each_slope(ways(q), |u, slope| {
            if let Some(e) = equations.of(u) {
                matrix.add_column(e, border, slope);
            }
        });
        for part in self.parts(q) {
            let along = multiplier * part.bend;
            let across = multiplier * part.slope;
            if along == 0.0 && !part.measured.bends {
                continue;
            }
            part.measured.add_symmetric(equations, [along, across], matrix);
        }
    }
}
