// Checks the layout of the arrays that C++ passes to Rust. In Rust, `layout!` checks the same sizes and offsets.

#pragma once

#include <cstddef>
#include <cstdint>

// The condition is checked only if pointers have 64 bits.
#define BPA_LAYOUT(condition) static_assert(sizeof(void *) != 8 || (condition), "the layouts of the C++ and the Rust struct differ")
