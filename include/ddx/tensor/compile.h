/// \file
/// Functions as graphs: `graph(f)` to look at, `compile(f)` to run.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/device.h"
#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/remove_dead_code.h"
#include "ddx/ops/kernel.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/recorded_keys.h"
#include "ddx/tensor/detail/staged_values.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

namespace ddx {
namespace detail {

/// The programs of one function for arguments of some C++ types, the last used first.
template <class Result, class... X>
class Programs {
 public:
  /// Tensors of arguments that are donated go to the run, where it begins.
  template <class F, class... Given>
  Result run(const F& f, Given&&... given) {
    std::vector<Array> arrays = arrays_in(given...);
    const std::vector<RandomKey> keys = keys_in(given...);
    const std::shared_ptr<const Program> program = program_of(f, arrays, keys, given...);
    const KeyInputs::Call call(program->key_inputs, keys);
    const backend::StagedGraph& staged = program->staged.staged();
    std::vector<ops::View> views;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const ir::Type& type = program->types[i];  // Stays, where an array is donated.
      views.emplace_back(nullptr, type.shape, type.dtype, arrays[i].view().storage());
    }
    std::vector<backend::Buffer> donated(arrays.size());
    std::size_t place = 0;
    (give_away(std::forward<Given>(given), arrays, donated, place), ...);
    const std::vector<backend::Buffer> buffers =
        program->staged.run(views, call.values(staged), donated);
    Result result = program->form;
    call.set_keys(result);
    set_tensors(result, buffers, result_types(staged.graph), Device::lazy());
    return result;
  }

 private:
  // Of a function that is called with ever new shapes or numbers.
  static constexpr std::size_t most_programs = 64;

  struct Program {
    std::tuple<X...> arguments;  // Their tensors are empty.
    std::vector<ir::Type> types;
    std::vector<RandomKey> keys;
    KeyInputs key_inputs;
    backend::StagedProgram staged;
    Result form;
  };

  template <class F>
  std::shared_ptr<const Program> program_of(const F& f, const std::vector<Array>& arrays,
                                            const std::vector<RandomKey>& keys, const X&... x) {
    {
      const std::scoped_lock lock(mutex_);
      for (auto program = programs_.begin(); program != programs_.end(); ++program) {
        if (is_for(**program, arrays, keys, x...)) {
          programs_.splice(programs_.begin(), programs_, program);
          return programs_.front();
        }
      }
    }
    // Unlocked: the function may call itself compiled. Two threads may make equal programs.
    auto program = std::make_shared<const Program>(recorded_program(f, arrays, keys, x...));
    const std::scoped_lock lock(mutex_);
    programs_.push_front(program);
    if (programs_.size() > most_programs) {
      programs_.pop_back();
    }
    return program;
  }

  template <class F>
  static Program recorded_program(const F& f, const std::vector<Array>& arrays,
                                  const std::vector<RandomKey>& keys, const X&... x) {
    std::vector<ir::Type> types = types_of(arrays);
    std::tuple<X...> arguments(x...);
    const RecordedKeys recorded_keys(keys);
    recorded_keys.set_keys(arguments);
    Recorded<Result> recorded = std::apply(
        [&](const X&... own) {
          return record<Result>("compile", Device::lazy(), f, types, own...);
        },
        arguments);
    KeyInputs key_inputs = recorded_keys.finish(recorded.staged, recorded.form);
    arguments = std::tuple<X...>(x...);
    empty_tensors(arguments);
    return {std::move(arguments),
            std::move(types),
            keys,
            std::move(key_inputs),
            backend::StagedProgram(std::move(recorded.staged)),
            std::move(recorded.form)};
  }

  static bool is_for(const Program& program, const std::vector<Array>& arrays,
                     const std::vector<RandomKey>& keys, const X&... x) {
    if (arrays.size() != program.types.size()) {
      return false;
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (ir::Type{arrays[i].shape(), arrays[i].dtype()} != program.types[i]) {
        return false;
      }
    }
    return have_same_form(program.arguments, std::tuple<const X&...>(x...), are_equal_but_keys) &&
           program.key_inputs.fit(program.keys, keys);
  }

  /// Moves the buffers of an argument's tensors out of it and of `arrays`, from `place` on, where
  /// the argument is donated; passes them by elsewhere.
  template <class Argument>
  static void give_away(Argument&& argument, std::vector<Array>& arrays,
                        std::vector<backend::Buffer>& donated, std::size_t& place) {
    visit_tensors(
        [&]<class T>(T& tensor) {
          if constexpr (!std::is_lvalue_reference_v<Argument> && !std::is_const_v<T>) {
            donated[place] = backend::Buffer(*backend::block_of(arrays[place].view()));
            arrays[place] = Array(arrays[place].dtype());
            tensor = T();
          }
          ++place;
        },
        argument);
  }

  ForkSafeMutex mutex_;
  std::list<std::shared_ptr<const Program>> programs_;
};

/// An argument as it is passed by value: of an array or a function, a pointer to it.
template <class X>
constexpr decltype(auto) decayed(X&& x) {
  using Bare = std::remove_reference_t<X>;
  if constexpr (std::is_array_v<Bare> || std::is_function_v<Bare>) {
    return std::decay_t<X>(x);
  } else {
    return std::forward<X>(x);
  }
}

/// Calls a compiled function, of which `state` has the programs. Differentiated code may not.
template <class State, class F, class... X>
auto run_compiled(State& state, const F& f, X&&... x) {
  using Result = std::decay_t<std::invoke_result_t<const F&, const std::remove_reference_t<X>&...>>;
  if (backend::is_staging()) {
    return Result(f(std::as_const(x)...));  // It becomes a part of what is staged.
  }
  return state.template programs<Result, std::remove_cvref_t<X>...>().run(f, std::forward<X>(x)...);
}

}  // namespace detail

/// A function that has been compiled for the arguments it was called with; see `compile`. Copies
/// share what has been compiled.
template <class F>
class Compiled {
 public:
  explicit Compiled(F f) : state_(std::make_shared<State>(std::move(f))) {}

  template <class... X>
  auto operator()(X&&... x) const {
    return detail::run_compiled(*state_, state_->f, detail::decayed(std::forward<X>(x))...);
  }

 private:
  struct State {
    explicit State(F function) : f(std::move(function)) {}

    template <class Result, class... X>
    detail::Programs<Result, X...>& programs() {
      using All = detail::Programs<Result, X...>;
      const std::scoped_lock lock(mutex);
      for (const auto& [types, programs] : by_types) {
        if (types == std::type_index(typeid(All))) {
          return *static_cast<All*>(programs.get());
        }
      }
      const auto all = std::make_shared<All>();
      by_types.emplace_back(typeid(All), all);
      return *all;
    }

    F f;
    detail::ForkSafeMutex mutex;
    std::vector<std::pair<std::type_index, std::shared_ptr<void>>> by_types;  // A few.
  };

  std::shared_ptr<State> state_;
};

/// The function, recorded at its first call and run as a graph from then on: its C++ code runs once
/// for each signature, which is the shapes and dtypes of the tensors among its arguments, the
/// lengths of lists, and all numbers and other values. The last 64 signatures are kept.
///
/// Arguments and results are tensors, values that can be compared, pairs, tuples, arrays, vectors
/// and optionals of these, and classes that list all their members in DDX_DIFFERENTIABLE or
/// DDX_NO_DERIVATIVE: models, optimisers, DynamicLossScale, LBFGSMinimum. Pointers to objects,
/// std::reference_wrapper, tuples with references, iterators and views (std::span,
/// std::string_view; const char* too) do not compile, in any of these either: a call compares its
/// arguments with those of the recording, and equal addresses do not mean equal values. A result
/// would have the address of the recording. Pointers to functions are values. What operator== of a
/// class compares is not seen: where that is an address, what is behind it must not change. What is
/// donated (std::move) is written over where it has no other owner, and lost where the run throws.
/// A call computes at once; results are on Device::lazy(), arguments may be on any device whose
/// memory this process sees. Where a call differs from those before in numbers alone (a `float`, a
/// flag), it is recorded, but nothing of it is compiled again; learning rates of optimisers, other
/// `nn::ScheduledNumber`s and random keys are parameters, as tensors are. Only where the function
/// reads the bits of a key, what is recorded is for that key: it compares or prints it, or draws
/// with it on another device than `Device::lazy()`. What the host draws (integers, orders,
/// truncated normal, gamma, beta and categorical numbers, regions of fractional pooling), it draws
/// at each call, before the graph runs: concentrations and scores that are recorded, or arguments,
/// are an error. Tensors that the function captures, and other variables that it reads, keep for a
/// signature the values that they had when it was recorded; pass what changes as an argument.
/// Inside the function gradients may be taken; the compiled function itself has none (to ask for it
/// does not compile): compile the function that takes the gradient. Inside a function that is
/// itself compiled it becomes a part of that one.
///
/// Throws:  UsageError from the call where the function observes elements: they are not there while
///          it is recorded. What the function throws, while it is recorded. What an argument or a
///          result has failed with.
/// Cost:    of a call, some microseconds beside the graph.
/// Example:
///   const auto step = compile([](const Tensor<float>& w, const Tensor<float>& x, float rate) {
///     return w - rate * gradient([&](const auto& v) { return sum(square(matmul(x, v))); }, w);
///   });
///   w = step(w, x, 0.1F);
template <class F>
[[nodiscard]] auto compile(F f) {
  return Compiled<F>(std::move(f));
}

/// The graph of a function: `graph(f)(x...)` records what f does with arguments of the types of
/// x..., and runs nothing. Its parameters are first the tensors among the arguments, in their
/// order, then those that the function has captured. `ir::to_text` and `ir::to_graphviz` show it;
/// `ir::optimised` is what would be run of it. Arguments and results are as those of `compile`.
///
/// Throws:  as compile.
/// Example:
///   const auto slope = [](const Tensor<float>& x) { return gradient(loss, x); };
///   std::cout << ir::to_text(graph(slope)(x));
template <class F>
[[nodiscard]] auto graph(F f) {
  return [f = std::move(f)]<class... X>(const X&... x) -> ir::Graph {
    using Result = std::decay_t<std::invoke_result_t<const F&, const X&...>>;
    const std::vector<ir::Type> types = detail::types_of(detail::arrays_in(x...));
    const Device device = detail::recording_device(x...).value_or(Device::lazy());
    return ir::remove_dead_code(
        detail::record<Result>("graph", device, f, types, x...).staged.graph);
  };
}

}  // namespace ddx
