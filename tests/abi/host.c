#include "host.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFINE(name, type, arguments) type(*fmi2##name) arguments;
FUNCTIONS(DEFINE)
#undef DEFINE

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "the library does not export %s\n", name);
        exit(1);
    }
    return found;
}

static void *library;

void load(const char *file) {
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define FIND(name, type, arguments) *(void **)&fmi2##name = symbol(library, "fmi2" #name);
    FUNCTIONS(FIND)
#undef FIND
}

int unload(const char *file) {
    dlclose(library);
    return dlopen(file, RTLD_NOW | RTLD_NOLOAD) == NULL;
}

static void logger(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...) {
    Messages *messages = environment;
    va_list arguments;
    if (!instance || !category || !message) {
        fprintf(stderr, "the logger got a NULL\n");
        exit(1);
    }
    va_start(arguments, message);
    vsnprintf(messages->last, sizeof messages->last, message, arguments);
    va_end(arguments);
    snprintf(messages->instance, sizeof messages->instance, "%s", instance);
    messages->errors += status == ERROR;
    messages->warnings += status == WARNING;
    messages->discards += status == DISCARD;
    if (messages->call_back) {
        Component component = messages->call_back;
        messages->call_back = NULL;
        messages->call_back_status = fmi2Terminate(component);
    }
}

Callbacks callbacks(Messages *messages) {
    Callbacks made = {logger, calloc, free, NULL, messages};
    memset(messages, 0, sizeof *messages);
    return made;
}

Component make(const Fmu *fmu, const char *name, Messages *messages) {
    return make_for(fmu, CO_SIMULATION, name, messages);
}

Component make_for(const Fmu *fmu, int type, const char *name, Messages *messages) {
    /* On the stack on purpose: some hosts do so, and the library must not keep the pointer. */
    Callbacks functions = callbacks(messages);
    Component c = fmi2Instantiate(name, type, fmu->guid, fmu->location, &functions, 0, 1);
    memset(&functions, 0xff, sizeof functions);
    CLAIM(c != NULL, messages);
    if (type == MODEL_EXCHANGE)
        choose_order(fmu, c, messages);
    return c;
}

void choose_order(const Fmu *fmu, Component c, Messages *messages) {
    if (fmu->order < fmu->count)
        CLAIM(fmi2SetInteger(c, &fmu->order, 1, &fmu->extrapolation_order) == OK, messages);
}

void initialize(Component c, Messages *m) {
    CLAIM(fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) == OK, m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, m);
}

double step(const Fmu *fmu, Component c, int i, Messages *m) {
    double value = NAN;
    CLAIM(fmi2DoStep(c, i * fmu->step, fmu->step, 1) == OK, m);
    CLAIM(fmi2GetReal(c, &fmu->output, 1, &value) == OK, m);
    CLAIM(isfinite(value), m);
    return value;
}

void run(const Fmu *fmu, Component c, double *values, Messages *m) {
    initialize(c, m);
    for (int i = 0; i < STEPS; i++)
        values[i] = step(fmu, c, i, m);
}

void claim(int holds, const char *text, const char *file, int line, const Messages *messages) {
    if (holds)
        return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
    if (messages)
        fprintf(stderr, "last message: %s\n", messages->last);
    exit(1);
}
