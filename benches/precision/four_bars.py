"""A chain of 40 four-bars: 41 upright bars on the ground, each joined to the next by a bar, all parallel (81 bars, one degree of freedom)."""

import numpy as np
from scipy.integrate import solve_ivp

import theirs

LOOPS, LENGTH, MASS, GRAVITY, STOP = 40, 1.0, 1.0, 9.81, 4.0
INERTIA = MASS * LENGTH**2 / 12
# The bars hang, and are released 60° from there.
START = -np.pi / 2 + np.pi / 3

name = "four_bars"
title = "Chain of 40 four-bars"
about = f"81 rigid bars, released at 60° from hanging, {STOP:g} s"
times = np.linspace(0.0, STOP, 101)
ours_steps = theirs_steps = (100, 200, 400, 800, 1600)
WATCHED = (0, 1, LOOPS // 2, LOOPS)
outputs = [f"points.t{k}.{axis}" for k in (0, LOOPS) for axis in "xy"], [f"supports.g{k}.f{axis}" for k in WATCHED for axis in "xy"]


def truth():
    # All uprights have one angle; the others move with their ends and do not turn.
    inertia = (LOOPS + 1) * (INERTIA + MASS * LENGTH**2 / 4) + LOOPS * MASS * LENGTH**2
    weight = GRAVITY * MASS * LENGTH * ((LOOPS + 1) / 2 + LOOPS)

    def second(angle):
        return -weight * np.cos(angle) / inertia

    solved = solve_ivp(lambda _, y: [y[1], second(y[0])], (0.0, STOP), [START, 0.0], "DOP853", times, rtol=1e-13, atol=1e-13)
    angle, rate = solved.y
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    top = LENGTH * (across * second(angle) - along * rate**2)
    places = np.hstack([(LENGTH * along + [[k * LENGTH], [0.0]]).T for k in (0, LOOPS)])
    forces = []
    for k in WATCHED:
        # A bar that does not turn bears with half of its load on each end; what its end takes along x follows from the upright's moments.
        down = -MASS * (GRAVITY + top[1]) * (0.5 if k in (0, LOOPS) else 1.0)
        moment = (INERTIA + MASS * LENGTH**2 / 4) * second(angle) + MASS * GRAVITY * LENGTH / 2 * along[0]
        side = (LENGTH * along[0] * down - moment) / (LENGTH * along[1])
        forces += [MASS * top[0] / 2 - side, MASS * (top[1] / 2 + GRAVITY) - down]
    return places, np.array(forces).T


def ours(step):
    points, members, joints, supports = "", "", "", ""
    bar = f"rigid = true\nmass = {MASS}\ninertia = {INERTIA!r}\n"
    for k in range(LOOPS + 1):
        x, y = k + LENGTH * np.cos(START), LENGTH * np.sin(START)
        points += f"g{k} = [{k}.0, 0.0]\nt{k} = [{float(x)!r}, {float(y)!r}]\n"
        members += f'[members.u{k}]\nfrom = "g{k}"\nto = "t{k}"\n{bar}'
        joints += f'[joints.t{k}]\nhinge = {{ point = "t{k}" }}\n'
        supports += f'[supports.g{k}]\npoint = "g{k}"\nfix = ["x", "y"]\n'
    for k in range(LOOPS):
        members += f'[members.c{k}]\nfrom = "t{k}"\nto = "t{k + 1}"\n{bar}'
    return f"""
name = "four_bars"
[experiment]
stop_time = {STOP}
communication_step = {float(times[1])!r}
[solver]
step = {step!r}
[points]
{points}{members}{joints}{supports}
[gravity]
y = {-GRAVITY}
[interface]
outputs = {outputs[0] + outputs[1]}
"""


def theirs_system():
    system = theirs.System()
    half = LENGTH / 2
    tip = LENGTH * np.array([np.cos(START), np.sin(START)])
    uprights = [system.body((k + tip[0] / 2, tip[1] / 2, START), MASS, INERTIA, gravity=GRAVITY) for k in range(LOOPS + 1)]
    grounds = [system.pin(bar, (-half, 0.0), None, (k * LENGTH, 0.0)) for k, bar in enumerate(uprights)]
    for k in range(LOOPS):
        bar = system.body((k + 0.5 + tip[0], tip[1], 0.0), MASS, INERTIA, gravity=GRAVITY)
        system.pin(bar, (-half, 0.0), uprights[k], (half, 0.0))
        system.pin(bar, (half, 0.0), uprights[k + 1], (half, 0.0))
    for k in (0, LOOPS):
        system.watch_point(uprights[k], (half, 0.0))
    for k in WATCHED:
        system.watch_force(grounds[k])
    return system
