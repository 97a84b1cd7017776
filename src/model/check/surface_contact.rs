//! Contacts of surfaces with paths.

use super::{Checker, closed, joints};
use crate::checked::{
    BodyId, Carrier, Checked, Guide, MemberId, PathPart, Side, Stiffness, SurfaceContact,
    SurfacePart,
};
use crate::laws::friction::Friction;
use crate::message::{did_you_mean, suggestion};
use crate::message::{excerpt, rounded};
use crate::model::de::{Located, Name, Number, Scalar};
use crate::model::file::{self, Given};

/// Stiffness of a contact layer that stands for hard contact, over that of an element by its height: it yields by a hundredth of
/// what the element under it does.
const PENALTY: f64 = 100.0;

/// How deep a surface may initially be within a face of its guide, relative to the path's length: coordinates of drawings are rounded.
pub(super) const INSIDE: f64 = 1e-9;

/// Places of each element at which the drawing is looked at.
const LOOKS: usize = 8;

/// All contacts, in the order of the file.
pub(super) fn contacts(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for (name, given) in check.entries(&file.contacts, "contact") {
        if given.rigid { given.rigid(check, model, name) } else { given.check(check, model, name) }
    }
}

impl file::SurfaceContact {
    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        let surface = self.surface_parts(check, model, name);
        let guide = self.guide(check, model, name);
        let stiffness = self.stiffness_of_layer(check, name);
        let ratio = name.key("tangential_ratio");
        let tangential_ratio = check.usual(self.tangential_ratio.as_ref(), ratio);
        let clearance = guide.as_ref().map(|guide| guide.clearance);
        let deepest = self.depth(check, name, clearance);
        let friction = (self.friction.as_ref()).map_or(Friction::None, |f| f.check(check, name));
        let follows = friction.law().map(|law| law.follows()).unwrap_or_default();
        if follows.position || follows.time {
            let message = format!(
                "{}.friction.{}: along a surface the coefficient cannot follow from `x` or `t`; allowed: `v` and `N`, or a joint",
                name.path,
                friction.name()
            );
            check.report(name, message);
        }
        self.friction_at_points(check, name, &friction);
        let (Some(surface), Some(guide), Some(stiffness)) = (surface, guide, stiffness) else {
            return;
        };
        let contact = SurfaceContact {
            name: name.value.clone(),
            surface,
            guide,
            stiffness,
            tangential_ratio,
            deepest,
            friction,
        };
        let rigid =
            contact.surface.iter().zip(&self.surface).find(
                |(part, _)| matches!(part, SurfacePart::Edge(edge) if model.is_rigid(edge.body)),
            );
        if let (Some((_, written)), Stiffness::Penalty(_)) = (rigid, contact.stiffness) {
            let message = format!(
                "{}.stiffness is \"penalty\", which follows from the material under the surface, and `{}` is an edge of a \
                 rigid body; give a number in N/m² (Pa)",
                name.path, written.value
            );
            check.report(written, message);
        }
        let both = (&contact.surface[..], &contact.guide);
        self.is_not_its_own_guide(check, model, name, both);
        if check.known.geometry && !check.reader.is_faulty(&name.path) {
            self.stands_beside_its_path(check, model, name, both);
        }
        model.contacts.push(contact);
    }

    /// What a surface touches; `None` with a fault on record.
    pub(super) fn guide(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
    ) -> Option<Guide> {
        let path = self.path_of_contact(check, model, name);
        let width = check.usual(self.width.as_ref(), name.key("width"));
        let clearance = check.usual(self.clearance.as_ref(), name.key("clearance"));
        let path = path?;
        let ends_as_it_begins =
            !self.closed || closed::is_closed_round(check, model, name, &path, "`closed = true`");
        ends_as_it_begins.then_some(Guide { path, closed: self.closed, width, clearance })
    }

    /// The edges and faces of a surface; `None` with a fault on record.
    pub(super) fn surface_parts(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
    ) -> Option<Vec<SurfacePart>> {
        let written = &self.surface;
        if written.is_empty() {
            let message = format!(
                "{}.surface names nothing; name edges of bodies (BODY.EDGE) or faces of members (MEMBER.left, MEMBER.right)",
                name.path
            );
            check.report_entry(name, message);
        }
        let mut parts = Vec::new();
        for part in written {
            let found = check.surface_part(model, part, self.rigid);
            let again = found.filter(|found| parts.contains(&Some(*found)));
            if again.is_some() {
                let message = format!(
                    "{} names `{}`, which is in the surface already; name it once",
                    part.path, part.value
                );
                check.report(part, message);
            }
            parts.push(found);
        }
        let parts: Option<Vec<SurfacePart>> = parts.into_iter().collect();
        parts.filter(|parts| !parts.is_empty())
    }

    fn path_of_contact(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
    ) -> Option<Vec<PathPart>> {
        if self.path.is_empty() {
            let message = format!("{}: the path has no member and no edge", name.path);
            check.report_entry(name, message);
        }
        let named: Vec<Option<Carrier>> =
            (self.path.iter()).map(|part| check.carrier_of_contact(model, part)).collect();
        let start = match &self.start {
            Some(start) => Some(check.point(start)?),
            None => None,
        };
        let parts: Vec<Carrier> = named.into_iter().collect::<Option<_>>()?;
        if !check.known.topology || parts.is_empty() {
            return None;
        }
        let written = (&self.path[..], self.start.as_ref());
        let path = joints::path(check, model, name, &parts, written, start)?;
        let corner = path.windows(2).find(|two| model.is_corner(two[0], two[1]));
        if let (Some(two), true) = (corner, check.known.geometry) {
            let [a, b] = [two[0], two[1]].map(|part| part.carrier.quoted(model));
            let message = format!(
                "{}: {a} and {b} of its path meet at an angle, where a surface has no face to touch; round the corner \
                 off by an arc, or make a contact of each",
                name.path
            );
            return check.refuse_entry(name, message);
        }
        Some(path)
    }

    /// How deep a point may be pressed in, m, where that is written.
    fn depth(&self, check: &mut Checker<'_>, name: &Name, clearance: Option<f64>) -> Option<f64> {
        let scalar = self.penetration.as_ref()?;
        let share = check.number(scalar);
        let clearance_is_known = !check.reader.is_faulty(&name.key("clearance"));
        if clearance == Some(0.0) && clearance_is_known {
            let message = format!(
                "{}.penetration is a share of `clearance`, of which there is none; give the clearance on each side in m, or leave \
                 `penetration` out: without clearance \"penalty\" is as hard as it gets",
                name.path
            );
            check.report(scalar, message);
        }
        Some(share * clearance?)
    }

    fn stiffness_of_layer(&self, check: &mut Checker<'_>, name: &Name) -> Option<Stiffness> {
        match (&self.stiffness, &self.node_stiffness) {
            (Some(scalar), _) => match &scalar.value {
                _ if is_penalty(scalar) => Some(Stiffness::Penalty(PENALTY)),
                Number::Expression(text) if resembles_penalty(check, text) => {
                    let message = format!(
                        "{}.stiffness is `{}`; allowed: a number in N/m² (Pa), or \"penalty\" for hard contact",
                        name.path,
                        excerpt(text)
                    );
                    check.refuse(scalar, message)
                }
                _ => Some(Stiffness::Surface(check.number(scalar))),
            },
            (None, Some(scalar)) if is_penalty(scalar) => {
                let message = format!(
                    "{}.node_stiffness is \"penalty\", which only `stiffness` may be; give a number in N/m, or stiffness = \"penalty\"",
                    name.path
                );
                check.refuse(scalar, message)
            }
            (None, Some(scalar)) => {
                let value = check.number(scalar);
                Some(Stiffness::Nodes(value))
            }
            (None, None) => None,
        }
    }

    /// Refuses laws that know a joint, not a point of many.
    fn friction_at_points(&self, check: &mut Checker<'_>, name: &Name, friction: &Friction) {
        let kind = friction.kind();
        let why = if kind.remembers {
            "this law remembers how its bristles are bent, and the contact layer is its own spring; allowed: laws \
             with a coefficient of friction and no memory, as `coulomb` and `stribeck`"
        } else {
            self.friction_without_inertia(check, name, friction);
            return;
        };
        let at = place_of_law(name, self, friction);
        check.report(&at, format!("{}: {why}", at.path));
    }

    /// Refuses the law that knows the mass of a slider.
    pub(super) fn friction_without_inertia(
        &self, check: &mut Checker<'_>, name: &Name, friction: &Friction,
    ) {
        if friction.kind().feels_inertia {
            let at = place_of_law(name, self, friction);
            let message = format!(
                "{}: transition = \"siqueira_coda_2023\" acts on the mass of one slider, and a surface has many points; \
                 allowed: transition = \"set_valued\", which it is where it is left out",
                at.path
            );
            check.report(&at, message);
        }
    }

    /// Refuses a surface that belongs to what carries its path.
    pub(super) fn is_not_its_own_guide(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
        (surface, guide): (&[SurfacePart], &Guide),
    ) {
        let owner_of_path = |part: &PathPart| match part.carrier {
            Carrier::Edge(edge) => (Some(edge.body), None),
            Carrier::Member(id) => (model.body_under(id), Some(id)),
        };
        let carriers: Vec<(Option<BodyId>, Option<MemberId>)> =
            guide.path.iter().map(owner_of_path).collect();
        for (part, written) in surface.iter().zip(&self.surface) {
            let (body, member) = match *part {
                SurfacePart::Edge(edge) => (Some(edge.body), None),
                SurfacePart::Face { member, .. } => (model.body_under(member), Some(member)),
            };
            let same = |(b, m): &(Option<BodyId>, Option<MemberId>)| {
                body.is_some() && *b == body || member.is_some() && *m == member
            };
            if carriers.iter().any(same) {
                let message = format!(
                    "{}: `{}` is a part of the body or member that has the path of {}; choose a surface of another one",
                    written.path, written.value, name.path
                );
                check.report(written, message);
            }
        }
    }

    /// Refuses surfaces that are initially within a face of their guide.
    pub(super) fn stands_beside_its_path(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
        (surface, guide): (&[SurfacePart], &Guide),
    ) {
        let lengths = guide.path.iter();
        let length: f64 = lengths.map(|p| model.length_of_carrier(p.carrier)).sum();
        let outlined = model.outlines_of(guide);
        for (&part, written) in surface.iter().zip(&self.surface) {
            let mut deepest = (0.0, [0.0; 2]);
            for axis in model.axes_of_surface(part) {
                for k in 0..=LOOKS {
                    let xi = 2.0 * k as f64 / LOOKS as f64 - 1.0;
                    let (place, outward) = model.on_surface(part, &axis, xi);
                    let depth = model.depth_of(&outlined, place, outward);
                    if depth > deepest.0 {
                        deepest = (depth, place);
                    }
                }
            }
            if deepest.0 > INSIDE * length {
                let [x, y] = deepest.1.map(|c| rounded(c, 6));
                let message = format!(
                    "{}: `{}` is initially {} m within a face of its guide, at [{x}, {y}]; the faces of {} are {} m from \
                     its path, half of `width` (the clear distance of both faces) and `clearance`; give more width, move one of them, or name only the edges that face it",
                    written.path,
                    written.value,
                    rounded(deepest.0, 6),
                    name.path,
                    rounded(guide.offset(), 6)
                );
                check.report(written, message);
            }
        }
    }
}

impl Checker<'_> {
    fn surface_part(&mut self, model: &Checked, name: &Name, rigid: bool) -> Option<SurfacePart> {
        let (first, side) = name.value.split_once('.').unwrap_or((&name.value, ""));
        let member = self.file.members.iter().any(|e| e.name.value == first);
        if self.is_unread(&name.path) {
            return None;
        }
        if !member {
            return self.edge_of_surface(model, name, first);
        }
        let side = match side {
            "left" => Side::Left,
            "right" => Side::Right,
            _ => {
                let message = format!(
                    "{} names `{}`; a face of member `{first}` is written {first}.left or {first}.right, half its height \
                     to that side of its axis, seen along it",
                    name.path,
                    excerpt(&name.value)
                );
                return self.refuse(name, message);
            }
        };
        let member = self.member(&Name { value: first.to_string(), ..name.clone() })?;
        let described = &model.members[member];
        let of_body = described.rigid.is_some() && described.half_height > 0.0;
        if of_body && !rigid {
            let message = format!(
                "{}: member `{first}` is rigid, and its faces bear by their corners in a contact with `rigid = true`; write that \
                 instead of `stiffness`, or make the member elastic",
                name.path
            );
            return self.refuse(name, message);
        }
        if described.properties.is_none() && !of_body {
            let message = format!(
                "{}: member `{first}` has no section, and so no faces; give it a material and a section",
                name.path
            );
            return self.refuse(name, message);
        }
        Some(SurfacePart::Face { member, side })
    }

    /// An edge of a body; what is neither that nor a face of a member is reported with both ways to write one.
    fn edge_of_surface(
        &mut self, model: &Checked, name: &Name, first: &str,
    ) -> Option<SurfacePart> {
        let file = self.file;
        let bodies = || file.bodies.iter().map(|e| e.name.value.as_str());
        let members = || file.members.iter().map(|e| e.name.value.as_str());
        let readable = |section| !file.unreadable.contains(section);
        if bodies().any(|body| body == first) || !readable("bodies") || !readable("members") {
            return self.edge(model, name).map(SurfacePart::Edge);
        }
        let all = || bodies().chain(members());
        let why = "and a surface is an edge of a body, BODY.EDGE, or a face of a member, MEMBER.left or MEMBER.right";
        self.unknown(name, why, all(), &did_you_mean(first, all()));
        None
    }

    /// A member or an edge of the path; a face of a member is none.
    fn carrier_of_contact(&mut self, model: &Checked, name: &Name) -> Option<Carrier> {
        let face = name.value.split_once('.');
        let member = face.filter(|(first, side)| {
            ["left", "right"].contains(side)
                && self.file.members.iter().any(|e| e.name.value == *first)
        });
        let Some((member, _)) = member else {
            return self.carrier(model, name);
        };
        let message = format!(
            "{} names `{}`, a face; a path is the axis of a member, written `{member}`, and its faces are half of `width` \
             from it",
            name.path,
            excerpt(&name.value)
        );
        self.refuse(name, message)
    }
}

/// Whether a word that is no parameter was probably meant to be `penalty`.
fn resembles_penalty(check: &Checker<'_>, text: &str) -> bool {
    let word = text.trim();
    !check.parameters.contains_key(word) && suggestion(word, ["penalty"].into_iter()).is_some()
}

/// Where the law of a contact is written: at its first number, or where it has none the contact.
fn place_of_law(name: &Name, given: &file::SurfaceContact, friction: &Friction) -> Located<()> {
    let mut first = None;
    if let Some(law) = &given.friction {
        law.map(&mut |_, number| {
            let span = match number {
                Given::Written(scalar) => Some(&scalar.span),
                Given::Measured(_, file) => Some(&file.span),
                Given::LeftOut => None,
            };
            first = first.take().or(span.cloned());
            0.0_f64
        });
    }
    let path = format!("{}.friction.{}", name.path, friction.name());
    Located::at(path, first.unwrap_or_else(|| name.span.clone()))
}

/// Whether the word `penalty` stands where a number may.
fn is_penalty(scalar: &Scalar) -> bool {
    matches!(&scalar.value, Number::Expression(text) if text.trim() == "penalty")
}
