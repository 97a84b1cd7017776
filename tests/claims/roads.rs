//! Random profiles: their spectra and their seeds.

use std::f64::consts::TAU;

use coulisse::joints::roughness::{IsoClass, Profile, Wave};

fn mean_square(waves: &[Wave]) -> f64 {
    waves.iter().map(|w| 0.5 * w.amplitude * w.amplitude).sum()
}

#[test]
fn roads_of_class_a_and_b_have_the_roughness_of_the_standard() {
    // 20 lines from 1 to 10 cycle/m.
    for (class, rms) in [(IsoClass::A, 0.430e-3), (IsoClass::B, 0.860e-3)] {
        let waves = class.spectrum([1.0, 10.0], 20, 7).waves();
        assert!((mean_square(&waves).sqrt() - rms).abs() < 0.5e-6);
        // What is seen along the road: its lines share the period of 20/9 m.
        let profile = Profile::Waves(waves);
        let count = 2000;
        let step = 20.0 / f64::from(count);
        let squares = (0..count).map(|i| profile.at(f64::from(i) * step)[0].powi(2));
        let seen = (squares.sum::<f64>() / f64::from(count)).sqrt();
        assert!((seen - rms).abs() < 1e-6, "{seen}");
    }
}

#[test]
fn the_spectrum_of_a_long_profile_is_the_one_asked_for() {
    // 1000 lines from 0.1 to 10.1 cycle/m, seen at 20 000 places of 400 m.
    let spectrum = IsoClass::C.spectrum([0.1, 10.1], 1000, 3);
    let profile = Profile::Waves(spectrum.waves());
    let heights: Vec<f64> = (0..20_000).map(|i| profile.at(0.02 * f64::from(i))[0]).collect();
    let power = |bin: u32| {
        let turn = TAU * f64::from(bin) / heights.len() as f64;
        let [re, im] = heights.iter().enumerate().fold([0.0; 2], |[re, im], (i, h)| {
            let (sin, cos) = (turn * i as f64).sin_cos();
            [re + h * cos, im + h * sin]
        });
        2.0 * (re * re + im * im) / (heights.len() as f64).powi(2)
    };
    for low in [0.4_f64, 0.8, 1.6, 3.2] {
        let bins = (low * 400.0).round() as u32..(2.0 * low * 400.0).round() as u32;
        let seen: f64 = bins.map(power).sum();
        // ∫ G dn over the octave.
        let target = 16.0 * 16e-6 * 0.01 * (1.0 / low - 0.5 / low);
        println!("{low} to {} cycle/m: {seen:.4e} m², target {target:.4e}", 2.0 * low);
        assert!((seen / target - 1.0).abs() < 0.03);
    }
}

#[test]
fn a_seed_gives_the_same_road_everywhere_and_another_seed_another_one() {
    let phases = |seed: u64| -> Vec<f64> {
        let waves = IsoClass::A.spectrum([1.0, 10.0], 10, seed).waves();
        waves.iter().map(|w| w.phase).collect()
    };
    let fractions = DRAWN.map(|z| TAU * ((z >> 11) as f64 / 2.0_f64.powi(53)));
    assert_eq!(phases(1_234_567), fractions);
    assert!(phases(1).iter().zip(phases(2)).all(|(a, b)| *a != b));
}

/// The first ten outputs of SplitMix64 from 1234567; the first five are published with Rosetta Code's
/// task "Pseudo-random numbers/Splitmix64".
const DRAWN: [u64; 10] = [
    6_457_827_717_110_365_317,
    3_203_168_211_198_807_973,
    9_817_491_932_198_370_423,
    4_593_380_528_125_082_431,
    16_408_922_859_458_223_821,
    7_804_594_928_223_864_054,
    10_895_525_637_215_051_397,
    5_078_158_048_327_840_177,
    8_075_865_375_900_838_704,
    15_101_793_978_218_222_876,
];
