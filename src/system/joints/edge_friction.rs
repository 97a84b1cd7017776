//! Friction of an edge all of whose nodes slide.
//!
//! The forces λ_k of the single nodes alternate in sign and grow as the mesh gets finer; only their resultant is what the edge
//! carries. So the edge has one friction law, on its mean slip and under the normal force of the resultant,
//!
//! ```text
//! s̄ = Σ w_k s_k,    F_N = |R|,    R = Σ (λ_k·n_k) n_k,    F_f(s̄′, F_N) − λ_t = 0
//! ```
//!
//! with the shares w_k = l_k/Σ l that the nodes have of the edge's length by their consistent lengths, and its force is spread by
//! these: the row of s_k reads w_k λ_t − Q_k = 0. The power of friction is that of all nodes, Σ w_k λ_t s_k′ = λ_t s̄′.
//! Along the surface the edge moves by |Y′| s̄′ with the mean |Y′| = Σ w_k |Y_k′| of its nodes, and its row reads |Y′| F_f − λ_t = 0.
//!
//! To all else this is one more slider, with the sliding coordinate s̄, on a straight path without nodes along which λ_t acts,
//! across which F_N does: its constraint is s̄ = Σ w_k s_k, and a second row says what F_N is.

use super::{Slider, SliderJoints, dot};
use crate::joints::path::PathPoint;
use crate::joints::slider::{Kinematics, SlidingRow};
use crate::linear::Bordered;
use crate::numerics::hypot::hypot;
use crate::numerics::positions::Positions;
use crate::system::Iterate;
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers, Placed, size};

impl Slider {
    /// Where a slider that nothing carries is: its path is a line that nothing moves.
    pub(super) fn kinematics_of_travel(&self, q: &Positions) -> Kinematics {
        let [way, across] = [0, 1].map(|i| q.get(self.unknowns[i]));
        let s = q.get(self.coordinate);
        let mut k =
            Kinematics::along_line(PathPoint::without_nodes(s.rounded), way.displacement_from(s));
        k.gap[1] = across.rounded;
        k
    }

    /// The kinematics of what carries the friction of an edge: its gap is Σ w_k s_k − s̄.
    pub(super) fn kinematics_of_edge(&self, q: &Positions) -> Kinematics {
        let s = q.get(self.coordinate);
        let ways = self.shares.iter().map(|&(k, share)| {
            let way = q.get(self.coordinate_of(k)).displacement_from(s);
            share * way
        });
        Kinematics::along_line(PathPoint::without_nodes(s.rounded), ways.sum())
    }

    /// Σ w_k |Y_k′| of the nodes of an edge, each as `of` says.
    pub(super) fn mean_stretch(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.shares.iter().map(|&(k, share)| share * of(k)).sum()
    }

    /// Position of the sliding coordinate of slider `k`: they follow each other in the order of the sliders.
    pub(super) fn coordinate_of(&self, k: usize) -> usize {
        self.coordinate - self.index + k
    }

    /// Whether every node of the edge keeps its position on the path, so that there is nothing to spread friction over.
    fn keeps_every_node(&self, at: &Iterate) -> bool {
        (self.shares.iter()).all(|(k, _)| at.sliders[*k].keeps_place())
    }

    /// How many of the conditions of an edge are constraints that act at this iterate.
    pub(super) fn constraints_of_edge(&self, at: &Iterate) -> usize {
        usize::from(!self.keeps_every_node(at))
    }

    /// Adds −∂/∂… of what this node has of F_N to `row`: with a = λ·n and b = n·`direction`
    ///
    /// ```text
    /// d(a b) = b n·dλ − (b λ·t + a t·direction) n·dY′/|Y′|
    /// ```
    fn add_resultant_tangent(
        &self, equations: &Equations, direction: [f64; 2], row: usize, at: &Iterate,
        matrix: &mut Bordered,
    ) {
        let own = &at.sliders[self.index];
        let place = self.kinematics_in(at);
        let (t, n) = (place.direction, place.normal());
        let pressed = place.signed_normal_force(&own.multipliers);
        let share = n[0] * direction[0] + n[1] * direction[1];
        for (i, n) in n[..2].iter().enumerate() {
            matrix.add_corner(row, self.border + 1 + i, -share * n);
        }
        let turned = (share * dot(&own.multipliers, t)
            + pressed * (t[0] * direction[0] + t[1] * direction[1]))
            / place.stretch;
        let by_tangent = [turned * n[0], turned * n[1], 0.0];
        self.add_row_of_tangent(equations, &place, by_tangent, row, matrix);
    }

    /// Adds `by_tangent`·dY′ of this node to `row`.
    fn add_row_of_tangent(
        &self, equations: &Equations, place: &Kinematics, by_tangent: [f64; 3], row: usize,
        matrix: &mut Bordered,
    ) {
        matrix.add_corner(row, self.border, dot(&by_tangent, place.bend));
        let point = &place.point;
        for (l, carrier) in point.carriers(&self.path).iter().enumerate() {
            let slope = point.position[1][l];
            for (i, &u) in carrier.position.iter().enumerate() {
                if let Some(e) = equations.of(u) {
                    matrix.add_row(row, e, by_tangent[i] * slope);
                }
            }
        }
        let Some(arm) = &place.arm else { return };
        for turned_by in self.path.turned_by(point.element) {
            if let Some(e) = equations.of(turned_by.unknown) {
                let turns = arm.turning.by(point, turned_by);
                matrix.add_row(row, e, dot(&by_tangent, arm.tangent_change(turns)));
            }
        }
    }
}

impl SliderJoints {
    /// Where slider `j` is on its path at the positions `q`.
    pub fn place(&self, j: usize, q: &Positions) -> Kinematics {
        self.with_stretch(self[j].kinematics(q, None), j, |k| self[k].kinematics(q, None))
    }

    /// Where slider `j` is on its path in an iterate.
    pub fn place_in(&self, j: usize, at: &Iterate) -> Kinematics {
        self.with_stretch(self[j].kinematics_in(at), j, |k| self[k].kinematics_in(at))
    }

    /// What carries the friction of an edge moves as its nodes do in the mean, which are where `of` says.
    fn with_stretch(
        &self, mut k: Kinematics, j: usize, of: impl Fn(usize) -> Kinematics,
    ) -> Kinematics {
        if self[j].carries_friction_of_edge() {
            k.stretch = self[j].mean_stretch(|node| of(node).stretch);
        }
        k
    }

    /// The direction of R; where there is no force, of the edge's mean normal.
    fn direction_of_resultant(&self, slider: &Slider, at: &Iterate) -> [f64; 2] {
        let (mut resultant, mut mean) = ([0.0; 2], [0.0; 2]);
        for &(k, share) in &slider.shares {
            let own = &at.sliders[k];
            let place = self[k].kinematics_in(at);
            let [x, y, _] = place.normal();
            let force = place.signed_normal_force(&own.multipliers);
            for (i, n) in [x, y].into_iter().enumerate() {
                resultant[i] += force * n;
                mean[i] += share * n;
            }
        }
        let unit = |[x, y]: [f64; 2]| {
            let size = hypot(x, y);
            (size > 0.0 && size.is_finite()).then(|| [x / size, y / size])
        };
        unit(resultant).or_else(|| unit(mean)).unwrap_or([1.0, 0.0])
    }

    /// F_N in numbers of any kind, along the `direction` of R.
    fn resultant<S: Placed, N: Numbers<S>>(
        &self, slider: &Slider, direction: [f64; 2], kept: impl Fn(usize) -> Option<usize>, at: &N,
    ) -> N::Number {
        (slider.shares.iter()).fold(N::Number::from(0.0), |sum, &(k, _)| {
            let ([x, y], _) = self[k].path_slope(kept(k), at);
            let [force, _] = self[k].pressing(kept(k), at);
            let along = (y * -direction[0] + x * direction[1]) / x.hypot(y);
            sum + force * along
        })
    }

    /// Adds friction to the rows of s of the nodes, and writes the second row of the `slider` that carries it: F_N − |R|.
    pub(super) fn add_friction_of_edge(&self, slider: &Slider, at: &Iterate, border: &mut [f64]) {
        let [along, normal, _] = at.sliders[slider.index].multipliers;
        if slider.keeps_every_node(at) {
            border[slider.border + 1] = along;
        }
        for &(k, share) in &slider.shares {
            if !at.sliders[k].keeps_place() {
                border[self[k].border] += share * along;
            }
        }
        let kept = |k: usize| at.sliders[k].decided.element;
        let direction = self.direction_of_resultant(slider, at);
        border[slider.border + 2] = normal - self.resultant(slider, direction, kept, at);
    }

    /// Adds the change of these rows by the change in `varied`.
    pub(super) fn add_change_of_edge<N>(&self, slider: &Slider, varied: &N, border: &mut [f64])
    where
        N: Numbers<Iterate, Number = num_dual::Dual64>,
    {
        let at = varied.now();
        let change = |i: usize| varied.get(|at| at.sliders[slider.index].multipliers[i]).eps;
        if slider.keeps_every_node(at) {
            border[slider.border + 1] = change(0);
        }
        for &(k, share) in &slider.shares {
            if !at.sliders[k].keeps_place() {
                border[self[k].border] += share * change(0);
            }
        }
        let kept = |k: usize| at.sliders[k].decided.element;
        let direction = self.direction_of_resultant(slider, at);
        let resultant = self.resultant(slider, direction, kept, varied);
        border[slider.border + 2] = change(1) - resultant.eps;
    }

    /// |Y′| of slider `j` in numbers of any kind; of what carries the friction of an edge the mean of its nodes.
    pub(super) fn stretch_in<S: Placed, N: Numbers<S>>(
        &self, j: usize, kept: impl Fn(usize) -> Option<usize>, at: &N,
    ) -> N::Number {
        let of = |j: usize| {
            let ([x, y], _) = self[j].path_slope(kept(j), at);
            size([x, y])
        };
        match self[j].carries_friction_of_edge() {
            false => of(j),
            true => (self[j].shares.iter())
                .fold(N::Number::from(0.0), |sum, &(k, share)| sum + of(k) * share),
        }
    }

    /// Adds the entries of these rows to the matrix.
    pub(super) fn add_friction_of_edge_tangent(
        &self, slider: &Slider, equations: &Equations, of: &SlidingRow, at: &Iterate,
        matrix: &mut Bordered,
    ) {
        let [along, normal] = [1, 2].map(|i| slider.border + i);
        if slider.keeps_every_node(at) {
            matrix.add_corner(along, along, 1.0);
        } else {
            matrix.add_corner(along, slider.border, -1.0);
            for &(k, share) in &slider.shares {
                let s = self[k].border;
                matrix.add_corner(along, s, share);
                if !at.sliders[k].keeps_place() {
                    matrix.add_corner(s, along, share);
                }
            }
        }
        matrix.give_own_row(normal);
        matrix.add_corner(normal, normal, 1.0);
        let direction = self.direction_of_resultant(slider, at);
        for &(k, share) in &slider.shares {
            self[k].add_resultant_tangent(equations, direction, normal, at, matrix);
            // Also where it is zero, at rest: the pattern of the matrix is planned once.
            let place = self[k].kinematics_in(at);
            let [x, y] = place.direction.map(|t| of.by_stretch * share * t);
            self[k].add_row_of_tangent(equations, &place, [x, y, 0.0], slider.border, matrix);
        }
    }
}
