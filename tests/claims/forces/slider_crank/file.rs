//! The model file of a slider-crank, and what is compared of it.

use super::SliderCrank;
use crate::common::mechanism::Mechanism;
use crate::forces::case::{Case, Drive, Force, Quantity, hinge, rod};
use crate::forces::jet::Jet;

impl SliderCrank {
    pub fn sections(&self) -> String {
        let frames = self.kinematics(Jet::default());
        let place = |body: usize, at: [f64; 2]| frames[body].at(at).map(|x| x.0);
        let far = 1.5 * (self.crank + self.rod);
        let end = self.stop.map_or(far, |(end, _)| end);
        let [a, b, anchor] = [place(1, [0.0, 0.0]), self.slider(), self.anchor()];
        let [g0, g1] = [-far, end].map(|along| self.on_guide(along));
        let stop = self.stop.map_or(String::new(), |(_, restitution)| {
            format!(", ends = 'stop', restitution = {restitution:?}")
        });
        let mut text = Mechanism::part()
            .points(format!("o = [0.0, 0.0], a = {a:?}, b = {b:?}, g0 = {g0:?}, g1 = {g1:?}"))
            .and(format!("anchor = {anchor:?}, p = [{:?}, 0.0]", -2.0 * far))
            .member("crank", ["o", "a"], rod(self.crank_mass))
            .member("rod", ["a", "b"], rod(self.rod_mass));
        let arms = [("c", "crank_arm", "o"), ("d", "rod_arm", "b")].into_iter().zip(self.eccentric);
        for (body, ((point, name, from), eccentric)) in arms.enumerate() {
            if let Some((mass, at)) = eccentric {
                text = text
                    .points(format!("{point} = {:?}", place(body, at)))
                    .member(name, [from, point], "rigid = true")
                    .mass(point, mass);
            }
        }
        text = text
            .guide("guide", ["g0", "g1"], "elements = 1, order = 1")
            .pin("o")
            .joint("a", hinge("a", "rod"))
            .mass("b", self.piston)
            .joint("b", format!("cylindrical = {{ slider = 'b', path = ['guide']{stop} }}"))
            .gravity(self.gravity);
        if self.friction != 0.0 {
            let coefficient = format!("coefficient = {:?}", self.friction.abs());
            text = text.entry("joints.b.friction.coulomb", coefficient);
        }
        if self.flywheel > 0.0 {
            text = text.wheel("o", 0.0, self.flywheel);
        }
        if let Some((stiffness, damping, free)) = self.spring {
            text = text
                .spring("s", format!("ground = 'anchor', to = 'b', stiffness = {stiffness:?}"))
                .and(format!("damping = {damping:?}, free_length = {free:?}"));
        }
        if let Some(gears) = self.gears {
            let drivers = format!("drivers = [{{ to = 'p', ratio = {:?} }}]", gears.ratio);
            text = text
                .wheel("p", 1.0, gears.pinion)
                .pin("p")
                .coupling("gears", "driven = { to = 'o' }")
                .and(drivers);
            if let Some((amplitude, frequency)) = gears.added {
                text = text
                    .motion("added", format!("coupling = 'gears', amplitude = {amplitude:?}"))
                    .and(format!("history.sine = {{ frequency = {frequency:?} }}"));
            }
        }
        text.text() + &self.drive.sections(if self.gears.is_some() { "p" } else { "o" })
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
