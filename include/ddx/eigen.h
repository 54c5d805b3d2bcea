/// \file
/// Eigen with derivatives by rule: products, triangular systems and decompositions of matrices of
/// double or float, of sizes that are known at run time.
///
/// Include it in the place of `<Eigen/Dense>`, in every unit of a program that uses Eigen: it
/// specialises templates of Eigen at the points where Eigen's own support of BLAS and LAPACK does.
/// Programs stay as they are, and so do their values. What has no rule is differentiated from
/// Eigen's source. Matrices and arrays of dynamic size are arguments and results that have
/// tangents, of their own type; those of fixed size are none. Needs Eigen 3.4 on the include path.

#pragma once

#if !__has_include(<Eigen/Core>)
#error \
    "ddx/eigen.h: Eigen is not on the include path (Debian: libeigen3-dev, -isystem /usr/include/eigen3)"
#endif

#include "ddx/eigen/assignments.h"
#include "ddx/eigen/blocks.h"
#include "ddx/eigen/cholesky.h"
#include "ddx/eigen/lu.h"
#include "ddx/eigen/norms.h"
#include "ddx/eigen/product.h"
#include "ddx/eigen/tangents.h"
#include "ddx/eigen/triangular_solve.h"
#include "ddx/eigen/vector_product.h"

#include <Eigen/Dense>
