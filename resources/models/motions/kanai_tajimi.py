"""The synthetic earthquake of `isolated_building_frame.toml`: filtered noise of a fixed seed.

    python resources/models/motions/kanai_tajimi.py [FOLDER]

writes `synthetic_horizontal.at2` and `synthetic_vertical.at2` (PEER format, units of g) into FOLDER,
or beside itself. It needs nothing but Python, and gives the same files everywhere.

The ground acceleration is a sum of cosines with random phases under an envelope,

    a(t) = e(t) sum_k sqrt(2 S(w_k) dw) cos(w_k t + p_k)

with the spectrum of Kanai (1957) and Tajimi (1960) and the high-pass filter of Clough & Penzien (1975),

    S(w) ~ (1 + 4 z^2 r^2) / ((1 - r^2)^2 + 4 z^2 r^2)  *  r_f^4 / ((1 - r_f^2)^2 + 4 z_f^2 r_f^2),
    r = w / w_g,  r_f = w / w_f,

the envelope of Jennings, Housner & Tsai (1968): a parabola up, a plateau, an exponential down. It is
scaled to the stated peak, and a straight line is taken away so that the ground comes to rest where it
was. It is no record of an earthquake and stands for none.
"""

import math
import pathlib
import random
import sys

DT = 0.01  # s
COUNT = 2001
G = 9.80665  # m/s2

# Name, seed, peak in g, w_g in rad/s, z: firm soil; the vertical motion is faster and weaker.
COMPONENTS = [
    ("horizontal", 1, 0.35, 15.0, 0.6),
    ("vertical", 2, 0.18, 30.0, 0.6),
]
W_F, Z_F = 3.0, 0.6  # high-pass filter
RISE, PLATEAU, DECAY = 2.0, 6.0, 0.35  # s, s, 1/s


def envelope(t):
    if t < RISE:
        return (t / RISE) ** 2
    return 1.0 if t < RISE + PLATEAU else math.exp(-DECAY * (t - RISE - PLATEAU))


def spectrum(w, w_g, z):
    r, r_f = (w / w_g) ** 2, (w / W_F) ** 2
    soil = (1.0 + 4.0 * z * z * r) / ((1.0 - r) ** 2 + 4.0 * z * z * r)
    return soil * r_f * r_f / ((1.0 - r_f) ** 2 + 4.0 * Z_F * Z_F * r_f)


def noise(seed, w_g, z):
    """Acceleration at every DT, of any size."""
    phases = random.Random(seed)
    step = 2.0 * math.pi * 0.05
    waves = []
    for k in range(1, 501):  # up to 25 Hz
        w = k * step
        waves.append((math.sqrt(2.0 * spectrum(w, w_g, z) * step), w, 2.0 * math.pi * phases.random()))
    values = []
    for i in range(COUNT):
        t = i * DT
        values.append(envelope(t) * sum(a * math.cos(w * t + p) for a, w, p in waves))
    return values


def integrals(values):
    """Velocity and displacement at the end, straight between the values."""
    v = d = 0.0
    for a, b in zip(values, values[1:]):
        d += DT * v + DT * DT * (2.0 * a + b) / 6.0
        v += DT * (a + b) / 2.0
    return v, d


def at_rest(values):
    """The values less the straight line with which velocity and displacement end at zero."""
    span = DT * (len(values) - 1)
    v, d = integrals(values)
    slope = 12.0 * (0.5 * v * span - d) / span**3
    offset = v / span - 0.5 * slope * span
    return [a - offset - slope * i * DT for i, a in enumerate(values)]


def peer(name, values):
    lines = [
        "SYNTHETIC RECORD, KANAI-TAJIMI SPECTRUM, OF NO EARTHQUAKE",
        f"coulisse, resources/models/motions/kanai_tajimi.py, {name}",
        "ACCELERATION TIME SERIES IN UNITS OF G",
        f"NPTS={len(values):7d}, DT={DT:9.4f} SEC",
    ]
    for i in range(0, len(values), 5):
        lines.append("".join(f"{value:15.7E}" for value in values[i : i + 5]))
    return "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    for name, seed, peak, w_g, z in COMPONENTS:
        values = at_rest(noise(seed, w_g, z))
        largest = max(abs(value) for value in values)
        values = [peak * value / largest for value in values]
        (folder / f"synthetic_{name}.at2").write_text(peer(name, values))


if __name__ == "__main__":
    main()
