//! Normal force and friction at a point of a surface.
//!
//! ```text
//! N = k χ(s) ⟨π + α⟩,                     π = σ d − W
//! T = k_T (s − s_a)       while |T| ≤ F(N),   else  |T| = F(N, |v|) and s_a follows (return map)
//! ```
//!
//! π is how deep the point is beyond the guide's face, which stands at W beside the path on the side σ; k and k_T are the stiffness of
//! the contact layer under the point's part of the surface. α is 0 where the contact layer gives way as it does; where the point may be pressed in
//! so far only, its face comes towards it by α, and k α is the multiplier of the augmented Lagrangian: ½ k (⟨π + α⟩² − α²) is what it
//! stores, and what is left of it vanishes with π. χ goes from 0 to 1 around an end of the path, so that what leaves its guide
//! gives back what it had stored there. The anchor s_a is the memory of friction: the dissipation T Δs_a is never negative.
//! (Zhang & Wang, Eqs. 25-27, with |F_N| and friction against the slip; Simo & Laursen 1992, of whose multipliers those across alone.)

use serde::{Deserialize, Serialize};

use crate::joints::regime::Sense;
use crate::laws::friction::{Contact, Friction, Kind};

/// What a point does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Touch {
    /// It touches nothing.
    #[default]
    Open,
    /// Friction holds it, or there is none and it has no sense of sliding.
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

/// What a point remembers from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct PointMemory {
    /// s of its foot on the path, m.
    pub s: f64,
    /// s_a, m.
    pub anchor: f64,
    /// T, N; positive resists growing s.
    pub friction: f64,
    /// α, m.
    pub advance: f64,
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
    pub fn slide(&self, law: &Friction, n: f64, s: f64, sense: Sense) -> PointFriction {
        let seen = Contact {
            velocity: sense.sign() * f64::MIN_POSITIVE,
            normal_force: n / self.share,
            ..Contact::default()
        };
        let found = law.slide(&seen, sense.sign());
        let force = self.share * found.force;
        PointFriction {
            force,
            by_normal: found.by_normal_force,
            by_velocity: self.share * found.by_velocity,
            stored: 0.5 * force * force / self.tangential,
            memory: PointMemory {
                s,
                anchor: s - force / self.tangential,
                friction: force,
                touch: Touch::Slips(sense),
                ..PointMemory::default()
            },
            ..PointFriction::default()
        }
    }

    /// Friction of a point that is held at `s` (m), whatever it takes, from what it remembers.
    pub fn hold(&self, before: &PointMemory, s: f64) -> PointFriction {
        let anchor = before.held_from();
        let force = self.tangential * (s - anchor);
        PointFriction {
            force,
            by_way: self.tangential,
            stored: 0.5 * force * force / self.tangential,
            memory: PointMemory {
                s,
                anchor,
                friction: force,
                touch: Touch::Sticks,
                ..PointMemory::default()
            },
            ..PointFriction::default()
        }
    }

    /// Friction of a point under the normal force `n` (N) that is at `s` (m) and slides with `v` (m/s), from what it remembers.
    pub fn friction(
        &self, law: &Friction, kind: Kind, before: &PointMemory, n: f64, s: f64, v: f64,
    ) -> PointFriction {
        let seen = Contact { velocity: v, normal_force: n / self.share, ..Contact::default() };
        let (force, by_way, by_normal, by_velocity, anchor, touch);
        if !kind.acts {
            (force, by_way, by_normal, by_velocity) = (0.0, 0.0, 0.0, 0.0);
            (anchor, touch) = (s, Touch::Slips(Sense::Neither));
        } else if !kind.holds {
            let found = law.respond(&seen);
            (force, by_way) = (self.share * found.force, 0.0);
            (by_normal, by_velocity) = (found.by_normal_force, self.share * found.by_velocity);
            (anchor, touch) = (s, Touch::Slips(Sense::of(force)));
        } else {
            let from = before.held_from();
            let trial = self.tangential * (s - from);
            let sense = Sense::of(trial);
            let slides = |sense: Sense| law.slide(&seen, sense.sign());
            let found = slides(sense);
            let bears = match before.touch {
                Touch::Slips(_) => found.force * sense.sign(),
                Touch::Open | Touch::Sticks => law.static_force(seen.normal_force),
            };
            if trial.abs() <= self.share * bears {
                (force, by_way, by_normal, by_velocity) = (trial, self.tangential, 0.0, 0.0);
                (anchor, touch) = (from, Touch::Sticks);
            } else {
                (force, by_way) = (self.share * found.force, 0.0);
                (by_normal, by_velocity) = (found.by_normal_force, self.share * found.by_velocity);
                (anchor, touch) = (s - force / self.tangential, Touch::Slips(sense));
            }
        }
        let holds = kind.acts && kind.holds;
        let stored = |force: f64| match holds {
            true => 0.5 * force * force / self.tangential,
            false => 0.0,
        };
        let slid = match holds {
            true => anchor - before.held_from(),
            false => s - before.s,
        };
        // A point that goes on sliding does so under a force that changes evenly. So does one whose force is a line through rest where it
        // turns back, unless it has turned so early that friction of the beginning would drive it.
        let goes_on = match holds {
            true => before.touch == touch && touch != Touch::Sticks,
            false => before.friction * slid >= 0.0,
        };
        let weights = if goes_on { [0.5, 0.5] } else { [0.0, 1.0] };
        // It does not slide against such a force: where it does, that is what the solution of the step leaves.
        let gives_nothing = |work: f64| if holds { work } else { work.max(0.0) };
        PointFriction {
            force,
            by_way,
            by_normal,
            by_velocity,
            weights,
            dissipated: gives_nothing((weights[0] * before.friction + weights[1] * force) * slid),
            dissipated_at_end: gives_nothing(force * slid),
            stored: stored(force),
            memory: PointMemory { s, anchor, friction: force, touch, ..PointMemory::default() },
        }
    }
}

impl PointMemory {
    /// s from which friction holds it, m.
    fn held_from(&self) -> f64 {
        match self.touch.touches() {
            true => self.anchor,
            false => self.s,
        }
    }

    /// What a point remembers that touches nothing and has its foot at `s` (m).
    pub fn open(s: f64) -> PointMemory {
        PointMemory { s, anchor: s, ..PointMemory::default() }
    }
}

/// Friction of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointFriction {
    /// T, N.
    pub force: f64,
    /// ∂T/∂s, N/m.
    pub by_way: f64,
    /// ∂T/∂N.
    pub by_normal: f64,
    /// ∂T/∂v, N·s/m.
    pub by_velocity: f64,
    /// Weights in the mean force over the step of those at its two ends.
    pub weights: [f64; 2],
    /// T Δs_a, J, by the mean force over the step, and by that of the end.
    pub dissipated: f64,
    pub dissipated_at_end: f64,
    /// ½ T²/k_T, J.
    pub stored: f64,
    pub memory: PointMemory,
}
