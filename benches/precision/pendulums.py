"""A chain of ten rigid pendulums, released horizontally."""

import numpy as np
from scipy.integrate import solve_ivp

import theirs

COUNT, LENGTH, MASS, GRAVITY, STOP = 10, 0.1, 0.1, 9.81, 1.0
INERTIA = MASS * LENGTH**2 / 12

name = "pendulums"
title = "Chain of ten pendulums"
about = f"10 rods of {LENGTH} m, released horizontally, {STOP:g} s"
times = np.linspace(0.0, STOP, 101)
ours_steps = theirs_steps = (200, 400, 800, 1600, 3200, 6400, 12800)
outputs = [f"points.p{k}.{axis}" for k in range(1, COUNT + 1) for axis in "xy"], ["supports.o.fx", "supports.o.fy"]


def accelerations(angles, rates):
    """Of the absolute angles of the rods from +x, by Lagrange's equations."""
    # Masses times lengths that rod k carries with rod j: whole rods beyond both, its own half.
    beyond = COUNT - 1 - np.arange(COUNT)
    weight = MASS * (beyond + 0.5)
    k, j = np.meshgrid(np.arange(COUNT), np.arange(COUNT), indexing="ij")
    coupling = weight[np.maximum(k, j)] * LENGTH**2
    np.fill_diagonal(coupling, MASS * LENGTH**2 * (beyond + 0.25) + INERTIA)
    turned = angles[:, None] - angles[None, :]
    moment = -(coupling * np.sin(turned)) @ rates**2 - GRAVITY * LENGTH * weight * np.cos(angles)
    return np.linalg.solve(coupling * np.cos(turned), moment)


def truth():
    def slope(_, y):
        return np.concatenate([y[COUNT:], accelerations(y[:COUNT], y[COUNT:])])

    solved = solve_ivp(slope, (0.0, STOP), np.zeros(2 * COUNT), "DOP853", times, rtol=1e-13, atol=1e-13)
    assert solved.success, solved.message
    places, forces = [], []
    for y in solved.y.T:
        angles, rates = y[:COUNT], y[COUNT:]
        second = accelerations(angles, rates)
        along, across = np.array([np.cos(angles), np.sin(angles)]), np.array([-np.sin(angles), np.cos(angles)])
        each = LENGTH * (across * second - along * rates**2)
        ends = np.cumsum(each, axis=1)
        places.append(LENGTH * np.cumsum(along, axis=1).T.ravel())
        forces.append(MASS * np.sum(ends - each / 2, axis=1) + [0.0, COUNT * MASS * GRAVITY])
    return np.array(places), np.array(forces)


def ours(step):
    points = "".join(f"p{k} = [{LENGTH * k!r}, 0.0]\n" for k in range(1, COUNT + 1))
    names = ["o"] + [f"p{k}" for k in range(1, COUNT + 1)]
    members = "".join(
        f'[members.m{k}]\nfrom = "{names[k]}"\nto = "{names[k + 1]}"\nrigid = true\nmass = {MASS}\ninertia = {INERTIA!r}\n' for k in range(COUNT)
    )
    hinges = "".join(f'[joints.p{k}]\nhinge = {{ point = "p{k}", release = ["m{k}"] }}\n' for k in range(1, COUNT))
    return f"""
name = "pendulums"
[experiment]
stop_time = {STOP}
communication_step = {float(times[1])!r}
[solver]
step = {step!r}
[points]
o = [0.0, 0.0]
{points}{members}{hinges}
[supports.o]
point = "o"
fix = ["x", "y"]
[gravity]
y = {-GRAVITY}
[interface]
outputs = {outputs[0] + outputs[1]}
"""


def theirs_system():
    system = theirs.System()
    half = LENGTH / 2
    rods = [system.body(((k + 0.5) * LENGTH, 0.0, 0.0), MASS, INERTIA, gravity=GRAVITY) for k in range(COUNT)]
    ground = system.pin(rods[0], (-half, 0.0), None, (0.0, 0.0))
    for one, other in zip(rods, rods[1:]):
        system.pin(other, (-half, 0.0), one, (half, 0.0))
    for rod in rods:
        system.watch_point(rod, (half, 0.0))
    system.watch_force(ground)
    return system
