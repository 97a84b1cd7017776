/* Which call is legal when, and what every illegal one leaves untouched. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

void every_function_refuses_null(const Fmu *fmu) {
    double x = 0.0;
    int k = 0;
    size_t size = 0;
    void *state = NULL;
    const char *text = NULL;
    Reference vr = fmu->output;
    fmi2FreeInstance(NULL);
    CLAIM(strcmp(fmi2GetTypesPlatform(), "default") == 0, NULL);
    CLAIM(strcmp(fmi2GetVersion(), "2.0") == 0, NULL);
    CLAIM(fmi2SetDebugLogging(NULL, 1, 0, NULL) == ERROR, NULL);
    CLAIM(fmi2SetupExperiment(NULL, 0, 0.0, 0.0, 0, 0.0) == ERROR, NULL);
    CLAIM(fmi2EnterInitializationMode(NULL) == ERROR, NULL);
    CLAIM(fmi2ExitInitializationMode(NULL) == ERROR, NULL);
    CLAIM(fmi2Terminate(NULL) == ERROR, NULL);
    CLAIM(fmi2Reset(NULL) == ERROR, NULL);
    CLAIM(fmi2GetReal(NULL, &vr, 1, &x) == ERROR, NULL);
    CLAIM(fmi2GetInteger(NULL, &vr, 1, &k) == ERROR, NULL);
    CLAIM(fmi2GetBoolean(NULL, &vr, 1, &k) == ERROR, NULL);
    CLAIM(fmi2GetString(NULL, &vr, 1, &text) == ERROR, NULL);
    CLAIM(fmi2SetReal(NULL, &vr, 1, &x) == ERROR, NULL);
    CLAIM(fmi2SetInteger(NULL, &vr, 1, &k) == ERROR, NULL);
    CLAIM(fmi2SetBoolean(NULL, &vr, 1, &k) == ERROR, NULL);
    CLAIM(fmi2SetString(NULL, &vr, 1, &text) == ERROR, NULL);
    CLAIM(fmi2GetFMUstate(NULL, &state) == ERROR, NULL);
    CLAIM(fmi2SetFMUstate(NULL, state) == ERROR, NULL);
    CLAIM(fmi2FreeFMUstate(NULL, &state) == ERROR, NULL);
    CLAIM(fmi2SerializedFMUstateSize(NULL, state, &size) == ERROR, NULL);
    CLAIM(fmi2SerializeFMUstate(NULL, state, NULL, 0) == ERROR, NULL);
    CLAIM(fmi2DeSerializeFMUstate(NULL, NULL, 0, &state) == ERROR, NULL);
    CLAIM(fmi2GetDirectionalDerivative(NULL, &vr, 1, &vr, 1, &x, &x) == ERROR, NULL);
    CLAIM(fmi2SetRealInputDerivatives(NULL, &vr, 1, &k, &x) == ERROR, NULL);
    CLAIM(fmi2GetRealOutputDerivatives(NULL, &vr, 1, &k, &x) == ERROR, NULL);
    CLAIM(fmi2DoStep(NULL, 0.0, 0.1, 1) == ERROR, NULL);
    CLAIM(fmi2CancelStep(NULL) == ERROR, NULL);
    CLAIM(fmi2GetStatus(NULL, DO_STEP_STATUS, &k) == ERROR, NULL);
    CLAIM(fmi2GetRealStatus(NULL, LAST_SUCCESSFUL_TIME, &x) == ERROR, NULL);
    CLAIM(fmi2GetIntegerStatus(NULL, 0, &k) == ERROR, NULL);
    CLAIM(fmi2GetBooleanStatus(NULL, TERMINATED, &k) == ERROR, NULL);
    CLAIM(fmi2GetStringStatus(NULL, PENDING_STATUS, &text) == ERROR, NULL);
    CLAIM(fmi2EnterEventMode(NULL) == ERROR, NULL);
    CLAIM(fmi2NewDiscreteStates(NULL, NULL) == ERROR, NULL);
    CLAIM(fmi2EnterContinuousTimeMode(NULL) == ERROR, NULL);
    CLAIM(fmi2CompletedIntegratorStep(NULL, 1, &k, &k) == ERROR, NULL);
    CLAIM(fmi2SetTime(NULL, 0.0) == ERROR, NULL);
    CLAIM(fmi2SetContinuousStates(NULL, &x, 1) == ERROR, NULL);
    CLAIM(fmi2GetDerivatives(NULL, &x, 1) == ERROR, NULL);
    CLAIM(fmi2GetEventIndicators(NULL, &x, 1) == ERROR, NULL);
    CLAIM(fmi2GetContinuousStates(NULL, &x, 1) == ERROR, NULL);
    CLAIM(fmi2GetNominalsOfContinuousStates(NULL, &x, 1) == ERROR, NULL);
}

void calls_out_of_order_are_refused_and_change_nothing(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "100 %s %d %n", &m);
    double x = 0.0, first, again;
    int k;
    CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &x) == ERROR, &m);
    CLAIM(fmi2ExitInitializationMode(c) == ERROR, &m);
    CLAIM(fmi2Terminate(c) == ERROR, &m);
    CLAIM(fmi2GetStatus(c, DO_STEP_STATUS, &k) == ERROR, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    CLAIM(fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) == ERROR, &m);
    CLAIM(fmi2EnterInitializationMode(c) == ERROR, &m);
    CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    CLAIM(fmi2ExitInitializationMode(c) == ERROR, &m);
    CLAIM(fmi2EnterInitializationMode(c) == ERROR, &m);
    first = step(fmu, c, 0, &m);
    CLAIM(fmi2CancelStep(c) == ERROR, &m);
    CLAIM(fmi2Terminate(c) == OK, &m);
    CLAIM(fmi2DoStep(c, fmu->step, fmu->step, 1) == ERROR, &m);
    CLAIM(fmi2Terminate(c) == ERROR, &m);
    CLAIM(fmi2SetReal(c, &fmu->input, 1, &x) == ERROR, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &again) == OK && again == first, &m);
    CLAIM(fmi2Reset(c) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &x) == ERROR, &m);
    fmi2FreeInstance(c);
}

void what_is_not_offered_is_refused(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "refusals", &m);
    double x = 0.0;
    int k = 0;
    initialize(c, &m);
    CLAIM(fmi2EnterEventMode(c) == ERROR, &m);
    CLAIM(strstr(m.last, "co-simulation") != NULL, &m);
    CLAIM(fmi2NewDiscreteStates(c, NULL) == ERROR, &m);
    CLAIM(fmi2EnterContinuousTimeMode(c) == ERROR, &m);
    CLAIM(fmi2CompletedIntegratorStep(c, 1, &k, &k) == ERROR, &m);
    CLAIM(fmi2SetTime(c, 1.0) == ERROR, &m);
    CLAIM(fmi2SetContinuousStates(c, &x, 1) == ERROR, &m);
    CLAIM(fmi2GetDerivatives(c, &x, 1) == ERROR, &m);
    CLAIM(fmi2GetEventIndicators(c, &x, 1) == ERROR, &m);
    CLAIM(fmi2GetContinuousStates(c, &x, 1) == ERROR, &m);
    CLAIM(fmi2GetNominalsOfContinuousStates(c, &x, 1) == ERROR, &m);
    step(fmu, c, 0, &m);
    fmi2FreeInstance(c);
}

/* What the calls below work with. */
typedef struct {
    const Fmu *fmu;
    void *state;
    char *bytes;
    size_t size;
    double now;
    int first;
} Given;

/* X(function, states of the standard's tables in which it is legal, arguments): lower case those of
 * Model Exchange in section 3.2.3, upper case those of co-simulation in section 4.2.4:
 *   a A instantiated, b B Initialization Mode, t T terminated, e E error,
 *   v Event Mode, c Continuous-Time Mode, C stepComplete, F stepFailed.
 * stepInProgress and stepCanceled never occur here: steps are synchronous. Beyond the tables,
 * hosts ask for nominals in Initialization Mode, enter Event Mode twice, and those that do not call
 * fmi2SetupExperiment set the time before. Directional derivatives are not offered in Model Exchange. */
#define READ "BCFTEbvcte"
#define ALWAYS "ABCFTEabvcte"
#define WRITE "ABCabvc"
#define WRITE_DISCRETE "ABCabv"
#define TABLE(X)                                                                                   \
    X(SetDebugLogging, ALWAYS, (c, 1, 0, NULL))                                                    \
    X(SetupExperiment, "Aa", (c, 0, 0.0, 0.0, 0, 0.0))                                              \
    X(EnterInitializationMode, "Aa", (c))                                                           \
    X(ExitInitializationMode, "Bb", (c))                                                            \
    X(Terminate, "CFvc", (c))                                                                        \
    X(Reset, ALWAYS, (c))                                                                          \
    X(GetReal, READ, (c, &g->fmu->output, 1, &x))                                                  \
    X(GetInteger, READ, (c, &vr, 0, &k))                                                           \
    X(GetBoolean, READ, (c, &g->fmu->boolean, 1, &k))                                              \
    X(GetString, READ, (c, &vr, 0, &text))                                                         \
    X(SetReal, WRITE, (c, &vr, 0, &x))                                                             \
    X(SetInteger, WRITE_DISCRETE, (c, &vr, 0, &k))                                                          \
    X(SetBoolean, WRITE_DISCRETE, (c, &vr, 0, &k))                                                          \
    X(SetString, WRITE_DISCRETE, (c, &vr, 0, &text))                                                        \
    X(GetFMUstate, ALWAYS, (c, &g->state))                                                         \
    X(SetFMUstate, ALWAYS, (c, g->state))                                                          \
    X(FreeFMUstate, ALWAYS, (c, &none))                                                            \
    X(SerializedFMUstateSize, ALWAYS, (c, g->state, &size))                                        \
    X(SerializeFMUstate, ALWAYS, (c, g->state, g->bytes, g->size))                                 \
    X(DeSerializeFMUstate, ALWAYS, (c, g->bytes, g->size, &none))                                  \
    X(GetDirectionalDerivative, "BCFTE", (c, &vr, 0, &vr, 0, &x, &x))                                 \
    X(SetRealInputDerivatives, "ABC", (c, &vr, 0, &k, &x))                                         \
    X(GetRealOutputDerivatives, "CFTE", (c, &g->fmu->output, 1, &g->first, &x))                    \
    X(DoStep, "C", (c, g->now, g->fmu->step, 0))                                                   \
    X(CancelStep, "", (c))                                                                         \
    X(GetStatus, "CFT", (c, DO_STEP_STATUS, &k))                                                   \
    X(GetRealStatus, "CFT", (c, LAST_SUCCESSFUL_TIME, &x))                                         \
    X(GetIntegerStatus, "CFT", (c, 0, &k))                                                         \
    X(GetBooleanStatus, "CFT", (c, TERMINATED, &k))                                                \
    X(GetStringStatus, "CFT", (c, PENDING_STATUS, &text))                                          \
    X(EnterEventMode, "vc", (c))                                                                     \
    X(NewDiscreteStates, "v", (c, &info))                                                            \
    X(EnterContinuousTimeMode, "v", (c))                                                            \
    X(CompletedIntegratorStep, "c", (c, 1, &k, &k))                                                 \
    X(SetTime, "avc", (c, g->now))                                                                       \
    X(SetContinuousStates, "c", (c, &x, 0))                                                         \
    X(GetDerivatives, "bvcte", (c, &x, 0))                                                              \
    X(GetEventIndicators, "bvcte", (c, &x, 0))                                                          \
    X(GetContinuousStates, "bvcte", (c, &x, 0))                                                         \
    X(GetNominalsOfContinuousStates, "abvcte", (c, &x, 0))

#define NUMBER(name, legal, arguments) CALL_##name,
enum { TABLE(NUMBER) CALLS };
#undef NUMBER

#define LEGAL(name, legal, arguments) legal,
static const char *const LEGAL_IN[] = {TABLE(LEGAL)};
#undef LEGAL

static int call(int number, Component c, Given *g) {
    Reference vr = 0;
    double x = 0.0;
    int k = 0, status = FATAL;
    size_t size = 0;
    const char *text = NULL;
    void *none = NULL;
    EventInfo info;
    switch (number) {
#define CASE(name, legal, arguments)                                                               \
    case CALL_##name: status = fmi2##name arguments; break;
        TABLE(CASE)
#undef CASE
    }
    if (none)
        fmi2FreeFMUstate(c, &none);
    return status;
}

/* The bytes of what an instance remembers. */
static char *memory(Component c, size_t *size, Messages *m) {
    void *state = NULL;
    char *bytes;
    CLAIM(fmi2GetFMUstate(c, &state) == OK, m);
    CLAIM(fmi2SerializedFMUstateSize(c, state, size) == OK, m);
    bytes = malloc(*size);
    CLAIM(fmi2SerializeFMUstate(c, state, bytes, *size) == OK, m);
    CLAIM(fmi2FreeFMUstate(c, &state) == OK, m);
    return bytes;
}

static void check_table(const Fmu *fmu, Component c, char where, double now, Messages *m) {
    void *here = NULL;
    Given g = {fmu, NULL, NULL, 0, now, 1};
    CLAIM(fmi2GetFMUstate(c, &here) == OK && fmi2GetFMUstate(c, &g.state) == OK, m);
    g.bytes = memory(c, &g.size, m);
    for (int number = 0; number < CALLS; number++) {
        int errors, legal = strchr(LEGAL_IN[number], where) != NULL;
        CLAIM(fmi2SetFMUstate(c, here) == OK, m);
        errors = m->errors;
        m->last[0] = 0;
        int status = call(number, c, &g);
        if (legal) {
            /* After an error, values cannot be had but may be asked for. */
            CLAIM(strchr("Ee", where) || status == OK || status == DISCARD, m);
            CLAIM(strchr("Ee", where) || m->errors == errors, m);
            CLAIM(!strstr(m->last, "not allowed"), m);
        } else {
            size_t size;
            char *bytes;
            CLAIM(status == ERROR && m->errors == errors + 1, m);
            CLAIM(strncmp(m->last, "fmi2", 4) == 0, m);
            bytes = memory(c, &size, m);
            CLAIM(size == g.size && memcmp(bytes, g.bytes, size) == 0, m);
            free(bytes);
        }
    }
    CLAIM(fmi2SetFMUstate(c, here) == OK, m);
    CLAIM(fmi2FreeFMUstate(c, &here) == OK && fmi2FreeFMUstate(c, &g.state) == OK, m);
    free(g.bytes);
}

/* A model without parameters is one whose step cannot be finished. */
void every_call_is_legal_where_the_standard_says(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "table", &m);
    double bad = -1e6, now = 0.0;
    check_table(fmu, c, 'A', now, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    check_table(fmu, c, 'B', now, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    check_table(fmu, c, 'C', now, &m);
    if (fmu->parameter) {
        step(fmu, c, 0, &m);
        check_table(fmu, c, 'C', fmu->step, &m);
    } else {
        while (fmi2DoStep(c, now, fmu->step, 1) == OK)
            now += fmu->step;
        check_table(fmu, c, 'F', now, &m);
    }
    CLAIM(fmi2Terminate(c) == OK, &m);
    check_table(fmu, c, 'T', now, &m);
    if (fmu->parameter) {
        CLAIM(fmi2Reset(c) == OK && fmi2SetReal(c, &fmu->parameter, 1, &bad) == OK, &m);
        CLAIM(fmi2EnterInitializationMode(c) == OK && fmi2ExitInitializationMode(c) == ERROR, &m);
        check_table(fmu, c, 'E', now, &m);
    }
    fmi2FreeInstance(c);
}

void every_call_of_model_exchange_is_legal_where_the_standard_says(const Fmu *fmu) {
    Messages m;
    Component c = make_for(fmu, MODEL_EXCHANGE, "table", &m);
    double bad = -1e6;
    check_table(fmu, c, 'a', 0.0, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    check_table(fmu, c, 'b', 0.0, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    check_table(fmu, c, 'v', 0.0, &m);
    event(c, &m);
    CLAIM(fmi2EnterContinuousTimeMode(c) == OK, &m);
    check_table(fmu, c, 'c', 0.0, &m);
    CLAIM(fmi2SetTime(c, fmu->step) == OK && fmi2EnterEventMode(c) == OK, &m);
    check_table(fmu, c, 'v', fmu->step, &m);
    event(c, &m);
    check_table(fmu, c, 'v', fmu->step, &m);
    CLAIM(fmi2Terminate(c) == OK, &m);
    check_table(fmu, c, 't', fmu->step, &m);
    CLAIM(fmi2Reset(c) == OK && fmi2SetReal(c, &fmu->parameter, 1, &bad) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK && fmi2ExitInitializationMode(c) == ERROR, &m);
    check_table(fmu, c, 'e', 0.0, &m);
    fmi2FreeInstance(c);
}
