/// \file
/// Everything for files: arrays, checkpoints of others, pictures, atomic writes, growing files.

#pragma once

#include "ddx/io/append_file.h"
#include "ddx/io/atomic_file.h"
#include "ddx/io/crc32c.h"
#include "ddx/io/draw_line.h"
#include "ddx/io/folder.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/gif.h"
#include "ddx/io/image.h"
#include "ddx/io/image_tensor.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/npy.h"
#include "ddx/io/npz.h"
#include "ddx/io/onnx_file.h"
#include "ddx/io/png.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/safetensors_view.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"
#include "ddx/io/tensor_bundle.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/io/tfrecord.h"
#include "ddx/io/torch_file.h"
#include "ddx/io/weight_files.h"
