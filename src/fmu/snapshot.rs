//! Saved states: all that an instance remembers, in memory and as bytes.
//!
//! A state can be given to any instance of the same FMU; it brings its parameters along. What is
//! not in it: the switches of the log, which belong to the host's session, and scratch space.
//!
//! # The bytes
//!
//! | place | bytes | content |
//! | --- | --- | --- |
//! | 0 | 8 | the letters `coulisse` |
//! | 8 | 4 | [format version](FORMAT), little endian |
//! | 12 | 8 | number of all bytes, little endian |
//! | 20 | 38 | guid of the FMU, which stands for its model and the version of this library |
//! | 58 | … | the memory of the instance in the encoding of the `postcard` crate |
//! | last 16 | 16 | FNV-1a hash of everything before, little endian |
//!
//! Their number does not change from one communication point to the next.

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::blueprint::Blueprint;
use super::guid::checksum;
use super::instance::Instance;
use super::memory::Memory;
use super::mode::Protocol;
use super::report::Refusal;
use super::slopes::Slopes;

const MAGIC: &[u8; 8] = b"coulisse";
const GUID: usize = 38;
const CHECKSUM: usize = size_of::<u128>();

/// Version of the bytes' layout.
pub const FORMAT: u32 = 13;

/// A saved state of an instance. It never changes.
#[derive(Debug, Clone)]
pub struct Snapshot {
    blueprint: Arc<Blueprint>,
    memory: Memory,
}

impl Instance {
    /// Saves all that the instance remembers.
    pub fn save(&self) -> Snapshot {
        Snapshot { blueprint: Arc::clone(&self.blueprint), memory: self.memory.clone() }
    }

    /// Takes over a state of this or of another instance of the same FMU. What follows has the
    /// same bits as what followed there.
    ///
    /// # Errors
    /// When the state is of another FMU, or of an instance for the other use; nothing changes then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Refusal> {
        let (own, other) = (self.blueprint.guid(), snapshot.blueprint.guid());
        if own != other {
            return Err(foreign(other, own));
        }
        same_use(self.memory.protocol, snapshot.memory.protocol)?;
        let same_system = match (&self.memory.built, &snapshot.memory.built) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        if !same_system {
            self.stepper = None;
            self.slopes = Slopes::default();
        }
        self.slopes.forget();
        self.memory.clone_from(&snapshot.memory);
        Ok(())
    }

    /// Reads a state from the bytes of [`Snapshot::to_bytes`], written by any instance of the same
    /// FMU in any process.
    ///
    /// # Errors
    /// When the bytes are foreign, truncated or altered.
    pub fn read_snapshot(&self, bytes: &[u8]) -> Result<Snapshot, Refusal> {
        let mut memory: Memory = unseal(bytes, self.blueprint.guid())?;
        if !memory.complete(&self.blueprint, &self.memory)? {
            return Err(altered());
        }
        Ok(Snapshot { blueprint: Arc::clone(&self.blueprint), memory })
    }
}

impl Snapshot {
    /// The state as bytes.
    ///
    /// # Errors
    /// Never in practice: memory does not refuse bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Refusal> {
        seal(self.blueprint.guid(), &self.memory)
    }
}

/// # Errors
/// When a state is of an instance for the other use.
pub(super) fn same_use(own: Protocol, other: Protocol) -> Result<(), Refusal> {
    if own == other {
        return Ok(());
    }
    Err(Refusal::error(
        "the state is of an instance for co-simulation and this one is for Model Exchange, \
         or the other way round; allowed: states of instances for the same use",
    ))
}

/// The bytes of a memory.
pub(super) fn seal(guid: &str, memory: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    let length = bytes.len();
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend(guid.bytes());
    let mut bytes = postcard::to_extend(memory, bytes)
        .map_err(|fault| Refusal::error(format!("the state has no bytes: {fault}")))?;
    let all = (bytes.len() + CHECKSUM) as u64;
    bytes[length..length + 8].copy_from_slice(&all.to_le_bytes());
    let checksum = checksum(&bytes);
    bytes.extend(checksum.to_le_bytes());
    Ok(bytes)
}

/// The memory in these bytes, the inverse of [`seal`].
///
/// # Errors
/// When the bytes are foreign, truncated or altered.
pub(super) fn unseal<M: DeserializeOwned>(bytes: &[u8], guid: &str) -> Result<M, Refusal> {
    decode(payload(bytes, guid)?)
}

/// The part of the bytes that is the memory, once everything around it is as it should be.
fn payload<'a>(bytes: &'a [u8], guid: &str) -> Result<&'a [u8], Refusal> {
    let no_state = || {
        Refusal::error(format!(
            "these {} bytes are no state of a coulisse FMU; \
             allowed: what fmi2SerializeFMUstate wrote",
            bytes.len()
        ))
    };
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or_else(no_state)?;
    let (format, rest) = rest.split_first_chunk::<4>().ok_or_else(no_state)?;
    if magic != MAGIC {
        return Err(no_state());
    }
    let format = u32::from_le_bytes(*format);
    if format != FORMAT {
        return Err(Refusal::error(format!(
            "the state has format version {format}; this library reads version {FORMAT}"
        )));
    }
    let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(no_state)?;
    let length = u64::from_le_bytes(*length);
    if length != bytes.len() as u64 {
        return Err(Refusal::error(format!(
            "the state had {length} bytes when it was written, but these are {}; \
             pass all bytes of fmi2SerializeFMUstate and no more",
            bytes.len()
        )));
    }
    let (content, written) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(altered)?;
    if checksum(content) != u128::from_le_bytes(*written) {
        return Err(altered());
    }
    let memory = rest.get(GUID..).ok_or_else(altered)?;
    let other = &rest[..GUID];
    if other != guid.as_bytes() {
        return Err(foreign(&String::from_utf8_lossy(other), guid));
    }
    memory.len().checked_sub(CHECKSUM).map(|end| &memory[..end]).ok_or_else(altered)
}

fn decode<M: DeserializeOwned>(payload: &[u8]) -> Result<M, Refusal> {
    match postcard::take_from_bytes(payload) {
        Ok((memory, [])) => Ok(memory),
        _ => Err(altered()),
    }
}

pub(super) fn altered() -> Refusal {
    Refusal::error(
        "the bytes of the state were altered after fmi2SerializeFMUstate wrote them \
         (their checksum or their content does not fit)",
    )
}

pub(super) fn foreign(other: &str, own: &str) -> Refusal {
    Refusal::error(format!(
        "the state is of the FMU with guid {other}, this one has {own}; \
         allowed: states of the same model packed with the same version of coulisse"
    ))
}
