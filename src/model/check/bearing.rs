//! What of a prismatic slider touches its path.

use super::Checker;
use crate::checked::SliderKind;
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Friction;
use crate::message::figure;
use crate::model::file::{self, Sliding};

impl Sliding {
    /// The bearing of a slider with `friction`.
    pub(super) fn bearing(
        &self, check: &mut Checker<'_>, kind: SliderKind, friction: &Friction,
    ) -> SliderBearing {
        let mut size = |key: Option<&_>| key.map(|l| check.number(l));
        let (length, height) = (size(self.length.as_ref()), size(self.height.as_ref()));
        let (SliderKind::Prismatic, Some(length)) = (kind, length) else {
            return SliderBearing::Point;
        };
        let most = friction.largest_coefficient();
        if let (Some(at), Some(height)) = (&self.height, height)
            && most * height >= length
        {
            let message = format!(
                "{} is {} m, which times the largest coefficient of friction, {}, is not below the length, {} m; allowed: below \
                 {} m. A higher slider wedges across its guide: friction can then lock it without any load, and the solution is not unique",
                at.path,
                figure(height),
                figure(most),
                figure(length),
                figure(length / most),
            );
            check.report(at, message);
        }
        let height = height.unwrap_or(0.0);
        match self.bearing.as_ref().map(|bearing| bearing.value) {
            None | Some(file::SliderBearing::Ends) => SliderBearing::Ends { length, height },
            Some(file::SliderBearing::Layer) => SliderBearing::Layer { length, height },
        }
    }
}
