//! The C interface, driven by a host in C (`tests/abi/*.c`) that loads the library as a host does.

mod host;

use crate::common::edit::Edit;
use crate::common::tier;
use host::{Fmu, fmu, host, host_under_valgrind, host_with};

/// A block that falls along a guide until the guide ends.
const LEAVES_ITS_PATH: &str = include_str!("../abi/leaves_its_path.toml");
/// A belt with input, parameters and a joint that sticks and slides.
const BELT: &str = include_str!("../abi/belt.toml");

macro_rules! claims {
    ($fmu:expr => $($name:ident)*) => {$(
        #[test]
        fn $name() {
            let fmu: fn(&str) -> Fmu = $fmu;
            host(stringify!($name), &fmu(stringify!($name)));
        }
    )*};
}

claims! { belt =>
    every_function_refuses_null
    instantiate_says_what_is_wrong
    without_a_logger_it_runs_in_silence
    calls_out_of_order_are_refused_and_change_nothing
    every_call_is_legal_where_the_standard_says
    every_call_of_model_exchange_is_legal_where_the_standard_says
    wrong_arguments_are_refused_by_name
    log_categories_can_be_switched
    a_logger_that_calls_back_is_refused
    what_is_not_offered_is_refused
    reset_starts_over_with_the_same_bits
    derivatives_are_answered
    a_bad_parameter_is_an_error_that_reset_heals
    interleaved_instances_do_not_disturb_each_other
    threads_give_the_same_bits
    a_start_time_shifts_the_clock
    any_order_of_calls_is_survived
    a_state_goes_on_with_the_same_bits
    a_state_in_place_of_its_address_is_freed
    states_of_no_one_are_refused
    bytes_of_a_wrong_size_are_refused
    states_are_legal_in_every_mode
    a_status_is_reported_in_every_mode
    threads_exchange_states
    many_lives_leak_nothing
    the_library_can_be_unloaded_and_loaded_again
    a_thread_needs_little_stack
    names_and_locations_of_all_hosts_are_understood
    every_variable_can_be_read_in_initialization_mode
    a_sampled_block_has_the_bits_of_communication_steps
    instants_that_a_host_has_missed_are_made_up_for
    a_sampled_block_starts_where_the_host_does
    outputs_run_on_to_a_host_that_is_late
    wrong_arguments_of_model_exchange_are_refused
    a_state_of_a_sampled_block_goes_on_with_the_same_bits
    any_order_of_calls_of_model_exchange_is_survived
    every_function_of_fmi3_is_exported_and_refuses_null
    every_call_of_fmi3_is_legal_where_the_standard_says
    a_host_is_called_back_behind_every_step
    any_order_of_calls_of_fmi3_is_survived
    a_state_of_fmi3_goes_on_with_the_same_bits
}

/// What holds of Model Exchange holds where the host lets outputs run on.
mod with_rates {
    use super::{Fmu, belt, host};

    claims! { |claim| belt(&format!("{claim}_with_rates")).with_rates() =>
        every_call_of_model_exchange_is_legal_where_the_standard_says
        a_sampled_block_has_the_bits_of_communication_steps
        instants_that_a_host_has_missed_are_made_up_for
        a_sampled_block_starts_where_the_host_does
        outputs_run_on_to_a_host_that_is_late
        wrong_arguments_of_model_exchange_are_refused
        a_state_of_a_sampled_block_goes_on_with_the_same_bits
        any_order_of_calls_of_model_exchange_is_survived
    }
}

fn belt(claim: &str) -> Fmu {
    fmu(claim, BELT)
}

#[test]
fn a_discarded_step_tells_the_time_it_reached() {
    let claim = "a_discarded_step_tells_the_time_it_reached";
    host(claim, &fmu(claim, LEAVES_ITS_PATH));
}

#[test]
#[ignore = "full tier, 60 s: ten million calls"]
fn ten_million_calls_of_fmi3_in_any_order_are_survived() {
    let claim = "any_order_of_calls_of_fmi3_is_survived";
    host_with(claim, &belt("ten_million_calls"), &[("ABI_CALLS", "10000000")]);
}

#[test]
fn a_discarded_step_of_fmi3_tells_the_time_it_reached() {
    let claim = "a_discarded_step_of_fmi3_tells_the_time_it_reached";
    host(claim, &fmu(claim, LEAVES_ITS_PATH));
}

#[test]
fn an_event_that_fails_is_an_error_with_the_reason() {
    let claim = "an_event_that_fails_is_an_error_with_the_reason";
    host(claim, &fmu(claim, LEAVES_ITS_PATH));
}

#[test]
fn every_call_is_legal_where_the_standard_says_after_a_discarded_step() {
    let claim = "every_call_is_legal_where_the_standard_says";
    host(claim, &fmu(&format!("{claim}_discard"), LEAVES_ITS_PATH));
}

#[test]
fn a_thread_needs_little_stack_for_a_large_model_too() {
    let model = include_str!("../../resources/models/quick_return.toml");
    let model = model.edit("elements = 10\n", "elements = 200\n");
    let claim = "a_thread_needs_little_stack";
    host(claim, &fmu(&format!("{claim}_large"), &model));
}

/// Slow: valgrind runs a host some fifty times slower.
#[test]
fn valgrind_finds_no_error_and_no_leak() {
    let claims = [
        "many_lives_leak_nothing",
        "instantiate_says_what_is_wrong",
        "every_call_is_legal_where_the_standard_says",
        "every_call_of_model_exchange_is_legal_where_the_standard_says",
        "wrong_arguments_are_refused_by_name",
        "derivatives_are_answered",
        "a_state_goes_on_with_the_same_bits",
        "states_of_no_one_are_refused",
        "states_are_legal_in_every_mode",
        "threads_exchange_states",
        "any_order_of_calls_is_survived",
        "any_order_of_calls_of_model_exchange_is_survived",
        "wrong_arguments_of_model_exchange_are_refused",
        "a_state_of_a_sampled_block_goes_on_with_the_same_bits",
        "the_library_can_be_unloaded_and_loaded_again",
    ];
    for claim in tier::cases(claims, 3) {
        host_under_valgrind(claim, &belt(&format!("valgrind_{claim}")));
    }
    let claim = "any_order_of_calls_of_model_exchange_is_survived";
    let fmu_with_rates = belt(&format!("valgrind_{claim}_with_rates")).with_rates();
    host_under_valgrind(claim, &fmu_with_rates);
    let claim = "a_discarded_step_tells_the_time_it_reached";
    host_under_valgrind(claim, &fmu(&format!("valgrind_{claim}"), LEAVES_ITS_PATH));
}

#[test]
fn a_broken_model_is_reported_to_the_log_in_the_words_of_check() {
    let claim = "a_broken_model_is_reported_to_the_log";
    let fmu = fmu(claim, BELT);
    let broken = BELT.edit("young_modulus", "jung_modulus");
    let file = fmu.resources.join("model.toml");
    std::fs::write(&file, broken).expect("the test's folder is writable");
    let faults = match coulisse::model::Model::load(&file) {
        Ok(model) => model.check().map(drop),
        Err(faults) => Err(faults),
    }
    .expect_err("the model is broken");
    let Some(said) = host(claim, &fmu) else {
        return;
    };
    assert_eq!(said.trim_end(), faults.to_string().trim_end());
}
