/* Model Exchange: the mechanism as a sampled block, in right and wrong hands. */
#include "host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void enter_simulation(Component c, Messages *m) {
    initialize(c, m);
    CLAIM(event(c, m) > 0.0, m);
    CLAIM(fmi2EnterContinuousTimeMode(c) == OK, m);
}

double event(Component c, Messages *m) {
    EventInfo info = {7, 7, 7, 7, 7, NAN};
    CLAIM(fmi2NewDiscreteStates(c, &info) == OK, m);
    CLAIM(info.newDiscreteStatesNeeded == 0 && info.terminateSimulation == 0, m);
    CLAIM(info.nominalsOfContinuousStatesChanged == 0, m);
    CLAIM(info.valuesOfContinuousStatesChanged == 0, m);
    CLAIM(info.nextEventTimeDefined == 1 && isfinite(info.nextEventTime), m);
    return info.nextEventTime;
}

/* What the host sets at the instant with this number. */
static double given(int i) {
    return 0.5 + 0.2 * sin(0.7 * i);
}

static void set(const Fmu *fmu, Component c, double value, Messages *m) {
    CLAIM(fmi2SetReal(c, &fmu->input, 1, &value) == OK, m);
}

static double get(const Fmu *fmu, Component c, Messages *m) {
    double value = NAN;
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK && isfinite(value), m);
    return value;
}

/* An output and its rate at an instant. */
typedef struct {
    double value, rate;
} Point;

static Point point(const Fmu *fmu, Component c, Messages *m) {
    const int first = 1;
    Point p = {get(fmu, c, m), NAN};
    CLAIM(fmi2GetRealOutputDerivatives(c, &fmu->output, 1, &first, &p.rate) == OK, m);
    return p;
}

/* The start, and what is reached in STEPS communication steps. */
static void co_simulate(const Fmu *fmu, Point *points) {
    Messages m;
    Component c = make(fmu, "steps", &m);
    initialize(c, &m);
    points[0] = point(fmu, c, &m);
    for (int i = 0; i < STEPS; i++) {
        double now = i * fmu->step;
        set(fmu, c, given(i), &m);
        CLAIM(fmi2DoStep(c, now, (i + 1) * fmu->step - now, 1) == OK, &m);
        points[i + 1] = point(fmu, c, &m);
    }
    fmi2FreeInstance(c);
}

/* What a host sees at `time`, when the mechanism stands at instant i: the value there, or the line of its rate. By
 * rounding a host is neither early nor late. */
static double shown(const Fmu *fmu, const Point *points, int i, double time) {
    double ahead = time - i * fmu->step, rounding = 1e-6 * fmu->step + 8 * 2.3e-16 * time;
    if (fmu->extrapolation_order == 0 || ahead <= rounding)
        return points[i].value;
    return points[i].value + ahead * points[i].rate;
}

/* What hosts do between two events: their integrator tries times and inputs, goes back, asks for
 * derivatives of no states and tells of steps that it has completed. */
static void wander(const Fmu *fmu, Component c, const Point *points, int i, double from, double to,
                   Messages *m) {
    const double places[] = {0.3, 0.7, 0.1, 0.5, 0.999};
    double x = NAN;
    int enter = 7, end = 7;
    for (int k = 0; k < 5; k++) {
        double time = from + places[k] * (to - from), seen = shown(fmu, points, i, time);
        CLAIM(fmi2SetTime(c, time) == OK, m);
        set(fmu, c, 100.0 * k, m);
        CLAIM(fmi2SetContinuousStates(c, &x, 0) == OK, m);
        CLAIM(fmi2GetDerivatives(c, NULL, 0) == OK && fmi2GetEventIndicators(c, &x, 0) == OK, m);
        CLAIM(get(fmu, c, m) == seen, m);
        if (i % 2) {
            CLAIM(fmi2CompletedIntegratorStep(c, k % 2, &enter, &end) == OK, m);
            CLAIM(enter == 0 && end == 0, m);
        }
        /* An event of another part of the host's model: nothing happens here. */
        if (k == 1) {
            CLAIM(fmi2EnterEventMode(c) == OK && fabs(event(c, m) - to) <= 1e-12 * to, m);
            CLAIM(get(fmu, c, m) == seen && fmi2EnterContinuousTimeMode(c) == OK, m);
        }
    }
}

enum { ON_TIME, LATE, HALF_LATE, EARLY, HABITS };

static void sample(const Fmu *fmu, int habit, const Point *points) {
    const double shift[HABITS] = {0.0, 1e-9, 0.45, -1e-12};
    Messages m;
    Component c = make_for(fmu, MODEL_EXCHANGE, "block", &m);
    double next, seen = 0.0;
    int enter = 0, end = 0;
    initialize(c, &m);
    set(fmu, c, given(0), &m);
    next = event(c, &m);
    CLAIM(fmi2EnterContinuousTimeMode(c) == OK, &m);
    for (int i = 0; i < STEPS; i++) {
        double now = next + shift[habit] * fmu->step;
        CLAIM(next == (i + 1) * fmu->step, &m);
        wander(fmu, c, points, i, (i + fmax(shift[habit], 0.0)) * fmu->step, next, &m);
        CLAIM(fmi2SetTime(c, now) == OK, &m);
        /* The value before the event, as most set it, is not that after it. */
        set(fmu, c, -30.0, &m);
        CLAIM(fmi2CompletedIntegratorStep(c, 1, &enter, &end) == OK && enter == 1 && !end, &m);
        CLAIM(fmi2EnterEventMode(c) == OK, &m);
        /* Before the event is handled: still from the instant before. */
        CLAIM(get(fmu, c, &m) == shown(fmu, points, i, now), &m);
        if (i % 3 == 0)
            CLAIM(fmi2EnterEventMode(c) == OK && fmi2SetTime(c, now) == OK, &m);
        next = event(c, &m);
        seen = shown(fmu, points, i + 1, now);
        CLAIM(get(fmu, c, &m) == seen, &m);
        /* Iterations of the event, the last of which has the value that holds. */
        for (int k = 3; k >= 0; k--) {
            set(fmu, c, given(i + 1) + k, &m);
            CLAIM(event(c, &m) == next && get(fmu, c, &m) == seen, &m);
        }
        CLAIM(fmi2EnterContinuousTimeMode(c) == OK, &m);
        CLAIM(fmi2CompletedIntegratorStep(c, 1, &enter, &end) == OK && enter == 0, &m);
    }
    CLAIM(fmi2Terminate(c) == OK && get(fmu, c, &m) == seen, &m);
    CLAIM(m.errors + m.warnings + m.discards == 0, &m);
    fmi2FreeInstance(c);
}

void a_sampled_block_has_the_bits_of_communication_steps(const Fmu *fmu) {
    Point points[STEPS + 1];
    co_simulate(fmu, points);
    for (int habit = 0; habit < HABITS; habit++)
        sample(fmu, habit, points);
}

/* The mechanism stands at an instant, the host's clock may be anywhere after it: outputs of type Real are on the line
 * from there, also beyond the next instant where a host does not come to it. The others hold. */
void outputs_run_on_to_a_host_that_is_late(const Fmu *fmu) {
    Messages m;
    Point points[STEPS + 1];
    Component c = make_for(fmu, MODEL_EXCHANGE, "late", &m);
    int sticks = 7, now = 7;
    co_simulate(fmu, points);
    initialize(c, &m);
    set(fmu, c, given(0), &m);
    event(c, &m);
    for (int i = 0; i < STEPS; i++) {
        CLAIM(fmi2EnterContinuousTimeMode(c) == OK, &m);
        CLAIM(fmi2GetBoolean(c, &fmu->boolean, 1, &sticks) == OK, &m);
        for (int k = 0; k < 30; k++) {
            double time = (i + 0.09 * k) * fmu->step;
            CLAIM(fmi2SetTime(c, time) == OK, &m);
            CLAIM(get(fmu, c, &m) == shown(fmu, points, i, time), &m);
            CLAIM(fmi2GetBoolean(c, &fmu->boolean, 1, &now) == OK && now == sticks, &m);
        }
        CLAIM(fmi2SetTime(c, (i + 1) * fmu->step) == OK && fmi2EnterEventMode(c) == OK, &m);
        event(c, &m);
        CLAIM(get(fmu, c, &m) == points[i + 1].value, &m);
        set(fmu, c, given(i + 1), &m);
    }
    fmi2FreeInstance(c);
}

/* Hosts without time events notice by the step that they have completed; whole intervals are gone. */
void instants_that_a_host_has_missed_are_made_up_for(const Fmu *fmu) {
    Messages m, n;
    Component c = make_for(fmu, MODEL_EXCHANGE, "late", &m), other = make(fmu, "steps", &n);
    Point points[4];
    int enter = 0, end = 0;
    enter_simulation(c, &m);
    CLAIM(fmi2SetTime(c, 3.4 * fmu->step) == OK, &m);
    CLAIM(fmi2CompletedIntegratorStep(c, 1, &enter, &end) == OK && enter, &m);
    CLAIM(fmi2EnterEventMode(c) == OK, &m);
    CLAIM(fabs(event(c, &m) - 4.0 * fmu->step) < 1e-12, &m);
    initialize(other, &n);
    CLAIM(fmi2DoStep(other, 0.0, 3.0 * fmu->step, 1) == OK, &n);
    points[3] = point(fmu, other, &n);
    CLAIM(get(fmu, c, &m) == shown(fmu, points, 3, 3.4 * fmu->step), &m);
    fmi2FreeInstance(c);
    fmi2FreeInstance(other);
}

/* The time is that of fmi2SetupExperiment, or that of fmi2SetTime where a host has not called it. */
void a_sampled_block_starts_where_the_host_does(const Fmu *fmu) {
    for (int told = 0; told < 2; told++) {
        Messages m;
        Component c = make_for(fmu, MODEL_EXCHANGE, "start", &m);
        CLAIM(told ? fmi2SetTime(c, 100.0) == OK
                   : fmi2SetupExperiment(c, 0, 0.0, 100.0, 0, 0.0) == OK, &m);
        CLAIM(fmi2EnterInitializationMode(c) == OK && fmi2ExitInitializationMode(c) == OK, &m);
        CLAIM(fabs(event(c, &m) - (100.0 + fmu->step)) < 1e-12, &m);
        CLAIM(fmi2EnterContinuousTimeMode(c) == OK, &m);
        CLAIM(fmi2SetTime(c, 100.0 + fmu->step) == OK && fmi2EnterEventMode(c) == OK, &m);
        CLAIM(fabs(event(c, &m) - (100.0 + 2.0 * fmu->step)) < 1e-12, &m);
        fmi2FreeInstance(c);
    }
}

void wrong_arguments_of_model_exchange_are_refused(const Fmu *fmu) {
    Messages m;
    Component c = make_for(fmu, MODEL_EXCHANGE, "arguments", &m);
    double x = 0.0, odd[] = {NAN, INFINITY, -INFINITY}, next;
    int k = 0;
    enter_simulation(c, &m);
    for (int i = 0; i < 3; i++)
        CLAIM(fmi2SetTime(c, odd[i]) == ERROR, &m);
    CLAIM(fmi2GetContinuousStates(c, &x, 1) == ERROR && strstr(m.last, "continuous states"), &m);
    CLAIM(fmi2GetEventIndicators(c, &x, 1) == ERROR && strstr(m.last, "event indicators"), &m);
    CLAIM(fmi2SetContinuousStates(c, &x, (size_t)-1) == ERROR, &m);
    CLAIM(fmi2CompletedIntegratorStep(c, 1, NULL, &k) == ERROR, &m);
    CLAIM(fmi2CompletedIntegratorStep(c, 1, &k, NULL) == ERROR, &m);
    CLAIM(fmi2SetReal(c, &fmu->parameter, 1, &x) == ERROR && strstr(m.last, "EnterEventMode"), &m);
    CLAIM(fmi2SetTime(c, fmu->step) == OK && fmi2EnterEventMode(c) == OK, &m);
    CLAIM(fmi2NewDiscreteStates(c, NULL) == ERROR, &m);
    next = event(c, &m);
    CLAIM(fmi2SetTime(c, 0.0) == ERROR && strstr(m.last, "last sampled instant"), &m);
    CLAIM(event(c, &m) == next, &m);
    CLAIM(fmi2GetReal(c, &fmu->parameter, 1, &x) == OK, &m);
    CLAIM(fmi2SetReal(c, &fmu->parameter, 1, &x) == OK, &m);
    CLAIM(fmi2DoStep(c, fmu->step, fmu->step, 1) == ERROR && strstr(m.last, "co-simulation"), &m);
    CLAIM(fmi2SetInteger(c, &fmu->order, 1, &k) == ERROR && strstr(m.last, "fixed parameter"), &m);
    k = 2;
    CLAIM(fmi2Reset(c) == OK && fmi2SetInteger(c, &fmu->order, 1, &k) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK && fmi2ExitInitializationMode(c) == ERROR, &m);
    CLAIM(strstr(m.last, "extrapolation_order") && strstr(m.last, "0 or 1"), &m);
    fmi2FreeInstance(c);
}

void a_state_of_a_sampled_block_goes_on_with_the_same_bits(const Fmu *fmu) {
    enum { HALF = STEPS / 2 };
    Messages m, n;
    Component c = make_for(fmu, MODEL_EXCHANGE, "one", &m), other;
    void *state = NULL, *copy = NULL;
    double expected[STEPS][2];
    char *bytes;
    size_t size = 0;
    enter_simulation(c, &m);
    for (int round = 0; round < 3; round++) {
        CLAIM(!round || get(fmu, c, &m) == expected[HALF - 1][1], &m);
        for (int i = round ? HALF : 0; i < STEPS; i++) {
            double values[2];
            CLAIM(fmi2SetTime(c, (i + 1) * fmu->step) == OK && fmi2EnterEventMode(c) == OK, &m);
            event(c, &m);
            set(fmu, c, given(i), &m);
            CLAIM(fmi2EnterContinuousTimeMode(c) == OK, &m);
            values[0] = get(fmu, c, &m);
            CLAIM(fmi2SetTime(c, (i + 1.6) * fmu->step) == OK, &m);
            values[1] = get(fmu, c, &m);
            CLAIM(!round || memcmp(values, expected[i], sizeof values) == 0, &m);
            memcpy(expected[i], values, sizeof values);
            if (!round && i == HALF - 1)
                CLAIM(fmi2GetFMUstate(c, &state) == OK, &m);
        }
        if (round == 0) {
            CLAIM(fmi2SetFMUstate(c, state) == OK, &m);
            continue;
        }
        /* Another instance, from bytes. */
        CLAIM(fmi2SerializedFMUstateSize(c, state, &size) == OK, &m);
        bytes = malloc(size);
        CLAIM(fmi2SerializeFMUstate(c, state, bytes, size) == OK, &m);
        fmi2FreeInstance(c);
        c = make_for(fmu, MODEL_EXCHANGE, "two", &m);
        copy = NULL;
        CLAIM(fmi2DeSerializeFMUstate(c, bytes, size, &copy) == OK, &m);
        CLAIM(fmi2SetFMUstate(c, copy) == OK && fmi2FreeFMUstate(c, &copy) == OK, &m);
        free(bytes);
    }
    /* Not into an instance for the other use. */
    other = make(fmu, "steps", &n);
    initialize(other, &n);
    step(fmu, other, 0, &n);
    CLAIM(fmi2SetFMUstate(other, state) == ERROR && strstr(n.last, "Model Exchange"), &n);
    step(fmu, other, 1, &n);
    CLAIM(fmi2FreeFMUstate(c, &state) == OK, &m);
    fmi2FreeInstance(c);
    fmi2FreeInstance(other);
}

/* For a model whose step cannot be finished. */
void an_event_that_fails_is_an_error_with_the_reason(const Fmu *fmu) {
    Messages m;
    Component c = make_for(fmu, MODEL_EXCHANGE, "fails", &m);
    EventInfo info;
    double value;
    int status = OK, i = 0;
    void *state = NULL;
    enter_simulation(c, &m);
    while (status == OK && i++ < 1000) {
        CLAIM(fmi2GetFMUstate(c, &state) == OK, &m);
        CLAIM(fmi2SetTime(c, i * fmu->step) == OK && fmi2EnterEventMode(c) == OK, &m);
        status = fmi2NewDiscreteStates(c, &info);
        CLAIM(status != OK || fmi2EnterContinuousTimeMode(c) == OK, &m);
    }
    /* 0.45 s after the start: see the model. */
    CLAIM(status == ERROR && m.errors == 1 && m.discards == 0, &m);
    CLAIM(i == (int)ceil(sqrt(2.0 / 9.81) / fmu->step), &m);
    CLAIM(strstr(m.last, "fmi2NewDiscreteStates") && strstr(m.last, "last successful time"), &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK && isfinite(value), &m);
    CLAIM(fmi2NewDiscreteStates(c, &info) == ERROR && strstr(m.last, "what had happened"), &m);
    CLAIM(fmi2SetFMUstate(c, state) == OK && fmi2FreeFMUstate(c, &state) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK && fmi2Reset(c) == OK, &m);
    choose_order(fmu, c, &m);
    enter_simulation(c, &m);
    fmi2FreeInstance(c);
}

/* Numbers that look random and are the same every time (a linear congruence). */
static unsigned draw(unsigned below) {
    static unsigned long long seed = 20260202;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(seed >> 33) % below;
}

void any_order_of_calls_of_model_exchange_is_survived(const Fmu *fmu) {
    const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, NAN, INFINITY, -INFINITY};
    Messages m;
    Component c = make_for(fmu, MODEL_EXCHANGE, "any order", &m);
    double now = 0.0;
    int events = 0;
    void *states[3] = {NULL, NULL, NULL};
    fmi2SetDebugLogging(c, 0, 0, NULL);
    for (int i = 0; i < 8000; i++) {
        Reference vr = draw(fmu->count + 2);
        EventInfo info = {0, 0, 0, 0, 0, NAN};
        double x = odd[draw(10)], value = 0.0;
        int k = 0, end = 0;
        void **state = &states[draw(3)];
        switch (draw(24)) {
        case 0: fmi2SetupExperiment(c, 0, 0.0, draw(4) ? 0.0 : x, draw(2), odd[draw(10)]); break;
        case 1: fmi2EnterInitializationMode(c); break;
        case 2: fmi2ExitInitializationMode(c); break;
        case 3: if (!draw(16)) fmi2Terminate(c); break;
        case 4:
            if (!draw(8) && fmi2Reset(c) == OK) {
                choose_order(fmu, c, &m);
                now = 0.0;
            }
            break;
        case 5: fmi2SetReal(c, &vr, 1, &x); break;
        case 6: fmi2SetInteger(c, &vr, 1, &k); break;
        case 7: fmi2SetBoolean(c, &vr, draw(2), &k); break;
        case 8: fmi2GetInteger(c, &vr, 1, &k); break;
        case 9: fmi2GetBoolean(c, &vr, 1, &k); break;
        case 10:
            if (fmi2GetReal(c, &vr, 1, &value) == OK)
                CLAIM(isfinite(value), &m);
            break;
        case 11: fmi2GetFMUstate(c, state); break;
        case 12: fmi2SetFMUstate(c, draw(16) ? *state : (void *)fmu); break;
        case 13: fmi2FreeFMUstate(c, state); break;
        case 14: fmi2DoStep(c, now, fmu->step, 1); break;
        case 15: fmi2GetDirectionalDerivative(c, &vr, 1, &vr, 1, &x, &value); break;
        case 16: fmi2CompletedIntegratorStep(c, draw(2), &k, draw(8) ? &end : NULL); break;
        case 17: fmi2GetDerivatives(c, &value, draw(2)); break;
        case 18: fmi2SetContinuousStates(c, &value, draw(2)); break;
        case 19: fmi2EnterContinuousTimeMode(c); break;
        case 20: fmi2EnterEventMode(c); break;
        case 21:
            /* Mostly a little further, so that the sequence gets somewhere; never years. */
            value = draw(8) ? now + 0.3 * fmu->step : fabs(x) < 2.0 ? x * fmu->step : x / 1e-300;
            if (fmi2SetTime(c, value) == OK)
                now = value;
            break;
        default:
            if (fmi2NewDiscreteStates(c, draw(16) ? &info : NULL) == OK) {
                CLAIM(info.nextEventTimeDefined && isfinite(info.nextEventTime), &m);
                events++;
            }
        }
        CLAIM(strstr(m.last, "defect") == NULL, &m);
    }
    CLAIM(events > 50, &m);
    for (int k = 0; k < 3; k++)
        CLAIM(fmi2FreeFMUstate(c, &states[k]) == OK, &m);
    fmi2FreeInstance(c);
}
