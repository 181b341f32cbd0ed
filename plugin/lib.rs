//! `libbpa.so`: the passes of the library as a plugin.

bpa::plugin!("bpa", bpa::plugin::add_passes);
