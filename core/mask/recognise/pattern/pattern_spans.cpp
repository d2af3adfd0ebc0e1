// SPDX-License-Identifier: GPL-3.0-or-later
// Causal masks in which the tokens of a span, such as an image, see each other.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/pattern/token_sets.h"
#include "core/mask/recognise/shape_votes.h"

#include <utility>

namespace vqscope {
namespace {

/// The tokens of each span without a token of another in between.
struct SpanList {
  std::vector<Range> spans;
  bool contiguous = true;
};

SpanList list_of(const std::vector<Index>& ids) {
  SpanList list;
  Index last = -1;
  for (Index token = 0; token < static_cast<Index>(ids.size()); ++token) {
    const Index id = ids[static_cast<std::size_t>(token)];
    if (id >= 0 && id != last) {
      list.contiguous = list.contiguous && id == static_cast<Index>(list.spans.size());
      list.spans.push_back({token, token});
    }
    if (id >= 0) list.spans.back().end = token + 1;
    last = id;
  }
  return list;
}

/// "same span [4–7, 12–15]".
std::string span_term(const std::vector<Index>& ids) {
  const SpanList list = list_of(ids);
  if (!list.contiguous) {
    const Index count = 1 + *std::ranges::max_element(ids);
    return fmt::format("same span of {} with gaps", count);
  }
  std::string text;
  for (std::size_t i = 0; i < list.spans.size() && i < most_listed; ++i)
    text += fmt::format("{}{}–{}", i == 0 ? "" : ", ", list.spans[i].begin, list.spans[i].end - 1);
  if (list.spans.size() <= most_listed) return fmt::format("same span [{}]", text);
  return fmt::format("same span [{}, …] ({} of them)", text, list.spans.size());
}

/// The tokens that see each other ahead, as far as they go together.
std::vector<Index> ids_ahead(const PatternInput& input) {
  TokenSets sets(input.tokens());
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    for (const Range& seen : row)
      if (const Range ahead{std::max(seen.begin, token + 1), seen.end}; ahead.size() > 0) sets.join(token, ahead);
  });
  return read ? sets.numbers(2) : std::vector<Index>();
}

/// How far back the first key of a row is, of rows outside of spans where there are any.
std::optional<Index> window_of(const PatternInput& input, const std::vector<Index>& ids) {
  Votes outside;
  Votes all;
  input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    if (row.front().begin == input.frame().document(token).begin) return;
    all.add(token - row.front().begin + 1);
    if (ids[static_cast<std::size_t>(token)] < 0) outside.add(token - row.front().begin + 1);
  });
  if (all.empty()) return {};
  const Index window = (outside.empty() ? all : outside).winner().first;
  return window > 0 ? std::optional(window) : std::nullopt;
}

/// A span whose first tokens have no queries reaches as far back as its queries see beyond the
/// window.
void extend_first_span(const PatternInput& input, Index window, std::vector<Index>& ids) {
  const Index first = input.past_len();
  if (first == 0 || first >= static_cast<Index>(ids.size()) || ids[static_cast<std::size_t>(first)] < 0) return;
  input.for_each_row({first, first + 1}, [&](Index token, std::span<const Range> row) {
    if (row.front().begin > token - window) return;
    for (Index each = row.front().begin; each < token; ++each)
      ids[static_cast<std::size_t>(each)] = ids[static_cast<std::size_t>(first)];
  });
}

MaskPattern pattern_with(const PatternInput& input, std::vector<Index> ids) {
  MaskPattern made{.kind = MaskKind::spans};
  const std::string& q = input.token();
  made.condition = fmt::format("(span_id[{}] == span_id[kv_idx]) & (span_id[kv_idx] >= 0)", q);
  // A few cells ahead of their queries are exceptions rather than a span.
  made.size = (list_of(ids).contiguous ? 8 : 16) + *std::ranges::max_element(ids);
  made.spans = MaskSpans{.ids = ids};
  made.arrays = {{"span_id", std::move(ids)}};
  return made;
}

/// Causal or same span, with the window around both, around the causal part, and to both sides.
void append_forms(const PatternInput& input, const MaskPattern& same, std::optional<Index> window,
                  std::vector<MaskPattern>& out) {
  const std::string term = span_term(same.spans->ids);
  const std::string causal = fmt::format("(kv_idx <= {})", input.token());
  MaskPattern plain = same;
  plain.terms = {window ? fmt::format("(causal ∨ {})", term) : "causal ∨ " + term};
  plain.condition = fmt::format("({} | ({}))", causal, same.condition);
  if (!window) return out.push_back(std::move(plain));
  const std::string near = fmt::format("({} - kv_idx < {})", input.token(), *window);
  const std::string window_term = "window " + to_text(*window);
  MaskPattern cut = plain;
  cut.terms.push_back(window_term);
  cut.condition += " & " + near;
  cut.size += 2;
  cut.spans->window = window;
  out.push_back(cut);
  cut.terms.back() = "window " + to_text(*window) + " to each side";
  cut.condition +=
      fmt::format(" & (kv_idx - {} < {})", input.past_len() == 0 ? "q_idx" : "(" + input.token() + ")", *window);
  cut.size += 2;
  out.push_back(std::move(cut));
  plain.terms = {fmt::format("(causal ∧ {}) ∨ {}", window_term, term)};
  plain.condition = fmt::format("(({} & {}) | ({}))", causal, near, same.condition);
  plain.size += 2;
  plain.spans->window = window;
  plain.spans->window_cuts_spans = false;
  out.push_back(std::move(plain));
}

/// Alternating text and images by the spans, in positions of their documents.
struct Turns {
  Votes periods;
  std::vector<Index> begins;  ///< of spans whose first token has a query
  Index longest = 0;
};

Turns turns_of(const PatternInput& input, const std::vector<Range>& spans) {
  Turns turns;
  Index last_document = -1;
  Index last_end = 0;
  Index last_begin = 0;
  for (const Range& span : spans) {
    const Range document = input.frame().document(span.begin);
    const Index end = span.end - document.begin;
    if (span.begin != input.past_len()) turns.begins.push_back(span.begin - document.begin);
    turns.longest = std::max(turns.longest, span.size());
    const bool follows = std::exchange(last_document, document.begin) == document.begin;
    if (follows && span.end < document.end) turns.periods.add(end - last_end);
    if (!follows) turns.periods.add(end);
    if (follows && last_begin != input.past_len()) turns.periods.add(span.begin - last_begin);
    last_end = end;
    last_begin = span.begin;
  }
  return turns;
}

/// Alternating text and images, as in the preset image_span.
void append_periodic(const PatternInput& input, const MaskPattern& same, std::optional<Index> window,
                     std::vector<MaskPattern>& out) {
  Turns turns = turns_of(input, list_of(same.spans->ids).spans);
  const std::string& q = input.token_position();
  const std::string& k = input.key_position();
  for (const Index period : turns.periods.winners()) {
    Votes texts;
    for (const Index begin : turns.begins) texts.add(begin % std::max<Index>(period, 1));
    const Index text = texts.empty() ? period - turns.longest : texts.winner().first;
    if (text < 1 || text >= period) continue;
    MaskPattern made = same;
    made.condition = fmt::format("({} % {} >= {}) & ({} % {} >= {}) & ({} // {} == {} // {})", q, period, text, k,
                                 period, text, q, period, k, period);
    made.arrays.clear();
    made.size = 7;
    if (!window) made.preset = "image_span";
    made.parameters = {{"text_tokens", text}, {"image_tokens", period - text}};
    append_forms(input, made, window, out);
  }
}

}  // namespace

void propose_spans(const PatternInput& input, std::vector<MaskPattern>& out) {
  auto ids = ids_ahead(input);
  if (ids.empty() || *std::ranges::max_element(ids) < 0) return;
  const auto window = window_of(input, ids);
  if (window) extend_first_span(input, *window, ids);
  const MaskPattern same = pattern_with(input, std::move(ids));
  append_periodic(input, same, window, out);
  append_forms(input, same, window, out);
}

}  // namespace vqscope
