//! The exact motion of a block that Coulomb friction holds and a sine drives.

/// s̈ = a sin ωt − d b, d = sgn ṡ, or rest where |a sin ωt| ≤ b; from event to event in closed form.
pub struct Driven {
    /// a and b, m/s².
    amplitude: f64,
    bears: f64,
    /// ω, rad/s.
    omega: f64,
    /// The last event: its instant, s, ṡ and the sense of sliding from there on (0: rest).
    begin: f64,
    place: f64,
    speed: f64,
    sense: f64,
    now: f64,
    /// Instants at which it has come to rest and stayed.
    pub catches: Vec<f64>,
}

impl Driven {
    /// At s = 0 with a speed.
    pub fn new(amplitude: f64, bears: f64, omega: f64, speed: f64) -> Driven {
        Driven {
            amplitude,
            bears,
            omega,
            begin: 0.0,
            place: 0.0,
            speed,
            sense: if speed == 0.0 { 0.0 } else { speed.signum() },
            now: 0.0,
            catches: Vec::new(),
        }
    }

    fn force(&self, t: f64) -> f64 {
        self.amplitude * (self.omega * t).sin()
    }

    fn at(&self, t: f64) -> [f64; 2] {
        if self.sense == 0.0 {
            return [self.place, 0.0];
        }
        let (h, rate) = (t - self.begin, self.amplitude / self.omega);
        let [(sin0, cos0), (sin, cos)] = [self.begin, t].map(|t| (self.omega * t).sin_cos());
        let brakes = self.sense * self.bears * h;
        [
            self.place + (self.speed + rate * cos0) * h
                - rate / self.omega * (sin - sin0)
                - 0.5 * brakes * h,
            self.speed + rate * (cos0 - cos) - brakes,
        ]
    }

    fn passed(&self, t: f64) -> bool {
        if self.sense == 0.0 {
            self.force(t).abs() > self.bears
        } else {
            self.sense * self.at(t)[1] < 0.0
        }
    }

    /// s at the time `end`, which is no earlier than those before.
    pub fn advance(&mut self, end: f64) -> f64 {
        while self.now < end {
            let next = (self.now + 1e-3 / self.omega).min(end);
            if !self.passed(next) {
                self.now = next;
                continue;
            }
            let (mut low, mut high) = (self.now, next);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if self.passed(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            let slid = self.sense != 0.0;
            (self.place, self.begin) = (self.at(high)[0], high);
            (self.speed, self.now) = (0.0, high);
            let force = self.force(high);
            let holds = force.abs() <= self.bears;
            self.sense = if holds { 0.0 } else { force.signum() };
            if slid && holds {
                self.catches.push(high);
            }
        }
        self.at(end)[0]
    }
}
