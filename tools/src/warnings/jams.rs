//! Guides of two sliders that jam under what drives them.

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{
    Between, Carrier, Direction, Moved, Part, PathPart, PointId, Slider, SliderKind, SpringEnd,
    Target,
};

use super::guides;

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
        let alone = is_alone(model, part, &points);
        let own = model
            .sliders_of_joints()
            .map(|(_, slider)| slider)
            .filter(|slider| points.contains(&slider.point));
        let own: Vec<&Slider> = own.collect();
        let (true, [first, second]) = (alone, &own[..]) else {
            continue;
        };
        let cylindrical =
            [first, second].iter().all(|s| s.kind == SliderKind::Cylindrical && s.side.is_none());
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
        for (path, beside) in driven_beside(model, &points, along, at) {
            let most = length / (2.0 * beside);
            if beside > BESIDE * length && least >= most {
                lines.push(format!(
                    "{path} drives {} {} m off its path, on which two sliders {} m apart carry it with a coefficient of friction of {}: from \
                     L/(2e) = {} on that jams, however large the force is; move the sliders further apart, drive it nearer to the path, or take less friction",
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

/// Surfaces between two faces that are driven at a distance e beside the middle of their guide: tilted, they bear at corners L apart, and the
/// friction of both, 2 μ F e/L, is again more than F from μ = L/(2e) on.
pub fn of_contacts(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, surface, guide, coefficient) in guides::guided(model) {
        let Some(part) = surface.first().map(|part| part.belongs_to(model)) else {
            continue;
        };
        let one = surface.iter().all(|other| other.belongs_to(model) == part);
        let points = model.points_of(part);
        let (true, true, Some([along, at]), Some(size)) = (
            one,
            is_alone(model, part, &points),
            straight(model, &guide.path),
            guides::between_faces(model, surface, guide),
        ) else {
            continue;
        };
        for (path, beside) in driven_beside(model, &points, along, at) {
            let most = size.length / (2.0 * beside);
            if beside > BESIDE * size.length && coefficient >= most {
                lines.push(format!(
                    "contacts.{name}: {path} drives {} {} m off the middle of its guide, in which it is {} m long, with a coefficient of friction of \
                     {}: from L/(2e) = {} on that jams, however large the force is; make it longer, drive it nearer to the middle, or take less friction",
                    part.quoted(model),
                    rounded(beside, 3),
                    rounded(size.length, 3),
                    rounded(coefficient, 3),
                    rounded(most, 3),
                ));
            }
        }
    }
    lines
}

/// Whether nothing else is connected with a part, which might bear a couple.
fn is_alone(model: &Checked, part: Part, points: &[PointId]) -> bool {
    points.iter().all(|&p| {
        let rigid = match part {
            Part::Member(id) => model.members[id].rigid,
            Part::Body(id) => Some(id),
        };
        (model.parts_at(p).into_iter())
            .all(|other| other == part || matches!(other, Part::Body(id) if Some(id) == rigid))
    })
}

/// Loads and motions that act along a straight path through `at` on one of the points, by themselves or through a spring, and how far beside
/// it, m.
fn driven_beside(
    model: &Checked, points: &[PointId], along: [f64; 2], at: [f64; 2],
) -> Vec<(String, f64)> {
    let driven = driven_along(model, along);
    let own = driven.iter().filter(|(_, point)| points.contains(point)).cloned();
    let through = springs_along(model, along).into_iter().flat_map(|(name, ends)| {
        let [from, to] = ends.map(|end| points.contains(&end));
        let (near, far) = if from { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
        let at_far = driven.iter().filter(move |(_, point)| from != to && *point == far);
        at_far.map(move |(path, _)| (format!("{path} through springs.{name}"), near))
    });
    let beside = |(path, point): (String, PointId)| {
        let [x, y] = model.points[point].position;
        let beside = ((y - at[1]) * along[0] - (x - at[0]) * along[1]).abs();
        (path, beside)
    };
    own.chain(through).map(beside).collect()
}

/// Loads and motions of points that act in this direction.
fn driven_along(model: &Checked, along: [f64; 2]) -> Vec<(String, PointId)> {
    let loads = model.loads.iter().filter_map(|load| {
        let [fx, fy, moment] = load.components;
        let acts = fx.hypot(fy) > 0.0 && moment == 0.0;
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
        driven.then(|| (format!("motions.{}", motion.name), point))
    });
    loads.chain(motions).collect()
}

/// Springs between two points whose force has this direction, with their ends.
fn springs_along(model: &Checked, along: [f64; 2]) -> Vec<(&str, [PointId; 2])> {
    let springs = model.lone_springs().filter_map(|(_, spring)| {
        let (from, to, [x, y]) = match spring.between {
            Between::Line { from, to } => {
                let [a, b] = [from.point(), to].map(|point| model.points[point].position);
                (from, to, [b[0] - a[0], b[1] - a[1]])
            }
            Between::Axis { axis, from, to } => {
                (from, to, [0, 1].map(|i| f64::from(u8::from(i == axis))))
            }
            Between::Along { direction, from, to } => (from, to, direction),
            Between::Sections { .. } | Between::Bushing { .. } => return None,
        };
        let SpringEnd::Point(from) = from else {
            return None;
        };
        let across = (y * along[0] - x * along[1]).abs();
        (across <= ACROSS * x.hypot(y)).then_some((spring.name.as_str(), [from, to]))
    });
    springs.collect()
}

/// Direction and a point of a path that is one straight line.
pub(super) fn straight(model: &Checked, path: &[PathPart]) -> Option<[[f64; 2]; 2]> {
    let [part] = path else {
        return None;
    };
    let [first, last] = model.directions_of_part(*part);
    let middle = model.nearest_on_part(*part, [0.0, 0.0]).place;
    let is_straight = match part.carrier {
        Carrier::Member(id) => model.members[id].line.is_straight(),
        Carrier::Edge(_) => false,
    };
    (is_straight && first == last).then(|| [[first.cos(), first.sin()], middle.position])
}
