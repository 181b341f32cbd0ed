//! Computations that `bpa-report` and the command `bpa` share.

/// A hint is only suggested if at least this fraction of the branch's executions continues at the most frequent
/// successor.
pub const LEAST_HINT_SHARE: f64 = 0.6;

/// How many executions of a branch continue at its likeliest successor. If several successors are equally likely, the
/// result is the mean over these successors. Each item of `successors` has the predicted probability of a successor,
/// and its executions as a count or as a fraction.
pub fn hits(successors: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let highest = successors.clone().map(|(predicted, _)| predicted).fold(0.0, f64::max);
    let likeliest = successors.filter(|&(predicted, _)| predicted >= highest);
    let (hits, count) = likeliest.fold((0.0, 0.0), |(hits, count), (_, taken)| (hits + taken, count + 1.0));
    hits / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equally_likely_successors_have_the_mean_of_their_hits() {
        assert_eq!(hits([(0.75, 1.0), (0.25, 7.0)].into_iter()), 1.0);
        assert_eq!(hits([(0.4, 1.0), (0.4, 4.0), (0.2, 7.0)].into_iter()), 2.5);
    }
}
