// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/compressive_attention.h"

#include "core/attention/memory/softmax_definition.h"

#include <algorithm>

namespace vqscope {

Compression compression_of(const std::string& id) { return id == "max" ? Compression::maximum : Compression::mean; }

CompressiveView compressive_view(const CompressiveOptions& options, Index query) {
  const Index begin = query / options.segment_len * options.segment_len;
  const Index complete = std::max<Index>(0, begin - options.memory_len) / options.rate;
  return {.groups = {std::max<Index>(0, complete - options.compressed_len), complete},
          .tokens = {complete * options.rate, query + 1}};
}

void compress_rows(const float* rows, Index rate, Index width, Compression compression, float* out) {
  std::copy(rows, rows + width, out);
  for (Index row = 1; row < rate; ++row)
    for (Index c = 0; c < width; ++c) {
      const float number = rows[row * width + c];
      out[c] = compression == Compression::maximum ? std::max(out[c], number) : out[c] + number;
    }
  if (compression == Compression::mean)
    for (Index c = 0; c < width; ++c) out[c] /= static_cast<float>(rate);
}

std::vector<double> define_compressive_output(const MemoryInput& input, const CompressiveOptions& options, Index head,
                                              Index query) {
  const TensorView &k = input.k, &v = input.v;
  const Index from = input.kv_head(head);
  SoftmaxDefinition softmax(input.q.row(head, query), k.cols, v.cols);
  const CompressiveView seen = compressive_view(options, query);
  std::vector<float> key(static_cast<std::size_t>(k.cols)), value(static_cast<std::size_t>(v.cols));
  for (Index group = seen.groups.begin; group < seen.groups.end; ++group) {
    compress_rows(k.row(from, group * options.rate), options.rate, k.cols, options.compression, key.data());
    compress_rows(v.row(from, group * options.rate), options.rate, v.cols, options.compression, value.data());
    softmax.add(key.data(), value.data());
  }
  for (Index token = seen.tokens.begin; token < seen.tokens.end; ++token)
    softmax.add(k.row(from, token), v.row(from, token));
  return softmax.output();
}

}  // namespace vqscope
