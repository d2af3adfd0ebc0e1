// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/rope_table.h"

#include <algorithm>
#include <bit>

namespace vqscope {
namespace {

/// One row of unit vectors, apart so that compilers use packed arithmetic.
struct RotatedVectors {
  const double* cos;
  const double* sin;
};

template <class Out>
void cos_of_sum(const RotatedVectors& a, const RotatedVectors& b, std::size_t pairs, Out* __restrict out) {
  for (std::size_t i = 0; i < pairs; ++i) out[i] = static_cast<Out>(a.cos[i] * b.cos[i] - a.sin[i] * b.sin[i]);
}

template <class Out>
void sin_of_sum(const RotatedVectors& a, const RotatedVectors& b, std::size_t pairs, Out* __restrict out) {
  for (std::size_t i = 0; i < pairs; ++i) out[i] = static_cast<Out>(a.sin[i] * b.cos[i] + a.cos[i] * b.sin[i]);
}

template <class Out>
void both_of_sum(const RotatedVectors& a, const RotatedVectors& b, std::size_t pairs, Out* __restrict cos,
                 Out* __restrict sin) {
  for (std::size_t i = 0; i < pairs; ++i) {
    const double ac = a.cos[i], as = a.sin[i], bc = b.cos[i], bs = b.sin[i];
    cos[i] = static_cast<Out>(ac * bc - as * bs);
    sin[i] = static_cast<Out>(as * bc + ac * bs);
  }
}

/// The angles of one position, straight from cos and sin.
void direct_row(std::span<const Turns> rates, std::span<const Turns> offsets, Index position, double amplitude,
                double* cos, double* sin) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Turns angle = static_cast<Turns>(position) * rates[i] + (offsets.empty() ? 0 : offsets[i]);
    cos[i] = amplitude * cosine(angle);
    sin[i] = amplitude * sine(angle);
  }
}

}  // namespace

RopeTable::RopeTable(std::span<const Turns> rates, double amplitude, Index steps, std::span<const Turns> offsets)
    : m_rates(rates.begin(), rates.end()),
      m_offsets(offsets.begin(), offsets.end()),
      m_amplitude(amplitude),
      m_steps(std::clamp<Index>(steps, 1, most_steps)) {
  const std::size_t pairs = m_rates.size();
  const auto rows = static_cast<std::size_t>(m_steps);
  m_cos.resize(rows * pairs);
  m_sin.resize(rows * pairs);
  for (std::size_t row = 0; row < rows; ++row) {
    double* cos = m_cos.data() + row * pairs;
    double* sin = m_sin.data() + row * pairs;
    const std::size_t power = std::bit_floor(row);
    if (row == power) {
      direct_row(m_rates, {}, static_cast<Index>(row), 1, cos, sin);
      continue;
    }
    // At most eight roundings from a power of two, 1e-15 in all.
    const RotatedVectors a{m_cos.data() + power * pairs, m_sin.data() + power * pairs};
    const RotatedVectors b{m_cos.data() + (row - power) * pairs, m_sin.data() + (row - power) * pairs};
    both_of_sum(a, b, pairs, cos, sin);
  }
}

/// Unit vectors of the positions at which segments begin: each from the one before by one product,
/// and from cos and sin every 64 of them, before the roundings reach 1e-14.
class RopeTable::Segments {
 public:
  explicit Segments(const RopeTable& table) : m_table(table), m_pairs(table.m_rates.size()) {
    for (auto* plane : {&m_cos, &m_sin, &m_next_cos, &m_next_sin, &m_by_cos, &m_by_sin}) plane->resize(m_pairs);
    direct_row(table.m_rates, {}, table.m_steps, 1, m_by_cos.data(), m_by_sin.data());
  }

  void begin(Index segment, Index position) {
    if (segment % 64 == 0)
      return direct_row(m_table.m_rates, m_table.m_offsets, position, m_table.m_amplitude, m_cos.data(), m_sin.data());
    both_of_sum(now(), {m_by_cos.data(), m_by_sin.data()}, m_pairs, m_next_cos.data(), m_next_sin.data());
    m_cos.swap(m_next_cos);
    m_sin.swap(m_next_sin);
  }

  RotatedVectors now() const { return {m_cos.data(), m_sin.data()}; }

 private:
  const RopeTable& m_table;
  std::size_t m_pairs;
  std::vector<double> m_cos, m_sin, m_next_cos, m_next_sin, m_by_cos, m_by_sin;
};

template <class Out>
void RopeTable::fill(Index first, Index count, Out* cos, Out* sin) const {
  const std::size_t pairs = m_rates.size();
  Segments segments(*this);
  for (Index row = 0; row < count; ++row) {
    const Index step = row % m_steps;
    if (step == 0) segments.begin(row / m_steps, first + row);
    const std::size_t at = static_cast<std::size_t>(step) * pairs;
    const RotatedVectors from = segments.now();
    const RotatedVectors by{m_cos.data() + at, m_sin.data() + at};
    const std::size_t to = static_cast<std::size_t>(row) * pairs;
    if (cos && sin)
      both_of_sum(from, by, pairs, cos + to, sin + to);
    else if (cos)
      cos_of_sum(from, by, pairs, cos + to);
    else if (sin)
      sin_of_sum(from, by, pairs, sin + to);
  }
}

template void RopeTable::fill(Index, Index, float*, float*) const;
template void RopeTable::fill(Index, Index, double*, double*) const;

}  // namespace vqscope
