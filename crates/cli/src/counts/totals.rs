//! Parses the totals that `llvm-profdata show` prints.

/// The totals of an indexed profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProfileTotals {
    pub functions: u64,
    /// The largest value among the first counters of all functions. In a front-end profile, the first counter of a
    /// function is its entry count.
    pub largest_function_count: u64,
    /// The largest counter that is not the first counter of its function.
    pub largest_block_count: u64,
    /// The sum of all counters. `None` for older versions of llvm-profdata, which do not print this sum.
    pub total_count: Option<u64>,
}

impl ProfileTotals {
    /// Parses the output of `llvm-profdata show FILE`.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim_start_matches(':').trim().parse().ok()
        };
        Some(ProfileTotals {
            functions: number("Total functions")?,
            largest_function_count: number("Maximum function count")?,
            largest_block_count: number("Maximum internal block count")?,
            total_count: number("Total count"),
        })
    }

    /// The largest counter of the profile.
    pub fn largest_count(&self) -> u64 {
        self.largest_function_count.max(self.largest_block_count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_read_with_and_without_a_sum() {
        let text = "Instrumentation level: Front-end\nTotal functions: 4\nMaximum function count: 9999\n\
                    Maximum internal block count: 849637\n";
        let totals = ProfileTotals::parse(text).expect("totals");
        assert_eq!((totals.functions, totals.largest_count(), totals.total_count), (4, 849_637, None));
        let newer =
            ProfileTotals::parse(&format!("{text}Total number of blocks: 17\nTotal count: 1457328\n"));
        assert_eq!(newer.expect("totals").total_count, Some(1_457_328));
        assert_eq!(ProfileTotals::parse("error: empty"), None);
    }
}
