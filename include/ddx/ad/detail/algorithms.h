/// \file
/// What the compiler differentiates in the place of the algorithms and function objects of the
/// standard library: the same results by plain loops. A function here represents the one of the
/// same name in namespace std; programs do not call it.
///
/// Each has one exit, so that those that return iterators can be lowered where they are called.

#pragma once

#include "ddx/ad/detail/algorithms/elements.h"
#include "ddx/ad/detail/algorithms/function_objects.h"
#include "ddx/ad/detail/algorithms/reductions.h"
#include "ddx/ad/detail/algorithms/searches.h"
#include "ddx/ad/detail/algorithms/sorting.h"
