/// \file
/// A program of the table and the input at which it is measured.

#pragma once

#include <tuple>

namespace ddx::bench {

/// `program` is callable with the inputs, also with any other type of number.
template <class Program, class... Inputs>
struct Case {
  Program program;
  std::tuple<Inputs...> inputs;
};

template <class Program, class... Inputs>
Case(Program, std::tuple<Inputs...>) -> Case<Program, Inputs...>;

}  // namespace ddx::bench
