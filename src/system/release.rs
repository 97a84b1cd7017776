//! Motions that release what they drive, and loads that have left their paths.

use super::{State, System, Until};
use crate::checked::history::Release;

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
