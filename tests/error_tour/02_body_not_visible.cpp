// A function whose body is elsewhere
//
// The derivative of a function is made from its body. Where another file has it, register a
// derivative beside the declaration.

#include <ddx/ddx.h>

double drag(double speed);  // in another file

double power(double speed) {
  return speed * drag(speed);
}

double by_speed(double speed) {
  return ddx::gradient(power, speed);
}
