//! Saved states of a linear model.

use std::sync::Arc;

use super::StateSpace;
use super::instance::Instance;
use super::memory::Memory;
use crate::fmu::report::Refusal;
use crate::fmu::snapshot::{altered, foreign, same_use, seal, unseal};

/// A saved state.
#[derive(Debug, Clone)]
pub struct Snapshot {
    model: Arc<StateSpace>,
    memory: Memory,
}

impl Instance {
    /// Saves all that the instance remembers.
    pub fn save(&self) -> Snapshot {
        Snapshot { model: Arc::clone(&self.model), memory: self.memory.clone() }
    }

    /// Takes over a state of this or of another instance of the same FMU.
    ///
    /// # Errors
    /// When the state is of another FMU, or of an instance for the other use; nothing changes then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Refusal> {
        if self.model.guid != snapshot.model.guid {
            return Err(foreign(&snapshot.model.guid, &self.model.guid));
        }
        same_use(self.memory.protocol, snapshot.memory.protocol)?;
        self.memory.clone_from(&snapshot.memory);
        Ok(())
    }

    /// Reads a state from the bytes of [`Snapshot::to_bytes`].
    ///
    /// # Errors
    /// When the bytes are foreign, truncated or altered.
    pub fn read_snapshot(&self, bytes: &[u8]) -> Result<Snapshot, Refusal> {
        let memory: Memory = unseal(bytes, &self.model.guid)?;
        let own = &self.memory;
        let fits = memory.states.len() == own.states.len()
            && memory.inputs.len() == own.inputs.len()
            && memory.slopes.len() == own.slopes.len();
        if !fits {
            return Err(altered());
        }
        Ok(Snapshot { model: Arc::clone(&self.model), memory })
    }
}

impl Snapshot {
    /// The state as bytes.
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Refusal> {
        seal(&self.model.guid, &self.memory)
    }
}
