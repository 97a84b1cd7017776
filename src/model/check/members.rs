//! Members: along a drawn axis or an edge of a body, with material and section.

use super::Checker;
use super::curves::Drawn;
use super::material::Material;
use crate::checked::{Checked, Course, Member, Properties, SectionShape};
use crate::elements::frame::section::half_height;
use crate::model::de::Name;
use crate::model::file;

impl Checker<'_> {
    /// A member with one of `materials` and one of `sections`, (A, I, J₄) and their shape.
    pub(super) fn one_member(
        &mut self, model: &mut Checked, name: &Name, given: &file::Member,
        materials: &[Option<Material>], sections: &[Option<(SectionShape, [f64; 3])>],
    ) -> Option<Member> {
        let properties = self.properties(given, materials, sections);
        if !given.rigid {
            self.weighed([&given.mass, &given.inertia]);
        }
        match &given.edge {
            Some(edge) => self.member_along_edge(model, name, given, edge, properties),
            None => self.drawn_member(model, name, given, properties),
        }
    }

    /// Material and section of a member; `None` where it has none of them.
    fn properties(
        &mut self, given: &file::Member, materials: &[Option<Material>],
        sections: &[Option<(SectionShape, [f64; 3])>],
    ) -> Option<Properties> {
        let file = self.file;
        let material =
            given.material.as_ref().and_then(|m| self.find(m, "materials", &file.materials));
        let section = given.section.as_ref().and_then(|s| self.find(s, "sections", &file.sections));
        let Material { elasticity, density } = materials[material?]?;
        let named = given.material.as_ref()?;
        let [young_modulus, shear_modulus] = self.moduli_of(named, elasticity, given.rigid)?;
        let (shape, [area, second_moment, fourth_moment]) = sections[section?]?;
        Some(Properties {
            young_modulus,
            shear_modulus,
            density,
            area,
            second_moment,
            fourth_moment,
            shape,
            rotary_inertia: given.rotary_inertia,
        })
    }

    /// A member between two points.
    fn drawn_member(
        &mut self, model: &Checked, name: &Name, given: &file::Member,
        properties: Option<Properties>,
    ) -> Option<Member> {
        // Nothing is gained by more than one element of a straight rigid member.
        let bar = given.rigid && given.arc.is_none() && given.spline.is_none();
        let counted = bar || given.elements.is_some();
        let (Some(from), Some(to), true) = (&given.from, &given.to, counted) else {
            return None;
        };
        let points = [from, to].map(|point| self.point(point));
        let ends = points[0].zip(points[1]);
        let ends = ends.map(|(a, b)| [a, b].map(|point| model.points[point].position));
        let drawn = Drawn {
            name,
            what: "member",
            from,
            to,
            arc: given.arc.as_ref(),
            spline: given.spline.as_ref(),
        };
        let axis = self.axis(&drawn, ends);
        let path = format!("{}.elements", name.path);
        let elements = self.count_or(given.elements.as_ref(), path, 1);
        let path = format!("{}.order", name.path);
        let order = self.count_or(given.order.as_ref(), path, if bar { 1 } else { 3 });
        let (axis, [from, to]) = (axis?, [points[0]?, points[1]?]);
        let member = Member {
            name: name.value.clone(),
            from,
            to,
            elements,
            order,
            course: Course::Axis(Box::new(axis)),
            half_height: properties.as_ref().map_or(0.0, half_height),
            properties,
            rigid: None,
        };
        if let Some(count) = &given.elements {
            self.elements_follow(&member, given, count);
        }
        Some(member)
    }

    /// A member that shares the positions of an edge, with sections that turn on their own.
    fn member_along_edge(
        &mut self, model: &mut Checked, name: &Name, given: &file::Member, edge: &Name,
        properties: Option<Properties>,
    ) -> Option<Member> {
        let instead = "leave out the member along it, which nothing would strain";
        let id = self.elastic_edge(model, edge, instead)?;
        let last = model.bodies[id.body].mesh.edges[id.edge].nodes.len() - 1;
        let [from, to] = [0, last].map(|place| self.point_of_edge(model, id, place));
        let member = Member {
            name: name.value.clone(),
            from,
            to,
            elements: model.sides_of_edge(id),
            order: model.bodies[id.body].mesh.order,
            course: Course::Edge(id),
            half_height: properties.as_ref().map_or(0.0, half_height),
            properties,
            rigid: None,
        };
        self.sections_fit(&member, &model.axes_of_edge(id), (given, edge));
        Some(member)
    }
}
