/// \file
/// Applies a macro to each of up to 64 arguments.

#pragma once

// A macro is not expanded inside its own expansion, so the recursion is deferred: STEP leaves
// `AGAIN_NAME ()` behind, and each level of EXPAND rescans it. 3 levels of 4 rescan 64 times and
// more. Source: David Mazieres, "Recursive macros with C++20 __VA_OPT__", 2021.
#define DDX_DETAIL_PARENTHESES ()
#define DDX_DETAIL_EXPAND(...) \
  DDX_DETAIL_EXPAND_3(DDX_DETAIL_EXPAND_3(DDX_DETAIL_EXPAND_3(DDX_DETAIL_EXPAND_3(__VA_ARGS__))))
#define DDX_DETAIL_EXPAND_3(...) \
  DDX_DETAIL_EXPAND_2(DDX_DETAIL_EXPAND_2(DDX_DETAIL_EXPAND_2(DDX_DETAIL_EXPAND_2(__VA_ARGS__))))
#define DDX_DETAIL_EXPAND_2(...) \
  DDX_DETAIL_EXPAND_1(DDX_DETAIL_EXPAND_1(DDX_DETAIL_EXPAND_1(DDX_DETAIL_EXPAND_1(__VA_ARGS__))))
#define DDX_DETAIL_EXPAND_1(...) __VA_ARGS__

/// `macro(common, argument)` for each argument, one after the other, with nothing between.
#define DDX_DETAIL_FOR_EACH(macro, common, ...) \
  __VA_OPT__(DDX_DETAIL_EXPAND(DDX_DETAIL_FOR_EACH_STEP(macro, common, __VA_ARGS__)))
#define DDX_DETAIL_FOR_EACH_STEP(macro, common, first, ...) \
  macro(common, first)                                      \
      __VA_OPT__(DDX_DETAIL_FOR_EACH_AGAIN DDX_DETAIL_PARENTHESES(macro, common, __VA_ARGS__))
#define DDX_DETAIL_FOR_EACH_AGAIN() DDX_DETAIL_FOR_EACH_STEP
