// The layout of what C++ hands over as arrays: the same numbers stand in `layout!` at the structs of Rust.

#pragma once

#include <cstddef>
#include <cstdint>

// The numbers are those of 64 bits.
#define BPA_LAYOUT(condition) static_assert(sizeof(void *) != 8 || (condition), "as the struct of Rust")
