//! `[static]`: the path of equilibria that a model carries.

use super::Checker;
use crate::checked::Checked;
use crate::model::file;
use crate::model::statics::{Scaled, StaticPath, Steered};

impl Checker<'_> {
    /// Resolves the section; the rest of the model must be free of faults.
    pub(super) fn statics(&mut self, model: &mut Checked) {
        let file = self.file;
        let Some(given) = &file.statics else { return };
        let name = given.to.path.trim_end_matches(".to").to_string();
        let mut path = StaticPath::new(model, 1.0);
        if let Some(scale) = &given.scale {
            if scale.is_empty() {
                let message = format!("{name}.scale is empty; name what grows, or leave it out");
                self.report(&given.to, message);
                return;
            }
            path.scaled.clear();
            for name in scale {
                match Scaled::named(model, &name.value) {
                    Ok(scaled) => path.scaled.extend(scaled),
                    Err(_) if self.may_be_missing(&name.value) => {}
                    Err(message) => self.report_entry(name, format!("{}: {message}", name.path)),
                }
            }
        }
        if let Some(quantity) = &given.quantity {
            match Steered::named(model, &quantity.value) {
                Ok(steered) => path.quantity = Some(steered),
                Err(_) if self.may_be_missing(&quantity.value) => {}
                Err(message) => {
                    self.report(quantity, format!("{}: {message}", quantity.path));
                }
            }
        }
        path.control = given.control;
        path.switch = given.switch;
        path.held_sliders = given.held_sliders;
        self.numbers_of_path(given, &name, &mut path);
        let used = [&name, "loads", "motions", "gravity"];
        if used.iter().any(|section| self.reader.is_faulty(section)) {
            return;
        }
        if let Some(message) = path.contradiction(model) {
            self.report(&given.to, format!("{name}: {message}"));
            return;
        }
        model.statics = Some(path);
    }

    fn numbers_of_path(&mut self, given: &file::Static, name: &str, path: &mut StaticPath) {
        path.to = self.number(&given.to);
        let first = given.first_step.as_ref();
        path.first_step = first.map(|s| self.number(s));
        path.largest_move = self.number_or(
            given.largest_move.as_ref(),
            format!("{name}.largest_move"),
            StaticPath::LARGEST_MOVE,
        );
        path.points =
            self.count_or(given.points.as_ref(), format!("{name}.points"), StaticPath::POINTS);
    }
}
