/// \file
/// What a thread has recorded and not yet run.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/graph_run.h"
#include "backend/lazy/biased_lock.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/flush_points.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy/trace_trie.h"
#include "backend/lazy_value.h"
#include "core/call_stack/origin.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::lazy {

class Holder;

/// The operations of one thread since its last flush, with the arrays and numbers that they are to
/// be run with. A flush runs them as a whole, as a graph, and sets the lazy values that a caller
/// still has.
///
/// A lock guards it: another thread that looks at a result flushes it too.
class Trace final : public Producer {
 public:
  /// The trace of the calling thread for a lazy device.
  ///
  /// Throws:  EnvironmentError where the device cannot be opened.
  [[nodiscard]] static Trace& of_this_thread(Device device) {
    return found_ != nullptr && device.kind() == Device::Kind::Lazy ? *found_ : find(device);
  }

  /// A trace whose graphs this executor runs. `is_debugged`: NaNs are looked for.
  Trace(const Executor& executor, bool is_debugged)
      : executor_(executor), steps_(this, executor.residency()), waiting_(*this) {
    set_mode(Mode::Debugged, is_debugged);
  }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Appends an operation, after a flush of its own or of another trace where an operand needs
  /// that.
  ///
  /// Throws:  UsageError where there is no kernel for it, EnvironmentError or std::bad_alloc where
  ///          there is no memory: then it is as it was before.
  void record(const Operation& operation);
  /// As record, of an operation that a staged function has: the calls that lead here are not those
  /// that led to it.
  void record_again(const Operation& operation);

  /// Whether NaNs are looked for from now on, so that each operation keeps where it is called. Any
  /// thread may tell.
  void set_debugged(bool is_debugged) noexcept { set_mode(Mode::Debugged, is_debugged); }

  /// Runs all recorded operations. If memory runs out, those that have not run stay recorded and
  /// run at the next flush or observation.
  void flush() noexcept;

  /// As backend::recorded_graph.
  [[nodiscard]] ir::Graph recorded(std::span<const ops::View> arrays);

  void materialise(Block& block) override;

  /// Makes it record what a function does with placeholders of these types, until `end_staging`:
  /// nothing runs, and to observe an element sets the error of all lazy values, which is one of
  /// this operation. Returns the placeholders, in their order. `around` is the trace in whose place
  /// this one stands: its lazy values are captured arrays here, as are those of the traces around
  /// it.
  ///
  /// Throws:  EnvironmentError or std::bad_alloc where there is no memory.
  [[nodiscard]] std::vector<Buffer> begin_staging(std::string operation,
                                                  std::span<const ir::Type> placeholders,
                                                  const Trace& around);
  /// What has been recorded for these arrays since.
  ///
  /// Throws:  what one of them has failed with.
  [[nodiscard]] StagedGraph staged(std::span<const ops::View> arrays);
  /// Lazy values that remain get an error.
  void end_staging() noexcept;

  [[nodiscard]] const Executor& executor() const noexcept { return executor_; }

  /// Whether a thread records in it or runs it; for forks.
  [[nodiscard]] bool is_held() const noexcept { return mutex_.is_held(); }
  /// Whether it is that of the calling thread.
  [[nodiscard]] bool is_of_this_thread() const noexcept { return found_ == this; }

  /// How many graphs all traces have run.
  [[nodiscard]] static std::uint64_t run_count() noexcept;

  /// How many operations it has recorded, ever. Any thread may ask.
  [[nodiscard]] std::uint64_t recorded_count() const noexcept {
    return recorded_count_.load(std::memory_order_relaxed);
  }

 private:
  /// Everything that a flush leaves behind, to be destroyed after the lock is gone.
  struct Contents {
    TraceTrie::Node node = TraceTrie::root;
    TraceInputs given;
    std::vector<ops::Check> checks;
    /// The results, by their number. The trace is among the owners: what has no other owner is not
    /// computed.
    std::vector<Buffer> lazy_values;
  };

  /// A run, with what it works with. Begun before its memory was there, it waits for more.
  struct Run {
    Contents contents;
    std::vector<Block*> results;              // Of those lazy values that a caller has.
    std::unique_ptr<ResumableRun> resumable;  // Destroyed before what it works with.
    std::unique_ptr<Run> next;

    [[nodiscard]] bool makes(const Block& block) const noexcept;
    /// Whether a caller has a lazy value that it has not set.
    [[nodiscard]] bool is_needed() const noexcept;
  };
  /// One that has nothing yet.
  [[nodiscard]] std::unique_ptr<Run> take_spare_run();

  /// What a flush leaves behind.
  struct Left {
    Contents contents;
    std::unique_ptr<Run> runs;     // Those that are not needed any more.
    std::exception_ptr lack = {};  // Why something waits; null: nothing does.
  };

  /// The producer of what waiting runs compute.
  class Waiting final : public Producer {
   public:
    explicit Waiting(Trace& trace) noexcept : trace_(trace) {}
    void materialise(Block& block) override { trace_.go_on(block); }

   private:
    Trace& trace_;
  };

  /// Where an operation was called that was recorded while NaNs are debugged.
  struct Called {
    std::uint32_t first_result;
    Origin origin;
  };

  /// What makes recording more than the search for a known step.
  enum class Mode : std::uint8_t { Staged = 1, Debugged = 2 };

  /// What is recorded, when it is staged.
  struct Staging {
    std::string operation;
    std::vector<ir::Type> placeholders;
    std::vector<const Producer*> around;  // Those in whose place it stands.
    /// What represents a lazy value of theirs here, and which array of this trace that is.
    struct TakenIn {
      Buffer theirs;
      Buffer here;
      std::size_t array;
    };
    std::vector<TakenIn> taken_in;
    std::exception_ptr failure;  // Set by an observation: nothing is recorded from then on.
  };

  friend class Holder;

  [[nodiscard]] static Trace& find(Device device);
  /// That of the calling thread for Device::lazy(); null before its first operation, and after its
  /// end.
  static constinit thread_local Trace* found_;

  [[nodiscard]] Left run() noexcept;
  /// Runs the results with these numbers. Null, or the error for which it waits.
  [[nodiscard]] std::exception_ptr run(Run& run, std::span<const Called> called,
                                       std::span<const std::uint32_t> kept);
  /// Lets a run that could not begin be what is recorded again.
  void take_back(Run& run, std::vector<Called> called) noexcept;
  /// Makes the lazy values that a run has not set those of a waiting one.
  void let_wait(std::unique_ptr<Run> run) noexcept;
  /// Resumes the waiting run that computes a block.
  void go_on(Block& block);
  /// Takes the waiting runs out that are not needed.
  [[nodiscard]] std::unique_ptr<Run> take_unneeded() noexcept;
  /// As run, where the lock is held; gives it back.
  void run_and_unlock() noexcept;
  void set_mode(Mode mode, bool on) noexcept {
    if (on) {
      modes_.fetch_or(static_cast<std::uint8_t>(mode), std::memory_order_relaxed);
    } else {
      modes_.fetch_and(static_cast<std::uint8_t>(~static_cast<unsigned>(mode)),
                       std::memory_order_relaxed);
    }
  }
  /// As record, in a mode.
  void record_in_mode(const Operation& operation);
  /// As record, of what is staged.
  void record_staged(const Operation& operation);
  /// As record, of any operation; `is_new`: one that is none of the known. The lock is held; gives
  /// it back.
  void record_unknown(const Operation& operation, bool is_new, const Origin* origin = nullptr);
  /// Runs the results with these numbers of what was recorded, node by node and as it was recorded,
  /// so that a NaN is traced to where its operation was called: plans are shared by operations of
  /// other lines.
  void run_debugged(Contents& done, std::span<const Called> called,
                    std::span<const std::uint32_t> kept, std::span<Block* const> results) const;
  /// Returns when no other trace, and no call of an asynchronous device, is about to make an
  /// operand.
  void settle(const ops::View& view) const;
  /// The block of a lazy operand that has an error; null where there is none.
  [[nodiscard]] const Block* failed_operand(const Operation& operation) const;
  /// Whether what is staged has been observed; then the results of the operation fail.
  [[nodiscard]] bool breaks_off(const Operation& operation) const;
  /// Whether an operand is a lazy value of a trace around this one.
  [[nodiscard]] bool is_from_around(const ops::View& view) const;
  /// The views, with what represents lazy values of traces around this one.
  [[nodiscard]] std::vector<ops::View> with_own(std::span<const ops::View> views);
  [[nodiscard]] Block* take_in(const ops::View& view);
  /// Leaves what has been staged, of which `block` was observed; null: none was.
  [[nodiscard]] Contents give_up(Block* block) noexcept;
  [[nodiscard]] std::string looked_at(const LazyValue& lazy_value) const;
  /// The value of an array in the graph; one that is not in it becomes a parameter, and goes to
  /// `others` unless that is null.
  [[nodiscard]] ir::ValueId value_of(const ops::View& array, TraceTrie::Recorded& recorded,
                                     std::vector<TraceInputs::Array>* others) const;
  /// Makes room for an operation, so that nothing fails once its node is known.
  void make_room_for(const Operation& operation);
  /// Appends an operation, which leads to this node.
  void append_at(TraceTrie::Node node, const Operation& operation);
  void append_checks(const Operation& operation);

  const Executor& executor_;
  BiasedLock mutex_;
  TraceTrie steps_;
  Contents now_;
  FlushPoints flush_points_;
  std::optional<Staging> staging_;
  std::atomic<std::uint8_t> modes_{0};
  std::atomic<std::uint64_t> recorded_count_{0};
  std::vector<Called> called_;  // In their order.
  Waiting waiting_;
  std::unique_ptr<Run> waiting_runs_;
  std::unique_ptr<Run> spare_run_;  // For the next one.
};

}  // namespace ddx::backend::lazy
