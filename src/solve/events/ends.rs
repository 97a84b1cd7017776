//! Sliders that leave a path whose ends are an error.

use crate::checked::PathEnds;
use crate::joints::regime::End;
use crate::message::rounded;
use crate::newton::Newton;
use crate::solve::stepper::StepFault;
use crate::solve::tolerances::FAR_BEYOND_END;
use crate::system::{Constraint, Slider, System};

impl Slider {
    /// Whether no equilibrium has it beyond the ends: what leaves its path there is in motion.
    pub(crate) fn rests_between_its_ends(&self) -> bool {
        matches!(self.ends, PathEnds::Error | PathEnds::Leave)
    }

    /// Whether `s` is beyond the ends of its path by more than rounding.
    pub(crate) fn is_beyond_its_path(&self, s: f64) -> bool {
        let length = self.path.length();
        let slack = 1e-9 * length;
        !(-slack..=length + slack).contains(&s)
    }
}

impl Newton {
    pub(crate) fn check_ends(&self, system: &System, time: f64) -> Result<(), StepFault> {
        for (j, slider) in system.sliders.iter().enumerate() {
            let (s, length) = (self.at.q[slider.coordinate], slider.path.length());
            let bound = match system.is_dynamic() {
                true => slider.ends == PathEnds::Error,
                false => slider.rests_between_its_ends(),
            };
            if !bound || !slider.is_beyond_its_path(s) {
                continue;
            }
            let own = &self.at.sliders[j];
            let before = own.before.rounded;
            let far = (s - before).abs() > FAR_BEYOND_END * length;
            let hint = far.then(|| {
                format!(
                    "; it was at s = {} m one step of {} s before: where it should not go so far, \
                     reduce `solver.step`",
                    rounded(before, 6),
                    rounded(self.at.step, 4)
                )
            });
            let hint = hint.unwrap_or_default();
            let what = match own.constraint {
                Constraint::Open => "flies past the end of its path",
                _ => "leaves its path",
            };
            let end = if s < 0.0 { End::First } else { End::Last };
            let longer = system.model.longer_path(j, end);
            let cure = match system.model.key_of_ends(j) {
                None => format!(
                    "{longer}: a corner beyond its end has no face, and the end of a face has no contact"
                ),
                Some(key) => format!("{longer}, or set `{key}` to \"stop\" or \"continue\""),
            };
            return Err(StepFault(format!(
                "t = {} s: {} {what}, s = {} m outside [0, {}] m; {cure}{hint}",
                rounded(time, 10),
                system.model.path_of_slider(j),
                rounded(s, 6),
                rounded(length, 6)
            )));
        }
        Ok(())
    }
}
