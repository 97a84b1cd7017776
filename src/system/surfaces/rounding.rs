//! Contact layers so stiff that loads press surfaces in by less than positions are rounded to: their forces are not known.

use super::SurfaceContacts;
use crate::message::rounded;
use crate::system::{SystemFault, Workspace};

/// Share of the loads from which on what rounding makes of the forces of contacts is reported.
const LOST: f64 = 1e-2;

impl Workspace {
    /// What rounding of positions makes of the normal forces of contacts, N. The penetration of a stiff face is below the rounding of
    /// positions.
    pub(crate) fn rounding_of_contacts(&self) -> f64 {
        let squares = self.points.iter().map(|point| point.rounding.powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// The same where it is more than a share of the `loads` (N) that results may be off by.
    pub(crate) fn lost_in_rounding(&self, loads: f64) -> Option<f64> {
        let rounding = self.rounding_of_contacts();
        (loads > 0.0 && rounding > LOST * loads).then_some(rounding)
    }
}

impl SurfaceContacts {
    /// The contact with the point of whose forces rounding makes most, as `contacts.NAME`.
    pub(crate) fn roundest(&self, work: &Workspace) -> String {
        let points = work.points.iter().zip(&self.points);
        let most = points.max_by(|a, b| a.0.rounding.total_cmp(&b.0.rounding));
        let contact = most.map_or(0, |(_, point)| point.contact);
        format!("contacts.{}", self.contacts[contact].name)
    }

    /// # Errors
    /// Where rounding hides how deep the loads of the last evaluation press surfaces in.
    pub(crate) fn forces_are_known(&self, work: &Workspace) -> Result<(), SystemFault> {
        let loads = work.load_scale;
        match work.lost_in_rounding(loads) {
            None => Ok(()),
            Some(by) => Err(SystemFault(format!(
                "{}: its forces are not known: {}",
                self.roundest(work),
                why_lost(by, loads)
            ))),
        }
    }
}

/// Why forces of contacts that are off by so much (N) beside the `loads` (N) are not known, and what to do.
pub(crate) fn why_lost(by: f64, loads: f64) -> String {
    format!(
        "at this stiffness the penetration of a surface is below the rounding of positions, which makes an error of about {} N of its normal forces \
         under loads of {} N; give it less `stiffness` (`\"penalty\"` follows `young_modulus`)",
        rounded(by, 2),
        rounded(loads, 3)
    )
}
