// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/language_mask.h"
#include "tests/core/mask/language/evaluators.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string set(const std::string& name, Index value) { return name + " = " + to_text(value) + "\n"; }

const char* const natten_body =
    "    kernel_x = q_x.clamp(K // 2, (W - 1) - K // 2)\n"
    "    kernel_y = q_y.clamp(K // 2, (H - 1) - K // 2)\n"
    "    return ((kernel_x - kv_x).abs() <= K // 2) & ((kernel_y - kv_y).abs() <= K // 2)\n";

/// Masks that published models have and that are not a few intervals a row, with random sizes.
std::vector<std::string> published_masks(Random& random) {
  const std::string canvas = set("W", 4 * pick(random, 2, 5)) + set("H", 4 * pick(random, 2, 5)) +
                             set("K", pick(random, 1, 7)) + set("D", pick(random, 1, 7)) +
                             set("S", pick(random, 1, 60));
  std::vector<std::string> texts{
      "def mask_mod(b, h, q_idx, kv_idx):\n    d = (q_idx - kv_idx).abs()\n    return (d <= S) & (d % D == 0)\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n    d = q_idx - kv_idx\n    return (d >= 0) & ((d < K) | (d % S == 0))\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n"
      "    return ((q_idx - kv_idx).abs() <= K) | (values[q_idx] == 1) | (values[kv_idx] == 1)\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx // D <= q_idx // D\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n    d = q_idx - kv_idx\n"
      "    return torch.where(kv_idx <= q_idx, d % D == 0, d % D == 1)\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n    return (kv_idx <= q_idx) ^ ((q_idx - kv_idx) % D == 0)\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n    return values[kv_idx] <= values[q_idx]\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n"
      "    x0_q = q_idx >= S\n    x0_kv = kv_idx >= S\n"
      "    block_q = torch.where(x0_q == 1, (q_idx - S) // D, q_idx // D)\n"
      "    block_kv = torch.where(x0_kv == 1, (kv_idx - S) // D, kv_idx // D)\n"
      "    diagonal = (block_q == block_kv) & (x0_q == x0_kv)\n"
      "    offset = (block_q > block_kv) & (x0_kv == 1) & (x0_q == 0)\n"
      "    return diagonal | offset | ((block_q >= block_kv) & (x0_kv == 1) & (x0_q == 1))\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n"
      "    causal = (kv_idx <= q_idx).int()\n    window = (q_idx - kv_idx < S).int()\n"
      "    same = (values[q_idx] == values[kv_idx]).int()\n    return causal * window * same > 0\n",
      "def mask_mod(b, h, q_idx, kv_idx):\n"
      "    one = (values[q_idx] == 1).int()\n    other = (values[kv_idx] == 1).int()\n"
      "    return (one | other) & (kv_idx <= q_idx).int() ^ (kv_idx % D == 0).int() == 1\n"};
  const std::vector<std::string> places{
      "    q_x, q_y = q_idx % W, q_idx // W\n    kv_x, kv_y = kv_idx % W, kv_idx // W\n",
      "    q_t, kv_t = q_idx // 16, kv_idx // 16\n    q_o, kv_o = q_idx % 16, kv_idx % 16\n"
      "    q_x, q_y = q_t % (W // 4) * 4 + q_o % 4, q_t // (W // 4) * 4 + q_o // 4\n"
      "    kv_x, kv_y = kv_t % (W // 4) * 4 + kv_o % 4, kv_t // (W // 4) * 4 + kv_o // 4\n",
      "    q_x = (q_idx & 1) | (q_idx >> 1 & 2) | (q_idx >> 2 & 4) | (q_idx >> 3 & 8)\n"
      "    q_y = (q_idx >> 1 & 1) | (q_idx >> 2 & 2) | (q_idx >> 3 & 4) | (q_idx >> 4 & 8)\n"
      "    kv_x = (kv_idx & 1) | (kv_idx >> 1 & 2) | (kv_idx >> 2 & 4) | (kv_idx >> 3 & 8)\n"
      "    kv_y = (kv_idx >> 1 & 1) | (kv_idx >> 2 & 2) | (kv_idx >> 3 & 4) | (kv_idx >> 4 & 8)\n",
      "    q_x, q_y = q_idx // 8 % W, q_idx // 8 // W % H\n    kv_x, kv_y = kv_idx // 8 % W, kv_idx // 8 // W % H\n"};
  for (const std::string& place : places) texts.push_back("def mask_mod(b, h, q_idx, kv_idx):\n" + place + natten_body);
  for (std::string& text : texts) text = canvas + text;
  return texts;
}

MaskBindings bindings_for(Random& random, Index length) {
  MaskBindings bindings{.mask_failing_cells = true};
  bindings.integers["window"] = pick(random, 1, 90);
  std::vector<Index> values;
  const bool sorted = pick(random, 0, 1) == 1;
  for (Index i = 0, value = 0; i < length; ++i) values.push_back(sorted ? value += pick(random, 0, 3) / 3 : i / 5 % 3);
  bindings.arrays["values"] = std::move(values);
  return bindings;
}

Rect random_rect(Random& random, Extent extent) {
  const Index top = pick(random, 0, extent.rows - 1);
  const Index left = pick(random, 0, extent.cols - 1);
  return {{top, pick(random, top + 1, extent.rows)}, {left, pick(random, left + 1, extent.cols)}};
}

/// Edges of some tiles, of very different sizes.
std::vector<Index> edges_of_blocks(Random& random, Index extent) {
  std::vector<Index> edges{pick(random, 0, extent - 1)};
  const Index most = pick(random, 1, 40);
  while (edges.back() < extent && pick(random, 0, 12) > 0)
    edges.push_back(std::min(extent, edges.back() + pick(random, 1, most)));
  if (edges.size() == 1) edges.push_back(extent);
  return edges;
}

/// Why a grid of tiles does not count what its tiles are one by one.
std::string grid_differs(Random& random, const language::BlockCounter& blocks, Extent extent, const Cells& cells) {
  const auto rows = edges_of_blocks(random, extent.rows);
  const auto cols = edges_of_blocks(random, extent.cols);
  std::vector<std::uint64_t> counts((rows.size() - 1) * (cols.size() - 1), 7);
  CountBudget budget;
  if (!blocks.count_tiles(rows, cols, budget, counts)) return "the grid was not counted";
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    for (std::size_t j = 0; j + 1 < cols.size(); ++j) {
      std::uint64_t wanted = 0;
      for (Index q = rows[i]; q < rows[i + 1]; ++q)
        for (Index kv = cols[j]; kv < cols[j + 1]; ++kv)
          wanted += cells[static_cast<std::size_t>(q * extent.cols + kv)];
      if (counts[i * (cols.size() - 1) + j] != wanted)
        return "the tile from (" + to_text(rows[i]) + ", " + to_text(cols[j]) + ") to (" + to_text(rows[i + 1]) + ", " +
               to_text(cols[j + 1]) + ") is counted otherwise";
    }
  return {};
}

/// Why blocks of a condition do not count what its cells are; empty: they do, or it has none.
std::string counts_differ(Random& random, const language::BlockCounter& blocks, Extent extent, const Cells& cells) {
  for (int i = 0; i < 12; ++i) {
    const Rect rect = i == 0 ? Rect{{0, extent.rows}, {0, extent.cols}} : random_rect(random, extent);
    std::uint64_t wanted = 0;
    for (Index q = rect.rows.begin; q < rect.rows.end; ++q)
      for (Index kv = rect.cols.begin; kv < rect.cols.end; ++kv)
        wanted += cells[static_cast<std::size_t>(q * extent.cols + kv)];
    CountBudget budget;
    const auto found = blocks.count(rect, budget);
    const Coverage coverage = blocks.coverage(rect);
    const bool lies = (coverage == Coverage::none && wanted > 0) || (coverage == Coverage::all && wanted < rect.area());
    if (!found || *found != wanted || lies)
      return "rows " + to_text(rect.rows.begin) + ":" + to_text(rect.rows.end) + ", columns " +
             to_text(rect.cols.begin) + ":" + to_text(rect.cols.end) + ": " + (lies ? "covered" : "counted") +
             " otherwise, expected " + to_text(static_cast<Index>(wanted));
  }
  for (int i = 0; i < 6; ++i)
    if (auto wrong = grid_differs(random, blocks, extent, cells); !wrong.empty()) return wrong;
  return {};
}

}  // namespace

class BlockCounterTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Counts and bands against the scalar definition.
  void published_masks_are_counted() {
    Random random(11);
    int counted = 0;
    for (int round = 0; round < 12; ++round)
      for (const std::string& text : published_masks(random)) {
        const auto parsed = MaskProgram::parse(text);
        QVERIFY2(parsed, (render(parsed.error, text) + "\n" + text).c_str());
        const Index length = pick(random, 60, 150);
        const auto layout = *SequenceLayout::make({.q_length = length});
        const auto mask = LanguageMask::make(parsed.program, bindings_for(random, length), layout);
        QVERIFY2(mask.has_value(), text.c_str());
        const auto wrong = evaluators_differ(**mask);
        QVERIFY2(wrong.empty(), (wrong + "\n" + text).c_str());
        const auto* blocks = (*mask)->visible_blocks().get({});
        QVERIFY2(blocks, text.c_str());
        const auto differ = counts_differ(random, *blocks, (*mask)->extent(), by_plain(**mask));
        QVERIFY2(differ.empty(), (differ + "\n" + text).c_str());
        ++counted;
      }
    QCOMPARE(counted, 12 * 14);
  }

  void random_programs_are_counted() {
    Random random(12);
    int counted = 0;
    const int count = 400;
    for (int i = 0; i < count; ++i) {
      const std::string text = ProgramWriter(random).text();
      const auto parsed = MaskProgram::parse(text);
      QVERIFY2(parsed, text.c_str());
      const Index length = pick(random, 20, 100);
      const auto layout =
          *SequenceLayout::make({.q_length = length, .document_lengths = {length / 3, length - length / 3}});
      const auto mask = LanguageMask::make(parsed.program, bindings_for(random, length), layout);
      QVERIFY2(mask.has_value(), text.c_str());
      const auto* blocks = (*mask)->visible_blocks().get({});
      if (!blocks) continue;
      ++counted;
      const auto differ = counts_differ(random, *blocks, (*mask)->extent(), by_cells(**mask));
      QVERIFY2(differ.empty(), (differ + "\n" + text).c_str());
    }
    QVERIFY2(counted > count / 4, qPrintable(QString::number(counted)));
  }

  void banded_masks_need_few_bands() {
    const Index length = 2097152;
    const auto layout = *SequenceLayout::make({.q_length = length});
    MaskBindings bindings;
    for (Index i = 0; i < length; ++i) {
      bindings.arrays["is_global"].push_back(i < 16 || i % 131072 == 0);
      bindings.arrays["set_of"].push_back((i + i % 3) / 9);
    }
    for (const char* text : {"((q_idx - kv_idx).abs() <= 512) | (is_global[q_idx] | is_global[kv_idx])",
                             "set_of[kv_idx] // 2 <= set_of[q_idx] // 2", "kv_idx // 7 <= q_idx // 7",
                             "(kv_idx <= q_idx).int() * (q_idx - kv_idx < 4096).int() > 0",
                             // Rows of an image before columns, whichever is written first.
                             "(((q_idx % 2048).clamp(6, 2041) - kv_idx % 2048).abs() <= 6) & "
                             "(((q_idx // 2048).clamp(6, 1017) - kv_idx // 2048).abs() <= 6)"}) {
      const auto mask = LanguageMask::make(MaskProgram::parse(text).program, bindings, layout);
      QVERIFY2(mask.has_value() && (*mask)->has_bands(), text);
    }
  }

  void a_budget_ends_a_count() {
    const auto program =
        MaskProgram::parse("((q_idx - kv_idx).abs() % 5 == 0) & (q_idx * 3 // 7 > kv_idx % 31)").program;
    const auto mask = *LanguageMask::make(program, {}, *SequenceLayout::make({.q_length = 4096}));
    const auto* blocks = mask->visible_blocks().get({});
    QVERIFY(blocks);
    CountBudget budget{.left = 1000, .stop = {}};
    QVERIFY(!blocks->count({{0, 4096}, {0, 4096}}, budget));
    std::vector<std::uint64_t> counts(4);
    CountBudget little{.left = 1000, .stop = {}};
    QVERIFY(!blocks->count_tiles(std::vector<Index>{0, 1000, 4096}, std::vector<Index>{0, 77, 4096}, little, counts));
    CountBudget enough;
    const auto counted = blocks->count({{0, 4096}, {0, 4096}}, enough);
    QVERIFY(counted && *counted > 0);
    QVERIFY(blocks->count_tiles(std::vector<Index>{0, 1000, 4096}, std::vector<Index>{0, 77, 4096}, enough, counts));
    QCOMPARE(counts[0] + counts[1] + counts[2] + counts[3], *counted);
  }

  void a_stop_makes_no_counter_and_the_next_call_does() {
    const auto program = MaskProgram::parse("(q_idx - kv_idx) % 5 == 0").program;
    const auto mask = *LanguageMask::make(program, {}, *SequenceLayout::make({.q_length = 64}));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!mask->visible_blocks().get(stop.get_token()));
    QVERIFY(mask->visible_blocks().get({}));
  }
};

VQSCOPE_TEST(BlockCounterTest)
#include "block_counter_test.moc"
