#include "backend/lazy/fused_loop.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/alignment.h"
#include "backend/cpu/pool.h"
#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/graph_run.h"
#include "backend/lazy/materialised_values.h"
#include "backend/non_finite.h"
#include "ir/detail/broadcasting.h"
#include "ir/detail/operands_to_overwrite.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

using ir::Graph;
using ir::detail::is_column_of;
using ir::detail::is_row_of;

// Of one array: a few of them are a small part of the second cache, and a call of a kernel, 50 ns,
// is little beside the elements.
constinit std::atomic<std::int64_t> block_bytes{32768};

// Of elementwise operations: select.
constexpr std::size_t most_operands = 3;

// Beginnings of blocks are then aligned as kernels want it, whatever the dtype.
constexpr std::int64_t block_multiple = Buffer::alignment;

// A part of a compiled loop has at least this many operations on elements: some 10 us.
constexpr std::int64_t code_grain = 131072;

// Fewer elements are faster one operation after the other, unless there are many operations: what a
// run of a loop prepares is as much as some of their kernels. Measured on steps of gradient
// descent, a Zen 5: of arrays of 1024 elements 21 % slower as loops, of 4096 8 % faster, of 65536
// 12 %; on a step of Adam with arrays of 8 to 512 elements, a Zen 4: with loops of 6 operations and
// more 4 % faster, of 5 and more 4 % slower.
constexpr std::int64_t least_for_code = 2048;
constexpr std::size_t many_operations = 6;

// Rows shorter than this are repeated before a compiled loop.
constexpr std::int64_t long_row = 256;

/// How often a row is repeated so that it is long, and as a rule a whole number of turns.
std::int64_t repetitions(std::int64_t row, std::int64_t rows) {
  const std::int64_t turn = cpu_jit::elements_in_turn();
  if (row >= long_row) {
    return 1;
  }
  const std::int64_t whole = turn / std::gcd(turn, row);
  const std::int64_t times = whole * ((long_row + row * whole - 1) / (row * whole));
  return rows >= 4 * times ? times : 1;
}

/// A row of shape [elements], or the same of shape [rows, elements]; where a row is one element,
/// [rows].
Shape block_shape(std::int64_t rows, std::int64_t row) {
  return row == 1 ? Shape{rows} : Shape{rows, row};
}

}  // namespace

std::int64_t set_block_bytes(std::int64_t bytes) noexcept {
  return block_bytes.exchange(bytes);
}

struct FusedLoop::Pass {
  std::span<std::byte* const> arrays;
  std::vector<ops::Attributes> attributes;
  std::vector<ops::Kernel> kernels;
};

std::optional<FusedLoop> FusedLoop::over(const Graph& graph, std::vector<std::size_t> nodes,
                                         const std::vector<bool>& outputs) {
  FusedLoop loop(graph, graph.type(graph.node(nodes[0]).result()).shape);
  if (!loop.find_rows(nodes)) {
    return std::nullopt;
  }
  loop.add_instructions(nodes, outputs);
  loop.nodes_ = std::move(nodes);
  loop.only_reduced_.resize(loop.arrays_.size());
  loop.reads_.resize(loop.arrays_.size());
  for (const Instruction& instruction : loop.instructions_) {
    for (const Place& operand : instruction.operands) {
      if (operand.kind != Place::Kind::Temporary) {
        ++loop.reads_[operand.number];
      }
    }
  }
  return loop;
}

std::optional<FusedLoop> FusedLoop::in_chain(const Graph& graph, std::span<const std::size_t> nodes,
                                             const std::vector<bool>& outputs) {
  std::optional<FusedLoop> loop = over(graph, {nodes.begin(), nodes.end()}, outputs);
  if (!loop || !loop->program()) {
    return std::nullopt;
  }
  loop->has_blocks_ = loop->has_blocks_ && loop->instructions_.size() > 1;
  loop->find_overwritings();
  return loop;
}

std::optional<FusedLoop> FusedLoop::of(const Graph& graph, std::span<const std::size_t> nodes,
                                       std::span<const std::size_t> reductions,
                                       const std::vector<bool>& outputs) {
  if (nodes.empty() || (nodes.size() < 2 && reductions.empty())) {
    return std::nullopt;
  }
  std::optional<FusedLoop> made = over(graph, {nodes.begin(), nodes.end()}, outputs);
  if (!made) {
    return std::nullopt;
  }
  FusedLoop& loop = *made;
  const bool may_be_code =
      (loop.shape_.count() >= least_for_code || loop.instructions_.size() >= many_operations) &&
      cpu_jit::is_on() && loop.program();
  if (may_be_code) {
    loop.find_reductions(reductions);
  }
  loop.has_blocks_ = loop.has_blocks_ && loop.instructions_.size() > 1;
  if (!loop.has_blocks_ &&
      (!may_be_code || (loop.instructions_.size() < 2 && loop.reductions_.empty()))) {
    return std::nullopt;
  }
  loop.find_overwritings();
  return made;
}

bool FusedLoop::may_overwrite(ir::ValueId output, ir::ValueId operand) const {
  return std::ranges::any_of(overwritings_, [&](const Overwriting& overwriting) {
    return arrays_[overwriting.output] == output && overwriting.operand == operand;
  });
}

void FusedLoop::find_reductions(std::span<const std::size_t> reductions) {
  std::vector<bool> made(arrays_.size());
  for (const Instruction& instruction : instructions_) {
    if (instruction.result.kind == Place::Kind::Whole) {
      made[instruction.result.number] = true;
    }
  }
  LoopReductions found(*graph_, shape_, arrays_, made, reductions);
  if (found.empty() || !found.fit(code_step())) {
    return;
  }
  std::ranges::copy(found.nodes(), std::back_inserter(nodes_));
  const std::vector<bool> in_memory = materialised_values(*graph_, {&nodes_, 1});
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    only_reduced_[i] = !in_memory[Graph::index(arrays_[i])];
  }
  if (code_step() == 1) {
    found.sum_in_loop(only_reduced_);
  }
  reductions_ = std::move(found);
}

std::int64_t FusedLoop::code_step() const {
  const bool is_flat = !has_columns_ && row_arrays_.empty();
  return is_flat ? 1 : row_ * (has_columns_ ? 1 : repetitions(row_, rows_));
}

bool FusedLoop::find_rows(std::span<const std::size_t> nodes) {
  const std::int64_t count = shape_.count();
  for (const std::size_t i : nodes) {
    const ir::Node node = graph_->node(i);
    element_bytes_ = std::max(element_bytes_, info(graph_->type(node.result()).dtype).bytes);
    for (const ir::ValueId operand : node.operands) {
      const ir::Type& type = graph_->type(operand);
      element_bytes_ = std::max(element_bytes_, info(type.dtype).bytes);
      const auto maker = graph_->producer(operand);
      const bool is_number = maker && graph_->node(*maker).op == ops::Op::full;
      if (is_number && node.operands.size() == 1 && node.op != ops::Op::broadcast_to) {
        return false;  // Its kernel has no other way than as many elements as in the result.
      }
      if (type.shape.count() == count || type.shape.count() == 1 || is_number) {
        continue;
      }
      const bool is_row = is_row_of(type.shape, shape_);
      if (type.shape.count() == 0 || (!is_row && !is_column_of(type.shape, shape_))) {
        return false;
      }
      const std::int64_t row = is_row ? type.shape.count() : count / type.shape.count();
      if (row_ != 0 && row != row_) {
        return false;
      }
      row_ = row;
    }
  }
  row_ = std::max<std::int64_t>(row_, 1);
  if (count == 0) {
    return false;
  }
  const std::int64_t wanted = block_bytes / static_cast<std::int64_t>(element_bytes_);
  has_blocks_ = count >= 2 * wanted && row_ <= wanted;
  rows_ = count / row_;
  const std::int64_t step = block_multiple / std::gcd(block_multiple, row_);
  block_rows_ = (wanted / row_ + step - 1) / step * step;
  return true;
}

FusedLoop::Place FusedLoop::outside(ir::ValueId value) {
  const ir::Type& type = graph_->type(value);
  const auto maker = graph_->producer(value);
  const std::int64_t count = type.shape.count();
  const auto found = std::ranges::find(arrays_, value);
  Place place{.number = static_cast<std::size_t>(found - arrays_.begin()), .dtype = type.dtype};
  const bool is_new = found == arrays_.end();
  if (is_new) {
    arrays_.push_back(value);
  }
  if (count == 1 || (maker && graph_->node(*maker).op == ops::Op::full)) {
    place.kind = Place::Kind::Number;
  } else if (count != shape_.count()) {
    const bool is_row = is_row_of(type.shape, shape_);
    place.kind = is_row ? Place::Kind::Row : Place::Kind::Column;
    if (is_row && is_new) {
      row_arrays_.push_back(place.number);
    }
    has_columns_ = has_columns_ || !is_row;
  }
  return place;
}

void FusedLoop::add_instructions(std::span<const std::size_t> nodes,
                                 const std::vector<bool>& outputs) {
  std::unordered_map<std::size_t, std::size_t> last_reader;  // By the node that is read.
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    for (const ir::ValueId operand : graph_->node(nodes[place]).operands) {
      if (const auto maker = graph_->producer(operand)) {
        last_reader[*maker] = place;
      }
    }
  }
  std::unordered_map<std::size_t, Place> made;  // By the node that makes it.
  std::vector<std::size_t> free;
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    const ir::Node node = graph_->node(nodes[place]);
    const ir::Type& type = graph_->type(node.result());
    Instruction instruction{.node = nodes[place], .key = type.dtype, .operands = {}, .result = {}};
    for (const ir::ValueId operand : node.operands) {
      const auto maker = graph_->producer(operand);
      const auto inside = maker ? made.find(*maker) : made.end();
      instruction.operands.push_back(inside == made.end() ? outside(operand) : inside->second);
    }
    if (ops::info(node.op.row()).family == ops::Family::ScaledSum) {
      scaled_.push_back(nodes[place]);
    }
    instruction.key = instruction.operands[ops::key_place(node.op.row()).index].dtype;
    instruction.result.dtype = type.dtype;
    if (outputs[Graph::index(node.result())]) {
      instruction.result.number = arrays_.size();
      arrays_.push_back(node.result());
    } else {
      instruction.result.kind = Place::Kind::Temporary;
      if (free.empty()) {
        free.push_back(temporaries_++);
      }
      instruction.result.number = free.back();
      free.pop_back();
    }
    made.emplace(nodes[place], instruction.result);
    for (const ir::ValueId operand : node.operands) {
      const auto maker = graph_->producer(operand);
      const auto read = maker ? made.find(*maker) : made.end();
      if (read != made.end() && read->second.kind == Place::Kind::Temporary &&
          last_reader.at(*maker) == place) {
        free.push_back(read->second.number);
        last_reader.at(*maker) = nodes.size();  // An operand may occur twice.
      }
    }
    instructions_.push_back(std::move(instruction));
  }
}

void FusedLoop::find_overwritings() {
  /// How the instructions read an array.
  struct Reads {
    std::size_t count = 0;
    std::size_t last = 0;  // The instruction.
    bool all_whole = true;
  };
  std::vector<Reads> reads(arrays_.size());
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    for (const Place& operand : instructions_[i].operands) {
      if (operand.kind != Place::Kind::Temporary) {
        Reads& of_array = reads[operand.number];
        of_array.count += 1;
        of_array.last = i;
        of_array.all_whole = of_array.all_whole && operand.kind == Place::Kind::Whole;
      }
    }
  }
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = instructions_[i];
    if (instruction.result.kind != Place::Kind::Whole) {
      continue;
    }
    const ir::Node node = graph_->node(instruction.node);
    const ir::Type& type = graph_->type(node.result());
    const std::size_t overwritable = ir::detail::operands_to_overwrite(node.op);
    for (std::size_t array = 0; array < arrays_.size(); ++array) {
      const Reads& of_array = reads[array];
      const bool is_read_before = of_array.last < i || (of_array.last == i && overwritable > 0);
      if (of_array.count > 0 && of_array.all_whole && is_read_before &&
          graph_->type(arrays_[array]) == type) {
        overwritings_.push_back({instruction.result.number, arrays_[array], of_array.count});
      }
    }
  }
}

void FusedLoop::run_apart(GraphRun& values) const {
  for (const std::size_t i : nodes_) {
    const ir::Node node = graph_->node(i);
    for (const ir::ValueId operand : node.operands) {
      if (const auto maker = graph_->producer(operand);
          maker && graph_->node(*maker).op == ops::Op::full && !values.is_there(operand)) {
        values.run(graph_->node(*maker));
      }
    }
    values.run(node);
  }
}

void FusedLoop::run(GraphRun& values) const {
  const auto has_failed = [&](std::size_t i) { return values.has_failed_operand(graph_->node(i)); };
  // An earlier attempt, which has stopped, may have done some nodes.
  const auto is_done = [&](std::size_t i) { return values.is_done(i); };
  // Of no elements there may be very many rows.
  if (shape_.count() == 0 || are_nans_debugged() || std::ranges::any_of(nodes_, is_done) ||
      (values.has_errors() && std::ranges::any_of(nodes_, has_failed))) {
    run_apart(values);
    return;
  }
  const bool is_code = has_code();
  if (!is_code && !has_blocks_) {
    run_apart(values);
    return;
  }
  // Behind the loop nothing may allocate: it may have written over its operands.
  const std::vector<std::size_t> reductions = reductions_.nodes();
  if (is_code) {
    run_code(values);
    release(values, only_reduced_);
    for (const std::size_t i : reductions) {
      values.release_after(graph_->node(i));
      values.mark_done(i);
    }
    mark_done(values);
    return;
  }
  const std::vector<bool> is_tiled(arrays_.size());
  run_blocks(values);
  release(values, is_tiled);
  mark_done(values);
  for (const std::size_t i : reductions) {
    values.run(graph_->node(i));
  }
}

void FusedLoop::mark_done(GraphRun& values) const noexcept {
  for (const Instruction& instruction : instructions_) {
    values.mark_done(instruction.node);
  }
}

void FusedLoop::release(GraphRun& values, const std::vector<bool>& is_tiled) const noexcept {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (reads_[i] > 0 && !is_tiled[i]) {
      values.release(arrays_[i], reads_[i]);
    }
  }
}

std::vector<std::byte*> FusedLoop::find_arrays(GraphRun& values,
                                               const std::vector<bool>& is_tiled) const {
  for (const auto& [array, operand, uses] : overwritings_) {
    if (!values.is_there(arrays_[array]) && !is_tiled[array]) {
      (void)values.take_over(arrays_[array], operand, uses);
    }
  }
  std::vector<std::byte*> arrays(arrays_.size());
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (is_tiled[i]) {
      continue;
    }
    if (!values.is_there(arrays_[i])) {
      if (const ir::Node maker = graph_->node(*graph_->producer(arrays_[i]));
          maker.op == ops::Op::full) {
        values.run(maker);  // The first one to need the number.
      } else {
        values.allocate(arrays_[i]);
      }
    }
    arrays[i] = values.view(arrays_[i]).mutable_data<std::byte>();
  }
  return arrays;
}

void FusedLoop::run_blocks(GraphRun& values) const {
  const std::vector<std::byte*> arrays = find_arrays(values, std::vector<bool>(arrays_.size()));
  Pass pass{arrays, {}, {}};
  for (const Instruction& instruction : instructions_) {
    const ir::Node node = graph_->node(instruction.node);
    pass.attributes.push_back(ir::bound_attributes(node, values.arguments().scalars));
    const Cell& cell = values.backend().kernels().at(node.op.row(), instruction.key);
    if (cell.kernel() == nullptr) {
      throw_unsupported(values.backend().name(), node.op.row(), instruction.key, cell, node.where);
    }
    pass.kernels.push_back(cell.kernel());
  }
  const std::int64_t blocks = (rows_ + block_rows_ - 1) / block_rows_;
  const std::int64_t parts = std::min<std::int64_t>(blocks, cpu::thread_count());
  const std::size_t bytes = temporaries_ * temporary_bytes() + most_operands * column_bytes();
  const Buffer memory(static_cast<std::size_t>(parts) * bytes);
  cpu::for_each_chunk(parts, [&](std::int64_t i) {
    const cpu::Part part(blocks, parts, i);
    for (std::int64_t block = part.begin; block < part.end; ++block) {
      run_block(pass, block * block_rows_, memory.data() + static_cast<std::size_t>(i) * bytes);
    }
  });
}

FusedLoop::CodeCall FusedLoop::prepare(GraphRun& values, const std::vector<bool>& is_tiled) const {
  CodeCall call{code_->function(), find_arrays(values, is_tiled), {}, shape_.count(), {}};
  for (const std::size_t i : scaled_) {
    const auto attributes = ir::bound_attributes(graph_->node(i), values.arguments().scalars);
    call.factors.push_back(std::get<ops::ScaleAttributes>(attributes).scale);
  }
  const std::int64_t step = code_step();
  if (step > 1) {
    call.row = step;
  }
  if (step > row_) {
    call.repeated = repeat_rows(call.arrays, step / row_);
  }
  return call;
}

void FusedLoop::run_code(GraphRun& values) const {
  const CodeCall call = prepare(values, only_reduced_);
  const std::int64_t begins = code_step();
  if (!reductions_.empty()) {
    reductions_.run(values, call.arrays, begins,
                    [&](std::byte* const* given, std::int64_t begin, std::int64_t end) {
                      call(given, begin, end);
                    });
    return;
  }
  const std::int64_t count = shape_.count();
  // Where parts may begin: at rows, or anywhere, if possible with a line of the cache.
  const std::int64_t step = begins == 1 ? block_multiple : begins;
  const std::int64_t steps = (count + step - 1) / step;
  const std::int64_t work = count * static_cast<std::int64_t>(instructions_.size());
  const std::int64_t parts =
      std::clamp<std::int64_t>(std::min(steps, work / code_grain), 1, cpu::thread_count());
  cpu::for_each_chunk(parts, [&](std::int64_t i) {
    const cpu::Part part(steps, parts, i);
    call(call.arrays.data(), part.begin * step, std::min(part.end * step, count));
  });
}

Buffer FusedLoop::repeat_rows(std::vector<std::byte*>& arrays, std::int64_t times) const {
  const std::size_t row_bytes = static_cast<std::size_t>(row_) * element_bytes_;
  const std::size_t bytes = row_bytes * static_cast<std::size_t>(times);
  Buffer memory(bytes * row_arrays_.size());
  std::byte* to = memory.data();
  for (const std::size_t i : row_arrays_) {
    const std::size_t own_bytes =
        static_cast<std::size_t>(row_) * info(graph_->type(arrays_[i]).dtype).bytes;
    for (std::int64_t k = 0; k < times; ++k) {
      std::memcpy(to + static_cast<std::size_t>(k) * own_bytes, arrays[i], own_bytes);
    }
    arrays[i] = to;
    to += bytes;
  }
  return memory;
}

cpu_jit::Loop::Access FusedLoop::access_of(Place::Kind kind) {
  using Access = cpu_jit::Loop::Access;
  switch (kind) {
    case Place::Kind::Whole:
      return Access::Whole;
    case Place::Kind::Row:
      return Access::Row;
    case Place::Kind::Column:
      return Access::Column;
    case Place::Kind::Number:
      return Access::Number;
    case Place::Kind::Temporary:
      break;
  }
  __builtin_unreachable();
}

std::optional<cpu_jit::Loop> FusedLoop::program() const {
  using Access = cpu_jit::Loop::Access;
  cpu_jit::Loop loop;
  if (instructions_.size() > cpu_jit::most_instructions) {
    return std::nullopt;
  }
  for (const ir::ValueId array : arrays_) {
    loop.arrays.push_back({Access::Output, graph_->type(array).dtype});
  }
  std::unordered_map<std::size_t, std::size_t> in_temporary;  // Instructions, by the part.
  std::unordered_map<std::size_t, std::size_t> in_array;
  for (const Instruction& instruction : instructions_) {
    const ops::Op op = graph_->node(instruction.node).op.row();
    cpu_jit::Loop::Instruction made{op, instruction.result.dtype, {}, {}};
    for (const Place& operand : instruction.operands) {
      const auto& makers = operand.kind == Place::Kind::Temporary ? in_temporary : in_array;
      if (const auto maker = makers.find(operand.number); maker != makers.end()) {
        made.operands.push_back({false, maker->second});
      } else {
        made.operands.push_back({true, operand.number});
        loop.arrays[operand.number].access = access_of(operand.kind);
      }
    }
    const DType operands = instruction.operands[ops::key_place(op).index].dtype;
    if (!cpu_jit::is_compiled(op, operands, made.result)) {
      return std::nullopt;
    }
    const std::size_t number = loop.instructions.size();
    const std::size_t place = instruction.result.number;
    if (instruction.result.kind == Place::Kind::Temporary) {
      in_temporary[place] = number;
    } else {
      in_array[place] = number;
      const bool is_sum = !reductions_.empty() && reductions_.summed()[place];
      (is_sum ? made.sum : made.output) = place;
      loop.arrays[place].access = is_sum ? Access::Sum : Access::Output;
    }
    loop.instructions.push_back(std::move(made));
  }
  return loop;
}

std::size_t FusedLoop::temporary_bytes() const noexcept {
  return static_cast<std::size_t>(block_rows_ * row_) * element_bytes_;
}

std::size_t FusedLoop::column_bytes() const noexcept {
  return aligned(static_cast<std::size_t>(block_rows_) * element_bytes_);
}

void FusedLoop::run_block(const Pass& pass, std::int64_t first, std::byte* memory) const noexcept {
  const std::int64_t rows = std::min(block_rows_, rows_ - first);
  const Shape whole = block_shape(rows, row_);
  const Shape row{row_};
  const Shape column{rows, 1};
  const Shape scalar;
  const auto view_of = [&](const Place& place, std::size_t operand) -> ops::View {
    const std::size_t bytes = info(place.dtype).bytes;
    switch (place.kind) {
      case Place::Kind::Whole:
        return {pass.arrays[place.number] + static_cast<std::size_t>(first * row_) * bytes, whole,
                place.dtype};
      case Place::Kind::Row:
        return {pass.arrays[place.number], row, place.dtype};
      case Place::Kind::Column: {
        // Where the rows begin anywhere, its part of the column is not aligned as kernels want it.
        std::byte* const copy =
            memory + temporaries_ * temporary_bytes() + operand * column_bytes();
        std::memcpy(copy, pass.arrays[place.number] + static_cast<std::size_t>(first) * bytes,
                    static_cast<std::size_t>(rows) * bytes);
        return {copy, column, place.dtype};
      }
      case Place::Kind::Number:
        return {pass.arrays[place.number], scalar, place.dtype};
      case Place::Kind::Temporary:
        return {memory + place.number * temporary_bytes(), whole, place.dtype};
    }
    __builtin_unreachable();
  };
  const ops::View none(nullptr, scalar, DType::f32);
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const std::vector<Place>& operands = instructions_[i].operands;
    std::array<ops::View, most_operands> inputs{none, none, none};
    for (std::size_t operand = 0; operand < operands.size(); ++operand) {
      inputs[operand] = view_of(operands[operand], operand);
    }
    const ops::View output = view_of(instructions_[i].result, 0);
    pass.kernels[i](ops::Call(std::span(inputs).first(operands.size()), {&output, 1},
                              ops::struct_of(pass.attributes[i])));
  }
}

}  // namespace ddx::backend::lazy
