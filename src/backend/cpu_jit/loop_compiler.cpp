#include "backend/cpu_jit/loop_compiler.h"

#include "ddx/backend/loop_compilation.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"

#include "backend/content_hash.h"
#include "backend/cpu/isa.h"
#include "backend/cpu_jit/element_bitcode.h"
#include "backend/cpu_jit/llvm_library.h"
#include "backend/cpu_jit/loaded_code.h"
#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/object_code.h"
#include "backend/file_cache.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ddx::backend::cpu_jit {
namespace {

// Code is never given back: a program whose loops are all different stops compiling here, at some
// ten kilobytes each.
constexpr std::size_t most_loops = 8192;

constexpr FileKind object_files{".loops", 0x3130706F6F6C7864};  // "dxloop01"

constinit std::atomic<ObjectCompiler> object_compiler{&compile};

/// Whether this thread is the one that compiles.
constinit thread_local bool is_compiler = false;

std::string hexadecimal(std::uint64_t number) {
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i-- > 0; number >>= 4) {
    digits[i] = "0123456789abcdef"[number & 15];
  }
  return digits;
}

/// What loops of one request have in common, and what they are called.
struct Job {
  std::vector<FunctionText> functions;
  std::vector<std::shared_ptr<CompiledLoop>> loops;
  FileCache cache;
};

/// The loops of the process, and the thread that compiles them. Never destroyed; its thread is
/// stopped before the destructors of LLVM run.
class LoopCompiler {
 public:
  static LoopCompiler& instance() {
    static auto* const compiler = new LoopCompiler;
    return *compiler;
  }

  std::vector<std::shared_ptr<const CompiledLoop>> request(std::span<const Loop> loops);
  bool is_on() noexcept;
  LoopCompilation choose(LoopCompilation chosen);
  void await() noexcept;
  LoopCompilationStatistics statistics();

  /// Waits for the object file that is being made and makes no more.
  void stop() noexcept;
  /// Goes on without the thread, in which LLVM has met what it cannot go on after.
  void give_up(const char* reason) noexcept;
  void before_fork() noexcept { mutex_.lock(); }
  void after_fork(bool in_child) noexcept;

 private:
  LoopCompiler() {
    // What the thread compiles meanwhile is lost to a child; all else is as it was.
    static constinit ddx::detail::ForkHook hook{
        .before = []() noexcept { instance().before_fork(); },
        .in_parent = []() noexcept { instance().after_fork(false); },
        .in_child = []() noexcept { instance().after_fork(true); }};
    ddx::detail::add_fork_hook(hook);
  }

  /// Returns whether there is a thread that compiles.
  bool start() noexcept;
  void serve() noexcept;
  /// Makes a job; returns why it could not be made, or nothing.
  std::string failure_of(const Job& job) noexcept;
  void make(const Job& job);
  std::string key_of(const Job& job) const;

  const cpu::Isa isa_ = cpu::best_isa();
  std::mutex mutex_;
  std::condition_variable changed_;
  LoopCompilation chosen_;
  LoopCompilationStatistics statistics_;
  struct Hash {
    std::size_t operator()(const Loop& loop) const noexcept { return cpu_jit::hash_of(loop); }
  };
  std::unordered_map<Loop, std::shared_ptr<CompiledLoop>, Hash> loops_;
  std::deque<Job> jobs_;
  std::uint64_t issued_ = 0;
  std::uint64_t done_ = 0;
  std::thread* thread_ = nullptr;  // Of a child process, that of its parent is forgotten.
  bool is_stopped_ = false;
  bool has_ended_ = false;     // The thread, or all that it will do.
  bool has_given_up_ = false;  // The thread stays where it is.
  bool is_guarded_ = false;    // By a Stopper of the main thread.
};

/// Stops the compiler at the end of the program, before anything of LLVM is destroyed that it may
/// still use. LLVM makes statics as it goes, and what is made last is destroyed first; but before
/// all of them go the objects of the thread that ends the program, as a rule the main one.
struct Stopper {
  Stopper() = default;
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;
  ~Stopper() { LoopCompiler::instance().stop(); }
};

bool is_main_thread() noexcept {
  return ::gettid() == ::getpid();
}

/// What LLVM calls before it ends the process. From here no way leads back into the program but
/// that this thread stays here.
void on_fatal_error(const char* reason) {
  if (!is_compiler) {
    return;  // Of another user of LLVM in this process.
  }
  LoopCompiler::instance().give_up(reason);
  while (true) {
    ::pause();
  }
}

bool LoopCompiler::start() noexcept {
  if (is_stopped_) {
    return false;
  }
  if (is_main_thread()) {
    static thread_local const Stopper stopper;
    is_guarded_ = true;
  }
  if (thread_ != nullptr) {
    return true;
  }
  if (llvm_library() == nullptr) {
    is_stopped_ = true;
    return false;
  }
  llvm_library()->InstallFatalErrorHandler(&on_fatal_error);
  try {
    thread_ = new std::thread([this] { serve(); });
  } catch (...) {
    is_stopped_ = true;  // No more threads, or no memory: the kernels do.
    return false;
  }
  return true;
}

std::vector<std::shared_ptr<const CompiledLoop>> LoopCompiler::request(
    std::span<const Loop> loops) {
  std::vector<std::shared_ptr<const CompiledLoop>> handles;
  Job job;
  std::unique_lock lock(mutex_);
  if (!chosen_.is_on) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
      handles.push_back(std::make_shared<const CompiledLoop>());
    }
    return handles;
  }
  for (const Loop& loop : loops) {
    if (loops_.size() >= most_loops && !loops_.contains(loop)) {
      handles.push_back(std::make_shared<const CompiledLoop>());
      continue;
    }
    auto [entry, is_new] = loops_.try_emplace(loop);
    if (is_new) {
      entry->second = std::make_shared<CompiledLoop>();
    }
    handles.push_back(entry->second);
    if (is_new) {
      // By its text: in every process the same.
      const std::string text = llvm_text(loop, "loop", width_of(isa_));
      const std::string name =
          "ddx_loop_" + hexadecimal(content_hash(std::as_bytes(std::span(text))));
      job.functions.push_back({name, llvm_text(loop, name, width_of(isa_))});
      job.loops.push_back(entry->second);
    }
  }
  if (job.loops.empty() || !start()) {
    return handles;
  }
  job.cache = FileCache(chosen_.folder, chosen_.most_bytes, object_files);
  statistics_.requested += job.loops.size();
  jobs_.push_back(std::move(job));
  const std::uint64_t number = ++issued_;
  changed_.notify_all();
  // Where the main thread has no part in it, statics of LLVM are to be made before the function is
  // registered that stops the thread: it waits for the first object file.
  if (!chosen_.in_background || (!is_guarded_ && done_ == 0)) {
    changed_.wait(lock, [&] { return done_ >= number || is_stopped_; });
  }
  return handles;
}

bool LoopCompiler::is_on() noexcept {
  const std::scoped_lock lock(mutex_);
  return chosen_.is_on && start();
}

LoopCompilation LoopCompiler::choose(LoopCompilation chosen) {
  const std::scoped_lock lock(mutex_);
  return std::exchange(chosen_, std::move(chosen));
}

void LoopCompiler::await() noexcept {
  std::unique_lock lock(mutex_);
  const std::uint64_t number = issued_;
  changed_.wait(lock, [&] { return done_ >= number || is_stopped_; });
}

LoopCompilationStatistics LoopCompiler::statistics() {
  const std::scoped_lock lock(mutex_);
  return statistics_;
}

void LoopCompiler::stop() noexcept {
  std::thread* thread = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = true;
    thread = std::exchange(thread_, nullptr);
    changed_.notify_all();
  }
  if (thread == nullptr) {
    return;
  }
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_ended_; });
    if (has_given_up_) {
      return;  // It never ends.
    }
  }
  thread->join();
  delete thread;
}

void LoopCompiler::give_up(const char* reason) noexcept {
  const std::scoped_lock lock(mutex_);
  is_stopped_ = true;
  has_ended_ = true;
  has_given_up_ = true;
  thread_ = nullptr;
  statistics_.failed = statistics_.requested - statistics_.compiled - statistics_.loaded;
  try {
    statistics_.last_failure = std::string("compile loops: fatal: ") + reason;
  } catch (...) {
    statistics_.last_failure.clear();  // No memory to say it.
  }
  changed_.notify_all();
}

void LoopCompiler::after_fork(bool in_child) noexcept {
  if (in_child) {
    // Its thread is not there, and LLVM may have been at anything.
    thread_ = nullptr;
    is_stopped_ = true;
  }
  mutex_.unlock();
}

void LoopCompiler::serve() noexcept {
  is_compiler = true;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_stopped_ || !jobs_.empty(); });
    if (is_stopped_) {
      has_ended_ = true;
      changed_.notify_all();
      return;
    }
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    std::string failure = failure_of(job);
    const auto time = std::chrono::steady_clock::now() - begin;
    (void)std::atexit([] { instance().stop(); });  // Before the statics that this has made.
    lock.lock();
    statistics_.time += time;
    if (!failure.empty()) {
      statistics_.failed += job.loops.size();
      statistics_.last_failure.swap(failure);
    }
    ++done_;
    changed_.notify_all();
  }
}

std::string LoopCompiler::failure_of(const Job& job) noexcept {
  try {
    try {
      make(job);
    } catch (const std::exception& error) {
      return error.what();
    }
  } catch (const std::bad_alloc&) {
    return "no memory";  // Not even for what the error says; this text takes none.
  }
  return {};
}

void LoopCompiler::make(const Job& job) {
  const std::string key = key_of(job);
  std::vector<std::string> names;
  for (const FunctionText& function : job.functions) {
    names.push_back(function.name);
  }
  std::optional<ObjectCode> object = job.cache.find(key);
  const bool is_found = object.has_value();
  if (!is_found) {
    object = object_compiler.load()(job.functions, isa_);
  }
  const std::vector<LoopFunction> functions = load(*object, names);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    job.loops[i]->set_function(functions[i]);
  }
  {
    const std::scoped_lock lock(mutex_);
    (is_found ? statistics_.loaded : statistics_.compiled) += functions.size();
  }
  if (!is_found && job.cache.store(key, *object)) {
    const std::scoped_lock lock(mutex_);
    ++statistics_.stored;
  }
}

std::string LoopCompiler::key_of(const Job& job) const {
  std::string key = compiler_options(isa_) + "\nelements " +
                    hexadecimal(content_hash(element_bitcode(isa_))) + "\n";
  for (const FunctionText& function : job.functions) {
    key += function.text;
  }
  return key;
}

}  // namespace

std::vector<std::shared_ptr<const CompiledLoop>> request(std::span<const Loop> loops) {
  return LoopCompiler::instance().request(loops);
}

bool is_on() noexcept {
  return LoopCompiler::instance().is_on();
}

int elements_in_turn() noexcept {
  return vectors_in_turn * width_of(cpu::best_isa());
}

std::size_t bytes_of_sum() noexcept {
  return static_cast<std::size_t>(vectors_in_sum * width_of(cpu::best_isa())) * sizeof(float);
}

ObjectCompiler set_object_compiler(ObjectCompiler compiler) noexcept {
  return object_compiler.exchange(compiler);
}

}  // namespace ddx::backend::cpu_jit

namespace ddx::backend {

LoopCompilation set_loop_compilation(LoopCompilation chosen) {
  return ddx::detail::with_memory_for("set_loop_compilation", [&] {
    return cpu_jit::LoopCompiler::instance().choose(std::move(chosen));
  });
}

void await_loop_compilation() noexcept {
  cpu_jit::LoopCompiler::instance().await();
}

LoopCompilationStatistics loop_compilation_statistics() {
  return cpu_jit::LoopCompiler::instance().statistics();
}

}  // namespace ddx::backend
