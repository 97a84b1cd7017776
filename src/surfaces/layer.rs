//! Normal force and friction at a point of a surface.
//!
//! ```text
//! N = k χ(s) ⟨π + α⟩,                     π = σ d − W
//! T = k_T (s − s_a)       while |T| ≤ F(N),   else  |T| = F(N, |v|) and s_a follows (return map)
//! ```
//!
//! π is how deep the point is beyond the guide's face, which stands at W beside the path on the side σ; k and k_T are the stiffness of
//! the contact layer under the point's part of the surface. α is 0 where the stiffness of the contact layer alone limits the depth; where the point may be pressed in
//! so far only, its face comes towards it by α, and k α is the multiplier of the augmented Lagrangian: ½ k (⟨π + α⟩² − α²) is what it
//! stores, and what is left of it vanishes with π. χ goes from 0 to 1 around an end of the path, so that what leaves its guide
//! gives back what it had stored there. The anchor s_a is the memory of friction: the dissipation T Δs_a is never negative.
//! (Zhang & Wang, Eqs. 25-27, with |F_N| and friction against the slip; Simo & Laursen 1992, of whose multipliers those across alone.)

use serde::{Deserialize, Serialize};

use crate::joints::regime::Sense;
use crate::laws::friction::{Contact, Friction, Kind, Response};
use crate::numerics::derivative::Differentiable;

/// What a point does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Touch {
    /// It touches nothing.
    #[default]
    Open,
    /// Friction locks it, or there is none and it has no sense of sliding.
    Sticks,
    Slips(Sense),
}

impl Touch {
    const ALL: [Touch; 5] = [
        Touch::Open,
        Touch::Sticks,
        Touch::Slips(Sense::Forward),
        Touch::Slips(Sense::Backward),
        Touch::Slips(Sense::Neither),
    ];

    /// Whether it touches a face.
    pub fn touches(self) -> bool {
        self != Touch::Open
    }
}

impl From<Touch> for u8 {
    fn from(touch: Touch) -> u8 {
        let place = Touch::ALL.iter().position(|other| *other == touch);
        place.unwrap_or_default() as u8
    }
}

impl TryFrom<u8> for Touch {
    type Error = String;

    fn try_from(number: u8) -> Result<Touch, String> {
        let touch = Touch::ALL.get(usize::from(number));
        touch
            .copied()
            .ok_or_else(|| format!("a point of a surface has no state {number}; allowed: 0 to 4"))
    }
}

/// What a point remembers from step to step, in numbers of the kind `D`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PointMemory<D = f64> {
    /// s of its closest point on the path, m.
    pub s: D,
    /// s_a, m.
    pub anchor: D,
    /// T, N; positive resists growing s.
    pub friction: D,
    /// α, m.
    pub advance: D,
    pub touch: Touch,
}

/// Stiffness under a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// k, N/m.
    pub normal: f64,
    /// k_T, N/m.
    pub tangential: f64,
    /// The point's share of the surface, of which a law's viscous part takes its share.
    pub share: f64,
}

/// What presses.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pressed {
    pub touches: bool,
    /// N.
    pub force: f64,
    /// ∂N/∂π, N/m.
    pub by_depth: f64,
    /// ½ k (⟨π + α⟩² − α²) χ′: the force along the path of what is stored, N, with its derivatives by π and s.
    pub along: [f64; 3],
    /// ½ k χ (⟨π + α⟩² − α²), J.
    pub stored: f64,
    /// Derivatives of the force along the path and of what is stored by α, N/m and N.
    pub by_advance: [f64; 2],
}

/// χ, χ′ and χ″ at `s` of a path of `length` whose ends it passes over a `width`.
pub fn bearing_share(s: f64, length: f64, width: f64) -> [f64; 3] {
    let step = |x: f64, sign: f64| {
        let t = x / width + 0.5;
        if t >= 1.0 {
            return [1.0, 0.0, 0.0];
        }
        if t <= 0.0 {
            return [0.0; 3];
        }
        [
            t * t * (3.0 - 2.0 * t),
            sign * 6.0 * t * (1.0 - t) / width,
            6.0 * (1.0 - 2.0 * t) / (width * width),
        ]
    };
    let [a, b] = [step(s, 1.0), step(length - s, -1.0)];
    [a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]]
}

impl Pressed {
    /// Adds what presses beside it.
    pub fn add(&mut self, other: &Pressed) {
        self.touches |= other.touches;
        self.force += other.force;
        self.by_depth += other.by_depth;
        self.stored += other.stored;
        for (sum, along) in self.along.iter_mut().zip(other.along) {
            *sum += along;
        }
        for (sum, by) in self.by_advance.iter_mut().zip(other.by_advance) {
            *sum += by;
        }
    }

    /// Turns the force into that of a contact layer whose stiffness is `factor` times as large.
    pub fn soften(&mut self, factor: f64) {
        self.force *= factor;
        self.by_depth *= factor;
        self.along = self.along.map(|x| factor * x);
        self.stored *= factor;
        self.by_advance = self.by_advance.map(|x| factor * x);
    }
}

impl Layer {
    /// The contact layer with `factor` times its stiffness.
    pub fn softened(&self, factor: f64) -> Layer {
        Layer {
            normal: factor * self.normal,
            tangential: factor * self.tangential,
            share: self.share,
        }
    }

    /// What presses on a point at the depth π (m) whose face has come towards it by its `advance` (m), where χ has the value and
    /// derivatives `share`. What is off by no more than its `rounding` touches without force.
    pub fn press(&self, depth: f64, advance: f64, share: [f64; 3], rounding: f64) -> Pressed {
        let reach = depth + advance;
        if reach < -rounding || share[0] <= 0.0 {
            return Pressed::default();
        }
        let (k, reach) = (self.normal, reach.max(0.0));
        let square = 0.5 * k * (reach * reach - advance * advance);
        let left = k * (reach - advance);
        Pressed {
            touches: true,
            force: k * share[0] * reach,
            by_depth: k * share[0],
            along: [square * share[1], k * reach * share[1], square * share[2]],
            stored: square * share[0],
            by_advance: [left * share[1], left * share[0]],
        }
    }

    /// Friction of a point that slides with a `sense` near rest, whatever it remembers; its slope by the velocity is that beside rest.
    pub fn slide<D: Differentiable>(
        &self, law: &Law<'_>, at: &Motion<D>, sense: Sense,
    ) -> PointFriction<D> {
        let seen = self.seen(sense.sign() * f64::MIN_POSITIVE, at);
        let slides = self.slides(law, &seen, law.friction.slide(&seen, sense.sign()), at);
        let stored = self.stored_along(slides.force);
        let anchor = at.s - slides.force / self.tangential;
        PointFriction { stored, ..slides.remembered(at.s, anchor, Touch::Slips(sense)) }
    }

    /// Friction of a point that is held where it is, whatever force it takes, from what it remembers.
    pub fn hold<D: Differentiable>(&self, before: &PointMemory<D>, s: D) -> PointFriction<D> {
        let anchor = before.held_from();
        let sticks = self.sticks(s - anchor);
        let stored = self.stored_along(sticks.force);
        PointFriction { stored, ..sticks.remembered(s, anchor, Touch::Sticks) }
    }

    /// Friction of a point from what it remembers.
    pub fn friction<D: Differentiable>(
        &self, law: &Law<'_>, before: &PointMemory<D>, at: &Motion<D>,
    ) -> PointFriction<D> {
        let (kind, s) = (law.kind, at.s);
        let seen = self.seen(at.velocity.re(), at);
        let (found, anchor, touch);
        if !kind.acts {
            found = PointFriction::default();
            (anchor, touch) = (s, Touch::Slips(Sense::Neither));
        } else if !kind.sticks {
            found = self.slides(law, &seen, law.friction.respond(&seen), at);
            (anchor, touch) = (s, Touch::Slips(Sense::of(found.force.re())));
        } else {
            let from = before.held_from();
            let trial = self.sticks(s - from);
            let sense = Sense::of(trial.force.re());
            let response = law.friction.slide(&seen, sense.sign());
            let bears = match before.touch {
                Touch::Slips(_) => response.force * sense.sign(),
                Touch::Open | Touch::Sticks => law.friction.static_force(&seen),
            };
            if trial.force.re().abs() <= self.share * bears {
                found = trial;
                (anchor, touch) = (from, Touch::Sticks);
            } else {
                found = self.slides(law, &seen, response, at);
                (anchor, touch) = (s - found.force / self.tangential, Touch::Slips(sense));
            }
        }
        let force = found.force;
        let holds = kind.acts && kind.sticks;
        let slid = if holds { anchor - before.held_from() } else { s - before.s };
        // A point that goes on sliding does so under a force that changes evenly. So does one whose force is a line through rest where it
        // turns back, unless it has turned so early that friction of the beginning would drive it.
        let goes_on = match holds {
            true => before.touch == touch && touch != Touch::Sticks,
            false => (before.friction * slid).re() >= 0.0,
        };
        let weights = if goes_on { [0.5, 0.5] } else { [0.0, 1.0] };
        // It does not slide against such a force: where it does, that is what the solution of the step leaves.
        let gives_nothing = |work: D| if holds { work } else { work.not_negative() };
        let mean = before.friction * weights[0] + force * weights[1];
        PointFriction {
            dissipated: gives_nothing(mean * slid),
            dissipated_at_end: gives_nothing(force * slid),
            stored: if holds { self.stored_along(force) } else { D::zero() },
            ..found.remembered(s, anchor, touch)
        }
    }

    /// The largest force that static friction bears under the `normal_force` (N) of the point, N.
    pub fn static_force(&self, law: &Friction, normal_force: f64) -> f64 {
        let normal_force = normal_force / self.share;
        self.share * law.static_force(&Contact { normal_force, ..Contact::default() })
    }

    /// What the friction law sees of a point that slides with a `velocity` (m/s).
    fn seen<D: Differentiable>(&self, velocity: f64, at: &Motion<D>) -> Contact {
        let normal_force = at.normal_force.re() / self.share;
        Contact { velocity, normal_force, ..Contact::default() }
    }

    /// Force of a point that slides, whose law answers with `found` where it has `seen` this.
    fn slides<D: Differentiable>(
        &self, law: &Law<'_>, seen: &Contact, found: Response, at: &Motion<D>,
    ) -> PointFriction<D> {
        let (by_normal, by_velocity) = (found.by_normal_force, self.share * found.by_velocity);
        PointFriction {
            force: D::known(self.share * found.force, |change| {
                let numbers = law.friction.change(seen, &found, &Contact::default(), law.numbers);
                by_normal * change(at.normal_force)
                    + by_velocity * change(at.velocity)
                    + self.share * numbers.force
            }),
            by_normal,
            by_velocity,
            ..PointFriction::default()
        }
    }

    /// Force of a point that sticks, `displacement` (m) from its anchor.
    fn sticks<D: Differentiable>(&self, displacement: D) -> PointFriction<D> {
        PointFriction {
            force: displacement * self.tangential,
            by_displacement: self.tangential,
            ..PointFriction::default()
        }
    }

    /// What friction of this `force` (N) stores along the layer, J.
    pub fn stored_along<D: Differentiable>(&self, force: D) -> D {
        force * 0.5 * force / self.tangential
    }
}

impl<D: Differentiable> Default for PointMemory<D> {
    fn default() -> PointMemory<D> {
        let zero = D::zero();
        PointMemory {
            s: zero,
            anchor: zero,
            friction: zero,
            advance: zero,
            touch: Touch::default(),
        }
    }
}

impl<D: Differentiable> PointMemory<D> {
    /// s from which friction locks it, m.
    fn held_from(&self) -> D {
        if self.touch.touches() { self.anchor } else { self.s }
    }

    /// What a point remembers that touches nothing and has its closest point at `s` (m).
    pub fn open(s: D) -> PointMemory<D> {
        PointMemory { s, anchor: s, ..PointMemory::default() }
    }
}

impl<D: Copy> PointMemory<D> {
    /// What `f` makes of its numbers and those of `other` in their places.
    pub fn zip<E>(&self, other: &PointMemory<D>, f: impl Fn(D, D) -> E) -> PointMemory<E> {
        PointMemory {
            s: f(self.s, other.s),
            anchor: f(self.anchor, other.anchor),
            friction: f(self.friction, other.friction),
            advance: f(self.advance, other.advance),
            touch: self.touch,
        }
    }
}

/// The friction law of a contact.
#[derive(Debug, Clone, Copy)]
pub struct Law<'a> {
    pub friction: &'a Friction,
    pub kind: Kind,
    /// Changes of its [numbers](Friction::numbers) that derivatives follow; where there are none, none.
    pub numbers: &'a [f64],
}

/// How a point is pressed on its path and moves along it.
#[derive(Debug, Clone, Copy)]
pub struct Motion<D = f64> {
    /// Normal force that friction follows, N.
    pub normal_force: D,
    /// Its place on the path, m.
    pub s: D,
    /// ṡ, m/s.
    pub velocity: D,
}

/// Friction of a point, in numbers of the kind `D`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointFriction<D = f64> {
    /// T, N.
    pub force: D,
    /// ∂T/∂s, N/m.
    pub by_displacement: f64,
    /// ∂T/∂N.
    pub by_normal: f64,
    /// ∂T/∂v, N·s/m.
    pub by_velocity: f64,
    /// T Δs_a, J, by the mean force over the step, and by that of the end.
    pub dissipated: D,
    pub dissipated_at_end: D,
    /// ½ T²/k_T, J.
    pub stored: D,
    pub memory: PointMemory<D>,
}

impl<D: Differentiable> Default for PointFriction<D> {
    fn default() -> PointFriction<D> {
        let zero = D::zero();
        PointFriction {
            force: zero,
            by_displacement: 0.0,
            by_normal: 0.0,
            by_velocity: 0.0,
            dissipated: zero,
            dissipated_at_end: zero,
            stored: zero,
            memory: PointMemory::default(),
        }
    }
}

impl<D: Differentiable> PointFriction<D> {
    /// This friction of a point at `s` (m) with what the point remembers of it.
    fn remembered(self, s: D, anchor: D, touch: Touch) -> PointFriction<D> {
        let friction = self.force;
        let memory = PointMemory { s, anchor, friction, touch, ..PointMemory::default() };
        PointFriction { memory, ..self }
    }
}
