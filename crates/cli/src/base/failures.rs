//! Collects the errors of single files while the other files are analysed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::base::error::{Cause, Error, Result};
use crate::base::messages;
use crate::base::shares;

/// The number of processed files, and the number of failed files.
#[derive(Debug, Default)]
pub struct Failures {
    all: AtomicUsize,
    failed: AtomicUsize,
}

impl Failures {
    /// Returns the successful results. Prints and counts the errors. Returns an error if no file succeeded, or if a
    /// file failed and `fail_fast` is set.
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
        if (count == 1 || fail_fast) && !errors.is_empty() {
            return Err(errors.swap_remove(0));
        }
        let failed = errors.len();
        self.failed.fetch_add(failed, Ordering::Relaxed);
        let errors = if messages::is_verbose() { errors } else { grouped(errors, count) };
        errors.iter().for_each(Error::print);
        match results.is_empty() && failed > 0 {
            true => self.outcome().map(|()| results),
            false => Ok(results),
        }
    }

    /// Returns an error if a file has failed.
    pub fn outcome(&self) -> Result<()> {
        let [failed, all] = [&self.failed, &self.all].map(|count| count.load(Ordering::Relaxed));
        match failed {
            0 => Ok(()),
            _ => Err(Error::Incomplete { failed, all }),
        }
    }
}

/// If more than this number of errors have the same cause, one summary replaces the separate reports.
const MOST_ALIKE: usize = 3;

/// The maximum number of missing files that a message lists.
const MOST_NAMED: usize = 3;

/// Replaces many errors with the same cause by one summary. `all` is the number of processed files.
fn grouped(errors: Vec<Error>, all: usize) -> Vec<Error> {
    let mut groups: BTreeMap<Cause, Vec<Error>> = BTreeMap::new();
    let mut reported = Vec::new();
    for error in errors {
        match error.cause() {
            Some(Cause::Missing(_)) => groups.entry(Cause::Missing(String::new())).or_default().push(error),
            Some(message) => groups.entry(message).or_default().push(error),
            None => reported.push(error),
        }
    }
    for (cause, members) in groups {
        if members.len() <= MOST_ALIKE {
            reported.extend(members);
            continue;
        }
        let cause = match cause {
            Cause::Missing(_) => missing(&members),
            Cause::Message(text) => text,
        };
        let help = [members[0].help(), "-v lists the files"];
        let help = help.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
        reported.push(Error::Alike { failed: members.len(), all, cause, help });
    }
    reported
}

/// The missing files, in descending order of the number of errors.
fn missing(errors: &[Error]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for error in errors {
        if let Some(Cause::Missing(name)) = error.cause() {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut names: Vec<(String, usize)> = counts.into_iter().collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let others = names.len().saturating_sub(MOST_NAMED);
    let mut words: Vec<String> = names.into_iter().take(MOST_NAMED).map(|(name, _)| name).collect();
    words.extend((others > 0).then(|| shares::plural(others, "other")));
    let last = words.pop().unwrap_or_default();
    match words.is_empty() {
        true => format!("{last} does not exist"),
        false => format!("{} and {last} do not exist", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_returned_and_failures_counted() {
        let fail_with = |text: &str| Some(Err(Error::advice(text, "")));
        let fail = || fail_with("bad");
        let failures = Failures::default();
        let taken = failures.sort_out(vec![Some(Ok(1)), fail(), Some(Ok(3))], false).expect("two succeed");
        assert_eq!(taken, [1, 3]);
        let error = failures.outcome().expect_err("one failed").to_string();
        assert_eq!(error, "1 of 3 files failed");
        let error = Failures::default().sort_out::<u32>(vec![fail()], false).expect_err("it failed");
        assert_eq!(error.to_string(), "bad");
        let error = Failures::default().sort_out(vec![Some(Ok(1)), fail(), fail_with("worse")], true);
        assert_eq!(error.expect_err("two failed").to_string(), "bad");
        assert!(Failures::default().outcome().is_ok());
    }

    #[test]
    fn files_with_the_same_cause_are_one_error() {
        let error = |first: String| Error::Compile { path: "a.cc".into(), first, help: "build first".into() };
        let missing = |name: &str| error(format!("clang: error: no such file or directory: '{name}'"));
        let mut errors: Vec<Error> = ["a.cc", "b.cc", "c.cc", "d.cc", "e.cc"].map(missing).into();
        errors.push(error("a.cc:1:1: error: expected expression".into()));
        errors.push(missing("e.cc"));
        let texts: Vec<String> =
            grouped(errors, 9).iter().map(|error| format!("{error}; {}", error.help())).collect();
        let [one, sum] = &texts[..] else { panic!("{texts:?}") };
        assert!(one.contains("expected expression"));
        assert_eq!(
            sum,
            "6 of 9 files cannot be compiled: e.cc, a.cc, b.cc and 2 others do not exist; build first; \
             -v lists the files"
        );
    }
}
