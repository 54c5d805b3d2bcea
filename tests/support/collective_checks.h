// What every collective operation must give, whatever carries the bytes: for threads in unit tests,
// for processes by mpirun.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/all_to_all.h"
#include "ddx/distributed/broadcast.h"
#include "ddx/distributed/cross_replica.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduce_scatter.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace ddx::testing {

/// Collects what is wrong on one replica.
class CollectiveChecks {
 public:
  explicit CollectiveChecks(const distributed::ProcessGroup& group)
      : group_(group), rank_(group.rank()), size_(group.size()) {}

  /// Runs all checks; each line is one that failed.
  std::vector<std::string> run() {
    each_type<float, double, Half, BFloat16, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
              std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::complex<float>,
              std::complex<double>>();
    booleans();
    means();
    extremes();
    not_a_number();
    rounding();
    uneven_parts();
    empty_and_scalar();
    return complaints_;
  }

 private:
  template <class Scalar>
  void expect(const char* what, const Tensor<Scalar>& actual, const Tensor<Scalar>& expected) {
    if (actual.shape() != expected.shape()) {
      complain(what, dtype_of<Scalar>,
               "shape " + to_string(actual.shape()) + ", not " + to_string(expected.shape()));
      return;
    }
    for (std::size_t i = 0; i < actual.count(); ++i) {
      if (!(actual.elements()[i] == expected.elements()[i])) {
        complain(what, dtype_of<Scalar>, "element " + std::to_string(i));
        return;
      }
    }
  }

  void complain(const char* what, DType dtype, const std::string& facts) {
    complaints_.push_back("rank " + std::to_string(rank_) + " of " + std::to_string(size_) + ": " +
                          what + " of " + std::string(to_string(dtype)) + ": " + facts);
  }

  template <class... Scalars>
  void each_type() {
    (type<Scalars>(), ...);
  }

  template <class Scalar>
  static Scalar number(std::int64_t value) {
    if constexpr (ComplexScalar<Scalar>) {
      return Scalar(static_cast<typename Scalar::value_type>(value));
    } else {
      return static_cast<Scalar>(value);
    }
  }

  /// Small numbers, exact in every type, that tell apart replicas and places.
  template <class Scalar>
  static Tensor<Scalar> numbers(std::int64_t rows, std::int64_t rank) {
    std::vector<Scalar> values;
    for (std::int64_t i = 0; i < rows * 3; ++i) {
      values.push_back(number<Scalar>(i % 7 + rank));
    }
    return Tensor<Scalar>(Shape{rows, 3}, values);
  }

  // Rows: one element for each replica and so few that they travel with the header; or so many that
  // they do not, for any type, and do not divide evenly by 3 or 4.
  template <class Scalar>
  void type() {
    for (const std::int64_t rows : {std::int64_t{2}, std::int64_t{2999}}) {
      const auto mine = numbers<Scalar>(rows, rank_);
      reductions(mine, rows);
      std::vector<Scalar> gathered;
      for (std::int64_t rank = 0; rank < size_; ++rank) {
        const auto part = numbers<Scalar>(rows, rank).values();
        gathered.insert(gathered.end(), part.begin(), part.end());
      }
      expect("all_gather", distributed::all_gather(mine, group_),
             Tensor<Scalar>(Shape{rows * size_, 3}, gathered));
      expect("broadcast", distributed::broadcast(mine, group_, size_ - 1),
             numbers<Scalar>(rows, size_ - 1));
      dealt_out<Scalar>(rows);
    }
  }

  template <class Scalar>
  void reductions(const Tensor<Scalar>& mine, std::int64_t rows) {
    std::vector<Scalar> sums;
    std::vector<Scalar> products;
    for (std::int64_t i = 0; i < rows * 3; ++i) {
      sums.push_back(number<Scalar>(size_ * (i % 7) + size_ * (size_ - 1) / 2));
      // At most 1 * 2 * 3 * 4: the largest element of numbers(rows, 3) is 9, and of 2 and 3 the
      // others.
      std::int64_t product = 1;
      for (std::int64_t rank = 0; rank < size_; ++rank) {
        product *= i % 3 + (rank == 0 ? 1 : 0) + 1 - (rank > 1 ? i % 3 : 0);
      }
      products.push_back(number<Scalar>(product));
    }
    expect("cross_replica_sum", distributed::cross_replica_sum(mine, group_),
           Tensor<Scalar>(mine.shape(), sums));
    std::vector<Scalar> factors;
    for (std::int64_t i = 0; i < rows * 3; ++i) {
      factors.push_back(number<Scalar>(i % 3 + (rank_ == 0 ? 1 : 0) + 1 - (rank_ > 1 ? i % 3 : 0)));
    }
    expect("cross_replica_product",
           distributed::cross_replica_product(Tensor<Scalar>(mine.shape(), factors), group_),
           Tensor<Scalar>(mine.shape(), products));
  }

  /// Operations on as many equal parts as there are replicas.
  template <class Scalar>
  void dealt_out(std::int64_t rows) {
    const auto mine = numbers<Scalar>(rows * size_, rank_);
    std::vector<Scalar> sums;
    std::vector<Scalar> parts;
    for (std::int64_t i = 0; i < rows * 3; ++i) {
      const std::int64_t place = rank_ * rows * 3 + i;
      sums.push_back(number<Scalar>(size_ * (place % 7) + size_ * (size_ - 1) / 2));
    }
    for (std::int64_t rank = 0; rank < size_; ++rank) {
      for (std::int64_t i = 0; i < rows * 3; ++i) {
        parts.push_back(number<Scalar>((rank_ * rows * 3 + i) % 7 + rank));
      }
    }
    expect("reduce_scatter", distributed::reduce_scatter(mine, group_),
           Tensor<Scalar>(Shape{rows, 3}, sums));
    const auto dealt = distributed::all_to_all(mine, group_);
    expect("all_to_all", dealt, Tensor<Scalar>(mine.shape(), parts));
    expect("all_to_all twice", distributed::all_to_all(dealt, group_), mine);
  }

  void booleans() {
    const Tensor<bool> mine({3}, {true, rank_ == 0, false});
    expect("cross_replica_max", distributed::cross_replica_max(mine, group_),
           Tensor<bool>({3}, {true, true, false}));
    expect("cross_replica_min", distributed::cross_replica_min(mine, group_),
           Tensor<bool>({3}, {true, size_ == 1, false}));
  }

  void means() {
    // (0 + 1 + ... + (n - 1)) / n
    const double mean = static_cast<double>(size_ - 1) / 2;
    const auto mine = static_cast<double>(rank_);
    expect("cross_replica_mean",
           distributed::cross_replica_mean(Tensor<BFloat16>(BFloat16(mine)), group_),
           Tensor<BFloat16>(BFloat16(mean)));
    const std::complex<float> expected(static_cast<float>(mean), -static_cast<float>(mean));
    expect(
        "cross_replica_mean",
        distributed::cross_replica_mean(Tensor<std::complex<float>>(std::complex<float>(
                                            static_cast<float>(mine), -static_cast<float>(mine))),
                                        group_),
        Tensor<std::complex<float>>(expected));
  }

  void extremes() {
    const auto mine = static_cast<std::int32_t>(rank_);
    const auto last = static_cast<std::int32_t>(size_ - 1);
    const Tensor<std::int32_t> x({2}, {mine, -mine});
    expect("cross_replica_max", distributed::cross_replica_max(x, group_),
           Tensor<std::int32_t>({2}, {last, 0}));
    expect("cross_replica_min", distributed::cross_replica_min(x, group_),
           Tensor<std::int32_t>({2}, {0, -last}));
  }

  void not_a_number() {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const Tensor<float> x({1}, {rank_ == size_ - 1 ? nan : 1.0F});
    for (const auto& y :
         {distributed::cross_replica_max(x, group_), distributed::cross_replica_min(x, group_)}) {
      if (!std::isnan(y.values()[0])) {
        complain("an extreme", DType::f32, "a NaN has got lost");
      }
    }
  }

  /// Every replica has the sum in f64 in the order of the ranks, rounded once.
  void rounding() {
    constexpr std::int64_t count = 4001;
    const auto value = [](std::int64_t i, std::int64_t rank) {
      return static_cast<float>(std::sin(static_cast<double>(i * 13 + rank * 7919)) *
                                std::pow(10.0, static_cast<double>((i + rank) % 9 - 4)));
    };
    std::vector<float> mine;
    std::vector<float> sums;
    std::vector<BFloat16> mine_short;
    std::vector<BFloat16> sums_short;
    for (std::int64_t i = 0; i < count; ++i) {
      double sum = 0;
      double sum_short = 0;
      for (std::int64_t rank = 0; rank < size_; ++rank) {
        sum += static_cast<double>(value(i, rank));
        sum_short += static_cast<double>(BFloat16(value(i, rank)));
      }
      mine.push_back(value(i, rank_));
      sums.push_back(static_cast<float>(sum));
      mine_short.push_back(BFloat16(value(i, rank_)));
      sums_short.push_back(BFloat16(sum_short));
    }
    expect("cross_replica_sum",
           distributed::cross_replica_sum(Tensor<float>(Shape{count}, mine), group_),
           Tensor<float>(Shape{count}, sums));
    expect("cross_replica_sum",
           distributed::cross_replica_sum(Tensor<BFloat16>(Shape{count}, mine_short), group_),
           Tensor<BFloat16>(Shape{count}, sums_short));
  }

  /// Replica r has r rows, or r times a thousand.
  void uneven_parts() {
    for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{1000}}) {
      std::vector<float> expected;
      for (std::int64_t rank = 0; rank < size_; ++rank) {
        expected.insert(expected.end(), static_cast<std::size_t>(rank * rows * 2),
                        static_cast<float>(rank));
      }
      const Shape own{rank_ * rows, 2};
      expect("all_gather",
             distributed::all_gather(
                 Tensor<float>(own, std::vector<float>(static_cast<std::size_t>(own.count()),
                                                       static_cast<float>(rank_))),
                 group_),
             Tensor<float>(Shape{size_ * (size_ - 1) / 2 * rows, 2}, expected));
    }
  }

  void empty_and_scalar() {
    const Tensor<float> nothing(Shape{0, 3}, {});
    expect("cross_replica_sum", distributed::cross_replica_sum(nothing, group_), nothing);
    expect("all_gather", distributed::all_gather(nothing, group_), nothing);
    expect("reduce_scatter", distributed::reduce_scatter(nothing, group_), nothing);
    expect("broadcast", distributed::broadcast(nothing, group_), nothing);
    expect("all_to_all", distributed::all_to_all(nothing, group_), nothing);
    expect("cross_replica_sum", distributed::cross_replica_sum(Tensor<float>(2.0F), group_),
           Tensor<float>(2.0F * static_cast<float>(size_)));
    expect("broadcast", distributed::broadcast(Tensor<float>(static_cast<float>(rank_)), group_),
           Tensor<float>(0.0F));
    group_.barrier();
  }

  distributed::ProcessGroup group_;
  std::int64_t rank_;
  std::int64_t size_;
  std::vector<std::string> complaints_;
};

}  // namespace ddx::testing
