/* The part of FMI 3.0 that the test needs, written from the standard and not from the library's
 * own types: if the two disagree, the test fails. */
#ifndef ABI_FMI3_H
#define ABI_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host.h"

typedef void (*Log3)(void *environment, int status, const char *category, const char *message);
typedef void (*Update3)(void *environment, double time, bool set, bool get, bool finished, bool early,
                        bool *wanted, double *at);

/* X(function, return type, arguments): every function of the standard. */
#define FUNCTIONS3(X) \
    X(GetVersion, const char *, (void))                                                             \
    X(SetDebugLogging, int, (Component, bool, size_t, const char **))                              \
    X(InstantiateModelExchange, Component,                                                         \
     (const char *, const char *, const char *, bool, bool, void *, Log3))                         \
    X(InstantiateCoSimulation, Component,                                                          \
     (const char *, const char *, const char *, bool, bool, bool, bool, const Reference *,         \
       size_t, void *, Log3, Update3))                                                             \
    X(InstantiateScheduledExecution, Component,                                                    \
     (const char *, const char *, const char *, bool, bool, void *, Log3, void *, void *,          \
       void *))                                                                                    \
    X(FreeInstance, void, (Component))                                                             \
    X(EnterInitializationMode, int, (Component, bool, double, double, bool, double))               \
    X(ExitInitializationMode, int, (Component))                                                    \
    X(EnterEventMode, int, (Component))                                                            \
    X(Terminate, int, (Component))                                                                 \
    X(Reset, int, (Component))                                                                     \
    X(GetFloat32, int, (Component, const Reference *, size_t, float *, size_t))                    \
    X(GetFloat64, int, (Component, const Reference *, size_t, double *, size_t))                   \
    X(GetInt8, int, (Component, const Reference *, size_t, int8_t *, size_t))                      \
    X(GetUInt8, int, (Component, const Reference *, size_t, uint8_t *, size_t))                    \
    X(GetInt16, int, (Component, const Reference *, size_t, int16_t *, size_t))                    \
    X(GetUInt16, int, (Component, const Reference *, size_t, uint16_t *, size_t))                  \
    X(GetInt32, int, (Component, const Reference *, size_t, int32_t *, size_t))                    \
    X(GetUInt32, int, (Component, const Reference *, size_t, uint32_t *, size_t))                  \
    X(GetInt64, int, (Component, const Reference *, size_t, int64_t *, size_t))                    \
    X(GetUInt64, int, (Component, const Reference *, size_t, uint64_t *, size_t))                  \
    X(GetBoolean, int, (Component, const Reference *, size_t, bool *, size_t))                     \
    X(GetString, int, (Component, const Reference *, size_t, const char **, size_t))               \
    X(GetBinary, int,                                                                              \
     (Component, const Reference *, size_t, size_t *, const uint8_t **, size_t))                   \
    X(GetClock, int, (Component, const Reference *, size_t, bool *))                               \
    X(SetFloat32, int, (Component, const Reference *, size_t, const float *, size_t))              \
    X(SetFloat64, int, (Component, const Reference *, size_t, const double *, size_t))             \
    X(SetInt8, int, (Component, const Reference *, size_t, const int8_t *, size_t))                \
    X(SetUInt8, int, (Component, const Reference *, size_t, const uint8_t *, size_t))              \
    X(SetInt16, int, (Component, const Reference *, size_t, const int16_t *, size_t))              \
    X(SetUInt16, int, (Component, const Reference *, size_t, const uint16_t *, size_t))            \
    X(SetInt32, int, (Component, const Reference *, size_t, const int32_t *, size_t))              \
    X(SetUInt32, int, (Component, const Reference *, size_t, const uint32_t *, size_t))            \
    X(SetInt64, int, (Component, const Reference *, size_t, const int64_t *, size_t))              \
    X(SetUInt64, int, (Component, const Reference *, size_t, const uint64_t *, size_t))            \
    X(SetBoolean, int, (Component, const Reference *, size_t, const bool *, size_t))               \
    X(SetString, int, (Component, const Reference *, size_t, const char **, size_t))               \
    X(SetBinary, int,                                                                              \
     (Component, const Reference *, size_t, const size_t *, const uint8_t **, size_t))             \
    X(SetClock, int, (Component, const Reference *, size_t, const bool *))                         \
    X(GetNumberOfVariableDependencies, int, (Component, Reference, size_t *))                      \
    X(GetVariableDependencies, int,                                                                \
     (Component, Reference, size_t *, Reference *, size_t *, int *, size_t))                       \
    X(GetFMUState, int, (Component, void **))                                                      \
    X(SetFMUState, int, (Component, void *))                                                       \
    X(FreeFMUState, int, (Component, void **))                                                     \
    X(SerializedFMUStateSize, int, (Component, void *, size_t *))                                  \
    X(SerializeFMUState, int, (Component, void *, uint8_t *, size_t))                              \
    X(DeserializeFMUState, int, (Component, const uint8_t *, size_t, void **))                     \
    X(GetDirectionalDerivative, int,                                                               \
     (Component, const Reference *, size_t, const Reference *, size_t, const double *,             \
       size_t, double *, size_t))                                                                  \
    X(GetAdjointDerivative, int,                                                                   \
     (Component, const Reference *, size_t, const Reference *, size_t, const double *,             \
       size_t, double *, size_t))                                                                  \
    X(EnterConfigurationMode, int, (Component))                                                    \
    X(ExitConfigurationMode, int, (Component))                                                     \
    X(GetIntervalDecimal, int, (Component, const Reference *, size_t, double *, int *))            \
    X(GetIntervalFraction, int,                                                                    \
     (Component, const Reference *, size_t, uint64_t *, uint64_t *, int *))                        \
    X(GetShiftDecimal, int, (Component, const Reference *, size_t, double *))                      \
    X(GetShiftFraction, int, (Component, const Reference *, size_t, uint64_t *, uint64_t *))       \
    X(SetIntervalDecimal, int, (Component, const Reference *, size_t, const double *))             \
    X(SetIntervalFraction, int,                                                                    \
     (Component, const Reference *, size_t, const uint64_t *, const uint64_t *))                   \
    X(SetShiftDecimal, int, (Component, const Reference *, size_t, const double *))                \
    X(SetShiftFraction, int,                                                                       \
     (Component, const Reference *, size_t, const uint64_t *, const uint64_t *))                   \
    X(EvaluateDiscreteStates, int, (Component))                                                    \
    X(UpdateDiscreteStates, int, (Component, bool *, bool *, bool *, bool *, bool *, double *))    \
    X(EnterContinuousTimeMode, int, (Component))                                                   \
    X(CompletedIntegratorStep, int, (Component, bool, bool *, bool *))                             \
    X(SetTime, int, (Component, double))                                                           \
    X(SetContinuousStates, int, (Component, const double *, size_t))                               \
    X(GetContinuousStateDerivatives, int, (Component, double *, size_t))                           \
    X(GetEventIndicators, int, (Component, double *, size_t))                                      \
    X(GetContinuousStates, int, (Component, double *, size_t))                                     \
    X(GetNominalsOfContinuousStates, int, (Component, double *, size_t))                           \
    X(GetNumberOfEventIndicators, int, (Component, size_t *))                                      \
    X(GetNumberOfContinuousStates, int, (Component, size_t *))                                     \
    X(EnterStepMode, int, (Component))                                                             \
    X(GetOutputDerivatives, int,                                                                   \
     (Component, const Reference *, size_t, const int32_t *, double *, size_t))                    \
    X(DoStep, int, (Component, double, double, bool, bool *, bool *, bool *, double *))            \
    X(ActivateModelPartition, int, (Component, Reference, double))

#define DECLARE3(name, type, arguments) extern type(*fmi3##name) arguments;
FUNCTIONS3(DECLARE3)
#undef DECLARE3

typedef enum { EVENTS, PLAIN, EXCHANGE } Use;

void load3(const Fmu *fmu);
Component make3(const Fmu *fmu, Use use, bool early, Update3 update, Messages *m);
void initialize3(Component c, Messages *m);
/* fmi3UpdateDiscreteStates. */
void handle(Component c, Messages *m);

/* A communication step; how it ended. */
typedef struct {
    bool event, terminate, early;
    double reached;
    int status;
} Stepped;

Stepped step3(Component c, double now, double length);

/* What the calls of the table are given. */
typedef struct {
    const Fmu *fmu;
    void *state;
    uint8_t *bytes, *room;
    size_t size;
    double now;
    int first;
} Given;

/* Modes: of co-simulation with Event Mode Instantiated A, Initialization B, Event V, Step S, Intermediate Update U, Step
 * discarded F, Terminated T, error E; without Event Mode G H P Q R; of Model Exchange a b v c t e. */
#define ALWAYS "ABVSFTEGHPQRabvcte"
#define EVERYWHERE ALWAYS "U"
#define READ "BVSUFTEHPQRbvcte"
#define DERIVED "BVSFTEHPQR"
#define WRITE "ABVSUGHPabvc"
#define WRITE_DISCRETE "ABVSGHPabv"

/* X(function, modes in which it is legal, arguments) */
#define TABLE(X)                                                                                   \
    X(SetDebugLogging, EVERYWHERE, (c, 1, 0, NULL))                                                \
    X(EnterInitializationMode, "AGa", (c, 0, 0.0, 0.0, 0, 0.0))                                    \
    X(ExitInitializationMode, "BHb", (c))                                                          \
    X(EnterEventMode, "VSvc", (c))                                                                 \
    X(Terminate, "VSFPvc", (c))                                                                    \
    X(Reset, ALWAYS, (c))                                                                          \
    X(GetFloat32, READ, (c, NULL, 0, NULL, 0))                                                     \
    X(GetFloat64, READ, (c, &g->fmu->output, 1, &x, 1))                                            \
    X(GetInt8, READ, (c, NULL, 0, NULL, 0))                                                        \
    X(GetUInt8, READ, (c, NULL, 0, NULL, 0))                                                       \
    X(GetInt16, READ, (c, NULL, 0, NULL, 0))                                                       \
    X(GetUInt16, READ, (c, NULL, 0, NULL, 0))                                                      \
    X(GetInt32, READ, (c, NULL, 0, NULL, 0))                                                       \
    X(GetUInt32, READ, (c, NULL, 0, NULL, 0))                                                      \
    X(GetInt64, READ, (c, NULL, 0, NULL, 0))                                                       \
    X(GetUInt64, READ, (c, NULL, 0, NULL, 0))                                                      \
    X(GetBoolean, READ, (c, &g->fmu->boolean, 1, &b, 1))                                           \
    X(GetString, READ, (c, NULL, 0, NULL, 0))                                                      \
    X(GetBinary, READ, (c, NULL, 0, NULL, NULL, 0))                                                \
    X(GetClock, READ, (c, NULL, 0, NULL))                                                          \
    X(SetFloat32, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                           \
    X(SetFloat64, WRITE, (c, &g->fmu->input, 1, &one, 1))                                          \
    X(SetInt8, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                              \
    X(SetUInt8, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                             \
    X(SetInt16, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                             \
    X(SetUInt16, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                            \
    X(SetInt32, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                             \
    X(SetUInt32, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                            \
    X(SetInt64, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                             \
    X(SetUInt64, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                            \
    X(SetBoolean, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                           \
    X(SetString, WRITE_DISCRETE, (c, NULL, 0, NULL, 0))                                            \
    X(SetBinary, WRITE_DISCRETE, (c, NULL, 0, NULL, NULL, 0))                                      \
    X(SetClock, WRITE_DISCRETE, (c, NULL, 0, NULL))                                                \
    X(GetNumberOfVariableDependencies, "", (c, 0, &size))                                          \
    X(GetVariableDependencies, "", (c, 0, NULL, NULL, NULL, NULL, 0))                              \
    X(GetFMUState, ALWAYS, (c, &none))                                                             \
    X(SetFMUState, ALWAYS, (c, g->state))                                                          \
    X(FreeFMUState, ALWAYS, (c, &none))                                                            \
    X(SerializedFMUStateSize, ALWAYS, (c, g->state, &size))                                        \
    X(SerializeFMUState, ALWAYS, (c, g->state, g->room, g->size))                                  \
    X(DeserializeFMUState, ALWAYS, (c, g->bytes, g->size, &none))                                  \
    X(GetDirectionalDerivative, DERIVED, (c, &g->fmu->output, 1, NULL, 0, NULL, 0, &x, 1))         \
    X(GetAdjointDerivative, DERIVED, (c, &g->fmu->output, 1, NULL, 0, &one, 1, NULL, 0))           \
    X(EnterConfigurationMode, "", (c))                                                             \
    X(ExitConfigurationMode, "", (c))                                                              \
    X(GetIntervalDecimal, "", (c, NULL, 0, NULL, NULL))                                            \
    X(GetIntervalFraction, "", (c, NULL, 0, NULL, NULL, NULL))                                     \
    X(GetShiftDecimal, "", (c, NULL, 0, NULL))                                                     \
    X(GetShiftFraction, "", (c, NULL, 0, NULL, NULL))                                              \
    X(SetIntervalDecimal, "", (c, NULL, 0, NULL))                                                  \
    X(SetIntervalFraction, "", (c, NULL, 0, NULL, NULL))                                           \
    X(SetShiftDecimal, "", (c, NULL, 0, NULL))                                                     \
    X(SetShiftFraction, "", (c, NULL, 0, NULL, NULL))                                              \
    X(EvaluateDiscreteStates, "", (c))                                                             \
    X(UpdateDiscreteStates, "Vv", (c, &b, &b, &b, &b, &b, &x))                                     \
    X(EnterContinuousTimeMode, "v", (c))                                                           \
    X(CompletedIntegratorStep, "c", (c, 1, &b, &b))                                                \
    X(SetTime, "avc", (c, g->now))                                                                 \
    X(SetContinuousStates, "c", (c, &x, 0))                                                        \
    X(GetContinuousStateDerivatives, "bvcte", (c, &x, 0))                                          \
    X(GetEventIndicators, "bvcte", (c, &x, 0))                                                     \
    X(GetContinuousStates, "bvcte", (c, &x, 0))                                                    \
    X(GetNominalsOfContinuousStates, "abvcte", (c, &x, 0))                                         \
    X(GetNumberOfEventIndicators, "abvcte", (c, &size))                                            \
    X(GetNumberOfContinuousStates, "abvcte", (c, &size))                                           \
    X(EnterStepMode, "V", (c))                                                                     \
    X(GetOutputDerivatives, "VSUFTEPQR", (c, &g->fmu->output, 1, &g->first, &x, 1))                \
    X(DoStep, "SP", (c, g->now, g->fmu->step, 0, &b, &b, &b, &x))                                  \
    X(ActivateModelPartition, "", (c, 0, 0.0))

#define NUMBER(name, legal, arguments) CALL_##name,
enum { TABLE(NUMBER) CALLS };
#undef NUMBER

/* The call with a number; its status. */
int call3(int number, Component c, Given *g);
/* Whether it is legal in a mode. */
bool is_legal(int number, char mode);

#endif
