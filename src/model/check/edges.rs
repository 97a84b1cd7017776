//! Bodies and their edges by name.

use super::Checker;
use crate::mesh::Mesh;
use crate::message::excerpt;
use crate::model::checked::{BodyId, Checked, EdgeId};
use crate::model::de::Name;
use crate::model::fault::{did_you_mean, listed};

impl Checker<'_> {
    /// A body by its name; `None` with a fault on record.
    pub(super) fn body_named(&mut self, name: &Name) -> Option<BodyId> {
        let file = self.file;
        let found = self.find(name, "bodies", &file.bodies)?;
        self.bodies.get(found).copied().flatten()
    }

    /// An edge of an elastic body by `BODY.EDGE`; of a rigid one `instead` says what to name.
    pub(super) fn elastic_edge(
        &mut self,
        model: &Checked,
        name: &Name,
        instead: &str,
    ) -> Option<EdgeId> {
        let edge = self.edge(model, name)?;
        if model.is_rigid(edge.body) {
            let message = format!(
                "{} names `{}`, an edge of rigid body `{}`, whose nodes move as one; {instead}",
                name.path,
                excerpt(&name.value),
                model.bodies[edge.body].name
            );
            self.report(name, message);
            return None;
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
                let message = format!(
                    "{} names `{}`; an edge is written BODY.EDGE, and the bodies are: {}{}",
                    name.path,
                    excerpt(&name.value),
                    listed(known()),
                    did_you_mean(body, known())
                );
                self.report(name, message);
            }
            return None;
        };
        let Mesh {
            edges, no_edges, ..
        } = &*model.bodies[id].mesh;
        let found = edges.iter().position(|e| e.name == edge);
        if let Some((_, why)) = no_edges.iter().find(|(name, _)| name == edge) {
            let message = format!(
                "{} names `{}`, and this curve {why}",
                name.path,
                excerpt(&name.value)
            );
            self.report(name, message);
        } else if found.is_none() {
            let known = || edges.iter().map(|e| e.name.as_str());
            let message = format!(
                "{} names `{}`, and body `{body}` has no such edge; there are: {}{}",
                name.path,
                excerpt(&name.value),
                listed(known()),
                did_you_mean(edge, known())
            );
            self.report(name, message);
        }
        Some(EdgeId {
            body: id,
            edge: found?,
        })
    }
}
