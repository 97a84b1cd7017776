//! Outputs of members: forces in sections, the largest over a member, and those on its ends.

use num_dual::DualStruct;

use super::{Connector, List, Source};
use crate::checked::{Checked, Member, MemberId, Subject};
use crate::elements::frame::resultants::SectionForces;
use crate::elements::frame::section::outermost_fibre;
use crate::joints::regime::End;
use crate::system::numbers::{Number, Numbers};
use crate::system::{Beside, MemberForces, Slider, State, System};

/// Places of an element of order p in which the largest of a member is looked for, less one.
const PLACES_BY_ORDER: usize = 2;

items! {
    /// What a section that is [looked at](crate::checked::Cut) carries.
    pub enum OfSection of (_model, _cut = usize) {}
    Normal => at_forces("normal", Force, "Normal force of"),
    Shear => at_forces("shear", Force, "Shear force of"),
    Moment => at_forces("moment", Moment, "Bending moment of"),
    /// |N|/A + |M| e/I with the distance e of the outermost fibre.
    Stress => at_forces("stress", Pressure, "Largest fibre stress of").never_negative(),
}

items! {
    /// The largest size over a member of what its sections carry.
    pub enum Largest of (_model, _member = MemberId) {}
    Normal => at_forces("largest_normal", Force, "Size of the normal force where it is largest in").never_negative(),
    Shear => at_forces("largest_shear", Force, "Size of the shear force where it is largest in").never_negative(),
    Moment => at_forces("largest_moment", Moment, "Size of the bending moment where it is largest in").never_negative(),
    Stress => at_forces("largest_stress", Pressure, "Largest fibre stress where it is largest in").never_negative(),
}

items! {
    /// What the rest of the mechanism exerts on the end of a member.
    pub enum OfMemberEnd of (_model, _end = (MemberId, End)) {}
    ForceX => at_forces("fx", Force, "Force along x of the rest of the mechanism on"),
    ForceY => at_forces("fy", Force, "Force along y of the rest of the mechanism on"),
    Moment => at_forces("moment", Moment, "Moment of the rest of the mechanism on"),
}

/// The outputs of all sections that are looked at, then of all members.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, cut) in model.cuts.iter().enumerate() {
        let name = format!("member {} at {} m", model.members[cut.member].name, cut.at);
        for of in &OfSection::ALL[..kinds(model, cut.member)] {
            list.add(&format!("probes.{}", cut.name), &name, of.of(Subject::Section(id)));
        }
    }
    let known =
        |(_, member): &(usize, &Member)| member.properties.is_some() || member.rigid.is_some();
    for (id, member) in model.members.iter().enumerate().filter(known) {
        let (path, name) = (format!("members.{}", member.name), format!("member {}", member.name));
        if member.rigid.is_none() {
            for of in &Largest::ALL[..kinds(model, id)] {
                list.add(&path, &name, of.of(Subject::Largest(id)));
            }
        }
        if !model.has_end_forces(id) {
            continue;
        }
        for (end, word, point) in [(End::First, "from", member.from), (End::Last, "to", member.to)]
        {
            let (path, point) = (format!("{path}.{word}"), &model.points[point].name);
            // A rigid member has one rotation: the moments on its ends cannot be told apart.
            let components = if member.rigid.is_some() { 2 } else { 3 };
            for of in &OfMemberEnd::ALL[..components] {
                let output = of.of(Subject::MemberEnd(id, end));
                list.add(&path, &format!("{name} at point {point}"), output);
            }
        }
    }
}

/// How many outputs a section of a member has: without the stress, the last one, where no outermost fibre is known.
pub(super) fn kinds(model: &Checked, member: MemberId) -> usize {
    let section = model.members[member].properties.as_ref();
    let known = section.is_none_or(|section| outermost_fibre(section).is_some());
    OfSection::ALL.len() - usize::from(!known)
}

impl OfSection {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, cut: usize,
    ) -> N::Number {
        let cut = &system.model.cuts[cut];
        self.on_member(system, state, cut.member, cut.at)
    }

    /// In the section of a member at the arc length `at` (m) from its first point.
    pub(super) fn on_member<N: Numbers<State>>(
        self, system: &System, state: &N, id: MemberId, at: f64,
    ) -> N::Number {
        let (element, xi) = system.model.place_on_member(id, at);
        match MemberForces::of(system, id).along(state, element) {
            Some(found) => self.of_forces(system, id, &found.section(xi, Beside::Behind)),
            None => N::Number::from(0.0),
        }
    }

    fn of_forces<D: Number>(
        self, system: &System, member: MemberId, forces: &SectionForces<D>,
    ) -> D {
        match self {
            OfSection::Normal => forces.normal,
            OfSection::Shear => forces.shear,
            OfSection::Moment => forces.moment,
            OfSection::Stress => {
                let section = system.model.members[member].properties.as_ref();
                let fibre = section.and_then(|section| Some((section, outermost_fibre(section)?)));
                fibre.map_or_else(D::zero, |(section, distance)| {
                    let bending = distance / section.second_moment;
                    forces.normal.abs() / section.area + forces.moment.abs() * bending
                })
            }
        }
    }

    pub(super) fn sources(self, system: &System, cut: usize) -> Vec<Source> {
        of_sections(system, system.model.cuts[cut].member)
    }
}

impl Largest {
    /// Looked for at 2 p + 1 places of each element of order p, both ends included, and on both sides of each section in which something acts.
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, member: MemberId,
    ) -> N::Number {
        let of = OfSection::ALL[self as usize];
        let described = &system.model.members[member];
        let pieces = PLACES_BY_ORDER * described.order;
        let inside = MemberForces::of(system, member);
        let mut largest = N::Number::from(0.0);
        for element in 0..described.elements {
            let Some(found) = inside.along(state, element) else {
                continue;
            };
            let mut look = |xi: f64, beside: Beside| {
                let value = of.of_forces(system, member, &found.section(xi, beside));
                if value.re().abs() > largest.re() {
                    largest = if value.re() < 0.0 { -value } else { value };
                }
            };
            (0..=pieces).for_each(|k| look(2.0 * k as f64 / pieces as f64 - 1.0, Beside::Behind));
            found.each_jump(|xi| {
                look(xi, Beside::Before);
                look(xi, Beside::Behind);
            });
        }
        largest
    }

    pub(super) fn sources(self, system: &System, member: MemberId) -> Vec<Source> {
        of_sections(system, member)
    }
}

/// All unknowns of a member.
pub(super) fn of_member(system: &System, member: MemberId) -> Vec<Source> {
    let nodes = system.nodes.of_member(member).iter();
    nodes.flat_map(|node| node.unknowns()).map(Source::Unknown).collect()
}

/// What section forces of a member follow from: its unknowns, and what acts inside its elements.
fn of_sections(system: &System, member: MemberId) -> Vec<Source> {
    let nodes = || system.nodes.of_member(member).iter();
    let mut all = of_member(system, member);
    if system.loads.lines.act_along(member) {
        all.extend(nodes().flat_map(|node| node.unknowns()).map(Source::Force));
    }
    let carries = |slider: &Slider| {
        let elements = slider.path.elements().iter();
        let mut path = elements.flat_map(|element| &element.nodes);
        path.any(|own| nodes().any(|node| node.position == own.position))
    };
    let sliders = system.sliders.iter().filter(|slider| carries(slider));
    all.extend(sliders.map(|slider| Source::Of(Connector::Slider, slider.index)));
    all
}

impl OfMemberEnd {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, (member, end): (MemberId, End),
    ) -> N::Number {
        MemberForces::of(system, member).on_end(state, end, self as usize)
    }

    pub(super) fn sources(self, system: &System, (member, end): (MemberId, End)) -> Vec<Source> {
        let nodes = system.nodes.of_member(member);
        let node = match end {
            End::First => nodes.first(),
            End::Last => nodes.last(),
        };
        let own = node.into_iter().flat_map(|node| node.unknowns()).map(Source::Force);
        of_member(system, member).into_iter().chain(own).collect()
    }
}
