//! What does not come to an end, and how long work takes.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The longest that one piece of work may take, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(60);

/// Says which piece of work it is that does not come to an end, and ends the run.
pub struct Watch(Arc<Mutex<Option<(Instant, String)>>>);

impl Watch {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Watch {
        let now: Arc<Mutex<Option<(Instant, String)>>> = Arc::default();
        let seen = Arc::clone(&now);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                if Arc::strong_count(&seen) == 1 {
                    return;
                }
                if let Some((began, what)) = &*seen.lock().expect("no panic inside")
                    && began.elapsed() > LONGEST
                {
                    eprintln!("after {} s still at {what}", LONGEST.as_secs());
                    std::process::abort();
                }
            }
        });
        Watch(now)
    }

    pub fn begin(&self, what: String) {
        *self.0.lock().expect("no panic inside") = Some((Instant::now(), what));
    }

    pub fn end(&self) {
        *self.0.lock().expect("no panic inside") = None;
    }
}

/// Computing time of this thread, where the system gives it; else the clock.
pub fn work_time() -> Duration {
    static BEGAN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}
