//! Every difference between LLVM versions that shows in numbers or text, as data.

/// How block frequencies become integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequencyScaling {
    /// The smallest frequency becomes 8 as long as the spread between smallest and largest fits 61 bits,
    /// else the largest becomes 2^64.
    SmallestToEight,
    /// The largest frequency becomes 2^54, so that sums and products keep headroom.
    LargestTo54Bits,
}
