/* A host for other machines, as small as can be: steps an FMU and prints values with all their bits.
 *
 * usage: other_host LIBRARY GUID RESOURCES STEP COUNT REFERENCE...
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

typedef void *Component;
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished, *environment;
} Callbacks;

static void logger(void *environment, const char *instance, int status, const char *category, const char *text, ...) {
    va_list rest;
    (void)environment, (void)instance, (void)status;
    fprintf(stderr, "[%s] ", category);
    va_start(rest, text);
    vfprintf(stderr, text, rest);
    va_end(rest);
    fputc('\n', stderr);
}

static void *library;

static void load(const char *file) {
#ifdef _WIN32
    library = LoadLibraryA(file);
    if (!library) fprintf(stderr, "%s does not load: error %lu\n", file, GetLastError());
#else
    library = dlopen(file, RTLD_NOW);
    if (!library) fprintf(stderr, "%s\n", dlerror());
#endif
    if (!library) exit(1);
}

static void *function(const char *name) {
#ifdef _WIN32
    void *found = (void *)GetProcAddress(library, name);
#else
    void *found = dlsym(library, name);
#endif
    if (!found) {
        fprintf(stderr, "no %s\n", name);
        exit(1);
    }
    return found;
}

static void must(int status, const char *what) {
    if (status != 0) {
        fprintf(stderr, "%s: status %d\n", what, status);
        exit(1);
    }
}

int main(int count, char **words) {
    load(words[1]);
    Component (*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int, int) =
        function("fmi2Instantiate");
    int (*setup)(Component, int, double, double, int, double) = function("fmi2SetupExperiment");
    int (*enter)(Component) = function("fmi2EnterInitializationMode");
    int (*leave)(Component) = function("fmi2ExitInitializationMode");
    int (*step)(Component, double, double, int) = function("fmi2DoStep");
    int (*get)(Component, const unsigned *, size_t, double *) = function("fmi2GetReal");
    int (*terminate)(Component) = function("fmi2Terminate");
    void (*release)(Component) = function("fmi2FreeInstance");

    Callbacks callbacks = {logger, calloc, free, NULL, NULL};
    Component unit = instantiate("other", 1, words[2], words[3], &callbacks, 0, 0);
    must(unit == NULL, "fmi2Instantiate");
    must(setup(unit, 0, 0.0, 0.0, 0, 0.0), "fmi2SetupExperiment");
    must(enter(unit), "fmi2EnterInitializationMode");
    must(leave(unit), "fmi2ExitInitializationMode");
    double length = atof(words[4]);
    for (int n = 0; n < atoi(words[5]); n++) {
        must(step(unit, n * length, length, 1), "fmi2DoStep");
        for (int k = 6; k < count; k++) {
            unsigned reference = (unsigned)atoi(words[k]);
            double value;
            must(get(unit, &reference, 1, &value), "fmi2GetReal");
            printf("%a ", value);
        }
        printf("\n");
    }
    must(terminate(unit), "fmi2Terminate");
    release(unit);
    return 0;
}
