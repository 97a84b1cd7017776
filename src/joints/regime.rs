//! What a sliding joint does.
//!
//! A slider stands under three conditions, each of which is closed or not: its path holds it, or it is off; a stop
//! at an end of the path holds it, or none; static friction locks it, or it slides against a friction of one sign. Which
//! of them are closed is its [`Regime`]. The state remembers it, events are its changes, outputs are read from it.

use serde::{Deserialize, Serialize};

/// Sense of a velocity, or of a force, along a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sense {
    Backward,
    #[default]
    Neither,
    Forward,
}

impl Sense {
    /// Sense of `value`, which is positive along growing s.
    pub fn of(value: f64) -> Sense {
        if value > 0.0 {
            Sense::Forward
        } else if value < 0.0 {
            Sense::Backward
        } else {
            Sense::Neither
        }
    }

    /// Sense in which a contact force along the path moves what it overcomes.
    pub fn pushed(force: f64) -> Sense {
        if force > 0.0 { Sense::Forward } else { Sense::Backward }
    }

    /// −1, 0 or 1.
    pub fn sign(self) -> f64 {
        match self {
            Sense::Backward => -1.0,
            Sense::Neither => 0.0,
            Sense::Forward => 1.0,
        }
    }

    /// The other way.
    pub fn reversed(self) -> Sense {
        match self {
            Sense::Backward => Sense::Forward,
            Sense::Neither => Sense::Neither,
            Sense::Forward => Sense::Backward,
        }
    }
}

/// End of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// s = 0.
    First,
    /// s = L.
    Last,
}

impl End {
    /// Sense in which a slider leaves the path there, ±1.
    pub fn outward(self) -> f64 {
        match self {
            End::First => -1.0,
            End::Last => 1.0,
        }
    }
}

/// A side of a path, seen along growing s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    #[default]
    Left,
    Right,
}

impl Side {
    /// 1 to the left, −1 to the right.
    pub fn sign(self) -> f64 {
        match self {
            Side::Left => 1.0,
            Side::Right => -1.0,
        }
    }
}

/// Which of the conditions of a sliding joint are closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Regime {
    /// Off its path: no force.
    Open,
    /// Off its path, too, and past an end of it on the side on which it does not stand: there it does not meet the path.
    Passed,
    /// On its path, held by static friction, or by bristles that hold.
    Stick,
    /// On its path, sliding. At rest without static friction, or without any, it has neither sense.
    Slip(Sense),
    /// On its path, held by the stop at its end.
    AtStop(End),
}

impl Default for Regime {
    fn default() -> Regime {
        Regime::Slip(Sense::Neither)
    }
}

impl Regime {
    /// One of each kind that a host can tell apart, in the order of their [numbers](Regime::number).
    pub const KINDS: [Regime; 5] = [
        Regime::Stick,
        Regime::Slip(Sense::Forward),
        Regime::Slip(Sense::Backward),
        Regime::AtStop(End::Last),
        Regime::Open,
    ];

    /// Each of them, in the order of the numbers under which states are saved.
    const ALL: [Regime; 8] = [
        Regime::Slip(Sense::Neither),
        Regime::Stick,
        Regime::Slip(Sense::Forward),
        Regime::Slip(Sense::Backward),
        Regime::AtStop(End::First),
        Regime::AtStop(End::Last),
        Regime::Open,
        Regime::Passed,
    ];

    /// The value that a host reads; part of the interface, so that it stays what it is. What has no sense of
    /// sliding is at rest.
    pub fn number(self) -> f64 {
        match self {
            Regime::Stick | Regime::Slip(Sense::Neither) => 1.0,
            Regime::Slip(Sense::Forward) => 2.0,
            Regime::Slip(Sense::Backward) => 3.0,
            Regime::AtStop(_) => 4.0,
            Regime::Open | Regime::Passed => 5.0,
        }
    }

    /// Name of the item in `modelDescription/types.xml`.
    pub fn name(self) -> &'static str {
        match self {
            Regime::Stick | Regime::Slip(Sense::Neither) => "stick",
            Regime::Slip(Sense::Forward) => "slip_forward",
            Regime::Slip(Sense::Backward) => "slip_backward",
            Regime::AtStop(_) => "at_end",
            Regime::Open | Regime::Passed => "separated",
        }
    }

    /// Whether static friction or bristles hold it.
    pub fn sticks(self) -> bool {
        self == Regime::Stick
    }

    /// Whether it is off its path.
    pub fn is_open(self) -> bool {
        matches!(self, Regime::Open | Regime::Passed)
    }

    /// Whether a stop holds it.
    pub fn is_stopped(self) -> bool {
        matches!(self, Regime::AtStop(_))
    }

    /// Sense of its sliding; neither where it does not slide.
    pub fn sense(self) -> Sense {
        match self {
            Regime::Slip(sense) => sense,
            _ => Sense::Neither,
        }
    }
}

impl From<Regime> for u8 {
    fn from(regime: Regime) -> u8 {
        let place = Regime::ALL.iter().position(|other| *other == regime);
        place.unwrap_or_default() as u8
    }
}

impl TryFrom<u8> for Regime {
    type Error = String;

    fn try_from(number: u8) -> Result<Regime, String> {
        let regime = Regime::ALL.get(usize::from(number));
        regime
            .copied()
            .ok_or_else(|| format!("a sliding joint has no regime {number}; allowed: 0 to 7"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_regime_is_read_as_it_was_saved_in_one_byte() {
        for regime in Regime::ALL {
            let bytes = postcard::to_allocvec(&regime).expect("bytes");
            assert_eq!(bytes.len(), 1, "{regime:?}");
            assert_eq!(postcard::from_bytes(&bytes), Ok(regime));
        }
        assert!(postcard::from_bytes::<Regime>(&[8]).is_err());
    }

    #[test]
    fn kinds_stand_in_the_order_of_their_numbers_and_cover_every_regime() {
        for (i, kind) in Regime::KINDS.into_iter().enumerate() {
            assert_eq!(kind.number(), (i + 1) as f64);
        }
        for regime in Regime::ALL {
            let kind = Regime::KINDS[regime.number() as usize - 1];
            assert_eq!(kind.name(), regime.name());
        }
    }
}
