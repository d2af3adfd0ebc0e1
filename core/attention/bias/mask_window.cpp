// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/mask_window.h"

#include "core/base/sentence.h"
#include "core/base/shared_computation.h"
#include "core/mask/language/plain_mask.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace vqscope {
namespace {

/// Number of keys before `end` that a query sees.
Index seen_before(const std::vector<Range>& row, Index end) {
  Index seen = 0;
  for (const Range& some : row) seen += std::max<Index>(0, std::min(some.end, end) - some.begin);
  return seen;
}

/// The last key before `end` whose visibility is not `visible`.
Index last_other(const std::vector<Range>& row, Index end, bool visible) {
  for (Index key = end - 1; key >= 0; --key) {
    const bool seen = std::ranges::any_of(row, [&](const Range& some) { return some.begin <= key && key < some.end; });
    if (seen != visible) return key;
  }
  return -1;
}

/// Distances to the keys that a query sees, ascending.
std::vector<Range> distances_of(const std::vector<Range>& row, Index query) {
  std::vector<Range> distances;
  for (auto some = row.rbegin(); some != row.rend(); ++some)
    if (const Index end = std::min(some->end, query + 1); some->begin < end)
      distances.push_back({query + 1 - end, query + 1 - some->begin});
  return distances;
}

std::vector<Range> up_to(const std::vector<Range>& distances, Index last) {
  std::vector<Range> nearer;
  for (const Range& some : distances)
    if (some.begin <= last) nearer.push_back({some.begin, std::min(some.end, last + 1)});
  return nearer;
}

WindowCheck broken(Index window, Index distance, const std::string& how) {
  return {.constant = false,
          .first = distance,
          .largest = std::numeric_limits<double>::infinity(),
          .sentence = fmt::format("the mask is not constant beyond distance {}: {}; only the quadratic form is exact",
                                  window, how)};
}

/// Checks, query by query, whether the keys beyond the window are visible to all queries or to
/// none.
class WindowRule {
 public:
  explicit WindowRule(Index window) : m_window(window) {}

  void look_at(Index query, const std::vector<Range>& row) {
    const Index far = query - m_window;  // keys 0, ..., far - 1
    if (far <= 0 || !m_found.constant) return;
    const Index seen = seen_before(row, far);
    if (seen != 0 && seen != far) {
      const bool nearest = last_other(row, far, true) != far - 1;
      const Index other = last_other(row, far, nearest);
      m_found = broken(m_window, query - other,
                       fmt::format("query {} sees {} of the {} keys there, and key {} is the nearest that {}", query,
                                   seen, far, other, nearest ? "it does not see" : "it sees"));
    } else if (!m_all) {
      m_all = seen == far;
      m_first = query;
    } else if (*m_all != (seen == far)) {
      m_found = broken(m_window, m_window + 1,
                       fmt::format("query {} sees {} of the keys there, query {} {}", m_first, *m_all ? "all" : "none",
                                   query, *m_all ? "none" : "all"));
    }
  }

  WindowCheck found() const {
    if (!m_found.constant) return m_found;
    const std::string window = to_text(m_window);
    if (!m_all)
      return {.sentence = fmt::format("no token is farther than {} behind another: the linear form is exact", window)};
    return {.sentence = fmt::format("every query sees {} of the keys beyond distance {}: the linear form is exact",
                                    *m_all ? "all" : "none", window)};
  }

 private:
  Index m_window;
  std::optional<bool> m_all;
  Index m_first = 0;  ///< query
  WindowCheck m_found;
};

/// Checks, query by query, whether visibility depends on the distance alone.
class DistanceRule {
 public:
  void look_at(Index query, const std::vector<Range>& row) {
    if (!m_holds) return;
    auto own = distances_of(row, query);
    m_holds = m_visible == up_to(own, query - 1);
    m_visible = std::move(own);
  }

  std::optional<std::vector<Range>> visible() const { return m_holds ? std::optional(m_visible) : std::nullopt; }

 private:
  bool m_holds = true;
  std::vector<Range> m_visible;
};

/// Number of key ranges that can be checked within some seconds.
constexpr Index most_segments = Index{1} << 28;

}  // namespace

Result<CheckedMask> walk_mask(std::shared_ptr<const Mask> mask, Index window, const Work& work) {
  WindowRule constant(window);
  DistanceRule distances;
  CheckedMask checked{.mask = std::move(mask)};
  const Index rows = checked.mask->extent().rows;
  std::vector<Range> row;
  Index segments = 0;
  for (Index query = 0; query < rows; ++query) {
    if (work.stop.stop_requested()) return cancelled();
    checked.mask->row(query, row);
    segments += static_cast<Index>(row.size());
    if (segments > most_segments)
      return too_large(
          "mask has too many separate ranges of visible keys, {} in its first {} of {} rows but must have at most {}; "
          "use fewer tokens",
          segments, query + 1, rows, most_segments);
    constant.look_at(query, row);
    distances.look_at(query, row);
    if (seen_before(row, query + 1) == 0) ++checked.blind;
    if (query % 256 == 0) work.report(static_cast<double>(query) / static_cast<double>(rows));
  }
  checked.hypothesis = constant.found();
  checked.distances = distances.visible();
  return checked;
}

Result<std::shared_ptr<const CheckedMask>> checked_mask(const std::string& text, Index length, Index window,
                                                        const Work& work) {
  static SharedComputation<std::tuple<std::string, Index, Index>, CheckedMask> known(4);
  return known.get({text, length, window}, work, [text, length, window](const Work& shared) -> Result<CheckedMask> {
    auto mask = plain_mask(text, length);
    if (!mask) return mask.error();
    return walk_mask(std::move(*mask), window, shared);
  });
}

}  // namespace vqscope
