//! Elements by group: those of one kind that belong to one part of the mechanism.
//!
//! A [`Kernel`] turns the local unknowns of one element into energy, force, tangent and mass. A [`Block`]
//! holds the kernels of elements of equal size with the numbers of their unknowns, gathers, and hands
//! out what each element gives as a [`Contribution`], which scatters itself. [`Elements`] is a block of
//! any kind: nothing above it asks which. Another kind is one variant of [`Elements`] and one line in
//! `of_any_kind!`.

use super::frame::{FrameKernel, MAX_DOFS};
use super::kernel::Kernel;
use super::plane::kernel::PlaneKernel;
use crate::numerics::lanes::LANES;
use crate::numerics::positions::Coordinates;

/// Elements of one kind with as many unknowns each.
#[derive(Debug, Clone)]
pub struct Block<K, const N: usize> {
    /// One for all elements, or one for each.
    kernels: Vec<K>,
    /// Unknowns of an element.
    width: usize,
    /// Numbers of the unknowns, element by element.
    unknowns: Vec<usize>,
    /// Place in the matrix of each entry of an element's lower triangle, row by row; [`NOWHERE`] where
    /// an unknown has no equation.
    places: Vec<u32>,
    /// Whether any unknown of an element has an equation.
    moves: Vec<bool>,
}

/// An entry that the matrix does not have.
const NOWHERE: u32 = u32::MAX;

/// Which elements are asked for their tangent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tangents {
    /// Those with an entry in the matrix.
    Moving,
    All,
}

/// Room for the tangent of an element, or of several that are taken together.
#[derive(Debug, Clone)]
pub struct TangentRoom {
    own: Vec<f64>,
    lanes: Vec<[f64; LANES]>,
}

/// Most unknowns of an element: those of a triangle of order 4.
const MAX_WIDTH: usize = 30;

impl Default for TangentRoom {
    fn default() -> TangentRoom {
        let entries = MAX_WIDTH * MAX_WIDTH;
        TangentRoom { own: vec![0.0; entries], lanes: vec![[0.0; LANES]; entries] }
    }
}

/// The first square of N by N entries.
fn square<T, const N: usize>(entries: &mut [T]) -> &mut [[T; N]; N] {
    &mut entries.as_chunks_mut().0.as_chunks_mut().0[0]
}

/// What one element gives.
#[derive(Debug)]
pub struct Contribution<'a> {
    /// Number of the element in its group.
    pub element: usize,
    pub unknowns: &'a [usize],
    /// ∂U/∂q of each unknown, N or N·m.
    pub force: &'a [f64],
    /// How far the least stretch is above the one allowed; negative where the element is crushed.
    pub margin: f64,
    tangent: Option<Rows<'a>>,
}

/// The rows of a local tangent, of which the lower triangle counts, and where they go.
#[derive(Debug)]
struct Rows<'a> {
    entries: Entries<'a>,
    length: usize,
    places: &'a [u32],
}

/// Entries of the tangent of one element, row by row.
#[derive(Debug)]
enum Entries<'a> {
    Own(&'a [f64]),
    /// One lane of those of several elements.
    Lane(&'a [[f64; LANES]], usize),
}

impl Rows<'_> {
    fn at(&self, i: usize, j: usize) -> f64 {
        let entry = i.max(j) * self.length + i.min(j);
        match self.entries {
            Entries::Own(entries) => entries[entry],
            Entries::Lane(entries, lane) => entries[entry][lane],
        }
    }
}

impl Contribution<'_> {
    /// Adds the force to the nodal forces `out`.
    #[inline(always)]
    pub fn add_force(&self, out: &mut [f64]) {
        for (&f, &u) in self.force.iter().zip(self.unknowns) {
            out[u] += f;
        }
    }

    /// Force times the displacements `v`.
    pub fn work(&self, v: &[f64]) -> f64 {
        let pairs = self.force.iter().zip(self.unknowns);
        pairs.map(|(f, &u)| f * v[u]).sum()
    }

    /// Adds the tangent to the entries `values` of the matrix that the block is connected to.
    #[inline(always)]
    pub fn add_tangent(&self, values: &mut [f64]) {
        let Some(rows) = &self.tangent else { return };
        match rows.entries {
            Entries::Own(entries) => self.add_rows(rows, entries, |entry| *entry, values),
            Entries::Lane(entries, lane) => {
                self.add_rows(rows, entries, |lanes| lanes[lane], values);
            }
        }
    }

    #[inline(always)]
    fn add_rows<E>(
        &self, rows: &Rows<'_>, entries: &[E], number: impl Fn(&E) -> f64, values: &mut [f64],
    ) {
        let mut places = rows.places;
        for (i, row) in (1..=self.unknowns.len()).zip(entries.chunks_exact(rows.length)) {
            let own;
            (own, places) = places.split_at(i);
            for (entry, &place) in row[..i].iter().zip(own) {
                // Without an equation there is no such entry.
                if let Some(sum) = values.get_mut(place as usize) {
                    *sum += number(entry);
                }
            }
        }
    }

    /// Adds tangent times `v` to `out`.
    pub fn add_product(&self, v: &[f64], out: &mut [f64]) {
        let Some(rows) = &self.tangent else { return };
        for (i, &u) in self.unknowns.iter().enumerate() {
            for (j, &w) in self.unknowns.iter().enumerate() {
                out[u] += rows.at(i, j) * v[w];
            }
        }
    }

    /// Calls `each` with two unknowns and their entry of the tangent.
    pub fn entries(&self, mut each: impl FnMut(usize, usize, f64)) {
        let Some(rows) = &self.tangent else { return };
        for (i, &u) in self.unknowns.iter().enumerate() {
            for (j, &w) in self.unknowns.iter().enumerate() {
                each(u, w, rows.at(i, j));
            }
        }
    }
}

impl<K: Kernel<N>, const N: usize> Block<K, N> {
    /// `kernels` is one for all elements or one for each; `unknowns` lists the `width` numbers of each
    /// element, one after the other.
    pub fn new(kernels: Vec<K>, width: usize, unknowns: Vec<usize>) -> Block<K, N> {
        debug_assert!(width <= N && unknowns.len().is_multiple_of(width));
        let elements = unknowns.len() / width;
        debug_assert!(kernels.len() == 1 || kernels.len() == elements);
        Block { kernels, width, places: Vec::new(), moves: vec![false; elements], unknowns }
    }

    /// The kernel of an element and its unknowns at the positions `q`.
    #[inline(always)]
    pub fn element(&self, element: usize, q: &(impl Coordinates + ?Sized)) -> (&K, [f64; N]) {
        let local = gather::<K, N>(self.unknowns_of(element), q);
        (self.kernel(element), local)
    }

    /// The unknowns of an element.
    pub fn unknowns_of(&self, element: usize) -> &[usize] {
        &self.unknowns[element * self.width..][..self.width]
    }

    #[inline(always)]
    pub fn kernel(&self, element: usize) -> &K {
        match &self.kernels[..] {
            [shared] => shared,
            kernels => &kernels[element],
        }
    }

    /// The one loop over elements: gathers the unknowns of each from `q`.
    #[inline(always)]
    fn each(
        &self, q: &(impl Coordinates + ?Sized),
        mut visit: impl FnMut(usize, &K, &[usize], &[f64; N]),
    ) {
        for (element, unknowns) in self.unknowns.chunks_exact(self.width).enumerate() {
            visit(element, self.kernel(element), unknowns, &gather::<K, N>(unknowns, q));
        }
    }

    /// The kernel of all elements, which are then taken together.
    fn shared(&self) -> Option<&K> {
        match &self.kernels[..] {
            [shared] => Some(shared),
            _ => None,
        }
    }

    /// The same loop over [`LANES`] elements at a time, of which `visit` gets the first one, their unknowns, and those gathered from `q`.
    /// Where fewer are left, the last one stands in all other lanes.
    #[inline(always)]
    fn each_together(
        &self, q: &(impl Coordinates + ?Sized),
        mut visit: impl FnMut(usize, &[usize], &[[f64; LANES]; N]),
    ) {
        let mut together = [[0.0; LANES]; N];
        for (group, unknowns) in self.unknowns.chunks(LANES * self.width).enumerate() {
            let mut last = unknowns;
            for lane in 0..LANES {
                if lane * self.width < unknowns.len() {
                    last = &unknowns[lane * self.width..][..self.width];
                }
                let local = gather::<K, N>(last, q);
                for (lanes, own) in together.iter_mut().zip(local) {
                    lanes[lane] = own;
                }
            }
            visit(group * LANES, unknowns, &together);
        }
    }

    #[inline(always)]
    fn energies(&self, q: &(impl Coordinates + ?Sized), mut visit: impl FnMut(f64)) {
        let Some(shared) = self.shared() else {
            return self.each(q, |_, kernel, _, local| visit(kernel.energy(local)));
        };
        self.each_together(q, |_, unknowns, local| {
            let energies = shared.energies(local).into_iter();
            energies.take(unknowns.len() / self.width).for_each(&mut visit);
        });
    }

    /// [`Block::forces`] and [`Block::tangents`] of elements with one kernel.
    #[inline(always)]
    fn visit_together(
        &self, shared: &K, q: &(impl Coordinates + ?Sized),
        mut wanted: Option<(Tangents, &mut [[[f64; LANES]; N]; N])>,
        mut visit: impl FnMut(Contribution<'_>),
    ) {
        let mut forces = [[0.0; LANES]; N];
        let pairs = self.width * (self.width + 1) / 2;
        self.each_together(q, |first, unknowns, local| {
            let wants = wanted.as_ref().map(|(wanted, _)| *wanted);
            let asked = |element: usize| match wants {
                None => false,
                Some(Tangents::All) => true,
                Some(Tangents::Moving) => self.moves[element],
            };
            let elements = first..first + unknowns.len() / self.width;
            let room = wanted.as_mut().map(|(_, room)| &mut **room);
            let room = room.filter(|_| elements.into_iter().any(asked));
            let stretches = shared.forces(local, &mut forces, room);
            let tangents = wanted.as_ref().map(|(_, room)| room.as_flattened());
            for (lane, unknowns) in unknowns.chunks_exact(self.width).enumerate() {
                let element = first + lane;
                let mut force = [0.0; N];
                force.iter_mut().zip(&forces).for_each(|(own, lanes)| *own = lanes[lane]);
                visit(Contribution {
                    element,
                    unknowns,
                    force: &force[..unknowns.len()],
                    margin: stretches[lane] - K::LEAST_STRETCH,
                    tangent: tangents.filter(|_| asked(element)).map(|tangents| Rows {
                        entries: Entries::Lane(tangents, lane),
                        length: N,
                        places: self.places.get(element * pairs..).unwrap_or_default(),
                    }),
                });
            }
        });
    }

    #[inline(always)]
    fn forces(&self, q: &(impl Coordinates + ?Sized), mut visit: impl FnMut(Contribution<'_>)) {
        if let Some(shared) = self.shared() {
            return self.visit_together(shared, q, None, visit);
        }
        let mut force = [0.0; N];
        self.each(q, |element, kernel, unknowns, local| {
            let stretch = kernel.force(local, &mut force);
            visit(Contribution {
                element,
                unknowns,
                force: &force[..unknowns.len()],
                margin: stretch - K::LEAST_STRETCH,
                tangent: None,
            });
        });
    }

    #[inline(always)]
    fn tangents(
        &self, q: &(impl Coordinates + ?Sized), wanted: Tangents, room: &mut TangentRoom,
        mut visit: impl FnMut(Contribution<'_>),
    ) {
        if let Some(shared) = self.shared() {
            let room = square(&mut room.lanes);
            return self.visit_together(shared, q, Some((wanted, room)), visit);
        }
        let (mut force, tangent) = ([0.0; N], square::<_, N>(&mut room.own));
        let pairs = self.width * (self.width + 1) / 2;
        self.each(q, |element, kernel, unknowns, local| {
            let asked = wanted == Tangents::All || self.moves[element];
            let stretch = if asked {
                kernel.force_and_tangent(local, &mut force, tangent)
            } else {
                kernel.force(local, &mut force)
            };
            visit(Contribution {
                element,
                unknowns,
                force: &force[..unknowns.len()],
                margin: stretch - K::LEAST_STRETCH,
                tangent: asked.then(|| Rows {
                    entries: Entries::Own(tangent.as_flattened()),
                    length: N,
                    places: self.places.get(element * pairs..).unwrap_or_default(),
                }),
            });
        });
    }

    fn masses(&self, factor: f64, mut visit: impl FnMut(usize, usize, f64)) {
        let mut mass = [[0.0; N]; N];
        for (element, unknowns) in self.unknowns.chunks_exact(self.width).enumerate() {
            if element == 0 || self.kernels.len() > 1 {
                mass = self.kernel(element).mass(factor);
            }
            for (&u, row) in unknowns.iter().zip(&mass) {
                for (&w, &value) in unknowns.iter().zip(row).filter(|(_, value)| **value != 0.0) {
                    visit(u, w, value);
                }
            }
        }
    }

    fn connect(&mut self, place: impl Fn(usize, usize) -> Option<usize>) {
        self.places.clear();
        for (unknowns, moves) in self.unknowns.chunks_exact(self.width).zip(&mut self.moves) {
            *moves = unknowns.iter().any(|&u| place(u, u).is_some());
            for (i, &u) in unknowns.iter().enumerate() {
                let row = unknowns[..=i].iter();
                let row = row.map(|&w| place(u, w).map_or(NOWHERE, |place| place as u32));
                self.places.extend(row);
            }
        }
    }
}

#[inline(always)]
fn gather<K: Kernel<N>, const N: usize>(
    unknowns: &[usize], q: &(impl Coordinates + ?Sized),
) -> [f64; N] {
    let mut local = [0.0; N];
    if let Some(width) = K::FROM_FIRST_NODE {
        let from = [q.place(unknowns[0]), q.place(unknowns[1])];
        let nodes = local.chunks_exact_mut(width).zip(unknowns.chunks_exact(width));
        for (local, unknowns) in nodes {
            for i in 0..width {
                let place = q.place(unknowns[i]);
                local[i] = from.get(i).map_or(place.rounded, |from| place.way_from(*from));
            }
        }
    } else {
        for (value, &u) in local.iter_mut().zip(unknowns) {
            *value = q.place(u).rounded;
        }
    }
    local
}

/// Elements of any one kind.
#[derive(Debug, Clone)]
pub enum Elements {
    /// Frame elements of one member.
    Frame(Block<FrameKernel, MAX_DOFS>),
    /// Triangles of order 1 of one body.
    Plane1(Block<PlaneKernel<3>, 6>),
    /// Of order 2.
    Plane2(Block<PlaneKernel<6>, 12>),
    /// Of order 3.
    Plane3(Block<PlaneKernel<10>, 20>),
    /// Of order 4.
    Plane4(Block<PlaneKernel<15>, 30>),
    /// Two-node bars without rotations.
    #[cfg(test)]
    Bar(Block<super::bar::BarKernel, 4>),
}

/// The one place where kinds are distinguished: `$do` is compiled for each of them.
macro_rules! of_any_kind {
    ($elements:expr, $block:ident => $do:expr) => {
        match $elements {
            Elements::Frame($block) => $do,
            Elements::Plane1($block) => $do,
            Elements::Plane2($block) => $do,
            Elements::Plane3($block) => $do,
            Elements::Plane4($block) => $do,
            #[cfg(test)]
            Elements::Bar($block) => $do,
        }
    };
}

mod viscosity;

impl Elements {
    /// Number of elements.
    pub fn count(&self) -> usize {
        of_any_kind!(self, block => block.moves.len())
    }

    /// The unknowns of each element.
    pub fn unknowns(&self) -> impl Iterator<Item = &[usize]> {
        of_any_kind!(self, block => block.unknowns.chunks_exact(block.width))
    }

    /// What has become of an element whose margin is negative.
    pub fn crushed(&self) -> String {
        fn words<K: Kernel<N>, const N: usize>(_: &Block<K, N>) -> String {
            K::crushed()
        }
        of_any_kind!(self, block => words(block))
    }

    /// Calls `visit` with the strain energy of each element at the positions `q`, J.
    #[inline(always)]
    pub fn energies(&self, q: &(impl Coordinates + ?Sized), visit: impl FnMut(f64)) {
        of_any_kind!(self, block => block.energies(q, visit));
    }

    /// Calls `visit` with the force of each element at the positions `q`.
    #[inline(always)]
    pub fn forces(&self, q: &(impl Coordinates + ?Sized), visit: impl FnMut(Contribution<'_>)) {
        of_any_kind!(self, block => block.forces(q, visit));
    }

    /// Calls `visit` with the force of each element at the positions `q`, and with the tangent of
    /// those `wanted`.
    #[inline(always)]
    pub fn tangents(
        &self, q: &(impl Coordinates + ?Sized), wanted: Tangents, room: &mut TangentRoom,
        visit: impl FnMut(Contribution<'_>),
    ) {
        of_any_kind!(self, block => block.tangents(q, wanted, room, visit));
    }

    /// Calls `visit` with two unknowns and `factor` times the mass that an element gives them.
    pub fn masses(&self, factor: f64, visit: impl FnMut(usize, usize, f64)) {
        of_any_kind!(self, block => block.masses(factor, visit));
    }

    /// Remembers where the tangent goes in the matrix: `place(u, w)` of the entry of two unknowns,
    /// `None` where one has no equation.
    pub fn connect(&mut self, place: impl Fn(usize, usize) -> Option<usize>) {
        of_any_kind!(self, block => block.connect(place));
    }

    /// The frame elements, where they are such.
    pub fn frames(&self) -> Option<&Block<FrameKernel, MAX_DOFS>> {
        match self {
            Elements::Frame(block) => Some(block),
            _ => None,
        }
    }
}
