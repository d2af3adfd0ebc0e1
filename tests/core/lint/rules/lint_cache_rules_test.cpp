// SPDX-License-Identifier: GPL-3.0-or-later
// Ring caches, cut keys and queries whose own keys are in no slot.
#include "core/lint/lint_regions.h"
#include "tests/core/lint/lint_cases.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The definition for slots: a real key at or behind the query, within the window.
bool slot_wanted(const LintCase& given, Index q, Index kv) {
  const SequenceLayout& layout = given.layout;
  const Index behind = layout.q_pos(q) - layout.kv_pos(kv);
  return layout.key_valid(kv) && behind >= 0 && (!given.window || behind < *given.window);
}

/// A cache of random slots: a ring, some of them empty, with fewer or more tokens than queries.
LintCase random_slots(Random& random) {
  const Index cache = pick(random, 1, 12);
  const Index tokens = pick(random, 0, 20);
  std::vector<Index> positions(static_cast<std::size_t>(cache), -1);
  for (Index token = 0; token < tokens; ++token) positions[static_cast<std::size_t>(token % cache)] = token;
  if (pick(random, 0, 3) == 0) positions[static_cast<std::size_t>(pick(random, 0, cache - 1))] = -1;
  const auto base =
      *SequenceLayout::make({.q_length = pick(random, 1, 12), .kv_length = cache, .query_source = QuerySource::own});
  LintCase given{.layout = *base.with_slots(positions)};
  if (pick(random, 0, 1) == 1) given.window = pick(random, 1, 8);
  given.no_window = !given.window;
  return given;
}

}  // namespace

class LintCacheRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// litgpt#2182: 6 tokens are written into 4 slots, and the mask compares slots instead of
  /// positions.
  void a_ring_in_prefill() {
    const std::string ring = "q_length=6 kv_length=4 objective=causal window=4 cache_positions=4,5,2,3 ";
    const std::string text =
        all_findings(ring + "q_position_ids=0,1,2,3,4,5 kv_position_ids=4,5,2,3", "kv_idx <= q_idx");
    QVERIFY2(text.starts_with("error future_visible (0, 0) 8 cells: row 0 sees key 0: kv_pos 4 > q_pos 0"),
             text.c_str());
    QVERIFY2(text.find("warning keys_gone (0, -) 5 rows: row 0 is at position 0 and needs position 0, which no slot "
                       "holds any more") != std::string::npos,
             text.c_str());
    QVERIFY2(text.find("qk_positions") == std::string::npos, text.c_str());
  }

  /// mlx-vlm#1138: a drafter at position 100 whose own key is in no slot.
  void a_query_behind_the_cache() {
    const std::string cache =
        "q_length=1 kv_length=8 past_len=100 objective=causal cache_positions=92,93,94,95,96,97,98,99";
    const std::string empty = all_findings(cache, "abs(q_idx + 100 - kv_idx) < 8");
    QVERIFY2(empty.starts_with("error empty_row (0, -) 1 rows"), empty.c_str());
    QVERIFY2(empty.find("polarity") == std::string::npos, empty.c_str());
    COMPARE_TEXT(all_findings(cache + " window=8", "kv_idx >= 1"), "");
    QVERIFY(all_findings(cache + " window=8", "kv_idx >= 0").starts_with("error window_off (0, 0) 1 cells"));
  }

  /// A continued prefill of a sliding layer: 5 cached keys are left of 8.
  void cut_keys() {
    const std::string chunk = "q_length=4 kv_length=9 past_len=8 objective=causal window=6";
    const std::string right = "(kv_idx + 3 <= q_idx + 8) & (q_idx + 8 - kv_idx - 3 < 6)";
    COMPARE_TEXT(all_findings(chunk, right), "");
    const std::string as_is = all_findings(chunk, "kv_idx <= q_idx");
    QVERIFY2(as_is.starts_with("window_off asks: there are fewer keys than tokens: if they are those at positions 3 to "
                               "11, row 1 sees key 0, 6 behind"),
             as_is.c_str());
    COMPARE_TEXT(all_findings(chunk + " cache_positions=3,4,5,6,7,8,9,10,11", right), "");
    QVERIFY(all_findings(chunk + " cache_positions=3,4,5,6,7,8,9,10,11", "kv_idx <= q_idx")
                .starts_with("error window_off"));
  }

  /// The ids of the keys say where they stand.
  void cut_keys_with_their_positions() {
    const std::string chunk =
        "q_length=4 kv_length=9 past_len=8 objective=causal window=6 q_position_ids=8,9,10,11 "
        "kv_position_ids=3,4,5,6,7,8,9,10,11";
    COMPARE_TEXT(all_findings(chunk, "(kv_idx + 3 <= q_idx + 8) & (q_idx + 8 - kv_idx - 3 < 6)"), "");
    QVERIFY(all_findings(chunk, "kv_idx <= q_idx + 8").starts_with("error future_visible (0, 6) 6 cells"));
  }

  /// The same where nothing is stated but past_len: the queries belong to the cache.
  void cut_keys_of_an_assumed_objective() {
    const std::string right = "(kv_idx + 3 <= q_idx + 8) & (q_idx + 8 - kv_idx - 3 < 6)";
    COMPARE_TEXT(all_findings("q_length=4 kv_length=9 past_len=8 window=6", right), "");
    COMPARE_TEXT(objective_text(*Stated("q_length=4 kv_length=9 past_len=8", right).made()), "causal (assumed)");
    COMPARE_TEXT(objective_text(*Stated("q_length=9 kv_length=4", "kv_idx >= 0").made()), "cross (assumed)");
  }

  /// ONNX Attention-25: nonpad_kv_seqlen 2 and 3 queries, so the first one is before the sequence.
  void a_query_before_the_sequence() {
    const std::string cache =
        "q_length=3 kv_length=8 past_len=5 objective=causal window=3 cache_positions=0,1,-1,-1,-1,-1,-1,-1";
    const std::string text = all_findings(cache, "(kv_idx < q_idx) & (kv_idx < 2)");
    QVERIFY2(text.starts_with("error empty_row (0, -) 1 rows: row 0 sees no key"), text.c_str());
    QVERIFY2(text.find('\n') == std::string::npos, text.c_str());
  }

  /// transformers#3095: [0 1 PAD] is cached, then two tokens are appended.
  void a_hole_in_the_cache() {
    const std::string cache = "q_length=2 kv_length=5 past_len=3 objective=causal cache_positions=0,1,-1,2,3 ";
    const std::string mask = "(kv_idx != 2) & (kv_idx <= q_idx + 3)";
    COMPARE_TEXT(all_findings(cache + "q_position_ids=2,3", mask), "");
    QVERIFY(all_findings(cache + "q_position_ids=3,4", mask).starts_with("error cache_positions (0, -) 1 tokens"));
    QVERIFY(
        all_findings(cache + "q_position_ids=2,3", "kv_idx <= q_idx + 3").starts_with("error padding_visible (0, 2)"));
  }

  /// Positions of padding do not matter: generate() fills 1, cumsum - 1 gives -1.
  void positions_of_padding() {
    const std::string padded = "mask=causal q_length=6 padding=2 padding_side=left dialect=sdpa ";
    COMPARE_TEXT(all_findings(padded + "position_ids=1,1,0,1,2,3", ""), "");
    COMPARE_TEXT(all_findings(padded + "position_ids=-1,-1,0,1,2,3", ""), "");
    QVERIFY(all_findings(padded + "position_ids=-2,-1,0,1,2,4", "").starts_with("error position_steps"));
  }

  /// Tokens 1 and 2 are drafts after token 0, and token 3 follows token 1.
  void a_tree_of_drafts() {
    const std::string tree = "q_length=4 past_len=5 objective=causal position_ids=5,6,6,7";
    const std::string mask =
        "parent = [0, 0, 0, 1]\n"
        "def mask_mod(b, h, q_idx, kv_idx):\n"
        "    node = kv_idx - 5\n"
        "    return (node < 0) | (node == q_idx) | (node == 0) | ((q_idx == 3) & (node == 1))\n";
    COMPARE_TEXT(all_findings(tree, mask), "");
    // Token 3 sees both branches.
    const std::string both =
        "def mask_mod(b, h, q_idx, kv_idx):\n"
        "    node = kv_idx - 5\n"
        "    return (node < 0) | (node == q_idx) | (node == 0) | ((q_idx == 3) & (node > 0))\n";
    const std::string text = all_findings(tree, both);
    QVERIFY2(text.find("error draft_tree (3, 7) 1 rows: row 3 sees keys 6 and 7, both at position 6: they are on "
                       "different branches") != std::string::npos,
             text.c_str());
    // Token 3 at position 8, and token 3 that does not see the root.
    const std::string off = "q_length=4 past_len=5 objective=causal position_ids=5,6,6,8";
    COMPARE_TEXT(all_findings(off, mask),
                 "error draft_tree (3, -) 1 rows: row 3 at position 8 sees no key at position 7, which its branch must "
                 "have");
    const std::string hidden =
        "def mask_mod(b, h, q_idx, kv_idx):\n"
        "    node = kv_idx - 5\n"
        "    return (node < 0) | (node == q_idx) | ((node == 0) & (q_idx < 3)) | ((q_idx == 3) & (node == 1))\n";
    COMPARE_TEXT(all_findings(tree, hidden),
                 "error draft_tree (3, -) 1 rows: row 3 at position 7 sees no key at position 5, which its branch must "
                 "have");
  }

  /// Queries that are the last tokens by what they see are judged as such; the question which ones
  /// they are remains.
  void last_tokens_without_past_len() {
    const std::string last = "q_length=4 kv_length=10 objective=causal window=3 ";
    const std::string narrow = "(kv_idx <= q_idx + 6) & (q_idx + 6 - kv_idx < 3)";
    const std::string text = all_findings(last, narrow);
    QVERIFY2(text.starts_with("key_offset asks: past_len is not set"), text.c_str());
    QVERIFY2(text.find("error") == std::string::npos, text.c_str());
    const std::string lost = all_findings(last, "kv_idx <= q_idx + 6");
    QVERIFY2(lost.find("error window_off (0, 0)") != std::string::npos, lost.c_str());
    QVERIFY(all_findings(last + "position_ids=6,7,8,9", narrow).find("error") == std::string::npos);
    // The cache may hold the newest keys of a longer sequence.
    const std::string later = all_findings(last + "position_ids=96,97,98,99", narrow);
    QVERIFY2(
        later.find("cache_offset asks: query 0 has position 96, expected 6: 90 ahead of the 6 cached keys (past_len "
                   "is assumed): set past_len, or cache_positions") != std::string::npos,
        later.c_str());
    // From the first key on, the other slots are empty.
    QVERIFY(all_findings(last, "(kv_idx <= q_idx) & (q_idx - kv_idx < 3)").find("error") == std::string::npos);
  }

  /// The mask alone shows the tree where positions count on as if it were a chain.
  void a_tree_at_the_positions_of_a_chain() {
    const std::string mask =
        "def mask_mod(b, h, q_idx, kv_idx):\n"
        "    node = kv_idx - 5\n"
        "    return (node < 0) | (node == q_idx) | (node == 0) | ((q_idx == 3) & (node == 1))\n";
    const std::string chain = "q_length=4 past_len=5 objective=causal position_ids=5,6,7,8";
    COMPARE_TEXT(all_findings(chain, mask),
                 "error draft_tree (2, -) 2 rows: row 2 at position 7 sees no key at position 6, which its branch must "
                 "have; 2 rows in all");
    // Causal, and causal except for one cell, are no trees.
    COMPARE_TEXT(all_findings(chain, "kv_idx <= q_idx + 5"), "");
    const std::string text = all_findings(chain, "(kv_idx <= q_idx + 5) & ((q_idx != 3) | (kv_idx != 6))");
    QVERIFY2(text.find("draft_tree") == std::string::npos && text.starts_with("error key_hidden (3, 6)"), text.c_str());
  }

  /// Each query of a tree sees all cached keys within a window around its own position, not around
  /// its row.
  void cached_keys_of_a_tree() {
    const std::string tree = "q_length=4 past_len=5 objective=causal position_ids=5,6,6,7";
    const auto mask = [](const std::string& cached) {
      return "depth = [0, 1, 1, 2]\n"
             "def mask_mod(b, h, q_idx, kv_idx):\n"
             "    node = kv_idx - 5\n"
             "    cached = (node < 0) & (" +
             cached +
             ")\n"
             "    return cached | (node == q_idx) | (node == 0) | ((q_idx == 3) & (node == 1))\n";
    };
    COMPARE_TEXT(all_findings(tree, mask("kv_idx != 1")),
                 "error key_hidden (0, 1) 4 cells: row 0 does not see key 1 (kv_pos 1 and q_pos 5), and the objective "
                 "causal expects every real earlier key to be visible; 4 cells in all");
    COMPARE_TEXT(all_findings(tree + " window=4", mask("depth[q_idx] + 5 - kv_idx < 4")), "");
    COMPARE_TEXT(all_findings(tree + " window=4", mask("q_idx + 5 - kv_idx < 4")),
                 "error window_off (2, 3) 2 cells: row 2 does not see key 3, 3 behind: inside the window of 4; 2 cells "
                 "in all");
    QVERIFY(all_findings(tree + " window=4", mask("depth[q_idx] + 5 - kv_idx <= 4"))
                .starts_with("error window_off (0, 1) 4 cells: row 0 sees key 1, 4 behind"));
  }

  /// Documents and padding that only the mask and the positions show.
  void packed_with_padding() {
    const std::string mask = "(kv_idx <= q_idx) & (kv_idx < 9) & (q_idx < 9) & ((q_idx < 4) == (kv_idx < 4))";
    const std::string text = all_findings("q_length=12 objective=causal position_ids=0,1,2,3,0,1,2,3,4,0,0,0", mask);
    QVERIFY2(text.find("position_steps") == std::string::npos, text.c_str());
    const std::string off = all_findings("q_length=12 objective=causal position_ids=0,1,2,3,0,1,2,4,5,0,0,0", mask);
    QVERIFY2(off.find("error position_steps (-, 7) 1 tokens") != std::string::npos, off.c_str());
  }

  /// Two slots of one position are branches: the hidden one is not reported.
  void slots_of_one_position() {
    COMPARE_TEXT(
        all_findings("q_length=1 kv_length=4 past_len=3 objective=causal cache_positions=0,1,1,2", "kv_idx != 1"), "");
    QVERIFY(all_findings("q_length=1 kv_length=4 past_len=3 objective=causal cache_positions=0,1,1,3 q_position_ids=2",
                         "kv_idx != 1")
                .starts_with("error cache_positions"));
  }

  void random_slots_by_the_definition() {
    Random random(11);
    for (int round = 0; round < 3000; ++round) {
      LintCase given = random_slots(random);
      const CellSet region = wanted_keys(given);
      const Extent extent{given.layout.q_length(), given.layout.kv_length()};
      for (Index q = 0; q < extent.rows; ++q)
        for (Index kv = 0; kv < extent.cols; ++kv)
          QVERIFY2(region.contains(q, kv) == slot_wanted(given, q, kv), to_text(Index{round}).c_str());
      given.mask =
          std::make_shared<DrawnMask>(extent, [copy = given](Index q, Index kv) { return slot_wanted(copy, q, kv); });
      for (const Finding& found : lint_mask(given).findings)
        QVERIFY2(found.rule == "empty_row" || found.rule == "keys_gone", line(found).c_str());
      const Index q = pick(random, 0, extent.rows - 1);
      const Index kv = pick(random, 0, extent.cols - 1);
      given.mask = std::make_shared<DrawnMask>(extent, [copy = given, q, kv](Index row, Index key) {
        return slot_wanted(copy, row, key) != (row == q && key == kv);
      });
      const auto report = lint_mask(given);
      QVERIFY2(std::ranges::any_of(report.findings, [](const Finding& f) { return f.severity == Severity::error; }),
               to_text(Index{round}).c_str());
    }
  }
};

VQSCOPE_TEST(LintCacheRulesTest)
#include "lint_cache_rules_test.moc"
