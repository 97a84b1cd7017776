//! `[static]`: the path of equilibria that a model carries.

use super::Checker;
use crate::checked::Checked;
use crate::model::file;
use crate::model::statics::{Scaled, StaticPath, Steered};

/// Resolves the section; the rest of the model must be free of faults.
pub(super) fn statics(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    let Some(given) = &file.statics else { return };
    let name = given.to.path.trim_end_matches(".to").to_string();
    let mut path = StaticPath::new(model, 1.0);
    if let Some(scale) = &given.scale {
        if scale.is_empty() {
            let message = format!("{name}.scale is empty; name what grows, or leave it out");
            check.report(&given.to, message);
            return;
        }
        path.scaled.clear();
        for name in scale {
            match Scaled::named(model, &name.value) {
                Ok(scaled) => path.scaled.extend(scaled),
                Err(_) if check.may_be_missing(&name.value) => {}
                Err(message) => check.report_entry(name, format!("{}: {message}", name.path)),
            }
        }
    }
    if let Some(quantity) = &given.quantity {
        match Steered::named(model, &quantity.value) {
            Ok(steered) => path.quantity = Some(steered),
            Err(_) if check.may_be_missing(&quantity.value) => {}
            Err(message) => {
                check.report(quantity, format!("{}: {message}", quantity.path));
            }
        }
    }
    path.control = given.control;
    path.switch = given.switch;
    path.fixed_sliders = given.fixed_sliders;
    given.numbers_of_path(check, &name, &mut path);
    let used = [&name, "loads", "motions", "gravity"];
    if used.iter().any(|section| check.reader.is_faulty(section)) {
        return;
    }
    if let Some(message) = path.contradiction(model) {
        check.report(&given.to, format!("{name}: {message}"));
        return;
    }
    model.statics = Some(path);
}

impl file::Static {
    fn numbers_of_path(&self, check: &mut Checker<'_>, name: &str, path: &mut StaticPath) {
        path.to = check.number(&self.to);
        let first = self.first_step.as_ref();
        path.first_step = first.map(|s| check.number(s));
        path.largest_move = check.number_or(
            self.largest_move.as_ref(),
            format!("{name}.largest_move"),
            StaticPath::LARGEST_MOVE,
        );
        path.points =
            check.count_or(self.points.as_ref(), format!("{name}.points"), StaticPath::POINTS);
    }
}
