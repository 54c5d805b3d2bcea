// Functions of base classes that cast to the class derived from them: of a base class without
// members and of one with a number, as members and as parameters.

#include "gradient_check.h"

namespace {

struct Numbers;
struct Empty {
  double get() const;
  double twice() const;
  double passed_on() const;
  int sign() const;
  void grow();
  void set(double to);
};
struct Numbers : Empty {
  double x = 0;
};

struct MoreNumbers;
struct Holder {
  double get() const;
  double twice() const;
  double passed_on() const;
  int sign() const;
  void grow();
  void set(double to);
  double held = 0;
};
struct MoreNumbers : Holder {
  double x = 0;
};

double value_of(const Empty& base) {
  return static_cast<const Numbers&>(base).x;
}
double value_behind(const Empty* base) {
  return static_cast<const Numbers*>(base)->x;
}
double value_through(const Empty& base) {
  return base.get();
}
void doubled(Empty& base) {
  static_cast<Numbers&>(base).x *= 2;
}
void doubled_behind(Empty* base) {
  static_cast<Numbers*>(base)->x *= 2;
}
void doubled_through(Empty& base) {
  base.grow();
}
Empty& base_of(Numbers& whole) {
  return whole;
}
double Empty::get() const {
  return static_cast<const Numbers*>(this)->x;
}
double Empty::twice() const {
  return 2 * get();
}
double Empty::passed_on() const {
  return value_of(*this);
}
int Empty::sign() const {
  return static_cast<const Numbers*>(this)->x > 0 ? 1 : -1;
}
void Empty::grow() {
  static_cast<Numbers*>(this)->x *= 2;
}
void Empty::set(double to) {
  static_cast<Numbers*>(this)->x = to;
}

double value_of(const Holder& base) {
  return static_cast<const MoreNumbers&>(base).x;
}
double value_behind(const Holder* base) {
  return static_cast<const MoreNumbers*>(base)->x;
}
double value_through(const Holder& base) {
  return base.get();
}
void doubled(Holder& base) {
  static_cast<MoreNumbers&>(base).x *= 2;
}
void doubled_behind(Holder* base) {
  static_cast<MoreNumbers*>(base)->x *= 2;
}
void doubled_through(Holder& base) {
  base.grow();
}
Holder& base_of(MoreNumbers& whole) {
  return whole;
}
double Holder::get() const {
  return static_cast<const MoreNumbers*>(this)->x;
}
double Holder::twice() const {
  return 2 * get();
}
double Holder::passed_on() const {
  return value_of(*this);
}
int Holder::sign() const {
  return static_cast<const MoreNumbers*>(this)->x > 0 ? 1 : -1;
}
void Holder::grow() {
  static_cast<MoreNumbers*>(this)->x *= 2;
}
void Holder::set(double to) {
  static_cast<MoreNumbers*>(this)->x = to;
}

template <class Whole>
double reads_by_member(double x) {
  Whole whole;
  whole.x = x * x;
  return whole.get() * x + whole.twice() * whole.passed_on() + whole.sign() * whole.x;
}
template <class Whole>
double reads_by_function(double x) {
  Whole whole;
  whole.x = x * x;
  return value_of(whole) * x + value_behind(&whole) * value_through(whole);
}
template <class Whole>
double writes_by_member(double x) {
  Whole whole;
  whole.set(x);
  base_of(whole).set(whole.x * x);
  whole.grow();
  return whole.x * x;
}
template <class Whole>
double writes_by_function(double x) {
  Whole whole;
  whole.x = x * x;
  doubled(whole);
  doubled_behind(&whole);
  doubled_through(whole);
  return whole.x * x;
}

DDX_CHECK_PROGRAM(empty_read_by_member, reads_by_member<Numbers>, double, DDX_ORDERS, at(0.7),
                  at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(empty_read_by_function, reads_by_function<Numbers>, double, DDX_ORDERS, at(0.7),
                  at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(empty_written_by_member, writes_by_member<Numbers>, double, DDX_ORDERS, at(0.7),
                  at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(empty_written_by_function, writes_by_function<Numbers>, double, DDX_ORDERS,
                  at(0.7), at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(held_read_by_member, reads_by_member<MoreNumbers>, double, DDX_ORDERS, at(0.7),
                  at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(held_read_by_function, reads_by_function<MoreNumbers>, double, DDX_ORDERS,
                  at(0.7), at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(held_written_by_member, writes_by_member<MoreNumbers>, double, DDX_ORDERS,
                  at(0.7), at(-1.3), at(1.9))
DDX_CHECK_PROGRAM(held_written_by_function, writes_by_function<MoreNumbers>, double, DDX_ORDERS,
                  at(0.7), at(-1.3), at(1.9))

}  // namespace
