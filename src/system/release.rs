//! Motions that release what they drive, and loads that have left their paths.

use super::{Along, Iterate, State, System, Until};
use crate::checked::history::Release;
use crate::joints::regime::Sense;
use crate::nodes::Node;
use crate::numerics::positions::Positions;

/// Slope of a path against the direction of a motion up to which the one says nothing of the other.
const ACROSS: f64 = 1e-6;

/// Rounding of a rate relative to those of the path that it is the difference to.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl Until {
    /// With the sliding coordinates in the initial configuration: a slider passes its place from where it is.
    pub(super) fn of(release: Release, coordinates: &[f64]) -> Until {
        match release {
            Release::Time(time) => Until::Time(time),
            Release::Position { slider, at } => Until::Position {
                slider,
                at,
                side: if coordinates[slider] <= at { 1.0 } else { -1.0 },
            },
        }
    }
}

impl System {
    /// Motions that will end and have not yet, with what they wait for.
    pub(crate) fn pending<'a>(
        &'a self, state: &'a State,
    ) -> impl Iterator<Item = (usize, Until)> + 'a {
        let motions = self.motions.iter().zip(&state.motions).enumerate();
        motions.filter_map(|(m, (motion, now))| {
            let waits = motion.release.filter(|_| !now.released)?;
            Some((m, waits))
        })
    }

    /// Unknowns that motions drive now, with the motion of each.
    pub(crate) fn driven<'a>(
        &'a self, state: &'a State,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let motions = self.motions.iter().zip(&state.motions).enumerate();
        motions
            .filter(|(_, (_, now))| !now.released)
            .flat_map(|(m, (motion, _))| motion.unknowns.iter().map(move |&u| (m, u)))
    }

    /// Whether motions and supports say where slider `j` stands on its path: friction cannot hold it.
    pub(crate) fn is_driven_along(&self, j: usize, q: &Positions, driven: &[Option<f64>]) -> bool {
        let slider = &self.sliders[j];
        slider.friction.set_valued && self.is_placed_along(j, q, driven)
    }

    /// Finds in which sense motions move the sliders that they drive, whose unknowns have these `rates`.
    pub(crate) fn find_senses(&self, at: &mut Iterate, rates: &[f64]) {
        for (j, slider) in self.sliders.iter().enumerate() {
            if !matches!(at.sliders[j].along, Along::Driven(_)) {
                continue;
            }
            // The node of an edge with the friction of all moves as they do.
            let of = match slider.shares.first() {
                Some(&(node, _)) if slider.carries_friction_of_edge() => node,
                _ => j,
            };
            let slider = &self.sliders[of];
            let k = self.kinematics(of, &at.q, None);
            let rate = k.gap_of(&slider.path, rates, &slider.unknowns);
            let axis = usize::from(k.tangent[0].abs() < k.tangent[1].abs());
            let known = [0, 1].map(|axis| self.is_known(slider.unknowns[axis], &at.driven));
            let axis = if known[axis] { axis } else { 1 - axis };
            let path = slider.path.carriers(k.point.element).iter();
            let arm = |u: usize| if self.is_rotation[u] { self.size } else { 1.0 };
            let fastest = path.flat_map(Node::unknowns);
            let fastest = fastest.fold(0.0_f64, |most, u| most.max(arm(u) * rates[u].abs()));
            let way = match rate[axis].abs() > ROUNDING * fastest {
                true => rate[axis] * k.tangent[axis].signum(),
                false => 0.0,
            };
            at.sliders[j].along = Along::Driven(Sense::of(way));
        }
    }

    /// Whether a motion or a support says where an unknown is.
    fn is_known(&self, unknown: usize, driven: &[Option<f64>]) -> bool {
        !self.equation.has(unknown) || driven[unknown].is_some()
    }

    /// Whether motions and supports hold slider `j` and its path so that its s is known.
    pub(crate) fn is_placed_along(&self, j: usize, q: &Positions, driven: &[Option<f64>]) -> bool {
        let slider = &self.sliders[j];
        if slider.carries_friction_of_edge() {
            let mut nodes = slider.shares.iter();
            return nodes.all(|(k, _)| self.is_placed_along(*k, q, driven));
        }
        let known = |u: usize| self.is_known(u, driven);
        let moves = |axis: usize| known(slider.unknowns[axis]);
        if !(moves(0) || moves(1)) {
            return false;
        }
        let [x, y] = self.kinematics(j, q, None).tangent;
        let along =
            moves(0) && x.abs() > ACROSS * y.abs() || moves(1) && y.abs() > ACROSS * x.abs();
        let mut elements = 0..slider.path.elements().len();
        along
            && elements.all(|e| {
                let mut nodes = slider.path.carriers(e).iter();
                nodes.all(|node| node.position.into_iter().all(known))
            })
    }

    /// Which unknowns with an equation motions drive at `state`, with their accelerations. What carries nothing but loads and has
    /// left its path stays where it is.
    pub(crate) fn find_driven(&self, state: &State, driven: &mut [Option<f64>]) {
        driven.fill(None);
        for (m, _) in self.pending(state) {
            for &u in &self.motions[m].unknowns {
                driven[u] = Some(state.motions[m].acceleration);
            }
        }
        for (slider, own) in self.sliders.iter().zip(&state.sliders) {
            if slider.bare && own.regime.is_open() {
                for &u in &slider.unknowns {
                    driven[u] = driven[u].or(Some(0.0));
                }
            }
        }
    }
}
