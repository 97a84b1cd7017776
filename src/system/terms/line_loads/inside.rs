//! What loads along a member and in sections of it exert inside its elements.

use num_dual::DualStruct;

use super::{LineLoad, LineLoads, Loaded};
use crate::checked::{Carrier, Extent, MemberId};
use crate::elements::frame::MAX_DOFS;
use crate::numerics::lagrange::shape;
use crate::system::numbers::{Acting, Number, Numbers};

impl LineLoads {
    /// The loads on an element of a member, with their numbers.
    fn on_element(
        &self, (member, element): (MemberId, usize),
    ) -> impl Iterator<Item = (usize, &LineLoad, &Loaded)> {
        let own = Some(Carrier::Member(member));
        let loads = self.list.iter().enumerate().filter(move |(_, load)| load.carrier == own);
        loads.flat_map(move |(id, load)| {
            let parts = load.parts.iter().filter(move |part| part.piece.element == element);
            parts.map(move |part| (id, load, part))
        })
    }

    /// Whether any acts along a member or in a section of it.
    pub fn act_along(&self, member: MemberId) -> bool {
        self.list.iter().any(|load| load.carrier == Some(Carrier::Member(member)))
    }

    /// Whether any acts on an element of a member.
    pub fn act_on(&self, element: (MemberId, usize)) -> bool {
        self.on_element(element).next().is_some()
    }

    /// ξ of the sections of an element of a member in which loads act.
    pub fn sections_in(&self, element: (MemberId, usize)) -> impl Iterator<Item = f64> {
        let all = self.on_element(element);
        all.filter_map(|(_, load, part)| part.piece.section(load.extent).map(|[xi, _]| xi))
    }

    /// Hands what acts on an element of a member to `add`, as forces (N) and moments (N·m) at places ξ: all as far as ξ = `until` along it, and
    /// in the sections that `counts`. Nodes are at their places among the local unknowns `q`.
    pub fn each_inside<S: Acting, N: Numbers<S>>(
        &self, state: &N, element: (MemberId, usize), q: &[N::Number; MAX_DOFS],
        (until, counts): (f64, impl Fn(f64) -> bool), mut add: impl FnMut(f64, [N::Number; 3]),
    ) {
        for (id, load, part) in self.on_element(element) {
            let component = |c: usize| load.component_in(id, c, state);
            let [x, y, normal, tangential, moment] = [0, 1, 2, 3, 4].map(component);
            let order = part.piece.nodes.len() - 1;
            let force = |xi: f64| {
                let slope = shape(order, xi).first;
                let along =
                    [0, 1].map(|i| (0..=order).map(|l| q[3 * l + i] * slope[l]).sum::<N::Number>());
                let length = along[0].hypot(along[1]);
                if length.re() <= f64::MIN_POSITIVE {
                    return [x, y];
                }
                let [tx, ty] = along.map(|c| c / length);
                [x + tangential * tx - normal * ty, y + tangential * ty + normal * tx]
            };
            if let Extent::At { .. } = load.extent {
                if let Some([xi, _]) = part.piece.section(load.extent).filter(|[xi, _]| counts(*xi))
                {
                    let [x, y] = force(xi);
                    add(xi, [x, y, moment]);
                }
                continue;
            }
            part.piece.each_place(load.extent, until, |xi, weight| {
                let [x, y] = force(xi);
                add(xi, [x * weight, y * weight, N::Number::from(0.0)]);
            });
        }
    }
}
