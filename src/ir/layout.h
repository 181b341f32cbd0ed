// The layout of the arrays that C++ passes to Rust. `layout!` at the Rust structs has the same numbers.

#pragma once

#include <cstddef>
#include <cstdint>

// The numbers are for 64 bits.
#define BPA_LAYOUT(condition) static_assert(sizeof(void *) != 8 || (condition), "as the struct of Rust")
