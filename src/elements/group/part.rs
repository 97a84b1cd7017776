//! What elements give: one by one, or several with one kernel together.

use crate::numerics::lanes::LANES;

/// What an element gives, or several together.
#[derive(Debug)]
pub enum Part<'a> {
    One(Contribution<'a>),
    Several(Several<'a>),
}

/// What up to [`LANES`] elements with one kernel give, a lane for each. Other lanes have no force and no places.
#[derive(Debug)]
pub struct Several<'a> {
    /// Number of the first of them in their group.
    pub first: usize,
    pub count: usize,
    pub unknowns: &'a [[u32; LANES]],
    /// ∂U/∂q of each unknown, N or N·m.
    pub forces: &'a [[f64; LANES]],
    /// See [`Contribution::margin`].
    pub margins: [f64; LANES],
    pub(super) tangents: Option<RowsTogether<'a>>,
}

/// The rows of the tangents of several elements, a lane for each.
type RowsTogether<'a> = Rows<&'a [[f64; LANES]], &'a [[u32; LANES]]>;

impl Several<'_> {
    /// Adds the forces to the nodal forces `out`.
    #[inline(always)]
    pub fn add_forces(&self, out: &mut [f64]) {
        for (forces, unknowns) in self.forces.iter().zip(self.unknowns) {
            for lane in 0..LANES {
                out[unknowns[lane] as usize] += forces[lane];
            }
        }
    }

    /// Adds the tangents to the entries `values` of the matrix that the block is connected to.
    #[inline(always)]
    pub fn add_tangents(&self, values: &mut [f64]) {
        let Some(rows) = &self.tangents else { return };
        each(rows.entries, rows.length, rows.places, self.unknowns.len(), |entries, places| {
            for lane in 0..LANES {
                // Without an equation there is no such entry.
                if let Some(sum) = values.get_mut(places[lane] as usize) {
                    *sum += entries[lane];
                }
            }
        });
    }

    /// Calls `visit` with what the element of one lane gives, which has these `unknowns`.
    #[inline(always)]
    pub(super) fn visit<const N: usize>(
        &self, lane: usize, unknowns: &[usize], places: &[u32],
        mut visit: impl FnMut(Contribution<'_>),
    ) {
        let mut force = [0.0; N];
        force.iter_mut().zip(self.forces).for_each(|(own, lanes)| *own = lanes[lane]);
        visit(Contribution {
            element: self.first + lane,
            unknowns,
            force: &force[..unknowns.len()],
            margin: self.margins[lane],
            tangent: self.tangents.map(|rows| Rows {
                entries: Entries::Lane(rows.entries, lane),
                length: rows.length,
                places,
            }),
        });
    }
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
    pub(super) tangent: Option<Rows<Entries<'a>, &'a [u32]>>,
}

/// The rows of a local tangent, of which the lower triangle counts, and where they go.
#[derive(Debug, Clone, Copy)]
pub struct Rows<E, P> {
    pub entries: E,
    pub length: usize,
    pub places: P,
}

/// Entries of the tangent of one element, row by row.
#[derive(Debug, Clone, Copy)]
pub enum Entries<'a> {
    Own(&'a [f64]),
    /// One lane of those of several elements.
    Lane(&'a [[f64; LANES]], usize),
}

/// Calls `visit` with each entry of the lower triangle of `count` rows of this `length`, and where it goes.
#[inline(always)]
fn each<E, P>(
    entries: &[E], length: usize, mut places: &[P], count: usize, mut visit: impl FnMut(&E, &P),
) {
    for (i, row) in (1..=count).zip(entries.chunks_exact(length)) {
        let own;
        (own, places) = places.split_at(i);
        row[..i].iter().zip(own).for_each(|(entry, place)| visit(entry, place));
    }
}

impl Rows<Entries<'_>, &[u32]> {
    pub fn at(&self, i: usize, j: usize) -> f64 {
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
        let mut add = |place: u32, entry: f64| {
            // Without an equation there is no such entry.
            if let Some(sum) = values.get_mut(place as usize) {
                *sum += entry;
            }
        };
        let (count, length, places) = (self.unknowns.len(), rows.length, rows.places);
        match rows.entries {
            Entries::Own(own) => each(own, length, places, count, |k, &place| add(place, *k)),
            Entries::Lane(lanes, lane) => {
                each(lanes, length, places, count, |k, &place| add(place, k[lane]));
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

    /// Appends all entries of the tangent, row by row.
    pub fn keep_tangent(&self, kept: &mut Vec<f64>) {
        let Some(rows) = &self.tangent else { return };
        let count = self.unknowns.len();
        for i in 0..count {
            kept.extend((0..count).map(|j| rows.at(i, j)));
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
