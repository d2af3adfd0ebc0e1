// SPDX-License-Identifier: GPL-3.0-or-later
// Files of sessions: the default one, and one whose pages have the longest lists that they may have.
#include "core/session/session_json.h"

#include <benchmark/benchmark.h>

using namespace vqscope;

namespace {

/// An imported mask of `count` rows, each of two intervals.
Session with_rows(Index count) {
  Session session = default_session();
  if (count == 0) return session;
  std::vector<Index> rows;
  for (Index q = 0; q < count; ++q) rows.insert(rows.end(), {1, 2, q / 3, q / 2 + 1, q + 700'001, q + 1'400'000});
  PageState& page = *find_page(session, "masks");
  page.own.set("mask", std::string("dump"));
  page.own.set("q_length", count);
  page.own.set("kv_length", Index{2147483648});
  page.own.set("mask_rows", std::move(rows));
  return session;
}

void write_session_text(benchmark::State& state) {
  const Session session = with_rows(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(session_text(session));
}

void parse_session_text(benchmark::State& state) {
  const std::string text = session_text(with_rows(state.range(0)));
  for (auto _ : state) {
    auto opened = parse_session(text);
    if (!opened || !opened->notes.empty()) return state.SkipWithError("the session does not come back");
    benchmark::DoNotOptimize(opened);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<Index>(text.size()));
}

}  // namespace

BENCHMARK(write_session_text)->Arg(0)->Arg(699'050)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_session_text)->Arg(0)->Arg(699'050)->Unit(benchmark::kMillisecond);
