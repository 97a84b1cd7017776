//! Points that are held more often than the plane has directions.

use super::Checker;
use crate::checked::{Carrier, Checked, PathPart, Slider, SliderKind};
use crate::nodes::Nodes;

/// Sine of the angle up to which two directions are the same.
const SAME: f64 = 1e-9;

/// What holds a point in one direction.
struct Hold {
    direction: [f64; 2],
    by: String,
}

/// Points on held paths whose place across these is taken already: by supports and motions that hold x or y, or by another held path.
/// A path that yields follows what is held; whether it can is for the start to say.
pub(super) fn held_once(
    check: &mut Checker<'_>, model: &Checked, nodes: &Nodes, holder: &[Option<String>],
    released: &[usize],
) {
    if !check.known.geometry {
        return;
    }
    let held = |u: usize| (holder[u].as_ref()).filter(|_| !released.contains(&u));
    let fixed = |slider: &&Slider| {
        let [own, _] = nodes.of_place(slider.point);
        let place = |u: usize| held(u).is_some() && u != own;
        let holds = matches!(slider.kind, SliderKind::Cylindrical | SliderKind::Prismatic);
        let carried = model.carrier_at(slider.point).is_some();
        let mut parts = slider.path.iter();
        holds
            && !carried
            && slider.side.is_none()
            && parts.all(|part| model.places_of(*part, nodes).all(place))
    };
    let sliders: Vec<&Slider> = model.sliders.iter().filter(fixed).collect();
    let (file, mut reported) = (check.file, Vec::new());
    for (k, slider) in sliders.iter().enumerate() {
        let place = nodes.of_place(slider.point).into_iter().enumerate();
        let prescribed = place.filter_map(|(axis, u)| {
            Some(Hold {
                direction: [[1.0, 0.0], [0.0, 1.0]][axis],
                by: format!("{} ({})", held(u)?, ["x", "y"][axis]),
            })
        });
        let before = sliders[..k].iter().filter(|s| s.point == slider.point);
        let slid =
            before.map(|s| Hold { direction: model.across(s), by: format!("joints.{}", s.name) });
        let holds: Vec<Hold> = prescribed.chain(slid).collect();
        if !takes(&holds, model.across(slider)) {
            continue;
        }
        let entry = file.joints.iter().find(|entry| {
            let name = &entry.name.value;
            let of_edge = slider.name.strip_prefix(name.as_str());
            of_edge.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        });
        // One point of an edge is enough: the others would be the same.
        let Some(entry) = entry.filter(|entry| !reported.contains(&&entry.name.path)) else {
            continue;
        };
        reported.push(&entry.name.path);
        let by: Vec<&str> = holds.iter().map(|hold| hold.by.as_str()).collect();
        let message = format!(
            "{}: point `{}` slides on a fixed path, and is fixed across that path by {} already: a redundant constraint; remove one of \
             them, or let the path deform",
            entry.name.path,
            model.points[slider.point].name,
            by.join(" and ")
        );
        check.report_entry(&entry.name, message);
    }
}

/// Whether these take a direction, by themselves or together.
fn takes(holds: &[Hold], [x, y]: [f64; 2]) -> bool {
    let off = |hold: &Hold, [x, y]: [f64; 2]| {
        let [a, b] = hold.direction;
        (a * y - b * x).abs() > SAME
    };
    let apart = |hold: &Hold| holds.iter().any(|other| off(hold, other.direction));
    holds.iter().any(|hold| !off(hold, [x, y]) || apart(hold))
}

impl Checked {
    /// The unknown places of a part of a path.
    fn places_of<'a>(
        &self, part: PathPart, nodes: &'a Nodes,
    ) -> Box<dyn Iterator<Item = usize> + 'a> {
        match part.carrier {
            Carrier::Member(id) => {
                Box::new(nodes.of_member(id).iter().flat_map(|node| node.position))
            }
            Carrier::Edge(edge) => match nodes.of_rigid_body(edge.body) {
                Some(body) => Box::new(body.unknowns().into_iter()),
                None => Box::new(nodes.of_edge(edge).iter().flatten().copied()),
            },
        }
    }

    /// The direction across a path where its slider is nearest to it.
    fn across(&self, slider: &Slider) -> [f64; 2] {
        let point = self.points[slider.point].position;
        let nearest = slider.path.iter().map(|part| self.nearest_on_part(*part, point));
        let nearest = nearest.min_by(|a, b| a.distance.total_cmp(&b.distance));
        let (sin, cos) = nearest.map_or(0.0, |nearest| nearest.place.angle).sin_cos();
        [-sin, cos]
    }
}
