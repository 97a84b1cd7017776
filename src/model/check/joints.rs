//! Hinges, sliding joints and their friction.

use super::contact::{side, wrong_side};
use super::{Checker, closed, structure};
use crate::axis::Axis;
use crate::checked::OFF_PATH;
use crate::checked::{
    Body, BodyId, Carrier, Checked, Harmonic, Hinge, MemberId, MemberLine, PathEnd, PathEnds,
    PathPart, PointId, Slider, SliderKind, Turns,
};
use crate::joints::roughness::Roughness;
use crate::laws::friction::Friction;
use crate::message::listed;
use crate::message::{figure, rounded};
use crate::model::de::{Group, Name};
use crate::model::file::{self, JointKind, Sliding};

/// Hinges first, because they decide what turns on its own; then masses, supports, sliders.
pub(super) fn joints(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for (name, joint) in check.entries(&file.joints, "joint") {
        match joint.kinds.as_slice() {
            [JointKind::Hinge(hinge)] => hinge.check(check, model, name),
            [_] => {}
            _ => {
                joint.surface(check, name, None);
            }
        }
    }
    structure::masses_and_supports(check, model);
    for entry in &file.joints {
        let Some(joint) = &entry.value else { continue };
        let (kind, sliding) = match joint.kinds.as_slice() {
            [JointKind::Cylindrical(sliding)] => (SliderKind::Cylindrical, sliding),
            [JointKind::Prismatic(sliding)] => (SliderKind::Prismatic, sliding),
            [JointKind::Edge(sliding)] => {
                sliding.check(check, model, &entry.name, joint);
                continue;
            }
            [JointKind::Pin(pin)] => {
                pin.check(check, model, &entry.name, joint);
                continue;
            }
            _ => continue,
        };
        sliding.check(check, model, &entry.name, kind, joint);
    }
    // Behind those that have a path.
    for entry in &file.joints {
        if let Some(joint) = &entry.value
            && let [JointKind::Hinge(hinge)] = joint.kinds.as_slice()
        {
            hinge.friction(check, model, &entry.name, joint);
        }
    }
}

impl file::Joint {
    /// Friction and roughness of joint `name` on a path of the given length, where that is known.
    fn surface(
        &self, check: &mut Checker<'_>, name: &Name, length: Option<f64>,
    ) -> (Friction, Option<Harmonic>, Option<Roughness>) {
        let friction = (self.friction.as_ref()).map_or(Friction::None, |f| f.check(check, name));
        let equivalent = (self.equivalent.as_ref()).map(|e| e.harmonic(check));
        let roughness = self.roughness_along(check, name, length);
        (friction, equivalent, roughness)
    }
}

impl file::Hinge {
    /// What a joint that slides at the point of this hinge does there already.
    fn at_a_slider(&self, check: &Checker<'_>) -> String {
        let here = |slider: &Name| slider.value == self.point.value;
        let joints = check.file.joints.iter();
        let does = joints.filter_map(|entry| match entry.value.as_ref()?.kinds.as_slice() {
            [JointKind::Cylindrical(sliding)] if here(&sliding.slider) => Some(format!(
                "; the cylindrical joint `{}` already lets it turn there: delete the hinge",
                entry.name.value
            )),
            [JointKind::Prismatic(sliding)] if here(&sliding.slider) => Some(format!(
                "; the prismatic joint `{}` fixes its angle there: delete the hinge, and write `cylindrical` if it turns",
                entry.name.value
            )),
            _ => None,
        });
        { does }.next().unwrap_or_default()
    }

    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        let point = check.point(&self.point);
        let bodies = &check.file.bodies;
        let has_friction = self.radius.is_some();
        // A body that turns on the rest does so without a word.
        let of_body = |m: &&Name| has_friction && bodies.iter().any(|e| e.name.value == m.value);
        let groups: Vec<Vec<&Name>> = (self.release.iter().flatten())
            .map(|Group(names)| names.iter().filter(|m| !of_body(m)).collect())
            .collect();
        let mut named = Vec::new();
        for group in groups {
            named.push(group.into_iter().map(|m| (m, check.member(m))).collect::<Vec<_>>());
        }
        let Some(point) = point.filter(|_| check.known.topology) else {
            return;
        };
        if has_friction {
            let names = self.release.iter().flatten().flat_map(|Group(names)| names);
            let released = names.filter_map(|name| {
                let own = |body: &Body| body.member.is_none() && body.name == name.value;
                Some((point, model.bodies.iter().position(own)?))
            });
            let released: Vec<(PointId, BodyId)> = released.collect();
            model.released_bodies.extend(released);
        }
        let ending = model.members_at(point);
        let carried = model.carrier_at(point).is_some();
        if ending.len() + usize::from(carried) < 2 && !has_friction {
            let message = format!(
                "{}: a hinge needs two members that end at point `{}`, or one and a rigid body; there are: {}{}",
                name.path,
                self.point.value,
                listed(ending.iter().map(|&m| model.members[m].name.as_str())),
                self.at_a_slider(check)
            );
            check.report(&self.point, message);
            return;
        }
        let mut released: Vec<Vec<MemberId>> = Vec::new();
        for group in named {
            released.push(Vec::new());
            for (member, id) in group {
                let Some(id) = id else { continue };
                let others = model.hinges.iter().filter(|hinge| hinge.point == point);
                let mut others = others.flat_map(|hinge| &hinge.released).chain(&released);
                let other = others.find(|other| other.contains(&id));
                if other.is_some_and(|other| {
                    other.len() > 1 || !released[released.len() - 1].is_empty()
                }) {
                    let message = format!(
                        "{}: member `{}` is in two groups that turn on their own at point `{}`; name it in one",
                        member.path, member.value, self.point.value
                    );
                    check.report(member, message);
                    continue;
                }
                if !ending.contains(&id) {
                    let message = format!(
                        "{}: member `{}` does not end at point `{}`; members that do: {}",
                        member.path,
                        member.value,
                        self.point.value,
                        listed(ending.iter().map(|&m| model.members[m].name.as_str()))
                    );
                    check.report(member, message);
                }
                if let Some(last) = released.last_mut() {
                    last.push(id);
                }
            }
        }
        if self.release.is_none() {
            released = ending.iter().map(|&m| vec![m]).collect();
        }
        released.retain(|group| !group.is_empty());
        if let [group] = &released[..]
            && group.len() == ending.len()
            && group.len() > 1
            && !carried
        {
            let message = format!(
                "{}: all members that end at point `{}` are one group, and nothing is there against which it could turn; leave out those that \
                 stay",
                name.path, self.point.value
            );
            check.report(&self.point, message);
        }
        if has_friction && released.is_empty() {
            return;
        }
        model.hinges.push(Hinge { name: name.value.clone(), point, released });
    }
}

impl Sliding {
    /// A point that slides on a path.
    pub(super) fn check(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, kind: SliderKind,
        joint: &file::Joint,
    ) {
        let point = check.point(&self.slider);
        let named: Vec<Option<Carrier>> =
            (self.path.iter()).map(|part| check.carrier(model, part)).collect();
        let parts: Option<Vec<Carrier>> = named.into_iter().collect();
        if self.path.is_empty() {
            let message = format!("{}: the path has no member and no edge", name.path);
            check.report_entry(name, message);
        }
        let start = match &self.start {
            Some(start) => check.point(start).map(Some),
            None => Some(None),
        };
        let turning = match (&self.member, point) {
            (Some(own), Some(point)) => check.turning(model, own, (point, &self.slider)).map(Some),
            (Some(_), None) => None,
            (None, _) => Some(None),
        };
        let sliding_mass = self.sliding_mass.as_ref().map(|m| check.number(m));
        let side = side(kind, self);
        let restitution = self.restitution.as_ref().map_or(0.0, |r| check.number(r));
        let path = match (&parts, start) {
            (Some(parts), Some(start)) if check.known.topology && !parts.is_empty() => {
                path(check, model, name, parts, (&self.path, self.start.as_ref()), start)
            }
            _ => None,
        };
        let total = path.as_ref().filter(|_| check.known.geometry);
        let total =
            total.map(|path| (path.iter()).map(|p| model.length_of_carrier(p.carrier)).sum());
        let (friction, equivalent, roughness) = joint.surface(check, name, total);
        let bearing = self.bearing(check, kind, &friction);
        let (Some(point), Some(turning), Some(path)) = (point, turning, path) else {
            return;
        };
        let slider = Slider {
            name: name.value.clone(),
            kind,
            point,
            turning,
            path,
            ends: match self.ends {
                file::Ends::Error => PathEnds::Error,
                file::Ends::Stop => PathEnds::Stop,
                file::Ends::Continue => PathEnds::Continue,
                file::Ends::Closed => PathEnds::Closed,
                file::Ends::Leave => PathEnds::Leave,
            },
            restitution,
            impact_friction: self.impact_friction,
            smooth: self.smooth.unwrap_or(true),
            side,
            bearing,
            roughness,
            friction,
            equivalent,
            sliding_mass,
        };
        if slider.ends == PathEnds::Closed {
            closed::is_closed_round(check, model, name, &slider.path, "`ends = \"closed\"`");
        }
        if slider.impact_friction {
            friction_in_impacts(check, name, &format!("joint `{}`", slider.name), &slider.friction);
        }
        self.fits(check, model, name, &slider, joint);
        model.sliders.push(slider);
    }

    /// Checks that a slider is on its path and belongs to none of the path's members.
    fn fits(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, slider: &Slider,
        joint: &file::Joint,
    ) {
        let word = match slider.kind {
            SliderKind::Cylindrical => "cylindrical",
            SliderKind::Prismatic => "prismatic",
            SliderKind::Edge => "sliding",
            SliderKind::Corner => "contact",
            SliderKind::Hinge | SliderKind::Stop => "hinge",
        };
        let on_path = |m: &usize| {
            let member = Carrier::Member(*m);
            slider.path.iter().any(|p| p.carrier == member)
        };
        if check.known.geometry {
            let rough = joint.roughness.is_some() || check.is_unread(&name.path);
            self.is_on_path(check, model, slider, rough);
        }
        let own = match slider.turning {
            Some(Turns::Member(member)) => Some(member),
            _ => None,
        };
        if let Some(own) = own.filter(on_path) {
            let message = format!(
                "{}.{word}.member: `{}` is part of the path; name the slider's own member",
                name.path, model.members[own].name
            );
            check.report_entry(name, message);
        }
        let ending = model.members_at(slider.point);
        if let Some(own) = ending.iter().copied().find(on_path) {
            let message = format!(
                "{}.{word}.slider: point `{}` is an end of `{}`, a member of its own path; \
                 give the slider a point of its own, at the same position if need be",
                name.path, self.slider.value, model.members[own].name
            );
            check.report(&self.slider, message);
        }
        self.fits_an_edge(check, model, name, slider, word);
        if slider.kind == SliderKind::Prismatic && model.rotations_at(slider.point) != 0 {
            let path = format!("{}.{word}", name.path);
            match slider.turning {
                // That it is there is looked at with its name.
                Some(Turns::Body(_) | Turns::Ground) => {}
                _ => check.one_turns(model, (slider.point, own), name, &path, true),
            }
        }
    }

    fn is_on_path(&self, check: &mut Checker<'_>, model: &Checked, slider: &Slider, rough: bool) {
        let point = model.points[slider.point].position;
        let (mut length, mut distance, mut s) = (0.0, f64::INFINITY, 0.0);
        let mut height = 0.0;
        for &part in &slider.path {
            let nearest = model.nearest_on_part(part, point);
            if nearest.distance < distance {
                (distance, s) = (nearest.distance, length + nearest.along);
                let (sin, cos) = nearest.place.angle.sin_cos();
                let [x, y] = [0, 1].map(|i| point[i] - nearest.place.position[i]);
                height = cos * y - sin * x;
            }
            length += model.length_of_carrier(part.carrier);
        }
        if distance <= OFF_PATH * length {
            return;
        }
        if let Some(side) = slider.side {
            let past_an_end = slider.ends.breaks_off() && (s <= 0.0 || s >= length);
            // A rough surface has its own sides, which the start looks at.
            if side.sign() * height < 0.0 && !rough && !past_an_end {
                let (joint, point) = (&self.slider.path, &self.slider.value);
                let message = wrong_side(joint, point, distance, s, side);
                let arc = mirrored_arc(check, model, slider, distance);
                check.report(&self.slider, message + &arc);
            }
        } else {
            let message = format!(
                "{}: point `{}` is {} m off the path (nearest at s = {} m of {} m); allowed: up to \
                 {} of that length; move it onto the path{}",
                self.slider.path,
                self.slider.value,
                rounded(distance, 6),
                rounded(s, 6),
                rounded(length, 6),
                figure(OFF_PATH),
                mirrored_arc(check, model, slider, distance)
            );
            check.report(&self.slider, message);
        }
    }
}

/// What to write where an arc of a slider's path would lead nearer to it with the other sign, as the end of a message: nothing unless that
/// halves the `distance` (m) between them.
fn mirrored_arc(check: &Checker<'_>, model: &Checked, slider: &Slider, distance: f64) -> String {
    let point = model.points[slider.point].position;
    let arcs = slider.path.iter().filter_map(|part| match part.carrier {
        Carrier::Member(id) => Some(&model.members[id]),
        Carrier::Edge(_) => None,
    });
    let written = arcs.filter_map(|member| {
        let MemberLine::Axis(axis) = &member.line else { return None };
        let Axis::Arc(arc) = &**axis else { return None };
        let mirrored = Axis::Arc(arc.mirrored()).nearest(point).1;
        let entry = check.file.members.iter().find(|entry| entry.name.value == member.name)?;
        let (key, scalar) = match entry.value.as_ref()?.arc.as_ref()? {
            file::Arc::Radius(scalar) => ("radius", scalar),
            file::Arc::Angle(scalar) => ("angle", scalar),
            file::Arc::Through(_) => return None,
        };
        let value = check.numbers.get(&scalar.path)?.value;
        let [from, to] = [member.from, member.to].map(|end| &model.points[end].name);
        let [now, other] = if value > 0.0 { ["left", "right"] } else { ["right", "left"] };
        (mirrored < 0.5 * distance).then(|| {
            format!(
                "; or change the sign: `members.{}.arc.{key}` is {}, with the centre on the {now} of the way from `{from}` to `{to}`; \
                 {} puts it on the {other}, and the path nearer to `{}`",
                member.name,
                figure(value),
                figure(-value),
                model.points[slider.point].name
            )
        })
    });
    { written }.next().unwrap_or_default()
}

impl Checker<'_> {
    /// A member or, by `BODY.EDGE`, an edge.
    pub(super) fn carrier(&mut self, model: &Checked, name: &Name) -> Option<Carrier> {
        match name.value.contains('.') {
            true => self.edge(model, name).map(Carrier::Edge),
            false => self.member(name).map(Carrier::Member),
        }
    }
}

/// Looks whether the law of what strikes says what friction bears in an impact.
pub(super) fn friction_in_impacts(
    check: &mut Checker<'_>, name: &Name, what: &str, friction: &Friction,
) {
    if friction.law().is_none() && !check.reader.is_faulty(&name.path) {
        let message = format!(
            "{}: `impact_friction` needs a friction law with a coefficient, and {what} has {}; \
             leave it out",
            name.path,
            match friction.kind().acts {
                true => format!("`{}`, whose bristles bend in no impact", friction.name()),
                false => "none".into(),
            }
        );
        check.report_entry(name, message);
    }
}

/// Orients the parts of a path as a chain; `None` where they are none. They are written as `names` and where it starts as `first`.
pub(super) fn path(
    check: &mut Checker<'_>, model: &Checked, name: &Name, parts: &[Carrier],
    (names, first): (&[Name], Option<&Name>), start: Option<PointId>,
) -> Option<Vec<PathPart>> {
    let ends = |carrier: Carrier| {
        let part = PathPart { carrier, reversed: false };
        model.ends_of_part(part)
    };
    let mut here = match (start, parts) {
        (Some(start), _) => PathEnd::Point(start),
        (None, [only]) => ends(*only)[0],
        (None, [first, second, ..]) => {
            let ([a, b], next) = (ends(*first), ends(*second));
            if next.contains(&a) { b } else { a }
        }
        (None, []) => return None,
    };
    let mut path = Vec::new();
    let mut walk: Vec<(Carrier, &Name)> = parts.iter().copied().zip(names).collect();
    let touches = |carrier: &Carrier| ends(*carrier).contains(&here);
    if !parts.first().is_some_and(touches) && parts.last().is_some_and(touches) {
        walk.reverse();
    }
    for (k, &(carrier, written)) in walk.iter().enumerate() {
        if walk[..k].iter().any(|(before, _)| *before == carrier) {
            let message = format!("{} is in the path already", written.path);
            return check.refuse(written, message);
        }
        let [from, to] = ends(carrier);
        let reversed = to == here && from != here;
        if from != here && !reversed {
            let what = carrier.quoted(model);
            let (at, what) = match (k, first) {
                (0, Some(start)) => (
                    start,
                    format!(
                        "`start` = `{}` is no end of the path, which begins with {what}",
                        start.value
                    ),
                ),
                _ => (
                    written,
                    format!("{what} does not continue the path at {}", model.name_of_end(here)),
                ),
            };
            let ends = [from, to].map(|end| match end {
                PathEnd::Point(point) => format!("`{}`", model.points[point].name),
                node => model.name_of_end(node),
            });
            let message = format!(
                "{}: {what}; its ends are {} and {}; list the members and edges in the order in \
                 which they meet end to end",
                name.path, ends[0], ends[1]
            );
            return check.refuse(at, message);
        }
        here = if reversed { from } else { to };
        path.push(PathPart { carrier, reversed });
    }
    Some(path)
}
