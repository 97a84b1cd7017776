/* A small host: loads the library, counts and keeps the messages of the log, states claims. */
#ifndef ABI_HOST_H
#define ABI_HOST_H

#include "fmi2.h"

#define DECLARE(name, type, arguments) extern type(*fmi2##name) arguments;
FUNCTIONS(DECLARE)
#undef DECLARE

/* What the Rust side tells about the FMU under test. */
typedef struct {
    const char *location; /* of its resources, as a URI */
    const char *guid;
    Reference parameter, input, output, boolean; /* value references */
    Reference count;                             /* number of variables */
    double step;                                 /* communication step, s */
} Fmu;

/* Messages of one instance or of one attempt to make one. */
typedef struct {
    int errors;
    int warnings;
    int discards;
    char last[4096];
    Component call_back; /* if set, the logger calls into this instance */
    int call_back_status;
} Messages;

void load(const char *library);
Callbacks callbacks(Messages *messages);
Component make(const Fmu *fmu, const char *name, Messages *messages);

/* Ends the program with the place and the last message if the claim does not hold. */
void claim(int holds, const char *text, const char *file, int line, const Messages *messages);
#define CLAIM(holds, messages) claim(holds, #holds, __FILE__, __LINE__, messages)

#endif
