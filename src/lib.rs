pub mod bpi;
pub mod cfg;
pub mod dialect;
