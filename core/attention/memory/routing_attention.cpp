// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/routing_attention.h"

#include "core/attention/memory/softmax_definition.h"
#include "core/attention/rows.h"

#include <limits>

namespace vqscope {
namespace {

Index nearest_centroid(const StridedMatrix& centroids, const float* row) {
  Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < centroids.rows; ++i) {
    const double distance = squared_distance(row, centroids.data + i * centroids.stride, centroids.cols);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

}  // namespace

std::vector<double> define_routed_output(const MemoryInput& input, const StridedMatrix& centroids, Index segment_len,
                                         Index head, Index query) {
  const Index from = input.kv_head(head);
  const float* q = input.q.row(head, query);
  const Index own = nearest_centroid(centroids, q);
  SoftmaxDefinition softmax(q, input.k.cols, input.v.cols);
  for (Index token = 0; token < query / segment_len * segment_len; ++token)
    if (const float* key = input.k.row(from, token); nearest_centroid(centroids, key) == own)
      softmax.add(key, input.v.row(from, token));
  return softmax.output();
}

}  // namespace vqscope
