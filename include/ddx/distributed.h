/// \file
/// Replicas of one program that work together: groups, and collective operations on tensors.

#pragma once

#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/all_to_all.h"
#include "ddx/distributed/broadcast.h"
#include "ddx/distributed/cross_replica.h"
#include "ddx/distributed/join_group.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduce_scatter.h"
#include "ddx/distributed/reduction.h"
#include "ddx/distributed/run_on_threads.h"
