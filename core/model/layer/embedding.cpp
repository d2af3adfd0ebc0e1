// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/embedding.h"

namespace vqscope {

template <class Real>
void add_embedding(std::span<const std::int32_t> ids, Index width, Real scale, const Real* table, Real* y) {
  for (const std::int32_t id : ids) {
    const Real* row = table + id * width;
    for (Index i = 0; i < width; ++i) y[i] += scale * row[i];
    y += width;
  }
}

template <class Real>
void embedding_backward(std::span<const std::int32_t> ids, Index width, Real scale, const Real* dy, Real* dtable) {
  for (const std::int32_t id : ids) {
    Real* row = dtable + id * width;
    for (Index i = 0; i < width; ++i) row[i] += scale * dy[i];
    dy += width;
  }
}

template void add_embedding(std::span<const std::int32_t>, Index, float, const float*, float*);
template void add_embedding(std::span<const std::int32_t>, Index, double, const double*, double*);
template void embedding_backward(std::span<const std::int32_t>, Index, float, const float*, float*);
template void embedding_backward(std::span<const std::int32_t>, Index, double, const double*, double*);

}  // namespace vqscope
