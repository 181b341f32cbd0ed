//! Files that fail while others succeed.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};

/// How many files were worked on, and how many of them failed.
#[derive(Debug, Default)]
pub struct Failures {
    all: AtomicUsize,
    failed: AtomicUsize,
}

impl Failures {
    /// What succeeded of `done`. Failures are reported; they are one error if nothing succeeded or, with `fail_fast`, at
    /// the first.
    pub fn sort_out<T>(&self, done: Vec<Option<Result<T>>>, fail_fast: bool) -> Result<Vec<T>> {
        let count = done.len();
        self.all.fetch_max(count, Ordering::Relaxed);
        let (mut results, mut errors) = (Vec::new(), Vec::new());
        for one in done.into_iter().flatten() {
            match one {
                Ok(result) => results.push(result),
                Err(error) => errors.push(error),
            }
        }
        if count == 1 || fail_fast {
            if let Some(error) = errors.pop() {
                return Err(error);
            }
        }
        errors.iter().for_each(Error::print);
        self.failed.fetch_add(errors.len(), Ordering::Relaxed);
        match results.is_empty() && !errors.is_empty() {
            true => self.outcome().map(|()| results),
            false => Ok(results),
        }
    }

    /// An error if a file has failed.
    pub fn outcome(&self) -> Result<()> {
        let [failed, all] = [&self.failed, &self.all].map(|count| count.load(Ordering::Relaxed));
        match failed {
            0 => Ok(()),
            _ => Err(Error::Incomplete { failed, all }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_succeeds_is_taken_and_what_fails_is_counted() {
        let fail = || Some(Err(Error::advice("bad", "")));
        let failures = Failures::default();
        let taken = failures.sort_out(vec![Some(Ok(1)), fail(), Some(Ok(3))], false).expect("two succeed");
        assert_eq!(taken, [1, 3]);
        let error = failures.outcome().expect_err("one failed").to_string();
        assert_eq!(error, "1 of 3 files failed");
        let error = Failures::default().sort_out::<u32>(vec![fail()], false).expect_err("it failed");
        assert_eq!(error.to_string(), "bad");
        assert!(Failures::default().sort_out(vec![Some(Ok(1)), fail()], true).is_err());
        assert!(Failures::default().outcome().is_ok());
    }
}
