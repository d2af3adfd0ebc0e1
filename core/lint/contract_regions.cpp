// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/contract_regions.h"

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

std::vector<SpanPiece> span_pieces(const ContractCase& given) {
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
  Index span_begin = 0;  ///< of the query's span; end of the keys if it is in none
  std::vector<Range> later;
};

std::vector<Index> row_edges(const ContractCase& given, const TokenRun& q, std::span<const SpanPiece> pieces) {
  std::vector<Index> edges{q.tokens.begin, q.tokens.end};
  const auto add = [&](Index row) {
    if (q.tokens.begin < row && row < q.tokens.end) edges.push_back(row);
  };
  if (given.chunk)
    for (Index position = (q.first / *given.chunk + 1) * *given.chunk; position < q.position(q.tokens.end);
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

Segment segment_of(const ContractCase& given, const TokenRun& q, const TokenRun& kv, Range rows,
                   const SpanPiece* span) {
  const auto column = [&](Index position) {
    return std::clamp(kv.tokens.begin + position - kv.first, kv.tokens.begin, kv.tokens.end);
  };
  Segment made{
      rows,          kv.tokens, kv.tokens, kv.tokens.begin - kv.first + q.first - q.tokens.begin, kv.tokens.begin,
      kv.tokens.end, {}};
  if (given.chunk) {
    const Index first = q.position(rows.begin) / *given.chunk * *given.chunk;
    made.chunk = {column(first), column(first + *given.chunk)};
  }
  if (given.objective == Objective::prefix) made.seen_ahead = column(given.prefix_length.value_or(0));
  if (span) {
    made.seen_ahead = std::clamp(span->keys.end, kv.tokens.begin, kv.tokens.end);
    made.span_begin = std::clamp(span->keys.begin, kv.tokens.begin, kv.tokens.end);
    for (const Range& piece : span->later)
      if (const Range part = common(piece, made.chunk); part.size() > 0) made.later.push_back(part);
  }
  return made;
}

/// Calls visit(segment) in the order of rows, then of keys.
template <class Visit>
void for_each_segment(const ContractCase& given, const Visit& visit) {
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

/// The column after the last sink.
Index sink_end(const ContractCase& given, const Segment& s) {
  if (given.sinks == 0) return s.keys.begin;
  for (const TokenRun& kv : given.layout.kv_runs())
    if (kv.tokens == s.keys) return std::clamp(s.keys.begin + given.sinks - kv.first, s.keys.begin, s.keys.end);
  return s.keys.begin;
}

}  // namespace

Index reach_behind(const ContractCase& given) {
  if (given.objective == Objective::cross) return any_distance;
  if (looks_back(given.objective) && given.window) return *given.window - 1;
  return given.window_left.value_or(any_distance);
}

Index reach_ahead(const ContractCase& given) {
  if (given.objective == Objective::cross) return any_distance;
  return given.window_right.value_or(looks_back(given.objective) ? 0 : any_distance);
}

bool wants_window(const ContractCase& given) {
  if (given.objective == Objective::cross) return false;
  return given.window_left || given.window_right || (given.window && looks_back(given.objective));
}

bool too_many_chunks(const ContractCase& given) {
  return given.chunk && given.layout.q_length() / *given.chunk > most_chunks;
}

CellSet every_cell(const ContractCase& given) {
  return CellSet::whole({0, given.layout.q_length()}, {0, given.layout.kv_length()});
}

CellSet wanted_keys(const ContractCase& given, WantedPart part) {
  const Index behind = reach_behind(given);
  const Index ahead = reach_ahead(given);
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
    const Index begin = s.chunk.begin;
    const Index end = s.chunk.end;
    if (const Index sinks = std::min(sink_end(given, s), end); part != WantedPart::ahead && sinks > begin)
      region.append({s.rows, Ramp::constant(begin), {s.same - behind, begin, sinks}});
    const Ramp after_self{s.same + 1, begin, end};
    Ramp first = part == WantedPart::ahead ? after_self : Ramp{s.same - behind, begin, end};
    if (part == WantedPart::behind) return region.append({s.rows, first, after_self});
    Ramp last{s.same + 1 + ahead, std::clamp(s.seen_ahead, begin, end), end};
    for (const Range& later : s.later) {
      region.append({s.rows, first, last.within({begin, later.begin})});
      region.append(Band::whole(s.rows, later));
      first = Ramp::constant(later.end);
      last = last.within({later.end, end});
    }
    region.append({s.rows, first, last});
  });
  return region;
}

CellSet forbidden_future(const ContractCase& given) {
  const Index ahead = reach_ahead(given);
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
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

CellSet beyond_window(const ContractCase& given, Index reach) {
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
    const Index begin = sink_end(given, s);
    region.append({s.rows, Ramp::constant(begin), {s.same - reach, begin, std::max(begin, s.span_begin)}});
  });
  return region;
}

CellSet ahead_of_window(const ContractCase& given, Index reach) {
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
    region.append({s.rows, {s.same + 1 + reach, s.keys.begin, s.keys.end}, Ramp::constant(s.keys.end)});
  });
  return region;
}

CellSet other_chunks(const ContractCase& given) {
  CellSet region;
  for_each_segment(given, [&](const Segment& s) {
    region.append(Band::whole(s.rows, {s.keys.begin, s.chunk.begin}));
    // If the objective looks back, keys ahead belong to the future, whatever their chunk.
    if (!looks_back(given.objective)) region.append(Band::whole(s.rows, {s.chunk.end, s.keys.end}));
  });
  return region;
}

}  // namespace vqscope
