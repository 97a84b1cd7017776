//! A picture as a list of shapes, in pixels from the upper left corner.
//!
//! Shapes are grouped by what they would move with, so that the picture of the start is also the
//! stock of symbols of an animation.

use coulisse::model::checked::{MemberId, PointId};

/// A place or direction in pixels, y downwards.
pub type Pixel = [f64; 2];

/// What a shape may stand for: its variable in the style sheet of a page, and red, green and blue.
macro_rules! inks {
    ($($Ink:ident $name:literal $colour:expr;)*) => {
        /// What a shape stands for, which gives its colour.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Ink {
            $($Ink,)*
        }

        impl Ink {
            pub const ALL: [Ink; [$($name),*].len()] = [$(Ink::$Ink),*];

            /// Its variable in the style sheet of a page.
            pub fn name(self) -> &'static str {
                match self { $(Ink::$Ink => $name,)* }
            }

            /// Red, green, blue.
            pub fn colour(self) -> [u8; 3] {
                match self { $(Ink::$Ink => $colour,)* }
            }
        }
    };
}

inks! {
    Paper "paper" [255, 255, 255];
    Member "member" [51, 65, 85];
    Body "body" [214, 222, 231];
    Ground "ground" [134, 142, 150];
    Joint "joint" [28, 100, 200];
    Spring "spring" [13, 128, 130];
    Mass "mass" [180, 83, 9];
    Load "load" [200, 30, 40];
    Drive "drive" [20, 130, 70];
    Probe "probe" [126, 58, 170];
    Text "text" [33, 37, 41];
}

/// What a group of shapes moves with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Nothing: names, axes, and the axes of members, which move in a way of their own.
    Picture,
    Point(PointId),
    /// A point, and turns by this unknown.
    Section(PointId, usize),
    /// The place of a slider on its path; turns with the path.
    Slider(usize),
    /// The middle of a member.
    Member(MemberId),
}

/// Shapes that move together.
#[derive(Debug)]
pub struct Group {
    pub anchor: Anchor,
    /// Where its anchor is as the mechanism starts.
    pub frame: Frame,
    pub shapes: Vec<Shape>,
}

#[derive(Debug, Clone)]
pub enum Shape {
    Line {
        points: Vec<Pixel>,
        width: f64,
        ink: Ink,
        dashed: bool,
    },
    /// Closed loops, filled between the outer one and the holes.
    Area {
        loops: Vec<Vec<Pixel>>,
        fill: Ink,
        outline: Ink,
    },
    /// Hairlines, on which names may stand.
    Hairlines {
        lines: Vec<Vec<Pixel>>,
        ink: Ink,
    },
    Circle {
        centre: Pixel,
        radius: f64,
        fill: Ink,
        outline: Ink,
    },
    /// Centred at a place.
    Text {
        at: Pixel,
        text: String,
        ink: Ink,
    },
}

/// Height of letters, px.
pub const LETTERS: f64 = 14.0;
/// Width of outlines, px.
pub const OUTLINE: f64 = 2.0;
/// Width of hairlines, px.
pub const HAIRLINE: f64 = 0.5;

#[derive(Debug, Default)]
pub struct Scene {
    pub width: f64,
    pub height: f64,
    /// px/m.
    pub scale: f64,
    /// Where the model's origin is.
    pub origin: Pixel,
    pub groups: Vec<Group>,
}

impl Scene {
    /// What is drawn from now on moves with `anchor`, which stands in `frame`.
    pub fn begin(&mut self, anchor: Anchor, frame: Frame) {
        self.groups.push(Group { anchor, frame, shapes: Vec::new() });
    }

    /// What is drawn from now on moves with nothing.
    pub fn begin_picture(&mut self) {
        self.begin(Anchor::Picture, Frame::new([0.0; 2], [1.0, 0.0]));
    }

    /// All shapes, those drawn last on top.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.groups.iter().flat_map(|group| &group.shapes)
    }

    fn add(&mut self, shape: Shape) {
        if self.groups.is_empty() {
            self.begin_picture();
        }
        if let Some(group) = self.groups.last_mut() {
            group.shapes.push(shape);
        }
    }

    pub fn line(&mut self, points: &[Pixel], width: f64, ink: Ink) {
        let points = points.to_vec();
        self.add(Shape::Line { points, width, ink, dashed: false });
    }

    pub fn dashes(&mut self, points: &[Pixel], width: f64, ink: Ink) {
        let points = points.to_vec();
        self.add(Shape::Line { points, width, ink, dashed: true });
    }

    pub fn area(&mut self, points: &[Pixel], fill: Ink, outline: Ink) {
        self.area_with_holes(vec![points.to_vec()], fill, outline);
    }

    pub fn area_with_holes(&mut self, loops: Vec<Vec<Pixel>>, fill: Ink, outline: Ink) {
        self.add(Shape::Area { loops, fill, outline });
    }

    pub fn hairlines(&mut self, lines: Vec<Vec<Pixel>>, ink: Ink) {
        self.add(Shape::Hairlines { lines, ink });
    }

    pub fn circle(&mut self, centre: Pixel, radius: f64, fill: Ink, outline: Ink) {
        self.add(Shape::Circle { centre, radius, fill, outline });
    }

    pub fn text(&mut self, at: Pixel, text: &str, ink: Ink) {
        let text = text.to_owned();
        self.add(Shape::Text { at, text, ink });
    }

    /// All texts with their places.
    pub fn texts(&self) -> impl Iterator<Item = (Pixel, &str)> {
        self.shapes().filter_map(|shape| match shape {
            Shape::Text { at, text, .. } => Some((*at, text.as_str())),
            _ => None,
        })
    }

    /// Straight pieces of all lines and outlines, which labels keep away from.
    pub fn segments(&self) -> Vec<[Pixel; 2]> {
        let mut all = Vec::new();
        for shape in self.shapes() {
            match shape {
                Shape::Line { points, .. } => all.extend(points.windows(2).map(|w| [w[0], w[1]])),
                Shape::Area { loops, .. } => {
                    for points in loops {
                        let next = points.iter().cycle().skip(1);
                        all.extend(points.iter().zip(next).map(|(a, b)| [*a, *b]));
                    }
                }
                Shape::Circle { centre, radius, .. } => {
                    let [x, y] = *centre;
                    all.push([[x - radius, y], [x + radius, y]]);
                    all.push([[x, y - radius], [x, y + radius]]);
                }
                Shape::Hairlines { .. } | Shape::Text { .. } => {}
            }
        }
        all
    }
}

/// A place with a direction: symbols are drawn in its coordinates.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    pub at: Pixel,
    /// Unit vector.
    pub along: Pixel,
}

impl Frame {
    /// At a place, along a direction; along x where the direction has no length.
    pub fn new(at: Pixel, along: Pixel) -> Frame {
        let length = along[0].hypot(along[1]);
        let along = if length > 0.0 { [along[0] / length, along[1] / length] } else { [1.0, 0.0] };
        Frame { at, along }
    }

    /// The place `u` along the direction and `v` to its left, as one looks at the picture.
    pub fn place(&self, u: f64, v: f64) -> Pixel {
        let [x, y] = self.along;
        [self.at[0] + u * x + v * y, self.at[1] + u * y - v * x]
    }

    pub fn places(&self, local: &[[f64; 2]]) -> Vec<Pixel> {
        local.iter().map(|[u, v]| self.place(*u, *v)).collect()
    }
}
