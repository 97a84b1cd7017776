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

use super::measure::{Measure, Measured, Side};
use crate::checked::{Between, BodyId, Checked, Coupling, FrictionHinge, RigidStop, Turns};
use crate::laws::transmission::Transmission;
use crate::nodes::Nodes;
use crate::numerics::positions::Positions;

/// A coupling in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct PlacedCoupling {
    /// Δx, then −f_k(Δx_k).
    pub(super) parts: Vec<Coupled>,
    /// u, where a motion drives it.
    pub drive: Option<usize>,
    /// Whether c is an angle.
    pub turns: bool,
    /// Whether it only leads a slider that nothing carries and that has no friction, so that it holds nothing by itself.
    pub leads: bool,
}

/// A coordinate of a coupling.
#[derive(Debug, Clone)]
pub(super) struct Coupled {
    measure: Measure,
    /// x(q₀).
    drawn: f64,
    law: Transmission,
    /// 1 of what follows, −1 of a driver.
    sign: f64,
}

/// A part of c at some positions.
pub(crate) struct Part {
    pub measured: Measured,
    /// ∂c/∂x.
    pub slope: f64,
    /// ∂²c/∂x².
    pub bend: f64,
    value: f64,
    /// x − x(q₀).
    pub way: f64,
}

impl Coupled {
    pub fn at(&self, q: &Positions) -> Part {
        let measured = self.measure.at(q);
        let way = measured.value - self.drawn;
        let [value, slope, bend] = self.law.at(way).map(|x| self.sign * x);
        Part { measured, slope, bend, value, way }
    }
}

impl PlacedCoupling {
    /// A coupling of a model whose unknowns begin at `initial`.
    pub(super) fn of(
        model: &Checked, nodes: &Nodes, (id, coupling): (usize, &Coupling),
    ) -> Option<PlacedCoupling> {
        let drawn = Positions::from(nodes.initial.as_slice());
        let coupled = |between: &Between, law: Transmission, sign: f64| {
            let measure = Measure::of(between, model, nodes)?;
            Some(Coupled { drawn: measure.at(&drawn).value, measure, law, sign })
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
        })
    }

    /// Δw − Δx of a rigid stop.
    pub(super) fn of_stop(
        model: &Checked, nodes: &Nodes, (id, stop): (usize, &RigidStop),
    ) -> Option<PlacedCoupling> {
        let drawn = Positions::from(nodes.initial.as_slice());
        let [way, _] = nodes.of_way(model.friction_hinges.len() + id);
        let way = Measure::Difference { from: Side::Ground(0.0), to: way };
        let coupled = |measure: Measure, sign| Coupled {
            drawn: measure.at(&drawn).value,
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
        })
    }

    /// w − r (φ − φ₀) of a hinge with friction.
    pub(super) fn of_hinge(
        nodes: &Nodes, (id, hinge): (usize, &FrictionHinge),
    ) -> Option<PlacedCoupling> {
        let turn = |side: Turns| match side {
            Turns::Ground => Some(Side::Ground(0.0)),
            side => side.rotation(hinge.point, nodes).map(Side::Unknown),
        };
        let [from, to] = hinge.sides.map(turn);
        let Side::Unknown(to) = to? else {
            return None;
        };
        let [way, _] = nodes.of_way(id);
        let coupled = |measure, ratio, sign| Coupled {
            measure,
            drawn: 0.0,
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
        })
    }

    /// r_b − r_a of two rigid bodies that are clamped to each other.
    pub(super) fn of_clamp(nodes: &Nodes, bodies: [BodyId; 2]) -> Option<PlacedCoupling> {
        let [from, to] = bodies.map(|body| nodes.of_rigid_body(body));
        let turned = Measure::Difference { from: Side::Unknown(from?.rotation), to: to?.rotation };
        Some(PlacedCoupling {
            parts: vec![Coupled {
                measure: turned,
                drawn: 0.0,
                law: Transmission::Ratio(1.0),
                sign: 1.0,
            }],
            drive: None,
            turns: true,
            leads: false,
        })
    }

    /// The parts of c that coordinates have at the positions `q`.
    pub fn parts<'a>(&'a self, q: &'a Positions) -> impl Iterator<Item = Part> + 'a {
        self.parts.iter().map(|part| part.at(q))
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

    /// Calls `add` with each unknown and its entry of ∂c/∂q; unknowns may come more than once.
    pub fn each_slope(&self, q: &Positions, mut add: impl FnMut(usize, f64)) {
        for part in self.parts(q) {
            for (u, g) in part.measured.entries() {
                add(u, part.slope * g);
            }
        }
        if let Some(u) = self.drive {
            add(u, -1.0);
        }
    }
}
