/// \file
/// Measuring at the command of another program.

#pragma once

namespace ddx::bench {

/// Prints the operations as one line of JSON, then obeys the lines of standard input until it ends:
///
///   elements N            the number of elements of operation N's result, and after that line
///                         themselves, as floats of this machine
///   time N SECONDS TIMES  the nanoseconds of one call in so many samples, as a line of JSON
///
/// Throws:  UsageError for any other line.
void serve();

}  // namespace ddx::bench
