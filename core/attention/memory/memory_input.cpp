// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/memory_input.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Scores beyond this are near the limit of float32.
constexpr double most_score = 1e30;

Error shapes_disagree(const char* a, const TensorView& x, const char* b, const TensorView& y, const char* rule) {
  return invalid("{} is {}, {} is {}: {}", a, shape_text(x), b, shape_text(y), rule);
}

/// Euclidean.
double norm_of_row(const float* row, Index width) {
  const auto squares = static_cast<double>(best_kernels().sum_of_squares(row, width));
  if (std::isfinite(squares)) return std::sqrt(squares);
  double sum = 0;
  for (Index c = 0; c < width; ++c) sum += static_cast<double>(row[c]) * static_cast<double>(row[c]);
  return std::sqrt(sum);
}

/// The largest norm of a row; an error names the first number that is not finite.
Result<double> largest_norm(const char* name, const TensorView& tensor) {
  double most = 0;
  for (Index head = 0; head < tensor.heads; ++head)
    for (Index i = 0; i < tensor.rows; ++i) {
      const float* row = tensor.row(head, i);
      if (!best_kernels().all_finite(row, tensor.cols)) {
        const Index c = std::find_if(row, row + tensor.cols, [](float x) { return !std::isfinite(x); }) - row;
        return invalid("{} has {} at head {}, row {}, column {} but must be finite", name, to_text(row[c]), head, i, c);
      }
      most = std::max(most, norm_of_row(row, tensor.cols));
    }
  return most;
}

}  // namespace

Result<void> check_memory_shapes(const MemoryInput& in) {
  for (const auto& [name, tensor] : {std::pair{"q", &in.q}, {"k", &in.k}, {"v", &in.v}})
    if (tensor->heads < 1 || tensor->rows < 1 || tensor->cols < 1)
      return invalid("{} is {} but must not be empty", name, shape_text(*tensor));
  if (in.q.cols != in.k.cols) return shapes_disagree("q", in.q, "k", in.k, "both must have the same d_k");
  if (in.q.rows != in.k.rows) return shapes_disagree("q", in.q, "k", in.k, "both must have the same number of tokens");
  if (in.k.rows != in.v.rows || in.k.heads != in.v.heads)
    return shapes_disagree("k", in.k, "v", in.v, "every key needs one value");
  if (in.q.heads % in.k.heads != 0)
    return shapes_disagree("q", in.q, "k", in.k, "the heads of q must be a multiple of those of k");
  return {};
}

Result<void> check_segment_len(Index segment_len, Index tokens) {
  if (segment_len >= 1 && segment_len <= tokens) return {};
  return invalid("segment_len is {} but must be 1 to {}, the number of tokens", segment_len, tokens);
}

Result<void> check_gate(const std::vector<double>& gate, Index heads) {
  if (gate.size() != 1 && static_cast<Index>(gate.size()) != heads)
    return invalid("gate has {} numbers but must have 1 for all heads, or one for each of {}", gate.size(), heads);
  for (const double b : gate)
    if (!std::isfinite(b)) return invalid("gate has {} but must be finite", to_text(b));
  return {};
}

Result<void> check_memory_numbers(const MemoryInput& in) {
  const auto q = largest_norm("q", in.q), k = largest_norm("k", in.k), v = largest_norm("v", in.v);
  for (const auto* most : {&q, &k, &v})
    if (!*most) return most->error();
  const double score = *q * *k;
  if (score < most_score) return {};
  return invalid("q and k give scores up to about {}, which is too large for float32", to_text(score, 3));
}

Result<void> check_memory_limit(double needed, double limit, Index tokens) {
  if (limit <= 0 || needed <= limit) return {};
  return too_large("attention with a memory over {} tokens needs {} of memory, the limit is {}", tokens,
                   byte_count(needed), byte_count(limit));
}

}  // namespace vqscope
