// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/rope_walk.h"

#include <cmath>
#include <utility>

namespace vqscope {
namespace {

constexpr Index most_products = 64;

}  // namespace

UnitVectors::UnitVectors(std::span<const Turns> rates, Index r)
    : cos(static_cast<Eigen::Index>(rates.size())), sin(static_cast<Eigen::Index>(rates.size())) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double angle = signed_radians(static_cast<Turns>(r) * rates[i]);
    cos[static_cast<Eigen::Index>(i)] = std::cos(angle);
    sin[static_cast<Eigen::Index>(i)] = std::sin(angle);
  }
}

RopeWalk::RopeWalk(std::span<const Turns> rates)
    : m_rates(rates), m_now(rates, 0), m_kept{Step{0, m_now}, Step{0, m_now}} {}

const UnitVectors& RopeWalk::at(Index r) {
  if (m_walked++ % most_products == 0)
    m_now = UnitVectors(m_rates, r);
  else
    turn_by(vectors_of(r - m_at));
  m_at = r;
  return m_now;
}

const UnitVectors& RopeWalk::vectors_of(Index size) {
  if (m_kept[0].size != size) std::swap(m_kept[0], m_kept[1]);
  if (m_kept[0].size != size) m_kept[0] = {size, UnitVectors(m_rates, size)};
  return m_kept[0].by;
}

void RopeWalk::turn_by(const UnitVectors& by) {
  m_next = m_now.cos * by.cos - m_now.sin * by.sin;
  m_now.sin = m_now.sin * by.cos + m_now.cos * by.sin;
  m_now.cos.swap(m_next);
}

}  // namespace vqscope
