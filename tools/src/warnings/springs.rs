//! Springs along an axis whose end is drawn before their beginning.

use coulisse::laws::spring::Begun;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::Between;

/// Springs along x or y that have a force in the initial configuration and a length below 0: a force above 0 moves their sides apart.
pub(super) fn drawn_backwards(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, spring) in model.lone_springs() {
        let Between::Axis { axis, from, to } = spring.between else {
            continue;
        };
        let length = model.drawn_measure(&spring.between);
        let begun = Begun { anchor: length, setting: spring.law.setting };
        let force = spring.law.answer(length, 0.0, &begun).force;
        if length >= 0.0 || force == 0.0 {
            continue;
        }
        let [from, to] = [from.point(), to].map(|p| &model.points[p].name);
        let (along, does) = (["x", "y"][axis], if force > 0.0 { "apart" } else { "together" });
        lines.push(format!(
            "springs.{}: `{to}` is at a smaller {along} than `{from}`, so its length along {along} is {} m, and its initial force, {} N, \
             drives both {does}; begin it at `{to}` if forces above 0 are to pull both together: along x or y they make `{to}`.{along} − `{from}`.{along} \
             smaller",
            spring.name,
            rounded(length, 4),
            rounded(force, 4),
        ));
    }
    lines
}
