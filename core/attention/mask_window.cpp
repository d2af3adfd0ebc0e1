// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/mask_window.h"

#include "core/base/text.h"
#include "core/mask/language/language_mask.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>
#include <tuple>

namespace vqscope {
namespace {

/// Keys that a query sees of the first `end`.
Index seen_before(const std::vector<Range>& row, Index end) {
  Index seen = 0;
  for (const Range& some : row) seen += std::max<Index>(0, std::min(some.end, end) - some.begin);
  return seen;
}

/// The last key before `end` of which `visible` is not true.
Index last_other(const std::vector<Range>& row, Index end, bool visible) {
  for (Index key = end - 1; key >= 0; --key) {
    const bool seen = std::ranges::any_of(row, [&](const Range& some) { return some.begin <= key && key < some.end; });
    if (seen != visible) return key;
  }
  return -1;
}

/// Distances behind a query that it sees, ascending.
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

Index blind_queries(const Mask& mask) {
  std::vector<Range> row;
  Index blind = 0;
  for (Index query = 0; query < mask.extent().rows; ++query) {
    mask.row(query, row);
    if (seen_before(row, query + 1) == 0) ++blind;
  }
  return blind;
}

WindowCheck broken(Index window, Index distance, const std::string& how) {
  return {.constant = false,
          .first = distance,
          .largest = std::numeric_limits<double>::infinity(),
          .sentence = "the mask is not constant beyond distance " + to_text(window) + ": " + how +
                      "; only the quadratic form is exact"};
}

Error refused(const std::string& sentence) { return invalid("mask" + sentence); }

}  // namespace

Result<std::shared_ptr<const Mask>> text_mask(const std::string& text, Index length) {
  const MaskParse parse = MaskProgram::parse(text);
  if (!parse)
    return refused(", line " + to_text(parse.error.line) + ", column " + to_text(parse.error.column) + ": " +
                   parse.error.message);
  for (const auto variable : {language::Variable::b, language::Variable::h})
    if (depends_on(parse.program->code(), variable))
      return refused(" depends on the " + std::string(variable == language::Variable::b ? "batch b" : "head h") +
                     ": one mask for all is wanted here");
  MaskBindings bindings;
  for (const auto& use : parse.program->integers()) {
    if (!use.fallback) return refused(" leaves " + use.name + " free: write its value into the text");
    bindings.integers[use.name] = *use.fallback;
  }
  const auto layout = SequenceLayout::make({.q_length = length});
  if (!layout) return layout.error();
  auto mask = make_language_mask(parse.program, std::move(bindings), *layout);
  if (!mask) return refused(": " + mask.error().message);
  if (!(*mask)->has_bands() && length > most_unsolved_tokens)
    return refused(" cannot be solved into intervals: it is looked at key by key, for at most " +
                   to_text(most_unsolved_tokens) + " tokens, not " + to_text(length));
  return mask;
}

WindowCheck check_window(const Mask& mask, Index window) {
  std::vector<Range> row;
  std::optional<bool> all;
  Index first_query = 0;
  for (Index query = window + 1; query < mask.extent().rows; ++query) {
    const Index far = query - window;  // keys 0, ..., far - 1
    mask.row(query, row);
    const Index seen = seen_before(row, far);
    if (seen != 0 && seen != far) {
      const bool nearest = last_other(row, far, true) != far - 1;
      const Index other = last_other(row, far, nearest);
      return broken(window, query - other,
                    "query " + to_text(query) + " sees " + to_text(seen) + " of the " + to_text(far) +
                        " keys there, and key " + to_text(other) + " is the nearest that " +
                        (nearest ? "it does not see" : "it sees"));
    }
    if (!all) {
      all = seen == far;
      first_query = query;
    } else if (*all != (seen == far)) {
      return broken(window, window + 1,
                    "query " + to_text(first_query) + " sees " + (*all ? "all" : "none") +
                        " of the keys there, query " + to_text(query) + (*all ? " none" : " all"));
    }
  }
  if (!all)
    return {.sentence = "no token is farther than " + to_text(window) + " behind another: the linear form is exact"};
  return {.sentence = "every query sees " + std::string(*all ? "all" : "none") + " of the keys beyond distance " +
                      to_text(window) + ": the linear form is exact"};
}

std::optional<std::vector<Range>> visible_distances(const Mask& mask) {
  std::vector<Range> row;
  std::vector<Range> visible;
  for (Index query = mask.extent().rows - 1; query >= 0; --query) {
    mask.row(query, row);
    const auto own = distances_of(row, query);
    if (query == mask.extent().rows - 1) visible = own;
    if (own != up_to(visible, query)) return std::nullopt;
  }
  return visible;
}

Result<std::shared_ptr<const CheckedMask>> checked_mask(const std::string& text, Index length, Index window) {
  using Key = std::tuple<std::string, Index, Index>;
  constexpr std::size_t most_kept = 4;
  static std::mutex mutex;
  static std::deque<std::pair<Key, std::shared_ptr<const CheckedMask>>> kept;
  const Key key{text, length, window};
  const std::lock_guard lock(mutex);
  for (const auto& [known, checked] : kept)
    if (known == key) return checked;
  auto mask = text_mask(text, length);
  if (!mask) return mask.error();
  auto checked = std::make_shared<CheckedMask>();
  checked->mask = std::move(*mask);
  checked->hypothesis = check_window(*checked->mask, window);
  checked->distances = visible_distances(*checked->mask);
  checked->blind = blind_queries(*checked->mask);
  kept.emplace_front(key, checked);
  if (kept.size() > most_kept) kept.pop_back();
  return std::shared_ptr<const CheckedMask>(std::move(checked));
}

}  // namespace vqscope
