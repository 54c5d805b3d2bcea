/// \file
/// Elfutils' libdw, which reads debug information, loaded at its first use. It is not linked: a
/// program runs without it.

#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace ddx {

/// The functions of libdw that lines are found by, each under its own name.
struct Libdw {
#define DDX_LIBDW(name) decltype(&::name) name = nullptr;
#include "core/call_stack/libdw_functions.def"
};

/// The library; null where the system has none.
[[nodiscard]] const Libdw* libdw() noexcept;

}  // namespace ddx
