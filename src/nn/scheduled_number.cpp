#include "ddx/nn/scheduled_number.h"

#include "ddx/nn/detail/options.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/tensor.h"

namespace ddx::nn {

ScheduledNumber::ScheduledNumber(const RuntimeNumber& value)
    : element_(value.is_known() ? Tensor<double>(value.value()) : value.computed<double>()) {}

RuntimeNumber ScheduledNumber::number() const {
  const bool is_awaited = element_.array().view().data<double>() == nullptr;
  return is_awaited ? RuntimeNumber(element_) : RuntimeNumber(element_.item());
}

bool operator==(const ScheduledNumber& a, const ScheduledNumber& b) {
  if (a.element_.array().shares_storage_with(b.element_.array())) {
    return true;
  }
  const RuntimeNumber x = a.number();
  const RuntimeNumber y = b.number();
  return x.is_known() && y.is_known() && x.value() == y.value();
}

namespace detail {

void require_not_negative(const char* owner, const char* option, const ScheduledNumber& value) {
  if (const RuntimeNumber number = value.number(); number.is_known()) {
    require_not_negative(owner, option, number.value());
  }
}

}  // namespace detail

}  // namespace ddx::nn
