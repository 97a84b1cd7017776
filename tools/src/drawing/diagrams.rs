//! Diagrams of section forces along elastic members.

use anyhow::{Result, bail};
use clap::ValueEnum;
use coulisse::elements::frame::resultants::SectionForces;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Member, MemberId};
use coulisse::system::{Look, PlacedSection};

use super::scene::{Frame, Ink, LETTERS, Pixel};
use super::{Drawing, pieces};

/// Farthest line of a diagram from its member, px: within the margin, with a value beside it.
const FARTHEST: f64 = 50.0;
/// Values whose line is nearer to the member than this, px, are not written, nor extremes that are nearer to the value at an end: nobody
/// sees the difference.
const NEAREST: f64 = 1.0;

/// A section force as a diagram along members: the moment on the side in tension, positive forces to the left of the direction from
/// `from` to `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Diagram {
    // Documents here would be a second help on the option.
    Moment,
    Shear,
    Normal,
}

impl Diagram {
    /// Its value of a section, N or N·m.
    fn of(self, forces: SectionForces) -> f64 {
        match self {
            Diagram::Moment => forces.moment,
            Diagram::Shear => forces.shear,
            Diagram::Normal => forces.normal,
        }
    }

    /// Where a value is drawn: 1 to the left of the member, −1 to the right. The right is in tension where the axis bends to the left.
    fn side(self) -> f64 {
        match self {
            Diagram::Moment => -1.0,
            Diagram::Shear | Diagram::Normal => 1.0,
        }
    }

    /// A value as it is written: of a moment the size, as its side says the rest.
    fn written(self, value: f64) -> f64 {
        match self {
            Diagram::Moment => value.abs(),
            Diagram::Shear | Diagram::Normal => value,
        }
    }

    fn caption(self, prefix: &str) -> String {
        match self {
            Diagram::Moment => format!("bending moment, {prefix}N·m, on the side in tension"),
            Diagram::Shear => format!("shear force, {prefix}N"),
            Diagram::Normal => format!("normal force, {prefix}N, tension positive"),
        }
    }
}

/// The values of a diagram along a member.
struct Curve {
    member: MemberId,
    /// Of each element from its beginning to its end: places in the axis, counted by the parts that it is drawn with, with the values there. At
    /// those of the parts' ends, and twice where something acts inside.
    elements: Vec<Vec<(f64, f64)>>,
}

impl Curve {
    fn of(model: &Checked, look: &Look<'_>, member: MemberId, diagram: Diagram) -> Curve {
        let described = &model.members[member];
        let count = pieces(described.order);
        let places: Vec<f64> = (0..=count).map(|k| -1.0 + 2.0 * k as f64 / count as f64).collect();
        let elements = (0..described.elements).map(|element| {
            let sections = look.sections_of(member, element, &places);
            let value = |section: &PlacedSection| {
                let place = (element as f64 + 0.5 * (section.xi + 1.0)) * count as f64;
                (place, diagram.of(section.forces))
            };
            sections.iter().map(value).collect()
        });
        Curve { member, elements: elements.collect() }
    }

    fn values(&self) -> impl Iterator<Item = f64> {
        self.elements.iter().flatten().map(|(_, value)| *value)
    }

    /// Where values are written, as places in the axis with the value: both ends, and between them the smallest and the largest value, where
    /// they are beyond both ends by `seen`.
    fn written(&self, seen: f64) -> Vec<(f64, f64)> {
        let (first, last) = (self.elements.first(), self.elements.last());
        let (first, last) = (first.and_then(|e| e.first()), last.and_then(|e| e.last()));
        let ends: Vec<(f64, f64)> = first.into_iter().chain(last).copied().collect();
        let all: Vec<(f64, f64)> = (self.elements.iter())
            .flat_map(|values| (0..values.len()).map(move |k| peak(values, k)))
            .collect();
        let mut list = ends.to_vec();
        for sign in [-1.0, 1.0] {
            let most = all.iter().max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1)));
            let beyond = |value: f64| ends.iter().all(|(_, end)| sign * (value - end) > seen);
            list.extend(most.filter(|(_, value)| beyond(*value)));
        }
        list
    }
}

/// The extreme value of the parabola through a value of an element and its neighbours, with its place; the value itself where that is not between
/// them. Moments of third-order elements are parabolas, between what acts inside.
fn peak(values: &[(f64, f64)], k: usize) -> (f64, f64) {
    let (x, value) = values[k];
    let (Some(&(before, first)), Some(&(after, last))) =
        (k.checked_sub(1).and_then(|k| values.get(k)), values.get(k + 1))
    else {
        return (x, value);
    };
    let (back, on) = (x - before, after - x);
    let slopes = [(value - first) / back, (last - value) / on];
    let slope = (slopes[0] * on + slopes[1] * back) / (back + on);
    let place = -0.5 * slope * (back + on) / (slopes[1] - slopes[0]);
    // Where something acts a neighbour is at the same place, and there is no parabola.
    if -back < place && place < on { (x + place, value + 0.5 * slope * place) } else { (x, value) }
}

impl Drawing<'_> {
    /// Draws a section force along every elastic member, with its values at the ends and its extremes.
    pub(super) fn diagram(&mut self, look: &Look<'_>, diagram: Diagram) {
        let members = &self.model.members;
        let elastic = (0..members.len()).filter(|&id| is_elastic(&members[id]));
        let of = |id: MemberId| Curve::of(self.model, look, id, diagram);
        let curves: Vec<Curve> = elastic.map(of).collect();
        let largest = curves.iter().flat_map(Curve::values).map(f64::abs).fold(0.0, f64::max);
        let (prefix, unit) = match largest {
            1e6.. => ("M", 1e6),
            1e3.. => ("k", 1e3),
            _ => ("", 1.0),
        };
        self.scene.begin_picture();
        let scale = if largest > 0.0 { FARTHEST / largest } else { 0.0 };
        let seen = NEAREST / FARTHEST * largest;
        for curve in &curves {
            let axis = self.axis(curve.member);
            let place = |k: f64, value: f64| beside(&axis, k, diagram.side() * scale * value);
            let mut line = vec![axis[0]];
            let mut hatching = Vec::new();
            for &(k, value) in curve.elements.iter().flatten() {
                let at = place(k, value);
                line.push(at);
                hatching.push(vec![place(k, 0.0), at]);
            }
            line.push(axis[axis.len() - 1]);
            self.scene.hairlines(hatching, Ink::Joint);
            self.scene.line(&line, 1.5, Ink::Joint);
            for (k, value) in curve.written(seen) {
                if value.abs() > seen {
                    let text = rounded(diagram.written(value / unit), 4);
                    self.label(place(k, value), &text, Ink::Joint);
                }
            }
        }
        let caption = diagram.caption(prefix);
        // Letters are about half as wide as high; texts are centred.
        let half = 0.29 * LETTERS * caption.chars().count() as f64;
        self.scene.text([half + 14.0, 18.0], &caption, Ink::Joint);
    }
}

fn is_elastic(member: &Member) -> bool {
    member.rigid.is_none() && member.properties.is_some()
}

/// Refuses a model of which no diagram shows anything.
///
/// # Errors
/// When it has no elastic member.
pub fn has_diagrams(model: &Checked) -> Result<()> {
    if !model.members.iter().any(is_elastic) {
        bail!(
            "--diagram: no member of this model is elastic; allowed: a model with a member of a material and a section"
        );
    }
    Ok(())
}

/// The place at the distance `left` (px) to the left of a line, at the part `k` of its points.
fn beside(axis: &[Pixel], k: f64, left: f64) -> Pixel {
    let first = (k as usize).min(axis.len() - 2);
    let [a, b] = [axis[first], axis[first + 1]];
    let along = [b[0] - a[0], b[1] - a[1]];
    let frame = Frame::new(a, along);
    frame.place((k - first as f64) * along[0].hypot(along[1]), left)
}
