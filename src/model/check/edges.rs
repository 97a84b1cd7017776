//! Bodies and their edges by name, and edges as paths.

use super::Checker;
use crate::checked::{BodyId, Carrier, Checked, EdgeId, PathPart, Slider, SliderKind};
use crate::mesh::Mesh;
use crate::message::did_you_mean;
use crate::message::excerpt;
use crate::model::de::Name;
use crate::model::file::Sliding;

impl Checker<'_> {
    /// A body by its name; `None` with a fault on record.
    pub(super) fn body_named(&mut self, name: &Name) -> Option<BodyId> {
        let file = self.file;
        let found = self.find(name, "bodies", &file.bodies)?;
        self.bodies.get(found).copied().flatten()
    }

    /// An edge of an elastic body by `BODY.EDGE`; of a rigid one `instead` says what to name.
    pub(super) fn elastic_edge(
        &mut self, model: &Checked, name: &Name, instead: &str,
    ) -> Option<EdgeId> {
        let edge = self.edge(model, name)?;
        if model.is_rigid(edge.body) {
            let message = format!(
                "{} names `{}`, an edge of rigid body `{}`, whose nodes move as one; {instead}",
                name.path,
                excerpt(&name.value),
                model.bodies[edge.body].name
            );
            return self.refuse(name, message);
        }
        Some(edge)
    }

    /// An edge by `BODY.EDGE`.
    pub(super) fn edge(&mut self, model: &Checked, name: &Name) -> Option<EdgeId> {
        if self.is_unread(&name.path) {
            return None;
        }
        let (body, edge) = name.value.split_once('.').unwrap_or((&name.value, ""));
        let written = self.file.bodies.iter().position(|e| e.name.value == body);
        let found = written.and_then(|entry| self.bodies[entry]);
        let Some(id) = found else {
            // What a broken body has for edges is not known.
            if written.is_none() && !self.file.unreadable.contains("bodies") {
                let known = || self.file.bodies.iter().map(|e| e.name.value.as_str());
                let why = "and an edge is written BODY.EDGE, with a body of [bodies]";
                self.unknown(name, why, known(), &did_you_mean(body, known()));
            }
            return None;
        };
        let Mesh { edges, no_edges, .. } = &*model.bodies[id].mesh;
        let found = edges.iter().position(|e| e.name == edge);
        if let Some((_, why)) = no_edges.iter().find(|(name, _)| name == edge) {
            let message =
                format!("{} names `{}`, and this curve {why}", name.path, excerpt(&name.value));
            self.report(name, message);
        } else if found.is_none() && !name.value.contains('.') {
            let why = format!("which is a body, and an edge of it is written {body}.EDGE");
            self.unknown(name, &why, edges.iter().map(|e| e.name.as_str()), "");
        } else if found.is_none() {
            let known = || edges.iter().map(|e| e.name.as_str());
            let why = format!("and body `{body}` has no such edge");
            self.unknown(name, &why, known(), &did_you_mean(edge, known()));
        }
        Some(EdgeId { body: id, edge: found? })
    }
}

impl Sliding {
    /// What of a path is an edge: the slider is no node of it, and asks for no rotation.
    pub(super) fn fits_an_edge(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, slider: &Slider, word: &str,
    ) {
        let edges = slider.path.iter().filter_map(|part| match part.carrier {
            Carrier::Edge(edge) => Some(edge),
            Carrier::Member(_) => None,
        });
        for edge in edges {
            let written = model.name_of_edge(edge);
            let rigid = model.is_rigid(edge.body);
            let moves_along = rigid && model.bodies[edge.body].carried().any(|p| p == slider.point);
            let mine = match (model.is_on_edge(slider.point, edge), moves_along) {
                (true, _) => Some(format!("is a node of edge `{written}` of its own path")),
                (false, true) => {
                    let body = &model.bodies[edge.body].name;
                    Some(format!("moves with rigid body `{body}` of its own path"))
                }
                (false, false) => None,
            };
            if let Some(mine) = mine {
                let message = format!(
                    "{}.{word}.slider: point `{}` {mine}; give the slider a point of its own, at the same position if need be",
                    name.path, self.slider.value
                );
                check.report(&self.slider, message);
            }
            if rigid {
                let other = |part: &&PathPart| match part.carrier {
                    Carrier::Edge(other) => other.body != edge.body,
                    Carrier::Member(_) => true,
                };
                if let Some(other) = slider.path.iter().find(other) {
                    let message = format!(
                        "{}.{word}.path: edge `{written}` is one of a rigid body, and {} is none of this body; name \
                         edges of one rigid body alone, or none",
                        name.path,
                        other.carrier.quoted(model)
                    );
                    check.report_entry(name, message);
                    return;
                }
                continue;
            }
            if slider.kind != SliderKind::Prismatic {
                continue;
            }
            let message = format!(
                "{}: a prismatic slider constrains its rotation against its path, and the nodes of edge `{written}` have \
                 none; lay a member along it ([members.NAME] with edge = \"{written}\") and name that as the path, \
                 or let an edge of a body slide on it (`sliding`)",
                name.path
            );
            check.report_entry(name, message);
        }
    }
}
