/* FMI 3.0: which call is legal when. Calls back, saved states and calls in any order are in fmi3_runs.c. */
#include "fmi3.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE(name, type, arguments) type(*fmi3##name) arguments;
FUNCTIONS3(DEFINE)
#undef DEFINE

void load3(const Fmu *fmu) {
    void *library = dlopen(fmu->library, RTLD_NOW | RTLD_LOCAL);
    CLAIM(library != NULL, NULL);
#define FIND(name, type, arguments)                                                                \
    *(void **)&fmi3##name = dlsym(library, "fmi3" #name);                                          \
    if (!fmi3##name)                                                                               \
        fprintf(stderr, "the library does not export fmi3%s\n", #name);                            \
    CLAIM(fmi3##name != NULL, NULL);
    FUNCTIONS3(FIND)
#undef FIND
}

/* The folder behind the URI, with a separator at its end. */
static const char *path_of(const Fmu *fmu) {
    static char path[4096];
    const char *from = fmu->location + strlen("file://");
    size_t n = 0;
    unsigned byte;
    for (; *from; from++)
        if (*from == '%' && sscanf(from + 1, "%2x", &byte) == 1) {
            path[n++] = (char)byte;
            from += 2;
        } else
            path[n++] = *from;
    path[n++] = '/';
    path[n] = 0;
    return path;
}

static void log3(void *environment, int status, const char *category, const char *message) {
    Messages *m = environment;
    CLAIM(category && message && !strstr(message, "fmi2"), m);
    snprintf(m->last, sizeof m->last, "%s", message);
    m->errors += status == ERROR;
    m->warnings += status == WARNING;
    m->discards += status == DISCARD;
}

Component make3(const Fmu *fmu, Use use, bool early, Update3 update, Messages *m) {
    Component c;
    memset(m, 0, sizeof *m);
    c = use == EXCHANGE
            ? fmi3InstantiateModelExchange("test", fmu->guid, path_of(fmu), 0, 1, m, log3)
            : fmi3InstantiateCoSimulation("test", fmu->guid, path_of(fmu), 0, 1, use == EVENTS, early,
                                          NULL, 0, m, log3, update);
    CLAIM(c != NULL, m);
    return c;
}

void initialize3(Component c, Messages *m) {
    CLAIM(fmi3EnterInitializationMode(c, 0, 0.0, 0.0, 0, 0.0) == OK, m);
    CLAIM(fmi3ExitInitializationMode(c) == OK, m);
}

void handle(Component c, Messages *m) {
    bool again = true, b[4];
    double next;
    CLAIM(fmi3UpdateDiscreteStates(c, &again, b, b + 1, b + 2, b + 3, &next) == OK && !again, m);
}

#define LEGAL(name, legal, arguments) legal,
static const char *const LEGAL_IN[] = {TABLE(LEGAL)};
#undef LEGAL

int call3(int number, Component c, Given *g) {
    const double one = 1.0;
    double x = 0.0;
    bool b = false;
    int status = FATAL;
    size_t size = 0;
    void *none = NULL;
    switch (number) {
#define CASE(name, legal, arguments)                                                               \
    case CALL_##name: status = fmi3##name arguments; break;
        TABLE(CASE)
#undef CASE
    }
    if (none)
        fmi3FreeFMUState(c, &none);
    return status;
}

bool is_legal(int number, char mode) {
    return strchr(LEGAL_IN[number], mode) != NULL;
}

void every_function_of_fmi3_is_exported_and_refuses_null(const Fmu *fmu) {
    Messages m = {0};
    Given g = {fmu, NULL, NULL, NULL, 0, 0.0, 1};
    load3(fmu);
    CLAIM(strcmp(fmi3GetVersion(), "3.0") == 0, NULL);
    for (int number = 0; number < CALLS; number++)
        CLAIM(call3(number, NULL, &g) == ERROR, NULL);
    fmi3FreeInstance(NULL);
    CLAIM(!fmi3InstantiateScheduledExecution("t", fmu->guid, path_of(fmu), 0, 0, &m, log3, NULL, NULL,
                                             NULL) && m.errors == 1, &m);
    CLAIM(strstr(m.last, "no clocks") != NULL, &m);
    CLAIM(!fmi3InstantiateModelExchange(NULL, fmu->guid, path_of(fmu), 0, 0, &m, log3), &m);
    CLAIM(!fmi3InstantiateModelExchange("t", "{no}", path_of(fmu), 0, 0, &m, log3), &m);
    CLAIM(strstr(m.last, "instantiation token") && strstr(m.last, fmu->guid), &m);
    CLAIM(!fmi3InstantiateModelExchange("t", NULL, path_of(fmu), 0, 0, &m, log3), &m);
    CLAIM(!fmi3InstantiateModelExchange("t", fmu->guid, NULL, 0, 0, &m, log3), &m);
    CLAIM(!fmi3InstantiateModelExchange("t", fmu->guid, "/nowhere/", 0, 0, &m, log3), &m);
    CLAIM(m.errors == 6, &m);
}

static uint8_t *memory(Component c, size_t *size, Messages *m) {
    void *state = NULL;
    uint8_t *bytes;
    CLAIM(fmi3GetFMUState(c, &state) == OK, m);
    CLAIM(fmi3SerializedFMUStateSize(c, state, size) == OK, m);
    bytes = malloc(*size);
    CLAIM(fmi3SerializeFMUState(c, state, bytes, *size) == OK, m);
    CLAIM(fmi3FreeFMUState(c, &state) == OK, m);
    return bytes;
}

static void check_table(const Fmu *fmu, Component c, char where, double now, Messages *m) {
    void *here = NULL;
    Given g = {fmu, NULL, NULL, NULL, 0, now, 1};
    CLAIM(fmi3GetFMUState(c, &here) == OK && fmi3GetFMUState(c, &g.state) == OK, m);
    g.bytes = memory(c, &g.size, m);
    g.room = malloc(g.size);
    for (int number = 0; number < CALLS; number++) {
        int errors, status, legal = is_legal(number, where);
        CLAIM(fmi3SetFMUState(c, here) == OK, m);
        errors = m->errors;
        m->last[0] = 0;
        status = call3(number, c, &g);
        if (legal) {
            /* After an error, values cannot be had but may be asked for. */
            CLAIM(strchr("EeR", where) || status == OK || status == DISCARD, m);
            CLAIM(strchr("EeR", where) || m->errors == errors, m);
            CLAIM(!strstr(m->last, "not allowed"), m);
        } else {
            size_t size;
            uint8_t *bytes;
            CLAIM(status == ERROR && m->errors == errors + 1, m);
            CLAIM(strncmp(m->last, "fmi3", 4) == 0, m);
            bytes = memory(c, &size, m);
            CLAIM(size == g.size && memcmp(bytes, g.bytes, size) == 0, m);
            free(bytes);
        }
    }
    CLAIM(fmi3SetFMUState(c, here) == OK, m);
    CLAIM(fmi3FreeFMUState(c, &here) == OK && fmi3FreeFMUState(c, &g.state) == OK, m);
    free(g.bytes);
    free(g.room);
}

Stepped step3(Component c, double now, double length) {
    Stepped s = {true, true, true, NAN, FATAL};
    s.status = fmi3DoStep(c, now, length, 1, &s.event, &s.terminate, &s.early, &s.reached);
    return s;
}

void every_call_of_fmi3_is_legal_where_the_standard_says(const Fmu *fmu) {
    static const char *const MODES[] = {"ABVSTE", "GH PQR", "abvcte"};
    Messages m;
    const double bad = -1e6;
    load3(fmu);
    for (Use use = EVENTS; use <= EXCHANGE; use++) {
        const char *at = MODES[use];
        Component c = make3(fmu, use, true, NULL, &m);
        double now = 0.0;
        check_table(fmu, c, at[0], now, &m);
        CLAIM(fmi3EnterInitializationMode(c, 0, 0.0, 0.0, 0, 0.0) == OK, &m);
        check_table(fmu, c, at[1], now, &m);
        CLAIM(fmi3ExitInitializationMode(c) == OK, &m);
        if (at[2] != ' ') {
            check_table(fmu, c, at[2], now, &m);
            handle(c, &m);
            CLAIM((use == EVENTS ? fmi3EnterStepMode : fmi3EnterContinuousTimeMode)(c) == OK, &m);
        }
        check_table(fmu, c, at[3], now, &m);
        if (use != EXCHANGE) {
            Stepped s = step3(c, now, fmu->step);
            CLAIM(s.status == OK && !s.terminate && s.early == (s.reached < fmu->step), &m);
            check_table(fmu, c, at[3], s.reached, &m);
        }
        CLAIM(fmi3Terminate(c) == OK, &m);
        check_table(fmu, c, at[4], now, &m);
        CLAIM(fmi3Reset(c) == OK && fmi3SetFloat64(c, &fmu->parameter, 1, &bad, 1) == OK, &m);
        CLAIM(fmi3EnterInitializationMode(c, 0, 0.0, 0.0, 0, 0.0) == OK, &m);
        CLAIM(fmi3ExitInitializationMode(c) == ERROR, &m);
        check_table(fmu, c, at[5], now, &m);
        fmi3FreeInstance(c);
    }
}

/* For a model whose step cannot be finished. */
void a_discarded_step_of_fmi3_tells_the_time_it_reached(const Fmu *fmu) {
    Messages m;
    Component c;
    Stepped s = {false, false, false, 0.0, OK};
    double now = 0.0;
    load3(fmu);
    c = make3(fmu, EVENTS, true, NULL, &m);
    initialize3(c, &m);
    CLAIM(fmi3EnterStepMode(c) == OK, &m);
    while (now < 1000.0 && (s = step3(c, now, fmu->step)).status == OK)
        now = s.reached;
    CLAIM(s.status == DISCARD && m.discards == 1 && s.terminate, &m);
    CLAIM(s.reached >= now && s.reached < now + fmu->step, &m);
    check_table(fmu, c, 'F', now, &m);
    fmi3FreeInstance(c);
}
