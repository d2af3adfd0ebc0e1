// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vqscope {

/// What the weights of a head are spent on, as means over query rows.
struct HeadMeasures {
  double sink = 0;      ///< on the first token, and on a sink that is no token
  double self = 0;      ///< on the query's own token
  double previous = 0;  ///< on the token before it
  double entropy = 0;   ///< nats
  /// On the tokens after earlier ones equal to the query's (Olsson et al. 2022), and on those equal
  /// ones themselves, beyond what an even spread would give them; nothing without token ids.
  std::optional<double> induction, duplicate;
  double peak = 0;  ///< on the heaviest key among those farther than `local_window`, the sink left out
  /// Shares of what is no sink within the last 1, 2, 4, … tokens, the query's own among them.
  std::vector<double> within;
  Index rows = 0;

  /// The least of these windows that holds 0.9; nothing: even all keys do not, as where no row says.
  std::optional<Index> reach() const;
};
inline constexpr Index local_window = 64;

/// Sums over rows, one after the other.
class HeadSums {
 public:
  /// `keys`: most of a row.
  explicit HeadSums(Index keys);

  /// A row of weights, one a key, of the query whose own key is `own`; the first token is `first`.
  /// `beside`: the weight of a sink that is no token. `tokens`: one a key, or none.
  void add(std::span<const float> weights, Index own, Index first, double beside, std::span<const Index> tokens);
  HeadMeasures means() const;

 private:
  HeadMeasures m_sums;
  std::vector<Index> m_rows_beyond;  ///< by window: rows that could see farther
  double m_induction = 0, m_duplicate = 0;
  bool m_has_tokens = false;
};

/// What a head is mostly for.
enum class HeadRole { sink, self, previous, induction, duplicate, local, retrieval, broad };
inline constexpr std::array head_roles{HeadRole::sink,      HeadRole::self,  HeadRole::previous,  HeadRole::induction,
                                       HeadRole::duplicate, HeadRole::local, HeadRole::retrieval, HeadRole::broad};
std::string_view name_of(HeadRole role);
/// Half of the weight on sink, self or previous; 0.3 above chance by equal tokens; reach within
/// `local_window`; 0.3 on one distant key; else broad. The first that holds.
HeadRole role_of(const HeadMeasures& head);

}  // namespace vqscope
