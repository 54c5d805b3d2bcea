#include "compiler/memory/known_functions.h"

#include "compiler/memory/thread_calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

/// The C library: no effect on reals in memory.
constexpr StringLiteral constant_c[] = {"abort",
                                        "exit",
                                        "_exit",
                                        "atexit",
                                        "__assert_fail",
                                        "strlen",
                                        "strcmp",
                                        "strncmp",
                                        "strchr",
                                        "strrchr",
                                        "strstr",
                                        "memcmp",
                                        "bcmp",
                                        "memchr",
                                        "strtol",
                                        "strtoul",
                                        "strtoll",
                                        "strtoull",
                                        "atoi",
                                        "atol",
                                        "printf",
                                        "fprintf",
                                        "snprintf",
                                        "sprintf",
                                        "vprintf",
                                        "vfprintf",
                                        "vsnprintf",
                                        "puts",
                                        "fputs",
                                        "putchar",
                                        "fputc",
                                        "putc",
                                        "fflush",
                                        "fopen",
                                        "fclose",
                                        "fwrite",
                                        "perror",
                                        "time",
                                        "clock",
                                        "clock_gettime",
                                        "gettimeofday",
                                        "getenv",
                                        "rand",
                                        "srand",
                                        "random",
                                        "srandom",
                                        "usleep",
                                        "nanosleep",
                                        "sched_yield",
                                        "__errno_location",
                                        "syscall",
                                        "isatty",
                                        "getpid",
                                        "fesetround",
                                        "fegetround",
                                        "feclearexcept",
                                        "fetestexcept",
                                        "lround",
                                        "lroundf",
                                        "lroundl",
                                        "llround",
                                        "llroundf",
                                        "llroundl",
                                        "lrint",
                                        "lrintf",
                                        "lrintl",
                                        "llrint",
                                        "llrintf",
                                        "llrintl",
                                        "ilogb",
                                        "ilogbf",
                                        "ilogbl",
                                        "__isnan",
                                        "__isnanf",
                                        "__isinf",
                                        "__isinff",
                                        "__finite",
                                        "__finitef",
                                        "__fpclassify",
                                        "__fpclassifyf",
                                        "__signbit",
                                        "__signbitf",
                                        "malloc_usable_size",
                                        "isalpha",
                                        "isdigit",
                                        "isspace",
                                        "toupper",
                                        "tolower",
                                        "sysconf"};

/// The C++ run time and libstdc++: prefixes of mangled names.
constexpr StringLiteral constant_prefixes[] = {
    "__cxa_", "_Unwind_", "__gxx_personality", "__dynamic_cast", "__clang_call_terminate",
    "pthread_mutex_init", "pthread_mutex_destroy", "pthread_rwlock_init", "pthread_rwlock_destroy",
    "pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast",
    "pthread_self", "pthread_equal", "pthread_attr_", "__gthread", "_ZSt9terminatev",
    "_ZSt13set_terminate", "_ZSt13get_terminate", "_ZSt15set_new_handler",
    "_ZSt18_Rb_tree_increment", "_ZSt18_Rb_tree_decrement", "_ZSt29_Rb_tree_insert_and_rebalance",
    "_ZSt28_Rb_tree_rebalance_for_erase", "_ZSt20_Rb_tree_black_count",
    "_ZNSt8__detail15_List_node_base", "_ZNKSt8__detail20_Prime_rehash_policy", "_ZSt11_Hash_bytes",
    "_ZSt15_Fnv_hash_bytes", "_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string",
    "_ZSt16__ostream_insert", "_ZNSo", "_ZStls", "_ZSt4endl", "_ZSt5flush", "_ZNSt6locale",
    "_ZNKSt6locale", "_ZSt9use_facetI", "_ZSt9has_facetI", "_ZNKSt7__cxx118numpunct",
    "_ZNSt8ios_base", "_ZNSt9basic_ios", "_ZNKSt9basic_ios", "_ZNSt7__cxx1118basic_stringstream",
    "_ZNSt7__cxx1119basic_ostringstream", "_ZNSt7__cxx1115basic_stringbuf",
    "_ZNKSt7__cxx1119basic_ostringstream", "_ZNKSt7__cxx1118basic_stringstream",
    "_ZNKRSt7__cxx1119basic_ostringstream", "_ZNKRSt7__cxx1118basic_stringstream",
    "_ZNOSt7__cxx1119basic_ostringstream", "_ZNOSt7__cxx1118basic_stringstream",
    "_ZNSt14basic_ofstream", "_ZNSt13basic_filebuf", "_ZNSt6chrono", "_ZNSt13random_device",
    "_ZNKSt5ctype", "_ZNSt5ctype", "_ZSt13__check_facet", "_ZNSt6thread6_StateD",
    "_ZNSt28__atomic_futex_unsigned_base", "_ZNSt13__future_base12_Result_base",
    "_ZNSt12future_error", "_ZSt15future_categoryv", "_ZSt17rethrow_exception", "_ZNSt3_V2",
    "_ZNSt18condition_variableC", "_ZNSt18condition_variableD",
    "_ZNSt18condition_variable10notify_", "_ZNSt13runtime_error", "_ZNSt11logic_error",
    "_ZNSt12out_of_range", "_ZNSt12length_error", "_ZNSt16invalid_argument", "_ZNSt12domain_error",
    "_ZNSt11range_error", "_ZNSt14overflow_error", "_ZNSt15underflow_error",
    "_ZNKSt13runtime_error", "_ZNKSt11logic_error", "_ZNSt9exception", "_ZNKSt9exception",
    "_ZNSt8bad_cast", "_ZNSt9bad_alloc", "_ZNSt20bad_array_new_length", "_ZNSt17bad_function_call",
    "_ZNSt12bad_weak_ptr", "_ZNSt18bad_variant_access", "_ZNSt12bad_any_cast",
    "_ZNSt15__exception_ptr", "_ZSt17current_exception", "_ZNKSt9type_info", "_ZNSt3pmr",
    "_ZNSaIcE", "_ZNSaIwE", "_ZN11__gnu_debug", "_ZNK11__gnu_debug", "_ZSt21__glibcxx_assert_fail",
    "__ubsan_handle_", "__asan_", "__sanitizer_",
    // Directories of cotangents and tapes, which derivatives handle by functions of the run time.
    "_ZN3ddx6detail15ShadowDirectoryI", "_ZNK3ddx6detail15ShadowDirectoryI", "_ZN3ddx6detail4Tape",
    "_ZNK3ddx6detail4Tape", "_ZN3ddx6detail14MemoryTangentsC", "_ZN3ddx6detail14MemoryTangentsD",
    "_ZN3ddx6detail14ObjectTangents5resetE", "_ZN3ddx6detail14ObjectTangentsD",
    // Finds the entry that serves a function behind a pointer; facts that several threads may set.
    "_ZN3ddx6detail11EntryTablesI", "_ZN3ddx6detail13LostBitsState",
    "_ZNK3ddx6detail13LostBitsState",
    // Begin and end of sweeps.
    "_ZN3ddx6detail6ReusedI", "_ZN3ddx6detail11MemorySweep13begin_reverseEv",
    "_ZN3ddx6detail5OwnedINS0_11MemorySweep", "_ZN3ddx6detail5OwnedINS0_14MemoryTangents"};

/// Functions of the run time that sweeps call.
constexpr StringLiteral of_sweeps[] = {"push",
                                       "pop",
                                       "place_f64",
                                       "place_f32",
                                       "place_f80",
                                       "find",
                                       "find_tangent",
                                       "find_plain",
                                       "find_plain_tangent",
                                       "begin",
                                       "take_bits",
                                       "mark_bits",
                                       "lost_cotangent_bits",
                                       "pass_cotangent_bits",
                                       "find_passed_cotangent_bits",
                                       "find_bits",
                                       "lose_bits",
                                       "lost_tangent_bits",
                                       "pass_bits",
                                       "find_passed_bits",
                                       "move",
                                       "clear",
                                       "sweep_end",
                                       "tangent_move",
                                       "tangent_clear",
                                       "tangents_end",
                                       "reallocate",
                                       "reverse_effects",
                                       "given_reverse",
                                       "object_copy",
                                       "object_move",
                                       "object_clear",
                                       "object_tangent",
                                       "object_tangent_clear",
                                       "is_differentiated",
                                       "register_functions"};

/// Functions of the run time that keep the order in which threads had locks and atomic objects, and
/// took turns in a team. In derivatives of derivatives they are called as they stand: parallel
/// regions run in one thread there, and those that start others are refused.
constexpr StringLiteral of_order[] = {"event",
                                      "event_if",
                                      "event_reverse",
                                      "atomic_begin",
                                      "atomic_end",
                                      "tangent_atomic_begin",
                                      "tangent_atomic_end",
                                      "team_barrier",
                                      "team_barrier_reverse",
                                      "team_ordered",
                                      "team_ordered_reverse",
                                      "team_end_ordered",
                                      "team_end_ordered_reverse",
                                      "tangent_ordered",
                                      "tangent_end_ordered"};

/// Functions of the run time that start threads, wait for them and order what they do: prefixes.
/// They have no derivatives.
constexpr StringLiteral of_threads[] = {"team_",
                                        "thread_",
                                        "posix_",
                                        "once",
                                        "begin_wait",
                                        "share_tangents",
                                        "tangent_thread_",
                                        "tangent_posix_",
                                        "tangent_once",
                                        "tangent_ordered",
                                        "tangent_end_ordered"};

/// OpenMP: they give out iterations and numbers of threads, which the reverse sweep has on its
/// tape.
constexpr StringLiteral constant_openmp[] = {"__kmpc_for_static_",
                                             "__kmpc_dispatch_",
                                             "__kmpc_single",
                                             "__kmpc_end_single",
                                             "__kmpc_master",
                                             "__kmpc_end_master",
                                             "__kmpc_masked",
                                             "__kmpc_end_masked",
                                             "__kmpc_push_",
                                             "__kmpc_global_thread_num",
                                             "__kmpc_serialized_parallel",
                                             "__kmpc_end_serialized_parallel",
                                             "__kmpc_flush",
                                             "omp_get_",
                                             "omp_in_",
                                             "omp_set_num_threads",
                                             "omp_set_dynamic",
                                             "omp_set_schedule",
                                             "omp_set_max_active_levels",
                                             "omp_set_nested",
                                             "omp_init_",
                                             "omp_destroy_"};

bool starts_with_any(StringRef name, ArrayRef<StringLiteral> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// `std::__throw_bad_alloc()` and its relatives, and those of this library.
bool throws_library_error(StringRef name) {
  return (name.starts_with("_ZSt") && name.contains("__throw_")) ||
         (name.starts_with("_ZN3ddx6detail") && name.contains("throw_"));
}

}  // namespace

External effect_of(StringRef name) {
  const External allocation = StringSwitch<External>(name)
                                  .Cases("malloc", "aligned_alloc", "posix_memalign", "memalign",
                                         "free", "alloca", "strdup", External::Allocation)
                                  .Case("calloc", External::ZeroFilled)
                                  .Case("realloc", External::Reallocation)
                                  .Default(External::Unknown);
  if (allocation != External::Unknown) {
    return allocation;
  }
  if (name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_ZdlPv") ||
      name.starts_with("_ZdaPv")) {
    return External::Allocation;
  }
  if (is_contained(of_sweeps, parts_of_runtime_name(name).first)) {
    return External::RunTime;
  }
  if (is_thread_function(name)) {
    return External::Thread;
  }
  const bool constant = is_contained(constant_c, name) ||
                        is_contained(of_order, parts_of_runtime_name(name).first) ||
                        starts_with_any(name, constant_prefixes) ||
                        starts_with_any(name, constant_openmp) || throws_library_error(name);
  return constant ? External::Constant : External::Unknown;
}

std::pair<StringRef, StringRef> parts_of_runtime_name(StringRef name) {
  name.consume_front("\01");
  return name.consume_front("ddx.rt.") ? name.split('.') : std::pair<StringRef, StringRef>();
}

bool is_runtime_of_threads(StringRef name) {
  return name == "__kmpc_fork_call" ||
         starts_with_any(parts_of_runtime_name(name).first, of_threads);
}

bool keeps_record(StringRef name) {
  const StringRef base = parts_of_runtime_name(name).first;
  return base != "push" && base != "pop" && base != "begin" && !base.starts_with("place_") &&
         !base.starts_with("find") && !base.ends_with("_bits");
}

bool is_constant_body(StringRef name) {
  static constexpr StringLiteral prefixes[] = {"_ZN9__gnu_cxx12__to_xstring",
                                               "_ZN3ddx6detail11EntryTablesI",
                                               "_ZN3ddx6detail13LostBitsState",
                                               "_ZNK3ddx6detail13LostBitsState",
                                               "_ZN3ddx6detail6ReusedI",
                                               "_ZN3ddx6detail11MemorySweep13begin_reverseEv",
                                               "_ZN3ddx6detail5OwnedINS0_11MemorySweep",
                                               "_ZN3ddx6detail5OwnedINS0_14MemoryTangents",
                                               "_ZNSt7__cxx1112basic_string",
                                               "_ZNKSt7__cxx1112basic_string",
                                               "_ZNSo",
                                               "_ZStls",
                                               "_ZSt16__ostream_insert"};
  return starts_with_any(name, prefixes);
}

bool never_throws(StringRef name) {
  return is_contained(constant_c, name) ||
         StringSwitch<bool>(name)
             .Cases("malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", true)
             .Cases("__cxa_allocate_exception", "__cxa_begin_catch", "__cxa_get_exception_ptr",
                    "__cxa_free_exception", "__cxa_guard_acquire", "__cxa_guard_release",
                    "__cxa_guard_abort", "__cxa_atexit", "__dynamic_cast", true)
             .Default(name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") ||
                      name.starts_with("_ZSt18_Rb_tree_") || name.starts_with("_ZSt29_Rb_tree_") ||
                      name.starts_with("_ZSt28_Rb_tree_") ||
                      name.starts_with("_ZNSt8__detail15_List_node_base"));
}

}  // namespace ddx::compiler::memory
