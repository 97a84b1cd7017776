//! Guides of two sliders that jam under what drives them.

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Direction, Moved, Part, PathPart, Slider, SliderKind, Target};

/// Share of a force across the guide up to which it acts along it, and of its length up to which points are on one line.
const ACROSS: f64 = 1e-3;
const BESIDE: f64 = 1e-6;

/// Parts on two sliders of one straight path, of length L between them, that are driven at a distance e beside it: the couple F e is borne by
/// normal forces F e/L at both, whose friction 2 μ F e/L is more than F from μ = L/(2e) on.
pub fn of_joints(model: &Checked) -> Vec<String> {
    let members = (0..model.members.len()).map(Part::Member);
    let parts = members.chain((0..model.bodies.len()).map(Part::Body));
    let mut lines = Vec::new();
    for part in parts {
        let points = model.points_of(part);
        // What else is connected may bear the couple.
        let alone = points.iter().all(|&p| {
            let rigid = match part {
                Part::Member(id) => model.members[id].rigid,
                Part::Body(id) => Some(id),
            };
            (model.parts_at(p).into_iter())
                .all(|other| other == part || matches!(other, Part::Body(id) if Some(id) == rigid))
        });
        let own = model
            .sliders_of_joints()
            .map(|(_, slider)| slider)
            .filter(|slider| points.contains(&slider.point));
        let own: Vec<&Slider> = own.collect();
        let (true, [first, second]) = (alone, &own[..]) else {
            continue;
        };
        let cylindrical = [first, second]
            .iter()
            .all(|s| s.kind == SliderKind::Cylindrical && s.side.is_none());
        let Some([along, at]) = straight(model, &first.path).filter(|_| cylindrical) else {
            continue;
        };
        if first.path != second.path {
            continue;
        }
        let place = |slider: &Slider| model.points[slider.point].position;
        let reach = |[x, y]: [f64; 2]| (x - at[0]) * along[0] + (y - at[1]) * along[1];
        let length = (reach(place(first)) - reach(place(second))).abs();
        let coefficient = |s: &Slider| s.friction.largest_coefficient();
        let least = coefficient(first).min(coefficient(second));
        let loads = model.loads.iter().filter_map(|load| {
            let [fx, fy, moment] = load.components;
            let acts = points.contains(&load.point) && fx.hypot(fy) > 0.0 && moment == 0.0;
            let across = (fy * along[0] - fx * along[1]).abs();
            (acts && across <= ACROSS * fx.hypot(fy))
                .then(|| (format!("loads.{}", load.name), load.point))
        });
        let motions = model.motions.iter().filter_map(|motion| {
            let Moved::Target(Target::Point { point, .. }) = motion.moved else {
                return None;
            };
            let driven = match motion.direction {
                Direction::X => along[1].abs() <= ACROSS,
                Direction::Y => along[0].abs() <= ACROSS,
                Direction::Rotation => false,
            };
            let driven = driven && points.contains(&point);
            driven.then(|| (format!("motions.{}", motion.name), point))
        });
        for (path, point) in loads.chain(motions) {
            let [x, y] = model.points[point].position;
            let beside = ((y - at[1]) * along[0] - (x - at[0]) * along[1]).abs();
            let most = length / (2.0 * beside);
            if beside > BESIDE * length && least >= most {
                lines.push(format!(
                    "{path} drives {} {} m beside its path, which two sliders {} m apart bear with a coefficient of friction of {}: from \
                     L/(2e) = {} on that jams, however large the force is. Move them further apart, drive it nearer to the path, or take less friction",
                    part.quoted(model),
                    rounded(beside, 3),
                    rounded(length, 3),
                    rounded(least, 3),
                    rounded(most, 3),
                ));
            }
        }
    }
    lines
}

/// Direction and a point of a path that is one straight line.
fn straight(model: &Checked, path: &[PathPart]) -> Option<[[f64; 2]; 2]> {
    let [part] = path else {
        return None;
    };
    let [first, last] = model.directions_of_part(*part);
    let middle = model.nearest_on_part(*part, [0.0, 0.0]).place;
    let is_straight = match part.carrier {
        coulisse::model::checked::Carrier::Member(id) => model.members[id].course.is_straight(),
        coulisse::model::checked::Carrier::Edge(_) => false,
    };
    (is_straight && first == last).then(|| [[first.cos(), first.sin()], middle.position])
}
