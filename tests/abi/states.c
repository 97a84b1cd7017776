/* Saved states and the status functions, in right and wrong hands. */
#include "host.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = STEPS / 2, THREADS = 8, LIVES = 20 };

static void *save(Component c, Messages *m) {
    void *state = NULL;
    CLAIM(fmi2GetFMUstate(c, &state) == OK && state, m);
    return state;
}

/* The second half again, against the bits of the first time. */
static void second_half(const Fmu *fmu, Component c, const double *expected, Messages *m) {
    for (int i = HALF; i < STEPS; i++)
        CLAIM(step(fmu, c, i, m) == expected[i], m);
}

static void *from_bytes(Component c, Component from, void *state, Messages *m) {
    size_t size = 0, again = 0;
    void *made = NULL;
    char *bytes;
    CLAIM(fmi2SerializedFMUstateSize(from, state, &size) == OK && size > 100, m);
    CLAIM(fmi2SerializedFMUstateSize(c, state, &again) == OK && again == size, m);
    bytes = malloc(size);
    CLAIM(fmi2SerializeFMUstate(from, state, bytes, size) == OK, m);
    CLAIM(fmi2DeSerializeFMUstate(c, bytes, size, &made) == OK && made && made != state, m);
    free(bytes);
    return made;
}

void a_state_goes_on_with_the_same_bits(const Fmu *fmu) {
    Messages m, n;
    Component c = make(fmu, "one", &m), other;
    double expected[STEPS], value;
    void *state, *copy;
    initialize(c, &m);
    for (int i = 0; i < HALF; i++)
        expected[i] = step(fmu, c, i, &m);
    state = save(c, &m);
    for (int i = HALF; i < STEPS; i++)
        expected[i] = step(fmu, c, i, &m);
    CLAIM(fmi2SetFMUstate(c, state) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK && value == expected[HALF - 1], &m);
    second_half(fmu, c, expected, &m);

    /* Another instance with another past, then through bytes, then without the first one. */
    other = make(fmu, "other", &n);
    CLAIM(fmi2GetReal(c, &fmu->parameter, 1, &value) == OK, &n);
    value *= 1.05;
    CLAIM(fmi2SetReal(other, &fmu->parameter, 1, &value) == OK, &n);
    initialize(other, &n);
    step(fmu, other, 0, &n);
    CLAIM(fmi2SetFMUstate(other, state) == OK, &n);
    second_half(fmu, other, expected, &n);
    copy = from_bytes(other, c, state, &n);
    fmi2FreeInstance(c);
    CLAIM(fmi2SetFMUstate(other, copy) == OK, &n);
    second_half(fmu, other, expected, &n);
    CLAIM(fmi2SetFMUstate(other, state) == OK, &n);
    second_half(fmu, other, expected, &n);

    /* A variable that holds a state gets the new one in its place. */
    CLAIM(fmi2GetFMUstate(other, &copy) == OK, &n);
    CLAIM(fmi2SetFMUstate(other, state) == OK && fmi2SetFMUstate(other, copy) == OK, &n);
    CLAIM(fmi2GetReal(other, &fmu->output, 1, &value) == OK && value == expected[STEPS - 1], &n);
    CLAIM(fmi2FreeFMUstate(other, &state) == OK && !state, &n);
    CLAIM(fmi2FreeFMUstate(other, &copy) == OK && !copy, &n);
    CLAIM(m.errors + n.errors + m.warnings + n.warnings == 0, &n);
    fmi2FreeInstance(other);
}

/* Every function refuses the handle and says so. */
static void refuses(Component c, void *state, Messages *m) {
    char bytes[4096];
    size_t size = 0;
    void *held = state;
    int errors = m->errors;
    CLAIM(fmi2SetFMUstate(c, state) == ERROR, m);
    CLAIM(strstr(m->last, state ? "no state of this FMU" : "NULL") != NULL, m);
    CLAIM(fmi2SerializedFMUstateSize(c, state, &size) == ERROR && size == 0, m);
    CLAIM(fmi2SerializeFMUstate(c, state, bytes, sizeof bytes) == ERROR, m);
    if (state) {
        CLAIM(fmi2FreeFMUstate(c, &held) == ERROR && held == state, m);
        CLAIM(fmi2GetFMUstate(c, &held) == ERROR && held == state, m);
    }
    CLAIM(m->errors == errors + (state ? 5 : 3), m);
}

void states_of_no_one_are_refused(const Fmu *fmu) {
    Messages m, n;
    Component c = make(fmu, "one", &m), other = make(fmu, "other", &n);
    void *state, *same, *freed;
    double before, after;
    initialize(c, &m);
    before = step(fmu, c, 0, &m);
    refuses(c, NULL, &m);
    refuses(c, &m, &m);
    refuses(c, c, &m);
    refuses(c, (void *)1, &m);
    refuses(c, (void *)UINTPTR_MAX, &m);
    state = same = freed = save(c, &m);
    /* Through another instance, which has not even begun. */
    CLAIM(fmi2FreeFMUstate(other, &state) == OK && !state, &n);
    CLAIM(fmi2FreeFMUstate(other, &state) == OK, &n);
    CLAIM(fmi2FreeFMUstate(other, NULL) == OK, &n);
    CLAIM(fmi2FreeFMUstate(c, &same) == ERROR, &m);
    refuses(c, freed, &m);
    /* A number never comes twice: what is freed stays freed. */
    state = save(c, &m);
    CLAIM(state != freed, &m);
    refuses(other, freed, &n);
    CLAIM(fmi2FreeFMUstate(c, &state) == OK, &m);
    CLAIM(fmi2GetFMUstate(c, NULL) == ERROR, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &after) == OK && after == before, &m);
    step(fmu, c, 1, &m);
    fmi2FreeInstance(c);
    fmi2FreeInstance(other);
}

/* The state where the address of its variable is wanted: any number of them, and once freed. */
void a_state_in_place_of_its_address_is_freed(const Fmu *fmu) {
    enum { COUNT = 64 };
    Messages m;
    Component c = make(fmu, "address", &m);
    void *states[COUNT], *held;
    size_t size = 0;
    initialize(c, &m);
    for (int k = 0; k < COUNT; k++)
        states[k] = save(c, &m);
    for (int k = 0; k < COUNT; k++) {
        int errors = m.errors;
        held = states[k];
        CLAIM(fmi2GetFMUstate(c, (void **)held) == ERROR, &m);
        CLAIM(fmi2SerializedFMUstateSize(c, held, &size) == OK, &m);
        char *bytes = malloc(size);
        CLAIM(fmi2SerializeFMUstate(c, held, bytes, size) == OK, &m);
        CLAIM(fmi2DeSerializeFMUstate(c, bytes, size, (void **)held) == ERROR, &m);
        free(bytes);
        CLAIM(fmi2FreeFMUstate(c, (void **)held) == OK, &m);
        CLAIM(fmi2SetFMUstate(c, held) == ERROR, &m);
        CLAIM(fmi2FreeFMUstate(c, (void **)held) == ERROR, &m);
        CLAIM(fmi2FreeFMUstate(c, &held) == ERROR && held == states[k], &m);
        CLAIM(m.errors == errors + 5, &m);
    }
    fmi2FreeInstance(c);
}

void bytes_of_a_wrong_size_are_refused(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "bytes", &m);
    void *state, *made = NULL;
    size_t size = 0;
    char *bytes;
    double before, after;
    initialize(c, &m);
    before = step(fmu, c, 0, &m);
    state = save(c, &m);
    CLAIM(fmi2SerializedFMUstateSize(c, state, NULL) == ERROR, &m);
    CLAIM(fmi2SerializedFMUstateSize(c, state, &size) == OK, &m);
    bytes = calloc(size + 8, 1);
    CLAIM(fmi2SerializeFMUstate(c, state, bytes, size - 1) == ERROR && !bytes[0], &m);
    CLAIM(fmi2SerializeFMUstate(c, state, bytes, 0) == ERROR, &m);
    CLAIM(fmi2SerializeFMUstate(c, state, NULL, size) == ERROR, &m);
    CLAIM(fmi2SerializeFMUstate(c, state, bytes, (size_t)-1) == ERROR, &m);
    CLAIM(fmi2SerializeFMUstate(c, state, bytes, size + 8) == OK, &m);
    for (int i = 0; i < 8; i++)
        CLAIM(bytes[size + i] == 0, &m);
    for (size_t n = 0; n < size; n++)
        CLAIM(fmi2DeSerializeFMUstate(c, bytes, n, &made) == ERROR && !made, &m);
    CLAIM(fmi2DeSerializeFMUstate(c, bytes, size + 1, &made) == ERROR && !made, &m);
    CLAIM(fmi2DeSerializeFMUstate(c, bytes, (size_t)-1, &made) == ERROR && !made, &m);
    CLAIM(fmi2DeSerializeFMUstate(c, NULL, size, &made) == ERROR && !made, &m);
    CLAIM(fmi2DeSerializeFMUstate(c, bytes, size, NULL) == ERROR, &m);
    bytes[size / 2] ^= 1;
    CLAIM(fmi2DeSerializeFMUstate(c, bytes, size, &made) == ERROR && !made, &m);
    CLAIM(strstr(m.last, "altered") != NULL, &m);
    bytes[size / 2] ^= 1;
    CLAIM(fmi2DeSerializeFMUstate(c, bytes, size, &made) == OK && made, &m);
    CLAIM(fmi2FreeFMUstate(c, &made) == OK && fmi2FreeFMUstate(c, &state) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &after) == OK && after == before, &m);
    free(bytes);
    fmi2FreeInstance(c);
}

void states_are_legal_in_every_mode(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "modes", &m);
    void *fresh, *initializing, *stepping, *terminated, *broken;
    double bad = -1e6, value, after;
    fresh = save(c, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    initializing = save(c, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    value = step(fmu, c, 0, &m);
    stepping = save(c, &m);
    CLAIM(fmi2Terminate(c) == OK, &m);
    terminated = save(c, &m);
    CLAIM(fmi2SetFMUstate(c, fresh) == OK, &m);
    CLAIM(fmi2SetReal(c, &fmu->parameter, 1, &bad) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK && fmi2ExitInitializationMode(c) == ERROR, &m);
    broken = save(c, &m);
    CLAIM(fmi2DoStep(c, fmu->step, fmu->step, 1) == ERROR, &m);

    /* Out of the error and into each of the others. */
    CLAIM(fmi2SetFMUstate(c, terminated) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &after) == OK && after == value, &m);
    CLAIM(fmi2DoStep(c, fmu->step, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2SetFMUstate(c, broken) == OK && fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
    CLAIM(strstr(m.last, "what had happened") != NULL, &m);
    CLAIM(fmi2SetFMUstate(c, stepping) == OK, &m);
    step(fmu, c, 1, &m);
    CLAIM(fmi2SetFMUstate(c, initializing) == OK && fmi2ExitInitializationMode(c) == OK, &m);
    CLAIM(step(fmu, c, 0, &m) == value, &m);
    CLAIM(fmi2SetFMUstate(c, fresh) == OK, &m);
    initialize(c, &m);
    CLAIM(step(fmu, c, 0, &m) == value, &m);
    /* A reset forgets the simulation, not the states that the host holds. */
    CLAIM(fmi2Reset(c) == OK && fmi2SetFMUstate(c, stepping) == OK, &m);
    step(fmu, c, 1, &m);
    void *all[] = {fresh, initializing, stepping, terminated, broken};
    for (int k = 0; k < 5; k++)
        CLAIM(fmi2FreeFMUstate(c, &all[k]) == OK, &m);
    fmi2FreeInstance(c);
}

/* What the status functions say where a step has been, or that they are not allowed. */
static void status(Component c, int allowed, double last, Messages *m) {
    int k = 77, errors = m->errors, discards = m->discards;
    double x = NAN;
    const char *text = NULL;
    for (int kind = -1; kind < 6; kind++) {
        int to_step = !allowed ? ERROR : kind == DO_STEP_STATUS ? OK : DISCARD;
        int to_time = !allowed ? ERROR : kind == LAST_SUCCESSFUL_TIME ? OK : DISCARD;
        int to_end = !allowed ? ERROR : kind == TERMINATED ? OK : DISCARD;
        int to_none = !allowed ? ERROR : DISCARD;
        CLAIM(fmi2GetStatus(c, kind, &k) == to_step, m);
        CLAIM(fmi2GetRealStatus(c, kind, &x) == to_time, m);
        CLAIM(fmi2GetBooleanStatus(c, kind, &k) == to_end, m);
        CLAIM(fmi2GetIntegerStatus(c, kind, &k) == to_none, m);
        CLAIM(fmi2GetStringStatus(c, kind, &text) == to_none, m);
    }
    /* Nothing is written where nothing is answered; every refusal is in the log. */
    CLAIM(text == NULL, m);
    CLAIM(allowed ? k == 0 && x == last : k == 77 && isnan(x), m);
    CLAIM(m->errors == errors + (allowed ? 0 : 35), m);
    CLAIM(m->discards == discards + (allowed ? 32 : 0), m);
    CLAIM(fmi2CancelStep(c) == ERROR, m);
}

void a_status_is_reported_in_every_mode(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "status", &m);
    double bad = -1e6;
    status(c, 0, 0.0, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    status(c, 0, 0.0, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    status(c, 1, 0.0, &m);
    step(fmu, c, 0, &m);
    status(c, 1, fmu->step, &m);
    CLAIM(fmi2Terminate(c) == OK, &m);
    status(c, 1, fmu->step, &m);
    CLAIM(fmi2Reset(c) == OK && fmi2SetReal(c, &fmu->parameter, 1, &bad) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK && fmi2ExitInitializationMode(c) == ERROR, &m);
    status(c, 0, 0.0, &m);
    fmi2FreeInstance(c);
}

typedef struct {
    const Fmu *fmu;
    void *state;
    const double *expected;
} Job;

static void *work(void *argument) {
    Job *job = argument;
    for (int round = 0; round < 3; round++) {
        Messages m;
        Component c = make(job->fmu, "thread", &m);
        void *own;
        CLAIM(fmi2SetFMUstate(c, job->state) == OK, &m);
        own = from_bytes(c, c, job->state, &m);
        second_half(job->fmu, c, job->expected, &m);
        CLAIM(fmi2SetFMUstate(c, own) == OK && fmi2FreeFMUstate(c, &own) == OK, &m);
        second_half(job->fmu, c, job->expected, &m);
        fmi2FreeInstance(c);
    }
    return NULL;
}

void threads_exchange_states(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "source", &m);
    pthread_t threads[THREADS];
    double expected[STEPS];
    Job job = {fmu, NULL, expected};
    run(fmu, c, expected, &m);
    CLAIM(fmi2Reset(c) == OK, &m);
    initialize(c, &m);
    for (int i = 0; i < HALF; i++)
        step(fmu, c, i, &m);
    job.state = save(c, &m);
    for (int k = 0; k < THREADS; k++)
        CLAIM(pthread_create(&threads[k], NULL, work, &job) == 0, NULL);
    for (int k = 0; k < THREADS; k++)
        CLAIM(pthread_join(threads[k], NULL) == 0, NULL);
    CLAIM(fmi2FreeFMUstate(c, &job.state) == OK, &m);
    fmi2FreeInstance(c);
}

/* For valgrind: whatever is made is freed. */
void many_lives_leak_nothing(const Fmu *fmu) {
    for (int life = 0; life < LIVES; life++) {
        Messages m;
        Component c = make(fmu, "life", &m);
        void *state = NULL, *copy;
        if (life % 2)
            initialize(c, &m);
        for (int i = 0; i < (life % 2) * 5; i++) {
            step(fmu, c, i, &m);
            CLAIM(fmi2GetFMUstate(c, &state) == OK, &m);
            CLAIM(fmi2SetFMUstate(c, state) == OK, &m);
        }
        state = state ? state : save(c, &m);
        copy = from_bytes(c, c, state, &m);
        if (life % 3 == 0)
            CLAIM(fmi2Reset(c) == OK, &m);
        CLAIM(fmi2SetFMUstate(c, copy) == OK, &m);
        CLAIM(fmi2FreeFMUstate(c, &copy) == OK && fmi2FreeFMUstate(c, &state) == OK, &m);
        fmi2FreeInstance(c);
    }
}
