// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/memory_input.h"
#include "core/attention/tensor_view.h"
#include "core/base/index.h"

#include <vector>

namespace vqscope {

/// The output [d_v] of one query by its definition (Roy et al. 2021, section 4): a softmax over the
/// keys of earlier segments whose nearest centroid [n, d_k] is that of the query. 0 if there is none.
/// Clustered attention (Vyas et al. 2020) groups queries instead, which saves nothing for one new token.
std::vector<double> define_routed_output(const MemoryInput& input, const StridedMatrix& centroids, Index segment_len,
                                         Index head, Index query);

}  // namespace vqscope
