/// \file
/// Everything for files: arrays, pictures, atomic writes.

#pragma once

#include "ddx/io/atomic_file.h"
#include "ddx/io/folder.h"
#include "ddx/io/image.h"
#include "ddx/io/image_tensor.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/png.h"
#include "ddx/io/safetensors.h"
