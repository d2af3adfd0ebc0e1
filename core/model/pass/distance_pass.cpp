// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/distance_pass.h"

#include "core/model/kernels/products.h"
#include "core/model/position/fixed_positions.h"

namespace vqscope {

template <class Real>
void place_distance_queries(const LayerPass<Real>& pass, Index number) {
  const auto& layer = pass.layer(number);
  const Real* u = pass.parameters.at(pass.offsets(number).xl_u);
  const Real* v = pass.parameters.at(pass.offsets(number).xl_v);
  const Index width = pass.config.query_width();
  const auto scale = static_cast<Real>(distance_scale(pass.config));
  for (Index t = 0; t < pass.tokens(); ++t)
    for (Index i = 0; i < width; ++i) {
      const Real q = layer.q[t * width + i];
      layer.distance_q[t * width + i] = q + scale * v[i];
      layer.q[t * width + i] = q + scale * u[i];
    }
}

template <class Real>
void distance_queries_backward(const LayerPass<Real>& pass, Index number) {
  const auto& c = pass.config;
  const auto& d = pass.a.d;
  const LayerOffsets& at = pass.offsets(number);
  const Index width = c.query_width();
  const auto scale = static_cast<Real>(distance_scale(c));
  for (Index t = 0; t < pass.tokens(); ++t)
    for (Index i = 0; i < width; ++i) {
      Real& dq = d.q[t * width + i];
      const Real dv = d.distance_q[t * width + i];
      d.parameters[at.xl_u + i] += scale * dq;
      d.parameters[at.xl_v + i] += scale * dv;
      dq += dv;
    }
  best_products<Real>().of_columns({d.distance_k, pass.length, width, width},
                                   {pass.tables.sinusoids_by_distance(), pass.length, c.d_model, c.d_model},
                                   {d.parameters + at.xl_r, c.d_model}, true);
}

template void place_distance_queries(const LayerPass<float>&, Index);
template void place_distance_queries(const LayerPass<double>&, Index);
template void distance_queries_backward(const LayerPass<float>&, Index);
template void distance_queries_backward(const LayerPass<double>&, Index);

}  // namespace vqscope
