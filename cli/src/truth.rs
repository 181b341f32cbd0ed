//! What branches did, by a measured profile.

use bpa_schema::{ScoredBranch, WHOLE};

/// What a branch did, by a measured profile, and what the static rules say.
pub struct Truth {
    pub executions: f64,
    /// Where each way leads, its predicted and its measured share.
    sides: Vec<(usize, f64, f64)>,
}

impl Truth {
    /// Nothing if the branch never ran.
    pub fn of(scored: &ScoredBranch) -> Option<Self> {
        let executions = Some(scored.executions.to_f64()).filter(|&executions| executions > 0.0)?;
        let total: f64 = scored.edges.iter().map(|edge| f64::from(edge.true_weight.unwrap_or(0))).sum();
        let mut sides: Vec<(usize, f64, f64)> = Vec::new();
        for edge in &scored.edges {
            let measured = f64::from(edge.true_weight?) / total;
            let predicted = f64::from(edge.numerator) / f64::from(WHOLE);
            match sides.iter_mut().find(|side| side.0 == edge.to) {
                Some(side) => *side = (side.0, side.1 + predicted, side.2 + measured),
                None => sides.push((edge.to, predicted, measured)),
            }
        }
        (total > 0.0).then_some(Truth { executions, sides })
    }

    /// The predicted and the measured share of going to block `to`.
    pub fn side(&self, to: usize) -> Option<(f64, f64)> {
        self.sides.iter().find(|side| side.0 == to).map(|&(_, predicted, measured)| (predicted, measured))
    }

    /// How many executions went the likeliest way, as the answer has it; of several equally likely ways, their mean.
    pub fn hits(&self) -> f64 {
        let highest = self.sides.iter().map(|side| side.1).fold(0.0, f64::max);
        let likeliest: Vec<f64> =
            self.sides.iter().filter(|side| side.1 >= highest).map(|side| side.2).collect();
        self.executions * likeliest.iter().sum::<f64>() / likeliest.len() as f64
    }

    /// How many went the way that most went: no static answer hits more.
    pub fn perfect(&self) -> f64 {
        self.executions * self.sides.iter().map(|side| side.2).fold(0.0, f64::max)
    }

    /// How many a right answer would have foretold besides.
    pub fn avoidable(&self) -> f64 {
        self.perfect() - self.hits()
    }
}

#[cfg(test)]
mod tests {
    use bpa_schema::FORMAT;

    use super::*;

    fn truth(edges: &str) -> Option<Truth> {
        let text = format!(
            r#"{{"format":{FORMAT},"llvm":16,"predictor":"llvm","module":"m","function":"f","local":false,"block":"%b",
            "number":0,"kind":"two-way","executions":"100","rule":"even","edges":[{edges}]}}"#
        );
        Truth::of(&serde_json::from_str(&text).expect("a branch"))
    }

    #[test]
    fn a_wrong_answer_costs_what_a_right_one_would_have_saved() {
        let wrong = truth(
            r#"{"to":1,"numerator":2013265920,"weight":1,"true_weight":1},{"to":2,"numerator":134217728,"weight":1,"true_weight":9}"#,
        );
        let wrong = wrong.expect("it ran");
        assert!((wrong.avoidable() - 80.0).abs() < 1e-9);
        assert_eq!(wrong.side(2), Some((0.0625, 0.9)));
        let even = truth(
            r#"{"to":1,"numerator":1073741824,"weight":1,"true_weight":1},{"to":2,"numerator":1073741824,"weight":1,"true_weight":9}"#,
        );
        assert!((even.expect("it ran").avoidable() - 40.0).abs() < 1e-9);
    }

    #[test]
    fn what_never_ran_has_no_truth() {
        assert!(truth(r#"{"to":1,"numerator":1,"weight":1},{"to":2,"numerator":2,"weight":1}"#).is_none());
        assert!(truth(r#"{"to":1,"numerator":1,"weight":1,"true_weight":0},{"to":2,"numerator":2,"weight":1,"true_weight":0}"#)
            .is_none());
    }
}
