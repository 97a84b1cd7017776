/* A small host: loads the library, counts and keeps the messages of the log, states claims. */
#ifndef ABI_HOST_H
#define ABI_HOST_H

#include "fmi2.h"

#define DECLARE(name, type, arguments) extern type(*fmi2##name) arguments;
FUNCTIONS(DECLARE)
#undef DECLARE

/* What the Rust side tells about the FMU under test. */
typedef struct {
    const char *library;
    const char *location; /* of its resources, as a URI */
    const char *guid;
    Reference parameter, fixed, input, output, boolean; /* value references */
    Reference count;                             /* number of variables */
    double step;                                 /* communication step, s */
    Reference order; /* of the parameter experiment.extrapolation_order; `count` if there is none */
    int extrapolation_order; /* what it is to be in Model Exchange */
} Fmu;

/* Messages of one instance or of one attempt to make one. */
typedef struct {
    int errors;
    int warnings;
    int discards;
    char last[4096];
    char instance[64]; /* who sent it */
    Component call_back; /* if set, the logger calls into this instance */
    int call_back_status;
} Messages;

void load(const char *library);
/* Whether the library has gone. */
int unload(const char *library);
Callbacks callbacks(Messages *messages);
/* An instance for co-simulation. */
Component make(const Fmu *fmu, const char *name, Messages *messages);
Component make_for(const Fmu *fmu, int type, const char *name, Messages *messages);
/* Sets the parameter where there is one, as after instantiation, so after a reset. */
void choose_order(const Fmu *fmu, Component c, Messages *messages);

enum { STEPS = 50 };

void initialize(Component c, Messages *messages);
/* The output after the communication step with number i. */
double step(const Fmu *fmu, Component c, int i, Messages *messages);
/* From the start over STEPS steps. */
void run(const Fmu *fmu, Component c, double *values, Messages *messages);

/* The claims of calls.c. */
void every_function_refuses_null(const Fmu *fmu);
void calls_out_of_order_are_refused_and_change_nothing(const Fmu *fmu);
void every_call_is_legal_where_the_standard_says(const Fmu *fmu);
void every_call_of_model_exchange_is_legal_where_the_standard_says(const Fmu *fmu);
void what_is_not_offered_is_refused(const Fmu *fmu);

/* From an instance for Model Exchange that is new to Continuous-Time Mode at time 0. */
void enter_simulation(Component c, Messages *messages);
/* fmi2NewDiscreteStates: the time of the next event. */
double event(Component c, Messages *messages);

/* The claims of sampling.c. */
void a_sampled_block_has_the_bits_of_communication_steps(const Fmu *fmu);
void instants_that_a_host_has_missed_are_made_up_for(const Fmu *fmu);
void a_sampled_block_starts_where_the_host_does(const Fmu *fmu);
void wrong_arguments_of_model_exchange_are_refused(const Fmu *fmu);
void outputs_run_on_to_a_host_that_is_late(const Fmu *fmu);
void a_state_of_a_sampled_block_goes_on_with_the_same_bits(const Fmu *fmu);
void an_event_that_fails_is_an_error_with_the_reason(const Fmu *fmu);
void any_order_of_calls_of_model_exchange_is_survived(const Fmu *fmu);

/* The claims of states.c. */
void a_state_goes_on_with_the_same_bits(const Fmu *fmu);
void a_state_in_place_of_its_address_is_freed(const Fmu *fmu);
void states_of_no_one_are_refused(const Fmu *fmu);
void bytes_of_a_wrong_size_are_refused(const Fmu *fmu);
void states_are_legal_in_every_mode(const Fmu *fmu);
void a_status_is_reported_in_every_mode(const Fmu *fmu);
void threads_exchange_states(const Fmu *fmu);
void many_lives_leak_nothing(const Fmu *fmu);

/* The claim of derivatives.c. */
void derivatives_are_answered(const Fmu *fmu);

/* The claims of habits.c. */
void names_and_locations_of_all_hosts_are_understood(const Fmu *fmu);
void the_library_can_be_unloaded_and_loaded_again(const Fmu *fmu);
void a_thread_needs_little_stack(const Fmu *fmu);
void every_variable_can_be_read_in_initialization_mode(const Fmu *fmu);

/* The claims of fmi3.c. */
void every_function_of_fmi3_is_exported_and_refuses_null(const Fmu *fmu);
void every_call_of_fmi3_is_legal_where_the_standard_says(const Fmu *fmu);
void a_discarded_step_of_fmi3_tells_the_time_it_reached(const Fmu *fmu);
void a_host_is_called_back_behind_every_step(const Fmu *fmu);
void any_order_of_calls_of_fmi3_is_survived(const Fmu *fmu);
void a_state_of_fmi3_goes_on_with_the_same_bits(const Fmu *fmu);

/* Ends the program with the place and the last message if the claim does not hold. */
void claim(int holds, const char *text, const char *file, int line, const Messages *messages);
#define CLAIM(holds, messages) claim(holds, #holds, __FILE__, __LINE__, messages)

#endif
