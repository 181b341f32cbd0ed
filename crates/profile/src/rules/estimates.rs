//! The numbers of estimated weights.

/// By which numbers estimated weights tell. Weights mean something only compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimateWeights {
    /// Of a block that ends in `unreachable`. What weighs 0 never completes, and metadata is not believed that leads
    /// there.
    pub unreachable: u32,
    /// Of one that does so after a call that does not return.
    pub noreturn: u32,
    /// Of one that runs only while an exception is on its way.
    pub unwind: u32,
    /// Of one with a call marked `cold`.
    pub cold: u32,
    /// Of one of which nothing is known.
    pub default: u32,
    /// How a loop divides: staying to leaving. An edge that leaves has the weight that it had otherwise, times the
    /// second and divided by the first.
    pub around_loop: [u32; 2],
    /// The same for an edge to an unlikely successor: going there makes the condition of the branch false next time.
    pub unlikely: [u32; 2],
}
