// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/visibility_field.h"
#include "core/mask/language/language_mask.h"
#include "tests/bench/core/viewport.h"

namespace vqscope::bench {
namespace {

const char* const packed_window =
    "(kv_idx <= q_idx) & (q_idx - kv_idx < 512) & (document_id[q_idx] == document_id[kv_idx])";

const char* const five_terms =
    "def valid(b, h, q_idx, kv_idx):\n"
    "    return key_valid\n"
    "def same_document(b, h, q_idx, kv_idx):\n"
    "    return document_id[q_idx] == document_id[kv_idx]\n"
    "def causal(b, h, q_idx, kv_idx):\n"
    "    return kv_idx <= q_idx\n"
    "def sliding_window(b, h, q_idx, kv_idx):\n"
    "    return q_idx - kv_idx < window\n"
    "def prefix(b, h, q_idx, kv_idx):\n"
    "    return (kv_idx < prefix_length) | (kv_idx <= q_idx)\n"
    "window = 65536\n"
    "prefix_length = 100\n"
    "mask_mod = and_masks(valid, same_document, causal, sliding_window, prefix)\n";

const char* const sinks = "((kv_idx < 4) | (q_idx - kv_idx < 512)) & (kv_idx <= q_idx)";

const char* const document_sinks =
    "same_document = document_id[q_idx] == document_id[kv_idx]\n"
    "q = q_idx - offsets[document_id[q_idx]]\n"
    "kv = kv_idx - offsets[document_id[kv_idx]]\n"
    "return same_document & (kv <= q) & ((kv < 4) | (q - kv < 512))\n";

std::vector<Index> documents(Index length, Index each) {
  std::vector<Index> ids;
  for (Index i = 0; i < length; ++i) ids.push_back(i / each);
  return ids;
}

std::shared_ptr<const LanguageMask> mask_of(const char* text, Index length, Index document) {
  MaskBindings bindings;
  bindings.arrays["document_id"] = documents(length, document);
  for (Index begin = 0; begin < length + document; begin += document)
    bindings.arrays["offsets"].push_back(std::min(begin, length));
  return *LanguageMask::make(MaskProgram::parse(text).program, bindings, *SequenceLayout::make({.q_length = length}));
}

/// The same mask as a loop that a person would write, on 32-bit integers.
double hard_coded(Index length, const std::vector<std::int32_t>& ids, std::vector<std::uint8_t>& out) {
  const auto start = std::chrono::steady_clock::now();
  const std::int32_t* id = ids.data();
  const auto n = static_cast<std::int32_t>(length);
  for (std::int32_t q = 0; q < n; ++q) {
    std::uint8_t* row = out.data() + static_cast<Index>(q) * length;
    for (std::int32_t k = 0; k < n; ++k) row[k] = (k <= q) & (q - k < 512) & (id[q] == id[k]);
  }
  benchmark::DoNotOptimize(out.data());
  return seconds_since(start);
}

void lanes(benchmark::State& state) {
  const Index length = 2048;
  const auto mask = mask_of(packed_window, length, 300);
  const auto wide = documents(length, 300);
  const std::vector<std::int32_t> ids(wide.begin(), wide.end());
  std::vector<std::uint8_t> out(static_cast<std::size_t>(length * length));
  const auto& evaluator = mask->visible_condition().lanes();
  double seconds = 0;
  compare(
      state, "times_hard_coded",
      [&] {
        const auto start = std::chrono::steady_clock::now();
        for (Index q = 0; q < length; ++q) evaluator.row(q, {0, length}, out.data() + q * length);
        benchmark::DoNotOptimize(out.data());
        seconds += seconds_since(start);
      },
      [&] { return hard_coded(length, ids, out); });
  state.counters["ns_a_cell"] =
      seconds * 1e9 / static_cast<double>(state.iterations()) / static_cast<double>(length * length);
}

void viewport(benchmark::State& state, const char* text, Index document, bool zoomed_out) {
  const VisibilityField field(mask_of(text, long_sequence, document));
  state.counters["exact"] = summarize_views(state, field, zoomed_out, {.extremes = false});
}

/// 20 lines and more.
void compile(benchmark::State& state) {
  std::string text = five_terms;
  text +=
      "x = q_idx - kv_idx\ny = abs(x) % 7\nz = torch.where(y > 3, x, y)\nmask_mod = and_masks(mask_mod, mask_mod)\n";
  for (auto _ : state) benchmark::DoNotOptimize(MaskProgram::parse(text).program.get());
}

/// Two million values, in documents of 400,000 tokens or of 20.
void bind(benchmark::State& state) {
  const auto program = MaskProgram::parse(packed_window).program;
  const MaskBindings bindings{.arrays = {{"document_id", documents(long_sequence, state.range(0))}}};
  const auto layout = *SequenceLayout::make({.q_length = long_sequence});
  for (auto _ : state) benchmark::DoNotOptimize(LanguageMask::make(program, bindings, layout)->get());
}

}  // namespace

BENCHMARK(lanes)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(viewport, five_terms_zoomed_out, five_terms, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, five_terms_random_zoom, five_terms, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, sinks_zoomed_out, sinks, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, sinks_random_zoom, sinks, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, document_sinks_zoomed_out, document_sinks, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, document_sinks_random_zoom, document_sinks, 400000, false)->UseManualTime();
BENCHMARK(compile)->Unit(benchmark::kMicrosecond);
BENCHMARK(bind)->Arg(400000)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
