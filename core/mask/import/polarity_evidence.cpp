// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/polarity_evidence.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

/// A majority must be this many times the rest: of a random mask, half of the queries see
/// themselves.
constexpr Index clear_majority = 3;

}  // namespace

void PolarityEvidence::add(Index row, std::span<const KeyInterval> on) {
  const Index own = row + m_past;
  const Index after = std::clamp<Index>(own + 1, 0, m_extent.cols);
  Index count = 0;
  Index future = 0;
  bool own_on = false;
  m_steps.resize(static_cast<std::size_t>(m_extent.cols) + 1);
  for (const auto& each : on) {
    ++m_steps[each.begin];
    --m_steps[each.end];
    count += Index{each.end} - Index{each.begin};
    future += std::max<Index>(0, Index{each.end} - std::max<Index>(each.begin, after));
    own_on = own_on || (Index{each.begin} <= own && own < Index{each.end});
  }
  m_own_on.push_back(own_on);
  m_future_on += future;
  m_future_off += m_extent.cols - after - future;
  m_rest_on += count - future;
  m_all_on += count == m_extent.cols;
  m_all_off += count == 0;
}

PolarityEvidence::OwnKeys PolarityEvidence::own_keys() const {
  OwnKeys own;
  const auto rows = static_cast<Index>(m_own_on.size());
  Index seen = 0;
  for (Index key = 0; key < m_extent.cols; ++key) {
    seen += m_steps[static_cast<std::size_t>(key)];
    if (key == 0) own.first_on = seen > 0;
    own.last_on = seen > 0;
    const Index row = key - m_past;
    if (row < 0 || row >= rows) continue;
    Own& side = seen == 0 || seen == rows ? own.of_constant : own.of_mixed;
    ++(m_own_on[static_cast<std::size_t>(row)] ? side.on : side.off);
  }
  return own;
}

std::optional<bool> PolarityEvidence::from_own_keys(const OwnKeys& own) const {
  if (own.mixed_decide()) {
    const auto& [on, off] = own.of_mixed;
    if (on >= clear_majority * off) return true;
    return off >= clear_majority * on ? std::optional(false) : std::nullopt;
  }
  // One query alone may stand in a ring, or before empty slots: its last key is no evidence.
  const auto& [constant_on, constant_off] = own.of_constant;
  if (constant_on == constant_off || (constant_on == 0 && constant_off == 1)) return {};
  // Padding stands at one end, most often the right one, and is less than half.
  const bool by_count = constant_on > constant_off;
  const bool by_side = !own.last_on;
  const bool has_side = m_extent.rows > 1 && own.first_on != own.last_on;
  return !has_side || by_count == by_side ? std::optional(by_count) : std::nullopt;
}

std::pair<std::optional<bool>, std::string> PolarityEvidence::on_is_visible(const std::string& on,
                                                                            const std::string& off) const {
  if (m_past >= 0) {
    const OwnKeys own = own_keys();
    const Index own_on = own.of_mixed.on + own.of_constant.on;
    const Index own_off = own.of_mixed.off + own.of_constant.off;
    const bool mostly_off = own.mixed_decide() ? own.of_mixed.off > own.of_mixed.on : own_off > own_on;
    if (m_future_on + m_future_off > 0) {
      if (m_future_on == 0 && m_rest_on > 0) return {true, "no key after its query is " + on};
      if (m_future_off == 0 && mostly_off) return {false, "every key after its query is " + on};
    }
    if (const auto visible = from_own_keys(own))
      return {visible, fmt::format("{} of {} queries find their own key {}", *visible ? own_on : own_off,
                                   own_on + own_off, *visible ? on : off)};
  }
  if ((m_all_off > 0) != (m_all_on > 0))
    return {m_all_on > 0, fmt::format("otherwise {} of the queries would see no key", std::max(m_all_on, m_all_off))};
  return {};
}

}  // namespace vqscope
