//! Fields of a state: each can be copied, compared in size and forgotten, and so can what consists of fields.

use crate::joints::regime::Regime;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::{PointMemory, Touch};
use crate::system::tuning::Tuning;

/// A field of a [`State`](super::State).
pub(crate) trait Field {
    /// Becomes `other`, without allocating where both have the same size.
    fn copy(&mut self, other: &Self);

    /// Whether it has as many numbers as `other`.
    fn has_size_of(&self, _: &Self) -> bool {
        true
    }

    /// Sets every number that changes smoothly in time to NaN.
    fn forget(&mut self) {}

    /// Moves every number that changes smoothly by a `share` of what stands in its place in `along`.
    fn shift(&mut self, _share: f64, _along: &Self) {}

    /// Sets every number that changes smoothly to the slope between two others that are so far apart, `over`.
    fn slope(&mut self, _larger: &Self, _smaller: &Self, _over: f64) {}
}

/// Declares a structure whose fields are all a [`Field`], which makes it one.
macro_rules! of_fields {
    (
        $(#[$about:meta])*
        pub struct $Type:ident { $($(#[$text:meta])* $access:vis $field:ident: $Field:ty,)* }
    ) => {
        $(#[$about])*
        pub struct $Type { $($(#[$text])* $access $field: $Field,)* }

        impl $crate::system::state::field::Field for $Type {
            fn copy(&mut self, other: &Self) {
                $(self.$field.copy(&other.$field);)*
            }

            fn has_size_of(&self, other: &Self) -> bool {
                $(self.$field.has_size_of(&other.$field))&&*
            }

            fn forget(&mut self) {
                $(self.$field.forget();)*
            }

            fn shift(&mut self, share: f64, along: &Self) {
                $(self.$field.shift(share, &along.$field);)*
            }

            fn slope(&mut self, larger: &Self, smaller: &Self, over: f64) {
                $(self.$field.slope(&larger.$field, &smaller.$field, over);)*
            }
        }
    };
}
pub(crate) use of_fields;

/// Values without numbers of their own, or whose numbers change between steps only.
macro_rules! constant_in_steps {
    ($($Type:ty),*) => {
        $(impl $crate::system::state::field::Field for $Type {
            fn copy(&mut self, other: &Self) {
                *self = *other;
            }
        })*
    };
}

pub(crate) use constant_in_steps;

constant_in_steps!(bool, u32, u64, Regime, Touch);

impl Field for f64 {
    fn copy(&mut self, other: &Self) {
        *self = *other;
    }

    fn forget(&mut self) {
        *self = f64::NAN;
    }

    fn shift(&mut self, share: f64, along: &Self) {
        *self += share * along;
    }

    fn slope(&mut self, larger: &Self, smaller: &Self, over: f64) {
        *self = (larger - smaller) / over;
    }
}

impl<T: Field, const N: usize> Field for [T; N] {
    fn copy(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(own, other)| own.copy(other));
    }

    fn forget(&mut self) {
        self.iter_mut().for_each(T::forget);
    }

    fn shift(&mut self, share: f64, along: &Self) {
        self.iter_mut().zip(along).for_each(|(own, along)| own.shift(share, along));
    }

    fn slope(&mut self, larger: &Self, smaller: &Self, over: f64) {
        let both = larger.iter().zip(smaller);
        self.iter_mut().zip(both).for_each(|(own, (more, less))| own.slope(more, less, over));
    }
}

impl<T: Field + Clone> Field for Vec<T> {
    fn copy(&mut self, other: &Self) {
        self.clone_from(other);
    }

    fn has_size_of(&self, other: &Self) -> bool {
        self.len() == other.len()
    }

    fn forget(&mut self) {
        self.iter_mut().for_each(T::forget);
    }

    fn shift(&mut self, share: f64, along: &Self) {
        self.iter_mut().zip(along).for_each(|(own, along)| own.shift(share, along));
    }

    fn slope(&mut self, larger: &Self, smaller: &Self, over: f64) {
        let both = larger.iter().zip(smaller);
        self.iter_mut().zip(both).for_each(|(own, (more, less))| own.slope(more, less, over));
    }
}

impl Field for Positions {
    fn copy(&mut self, other: &Self) {
        self.copy_from(other);
    }

    fn has_size_of(&self, other: &Self) -> bool {
        self.are(other.len())
    }

    fn forget(&mut self) {
        self.fill(f64::NAN);
    }

    fn shift(&mut self, share: f64, along: &Self) {
        for (u, way) in along.places().enumerate() {
            self.set(u, self.get(u).plus(share * way.rounded).plus(share * way.rest));
        }
    }

    fn slope(&mut self, larger: &Self, smaller: &Self, over: f64) {
        for u in 0..larger.len() {
            self.set(u, larger.way(u, smaller) / over);
        }
    }
}

impl Field for Tuning {
    fn copy(&mut self, other: &Self) {
        self.clone_from(other);
    }

    fn has_size_of(&self, other: &Self) -> bool {
        self.has_as_many_laws(other)
    }
}

impl Field for Option<Tuning> {
    fn copy(&mut self, other: &Self) {
        self.clone_from(other);
    }
}

impl Field for PointMemory {
    fn copy(&mut self, other: &Self) {
        *self = *other;
    }

    fn forget(&mut self) {
        self.friction = f64::NAN;
    }

    fn shift(&mut self, share: f64, along: &Self) {
        *self = self.zip(along, |now, by| now + share * by);
    }

    fn slope(&mut self, larger: &Self, smaller: &Self, over: f64) {
        *self = larger.zip(smaller, |more, less| (more - less) / over);
    }
}
