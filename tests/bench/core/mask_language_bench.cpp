// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/language_mask.h"
#include "core/mask/map/visibility_field.h"
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

// Masks of published models, whose structure is not that of a few bands.

const char* const dilated = "d = (q_idx - kv_idx).abs()\nreturn (d <= 4096) & (d % 8 == 0)";

const char* const strided = "d = q_idx - kv_idx\nreturn (d >= 0) & ((d < 512) | (d % 512 == 0))";

const char* const longformer =
    "def window(b, h, q_idx, kv_idx):\n"
    "    return (q_idx - kv_idx).abs() <= 512\n"
    "def global_tokens(b, h, q_idx, kv_idx):\n"
    "    return is_global[q_idx] | is_global[kv_idx]\n"
    "mask_mod = or_masks(window, global_tokens)\n";

const char* const block_diffusion =
    "def block_diffusion(b, h, q_idx, kv_idx, block_size=4, n=1048576):\n"
    "    x0_flag_q = q_idx >= n\n"
    "    x0_flag_kv = kv_idx >= n\n"
    "    block_q = torch.where(x0_flag_q == 1, (q_idx - n) // block_size, q_idx // block_size)\n"
    "    block_kv = torch.where(x0_flag_kv == 1, (kv_idx - n) // block_size, kv_idx // block_size)\n"
    "    block_diagonal = (block_q == block_kv) & (x0_flag_q == x0_flag_kv)\n"
    "    offset_block_causal = (block_q > block_kv) & (x0_flag_kv == 1) & (x0_flag_q == 0)\n"
    "    block_causal = (block_q >= block_kv) & (x0_flag_kv == 1) & (x0_flag_q == 1)\n"
    "    return block_diagonal | offset_block_causal | block_causal\n";

const char* const set_block =
    "def set_block_causal(b, h, q_idx, kv_idx):\n"
    "    block_q = set_of[q_idx]\n"
    "    block_kv = set_of[kv_idx]\n"
    "    return block_kv <= block_q\n";

const char* const block_causal_odd = "return kv_idx // 7 <= q_idx // 7";

const char* const kernel =
    "    kernel_x = q_x.clamp(6, 2047 - 6)\n"
    "    kernel_y = q_y.clamp(6, 1023 - 6)\n"
    "    return ((kernel_x - kv_x).abs() <= 6) & ((kernel_y - kv_y).abs() <= 6)\n";

const std::string natten = std::string(
                               "def get(idx):\n    return idx % 2048, idx // 2048\n"
                               "def natten(b, h, q_idx, kv_idx):\n"
                               "    q_x, q_y = get(q_idx)\n    kv_x, kv_y = get(kv_idx)\n") +
                           kernel;

const std::string tiled_natten = std::string(
                                     "def get(idx):\n"
                                     "    t_id = idx // 64\n"
                                     "    t_y, t_x = t_id // 256, t_id % 256\n"
                                     "    t_offset = idx % 64\n"
                                     "    i_y, i_x = t_offset // 8, t_offset % 8\n"
                                     "    return t_x * 8 + i_x, t_y * 8 + i_y\n"
                                     "def natten(b, h, q_idx, kv_idx):\n"
                                     "    q_x, q_y = get(q_idx)\n    kv_x, kv_y = get(kv_idx)\n") +
                                 kernel;

const std::string morton_natten = std::string(
                                      "def deinterleave(code):\n"
                                      "    code = code & 0x55555555\n"
                                      "    code = (code | (code >> 1)) & 0x33333333\n"
                                      "    code = (code | (code >> 2)) & 0x0F0F0F0F\n"
                                      "    code = (code | (code >> 4)) & 0x00FF00FF\n"
                                      "    code = (code | (code >> 8)) & 0x0000FFFF\n"
                                      "    return code\n"
                                      "def natten(b, h, q_idx, kv_idx):\n"
                                      "    q_x = deinterleave(q_idx)\n    q_y = deinterleave(q_idx >> 1)\n"
                                      "    kv_x = deinterleave(kv_idx)\n    kv_y = deinterleave(kv_idx >> 1)\n") +
                                  kernel;

const char* const sliding_tiles =
    "def tile(idx):\n"
    "    tile_id = idx // 256\n"
    "    return tile_id // 256, (tile_id % 256) // 16, tile_id % 16\n"
    "def sta(b, h, q_idx, kv_idx):\n"
    "    q_t, q_x, q_y = tile(q_idx)\n"
    "    kv_t, kv_x, kv_y = tile(kv_idx)\n"
    "    center_t = q_t.clamp(1, 30)\n"
    "    center_x = q_x.clamp(1, 14)\n"
    "    center_y = q_y.clamp(1, 14)\n"
    "    time_mask = (center_t - kv_t).abs() <= 1\n"
    "    hori_mask = (center_x - kv_x).abs() <= 1\n"
    "    vert_mask = (center_y - kv_y).abs() <= 1\n"
    "    return time_mask & hori_mask & vert_mask\n";

const char* const products =
    "causal = (kv_idx <= q_idx).int()\n"
    "window = (q_idx - kv_idx < 4096).int()\n"
    "same = (document_id[q_idx] == document_id[kv_idx]).int()\n"
    "return causal * window * same > 0\n";

std::vector<Index> documents(Index length, Index each) {
  std::vector<Index> ids;
  for (Index i = 0; i < length; ++i) ids.push_back(i / each);
  return ids;
}

std::shared_ptr<const LanguageMask> mask_of(const std::string& text, Index length, Index document) {
  MaskBindings bindings;
  // Sixteen global tokens at the front and one every 131,072.
  for (Index i = 0; i < length; ++i) bindings.arrays["is_global"].push_back(i < 16 || i % 131072 == 0 ? 1 : 0);
  // Sets of 5 to 11 tokens.
  for (Index i = 0, set = 0, end = 0; i < length; ++i) {
    if (i == end) end += 5 + ++set % 7;
    bindings.arrays["set_of"].push_back(set);
  }
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

void viewport(benchmark::State& state, const std::string& text, Index document, bool zoomed_out) {
  const auto mask = mask_of(text, long_sequence, document);
  // Solving is not part of a picture; neither are the patterns of what cannot be solved.
  (void)mask->counting_steps(0, {});
  const VisibilityField field(mask);
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
BENCHMARK_CAPTURE(viewport, dilated_zoomed_out, dilated, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, dilated_random_zoom, dilated, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, strided_zoomed_out, strided, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, strided_random_zoom, strided, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, longformer_zoomed_out, longformer, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, longformer_random_zoom, longformer, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, block_diffusion_zoomed_out, block_diffusion, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, block_diffusion_random_zoom, block_diffusion, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, set_block_zoomed_out, set_block, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, set_block_random_zoom, set_block, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, block_causal_odd_zoomed_out, block_causal_odd, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, block_causal_odd_random_zoom, block_causal_odd, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, natten_zoomed_out, natten, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, natten_random_zoom, natten, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, tiled_natten_zoomed_out, tiled_natten, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, tiled_natten_random_zoom, tiled_natten, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, morton_natten_zoomed_out, morton_natten, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, morton_natten_random_zoom, morton_natten, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, sliding_tiles_zoomed_out, sliding_tiles, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, sliding_tiles_random_zoom, sliding_tiles, 400000, false)->UseManualTime();
BENCHMARK_CAPTURE(viewport, products_zoomed_out, products, 400000, true)->UseManualTime();
BENCHMARK_CAPTURE(viewport, products_random_zoom, products, 400000, false)->UseManualTime();
BENCHMARK(compile)->Unit(benchmark::kMicrosecond);
BENCHMARK(bind)->Arg(400000)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
