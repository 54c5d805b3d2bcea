/// \file
/// What a lazy device does, and when.

#pragma once

#include "ddx/backend/span_recording.h"

namespace ddx {

/// As backend::SpanRecording.
using backend::KernelInfo;
using backend::Span;
using backend::SpanKind;
using backend::SpanRecording;

}  // namespace ddx
