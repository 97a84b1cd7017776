//! What no single entry shows.

use super::Checker;
use crate::model::checked::{Checked, Moved, Slider};
use crate::model::de::Name;
use crate::model::fault::listed;
use crate::nodes::{FrameNode, Nodes};

impl Checker<'_> {
    /// Unknowns held twice, members without stiffness that may move, velocities of what is held,
    /// friction without mass, nothing left to move.
    pub(super) fn whole(&mut self, model: &Checked) {
        let nodes = model.nodes();
        let holder = self.holders(model, &nodes);
        self.members_without_stiffness(model, &nodes, &holder);
        self.initial_velocities(model, &nodes, &holder);
        self.friction_has_mass(model);
        let released = model.motions.iter().any(|motion| motion.release.is_some());
        if holder.iter().all(Option::is_some) && !released {
            let points = listed(model.points.iter().map(|p| p.name.as_str()));
            let message = format!(
                "nothing can move: supports and motions hold all of {points}; let one direction go"
            );
            self.report(&(0..0), message);
        }
    }

    /// What holds each nodal unknown.
    fn holders(&mut self, model: &Checked, nodes: &Nodes) -> Vec<Option<String>> {
        let mut holder: Vec<Option<String>> = vec![None; nodes.initial.len()];
        let file = self.file;
        let mut claims = Vec::new();
        for (support, entry) in model.supports.iter().zip(&file.supports) {
            for &direction in &support.fixed {
                let unknowns: Vec<usize> = nodes.of_target(support.target, direction).collect();
                claims.push((unknowns, &entry.name, Vec::new()));
            }
        }
        for (motion, entry) in model.motions.iter().zip(&file.motions) {
            // What these supports hold is theirs to move.
            let carried = match &motion.moved {
                Moved::Supports(list) => {
                    list.iter().map(|&s| &file.supports[s].name.path).collect()
                }
                Moved::Target(_) => Vec::new(),
            };
            claims.push((model.prescribed_by(motion, nodes), &entry.name, carried));
        }
        for (unknowns, name, carried) in claims {
            for u in unknowns {
                match &holder[u] {
                    Some(first)
                        if *first != name.path
                            && !carried.contains(&first)
                            && name.path.starts_with("motions") =>
                    {
                        let message = format!(
                            "{} moves {}, which {first} holds already; let one of them go",
                            name.path,
                            model.name_of_unknown(u, nodes)
                        );
                        self.report(&name.span, message);
                        break;
                    }
                    _ => holder[u] = Some(name.path.clone()),
                }
            }
        }
        holder
    }

    fn members_without_stiffness(
        &mut self,
        model: &Checked,
        nodes: &Nodes,
        holder: &[Option<String>],
    ) {
        let file = self.file;
        let releasing = model.motions.iter().filter(|m| m.release.is_some());
        let released: Vec<usize> = releasing
            .flat_map(|motion| model.prescribed_by(motion, nodes))
            .collect();
        for (id, (member, entry)) in model.members.iter().zip(&file.members).enumerate() {
            let held = |u: usize| holder[u].is_some() && !released.contains(&u);
            let mut unknowns = nodes.of_member(id).iter().flat_map(FrameNode::unknowns);
            let loose = unknowns.find(|&u| !held(u));
            if let (None, Some(u)) = (&member.properties, loose) {
                let when = if holder[u].is_some() {
                    "held for a time only"
                } else {
                    "not held"
                };
                let message = format!(
                    "{} has no material and section, and {} is {when}; give both, or hold all \
                     of the member by a support or motions in x, y and rotation",
                    entry.name.path,
                    model.name_of_unknown(u, nodes)
                );
                self.report(&entry.name.span, message);
            }
        }
    }

    fn friction_has_mass(&mut self, model: &Checked) {
        let file = self.file;
        let names: Vec<&Name> = file.joints.iter().map(|e| &e.name).collect();
        for slider in &model.sliders {
            let name = names.iter().find(|n| n.value == slider.name);
            if let Some(name) = name
                && slider.friction.kind().holds
                && slider.sliding_mass.is_none()
                && !has_mass(model, slider)
            {
                let message = format!(
                    "{}: friction needs a mass that slides, and point `{}` has none; give the \
                     point a mass, its member a density, or the joint a `sliding_mass` (kg)",
                    name.path, model.points[slider.point].name
                );
                self.report(&name.span, message);
            }
        }
    }
}

fn has_mass(model: &Checked, slider: &Slider) -> bool {
    let lumped = model
        .masses
        .iter()
        .any(|m| m.point == slider.point && m.mass > 0.0);
    lumped
        || model.members_at(slider.point).iter().any(|&m| {
            let properties = &model.members[m].properties;
            properties.is_some_and(|p| p.density > 0.0)
        })
}
