/// \file
/// Everything for data sets: batches, images, tokenizers, readers.

#pragma once

#include "ddx/data/epoch.h"
#include "ddx/data/idx.h"
#include "ddx/data/image_dataset.h"
#include "ddx/data/images/augment.h"
#include "ddx/data/images/color.h"
#include "ddx/data/images/crop.h"
#include "ddx/data/images/flip.h"
#include "ddx/data/images/resize.h"
#include "ddx/data/labelled_images.h"
#include "ddx/data/sets/cifar10.h"
#include "ddx/data/sets/mnist.h"
#include "ddx/data/text/basic_tokenizer.h"
#include "ddx/data/text/bert_tokenizer.h"
#include "ddx/data/text/byte_pair_encoder.h"
#include "ddx/data/text/byte_pair_model.h"
#include "ddx/data/text/byte_pair_training.h"
#include "ddx/data/text/encoded_text.h"
#include "ddx/data/text/sentence_piece_model.h"
#include "ddx/data/text/sentence_piece_tokenizer.h"
#include "ddx/data/text/text_batch.h"
#include "ddx/data/text/utf8.h"
#include "ddx/data/text/vocabulary.h"
#include "ddx/data/text/vocabulary_file.h"
#include "ddx/data/text/word_piece.h"
