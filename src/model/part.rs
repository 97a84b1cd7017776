//! A part of a mechanism, as a model of its own.

use super::checked::{
    Checked, Hinge, MemberId, Motion, PathMember, Slider, Start, StartVelocities, Support, Target,
};

impl Checked {
    /// The mechanism of some members alone: with the supports, motions, masses and hinges at them,
    /// and the sliding joints between them; at rest, without loads and damping, with nothing to
    /// set or to read.
    pub fn part(&self, members: &[MemberId]) -> Checked {
        let new = |old: MemberId| members.iter().position(|&m| m == old);
        let ends = |point: usize| self.members_at(point).iter().any(|m| members.contains(m));
        let target = |target: Target| match target {
            Target::Point { point, member } => {
                let turning = member.map(new);
                let inside = ends(point) && turning != Some(None);
                let member = turning.flatten();
                inside.then_some(Target::Point { point, member })
            }
            Target::Member(member) => new(member).map(Target::Member),
        };
        let mut part = self.clone();
        part.members = members.iter().map(|&m| self.members[m].clone()).collect();
        part.hinges = (self.hinges.iter())
            .map(|hinge| Hinge {
                released: hinge.released.iter().filter_map(|&m| new(m)).collect(),
                ..hinge.clone()
            })
            .collect();
        part.masses
            .retain(|mass| ends(mass.point) && mass.member.is_none_or(|m| new(m).is_some()));
        for mass in &mut part.masses {
            mass.member = mass.member.and_then(new);
        }
        part.supports = (self.supports.iter())
            .filter_map(|support| {
                let target = target(support.target)?;
                Some(Support {
                    target,
                    ..support.clone()
                })
            })
            .collect();
        part.motions = (self.motions.iter())
            .filter_map(|motion| {
                let target = target(motion.target)?;
                Some(Motion {
                    target,
                    ..motion.clone()
                })
            })
            .collect();
        part.sliders = (self.sliders.iter())
            .filter(|slider| ends(slider.point))
            .filter_map(|slider| {
                let path = slider.path.iter().map(|on| {
                    let member = new(on.member)?;
                    Some(PathMember { member, ..*on })
                });
                Some(Slider {
                    path: path.collect::<Option<Vec<PathMember>>>()?,
                    member: slider.member.and_then(new),
                    ..slider.clone()
                })
            })
            .collect();
        part.loads.clear();
        part.gravity = [0.0; 2];
        part.start = Start {
            velocities: StartVelocities::Rest,
            equilibrium: None,
            given: Vec::new(),
        };
        part.statics = None;
        part.damping.clear();
        part.probes.clear();
        part.parameters.clear();
        part.calculated.clear();
        part.inputs.clear();
        part.outputs.clear();
        part
    }
}
