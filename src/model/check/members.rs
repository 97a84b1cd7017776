//! Members: along its own axis or an edge of a body, with material and section.

use super::curves::WrittenAxis;
use super::material::Material;
use super::{Checker, curves, sliding_edge};
use crate::checked::{Checked, Member, MemberLine, Properties, SectionShape};
use crate::elements::frame::section::half_height;
use crate::model::de::Name;
use crate::model::file;

impl file::Member {
    /// A member with one of `materials` and one of `sections`, (A, I, J₄, A_v) and their shape.
    pub(super) fn check(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name,
        materials: &[Option<Material>], sections: &[Option<(SectionShape, [f64; 4])>],
    ) -> Option<Member> {
        let properties = self.properties(check, name, materials, sections);
        if !self.rigid {
            check.weighed([&self.mass, &self.inertia]);
        }
        match &self.edge {
            Some(edge) => self.along_edge(check, model, name, edge, properties),
            None => self.along_axis(check, model, name, properties),
        }
    }

    /// Material and section of a member; `None` where it has none of them.
    fn properties(
        &self, check: &mut Checker<'_>, name: &Name, materials: &[Option<Material>],
        sections: &[Option<(SectionShape, [f64; 4])>],
    ) -> Option<Properties> {
        let file = check.file;
        let material =
            self.material.as_ref().and_then(|m| check.find(m, "materials", &file.materials));
        let section = self.section.as_ref().and_then(|s| check.find(s, "sections", &file.sections));
        let Material { elasticity, density } = materials[material?]?;
        let named = self.material.as_ref()?;
        let [young_modulus, shear_modulus] = elasticity.moduli(check, named, self.rigid)?;
        let (shape, [area, second_moment, fourth_moment, shear_area]) = sections[section?]?;
        let added_mass = check.usual(self.added_mass.as_ref(), name.key("added_mass"));
        Some(Properties {
            young_modulus,
            shear_modulus,
            density,
            area,
            shear_area,
            second_moment,
            fourth_moment,
            shape,
            added_mass,
            rotary_inertia: self.rotary_inertia,
        })
    }

    /// A member between two points.
    fn along_axis(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
        properties: Option<Properties>,
    ) -> Option<Member> {
        // Nothing is gained by more than one element of a straight rigid member.
        let bar = self.rigid && self.arc.is_none() && self.spline.is_none();
        let counted = bar || self.elements.is_some();
        let (Some(from), Some(to), true) = (&self.from, &self.to, counted) else {
            return None;
        };
        let points = [from, to].map(|point| check.point(point));
        let ends = points[0].zip(points[1]);
        let ends = ends.map(|(a, b)| [a, b].map(|point| model.points[point].position));
        let initial = WrittenAxis {
            name,
            what: "member",
            from,
            to,
            arc: self.arc.as_ref(),
            spline: self.spline.as_ref(),
        };
        let axis = initial.axis(check, ends);
        let elements = check.count_or(self.elements.as_ref(), name.key("elements"), 1);
        let order = check.count_or(self.order.as_ref(), name.key("order"), if bar { 1 } else { 3 });
        let (axis, [from, to]) = (axis?, [points[0]?, points[1]?]);
        let member = Member {
            name: name.value.clone(),
            from,
            to,
            elements,
            order,
            line: MemberLine::Axis(Box::new(axis)),
            half_height: properties.as_ref().map_or(0.0, half_height),
            properties,
            rigid: None,
        };
        if let Some(count) = &self.elements {
            self.elements_follow(check, &member, count);
        }
        Some(member)
    }

    /// A member that shares the positions of an edge, with sections that turn on their own.
    fn along_edge(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, edge: &Name,
        properties: Option<Properties>,
    ) -> Option<Member> {
        let instead = "leave out the member along it, which nothing would strain";
        let id = check.elastic_edge(model, edge, instead)?;
        let last = model.bodies[id.body].mesh.edges[id.edge].nodes.len() - 1;
        let [from, to] =
            [0, last].map(|place| sliding_edge::point_of_edge(check, model, id, place));
        let member = Member {
            name: name.value.clone(),
            from,
            to,
            elements: model.sides_of_edge(id),
            order: model.bodies[id.body].mesh.order,
            line: MemberLine::Edge(id),
            half_height: properties.as_ref().map_or(0.0, half_height),
            properties,
            rigid: None,
        };
        curves::sections_fit(check, &member, &model.axes_of_edge(id), (self, edge));
        Some(member)
    }
}
