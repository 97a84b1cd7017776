//! Couplings between coordinates.

use coulisse::model::checked::{Between, SpringEnd};

use super::Drawing;
use super::scene::{Anchor, Frame, Ink, Pixel};

/// Radius of the ring around what a coupling moves, px.
const RING: f64 = 9.0;

impl Drawing<'_> {
    /// A ring around what follows and around each driver, and dashes between them; two rings around a turning one.
    pub(super) fn couplings(&mut self) {
        let model = self.model;
        for coupling in &model.couplings {
            let mut places: Vec<Pixel> = Vec::new();
            for between in coupling.coordinates() {
                let (_, to) = between.points();
                let at = self.point(to);
                self.scene.begin(Anchor::Point(to), Frame::new(at, [1.0, 0.0]));
                self.ring(at, RING, 1.2, Ink::Joint);
                if between.turns() {
                    self.ring(at, RING - 3.0, 1.2, Ink::Joint);
                }
                self.measured_from(between, at);
                places.push(at);
            }
            let Some((&driven, drivers)) = places.split_first() else {
                continue;
            };
            self.scene.begin_picture();
            for &driver in drivers {
                self.scene.dashes(&[driver, driven], 1.2, Ink::Joint);
            }
            let other = drivers.first().copied().unwrap_or(driven);
            let middle = [0, 1].map(|i| 0.5 * (driven[i] + other[i]));
            self.label(middle, &coupling.name, Ink::Joint);
        }
    }

    /// A circle of lines of this width, px.
    pub(super) fn ring(&mut self, at: Pixel, radius: f64, width: f64, ink: Ink) {
        let on = |k: i32| {
            let (sin, cos) = (f64::from(k) / 24.0 * std::f64::consts::TAU).sin_cos();
            [at[0] + radius * cos, at[1] - radius * sin]
        };
        let line: Vec<Pixel> = (0..=24).map(on).collect();
        self.scene.line(&line, width, ink);
    }

    /// Dashes to the moving place from which a length is measured.
    fn measured_from(&mut self, between: &Between, at: Pixel) {
        let from = match *between {
            Between::Line { from, .. }
            | Between::Axis { from, .. }
            | Between::Along { from, .. } => from,
            Between::Sections { .. } | Between::Bushing { .. } => return,
        };
        if let SpringEnd::Point(point) = from {
            let begin = self.point(point);
            self.scene.begin_picture();
            self.scene.dashes(&[begin, at], 1.2, Ink::Joint);
        }
    }
}
