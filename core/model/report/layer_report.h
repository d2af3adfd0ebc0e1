// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/safetensors_writer.h"
#include "core/model/pass/transformer_pass.h"

namespace vqscope {

struct LayerReportShape {
  const TransformerConfig& config;
  Index rows = 0;
  Index length = 0;
  Index reported = 0;  ///< rows whose attention weights are reported
};

/// Appends the results of a layer in the last run of a pass that kept everything. Without segments:
/// attn.layerN [reported, heads, length, length]; else attn.layerN.segmentS [reported, heads,
/// queries, keys] with the memory's keys before the segment's. VQ: codes.layerN [rows, heads,
/// length] int32. Memorizing, for each segment with a memory: knn_index.layerN.segmentS [rows,
/// heads, queries, top_k] int32, indices into the memory, and knn_attn.layerN.segmentS [reported,
/// ...], filled up with -1 and 0 if the memory has fewer than top_k keys. Infini-attention:
/// memory.layerN [rows, kv heads, head_dim, value_dim] and memory_z.layerN [rows, kv heads,
/// head_dim] after the last segment.
template <class Real>
void append_layer(const LayerReportShape& shape, const TransformerPass<Real>& pass, Index layer,
                  std::vector<NamedTensor>& out);

}  // namespace vqscope
