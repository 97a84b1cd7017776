//! Where probes are.

use coulisse::model::checked::{On, Place, ProbeKind, weighted};
use coulisse::numerics::triangle::{lattice, shape};

use super::Drawing;
use super::scene::{Frame, Ink};

impl Drawing<'_> {
    pub(super) fn probes(&mut self) {
        self.scene.begin_picture();
        for probe in &self.model.probes {
            let at = match probe.kind {
                ProbeKind::Deflection { point, from, .. } | ProbeKind::Distance { point, from } => {
                    let line = [self.point(from), self.point(point)];
                    self.scene.dashes(&line, 1.5, Ink::Probe);
                    line[1]
                }
                ProbeKind::Rotation { point, .. } | ProbeKind::Drift { point, .. } => {
                    self.point(point)
                }
                ProbeKind::Displacement { member, at, .. } => {
                    self.along(member, at / self.model.length_of(member))
                }
                ProbeKind::Chord { member, at } => {
                    let described = &self.model.members[member];
                    let line = [described.from, described.to].map(|p| self.point(p));
                    self.scene.dashes(&line, 1.5, Ink::Probe);
                    self.along(member, at / self.model.length_of(member))
                }
            };
            self.probe(at, &probe.name);
        }
        for cut in &self.model.cuts {
            let at = self.along(cut.member, cut.at / self.model.length_of(cut.member));
            self.probe(at, &cut.name);
        }
        for place in &self.model.places {
            self.probe(self.pixel(self.place_on_body(place)), &place.name);
        }
    }

    /// Where a place of a body is, m.
    fn place_on_body(&self, place: &Place) -> [f64; 2] {
        let within = match &place.on {
            On::Point(point) => return self.points[*point],
            On::Triangles(list) => list.first(),
        };
        let mesh = &self.model.bodies[place.body].mesh;
        let triangle =
            within.and_then(|within| Some((mesh.triangles().nth(within.element)?, within.at)));
        let nodes = &self.nodes[place.body];
        triangle.map_or(place.position, |(list, at)| {
            let weights =
                lattice(mesh.order).into_iter().map(|node| shape(mesh.order, node, at)[0]);
            weighted(list.iter().map(|&node| nodes[node]).zip(weights))
        })
    }

    fn probe(&mut self, at: [f64; 2], name: &str) {
        let frame = Frame::new(at, [1.0, 0.0]);
        let corners = [[-6.0, 0.0], [0.0, 6.0], [6.0, 0.0], [0.0, -6.0]];
        self.scene.area(&frame.places(&corners), Ink::Paper, Ink::Probe);
        self.label(at, name, Ink::Probe);
    }
}
