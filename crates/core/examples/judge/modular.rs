//! Matrices of remainders modulo a prime.

/// 2^61 - 1, by which one divides fast, and another for matrices that have no inverse modulo that: where a cycle comes
/// back once in 2^61 times, say.
pub const PRIMES: [u64; 2] = [MERSENNE, (1 << 61) - 31];

const MERSENNE: u64 = (1 << 61) - 1;

/// Arithmetic modulo a prime below 2^61.
#[derive(Clone, Copy)]
pub struct Modulus(pub u64);

impl Modulus {
    pub fn remainder(self, number: i128) -> u64 {
        number.rem_euclid(self.0.into()) as u64
    }

    fn product(self, one: u64, other: u64) -> u64 {
        let wide = u128::from(one) * u128::from(other);
        if self.0 != MERSENNE {
            return (wide % u128::from(self.0)) as u64;
        }
        let folded = (wide as u64 & MERSENNE) + (wide >> 61) as u64;
        if folded >= MERSENNE {
            folded - MERSENNE
        } else {
            folded
        }
    }

    /// The sum of products of numbers in two lists.
    pub fn dot(self, row: &[u64], column: &[u64]) -> u64 {
        let pairs = row.iter().zip(column).filter(|(_, &other)| other != 0);
        let sum: u128 = pairs.map(|(&one, &other)| u128::from(self.product(one, other))).sum();
        (sum % u128::from(self.0)) as u64
    }

    fn difference(self, one: u64, other: u64) -> u64 {
        if one >= other {
            one - other
        } else {
            one + self.0 - other
        }
    }

    fn inverse_of(self, number: u64) -> u64 {
        let (mut power, mut result, mut left) = (number, 1, self.0 - 2);
        while left > 0 {
            if left & 1 == 1 {
                result = self.product(result, power);
            }
            power = self.product(power, power);
            left >>= 1;
        }
        result
    }

    /// The inverse of a square matrix, in rows; none if it has none.
    pub fn inverse(self, mut rows: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
        let count = rows.len();
        for (place, row) in rows.iter_mut().enumerate() {
            row.resize(2 * count, 0);
            row[count + place] = 1;
        }
        for step in 0..count {
            let pivot = (step..count).find(|&row| rows[row][step] != 0)?;
            rows.swap(step, pivot);
            let factor = self.inverse_of(rows[step][step]);
            rows[step].iter_mut().for_each(|number| *number = self.product(*number, factor));
            let own = rows[step].clone();
            for (place, row) in rows.iter_mut().enumerate() {
                let factor = row[step];
                if place != step && factor != 0 {
                    for (number, &across) in row.iter_mut().zip(&own).skip(step) {
                        *number = self.difference(*number, self.product(factor, across));
                    }
                }
            }
        }
        Some(rows.into_iter().map(|row| row[count..].to_vec()).collect())
    }
}
