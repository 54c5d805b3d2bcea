/// \file
/// Everything for data sets: samples, batches, epochs, images, readers.

#pragma once

#include "ddx/data/bucketed_order.h"
#include "ddx/data/collate.h"
#include "ddx/data/epoch.h"
#include "ddx/data/idx.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/in_batches.h"
#include "ddx/data/labelled_images.h"
#include "ddx/data/prefetched.h"
#include "ddx/data/samples.h"
#include "ddx/data/sets/boston_housing.h"
#include "ddx/data/sets/cifar10.h"
#include "ddx/data/sets/cifar100.h"
#include "ddx/data/sets/cola.h"
#include "ddx/data/sets/fashion_mnist.h"
#include "ddx/data/sets/kuzushiji_mnist.h"
#include "ddx/data/sets/mnist.h"
#include "ddx/data/sets/movielens.h"
#include "ddx/data/sets/snli.h"
#include "ddx/data/sets/wikitext.h"
#include "ddx/data/subset.h"
#include "ddx/data/training_epochs.h"
