// A function without a visible body
//
// The compiler derives a function from its body. If the body is in another file, register a
// derivative next to the declaration.

#include <ddx/ddx.h>

double drag(double speed);  // in another file

double power(double speed) {
  return speed * drag(speed);
}

double by_speed(double speed) {
  return ddx::gradient(power, speed);
}
