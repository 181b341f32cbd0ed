//! Matrices of remainders modulo the prime 2^61 - 1.

pub const PRIME: u64 = (1 << 61) - 1;

pub fn product(one: u64, other: u64) -> u64 {
    let wide = u128::from(one) * u128::from(other);
    let folded = (wide as u64 & PRIME) + (wide >> 61) as u64;
    if folded >= PRIME {
        folded - PRIME
    } else {
        folded
    }
}

fn difference(one: u64, other: u64) -> u64 {
    if one >= other {
        one - other
    } else {
        one + PRIME - other
    }
}

fn inverse_of(number: u64) -> u64 {
    let (mut power, mut result, mut left) = (number, 1, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            result = product(result, power);
        }
        power = product(power, power);
        left >>= 1;
    }
    result
}

/// The inverse of a square matrix, in rows; none if it has none.
pub fn inverse(mut rows: Vec<Vec<u64>>) -> Option<Vec<Vec<u64>>> {
    let count = rows.len();
    for (place, row) in rows.iter_mut().enumerate() {
        row.resize(2 * count, 0);
        row[count + place] = 1;
    }
    for step in 0..count {
        let pivot = (step..count).find(|&row| rows[row][step] != 0)?;
        rows.swap(step, pivot);
        let factor = inverse_of(rows[step][step]);
        rows[step].iter_mut().for_each(|number| *number = product(*number, factor));
        let own = rows[step].clone();
        for (place, row) in rows.iter_mut().enumerate() {
            let factor = row[step];
            if place != step && factor != 0 {
                for (number, &across) in row.iter_mut().zip(&own).skip(step) {
                    *number = difference(*number, product(factor, across));
                }
            }
        }
    }
    Some(rows.into_iter().map(|row| row[count..].to_vec()).collect())
}
