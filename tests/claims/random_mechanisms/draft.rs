//! A random model file in the making: points, members, supports, masses, loads and motions.

use std::fmt::Write;

use super::dice::Dice;

/// A model file to be.
pub struct Draft {
    pub dice: Dice,
    /// s.
    pub step: f64,
    pub steps: usize,
    points: String,
    sections: String,
    initial: String,
    pub rigid_velocities: bool,
    flexible: Vec<String>,
    /// Points with a mass of their own.
    heavy: Vec<String>,
    count: usize,
}

/// What a member is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Body {
    /// Held as a whole.
    Rigid,
    Flexible,
    /// Flexible without mass.
    Massless,
}

impl Draft {
    pub fn new(seed: u64) -> Draft {
        let mut dice = Dice::seeded(seed);
        Draft {
            step: dice.scale(1e-6, 1e-2),
            steps: dice.whole(200, 400),
            dice,
            points: String::new(),
            sections: String::new(),
            initial: String::new(),
            rigid_velocities: false,
            flexible: Vec::new(),
            heavy: Vec::new(),
            count: 0,
        }
    }

    /// Length of the run, s.
    pub fn span(&self) -> f64 {
        self.step * self.steps as f64
    }

    pub fn write(&mut self, text: &str) {
        self.sections += text;
        self.sections.push('\n');
    }

    /// A name that nothing else has.
    pub fn name(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    pub fn point(&mut self, name: &str, [x, y]: [f64; 2]) {
        let _ = writeln!(self.points, "{name} = [{x:?}, {y:?}]");
    }

    /// A member between two points with the `axis` of its section, one line or none.
    pub fn member(
        &mut self, name: &str, [from, to]: [&str; 2], axis: &str, mesh: Mesh, body: Body,
    ) {
        let Mesh { elements, order } = mesh;
        let mut text = format!(
            "[members.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = {elements}\norder = {order}\n{axis}"
        );
        if body == Body::Rigid {
            self.write(&text);
            return self.hold(name);
        }
        if self.dice.chance(0.3) {
            text += "rotary_inertia = true\n";
        }
        let _ = writeln!(text, "material = \"{name}\"\nsection = \"{name}\"");
        self.write(&text);
        self.stuff(name, body);
        self.flexible.push(name.to_owned());
    }

    /// From rubber to steel, slender as these are.
    fn stuff(&mut self, name: &str, body: Body) {
        let dice = &mut self.dice;
        let young = dice.scale(1e6, 2.1e11);
        let thick = if young < 1e8 { 0.05 } else { 0.01 };
        let height = dice.scale(thick, 4.0 * thick);
        let density = if body == Body::Massless { 0.0 } else { dice.scale(100.0, 1e4) };
        let width = dice.scale(0.2 * height, 2.0 * height);
        let section = match dice.whole(0, 3) {
            0 => format!("rectangle = {{ height = {height:?}, width = {width:?} }}"),
            1 => format!("circle = {{ diameter = {height:?} }}"),
            2 => {
                format!("tube = {{ outer_diameter = {height:?}, thickness = {:?} }}", 0.2 * height)
            }
            _ => format!(
                "properties = {{ area = {:?}, second_moment = {:?} }}",
                height * width,
                height.powi(3) * width / 12.0
            ),
        };
        let ratio = dice.choose(&[0.0, 0.3, 0.45]);
        self.write(&format!(
            "[materials.{name}]\nyoung_modulus = {young:?}\npoisson_ratio = {ratio:?}\ndensity = {density:?}\n\
             [sections.{name}]\n{section}"
        ));
    }

    /// A member without mass that is a spring along its way, of 0.1 to 30 kN/m times a metre.
    pub fn spring(&mut self, name: &str, ends: [&str; 2]) {
        let stiffness = self.dice.scale(100.0, 3e4);
        let bending = self.dice.scale(1e-4, 1e-2);
        let [from, to] = ends;
        self.write(&format!(
            "[members.{name}]\nfrom = \"{from}\"\nto = \"{to}\"\nelements = 1\norder = 1\nmaterial = \"{name}\"\n\
             section = \"{name}\"\n\
             [materials.{name}]\nyoung_modulus = {:?}\npoisson_ratio = 0.3\ndensity = 0.0\n\
             [sections.{name}]\nproperties = {{ area = 1e-2, second_moment = {:?} }}",
            100.0 * stiffness,
            1e-2 * bending,
        ));
        self.flexible.push(name.to_owned());
    }

    pub fn hold(&mut self, member: &str) {
        self.write(&format!(
            "[supports.{member}]\nmember = \"{member}\"\nfix = [\"x\", \"y\", \"rotation\"]"
        ));
    }

    /// Holds a point; the support has its name.
    pub fn support(&mut self, point: &str, fix: &[&str]) {
        self.write(&format!("[supports.{point}]\npoint = \"{point}\"\nfix = {fix:?}"));
    }

    pub fn is_heavy(&self, point: &str) -> bool {
        self.heavy.iter().any(|heavy| heavy == point)
    }

    pub fn mass(&mut self, point: &str, mass: f64) {
        self.heavy.push(point.to_owned());
        self.write(&format!("[masses.{point}]\npoint = \"{point}\"\nmass = {mass:?}"));
    }

    /// A mass as heavy as others or down to a millionth of that.
    pub fn any_mass(&mut self, point: &str) -> f64 {
        let mass = if self.dice.chance(0.6) {
            self.dice.scale(0.2, 5.0)
        } else {
            self.dice.scale(1e-6, 0.2)
        };
        self.mass(point, mass);
        mass
    }

    /// A mass, or none where a member with `body` carries the point.
    pub fn mass_or_none(&mut self, point: &str) {
        if self.dice.chance(0.7) {
            self.any_mass(point);
        }
    }

    /// The velocity of a point, m/s, by the components that the path leaves free.
    pub fn velocity(&mut self, point: &str, [vx, vy]: [Option<f64>; 2]) {
        let _ = writeln!(self.initial, "[initial.points.{point}]");
        for (key, value) in [("vx", vx), ("vy", vy)] {
            if let Some(value) = value {
                let _ = writeln!(self.initial, "{key} = {value:?}");
            }
        }
    }

    /// A velocity of a slider along its path, slow or fast; of what can be put in one number.
    pub fn slide(&mut self, point: &str, angle: f64, speed: f64) {
        let (sin, cos) = angle.sin_cos();
        if cos.abs() > 0.6 {
            self.velocity(point, [Some(speed * cos), None]);
        } else {
            self.velocity(point, [None, Some(speed * sin)]);
        }
    }

    /// The same for some, with any speed.
    pub fn maybe_slide(&mut self, point: &str, angle: f64) {
        if self.dice.chance(0.4) {
            let speed = self.dice.sign() * self.dice.scale(1e-3, 5.0);
            self.slide(point, angle, speed);
        }
    }

    pub fn mesh(&mut self) -> Mesh {
        Mesh { elements: self.dice.whole(1, 8), order: self.dice.choose(&[1, 2, 3, 3, 3, 4]) }
    }

    /// The whole file.
    pub fn finish(mut self, name: &str) -> String {
        self.line_load(&self.flexible.clone());
        self.damping();
        self.gravity();
        let method = if self.dice.chance(0.15) {
            "method = \"newmark\"".to_owned()
        } else {
            let radius = self.dice.choose(&[0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.9, 0.95]);
            format!("spectral_radius = {radius:?}")
        };
        let Draft { step, points, sections, mut initial, .. } = self;
        if self.rigid_velocities {
            initial = format!("[initial]\nvelocities = \"rigid_mechanism\"\n{initial}");
        }
        let span = step * self.steps as f64;
        format!(
            "name = \"{name}\"\n[experiment]\nstop_time = {span:?}\ncommunication_step = {step:?}\n\
             [solver]\nstep = {step:?}\n{method}\n[points]\n{points}{sections}{initial}\
             [interface]\noutputs = [\"energy.*\", \"solver.*\"]\n"
        )
    }

    fn damping(&mut self) {
        if self.flexible.is_empty() || !self.dice.chance(0.3) {
            return;
        }
        let (mass, stiffness) = (self.dice.scale(1e-2, 5.0), self.dice.scale(1e-7, 1e-3));
        self.write(&format!(
            "[damping.all]\nmass_coefficient = {mass:?}\nstiffness_coefficient = {stiffness:?}"
        ));
    }

    fn gravity(&mut self) {
        match self.dice.whole(0, 9) {
            0 => (),
            1 => self.write("[gravity]\nx = 4.0\ny = -9.0"),
            _ => self.write("[gravity]\ny = -9.81"),
        }
    }
}

/// A member's elements.
#[derive(Debug, Clone, Copy)]
pub struct Mesh {
    pub elements: usize,
    pub order: usize,
}
