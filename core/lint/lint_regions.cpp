// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_regions.h"

#include <map>

namespace vqscope {
namespace {

constexpr Index most_chunks = Index{1} << 18;
constexpr std::size_t most_parts = 64;  // of one span

/// Consecutive keys of one span.
struct SpanPiece {
  Range keys;
  std::vector<Range> later;  ///< other pieces of the same span
};

std::vector<SpanPiece> span_pieces(const LintCase& given) {
  std::vector<SpanPiece> pieces;
  if (given.objective != Objective::causal_spans || given.layout.has_slots()) return pieces;
  std::map<Index, std::vector<std::size_t>> by_id;
  const auto& ids = given.spans;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0) continue;
    const auto key = static_cast<Index>(i);
    if (i > 0 && ids[i] == ids[i - 1]) {
      ++pieces.back().keys.end;
      continue;
    }
    pieces.push_back({{key, key + 1}, {}});
    by_id[ids[i]].push_back(pieces.size() - 1);
  }
  for (const auto& [id, places] : by_id)
    for (std::size_t i = 0; i < std::min(places.size(), most_parts); ++i)
      for (std::size_t j = i + 1; j < std::min(places.size(), most_parts); ++j)
        pieces[places[i]].later.push_back(pieces[places[j]].keys);
  return pieces;
}

/// Rows of one query run, chunk and span, with a run of keys of their document. The key at the
/// position of query q is in column q + same.
struct Segment {
  Range rows;
  Range keys;   ///< of the run
  Range chunk;  ///< those of them in the query's chunk
  Index same = 0;
  Index seen_ahead = 0;  ///< end of the keys visible ahead by a prefix or the query's span
  bool in_span = false;
  std::vector<Range> later;
};

Index floor_div(Index a, Index b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// The positions that the chunk of a position shows: the chunk itself and, by objective, what is
/// beside it.
Range chunk_positions(const LintCase& given, Index position) {
  const Index first = floor_div(position, *given.chunk) * *given.chunk;
  const Range own{first, first + *given.chunk};
  if (!looks_by_chunks(given.objective)) return own;
  return {given.left_frames ? first - *given.left_frames : -any_distance, own.end + given.right_frames};
}

std::vector<Index> row_edges(const LintCase& given, const TokenRun& q, std::span<const SpanPiece> pieces) {
  std::vector<Index> edges{q.tokens.begin, q.tokens.end};
  const auto add = [&](Index row) {
    if (q.tokens.begin < row && row < q.tokens.end) edges.push_back(row);
  };
  if (given.chunk)
    for (Index position = (floor_div(q.first, *given.chunk) + 1) * *given.chunk; position < q.position(q.tokens.end);
         position += *given.chunk)
      add(q.tokens.begin + position - q.first);
  for (const SpanPiece& piece : pieces) {
    add(piece.keys.begin - given.layout.past_len());
    add(piece.keys.end - given.layout.past_len());
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

Segment segment_of(const LintCase& given, const TokenRun& q, const TokenRun& kv, Range rows, const SpanPiece* span) {
  const auto column = [&](Index position) {
    return std::clamp(kv.tokens.begin + position - kv.first, kv.tokens.begin, kv.tokens.end);
  };
  Segment made{rows,  kv.tokens, kv.tokens, kv.tokens.begin - kv.first + q.first - q.tokens.begin, kv.tokens.begin,
               false, {}};
  if (given.chunk) {
    const Range positions = chunk_positions(given, q.position(rows.begin));
    made.chunk = {column(positions.begin), column(positions.end)};
  }
  if (given.objective == Objective::prefix) made.seen_ahead = column(given.prefix_length.value_or(0));
  if (span) {
    made.seen_ahead = std::clamp(span->keys.end, kv.tokens.begin, kv.tokens.end);
    made.in_span = true;
    for (const Range& piece : span->later)
      if (const Range part = common(piece, made.chunk); part.size() > 0) made.later.push_back(part);
  }
  return made;
}

/// Calls visit(segment) in the order of rows, then of keys.
template <class Visit>
void for_each_segment(const LintCase& given, const Visit& visit) {
  const auto pieces = span_pieces(given);
  for (const TokenRun& q : given.layout.q_runs()) {
    if (!q.valid) continue;
    const auto edges = row_edges(given, q, pieces);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const Index key = edges[i] + given.layout.past_len();
      const auto at = std::ranges::partition_point(pieces, [&](const SpanPiece& p) { return p.keys.end <= key; });
      const SpanPiece* span = at != pieces.end() && at->keys.begin <= key ? &*at : nullptr;
      for (const TokenRun& kv : keys_of_document(given.layout, q))
        if (kv.valid) visit(segment_of(given, q, kv, {edges[i], edges[i + 1]}, span));
    }
  }
}

/// The same at the true positions of queries that branch: each row with the cached keys, then with
/// its own key.
template <class Visit>
void for_each_at_position(const LintCase& given, const Visit& visit) {
  if (!given.branches) return for_each_segment(given, visit);
  const SequenceLayout& layout = given.layout;
  for (const TokenRun& q : layout.q_runs())
    for (Index row = q.tokens.begin; q.valid && row < q.tokens.end; ++row) {
      const Index position = query_position(given, row);
      for (const TokenRun& kv : keys_of_document(layout, q)) {
        const Range cached = common(kv.tokens, {0, layout.past_len()});
        if (!kv.valid || cached.size() == 0) continue;
        TokenRun at = q;
        at.tokens = {row, row + 1};
        at.first = position;
        Segment made = segment_of(given, at, kv, at.tokens, nullptr);
        made.keys = cached;
        made.chunk = common(made.chunk, cached);
        if (made.chunk.size() > 0) visit(made);
      }
      if (const auto own = layout.key_of(row))
        visit(Segment{{row, row + 1}, {*own, *own + 1}, {*own, *own + 1}, *own - row, *own, false, {}});
    }
}

/// The context keys at positions from the block's anchor on, or before it.
std::vector<Range> context_keys(const LintCase& given, const DraftBlock& block, bool from_anchor) {
  std::vector<Range> keys;
  for (Index key = 0; key < given.layout.past_len(); ++key)
    if ((given.kv_position_ids[static_cast<std::size_t>(key)] >= block.anchor) == from_anchor)
      append_range({key, key + 1}, keys);
  return keys;
}

/// The column after the last sink.
Index sink_end(const LintCase& given, const Segment& s) {
  if (given.sinks == 0) return s.keys.begin;
  for (const TokenRun& kv : given.layout.kv_runs())
    if (kv.tokens == s.keys) return std::clamp(s.keys.begin + given.sinks - kv.first, s.keys.begin, s.keys.end);
  return s.keys.begin;
}

/// The end of the keys ahead that a query must see: of a span as far as a window reaches back,
/// since libraries bound the keys ahead differently (Google's Gemma by the window, Hugging Face and
/// vLLM not at all).
Ramp end_ahead(const LintCase& given, const Segment& s, Index reach) {
  const Index seen = std::clamp(s.seen_ahead, s.chunk.begin, s.chunk.end);
  const bool bounded = s.in_span && looks_back(given.objective) && given.window && reach == 0;
  return bounded ? Ramp{s.same + *given.window, s.chunk.begin, seen} : Ramp{s.same + 1 + reach, seen, s.chunk.end};
}

CellSet wanted_of_blocks(const LintCase& given, WantedPart part) {
  CellSet region;
  if (part == WantedPart::ahead) return region;
  for (const DraftBlock& block : given.draft_blocks) {
    for (const Range& keys : context_keys(given, block, false)) region.append(Band::whole(block.rows, keys));
    const Index own = given.layout.past_len() + block.rows.begin;
    region.append({block.rows, Ramp::constant(own), Ramp::moving(given.layout.past_len() + 1)});
  }
  return region;
}

}  // namespace

Index query_position(const LintCase& given, Index row) {
  if (!given.branches) return given.layout.q_pos(row);
  return given.q_position_ids[static_cast<std::size_t>(row)] - given.first_position;
}

Index reach_behind(const LintCase& given) {
  if (given.objective == Objective::cross || looks_by_chunks(given.objective)) return any_distance;
  if (looks_back(given.objective) && given.window) return *given.window - 1;
  return given.window_left.value_or(any_distance);
}

Index reach_ahead(const LintCase& given) {
  if (given.objective == Objective::cross || looks_by_chunks(given.objective)) return any_distance;
  return given.window_right.value_or(looks_back(given.objective) ? 0 : any_distance);
}

bool wants_window(const LintCase& given) {
  if (given.objective == Objective::cross || looks_by_chunks(given.objective)) return false;
  return given.window_left || given.window_right || (given.window && looks_back(given.objective));
}

std::string unknown_keys(const LintCase& given) {
  if (given.objective == Objective::prefix && !given.prefix_length) return "prefix_length is not set";
  if (looks_by_chunks(given.objective) && !given.chunk) return "chunk is not set";
  if (given.chunk && given.layout.q_length() / *given.chunk > most_chunks) return "there are too many chunks to check";
  return {};
}

CellSet every_cell(const LintCase& given) {
  return CellSet::whole({0, given.layout.q_length()}, {0, given.layout.kv_length()});
}

CellSet wanted_keys(const LintCase& given, WantedPart part) {
  if (!given.draft_blocks.empty()) return wanted_of_blocks(given, part);
  const Index behind = reach_behind(given);
  const Index ahead = reach_ahead(given);
  CellSet region;
  for_each_at_position(given, [&](const Segment& s) {
    const Index begin = s.chunk.begin;
    const Index end = s.chunk.end;
    if (const Index sinks = std::min(sink_end(given, s), end); part != WantedPart::ahead && sinks > begin)
      region.append({s.rows, Ramp::constant(begin), {s.same - behind, begin, sinks}});
    const Ramp after_self{s.same + 1, begin, end};
    Ramp first = part == WantedPart::ahead ? after_self : Ramp{s.same - behind, begin, end};
    if (part == WantedPart::behind) return region.append({s.rows, first, after_self});
    Ramp last = end_ahead(given, s, ahead);
    for (const Range& later : s.later) {
      region.append({s.rows, first, last.within({begin, later.begin})});
      region.append({s.rows, Ramp::constant(later.begin),
                     given.window ? Ramp{s.same + *given.window, later.begin, later.end} : Ramp::constant(later.end)});
      first = Ramp::constant(later.end);
      last = last.within({later.end, end});
    }
    region.append({s.rows, first, last});
  });
  return region;
}

CellSet forbidden_future(const LintCase& given) {
  if (!given.draft_blocks.empty()) return positions_to_predict(given);
  const Index ahead = reach_ahead(given);
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
    if (looks_by_chunks(given.objective)) return region.append(Band::whole(s.rows, {s.chunk.end, s.keys.end}));
    const Index seen = std::clamp(s.seen_ahead, s.keys.begin, s.keys.end);
    Ramp begin{s.same + 1 + ahead, seen, s.keys.end};
    for (const Range& later : s.later) {
      const Index end = std::max(begin.low, later.begin);
      region.append({s.rows, begin.within({begin.low, end}), Ramp::constant(end)});
      begin = begin.within({later.end, s.keys.end});
    }
    region.append({s.rows, begin, Ramp::constant(s.keys.end)});
  });
  return region;
}

CellSet positions_to_predict(const LintCase& given) {
  CellSet region;
  for (const DraftBlock& block : given.draft_blocks)
    for (const Range& keys : context_keys(given, block, true)) region.append(Band::whole(block.rows, keys));
  return region;
}

CellSet other_blocks(const LintCase& given) {
  CellSet region;
  const Index past = given.layout.past_len();
  for (const DraftBlock& block : given.draft_blocks) {
    region.append(Band::whole(block.rows, {past, past + block.rows.begin}));
    region.append(Band::whole(block.rows, {past + block.rows.end, given.layout.kv_length()}));
  }
  return region;
}

CellSet beyond_window(const LintCase& given, Index reach) {
  CellSet region;
  for_each_at_position(given, [&](const Segment& s) {
    const Index begin = sink_end(given, s);
    region.append({s.rows, Ramp::constant(begin), {s.same - reach, begin, s.keys.end}});
  });
  return region;
}

CellSet ahead_of_window(const LintCase& given, Index reach) {
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
    region.append({s.rows, {s.same + 1 + reach, s.keys.begin, s.keys.end}, Ramp::constant(s.keys.end)});
  });
  return region;
}

CellSet other_chunks(const LintCase& given) {
  CellSet region;
  for_each_at_position(given, [&](const Segment& s) {
    region.append(Band::whole(s.rows, {s.keys.begin, s.chunk.begin}));
    // If the objective has a future, keys ahead belong to it, whatever their chunk.
    if (!looks_back(given.objective) && !looks_by_chunks(given.objective))
      region.append(Band::whole(s.rows, {s.chunk.end, s.keys.end}));
  });
  return region;
}

}  // namespace vqscope
