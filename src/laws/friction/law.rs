//! What a law is made of: a table of its numbers and the formula of its characteristic.
//!
//! The table is written once, with `law!`. It is the struct of the law in numbers of any kind
//! `N`: what the model file holds ([`crate::model`] reads it), plain numbers for the physics, dual
//! numbers for derivatives by the law's own numbers. It is also the list of keys with their
//! meanings, units, ranges and defaults, for the checker and the documents.

use num_dual::Dual64;

use super::monotone::Curve;
use super::number::{Contradiction, Key, Need, Value};
use super::rest::Rest;
use crate::quantity::{NOT_NEGATIVE, POSITIVE, Quantity};

/// The physics of a law, in numbers whose derivatives are carried along.
pub trait Law: Common {
    /// μ(|v|) at `speed` ≥ 0, per unit of normal force and without the viscous part. Where it is
    /// negative the joint takes it as zero: friction never drives.
    fn coefficient(&self, speed: Dual64, at: &Surroundings) -> Dual64;

    /// What else than the speed μ follows from, besides the factor c.
    fn follows(&self) -> Follows {
        Follows::default()
    }

    /// How it passes through zero velocity.
    fn rest(&self) -> Rest;

    /// μ that a joint at rest can bear where that is not μ(0).
    fn static_coefficient(&self) -> Option<Dual64> {
        None
    }

    /// Whether what has come to rest stays until [`Law::static_coefficient`] does not suffice, from
    /// step to step. Otherwise μ(|v|) alone decides.
    fn keeps_rest(&self) -> bool {
        false
    }

    /// Speeds at which μ(|v|) or a derivative of it jumps.
    fn corners(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Equivalent damping per unit of normal force at the velocity amplitude `v0`, where the paper
    /// has a closed form; without the viscous part.
    fn equivalent_damping(&self, v0: f64) -> Option<f64> {
        let _ = v0;
        None
    }

    /// What does not go together.
    fn contradiction(&self) -> Option<Contradiction> {
        None
    }
}

/// Under what, where and when a contact slides.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings {
    /// F_N, N.
    pub normal_force: Dual64,
    /// s, m.
    pub position: Dual64,
    /// t, s.
    pub time: f64,
}

impl Default for Surroundings {
    fn default() -> Surroundings {
        let none = Dual64::from_re(0.0);
        Surroundings { normal_force: none, position: none, time: 0.0 }
    }
}

/// What a coefficient follows from besides the speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Follows {
    pub normal_force: bool,
    pub position: bool,
    pub time: bool,
}

impl Follows {
    /// Normal forces, positions and instants among which a law that follows from them is looked at; one place for others.
    pub fn places(self) -> impl Iterator<Item = Surroundings> {
        let over = |varies: bool, list: &'static [f64]| if varies { list } else { &list[..1] };
        let forces = over(self.normal_force, &[100.0, 1.0, 10.0, 1e3, 1e4, 1e5]).iter();
        let positions = over(self.position, &[0.0, 0.01, 0.1, 1.0, 10.0]);
        let times = over(self.time, &[0.0, 0.1, 1.0, 10.0]);
        forces.flat_map(move |&force| {
            positions.iter().flat_map(move |&position| {
                times.iter().map(move |&time| Surroundings {
                    normal_force: Dual64::from_re(force),
                    position: Dual64::from_re(position),
                    time,
                })
            })
        })
    }
}

/// What every law has besides its own numbers; `law!` provides it.
pub trait Common {
    /// η.
    fn viscous(&self) -> Dual64;
    /// c(F_N), the factor on the coefficient.
    fn factor(&self, normal_force: Dual64) -> Dual64;
    /// What does not go together in the table of c.
    fn factor_contradiction(&self) -> Option<Contradiction>;
}

pub(super) static VISCOUS: Key = Key {
    name: "viscous_coefficient",
    meaning: "η: η v is added to the friction force",
    quantity: Quantity::ViscousCoefficient,
    limit: NOT_NEGATIVE,
    need: Need::Default(0.0),
    default: "0.0",
};

pub(super) static NORMAL_FORCES: Key = Key {
    name: "normal_forces",
    meaning: "normal forces, rising, at which the coefficient has the `factors`",
    quantity: Quantity::Force,
    limit: NOT_NEGATIVE,
    need: Need::OptionalList,
    default: "",
};

pub(super) static FACTORS: Key = Key {
    name: "factors",
    meaning: "factors on the coefficient at the `normal_forces`; a monotone curve runs through \
              them, constant outside; without them 1",
    quantity: Quantity::Dimensionless,
    limit: POSITIVE,
    need: Need::OptionalList,
    default: "",
};

/// c(F_N) through the points given, 1 without any.
pub(super) fn factor<N: Value>(forces: &[N], factors: &[N], normal_force: Dual64) -> Dual64 {
    if forces.is_empty() {
        return Dual64::from_re(1.0);
    }
    Curve { x: forces, y: factors }.at(normal_force)
}

/// Declares a law: its struct, the list of its keys, and the walk over its numbers. Groups stand in
/// this order, and each may be left out: `required`, `defaults`, `optional`, `lists`,
/// `optional_lists`, `files` (one, with the two lists that it fills), `choices`, `formulas` (expressions), `named` (one table of
/// numbers whose names the user chooses), `found` (what the checker finds out of the formulas).
macro_rules! law {
    (
        $(#[doc = $about:literal])+
        $law:ident {
            $(required { $($(#[doc = $rd:literal])+ $r:ident: $rq:ident, $rl:expr;)* })?
            $(defaults { $($(#[doc = $dd:literal])+ $d:ident = $default:literal: $dq:ident, $dl:expr;)* })?
            $(optional { $($(#[doc = $od:literal])+ $o:ident: $oq:ident, $ol:expr;)* })?
            $(lists { $($(#[doc = $ld:literal])+ $l:ident: $lq:ident, $ll:expr;)* })?
            $(optional_lists { $($(#[doc = $md:literal])+ $m:ident: $mq:ident, $ml:expr;)* })?
            $(files { $(#[doc = $fd:literal])+ $f:ident => $fx:ident, $fy:ident; })?
            $(choices { $($(#[doc = $cd:literal])+ $c:ident: $choice:ty;)* })?
            $(formulas { $($(#[doc = $ed:literal])+ $e:ident;)* })?
            $(named { $(#[doc = $nd:literal])+ $n:ident; })?
            $(found { $($(#[doc = $xd:literal])+ $x:ident: $found:ty;)* })?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, serde::Deserialize)]
        #[serde(bound(deserialize = "N: serde::Deserialize<'de> + Default, N::Text: serde::Deserialize<'de>"))]
        pub struct $law<N: $crate::laws::friction::Number = f64> {
            $($($(#[doc = $rd])+ pub $r: N,)*)?
            $($($(#[doc = $dd])+ #[serde(default)] pub $d: N,)*)?
            $($($(#[doc = $od])+ #[serde(default)] pub $o: Option<N>,)*)?
            $($($(#[doc = $ld])+ pub $l: Vec<N>,)*)?
            $($($(#[doc = $md])+ #[serde(default)] pub $m: Vec<N>,)*)?
            $($(#[doc = $fd])+ #[serde(default)] pub $f: N::Text,)?
            /// η, N·s/m.
            #[serde(default)]
            pub viscous_coefficient: N,
            /// Normal forces of the table of factors, N.
            #[serde(default)]
            pub normal_forces: Vec<N>,
            /// Factors on the coefficient at these normal forces.
            #[serde(default)]
            pub factors: Vec<N>,
            $($($(#[doc = $cd])+ #[serde(default)] pub $c: $choice,)*)?
            $($($(#[doc = $ed])+ pub $e: $crate::laws::friction::Formula<N>,)*)?
            $($(#[doc = $nd])+ #[serde(default)] pub $n: $crate::laws::friction::Named<N>,)?
            $($($(#[doc = $xd])+ #[serde(skip)] pub $x: $found,)*)?
        }

        const _: () = {
            use $crate::laws::friction::{
                Common, Contradiction, Data, Key, Need, Number, Place, Value,
            };
            use $crate::laws::friction::law::{FACTORS, NORMAL_FORCES, VISCOUS, factor};
            use $crate::laws::friction::monotone;

            impl $law {
                /// Equations of the law in a few lines, with their source.
                pub const ABOUT: &'static str = concat!($($about, "\n"),+);

                /// Every key with numbers, in the order of [`Place`]s.
                pub const KEYS: &'static [&'static Key] = &[
                    $($(law!(@key $r, ($($rd),+), $rq, $rl, Need::Required, ),)*)?
                    $($(law!(@key $d, ($($dd),+), $dq, $dl, Need::Default($default), $default),)*)?
                    $($(law!(@key $o, ($($od),+), $oq, $ol, Need::Optional, ),)*)?
                    $($(law!(@key $l, ($($ld),+), $lq, $ll, Need::List, ),)*)?
                    $($(law!(@key $m, ($($md),+), $mq, $ml, Need::OptionalList, ),)*)?
                    &VISCOUS,
                    &NORMAL_FORCES,
                    &FACTORS,
                    $(law!(@key $n, ($($nd),+), Dimensionless, $crate::quantity::FINITE, Need::Named, ),)?
                ];

                /// Its keys that are expressions, each with its meaning.
                pub const FORMULAS: &'static [(&'static str, &'static str)] =
                    &[$($((stringify!($e), concat!($($ed),+)),)*)?];

                /// Its keys that hold no numbers: a data file, a choice.
                pub const OTHERS: &'static [&'static str] =
                    &[$(stringify!($f),)? $($(stringify!($c),)*)?];

                /// Zeros, defaults and empty lists, to be filled in.
                pub fn blank() -> $law {
                    $law {
                        $($($r: 0.0,)*)?
                        $($($d: $default,)*)?
                        $($($o: None,)*)?
                        $($($l: Vec::new(),)*)?
                        $($($m: Vec::new(),)*)?
                        $($f: (),)?
                        viscous_coefficient: 0.0,
                        normal_forces: Vec::new(),
                        factors: Vec::new(),
                        $($($c: <$choice>::default(),)*)?
                        $($($e: Default::default(),)*)?
                        $($n: Default::default(),)?
                        $($($x: Default::default(),)*)?
                    }
                }
            }

            impl<N: Number> $law<N> {
                /// Data file of the law, if it can have one.
                pub(super) fn data(&mut self) -> Option<Data<'_, N>> {
                    let data = None;
                    $(let data = data.or(Some(Data {
                        file: &self.$f,
                        lists: [
                            (stringify!($fx), &mut self.$fx),
                            (stringify!($fy), &mut self.$fy),
                        ],
                    }));)?
                    data
                }

                /// Its expressions, each with its key.
                pub(super) fn formulas(&self) -> Vec<(&'static str, &$crate::laws::friction::Formula<N>)> {
                    vec![$($((stringify!($e), &self.$e),)*)?]
                }

                /// The law with every number replaced by what `f` makes of it.
                pub(super) fn map<M: Number>(
                    &self,
                    f: &mut dyn FnMut(Place, &N) -> M,
                ) -> $law<M> {
                    // In the order of the fields, as the struct below is.
                    let mut keys = $law::KEYS.iter().copied();
                    let mut next = || keys.next().unwrap_or(&VISCOUS);
                    $law {
                        $($($r: f(Place::of(next()), &self.$r),)*)?
                        $($($d: f(Place::of(next()), &self.$d),)*)?
                        $($($o: {
                            let place = Place::of(next());
                            self.$o.as_ref().map(|number| f(place, number))
                        },)*)?
                        $($($l: law!(@list f, next(), self.$l),)*)?
                        $($($m: law!(@list f, next(), self.$m),)*)?
                        $($f: Default::default(),)?
                        viscous_coefficient: f(
                            Place::of(next()),
                            &self.viscous_coefficient,
                        ),
                        normal_forces: law!(@list f, next(), self.normal_forces),
                        factors: law!(@list f, next(), self.factors),
                        $($($c: self.$c.clone(),)*)?
                        $($($e: self.$e.carried(),)*)?
                        $($n: {
                            let key = next();
                            self.$n.map(|name, number| f(Place { name: Some(name), ..Place::of(key) }, number))
                        },)?
                        $($($x: self.$x.clone(),)*)?
                    }
                }
            }

            impl<N: Value> Common for $law<N> {
                fn viscous(&self) -> num_dual::Dual64 {
                    self.viscous_coefficient.dual()
                }

                fn factor(&self, normal_force: num_dual::Dual64) -> num_dual::Dual64 {
                    factor(&self.normal_forces, &self.factors, normal_force)
                }

                fn factor_contradiction(&self) -> Option<Contradiction> {
                    let forces = (NORMAL_FORCES.name, self.normal_forces.as_slice());
                    let factors = (FACTORS.name, self.factors.as_slice());
                    monotone::contradiction(forces, factors, 0)
                }
            }
        };
    };
    (@key $name:ident, ($($doc:literal),+), $quantity:ident, $limit:expr, $need:expr, $($default:literal)?) => {
        &Key {
            name: stringify!($name),
            meaning: concat!($($doc),+),
            quantity: $crate::quantity::Quantity::$quantity,
            limit: $limit,
            need: $need,
            default: concat!($(stringify!($default))?),
        }
    };
    (@list $f:ident, $key:expr, $list:expr) => {{
        let key = $key;
        let list = $list.iter().enumerate();
        list.map(|(index, number)| $f(Place { index: Some(index), ..Place::of(key) }, number)).collect()
    }};
}
pub(super) use law;
