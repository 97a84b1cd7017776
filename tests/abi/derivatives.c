/* Derivatives by inputs, parameters and time, in right and wrong hands. */
#include "host.h"

#include <math.h>
#include <stddef.h>

void derivatives_are_answered(const Fmu *fmu) {
    Messages m;
    Component c = make(fmu, "derivatives", &m);
    Reference both[2] = {fmu->input, fmu->parameter};
    double seed[2] = {1.0, 0.5}, bad = NAN, change, twice, x = 0.0;
    int first = 1, third = 3;
    CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, both, 2, seed, &change) == ERROR, &m);
    CLAIM(fmi2SetRealInputDerivatives(c, &fmu->input, 1, &first, &x) == OK, &m);
    initialize(c, &m);
    for (int i = 0; i < 3; i++) {
        CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, both, 2, seed, &change) == OK, &m);
        seed[0] *= 2.0;
        seed[1] *= 2.0;
        CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, both, 2, seed, &twice) == OK, &m);
        CLAIM(fabs(twice - 2.0 * change) <= 1e-6 * fabs(twice), &m);
        CLAIM(fmi2SetRealInputDerivatives(c, &fmu->input, 1, &first, &x) == OK, &m);
        CLAIM(fmi2GetRealOutputDerivatives(c, &fmu->output, 1, &first, &x) == OK, &m);
        CLAIM(isfinite(x), &m);
        x = 0.0;
        step(fmu, c, i, &m);
    }
    CLAIM(fmi2GetDirectionalDerivative(c, both, 1, both, 2, seed, &change) == ERROR, &m);
    CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, &fmu->output, 1, seed, &x) == ERROR, &m);
    CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, &fmu->fixed, 1, seed, &x) == ERROR, &m);
    CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, both, 1, &bad, &x) == ERROR, &m);
    CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, both, 2, NULL, &x) == ERROR, &m);
    CLAIM(fmi2GetDirectionalDerivative(c, &fmu->output, 1, both, 2, seed, NULL) == ERROR, &m);
    CLAIM(fmi2GetDirectionalDerivative(c, NULL, 0, NULL, 0, NULL, NULL) == OK, &m);
    CLAIM(fmi2SetRealInputDerivatives(c, &fmu->input, 1, &third, &x) == ERROR, &m);
    CLAIM(fmi2SetRealInputDerivatives(c, &fmu->input, 1, &first, &bad) == ERROR, &m);
    CLAIM(fmi2SetRealInputDerivatives(c, &fmu->output, 1, &first, &x) == ERROR, &m);
    CLAIM(fmi2SetRealInputDerivatives(c, &fmu->input, 1, NULL, &x) == ERROR, &m);
    CLAIM(fmi2GetRealOutputDerivatives(c, &fmu->output, 1, &third, &x) == ERROR, &m);
    CLAIM(fmi2GetRealOutputDerivatives(c, &fmu->input, 1, &first, &x) == ERROR, &m);
    step(fmu, c, 3, &m);
    fmi2FreeInstance(c);
}
