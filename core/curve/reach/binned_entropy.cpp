// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/binned_entropy.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double furthest = 10;
constexpr Index per_unit = 128;
constexpr Index bins_in_block = 64;  // e^(a z) of a bin is that of its block times that of its place in the block
constexpr Index blocks = 20 * per_unit / bins_in_block;

double middle_of(Index bin) { return (static_cast<double>(bin) + 0.5) / per_unit - furthest; }

}  // namespace

BinnedEntropy::BinnedEntropy() : m_first(blocks - 1) {
  for (auto& moment : m_moments) moment = Eigen::ArrayXXd::Zero(bins_in_block, blocks);
}

void BinnedEntropy::add(double z) {
  const double within = std::clamp(z, -furthest, furthest);
  const auto bin = std::min(bins_in_block * blocks - 1, static_cast<Index>((within + furthest) * per_unit));
  m_first = std::min(m_first, bin / bins_in_block);
  m_last = std::max(m_last, bin / bins_in_block);
  const double off = within - middle_of(bin);
  m_moments[0](bin % bins_in_block, bin / bins_in_block) += 1;
  m_moments[1](bin % bins_in_block, bin / bins_in_block) += off;
  m_moments[2](bin % bins_in_block, bin / bins_in_block) += off * off / 2;
  ++m_count;
}

double BinnedEntropy::entropy(double a) const {
  if (m_count == 0) return 0;
  // Z = Σ e^(a z) and its derivative Z' = Σ z e^(a z), with e^(a δ) = 1 + a δ + (a δ)² / 2 within a bin; then
  // H = ln Z − a Z' / Z. Exponents are less that of the last block, which cancels: Z neither overflows nor vanishes.
  Eigen::ArrayXd place(bins_in_block);
  for (Index i = 0; i < bins_in_block; ++i) place[i] = static_cast<double>(i) / per_unit;
  const Eigen::ArrayXd weight = (a * place).exp();
  const double last = middle_of(m_last * bins_in_block);
  Eigen::ArrayXd mass(bins_in_block);
  double sum = 0;
  double slope = 0;
  for (Index b = m_first; b <= m_last; ++b) {
    const auto number = m_moments[0].col(b);
    const auto first = m_moments[1].col(b);
    const auto second = m_moments[2].col(b);
    const double begin = middle_of(b * bins_in_block);
    const double scale = std::exp(a * (begin - last));
    mass = weight * (number + a * first + (a * a) * second);
    const double whole = mass.sum();
    sum += scale * whole;
    slope += scale * (begin * whole + (place * mass).sum() + (weight * (first + (2 * a) * second)).sum());
  }
  return std::max(0.0, std::log(sum) + a * last - a * slope / sum);
}

}  // namespace vqscope
