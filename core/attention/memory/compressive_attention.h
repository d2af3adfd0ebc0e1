// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/memory_input.h"
#include "core/base/index.h"

#include <string>
#include <vector>

namespace vqscope {

/// How several old keys, and their values, become one (Rae et al. 2020, section 3.2). The paper's
/// convolution is learnt with the model; with equal weights it is the mean.
enum class Compression { mean, maximum };
Compression compression_of(const std::string& id);

struct CompressiveOptions {
  Index segment_len = 512;
  Index memory_len = 512;      ///< uncompressed tokens before the segment
  Index compressed_len = 512;  ///< compressed keys before these
  Index rate = 4;              ///< tokens that become one
  Compression compression = Compression::mean;
};

/// What one query sees.
struct CompressiveView {
  Range groups;  ///< compressed: group g has the tokens g · rate to (g + 1) · rate - 1
  Range tokens;  ///< the memory and the segment so far
};

/// Tokens that have left the memory wait in it until their group is complete, which takes no time if
/// `rate` divides `segment_len` and `memory_len`.
CompressiveView compressive_view(const CompressiveOptions& options, Index query);

/// One row of several: [width] of `rows` [rate, width].
void compress_rows(const float* rows, Index rate, Index width, Compression compression, float* out);

/// The output [d_v] of one query by its definition: one softmax over compressed keys, the memory and
/// the segment so far. Keys and values are compressed as hidden states are in the paper: both
/// compressions commute with neither softmax nor rotation.
std::vector<double> define_compressive_output(const MemoryInput& input, const CompressiveOptions& options, Index head,
                                              Index query);

}  // namespace vqscope
