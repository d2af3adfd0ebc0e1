// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/compressive_memory.h"

#include <cmath>
#include <vector>

namespace vqscope {
namespace {

constexpr double least_divisor = 1e-6;

/// Contiguous rows, [count, width].
template <class Real>
struct Block {
  Block(Index count_, Index width_) : count(count_), width(width_), values(static_cast<std::size_t>(count_ * width_)) {}

  Real* row(Index i) { return values.data() + i * width; }
  const Real* row(Index i) const { return values.data() + i * width; }
  Rows<Real> rows() const { return {values.data(), count, width, width}; }
  ProductRows<Real> out() { return {values.data(), width}; }

  Index count;
  Index width;
  std::vector<Real> values;
};

template <class Real>
struct State {
  State(const CompressiveShape& shape, const Real* state)
      : matrix{state, shape.attention.head_dim, shape.attention.value_size(), shape.attention.value_size()},
        z(state + shape.matrix_size()) {}

  Rows<Real> matrix;
  const Real* z;
};

/// σ = ELU + 1, and its derivative.
template <class Real>
Real feature(Real x) {
  return x > 0 ? x + 1 : std::exp(x);
}
template <class Real>
Real feature_slope(Real x) {
  return x > 0 ? 1 : std::exp(x);
}

template <class Real>
Block<Real> features_of(const Rows<Real>& x) {
  Block<Real> features(x.rows, x.cols);
  for (Index i = 0; i < x.rows; ++i)
    for (Index n = 0; n < x.cols; ++n) features.row(i)[n] = feature(x.data[i * x.stride + n]);
  return features;
}

template <class Real>
Real divisor(const Real* feature_row, const Real* z, Index width) {
  Real sum = static_cast<Real>(least_divisor);
  for (Index n = 0; n < width; ++n) sum += feature_row[n] * z[n];
  return sum;
}

/// features M / (features · z + 1e-6), at `out`.
template <class Real>
void read_rows(const Block<Real>& features, const State<Real>& state, const ProductRows<Real>& out) {
  best_products<Real>().plain(features.rows(), state.matrix, out, false);
  for (Index i = 0; i < features.count; ++i) {
    const Real by = divisor(features.row(i), state.z, features.width);
    for (Index n = 0; n < state.matrix.cols; ++n) out.data[i * out.stride + n] /= by;
  }
}

/// Adds to the gradients by features and state, given the gradient by `read`, the result of
/// read_rows.
template <class Real>
void read_backward(const Block<Real>& features, const State<Real>& state, const Rows<Real>& read, Block<Real> dread,
                   Block<Real>& dfeatures, Real* dstate, Index matrix_size) {
  const auto& products = best_products<Real>();
  Real* dz = dstate + matrix_size;
  for (Index i = 0; i < features.count; ++i) {
    const Real by = divisor(features.row(i), state.z, features.width);
    Real product = 0;
    for (Index n = 0; n < read.cols; ++n) {
      product += dread.row(i)[n] * read.data[i * read.stride + n];
      dread.row(i)[n] /= by;
    }
    const Real dby = -product / by;
    for (Index n = 0; n < features.width; ++n) {
      dfeatures.row(i)[n] += dby * state.z[n];
      dz[n] += dby * features.row(i)[n];
    }
  }
  products.with_rows(dread.rows(), state.matrix, dfeatures.out(), true);
  products.of_columns(features.rows(), dread.rows(), {dstate, read.cols}, true);
}

template <class Real>
Block<Real> copied(const Rows<Real>& rows) {
  Block<Real> block(rows.rows, rows.cols);
  for (Index i = 0; i < rows.rows; ++i) std::copy_n(rows.data + i * rows.stride, rows.cols, block.row(i));
  return block;
}

/// Adds gradients by features σ(x) to those by x.
template <class Real>
void features_backward(const Rows<Real>& x, const Block<Real>& dfeatures, Real* dx) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index n = 0; n < x.cols; ++n)
      dx[i * x.stride + n] += dfeatures.row(i)[n] * feature_slope(x.data[i * x.stride + n]);
}

/// One segment of one head of keys: what the segment writes, and what the backward pass needs.
template <class Real>
struct Written {
  Written(const CompressiveShape& shape, const Rows<Real>& keys, const Rows<Real>& values_, const Real* state)
      : features(features_of(keys)), values(copied(values_)), read(keys.rows, values_.cols) {
    if (!shape.delta) return;
    read_rows(features, State<Real>(shape, state), read.out());
    for (std::size_t i = 0; i < values.values.size(); ++i) values.values[i] -= read.values[i];
  }

  Block<Real> features;
  Block<Real> values;  ///< v'
  Block<Real> read;    ///< delta rule: what the memory held under the keys
};

template <class Real>
void add_to_state(const CompressiveShape& shape, const Written<Real>& written, Real* state) {
  best_products<Real>().of_columns(written.features.rows(), written.values.rows(),
                                   {state, shape.attention.value_size()}, true);
  Real* z = state + shape.matrix_size();
  for (Index i = 0; i < written.features.count; ++i)
    for (Index n = 0; n < written.features.width; ++n) z[n] += written.features.row(i)[n];
}

/// Adds some keys and values of one head to a state.
template <class Real>
void write_compressed(const CompressiveShape& shape, const RetrievalOperands<Real>& in, Index kv_head, Range some,
                      Real* state) {
  const AttentionShape& a = shape.attention;
  const AttentionBlock block{kv_head * (a.heads / a.kv_heads), some, some};
  add_to_state(shape, Written<Real>(shape, block.key_rows(a, in.k, some), block.value_rows(a, in.v, some), state),
               state);
}

}  // namespace

template <class Real>
void recall_compressed(const CompressiveShape& shape, const RetrievalOperands<Real>& in, Real* states, Real* context) {
  const AttentionShape& a = shape.attention;
  const Index group = a.heads / a.kv_heads;
  for (Index kv_head = 0; kv_head < a.kv_heads; ++kv_head) {
    std::fill_n(states + shape.place(kv_head, 0), shape.state_size(), Real{0});
    for (Index number = 0; number < shape.segments(); ++number) {
      const Range some = shape.segment(number);
      const Real* state = states + shape.place(kv_head, number);
      for (Index head = kv_head * group; head < (kv_head + 1) * group; ++head) {
        const AttentionBlock block{head, some, some};
        read_rows(features_of(block.query_rows(a, in.q)), State<Real>(shape, state),
                  {context + block.context_place(a), a.context_width()});
      }
      Real* next = states + shape.place(kv_head, number + 1);
      std::copy_n(state, shape.state_size(), next);
      write_compressed(shape, in, kv_head, some, next);
    }
  }
}

template <class Real>
void recall_newest(const CompressiveShape& shape, const RetrievalOperands<Real>& in, Index token, const Real* query,
                   Real* states, Real* context) {
  const AttentionShape& a = shape.attention;
  const bool begins = token > 0 && token % a.segment == 0;
  for (Index kv_head = 0; kv_head < a.kv_heads && begins; ++kv_head)
    write_compressed(shape, in, kv_head, {token - a.segment, token}, states + kv_head * shape.state_size());
  for (Index head = 0; head < a.heads; ++head) {
    const Rows<Real> row{query + head * a.head_dim, 1, a.head_dim, a.head_dim};
    read_rows(features_of(row), State<Real>(shape, states + a.kv_head(head) * shape.state_size()),
              {context + head * a.value_size(), a.context_width()});
  }
}

namespace {

/// Turns the gradient by the state after a segment into that by the state before it, and adds the
/// gradients of the segment's own queries, keys and values.
template <class Real>
void segment_backward(const CompressiveShape& shape, const RetrievalOperands<Real>& in, Index kv_head, Range some,
                      const Real* state, const Real* context, const Real* dcontext, std::vector<Real>& dstate,
                      const CompressiveGradient<Real>& d) {
  const AttentionShape& a = shape.attention;
  const auto& products = best_products<Real>();
  const Index group = a.heads / a.kv_heads;
  const State<Real> before(shape, state);
  const AttentionBlock keys{kv_head * group, some, some};
  const Rows<Real> k = keys.key_rows(a, in.k, some), v = keys.value_rows(a, in.v, some);
  const Rows<Real> dmatrix{dstate.data(), a.head_dim, a.value_size(), a.value_size()};
  const Written<Real> written(shape, k, v, state);
  Block<Real> dfeatures(some.size(), a.head_dim), dvalues(some.size(), a.value_size());
  products.with_rows(written.values.rows(), dmatrix, dfeatures.out(), false);
  for (Index i = 0; i < some.size(); ++i)
    for (Index n = 0; n < a.head_dim; ++n)
      dfeatures.row(i)[n] += dstate[static_cast<std::size_t>(shape.matrix_size() + n)];
  products.plain(written.features.rows(), dmatrix, dvalues.out(), false);
  Real* dv = d.v + keys.value_place(a, some.begin);
  for (Index i = 0; i < some.size(); ++i)
    for (Index n = 0; n < a.value_size(); ++n) dv[i * a.value_width() + n] += dvalues.row(i)[n];
  if (shape.delta) {
    for (Real& value : dvalues.values) value = -value;
    read_backward(written.features, before, written.read.rows(), dvalues, dfeatures, dstate.data(),
                  shape.matrix_size());
  }
  features_backward(k, dfeatures, d.k + keys.key_place(a, some.begin));
  for (Index head = kv_head * group; head < (kv_head + 1) * group; ++head) {
    const AttentionBlock block{head, some, some};
    const Rows<Real> q = block.query_rows(a, in.q);
    const Block<Real> features = features_of(q);
    Block<Real> dquery(some.size(), a.head_dim);
    read_backward(features, before, block.context_rows(a, context), copied(block.context_rows(a, dcontext)), dquery,
                  dstate.data(), shape.matrix_size());
    features_backward(q, dquery, d.q + some.begin * a.query_width() + head * a.head_dim);
  }
}

}  // namespace

template <class Real>
void recall_compressed_backward(const CompressiveShape& shape, const RetrievalOperands<Real>& in, const Real* states,
                                const Real* context, const Real* dcontext, const CompressiveGradient<Real>& d) {
  for (Index kv_head = 0; kv_head < shape.attention.kv_heads; ++kv_head) {
    std::vector<Real> dstate(static_cast<std::size_t>(shape.state_size()));
    for (Index number = shape.segments(); number-- > 0;)
      segment_backward(shape, in, kv_head, shape.segment(number), states + shape.place(kv_head, number), context,
                       dcontext, dstate, d);
  }
}

template void recall_compressed(const CompressiveShape&, const RetrievalOperands<float>&, float*, float*);
template void recall_compressed(const CompressiveShape&, const RetrievalOperands<double>&, double*, double*);
template void recall_compressed_backward(const CompressiveShape&, const RetrievalOperands<float>&, const float*,
                                         const float*, const float*, const CompressiveGradient<float>&);
template void recall_compressed_backward(const CompressiveShape&, const RetrievalOperands<double>&, const double*,
                                         const double*, const double*, const CompressiveGradient<double>&);
template void recall_newest(const CompressiveShape&, const RetrievalOperands<float>&, Index, const float*, float*,
                            float*);
template void recall_newest(const CompressiveShape&, const RetrievalOperands<double>&, Index, const double*, double*,
                            double*);

}  // namespace vqscope
