#!/usr/bin/env python3
"""Fails when a file uses a name of the standard library and includes no header that declares it.

Usage: check_includes.py ROOT FOLDER...
  FOLDER  below ROOT: all headers and sources in it are read

A header counts when the file includes it, or when a file of this project that it includes does. The
compiler cannot check this where a precompiled header already declares everything.
"""
import pathlib
import re
import sys

import source_files

# Every header that declares a name comes with it, in whichever of them it is defined.
DECLARED = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_backward copy_if copy_n count count_if equal
        equal_range fill fill_n find find_first_of find_if find_if_not for_each for_each_n generate generate_n includes
        inplace_merge is_permutation is_sorted iter_swap lexicographical_compare lower_bound make_heap max max_element merge
        min min_element minmax minmax_element mismatch move_backward remove_copy_if next_permutation none_of nth_element partial_sort
        partition partition_copy pop_heap push_heap ranges::all_of ranges::any_of ranges::contains ranges::copy ranges::count
        ranges::count_if ranges::equal ranges::fill ranges::find ranges::find_if ranges::for_each ranges::lower_bound
        ranges::max ranges::max_element ranges::min ranges::min_element ranges::minmax ranges::none_of ranges::nth_element
        ranges::partial_sort ranges::partition ranges::replace ranges::replace_if ranges::reverse ranges::rotate ranges::sort
        ranges::stable_sort ranges::swap_ranges ranges::transform ranges::unique ranges::upper_bound ranges::move
        ranges::copy_backward ranges::fill_n ranges::copy_if ranges::copy_n ranges::generate ranges::lexicographical_compare
        ranges::remove ranges::remove_if ranges::clamp ranges::is_sorted ranges::adjacent_find ranges::sort_heap
        ranges::merge ranges::set_union ranges::binary_search ranges::minmax_element ranges::mismatch ranges::search
        remove remove_copy remove_if replace replace_if replace_copy replace_copy_if reverse reverse_copy rotate rotate_copy
        sample search set_difference set_intersection set_union shift_left shift_right shuffle sort sort_heap
        stable_partition stable_sort swap_ranges transform unique unique_copy upper_bound partial_sort_copy
        ranges::for_each_n ranges::iter_swap ranges::in_fun_result find_end search_n is_heap ranges::shift_left""",
    "any": "any any_cast make_any",
    "array": "array to_array",
    "atomic": """atomic atomic_bool atomic_flag atomic_ref memory_order memory_order_acq_rel memory_order_acquire
        memory_order_relaxed memory_order_release memory_order_seq_cst atomic_signal_fence atomic_thread_fence atomic_int""",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero endian has_single_bit popcount rotl rotr",
    "bitset": "bitset",
    "cassert": "",
    "charconv": "chars_format from_chars from_chars_result to_chars",
    "chrono": "chrono",
    "cmath": """abs acos acosh asin asinh assoc_laguerre atan atan2 atanh beta cbrt ceil comp_ellint_1 comp_ellint_2 copysign cos
        cosh cyl_bessel_i cyl_bessel_j ellint_1 ellint_2 erf erfc exp exp2 expint expm1 fabs fdim floor fma fmax fmin fmod
        fpclassify frexp hermite hypot ilogb isfinite isgreater isinf isless isnan isnormal laguerre ldexp legendre lerp lgamma
        llround log log10 log1p log2 logb lround modf nan nearbyint nextafter nexttoward pow remainder remquo riemann_zeta rint
        round scalbln scalbn signbit sin sinh sph_bessel sqrt tan tanh tgamma trunc islessgreater isunordered double_t
        cyl_neumann fabsf sinf cosf expf sqrtf powf tanhf logf fmaf""",
    "codecvt": "",
    "compare": """compare_three_way is_eq is_gt is_lt partial_ordering strong_order strong_ordering three_way_comparable weak_ordering""",
    "complex": "arg complex conj imag norm polar proj real complex_literals",
    "concepts": """assignable_from common_reference_with common_with constructible_from convertible_to copy_constructible copyable
        default_initializable derived_from destructible equality_comparable equality_comparable_with floating_point integral
        invocable movable move_constructible predicate regular regular_invocable relation same_as semiregular signed_integral
        swappable totally_ordered unsigned_integral ranges::swap""",
    "condition_variable": "condition_variable condition_variable_any cv_status",
    "coroutine": "coroutine_handle",
    "cstddef": "byte max_align_t nullptr_t ptrdiff_t size_t to_integer",
    "cstdint": """int16_t int32_t int64_t int8_t intmax_t intptr_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t
        uint_fast64_t uint_least32_t int_fast32_t""",
    "cstdio": "FILE fclose fflush fgets fopen fprintf fputs fread fseek ftell fwrite printf putchar puts snprintf sscanf vsnprintf perror",
    "cstdlib": """abort aligned_alloc atexit atoi atof bsearch calloc div exit free getenv labs llabs ldiv malloc qsort quick_exit rand
        realloc srand strtod strtol strtoll strtoul strtoull system _Exit abs""",
    "cstring": "memchr memcmp memcpy memmove memset strchr strcmp strcpy strerror strlen strncmp strstr strrchr strncpy",
    "ctime": "clock clock_t gmtime localtime mktime strftime time time_t tm",
    "deque": "deque",
    "exception": """current_exception exception exception_ptr get_terminate nested_exception rethrow_exception rethrow_if_nested
        set_terminate terminate throw_with_nested uncaught_exceptions make_exception_ptr""",
    "filesystem": "filesystem",
    "forward_list": "forward_list",
    "fstream": "fstream ifstream ofstream",
    "functional": """bad_function_call bind bind_front bit_and bit_or bit_xor cref divides equal_to function greater greater_equal hash
        identity invoke less less_equal logical_and logical_not logical_or mem_fn minus modulus multiplies negate not_equal_to
        not_fn placeholders plus ref reference_wrapper ranges::greater ranges::less ranges::equal_to ranges::greater_equal
        ranges::less_equal unwrap_reference""",
    "future": "async future launch packaged_task promise shared_future future_status",
    "initializer_list": "initializer_list",
    "iomanip": "get_time put_time quoted setfill setprecision setw setbase",
    "ios": "boolalpha defaultfloat fixed hex hexfloat ios ios_base left right scientific streamoff streampos streamsize dec",
    "iosfwd": "",
    "iostream": "cerr cin clog cout",
    "istream": "istream iostream ws",
    "iterator": """advance back_insert_iterator back_inserter bidirectional_iterator bidirectional_iterator_tag contiguous_iterator
        counted_iterator default_sentinel default_sentinel_t distance forward_iterator forward_iterator_tag front_inserter
        incrementable indirect_result_t indirectly_readable inserter input_iterator input_iterator_tag input_or_output_iterator
        istream_iterator istreambuf_iterator iter_difference_t iter_reference_t iter_value_t iterator_traits make_move_iterator
        make_reverse_iterator move_iterator next ostream_iterator output_iterator_tag prev random_access_iterator
        random_access_iterator_tag reverse_iterator sentinel_for sized_sentinel_for indirectly_movable projected
        indirect_unary_predicate indirect_strict_weak_order sortable ranges::advance ranges::distance ranges::next ranges::prev
        iter_rvalue_reference_t contiguous_iterator_tag indirectly_copyable""",
    "limits": "float_denorm_style float_round_style numeric_limits denorm_absent denorm_present round_to_nearest round_toward_zero",
    "list": "list",
    "locale": "locale",
    "map": "map multimap",
    "memory": """addressof align allocate_shared allocator allocator_arg allocator_traits assume_aligned construct_at const_pointer_cast
        default_delete destroy destroy_at destroy_n dynamic_pointer_cast enable_shared_from_this make_shared make_unique
        make_unique_for_overwrite owner_less pointer_traits reinterpret_pointer_cast shared_ptr static_pointer_cast to_address
        uninitialized_copy uninitialized_copy_n uninitialized_default_construct_n uninitialized_fill uninitialized_fill_n
        uninitialized_move uninitialized_move_n uninitialized_value_construct_n unique_ptr weak_ptr bad_weak_ptr
        uninitialized_default_construct uninitialized_value_construct atomic_load atomic_store""",
    "memory_resource": "pmr",
    "mutex": "adopt_lock call_once defer_lock lock lock_guard mutex once_flag recursive_mutex scoped_lock timed_mutex try_to_lock unique_lock",
    "new": "align_val_t bad_alloc bad_array_new_length get_new_handler hardware_destructive_interference_size launder nothrow nothrow_t set_new_handler new_handler",
    "numbers": "numbers",
    "numeric": """accumulate adjacent_difference exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce
        transform_exclusive_scan transform_inclusive_scan transform_reduce""",
    "optional": "bad_optional_access make_optional nullopt nullopt_t optional",
    "ostream": "endl ends flush ostream",
    "queue": "priority_queue queue",
    "random": """bernoulli_distribution default_random_engine discrete_distribution exponential_distribution gamma_distribution mt19937
        mt19937_64 normal_distribution poisson_distribution random_device seed_seq uniform_int_distribution
        uniform_real_distribution minstd_rand""",
    "ranges": """ranges views""",
    "ratio": "micro milli nano ratio",
    "regex": "regex regex_match regex_replace regex_search smatch",
    "set": "multiset set",
    "shared_mutex": "shared_lock shared_mutex",
    "source_location": "source_location",
    "span": "as_bytes as_writable_bytes dynamic_extent span",
    "sstream": "istringstream ostringstream stringbuf stringstream",
    "stack": "stack",
    "stdexcept": """domain_error invalid_argument length_error logic_error out_of_range overflow_error range_error runtime_error
        underflow_error""",
    "stop_token": "stop_source stop_token",
    "streambuf": "streambuf",
    "string": """basic_string char_traits getline stod stof stoi stol stoll stoul stoull string string_literals to_string u16string u32string u8string
        wstring""",
    "string_view": "basic_string_view string_view string_view_literals u32string_view u8string_view wstring_view u16string_view",
    "system_error": "errc error_code error_condition generic_category make_error_code system_category system_error",
    "thread": "jthread this_thread thread",
    "tuple": "apply forward_as_tuple ignore make_from_tuple make_tuple tie tuple tuple_cat",
    "type_traits": """add_const_t add_lvalue_reference_t add_pointer_t aligned_storage_t alignment_of_v bool_constant common_reference_t
        common_type common_type_t conditional conditional_t conjunction conjunction_v decay decay_t disjunction disjunction_v
        enable_if enable_if_t extent extent_v false_type has_virtual_destructor_v integral_constant invoke_result invoke_result_t
        is_abstract_v is_aggregate_v is_arithmetic_v is_array_v is_assignable_v is_base_of_v is_bounded_array_v is_class_v
        is_const_v is_constant_evaluated is_constructible_v is_convertible_v is_copy_assignable_v is_copy_constructible_v
        is_default_constructible_v is_destructible_v is_empty_v is_enum_v is_final_v is_floating_point is_floating_point_v
        is_function_v is_integral_v is_invocable_r_v is_invocable_v is_lvalue_reference_v is_member_function_pointer_v
        is_member_object_pointer_v is_member_pointer_v is_move_assignable_v is_move_constructible_v is_nothrow_constructible_v
        is_nothrow_copy_constructible_v is_nothrow_default_constructible_v is_nothrow_invocable_v is_nothrow_move_assignable_v
        is_nothrow_move_constructible_v is_null_pointer_v is_object_v is_pointer_v is_polymorphic_v is_reference_v
        is_rvalue_reference_v is_same is_same_v is_scalar_v is_signed_v is_standard_layout_v is_trivial_v
        is_trivially_copyable_v is_trivially_destructible_v is_trivially_default_constructible_v is_union_v is_unsigned_v is_void_v
        make_signed_t make_unsigned_t negation_v rank_v remove_all_extents_t remove_const_t remove_cv_t remove_cvref
        remove_cvref_t remove_extent_t remove_pointer_t remove_reference remove_reference_t true_type type_identity type_identity_t
        underlying_type_t void_t is_volatile_v is_nothrow_destructible_v is_scoped_enum_v is_trivially_copy_constructible_v
        is_implicit_lifetime_v is_compound_v is_fundamental_v remove_volatile_t is_nothrow_copy_assignable_v""",
    "typeindex": "type_index",
    "typeinfo": "bad_cast bad_typeid type_info",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_multiset unordered_set",
    "utility": """as_const cmp_equal cmp_greater cmp_greater_equal cmp_less cmp_less_equal cmp_not_equal declval exchange forward in_place in_place_index
        in_place_index_t in_place_t in_place_type in_place_type_t in_range index_sequence index_sequence_for integer_sequence
        make_index_sequence make_integer_sequence make_pair move move_if_noexcept pair piecewise_construct to_underlying
        unreachable""",
    "valarray": "gslice mask_array slice slice_array valarray",
    "variant": "bad_variant_access get_if holds_alternative monostate variant variant_alternative variant_alternative_t variant_npos variant_size_v visit in_place_index in_place_type",
    "version": "",
}
CONTAINERS = {"array", "deque", "list", "map", "queue", "set", "span", "stack", "string", "string_view", "unordered_map",
              "unordered_set", "vector", "iterator", "initializer_list", "valarray", "forward_list", "ranges"}
# Declared by several headers; None: by whatever is included of the standard library.
SHARED = {
    **dict.fromkeys(("begin", "cbegin", "cend", "crbegin", "data", "empty", "end", "rbegin", "rend", "size", "ssize", "erase",
                     "erase_if", "ranges::begin", "ranges::end", "ranges::size", "ranges::data", "ranges::ssize", "ranges::empty",
                     "ranges::rbegin", "ranges::rend"), CONTAINERS),
    **dict.fromkeys(("get", "tuple_element", "tuple_element_t", "tuple_size", "tuple_size_v"),
                    {"array", "complex", "tuple", "utility", "variant", "ranges", "map"}),
    **dict.fromkeys(("size_t", "ptrdiff_t", "nullptr_t", "literals"), None),
    **dict.fromkeys(("pair", "make_pair", "move", "forward", "swap", "declval", "initializer_list"),
                    CONTAINERS | {"utility", "tuple", "memory", "algorithm", "functional", "optional", "variant", "type_traits",
                                  "numeric", "thread", "mutex", "any"}),
    "hash": {"functional", "string", "string_view", "optional", "variant", "memory", "bitset", "thread"},
    "vector": {"vector"},
    "ranges": {"ranges", "algorithm", "iterator", "functional", "concepts"},
    "views": {"ranges"},
    "ranges::enable_borrowed_range": {"ranges", "span", "string_view"},  # The others specialise it.
    "exception": {"exception", "stdexcept", "new", "typeinfo"},
    "allocator": CONTAINERS | {"memory"},  # A default argument of theirs.
    "bad_alloc": {"new", "memory", "exception"},
    "distance": CONTAINERS, "next": CONTAINERS, "prev": CONTAINERS, "advance": CONTAINERS, "back_inserter": CONTAINERS,
    "make_move_iterator": CONTAINERS, "reverse_iterator": CONTAINERS, "make_reverse_iterator": CONTAINERS,
    "ostream": {"ostream", "iosfwd", "iostream", "sstream", "fstream"},
    "istream": {"istream", "iosfwd", "iostream", "sstream", "fstream"},
    "streamsize": {"ios", "iostream", "ostream", "istream", "sstream", "fstream"},
    **dict.fromkeys(("hex", "fixed", "dec", "scientific", "ios", "ios_base", "boolalpha", "streamoff"),
                    {"ios", "iostream", "ostream", "istream", "sstream", "fstream", "iomanip"}),
    "name": None,  # A parameter of macros.
    "endl": {"ostream", "iostream"}, "flush": {"ostream", "iostream"},
    "string": {"string", "sstream"}, "getline": {"string"},
    "reduce": {"numeric"}, "abs": {"cmath", "cstdlib", "complex"},
    **dict.fromkeys(("sin", "cos", "tan", "exp", "log", "sqrt", "pow", "tanh", "sinh", "cosh", "asin", "acos", "atan", "log10",
                     "asinh", "acosh", "atanh"), {"cmath", "complex", "valarray"}),
    "remove": {"algorithm", "cstdio"}, "rename": {"cstdio"}, "thread": {"thread"}, "this_thread": {"thread"},
    "invoke": {"functional"}, "make_format_args": {"format"}, "format": {"format"},
}


def headers_of(name):
    """The headers that declare std::`name`; None where any does, an empty set where the name is not known."""
    if name in SHARED:
        return SHARED[name]
    return {header for header, names in OF_HEADER.items() if name in names} or (
        {"ranges"} if name.startswith("ranges::") else set())


OF_HEADER = {header: set(names.split()) for header, names in DECLARED.items()}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:<([^>]+)>|"([^"]+)")', re.M)
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
NAME = re.compile(r"\bstd::((?:ranges::)?\w+)")


class Includes:
    """What a file includes of the standard library, by itself or through files of this project."""

    def __init__(self, root):
        self.folders = [root / "include", root / "src", root, root / "tests" / "support"]
        self.known = {}

    def of(self, path):
        if path in self.known:
            return self.known[path]
        self.known[path] = set()  # Ends a circle.
        found = set()
        for system, own in INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace")):
            name = system or own
            inner = next((folder / name for folder in [path.parent, *self.folders] if (folder / name).is_file()), None)
            if inner is not None:
                found |= self.of(inner)
            else:
                found.add(name)
        self.known[path] = found
        return found


def complaints(root, folders):
    includes = Includes(root)
    for path in source_files.find(root, (".h", ".cpp"), folders):
        text = COMMENT.sub(lambda match: "\n" * match[0].count("\n"), source_files.without_raw_strings(
            path.read_text(encoding="utf-8")))
        seen = set()
        for match in NAME.finditer(text):
            name = match[1]
            if name in seen:
                continue
            seen.add(name)
            headers = headers_of(name)
            line = text.count("\n", 0, match.start()) + 1
            where = f"{path.relative_to(root)}:{line}"
            if headers is None:
                continue
            if not headers:
                yield f"{where}: std::{name} is not in the table of tools/check_includes.py"
            elif not headers & includes.of(path):
                yield f"{where}: std::{name} needs <{'> or <'.join(sorted(headers)[:3])}>"


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv[1]).resolve()
    sys.exit(source_files.report(complaints(ROOT, sys.argv[2:])))
