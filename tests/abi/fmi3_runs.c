/* Runs of FMI 3.0: a host that is called back, saved states, calls in any order. */
#include "fmi3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- calls back --- */

static struct {
    const Fmu *fmu;
    Messages *m;
    Component c;
    int count;
    double last;
    double end;  /* where the host wants the step to end; 0: nowhere */
    bool table;  /* whether to try all calls */
    bool sets;   /* whether to set the input to what it is */
} seen;

static void update(void *environment, double time, bool set, bool get, bool finished, bool early,
                   bool *wanted, double *at) {
    Messages *m = environment;
    CLAIM(m == seen.m && set && get && finished && early && time > seen.last, m);
    seen.last = time;
    seen.count++;
    if (seen.sets) {
        double value;
        CLAIM(fmi3GetFloat64(seen.c, &seen.fmu->input, 1, &value, 1) == OK, m);
        CLAIM(fmi3SetFloat64(seen.c, &seen.fmu->input, 1, &value, 1) == OK, m);
    }
    if (seen.table) {
        Given g = {seen.fmu, NULL, NULL, NULL, 0, time, 1};
        for (int number = 0; number < CALLS; number++) {
            int errors = m->errors;
            if (number == CALL_SetFloat64)
                continue;
            bool legal = is_legal(number, 'U');
            CLAIM((call3(number, seen.c, &g) == OK) == legal, m);
            CLAIM(m->errors == errors + !legal, m);
        }
        fmi3FreeInstance(seen.c); /* refused, too */
    }
    *wanted = seen.end > 0.0;
    *at = seen.end;
}

static void watch(const Fmu *fmu, Component c, Messages *m) {
    memset(&seen, 0, sizeof seen);
    seen.fmu = fmu;
    seen.c = c;
    seen.m = m;
}

static double output(const Fmu *fmu, Component c, Messages *m) {
    double value = NAN;
    CLAIM(fmi3GetFloat64(c, &fmu->output, 1, &value, 1) == OK && isfinite(value), m);
    return value;
}

void a_host_is_called_back_behind_every_step(const Fmu *fmu) {
    Messages m, n;
    Component c, plain;
    Stepped s;
    double now;
    load3(fmu);
    plain = make3(fmu, PLAIN, false, NULL, &n);
    c = make3(fmu, PLAIN, true, update, &m);
    watch(fmu, c, &m);
    initialize3(plain, &n);
    initialize3(c, &m);
    seen.table = true;
    s = step3(c, 0.0, fmu->step);
    CLAIM(s.status == OK && !s.event && seen.count >= 1, &m);
    CLAIM(s.early || fabs(seen.last - fmu->step) < 1e-12, &m);
    CLAIM(step3(plain, 0.0, s.reached).status == OK, &n);
    CLAIM(fabs(output(fmu, c, &m) - output(fmu, plain, &n)) < 1e-12, &m);
    /* The host ends the next step at the first call back, and one after it at a time of its own. */
    seen.table = false;
    now = s.reached;
    seen.count = 0;
    seen.end = now;
    s = step3(c, now, fmu->step);
    CLAIM(s.status == OK && s.early && s.reached == seen.last && seen.count == 1, &m);
    now = s.reached;
    seen.end = now + 0.3 * fmu->step;
    s = step3(c, now, fmu->step);
    CLAIM(s.status == OK && s.early && s.reached <= seen.end, &m);
    /* An input that is set to what it is changes the beginnings of steps, not the motion. */
    seen.end = 0.0;
    seen.sets = true;
    now = s.reached;
    s = step3(c, now, fmu->step);
    CLAIM(s.status == OK && seen.count > 2, &m);
    fmi3FreeInstance(c);
    fmi3FreeInstance(plain);
}

/* --- any order --- */

static unsigned draw(unsigned below) {
    static unsigned long long seed = 20260301;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(seed >> 33) % below;
}

static void silent(void *environment, double time, bool set, bool get, bool finished, bool early,
                   bool *wanted, double *at) {
    (void)environment, (void)set, (void)get, (void)finished, (void)early;
    *wanted = draw(4) == 0;
    *at = draw(2) ? time : NAN;
}

void any_order_of_calls_of_fmi3_is_survived(const Fmu *fmu) {
    const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, NAN, INFINITY, -INFINITY};
    const char *wanted = getenv("ABI_CALLS");
    long calls = wanted ? atol(wanted) : 30000, finished = 0, events = 0;
    Messages m;
    load3(fmu);
    for (int life = 0; life < 6; life++) {
        Use use = (Use)(life % 3);
        Component c = make3(fmu, use, life < 3, life % 2 ? silent : NULL, &m);
        void *states[3] = {NULL, NULL, NULL};
        static uint8_t bytes[1 << 14], room[1 << 14];
        size_t size = 0;
        double now = 0.0;
        const char *none[] = {NULL};
        fmi3SetDebugLogging(c, 0, 0, NULL);
        fmi3SetDebugLogging(c, 1, 1, none);
        for (long i = 0; i < calls / 6; i++) {
            Reference vr = draw(fmu->count + 6);
            double x = odd[draw(10)], value = 0.0;
            bool b = false;
            int64_t whole = 0;
            const char *text = NULL;
            void **state = &states[draw(3)];
            Given g = {fmu, *state, bytes, room, size, now, 1};
            m.last[0] = 0;
            switch (draw(16)) {
            case 0: call3((int)draw(CALLS), c, &g); break;
            case 1: fmi3EnterInitializationMode(c, 0, 0.0, draw(4) ? 0.0 : x, draw(2), odd[draw(10)]); break;
            case 2: fmi3ExitInitializationMode(c); now = draw(8) ? now : 0.0; break;
            case 3: if (!draw(16)) fmi3Terminate(c); break;
            case 4: if (!draw(8) && fmi3Reset(c) == OK) now = 0.0; break;
            case 5: fmi3SetFloat64(c, &vr, 1, &x, draw(16) ? 1 : 2); break;
            case 6: fmi3GetInt64(c, &vr, 1, &whole, 1); break;
            case 7: fmi3GetBoolean(c, &vr, 1, &b, 1); break;
            case 8:
                if (fmi3GetString(c, &vr, 1, &text, 1) == OK)
                    CLAIM(text && strlen(text) < 4096, &m);
                break;
            case 9: fmi3GetFMUState(c, state); break;
            case 10:
                if (fmi3SetFMUState(c, draw(16) ? *state : (void *)fmu) == OK) {
                    Reference time = fmu->count;
                    if (fmi3GetFloat64(c, &time, 1, &value, 1) == OK)
                        now = value;
                }
                break;
            case 11: fmi3FreeFMUState(c, state); break;
            case 12:
                if (fmi3SerializedFMUStateSize(c, *state, &size) == OK) {
                    CLAIM(size < sizeof bytes, &m);
                    CLAIM(fmi3SerializeFMUState(c, *state, bytes, size) == OK, &m);
                    CLAIM(fmi3FreeFMUState(c, state) == OK, &m);
                    CLAIM(fmi3DeserializeFMUState(c, bytes, size, state) == OK, &m);
                }
                break;
            case 13:
                if (fmi3GetFloat64(c, &vr, 1, &value, 1) == OK)
                    CLAIM(isfinite(value), &m);
                break;
            case 14:
                if (fmi3EnterEventMode(c) == OK && use == EVENTS && draw(8)) {
                    handle(c, &m);
                    CLAIM(fmi3EnterStepMode(c) == OK, &m);
                } else if (fmi3EnterStepMode(c) != OK && use == EXCHANGE)
                    fmi3SetTime(c, now += fmu->step);
                break;
            default: {
                Stepped s = step3(c, now, draw(8) ? fmu->step : x * fmu->step);
                if (s.status == OK) {
                    CLAIM(s.reached >= now && !s.terminate, &m);
                    now = s.reached;
                    finished++;
                    events += s.event;
                    CLAIM(!s.event || use == EVENTS, &m);
                }
                break;
            }
            }
            CLAIM(strstr(m.last, "defect") == NULL, &m);
        }
        for (int k = 0; k < 3; k++)
            CLAIM(fmi3FreeFMUState(c, &states[k]) == OK, &m);
        fmi3FreeInstance(c);
    }
    CLAIM(finished > calls / 500 && events > 0, &m);
}

/* --- saved states --- */

void a_state_of_fmi3_goes_on_with_the_same_bits(const Fmu *fmu) {
    Messages m;
    Component c;
    double values[2][STEPS];
    void *state = NULL;
    double begun = 0.0;
    load3(fmu);
    c = make3(fmu, EVENTS, true, NULL, &m);
    initialize3(c, &m);
    CLAIM(fmi3EnterStepMode(c) == OK, &m);
    for (int pass = 0; pass < 2; pass++) {
        double now = begun;
        if (pass)
            CLAIM(fmi3SetFMUState(c, state) == OK, &m);
        for (int i = 0; i < STEPS; i++) {
            Stepped s = step3(c, now, fmu->step);
            CLAIM(s.status == OK, &m);
            now = s.reached;
            if (s.event) {
                CLAIM(fmi3EnterEventMode(c) == OK, &m);
                handle(c, &m);
                CLAIM(fmi3EnterStepMode(c) == OK, &m);
            }
            values[pass][i] = output(fmu, c, &m);
            if (!pass && !state && i == STEPS / 3) {
                CLAIM(fmi3GetFMUState(c, &state) == OK, &m);
                begun = now;
                i = -1;
            }
        }
    }
    CLAIM(memcmp(values[0], values[1], sizeof values[0]) == 0, &m);
    CLAIM(fmi3FreeFMUState(c, &state) == OK && !state, &m);
    fmi3FreeInstance(c);
}
