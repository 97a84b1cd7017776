//! Random loads and motions with every history of the model file.

use super::dice::Dice;
use super::draft::Draft;

impl Draft {
    /// One of the histories of the model file.
    pub fn history(&mut self) -> String {
        let span = self.span();
        let dice = &mut self.dice;
        match dice.whole(0, 3) {
            0 => String::new(),
            1 => format!(
                "history.ramp = {{ start = {:?}, duration = {:?}, smooth = {} }}\n",
                dice.between(0.0, 0.3) * span,
                dice.scale(0.05, 1.0) * span,
                dice.chance(0.7)
            ),
            2 => format!(
                "history.sine = {{ frequency = {:?}, phase = {:?} }}\n",
                frequency(dice, span),
                dice.choose(&[0.0, 0.0, 1.0])
            ),
            _ => {
                let values: Vec<f64> = (0..5).map(|_| dice.between(-1.0, 1.0)).collect();
                let times: Vec<f64> = (0..5).map(|i| f64::from(i) * 0.25 * span).collect();
                format!("history.table = {{ times = {times:?}, values = {values:?} }}\n")
            }
        }
    }

    /// A force on a point, as large as some weights.
    pub fn load(&mut self, point: &str) {
        let size = self.dice.scale(0.3, 200.0);
        let angle = self.dice.between(-3.1, 3.1);
        let history = self.history();
        let name = self.name("load");
        self.write(&format!(
            "[loads.{name}]\npoint = \"{point}\"\nfx = {:?}\nfy = {:?}\n{history}",
            size * angle.cos(),
            size * angle.sin()
        ));
    }

    pub fn maybe_load(&mut self, point: &str) {
        if self.dice.chance(0.5) {
            self.load(point);
        }
    }

    /// How something is moved along x or y: a law of the model file from rest or with a jerk, up to
    /// some metres per second.
    pub fn travel(&mut self) -> String {
        let span = self.span();
        let dice = &mut self.dice;
        let speed = dice.sign() * dice.scale(1e-2, 3.0).min(0.5 / span);
        match dice.whole(0, 7) {
            0 => format!("velocity = {speed:?}\n"),
            1 => format!("acceleration = {:?}\n", (2.0 * speed / span).clamp(-50.0, 50.0)),
            2 => format!(
                "record = {{ file = \"records/pulse.csv\", scale = {:?}, baseline = \"rest\" }}\n",
                dice.scale(0.1, 3.0)
            ),
            3 | 4 => {
                let frequency = frequency(dice, span);
                let rate = 6.3 * frequency;
                let amplitude =
                    dice.scale(0.03, 1.0) * (0.1_f64).min(2.0 / rate).min(50.0 / (rate * rate));
                format!(
                    "amplitude = {amplitude:?}\nhistory.sine = {{ frequency = {frequency:?} }}\n"
                )
            }
            5 => {
                let values: Vec<f64> = (0..4).map(|_| dice.between(-1.0, 1.0)).collect();
                let (size, part) = (0.3 * speed.abs() * span, 0.25 * span);
                format!(
                    "amplitude = {size:?}\nhistory.table = {{ times = [0.0, {part:?}, {:?}, {:?}, {span:?}], \
                     values = [0.0, {:?}, {:?}, {:?}, {:?}] }}\n",
                    2.0 * part,
                    3.0 * part,
                    values[0],
                    values[1],
                    values[2],
                    values[3],
                )
            }
            _ => format!(
                "amplitude = {:?}\nhistory.ramp = {{ duration = {:?} }}\n",
                0.5 * speed * span,
                dice.between(0.5, 1.0) * span
            ),
        }
    }

    /// Moves supports as one, or does not.
    pub fn ground(&mut self, supports: &[String], direction: &str, probability: f64) {
        if self.dice.chance(probability) {
            let law = self.travel();
            let name = self.name("ground");
            self.write(&format!(
                "[motions.{name}]\nsupports = {supports:?}\ndirection = \"{direction}\"\n{law}"
            ));
        }
    }

    /// Turns the end of a member at a held point, or loads it with a moment.
    pub fn turn(&mut self, point: &str, member: &str) {
        let span = self.span();
        let angle = self.dice.sign() * self.dice.scale(0.01, 3.0).min(15.0 * span);
        let law = match self.dice.whole(0, 3) {
            0 => {
                if self.dice.chance(0.5) {
                    self.rigid_velocities = true;
                }
                format!("rate = {:?}", angle / span)
            }
            1 => format!("amplitude = {angle:?}\nhistory.ramp = {{ duration = {span:?} }}"),
            2 => {
                let frequency = frequency(&mut self.dice, span);
                let amplitude = self.dice.scale(0.03, 1.0) * 1.0_f64.min(2.0 / frequency);
                format!("amplitude = {amplitude:?}\nhistory.sine = {{ frequency = {frequency:?} }}")
            }
            _ => {
                let moment = self.dice.sign() * self.dice.scale(0.1, 30.0);
                let history = self.history();
                return self.write(&format!(
                    "[loads.turn]\npoint = \"{point}\"\nmember = \"{member}\"\nmoment = {moment:?}\n{history}"
                ));
            }
        };
        self.write(&format!(
            "[motions.turn]\npoint = \"{point}\"\nmember = \"{member}\"\ndirection = \"rotation\"\n{law}"
        ));
    }

    /// Drives a slider along x and lets it go.
    pub fn drive(&mut self, slider: &str, length: f64) {
        let span = self.span();
        let law = self.travel();
        let release = if self.dice.chance(0.6) {
            format!("release.time = {:?}", self.dice.between(0.1, 0.9) * span)
        } else {
            let at = length * (0.4 + self.dice.between(-0.1, 0.1));
            format!("release.position = {{ joint = \"{slider}\", at = {at:?} }}")
        };
        self.write(&format!(
            "[motions.drive]\npoint = \"{slider}\"\ndirection = \"x\"\n{law}{release}"
        ));
    }

    /// A load along one of the `flexible` members, or none.
    pub fn line_load(&mut self, flexible: &[String]) {
        if flexible.is_empty() || !self.dice.chance(0.15) {
            return;
        }
        let member = &flexible[self.dice.whole(0, flexible.len() - 1)];
        let key = self.dice.choose(&["qx", "qy", "normal", "tangential"]);
        let size = self.dice.sign() * self.dice.scale(0.3, 50.0);
        let variation = [1.0, self.dice.between(0.0, 1.0)];
        let history = self.history();
        self.write(&format!(
            "[loads.along]\nmember = \"{member}\"\n{key} = {size:?}\nvariation = {variation:?}\n{history}"
        ));
    }
}

/// Hz, of a vibration that the run shows and its steps follow.
fn frequency(dice: &mut Dice, span: f64) -> f64 {
    dice.scale(0.3, 8.0) / span.max(0.1)
}
