/* Habits of hosts that are no mistakes. */
#include "host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int percent(const char *escape) {
    char digits[3] = {escape[1], escape[2], 0};
    return (int)strtol(digits, NULL, 16);
}

/* file:///path%20to as /path to */
static void decode(const char *uri, char *path) {
    for (uri += strlen("file://"); *uri; uri++) {
        if (*uri == '%') {
            *path++ = (char)percent(uri);
            uri += 2;
        } else {
            *path++ = *uri;
        }
    }
    *path = 0;
}

void names_and_locations_of_all_hosts_are_understood(const Fmu *fmu) {
    /* The path begins with a slash: these are one to four in all, and one without a scheme. */
    const char *prefixes[] = {"file:", "file:/", "file://", "file:///", "FILE://", ""};
    const char *encoded = fmu->location + strlen("file://");
    char raw[2048], location[2300], name[] = "a name with 100% ä";
    decode(fmu->location, raw);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        for (int form = 0; form < 4; form++) {
            Messages m;
            Callbacks f = callbacks(&m);
            Component c;
            const char *path = form & 1 ? raw : encoded;
            /* A plain path is not encoded by anyone. */
            if (!*prefixes[i])
                path = raw;
            snprintf(location, sizeof location, "%s%s%s", prefixes[i], path, form & 2 ? "/" : "");
            c = fmi2Instantiate(name, CO_SIMULATION, fmu->guid, location, &f, 0, 1);
            CLAIM(c != NULL, &m);
            CLAIM(m.errors + m.warnings + m.discards == 0, &m);
            /* The name was copied: this is the host's own to write to. */
            name[0] = 'b';
            CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
            CLAIM(strcmp(m.instance, "a name with 100% ä") == 0, &m);
            name[0] = 'a';
            fmi2FreeInstance(c);
        }
    /* Two slashes and no third: the first folder where a machine's name should be. */
    Messages m;
    Callbacks f = callbacks(&m);
    Component c;
    snprintf(location, sizeof location, "file://%s", encoded + 1);
    c = fmi2Instantiate(name, CO_SIMULATION, fmu->guid, location, &f, 0, 1);
    CLAIM(c != NULL && m.errors + m.warnings == 0, &m);
    fmi2FreeInstance(c);
}

/* How many of the three types the variable can be read as. */
static int types(Component c, Reference vr, Messages *m) {
    double x;
    int k, found;
    found = fmi2GetReal(c, &vr, 1, &x) == OK;
    found += fmi2GetInteger(c, &vr, 1, &k) == OK;
    found += fmi2GetBoolean(c, &vr, 1, &k) == OK && (k == 0 || k == 1);
    CLAIM(m->warnings == 0 && m->discards == 0, m);
    return found;
}

void every_variable_can_be_read_in_initialization_mode(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "reader", &m);
    double x = -1.0, set;
    CLAIM(fmi2SetupExperiment(c, 1, 1e-6, 0.0, 1, 1.0) == OK, &m);
    CLAIM(fmi2EnterInitializationMode(c) == OK, &m);
    for (Reference vr = 0; vr < fmu->count; vr++)
        CLAIM(types(c, vr, &m) == 1, &m);
    CLAIM(fmi2ExitInitializationMode(c) == OK, &m);
    /* A value that was set is there before the next step. */
    CLAIM(fmi2GetReal(c, &fmu->input, 1, &x) == OK, &m);
    set = 1.25 * x + 0.5;
    CLAIM(fmi2SetReal(c, &fmu->input, 1, &set) == OK, &m);
    CLAIM(fmi2GetReal(c, &fmu->input, 1, &x) == OK && x == set, &m);
    for (Reference vr = 0; vr < fmu->count; vr++)
        CLAIM(types(c, vr, &m) == 1, &m);
    fmi2FreeInstance(c);
}

/* Hosts load an FMU for each simulation. What lives in threads must not keep the library. */
void the_library_can_be_unloaded_and_loaded_again(const Fmu *fmu) {
    double first[STEPS], again[STEPS];
    for (int life = 0; life < 3; life++) {
        Messages m;
        void *state = NULL;
        Component c = make(fmu, "life", &m);
        run(fmu, c, life ? again : first, &m);
        CLAIM(fmi2GetFMUstate(c, &state) == OK && fmi2FreeFMUstate(c, &state) == OK, &m);
        CLAIM(fmi2DoStep(c, 0.0, fmu->step, 1) == ERROR, &m);
        CLAIM(!life || memcmp(first, again, sizeof first) == 0, &m);
        fmi2FreeInstance(c);
        CLAIM(unload(fmu->library), NULL);
        load(fmu->library);
    }
}

static void *whole_life(void *argument) {
    const Fmu *fmu = argument;
    Messages m;
    double values[STEPS];
    Component c = make(fmu, "small", &m);
    run(fmu, c, values, &m);
    fmi2FreeInstance(c);
    return NULL;
}

/* Interpreters and other C libraries give their threads little: 128 kB here, for all of it, the
 * reading of the model too. */
void a_thread_needs_little_stack(const Fmu *fmu) {
    pthread_t thread;
    pthread_attr_t attributes;
    size_t size = 128 * 1024;
    CLAIM(pthread_attr_init(&attributes) == 0, NULL);
    CLAIM(pthread_attr_setstacksize(&attributes, size) == 0, NULL);
    CLAIM(pthread_create(&thread, &attributes, whole_life, (void *)fmu) == 0, NULL);
    CLAIM(pthread_join(thread, NULL) == 0, NULL);
    pthread_attr_destroy(&attributes);
}
