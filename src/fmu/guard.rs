//! What every call passes: the state machine, the net for panics, the log.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::mode::{Call, Mode, Protocol};
use super::report::{Log, Refusal, Status};

/// An instance of any kind of model, as the state machine sees it.
pub(super) trait Guarded {
    fn log(&self) -> &Log;

    fn stands(&self) -> (Protocol, Mode);

    /// Why the instance can do no more.
    fn failure(&self) -> Option<&str>;

    /// A defect was met: only a reset helps.
    fn give_up(&mut self, failure: String);
}

/// Carries out one FMI call: refuses it where the standard does not allow it, catches panics, writes the reason of every refusal to the log.
pub(super) fn perform<I: Guarded, R: Into<Status>>(
    instance: &mut I, call: Call, action: impl FnOnce(&mut I) -> Result<R, Refusal>,
) -> Status {
    let (protocol, mode) = instance.stands();
    let legal = call.check(protocol, mode).map_err(|refusal| with_failure(instance, refusal));
    let result = legal.and_then(|()| {
        catch_unwind(AssertUnwindSafe(|| action(instance))).unwrap_or_else(|panic| {
            let text = format!("a defect of coulisse, not of the model: {}", panic_text(&*panic));
            let refusal = Refusal::error(format!(
                "{text}; the instance can only be reset or freed; please report it with the model file"
            ));
            instance.give_up(text);
            Err(refusal)
        })
    });
    match result {
        Ok(answer) => answer.into(),
        Err(refusal) => {
            instance.log().refused(call.name(), &refusal);
            refusal.status
        }
    }
}

/// Many hosts hide why a step was discarded and go on; then the refusal has to say it.
fn with_failure(instance: &impl Guarded, mut refusal: Refusal) -> Refusal {
    if let Some(failure) = instance.failure() {
        refusal.message += &format!("\nwhat had happened: {failure}");
    }
    refusal
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
