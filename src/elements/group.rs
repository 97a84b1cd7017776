//! Elements by group: those of one kind that belong to one part of the mechanism.
//!
//! A [`Kernel`] turns the local unknowns of one element into energy, force, tangent and mass. A [`Block`]
//! holds the kernels of elements of equal size with the numbers of their unknowns, gathers, and hands
//! out what each element gives as a [`Contribution`], which scatters itself. [`Elements`] is a block of
//! any kind: nothing above it asks which. Another kind is one variant of [`Elements`] and one line in
//! `of_any_kind!`.

mod part;

use super::frame::{FrameKernel, MAX_DOFS};
use super::kernel::Kernel;
use super::plane::kernel::PlaneKernel;
use crate::numerics::lanes::LANES;
use crate::numerics::positions::{Coordinates, Position};
pub use part::{Contribution, Part, Several};
use part::{Entries, Rows};

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
    /// The unknowns and places of [`LANES`] elements at a time, a lane for each, where one kernel is that of all. Where fewer elements are
    /// left, the last one stands in all other lanes, without places.
    unknowns_together: Vec<[u32; LANES]>,
    places_together: Vec<[u32; LANES]>,
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

impl<K: Kernel<N>, const N: usize> Block<K, N> {
    /// `kernels` is one for all elements or one for each; `unknowns` lists the `width` numbers of each
    /// element, one after the other.
    pub fn new(kernels: Vec<K>, width: usize, unknowns: Vec<usize>) -> Block<K, N> {
        debug_assert!(width <= N && unknowns.len().is_multiple_of(width));
        let elements = unknowns.len() / width;
        debug_assert!(kernels.len() == 1 || kernels.len() == elements);
        let together = unknowns.chunks(LANES * width).filter(|_| kernels.len() == 1);
        let unknowns_together = together.flat_map(|several| {
            let own =
                move |lane: usize, i: usize| several.chunks_exact(width).nth(lane).map(|u| u[i]);
            let last = several.len() / width - 1;
            (0..width).map(move |i| {
                std::array::from_fn(|lane| own(lane.min(last), i).unwrap_or_default() as u32)
            })
        });
        Block {
            width,
            places: Vec::new(),
            moves: vec![false; elements],
            unknowns_together: unknowns_together.collect(),
            places_together: Vec::new(),
            kernels,
            unknowns,
        }
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

    /// The places of an element's tangent, and more behind them; none before the block is connected.
    fn places_of(&self, element: usize) -> &[u32] {
        let pairs = self.width * (self.width + 1) / 2;
        self.places.get(element * pairs..).unwrap_or_default()
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

    /// The same loop over [`LANES`] elements at a time, of which `visit` gets the first one, the unknowns of all, and those gathered from `q`.
    #[inline(always)]
    fn each_together(
        &self, q: &(impl Coordinates + ?Sized),
        mut visit: impl FnMut(usize, &[[u32; LANES]], &[[f64; LANES]; N]),
    ) {
        let mut local = [[0.0; LANES]; N];
        for (group, unknowns) in self.unknowns_together.chunks_exact(self.width).enumerate() {
            gather_together::<K, N>(unknowns, q, &mut local);
            visit(group * LANES, unknowns, &local);
        }
    }

    /// How many elements there are from the `first` of several on that are taken together.
    fn together(&self, first: usize) -> usize {
        LANES.min(self.moves.len() - first)
    }

    #[inline(always)]
    fn energies(&self, q: &(impl Coordinates + ?Sized), mut visit: impl FnMut(f64)) {
        let Some(shared) = self.shared() else {
            return self.each(q, |_, kernel, _, local| visit(kernel.energy(local)));
        };
        self.each_together(q, |first, _, local| {
            shared.energies(local).into_iter().take(self.together(first)).for_each(&mut visit);
        });
    }

    /// Calls `visit` with the forces at `q`, and with the tangents `wanted`.
    #[inline(always)]
    fn parts(
        &self, q: &(impl Coordinates + ?Sized), mut wanted: Option<(Tangents, &mut TangentRoom)>,
        mut visit: impl FnMut(Part<'_>),
    ) {
        let asked = |element: usize, wanted: &Option<(Tangents, &mut TangentRoom)>| match wanted {
            None => false,
            Some((Tangents::All, _)) => true,
            Some((Tangents::Moving, _)) => self.moves[element],
        };
        let pairs = self.width * (self.width + 1) / 2;
        if let Some(shared) = self.shared() {
            let mut forces = [[0.0; LANES]; N];
            self.each_together(q, |first, unknowns, local| {
                let count = self.together(first);
                let any = (first..first + count).any(|element| asked(element, &wanted));
                let room = wanted.as_mut().filter(|_| any);
                let mut tangents = room.map(|(_, room)| square::<_, N>(&mut room.lanes));
                let stretches = shared.forces(local, &mut forces, tangents.as_deref_mut());
                if count < LANES {
                    forces.iter_mut().for_each(|lanes| lanes[count..].fill(0.0));
                }
                visit(Part::Several(Several {
                    first,
                    count,
                    unknowns,
                    forces: &forces[..self.width],
                    margins: stretches.map(|stretch| stretch - K::LEAST_STRETCH),
                    tangents: tangents.map(|tangents| Rows {
                        entries: tangents.as_flattened(),
                        length: N,
                        places: (self.places_together.get(first / LANES * pairs..))
                            .unwrap_or_default(),
                    }),
                }));
            });
            return;
        }
        let mut force = [0.0; N];
        self.each(q, |element, kernel, unknowns, local| {
            let room = wanted.as_ref().is_some_and(|_| asked(element, &wanted));
            let room = wanted.as_mut().filter(|_| room);
            let mut tangent = room.map(|(_, room)| square::<_, N>(&mut room.own));
            let stretch = match &mut tangent {
                Some(tangent) => kernel.force_and_tangent(local, &mut force, tangent),
                None => kernel.force(local, &mut force),
            };
            visit(Part::One(Contribution {
                element,
                unknowns,
                force: &force[..unknowns.len()],
                margin: stretch - K::LEAST_STRETCH,
                tangent: tangent.map(|tangent| Rows {
                    entries: Entries::Own(tangent.as_flattened()),
                    length: N,
                    places: self.places_of(element),
                }),
            }));
        });
    }

    /// [`Block::parts`], one element after the other.
    #[inline(always)]
    fn contributions(
        &self, q: &(impl Coordinates + ?Sized), wanted: Option<(Tangents, &mut TangentRoom)>,
        mut visit: impl FnMut(Contribution<'_>),
    ) {
        self.parts(q, wanted, |part| match part {
            Part::One(one) => visit(one),
            Part::Several(several) => {
                for lane in 0..several.count {
                    let element = several.first + lane;
                    let unknowns = self.unknowns_of(element);
                    several.visit::<N>(lane, unknowns, self.places_of(element), &mut visit);
                }
            }
        });
    }

    /// Adds the products of the [kept](Contribution::keep_tangent) tangents of all elements with `v` to `out`; returns what is kept behind them.
    #[inline(always)]
    fn add_products<'k>(&self, kept: &'k [f64], v: &[f64], out: &mut [f64]) -> &'k [f64] {
        let size = self.width * self.width;
        let (own, behind) = kept.split_at(self.moves.len() * size);
        for (tangent, unknowns) in
            own.chunks_exact(size).zip(self.unknowns.chunks_exact(self.width))
        {
            let mut sums = [0.0; N];
            // Tangents are symmetric: rows are columns.
            for (column, &u) in tangent.chunks_exact(self.width).zip(unknowns) {
                let x = v[u];
                sums.iter_mut().zip(column).for_each(|(sum, entry)| *sum += entry * x);
            }
            unknowns.iter().zip(sums).for_each(|(&u, sum)| out[u] += sum);
        }
        behind
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
        if self.shared().is_some() {
            let pairs = self.width * (self.width + 1) / 2;
            let together = self.places.chunks(LANES * pairs).flat_map(|places| {
                let place =
                    move |lane: usize, pair: usize| places.get(lane * pairs + pair).copied();
                (0..pairs).map(move |pair| {
                    std::array::from_fn(|lane| place(lane, pair).unwrap_or(NOWHERE))
                })
            });
            self.places_together = together.collect();
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
                local[i] = from.get(i).map_or(place.rounded, |from| place.displacement_from(*from));
            }
        }
    } else {
        for (value, &u) in local.iter_mut().zip(unknowns) {
            *value = q.place(u).rounded;
        }
    }
    local
}

/// [`gather`] of several elements, a lane for each.
#[inline(always)]
fn gather_together<K: Kernel<N>, const N: usize>(
    unknowns: &[[u32; LANES]], q: &(impl Coordinates + ?Sized), local: &mut [[f64; LANES]; N],
) {
    let width = K::FROM_FIRST_NODE.unwrap_or(1);
    let mut from = [[Position::default(); LANES]; 2];
    let measured = if K::FROM_FIRST_NODE.is_some() { from.len() } else { 0 };
    for (from, unknowns) in from.iter_mut().zip(unknowns).take(measured) {
        for lane in 0..LANES {
            from[lane] = q.place(unknowns[lane] as usize);
        }
    }
    let nodes = local.chunks_exact_mut(width).zip(unknowns.chunks_exact(width));
    for (local, unknowns) in nodes {
        for (i, (local, unknowns)) in local.iter_mut().zip(unknowns).enumerate() {
            for lane in 0..LANES {
                let place = q.place(unknowns[lane] as usize);
                local[lane] = match i < measured {
                    true => place.displacement_from(from[i][lane]),
                    false => place.rounded,
                };
            }
        }
    }
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
        of_any_kind!(self, block => block.contributions(q, None, visit));
    }

    /// Calls `visit` with the force of each element at the positions `q`, and with the tangent of
    /// those `wanted`.
    #[inline(always)]
    pub fn tangents(
        &self, q: &(impl Coordinates + ?Sized), wanted: Tangents, room: &mut TangentRoom,
        visit: impl FnMut(Contribution<'_>),
    ) {
        of_any_kind!(self, block => block.contributions(q, Some((wanted, room)), visit));
    }

    /// Adds the products of the [kept](Contribution::keep_tangent) tangents of all elements with `v` to `out`; returns what is kept behind them.
    #[inline(always)]
    pub fn add_products<'k>(&self, kept: &'k [f64], v: &[f64], out: &mut [f64]) -> &'k [f64] {
        of_any_kind!(self, block => block.add_products(kept, v, out))
    }

    /// Calls `visit` with the same, of several elements together where they have one kernel: with tangents where there is room for them.
    #[inline(always)]
    pub fn parts(
        &self, q: &(impl Coordinates + ?Sized), wanted: Option<(Tangents, &mut TangentRoom)>,
        visit: impl FnMut(Part<'_>),
    ) {
        of_any_kind!(self, block => block.parts(q, wanted, visit));
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
