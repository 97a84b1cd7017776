"""Problems of benches/precision and the oscillator, by MuJoCo.

Settings after its documentation: the integrator RK4, recommended where energy is to be kept; Newton's solver; loops are closed by `connect`,
whose time constant is the smallest that is allowed, two steps. Only the oscillator, whose friction is a loss of its joint, has `implicitfast`,
recommended for all else.
"""

import time

import four_bars
import mujoco
import numpy as np
import oscillator
import pendulums
import slider_crank

VERSION = f"MuJoCo {mujoco.__version__}"


def bar(place, length, mass, inertia, inside="", joint=""):
    """A bar from a hinge at a place in the frame of its parent, along x of its own frame."""
    return f"""<body pos="{place}"><joint type="hinge" axis="0 -1 0" {joint}/>
    <inertial pos="{length / 2} 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>
    <site name="s{{k}}" pos="{length} 0 0"/>{inside}</body>"""


def run(bodies, steps, times, columns, start=None, equalities="", gravity=9.81, integrator="RK4"):
    """Values at the times and CPU time (s) of the steps; `columns` reads them, `start` gives coordinates and velocities."""
    step = float(times[-1] / steps)
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler angle="radian" boundmass="0" boundinertia="0" balanceinertia="true"/>
        <option timestep="{step!r}" gravity="0 0 {-gravity}" integrator="{integrator}"/>
        <default><equality solref="{2 * step!r} 1" solimp=".9999 .9999 .001"/><joint solreffriction="{2 * step!r} 1"/></default>
        <worldbody>{bodies}</worldbody><equality>{equalities}</equality></mujoco>"""
    )
    data = mujoco.MjData(model)
    if start:
        start(model, data)
    mujoco.mj_forward(model, data)
    rows = [columns(data)]
    parts = steps // (len(times) - 1)
    begun = time.process_time()
    for _ in times[1:]:
        mujoco.mj_step(model, data, parts)
        mujoco.mj_kinematics(model, data)
        rows.append(columns(data))
    taken = time.process_time() - begun
    rows = np.array(rows)
    if not np.all(np.isfinite(rows)) or data.time < times[-1] - step:
        raise RuntimeError("MuJoCo does not come to the end")
    return rows, taken


def sites(data):
    return data.site_xpos[:, [0, 2]].ravel()


def run_pendulums(steps):
    bodies = ""
    for k in reversed(range(pendulums.COUNT)):
        place = f"{pendulums.LENGTH if k else 0.0} 0 0"
        bodies = bar(place, pendulums.LENGTH, pendulums.MASS, pendulums.INERTIA, bodies).replace("{k}", str(k))
    return run(bodies, steps, pendulums.times, sites)


def run_four_bars(steps):
    f = four_bars
    bodies, equalities = "", ""
    for k in range(f.LOOPS + 1):
        # The bar to the next upright does not turn while that does.
        inside = bar(f"{f.LENGTH} 0 0", f.LENGTH, f.MASS, f.INERTIA).replace('name="s{k}"', f'name="c{k}"') if k < f.LOOPS else ""
        upright = bar(f"{k * f.LENGTH} 0 0", f.LENGTH, f.MASS, f.INERTIA, inside, f'name="u{k}"').replace("{k}", str(k))
        bodies += upright
        if k < f.LOOPS:
            equalities += f'<connect site1="c{k}" site2="s{k + 1}"/>'

    def start(model, data):
        for k in range(f.LOOPS + 1):
            data.qpos[model.joint(f"u{k}").qposadr[0]] = f.START
            if k < f.LOOPS:
                data.qpos[model.joint(f"u{k}").qposadr[0] + 1] = -f.START

    ends = []

    def columns(data):
        if not ends:
            ends.extend(data.site(name).id for name in ("s0", f"s{f.LOOPS}"))
        return data.site_xpos[ends][:, [0, 2]].ravel()

    return run(bodies, steps, f.times, columns, start, equalities)


def run_slider_crank(problem, steps):
    s = slider_crank
    (q, w), (m, j) = (problem.mechanism().state(np.ravel(s.PLACES), 2, s.PLACES[0][2], problem.rate)[:2]), (s.MASSES, problem.inertias)
    rod = bar(f"{s.CRANK} 0 0", s.ROD, m[1], j[1]).replace("{k}", "1")
    crank = bar("0 0 0", s.CRANK, m[0], j[0], rod).replace("{k}", "0")
    spring = f'stiffness="{s.STIFFNESS}" springref="{s.FREE - s.SLIDE!r}"'
    slider = f"""<body pos="{s.SLIDE!r} 0 0"><joint type="slide" axis="1 0 0" {spring}/>
    <inertial pos="0 0 0" mass="{m[2]}" diaginertia="1 1 1"/><site name="b"/></body>"""

    def start(model, data):
        data.qpos[:] = [q[2], q[5] - q[2], 0.0]
        data.qvel[:] = [w[2], w[5] - w[2], w[6]]

    def columns(data):
        return [data.site_xpos[0, 0], data.site_xpos[0, 2], data.site_xpos[2, 0]]

    return run(crank + slider, steps, problem.times, columns, start, '<connect site1="s1" site2="b"/>')


def run_oscillator(steps):
    o = oscillator
    loss = o.FRICTION * o.MASS * o.GRAVITY
    body = f"""<body><joint type="slide" axis="1 0 0" stiffness="{o.STIFFNESS}" frictionloss="{loss!r}"/>
    <inertial pos="0 0 0" mass="{o.MASS}" diaginertia="1 1 1"/></body>"""

    def start(_, data):
        data.qpos[0] = o.START

    return run(body, steps, o.times, lambda data: [data.qpos[0]], start, integrator="implicitfast")
