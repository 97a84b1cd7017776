/* Drives the library as a host would, and as a host should not; which call is legal when
 * is in calls.c, FMI 3.0 in fmi3.c, saved states are in states.c, derivatives in derivatives.c, Model Exchange in sampling.c.
 *
 * usage: abi CLAIM LIBRARY LOCATION GUID PARAMETER FIXED INPUT OUTPUT BOOLEAN COUNT STEP ORDER EXTRAPOLATION
 */
#include "host.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 8, INSTANCES = 3 };

/* --- the claims --- */

static void instantiate_says_what_is_wrong(const Fmu *fmu) {
    Messages m;
    Callbacks f = callbacks(&m);
    const char *good = "test", *guid = fmu->guid, *at = fmu->location;
    int co = CO_SIMULATION;
    CLAIM(!fmi2Instantiate(good, co, guid, at, NULL, 0, 0), NULL);
    CLAIM(!fmi2Instantiate(NULL, co, guid, at, &f, 0, 0) && m.errors == 1, &m);
    CLAIM(!fmi2Instantiate("", co, guid, at, &f, 0, 0) && m.errors == 2, &m);
    CLAIM(!fmi2Instantiate(good, -1, guid, at, &f, 0, 0) && m.errors == 3, &m);
    CLAIM(!fmi2Instantiate(good, 77, guid, at, &f, 0, 0) && m.errors == 4, &m);
    CLAIM(!fmi2Instantiate(good, co, NULL, at, &f, 0, 0) && m.errors == 5, &m);
    CLAIM(!fmi2Instantiate(good, co, "{no}", at, &f, 0, 0) && m.errors == 6, &m);
    CLAIM(strstr(m.last, fmu->guid) != NULL, &m);
    CLAIM(!fmi2Instantiate(good, co, guid, NULL, &f, 0, 0) && m.errors == 7, &m);
    CLAIM(!fmi2Instantiate(good, co, guid, "", &f, 0, 0) && m.errors == 8, &m);
    CLAIM(!fmi2Instantiate(good, co, guid, "http://x/", &f, 0, 0) && m.errors == 9, &m);
    CLAIM(!fmi2Instantiate(good, co, guid, "file:///%", &f, 0, 0) && m.errors == 10, &m);
    CLAIM(!fmi2Instantiate(good, co, "\xff", at, &f, 0, 0) && m.errors == 11, &m);
}

static void without_a_logger_it_runs_in_silence(const Fmu *fmu) {
    Callbacks f = {NULL, NULL, NULL, NULL, NULL};
    double values[STEPS];
    Component c = fmi2Instantiate("t", CO_SIMULATION, fmu->guid, fmu->location, &f, 0, 1);
    CLAIM(c != NULL, NULL);
    CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, NULL);
    run(fmu, c, values, NULL);
    fmi2FreeInstance(c);
}

static void wrong_arguments_are_refused_by_name(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "arguments", &m);
    Reference unknown = fmu->count, two[2] = {fmu->output, 4294967295u};
    double x = 1.0, values[2] = {0.0, 0.0}, bad[] = {NAN, INFINITY, -INFINITY};
    const char *text = "x";
    int k = 0;
    CLAIM(fmi2SetReal(c, &fmu->output, 1, &x) == ERROR, &m);
    CLAIM(strstr(m.last, "output") != NULL, &m);
    CLAIM(fmi2SetReal(c, &unknown, 1, &x) == ERROR, &m);
    CLAIM(fmi2SetInteger(c, &fmu->input, 1, &k) == ERROR, &m);
    CLAIM(strstr(m.last, "Real") != NULL, &m);
    CLAIM(fmi2SetBoolean(c, &fmu->boolean, 1, &k) == ERROR, &m);
    CLAIM(fmi2SetString(c, &fmu->input, 1, &text) == ERROR, &m);
    CLAIM(fmi2SetReal(c, NULL, 1, &x) == ERROR, &m);
    CLAIM(fmi2SetReal(c, &fmu->input, 1, NULL) == ERROR, &m);
    CLAIM(fmi2SetReal(c, &fmu->input, (size_t)-1, &x) == ERROR, &m);
    CLAIM(fmi2SetReal(c, NULL, 0, NULL) == OK, &m);
    for (int i = 0; i < 3; i++) {
        CLAIM(fmi2SetReal(c, &fmu->input, 1, &bad[i]) == ERROR, &m);
        CLAIM(fmi2SetReal(c, &fmu->parameter, 1, &bad[i]) == ERROR, &m);
        CLAIM(fmi2SetupExperiment(c, 0, 0.0, bad[i], 0, 0.0) == ERROR, &m);
        // An infinite stop time is none.
        CLAIM(fmi2SetupExperiment(c, 0, 0.0, 0.0, 1, bad[i]) == (bad[i] > 0 ? OK : ERROR), &m);
    }
    CLAIM(fmi2SetupExperiment(c, 0, 0.0, 1.0, 1, 0.5) == ERROR, &m);
    CLAIM(fmi2SetupExperiment(c, 1, 1e-6, 0.0, 1, 10 * fmu->step) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    CLAIM(fmi2GetReal(c, two, 2, values) == ERROR, &m);
    CLAIM(fmi2GetReal(c, &fmu->boolean, 1, &x) == ERROR, &m);
    CLAIM(fmi2GetInteger(c, &fmu->output, 1, &k) == ERROR, &m);
    CLAIM(fmi2GetBoolean(c, &fmu->output, 1, &k) == ERROR, &m);
    CLAIM(fmi2GetString(c, &fmu->output, 1, &text) == ERROR, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, NULL) == ERROR, &m);
    CLAIM(fmi2GetReal(c, NULL, 0, NULL) == OK, &m);
    CLAIM(fmi2SetReal(c, &fmu->fixed, 1, &x) == ERROR, &m);
    CLAIM(strstr(m.last, "fixed parameter") != NULL, &m);
    CLAIM(fmi2GetBoolean(c, &fmu->boolean, 1, &k) == OK && (k == 0 || k == 1), &m);
    for (int i = 0; i < 3; i++) {
        CLAIM(fmi2DoStep(c, 0.0, bad[i], 1) == ERROR, &m);
        CLAIM(fmi2DoStep(c, bad[i], fmu->step, 1) == ERROR, &m);
    }
    CLAIM(fmi2DoStep(c, 0.0, 0.0, 1) == ERROR, &m);
    CLAIM(fmi2DoStep(c, 0.0, -fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2DoStep(c, fmu->step, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2DoStep(c, 0.0, 11 * fmu->step, 1) == ERROR, &m);
    CLAIM(strstr(m.last, "stop time") != NULL, &m);
    for (int i = 0; i < 10; i++)
        step(fmu, c, i, &m);
    CLAIM(fmi2DoStep(c, 10 * fmu->step, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2GetRealStatus(c, LAST_SUCCESSFUL_TIME, NULL) == ERROR, &m);
    CLAIM(fmi2GetRealStatus(c, PENDING_STATUS, &x) == DISCARD, &m);
    CLAIM(fmi2GetIntegerStatus(c, PENDING_STATUS, &k) == DISCARD, &m);
    CLAIM(fmi2GetStringStatus(c, PENDING_STATUS, &text) == DISCARD, &m);
    CLAIM(fmi2GetStatus(c, DO_STEP_STATUS, &k) == OK && k == OK, &m);
    fmi2FreeInstance(c);
}

static void log_categories_can_be_switched(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "log", &m);
    const char *known[] = {"logEvents", "logSolver"}, *unknown[] = {"logEverything"};
    const char *null[] = {NULL};
    CLAIM(fmi2SetDebugLogging(c, 0, 0, NULL) == OK, &m);
    CLAIM(fmi2SetDebugLogging(c, 1, 2, known) == OK, &m);
    CLAIM(fmi2SetDebugLogging(c, 1, 1, unknown) == ERROR, &m);
    CLAIM(strstr(m.last, "logStatusDiscard") != NULL, &m);
    CLAIM(fmi2SetDebugLogging(c, 1, 1, null) == ERROR, &m);
    CLAIM(fmi2SetDebugLogging(c, 1, 1, NULL) == ERROR, &m);
    m.last[0] = 0;
    initialize(c, &m);
    CLAIM(strstr(m.last, "started") != NULL, &m);
    step(fmu, c, 0, &m);
    CLAIM(strstr(m.last, "iterations") != NULL, &m);
    fmi2FreeInstance(c);
}

static void a_logger_that_calls_back_is_refused(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "reentrant", &m);
    m.call_back = c;
    CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
    CLAIM(m.call_back_status == ERROR, &m);
    initialize(c, &m);
    fmi2FreeInstance(c);
}

static void reset_starts_over_with_the_same_bits(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "reset", &m);
    double first[STEPS], again[STEPS], start, value;
    run(fmu, c, first, &m);
    CLAIM(fmi2Reset(c) == OK, &m);
    /* Values of the first life must not leak into the second. */
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->parameter, 1, &start) == OK, &m);
    value = start * 0.9;
    CLAIM(fmi2SetReal(c, &fmu->parameter, 1, &value) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->parameter, 1, &value) == OK && value == start * 0.9, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->parameter, 1, &value) == OK && value == start * 0.9, &m);
    step(fmu, c, 0, &m);
    CLAIM(fmi2Reset(c) == OK, &m);
    run(fmu, c, again, &m);
    CLAIM(memcmp(first, again, sizeof first) == 0, &m);
    fmi2FreeInstance(c);
}

static void a_bad_parameter_is_an_error_that_reset_heals(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "parameter", &m);
    double bad = -1e6, value;
    CLAIM(fmi2SetReal(c, &fmu->parameter, 1, &bad) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == ERROR, &m);
    CLAIM(fmi2ExitInitializationMode(c) == ERROR, &m);
    CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2Reset(c) == OK, &m);
    initialize(c, &m);
    step(fmu, c, 0, &m);
    fmi2FreeInstance(c);
}

static void interleaved_instances_do_not_disturb_each_other(const Fmu *fmu) {
    Messages alone, m[INSTANCES];
    double expected[STEPS];
    Component single = make(fmu, "alone", &alone), c[INSTANCES];
    run(fmu, single, expected, &alone);
    fmi2FreeInstance(single);
    for (int k = 0; k < INSTANCES; k++) {
        c[k] = make(fmu, "interleaved", &m[k]);
        initialize(c[k], &m[k]);
    }
    for (int i = 0; i < STEPS; i++)
        for (int k = INSTANCES - 1; k >= 0; k--)
            CLAIM(step(fmu, c[k], i, &m[k]) == expected[i], &m[k]);
    for (int k = 0; k < INSTANCES; k++)
        fmi2FreeInstance(c[k]);
}

typedef struct {
    const Fmu *fmu;
    double values[STEPS];
} Job;

static void *work(void *argument) {
    Job *job = argument;
    for (int round = 0; round < 3; round++) {
        Messages m;
        Component c = make(job->fmu, "thread", &m);
        run(job->fmu, c, job->values, &m);
        fmi2FreeInstance(c);
    }
    return NULL;
}

static void threads_give_the_same_bits(const Fmu *fmu) {
    pthread_t threads[THREADS];
    static Job jobs[THREADS];
    for (int k = 0; k < THREADS; k++) {
        jobs[k].fmu = fmu;
        CLAIM(pthread_create(&threads[k], NULL, work, &jobs[k]) == 0, NULL);
    }
    for (int k = 0; k < THREADS; k++)
        CLAIM(pthread_join(threads[k], NULL) == 0, NULL);
    for (int k = 1; k < THREADS; k++)
        CLAIM(memcmp(jobs[0].values, jobs[k].values, sizeof jobs[0].values) == 0, NULL);
}

static void a_start_time_shifts_the_clock(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "shifted", &m);
    double value, early;
    CLAIM(fmi2SetupExperiment(c, 0, 0.0, 100.0, 0, 0.0) == OK && m.warnings == 0, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2DoStep(c, 100.0, fmu->step, 1) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK, &m);
    CLAIM(fmi2Reset(c) == OK, &m);
    initialize(c, &m);
    early = step(fmu, c, 0, &m);
    CLAIM(fabs(value - early) <= 1e-9 * (1.0 + fabs(early)), &m);
    fmi2FreeInstance(c);
}

/* Numbers that look random and are the same every time (a linear congruence). */
static unsigned draw(unsigned below) {
    static unsigned long long seed = 20260101;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(seed >> 33) % below;
}

static void any_order_of_calls_is_survived(const Fmu *fmu) {
    const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, NAN, INFINITY, -INFINITY};
    Messages m;
    Component c = make(fmu, "any order", &m);
    double now = 0.0;
    int finished = 0;
    void *states[3] = {NULL, NULL, NULL};
    char bytes[16384];
    size_t size = 0;
    fmi2SetDebugLogging(c, 0, 0, NULL);
    for (int i = 0; i < 5000; i++) {
        Reference vr = draw(fmu->count + 2);
        double x = odd[draw(10)], values[1] = {0.0};
        int k = 0;
        /* Mostly the right step, so that the sequence gets somewhere. */
        double length = draw(8) ? fmu->step : x * fmu->step;
        void **state = &states[draw(3)];
        switch (draw(22)) {
        case 0: fmi2SetupExperiment(c, 0, 0.0, draw(4) ? 0.0 : x, draw(2), odd[draw(10)]); break;
        case 1: fmi2EnterInitializationMode(c); break;
        case 2: fmi2ExitInitializationMode(c); break;
        case 3: if (!draw(8)) fmi2Terminate(c); break;
        case 4: if (!draw(4)) fmi2Reset(c); break;
        case 5: fmi2SetReal(c, &vr, 1, &x); break;
        case 6: fmi2SetInteger(c, &vr, 1, &k); break;
        case 7: fmi2SetBoolean(c, &vr, draw(2), &k); break;
        case 8: fmi2GetInteger(c, &vr, 1, &k); break;
        case 9: fmi2GetBoolean(c, &vr, 1, &k); break;
        case 10: fmi2GetStatus(c, (int)draw(6), &k); break;
        case 11: fmi2GetRealStatus(c, LAST_SUCCESSFUL_TIME, &now); break;
        case 12:
            if (fmi2GetReal(c, &vr, 1, values) == OK)
                CLAIM(isfinite(values[0]), &m);
            break;
        case 13: fmi2GetFMUstate(c, state); break;
        case 14: fmi2SetFMUstate(c, draw(16) ? *state : (void *)fmu); break;
        case 15: fmi2FreeFMUstate(c, state); break;
        case 16: fmi2SerializeFMUstate(c, *state, bytes, draw(sizeof bytes)); break;
        case 17:
            /* Into an empty variable only: another state there would be lost. */
            if (!*state && fmi2DeSerializeFMUstate(c, bytes, size, state) != OK)
                CLAIM(*state == NULL, &m);
            break;
        case 18:
            if (fmi2SerializedFMUstateSize(c, *state, &size) == OK)
                CLAIM(size < sizeof bytes, &m);
            break;
        default: finished += fmi2DoStep(c, now, length, 1) == OK; break;
        }
        CLAIM(strstr(m.last, "defect") == NULL, &m);
    }
    CLAIM(finished > 10, &m);
    for (int k = 0; k < 3; k++)
        CLAIM(fmi2FreeFMUstate(c, &states[k]) == OK, &m);
    fmi2FreeInstance(c);
}

/* For a model whose step cannot be finished. */
static void a_discarded_step_tells_the_time_it_reached(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "discard", &m);
    double now = 0.0, last = -1.0, value, time;
    int status = OK, k = -1;
    initialize(c, &m);
    while (status == OK && now < 1000.0) {
        status = fmi2DoStep(c, now, fmu->step, 1);
        if (status == OK)
            now += fmu->step;
    }
    CLAIM(status == DISCARD && m.discards == 1, &m);
    CLAIM(fmi2GetStatus(c, DO_STEP_STATUS, &k) == OK && k == DISCARD, &m);
    CLAIM(fmi2GetRealStatus(c, LAST_SUCCESSFUL_TIME, &last) == OK, &m);
    CLAIM(last >= now && last < now + fmu->step, &m);
    CLAIM(fmi2GetBooleanStatus(c, TERMINATED, &k) == OK && k == 1, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK && isfinite(value), &m);
    CLAIM(fmi2DoStep(c, last, fmu->step, 1) == ERROR, &m);
    CLAIM(strstr(m.last, "last successful time") != NULL, &m);
    CLAIM(fmi2Terminate(c) == OK, &m);
    CLAIM(fmi2GetRealStatus(c, LAST_SUCCESSFUL_TIME, &time) == OK && time == last, &m);
    fmi2FreeInstance(c);
}

/* For a folder with a broken model file: prints what the log says. */
static void a_broken_model_is_reported_to_the_log(const Fmu *fmu) {
    Messages m;
    Callbacks f = callbacks(&m);
    CLAIM(!fmi2Instantiate("broken", CO_SIMULATION, fmu->guid, fmu->location, &f, 0, 0), &m);
    CLAIM(m.errors == 1, &m);
    fputs(m.last, stdout);
}

typedef struct {
    const char *name;
    void (*run)(const Fmu *);
} Claim;

#define ENTRY(name) {#name, name}
static const Claim CLAIMS[] = {
    ENTRY(every_function_refuses_null),
    ENTRY(instantiate_says_what_is_wrong),
    ENTRY(without_a_logger_it_runs_in_silence),
    ENTRY(calls_out_of_order_are_refused_and_change_nothing),
    ENTRY(wrong_arguments_are_refused_by_name),
    ENTRY(log_categories_can_be_switched),
    ENTRY(a_logger_that_calls_back_is_refused),
    ENTRY(every_call_is_legal_where_the_standard_says),
    ENTRY(every_call_of_model_exchange_is_legal_where_the_standard_says),
    ENTRY(what_is_not_offered_is_refused),
    ENTRY(reset_starts_over_with_the_same_bits),
    ENTRY(derivatives_are_answered),
    ENTRY(a_bad_parameter_is_an_error_that_reset_heals),
    ENTRY(interleaved_instances_do_not_disturb_each_other),
    ENTRY(threads_give_the_same_bits),
    ENTRY(a_start_time_shifts_the_clock),
    ENTRY(any_order_of_calls_is_survived),
    ENTRY(a_state_goes_on_with_the_same_bits),
    ENTRY(a_state_in_place_of_its_address_is_freed),
    ENTRY(states_of_no_one_are_refused),
    ENTRY(bytes_of_a_wrong_size_are_refused),
    ENTRY(states_are_legal_in_every_mode),
    ENTRY(a_status_is_reported_in_every_mode),
    ENTRY(threads_exchange_states),
    ENTRY(many_lives_leak_nothing),
    ENTRY(names_and_locations_of_all_hosts_are_understood),
    ENTRY(the_library_can_be_unloaded_and_loaded_again),
    ENTRY(a_thread_needs_little_stack),
    ENTRY(every_variable_can_be_read_in_initialization_mode),
    ENTRY(a_discarded_step_tells_the_time_it_reached),
    ENTRY(a_broken_model_is_reported_to_the_log),
    ENTRY(a_sampled_block_has_the_bits_of_communication_steps),
    ENTRY(instants_that_a_host_has_missed_are_made_up_for),
    ENTRY(a_sampled_block_starts_where_the_host_does),
    ENTRY(wrong_arguments_of_model_exchange_are_refused),
    ENTRY(outputs_run_on_to_a_host_that_is_late),
    ENTRY(a_state_of_a_sampled_block_goes_on_with_the_same_bits),
    ENTRY(an_event_that_fails_is_an_error_with_the_reason),
    ENTRY(any_order_of_calls_of_model_exchange_is_survived),
    ENTRY(every_function_of_fmi3_is_exported_and_refuses_null),
    ENTRY(every_call_of_fmi3_is_legal_where_the_standard_says),
    ENTRY(a_discarded_step_of_fmi3_tells_the_time_it_reached),
    ENTRY(a_host_is_called_back_behind_every_step),
    ENTRY(any_order_of_calls_of_fmi3_is_survived),
    ENTRY(a_state_of_fmi3_goes_on_with_the_same_bits),
};

int main(int argc, char **argv) {
    if (argc != 14) {
        fprintf(stderr, "usage: abi CLAIM LIBRARY LOCATION GUID PARAMETER FIXED INPUT OUTPUT BOOLEAN "
                        "COUNT STEP ORDER EXTRAPOLATION\n");
        return 2;
    }
    Fmu fmu = {
        argv[2],
        argv[3],
        argv[4],
        (Reference)strtoul(argv[5], NULL, 10),
        (Reference)strtoul(argv[6], NULL, 10),
        (Reference)strtoul(argv[7], NULL, 10),
        (Reference)strtoul(argv[8], NULL, 10),
        (Reference)strtoul(argv[9], NULL, 10),
        (Reference)strtoul(argv[10], NULL, 10),
        strtod(argv[11], NULL),
        (Reference)strtoul(argv[12], NULL, 10),
        atoi(argv[13]),
    };
    /* A call that never returns is a failure too. */
    alarm(300);
    load(argv[2]);
    for (size_t i = 0; i < sizeof CLAIMS / sizeof *CLAIMS; i++)
        if (strcmp(argv[1], CLAIMS[i].name) == 0) {
            CLAIMS[i].run(&fmu);
            return 0;
        }
    fprintf(stderr, "unknown claim %s\n", argv[1]);
    return 2;
}
