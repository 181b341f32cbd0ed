//! Runs jobs in parallel.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

use crate::base::error::Result;
use crate::base::messages::progress;

/// The stack size for recursive parsers. The depth of the recursion is the nesting depth of the source. This stack size
/// is enough for several hundred thousand levels of nesting. Unused parts of the stack take no memory.
const DEEP_STACK: usize = 1 << 28;

/// Runs `work` on a thread with a deep stack. If `work` panics, the panic is returned as an error.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::thread::Result<T> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, work);
        worker.expect("a thread can be started").join()
    })
}

/// The number of parallel jobs. If `fail_fast` is set, no job starts after the first failure.
#[derive(Clone, Copy, Debug)]
pub struct Jobs {
    pub count: NonZeroUsize,
    pub fail_fast: bool,
}

impl Jobs {
    /// The number of jobs is `count`, or the number of processors if `count` is `None`.
    pub fn new(count: Option<NonZeroUsize>, fail_fast: bool) -> Self {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Jobs { count: count.unwrap_or_else(all), fail_fast }
    }

    /// The results of `work` for the numbers from 0 to `count - 1`, in ascending order. The result is `None` if the job
    /// did not start because of an earlier failure.
    pub fn run<T: Send>(
        self,
        count: usize,
        what: &'static str,
        work: impl Fn(usize) -> Result<T> + Sync,
    ) -> Vec<Option<Result<T>>> {
        let (next, progress) = (AtomicUsize::new(0), progress(count, what));
        let has_failed = AtomicBool::new(false);
        let results = Mutex::new((0..count).map(|_| None).collect::<Vec<_>>());
        let worker = || {
            while !(self.fail_fast && has_failed.load(Ordering::Relaxed)) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                if place >= count {
                    break;
                }
                let done = work(place);
                has_failed.fetch_or(done.is_err(), Ordering::Relaxed);
                progress.inc(1);
                results.lock().expect("no worker panics")[place] = Some(done);
            }
        };
        std::thread::scope(|scope| {
            (0..self.count.get().min(count)).for_each(|_| drop(scope.spawn(worker)));
        });
        progress.finish_and_clear();
        results.into_inner().expect("no worker panics")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Error;

    #[test]
    fn results_are_in_order_and_only_fail_fast_stops_early() {
        let work = |place: usize| match place {
            3 => Err(Error::advice("three", "")),
            other => Ok(other),
        };
        let jobs = |fail_fast| Jobs::new(NonZeroUsize::new(1), fail_fast).run(6, "counting", work);
        let all = jobs(false);
        assert!(all
            .iter()
            .enumerate()
            .all(|(place, done)| matches!(done, Some(Ok(number)) if *number == place) || place == 3));
        let begun = jobs(true).iter().filter(|done| done.is_some()).count();
        assert_eq!(begun, 4);
    }
}
