//! Friction of hinges.

use super::{Checker, POSITIVE};
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Friction;
use crate::model::checked::{
    BodyId, Checked, PathEnds, PointId, RubbingHinge, Slider, SliderKind, Turns,
};
use crate::model::de::Name;
use crate::model::file;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    /// The friction of hinge `name`, where it has a radius.
    pub(super) fn rubbing_hinge(
        &mut self,
        model: &mut Checked,
        name: &Name,
        given: &file::Hinge,
        joint: &file::Joint,
    ) {
        let Some(radius) = &given.radius else {
            return;
        };
        let radius = self.number(radius, Quantity::Length, POSITIVE);
        let Some(friction) = &joint.friction else {
            let message = format!(
                "{}.hinge.radius is where friction acts, and the hinge has none; give `friction` or leave it out",
                name.path
            );
            self.report_entry(name, message);
            return;
        };
        let friction = self.friction(name, friction);
        let alone = friction.kind().feels_inertia || joint.equivalent.is_some();
        if alone || joint.roughness.is_some() || joint.wheel_radius.is_some() {
            let message = format!(
                "{}: `equivalent`, `roughness`, `wheel_radius` and the printed form of Siqueira and Coda (2023) belong to joints \
                 that slide on paths",
                name.path
            );
            self.report_entry(name, message);
        }
        let Some(point) = self.point(&given.point).filter(|_| self.known.topology) else {
            return;
        };
        let Some((body, sides)) = self.sides_of_hinge(model, name, given, point) else {
            return;
        };
        model.rubbing_hinges.push(RubbingHinge {
            slider: model.sliders.len(),
            point,
            body,
            radius,
            sides,
        });
        model.sliders.push(slider(name, point, friction));
    }

    /// Whose force presses, and what turns against what; `None` with a fault on record.
    fn sides_of_hinge(
        &mut self,
        model: &Checked,
        name: &Name,
        given: &file::Hinge,
        point: PointId,
    ) -> Option<(BodyId, [Turns; 2])> {
        let Some(carrier) = model.rigid_bodies_at(point).next() else {
            let message = format!(
                "{}: friction of a hinge needs a rigid body or a rigid member at point `{}`, whose force on it is known",
                name.path, given.point.value
            );
            self.report(&given.point, message);
            return None;
        };
        let [released] = given.release.as_deref().unwrap_or_default() else {
            let message = format!(
                "{}: friction acts between one that turns and the rest; name it alone in `release`",
                name.path
            );
            self.report_entry(name, message);
            return None;
        };
        let file = self.file;
        if !file.bodies.iter().any(|e| e.name.value == released.value) {
            let member = self.member(released)?;
            let own = model.members[member].rigid;
            let other = model.rigid_bodies_at(point).find(|&b| Some(b) != own);
            let first = match other {
                Some(body) => Turns::Body(body),
                None => model
                    .members_at(point)
                    .into_iter()
                    .find(|&m| m != member)
                    .map_or(Turns::Ground, Turns::Member),
            };
            // What is released is pressed by its own force alone.
            let body = own.unwrap_or(carrier);
            return Some((body, [first, Turns::Member(member)]));
        }
        let body = self.body_named(released)?;
        if model.bodies[body].rigid().is_none() || !model.bodies_at(point).any(|b| b == body) {
            let message = format!(
                "{}: `{}` is no rigid body with the point `{}`",
                released.path, released.value, given.point.value
            );
            self.report(released, message);
            return None;
        }
        let ends = model.members_at(point);
        let clamped = |m: &usize| model.rotation_groups(point)[0].contains(m);
        let first = if body != carrier {
            Turns::Body(carrier)
        } else if let Some(other) = model.bodies_at(point).find(|&b| b != body) {
            Turns::Body(other)
        } else if let Some(&member) = ends.iter().find(|m| !clamped(m)) {
            Turns::Member(member)
        } else {
            Turns::Ground
        };
        Some((body, [first, Turns::Body(body)]))
    }
}

fn slider(name: &Name, point: PointId, friction: Friction) -> Slider {
    Slider {
        name: name.value.clone(),
        kind: SliderKind::Hinge,
        point,
        member: None,
        path: Vec::new(),
        ends: PathEnds::Continue,
        restitution: 0.0,
        impact_friction: false,
        smooth: false,
        side: None,
        bearing: SliderBearing::Point,
        roughness: None,
        friction,
        equivalent: None,
        // The stick branch of laws that have one needs some: that of the whole mechanism.
        sliding_mass: None,
    }
}
