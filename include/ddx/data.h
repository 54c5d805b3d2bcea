/// \file
/// Everything for data sets: batches, images, readers.

#pragma once

#include "ddx/data/epoch.h"
#include "ddx/data/idx.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/labelled_images.h"
#include "ddx/data/sets/cifar10.h"
#include "ddx/data/sets/mnist.h"
