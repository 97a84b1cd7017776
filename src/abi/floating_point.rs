//! The processor's floating-point settings during a call.
//!
//! A host may trap on invalid operations, divisions by zero and overflows, round another way, or
//! flush small numbers to zero. Numbers that a model refuses by looking at the result would then end
//! the host, and the same model would give other bits. So every call computes with the settings that
//! Rust and C assume, and gives the host its own back.

/// The host's settings, which come back when this is dropped.
pub(super) struct HostSettings {
    #[cfg(target_arch = "x86_64")]
    control: u32,
}

impl HostSettings {
    /// Puts the standard settings in their place: no traps, round to nearest, no flushing.
    pub(super) fn set_aside() -> HostSettings {
        #[cfg(target_arch = "x86_64")]
        {
            let control = x86::control();
            x86::set_control(x86::STANDARD);
            HostSettings { control }
        }
        // Elsewhere the settings stay the host's: no such host is known there.
        #[cfg(not(target_arch = "x86_64"))]
        HostSettings {}
    }
}

impl Drop for HostSettings {
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        x86::set_control(self.control);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;

    /// All exceptions masked, round to nearest.
    pub(super) const STANDARD: u32 = 0x1f80;

    /// The control and status register of the SSE unit.
    pub(super) fn control() -> u32 {
        let mut value = 0_u32;
        // SAFETY: stores the register in `value` and touches nothing else.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value
    }

    pub(super) fn set_control(value: u32) {
        // SAFETY: a value that was read from the register before or the standard one, both legal.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags))
        };
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn the_host_gets_its_settings_back() {
        // Round upwards, everything masked.
        const UPWARDS: u32 = 0x1f80 | 0x4000;
        let before = x86::control();
        x86::set_control(UPWARDS);
        {
            let _host = HostSettings::set_aside();
            assert_eq!(x86::control(), x86::STANDARD);
        }
        assert_eq!(x86::control(), UPWARDS);
        x86::set_control(before);
    }
}
