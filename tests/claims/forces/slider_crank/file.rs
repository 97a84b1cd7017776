//! The model file of a slider-crank, and what is compared of it.

use super::SliderCrank;
use crate::forces::case::{Case, Drive, Force, Quantity, Sections};
use crate::forces::jet::Jet;

impl SliderCrank {
    pub fn sections(&self) -> String {
        let mut text = Sections::default();
        let frames = self.kinematics(Jet::default());
        let place = |body: usize, at: [f64; 2]| frames[body].at(at).map(|x| x.0);
        let arms = [("c", "crank_arm", ["o", "c"]), ("d", "rod_arm", ["b", "d"])];
        let far = 1.5 * (self.crank + self.rod);
        let mut points = vec![
            ("o", [0.0, 0.0]),
            ("a", place(1, [0.0, 0.0])),
            ("b", self.slider()),
            ("g0", self.on_guide(-far)),
            ("g1", self.on_guide(self.stop.map_or(far, |(end, _)| end))),
            ("anchor", self.anchor()),
            ("p", [-2.0 * far, 0.0]),
        ];
        for (body, (arm, eccentric)) in arms.iter().zip(self.eccentric).enumerate() {
            points.extend(eccentric.map(|(_, at)| (arm.0, place(body, at))));
        }
        text.points(&points);
        text.rod("crank", ["o", "a"], self.crank_mass);
        text.rod("rod", ["a", "b"], self.rod_mass);
        for ((point, name, ends), eccentric) in arms.iter().zip(self.eccentric) {
            if let Some((mass, _)) = eccentric {
                text.arm(name, *ends);
                text.mass(point, mass, 0.0);
            }
        }
        text.add("members.guide", &["from = \"g0\"\nto = \"g1\"\nelements = 1\norder = 1"]);
        let all = "fix = [\"x\", \"y\", \"rotation\"]";
        text.add("supports.guide", &["member = \"guide\"", all]);
        text.pivot("o");
        text.hinge("a", "rod");
        text.mass("b", self.piston, 0.0);
        let stop = self.stop.map_or(String::new(), |(_, restitution)| {
            format!(", ends = \"stop\", restitution = {restitution:?}")
        });
        let joint = format!("cylindrical = {{ slider = \"b\", path = [\"guide\"]{stop} }}");
        let friction = format!("friction.coulomb = {{ coefficient = {:?} }}", self.friction.abs());
        let friction = (self.friction != 0.0).then_some(friction.as_str());
        text.add("joints.b", &[&joint, friction.unwrap_or_default()]);
        if self.flywheel > 0.0 {
            text.mass("o", 0.0, self.flywheel);
        }
        if let Some((stiffness, damping, free)) = self.spring {
            let keys = format!(
                "ground = \"anchor\"\nto = \"b\"\nstiffness = {stiffness:?}\ndamping = {damping:?}\nfree_length = {free:?}"
            );
            text.add("springs.s", &[&keys]);
        }
        if let Some(gears) = self.gears {
            text.mass("p", 1.0, gears.pinion);
            text.pivot("p");
            let drivers = format!("drivers = [{{ to = \"p\", ratio = {:?} }}]", gears.ratio);
            text.add("couplings.gears", &["driven = { to = \"o\" }", &drivers]);
            if let Some((amplitude, frequency)) = gears.added {
                let keys = format!(
                    "coupling = \"gears\"\namplitude = {amplitude:?}\nhistory.sine = {{ frequency = {frequency:?} }}"
                );
                text.add("motions.added", &[&keys]);
            }
        }
        let gravity = format!("y = {:?}", self.gravity);
        text.add("gravity", &[&gravity]);
        text.0 + &self.drive.sections(if self.gears.is_some() { "p" } else { "o" })
    }

    pub fn forces(&self) -> Vec<Force> {
        let guide = self.guide_force();
        let guide = ["x", "y"].into_iter().zip(guide).map(|(d, share)| {
            let path = format!("supports.guide.f{d}");
            (path, Quantity::Reaction(4, share))
        });
        let mut all = vec![
            Force::pair("pivot", "supports.o.f", 0, 1.0),
            Force::pair("pin", "members.rod.from.f", 2, 1.0),
            Force::pair("hinge", "joints.a.f", 2, -1.0),
            Force { name: "guide", entries: guide.collect() },
            Force::one("normal", "joints.b.normal_force", Quantity::Size(4)),
            Force::acceleration("slider", "b", (1, [self.rod, 0.0])),
        ];
        if !matches!(self.drive, Drive::Free(_)) {
            all.push(Force::one("torque", "motions.drive.reaction", Quantity::Reaction(5, 1.0)));
        }
        if self.friction != 0.0 {
            let friction = Quantity::Reaction(4, self.friction);
            all.push(Force::one("friction", "joints.b.friction_force", friction));
        }
        if self.gears.is_some() {
            all.push(Force::one("gears", "couplings.gears.moment", Quantity::Reaction(6, 1.0)));
        }
        if self.spring.is_some() {
            all.push(Force::one("spring", "springs.s.force", Quantity::Spring(0)));
        }
        all
    }

    pub fn case(&self, kind: &'static str, seed: u64) -> Case {
        let shaft = self.gears.map_or(self.drive, |gears| self.drive.times_ratio(gears.ratio));
        let (duration, turn) = shaft.times();
        let case = Case {
            kind,
            seed,
            sections: self.sections(),
            truth: self.truth(),
            forces: self.forces(),
            turn,
            duration,
        };
        match self.drive {
            Drive::Free(_) => case.in_turns_of_its_fastest(),
            _ => case,
        }
    }
}
