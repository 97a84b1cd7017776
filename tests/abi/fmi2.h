/* The part of FMI 2.0 that the test needs, written from the standard and not from the library's
 * own types: if the two disagree, the test fails. */
#ifndef ABI_FMI2_H
#define ABI_FMI2_H

#include <stddef.h>

typedef void *Component;
typedef unsigned int Reference;

enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING };
enum { MODEL_EXCHANGE, CO_SIMULATION };
enum { DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED };

typedef void (*Logger)(void *environment, const char *instance, int status, const char *category,
                       const char *message, ...);

typedef struct {
    Logger logger;
    void *(*allocate_memory)(size_t count, size_t size);
    void (*free_memory)(void *memory);
    void (*step_finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct {
    int newDiscreteStatesNeeded;
    int terminateSimulation;
    int nominalsOfContinuousStatesChanged;
    int valuesOfContinuousStatesChanged;
    int nextEventTimeDefined;
    double nextEventTime;
} EventInfo;

/* X(function, return type, arguments): every function that a host may look up. */
#define FUNCTIONS(X)                                                                               \
    X(GetTypesPlatform, const char *, (void))                                                      \
    X(GetVersion, const char *, (void))                                                            \
    X(SetDebugLogging, int, (Component, int, size_t, const char *const *))                         \
    X(Instantiate, Component,                                                                      \
      (const char *, int, const char *, const char *, const Callbacks *, int, int))                \
    X(FreeInstance, void, (Component))                                                             \
    X(SetupExperiment, int, (Component, int, double, double, int, double))                         \
    X(EnterInitializationMode, int, (Component))                                                   \
    X(ExitInitializationMode, int, (Component))                                                    \
    X(Terminate, int, (Component))                                                                 \
    X(Reset, int, (Component))                                                                     \
    X(GetReal, int, (Component, const Reference *, size_t, double *))                              \
    X(GetInteger, int, (Component, const Reference *, size_t, int *))                              \
    X(GetBoolean, int, (Component, const Reference *, size_t, int *))                              \
    X(GetString, int, (Component, const Reference *, size_t, const char **))                       \
    X(SetReal, int, (Component, const Reference *, size_t, const double *))                        \
    X(SetInteger, int, (Component, const Reference *, size_t, const int *))                        \
    X(SetBoolean, int, (Component, const Reference *, size_t, const int *))                        \
    X(SetString, int, (Component, const Reference *, size_t, const char *const *))                 \
    X(GetFMUstate, int, (Component, void **))                                                      \
    X(SetFMUstate, int, (Component, void *))                                                       \
    X(FreeFMUstate, int, (Component, void **))                                                     \
    X(SerializedFMUstateSize, int, (Component, void *, size_t *))                                  \
    X(SerializeFMUstate, int, (Component, void *, char *, size_t))                                 \
    X(DeSerializeFMUstate, int, (Component, const char *, size_t, void **))                        \
    X(GetDirectionalDerivative, int,                                                               \
      (Component, const Reference *, size_t, const Reference *, size_t, const double *, double *)) \
    X(SetRealInputDerivatives, int,                                                                \
      (Component, const Reference *, size_t, const int *, const double *))                         \
    X(GetRealOutputDerivatives, int,                                                               \
      (Component, const Reference *, size_t, const int *, double *))                               \
    X(DoStep, int, (Component, double, double, int))                                               \
    X(CancelStep, int, (Component))                                                                \
    X(GetStatus, int, (Component, int, int *))                                                     \
    X(GetRealStatus, int, (Component, int, double *))                                              \
    X(GetIntegerStatus, int, (Component, int, int *))                                              \
    X(GetBooleanStatus, int, (Component, int, int *))                                              \
    X(GetStringStatus, int, (Component, int, const char **))                                       \
    X(EnterEventMode, int, (Component))                                                            \
    X(NewDiscreteStates, int, (Component, EventInfo *))                                                \
    X(EnterContinuousTimeMode, int, (Component))                                                   \
    X(CompletedIntegratorStep, int, (Component, int, int *, int *))                                \
    X(SetTime, int, (Component, double))                                                           \
    X(SetContinuousStates, int, (Component, const double *, size_t))                               \
    X(GetDerivatives, int, (Component, double *, size_t))                                          \
    X(GetEventIndicators, int, (Component, double *, size_t))                                      \
    X(GetContinuousStates, int, (Component, double *, size_t))                                     \
    X(GetNominalsOfContinuousStates, int, (Component, double *, size_t))

#endif
