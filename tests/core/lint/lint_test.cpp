// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint.h"

#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "tests/core/lint/lint_cases.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

LintCase made(std::string_view settings) { return *Stated(settings).made(); }

std::string found(const LintCase& given, const char* rule = nullptr) {
  LintOptions options;
  if (rule) options.rules = {rule};
  return lines(lint_mask(given, options));
}
std::string found(std::string_view settings, const char* rule) { return found(made(settings), rule); }

/// The first cell by row, then key, and how many there are.
struct Brute {
  std::uint64_t count = 0;
  std::optional<Index> row;
  std::optional<Index> key;
  void add(Index q, Index kv) {
    if (count++ == 0) row = q, key = kv;
  }
};

/// Definition of the rules about cells, cell by cell.
Brute brute(const LintCase& given, const std::string& rule) {
  const SequenceLayout& layout = given.layout;
  Brute found;
  for (Index q = 0; q < layout.q_length(); ++q)
    for (Index kv = 0; kv < layout.kv_length(); ++kv) {
      if (!layout.q_valid(q)) continue;
      const bool seen = given.mask->visible(q, kv);
      const bool real = layout.key_valid(kv);
      const bool own = real && layout.q_document(q) == layout.kv_document(kv);
      const Index behind = layout.q_pos(q) - layout.kv_pos(kv);
      const bool ahead =
          own && behind < 0 && (given.objective == Objective::causal || layout.kv_pos(kv) >= *given.prefix_length);
      const bool square = own && behind < 0 && layout.kv_pos(kv) < *given.prefix_length;
      if (rule == "future_visible" && seen && ahead) found.add(q, kv);
      if (rule == "padding_visible" && seen && !real) found.add(q, kv);
      if (rule == "document_leak" && seen && real && !own) found.add(q, kv);
      if (rule == "prefix_not_bidirectional" && !seen && square) found.add(q, kv);
    }
  return found;
}

}  // namespace

class LintTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyRuleHasIdTitleAndSource() {
    std::set<std::string> ids;
    for (const auto& rule : lint_rules()) {
      QVERIFY(ids.insert(rule.id).second);
      QVERIFY2(!rule.title.empty() && rule.checks.ends_with('.') && !rule.source.empty(), rule.id.c_str());
    }
    QVERIFY(ids.size() >= 15);
  }

  /// A sequence of 6 with the mask of another preset or window than the one that is wanted.
  void broken_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* settings, const char* rule, const char* expected) {
      QTest::newRow((std::string(rule) + ": " + settings).c_str()) << settings << rule << expected;
    };
    row("mask=bidirectional q_length=6 objective=causal", "future_visible",
        "error future_visible (0, 1) 15 cells: row 0 sees key 1: kv_pos 1 > q_pos 0, the objective is causal; 15 cells "
        "in all");
    row("mask=bidirectional q_length=6 objective=prefix prefix_length=4", "future_visible",
        "error future_visible (0, 4) 9 cells: row 0 sees key 4: kv_pos 4 > q_pos 0 and beyond the prefix of 4, the "
        "objective is prefix; 9 cells in all");
    row("mask=causal q_length=6", "future_visible", "");
    row("mask=padding q_length=6 padding=2", "padding_visible", "");
    row("mask=padding q_length=6 padding=2", "empty_row", "");
    row("mask=padding q_length=6 padding=2 dialect=additive_f16", "empty_row", "");
    row("mask=padding q_length=6 padding=2 dialect=additive_inf", "empty_row",
        "error empty_row (0, -) 2 rows: row 0 sees no key and is padding; its softmax is NaN; 2 rows in all");
    row("mask=causal q_length=6", "empty_row", "");
    row("mask=packed q_length=6 document_lengths=4,2", "document_leak", "");
    row("mask=causal q_length=6 objective=prefix prefix_length=3", "prefix_not_bidirectional",
        "error prefix_not_bidirectional (0, 1) 3 cells: row 0 does not see key 1: both are in the prefix of 3 (kv_pos "
        "1 "
        "and q_pos 0); 3 cells in all");
    row("mask=prefix_lm q_length=6 prefix_length=3", "prefix_not_bidirectional", "");
    row("mask=sliding_window q_length=6 sliding_window=3 window=2", "window_off",
        "error window_off (2, 0) 4 cells: row 2 sees key 0, 2 behind: a window of 2 requires q_pos - kv_pos < 2; the "
        "mask "
        "is "
        "a window of 3, as made by q_idx - kv_idx <= 2 (attention-gym) or window_size=(2, 0) (flash-attention); 4 "
        "cells "
        "in all");
    row("mask=sliding_window q_length=6 sliding_window=3 window=4", "window_off",
        "error window_off (3, 0) 3 cells: row 3 does not see key 0, 3 behind: inside the window of 4; the mask is a "
        "window "
        "of 3; 3 cells in all");
    row("mask=sliding_window q_length=6 sliding_window=3", "window_off", "");
    row("mask=causal q_length=6", "polarity_inverted", "");
    row("mask=packed q_length=6 document_lengths=4,2 position_ids=0,1,2,3,4,5", "packed_positions",
        "error packed_positions (-, 4) 1 documents: key 4 begins document 1 but has position 4, expected 0: positions "
        "do "
        "not reset");
    row("mask=packed q_length=6 document_lengths=4,2 position_ids=0,1,2,3,0,1", "packed_positions", "");
    row("mask=padding q_length=6 padding=2 position_ids=0,1,2,3,4,5", "left_padding_positions",
        "error left_padding_positions (-, 2) 4 tokens: key 2 has position 2, expected 0: left padding of 2 shifts the "
        "real "
        "tokens; 4 tokens in all");
    row("mask=padding q_length=6 padding=2 position_ids=1,1,0,1,2,3", "left_padding_positions", "");
    row("mask=decode q_length=2 past_len=3 position_ids=0,1", "cache_offset",
        "error cache_offset (0, -) 2 tokens: query 0 has position 0, expected 3: the offset of 3 cached keys is lost; "
        "2 "
        "tokens in all");
    row("mask=decode q_length=2 past_len=3 position_ids=3,4", "cache_offset", "");
    row("mask=causal q_length=4 position_ids=0,1,1,2", "position_steps",
        "error position_steps (-, 2) 1 tokens: key 2 has position 1 after 1, expected one more within a document");
    row("mask=causal q_length=4 position_ids=0,1,2,3", "position_steps", "");
    row("mask=causal q_length=3 q_position_ids=0,1,2 kv_position_ids=1,2,3", "qk_positions",
        "error qk_positions (0, 0) 3 tokens: query 0 has position 0 and key 0, the same token, position 1; 3 tokens in "
        "all");
    row("mask=causal q_length=3 position_ids=0,1,2", "qk_positions", "");
    row("mask=padding q_length=6 padding=2 rope_gather=column", "rope_by_column",
        "error rope_by_column (-, 2) 4 tokens: key 2 is rotated by its column 2 but has position 0; 4 tokens in all\n"
        "error rope_by_column (2, -) 4 tokens: query 2 is rotated by its column 2 but has position 0; 4 tokens in all");
    row("mask=causal q_length=6 rope_gather=column", "rope_by_column", "");
    row("mask=causal q_length=6 q_pair_layout=half_split k_pair_layout=interleaved q_rope_type=yarn k_rope_type=yarn",
        "qk_convention",
        "error qk_convention (-, -) 1 : q is rotated with pair layout half_split, k with interleaved: their score "
        "depends on more than the relative position");
    row("mask=causal q_length=6 q_rope_type=yarn k_rope_type=yarn", "qk_convention", "");
    row("mask=causal q_length=4 dialect=mha true_means=attends", "dialect_polarity",
        "error dialect_polarity (-, -) 1 : True attends in this mask and is masked in nn.MultiheadAttention, boolean: "
        "all "
        "16 cells would be inverted");
    row("mask=causal q_length=4 dialect=sdpa true_means=attends", "dialect_polarity", "");
    row("mask=causal q_length=3 values=zero_one", "zero_one_mask",
        "error zero_one_mask (0, 1) 3 cells: row 0 would see key 1: a float mask of 0 and 1 is added to the scores, so "
        "a masked key keeps 1/e of its weight; 3 cells in all");
    row("mask=bidirectional q_length=3 values=zero_one", "zero_one_mask", "");
    row("mask=decode q_length=2 past_len=3 is_causal=true", "double_masking",
        "error double_masking (-, -) 1 : attn_mask and is_causal=True are given: torch SDPA refuses the two together, "
        "and where they are combined row 0 would lose key 1: is_causal is aligned top-left");
    row("mask=causal q_length=3 is_causal=true", "double_masking",
        "error double_masking (-, -) 1 : attn_mask and is_causal=True are given: torch SDPA refuses the two together; "
        "give is_causal=True alone (attn_mask=none) or the mask");
    row("mask=decode q_length=2 past_len=3 is_causal=true attn_mask=none", "double_masking",
        "error double_masking (0, 1) 6 cells: row 0 would lose key 1: is_causal is aligned top-left; 6 cells in all");
    row("mask=sliding_window sliding_window=2 q_length=4 is_causal=true attn_mask=none", "double_masking",
        "error double_masking (2, 0) 3 cells: row 2 does not see key 0, which is_causal=True alone makes visible; 3 "
        "cells in "
        "all");
    row("mask=causal q_length=3 is_causal=true dialect=mha", "double_masking", "");
    row("mask=causal q_length=3 is_causal=true dialect=flash_attention", "double_masking", "");
    row("mask=padding q_length=4 padding=1 padding_side=right summed=true dtype=float16", "additive_overflow",
        "warning additive_overflow (0, 3) 3 cells: row 0, key 3 is masked by causal and by padding: two times "
        "finfo(float16).min is -131008 and overflows to -inf; a row of only -inf gives NaN; 3 cells in all");
    row("mask=padding q_length=4 padding=1 dialect=additive_f32 dtype=bfloat16", "additive_overflow",
        "error additive_overflow (-, -) 1 : torch.finfo(torch.float32).min is -inf in bfloat16, so 1 row without a "
        "visible key are NaN");
    row("mask=causal q_length=4 summed=true", "additive_overflow", "");
    row("mask=sliding_window q_length=9 sliding_window=4 dialect=flash_attention window_argument=4", "window_argument",
        "error window_argument (-, -) 1 : flash-attention keeps 5 keys at 4 (window_size=(left, right), both ends "
        "inclusive), expected 4: give 3");
    row("mask=sliding_window q_length=9 sliding_window=4 window_meaning=hf_causal window_argument=4", "window_argument",
        "");
    row("mask=prefix_lm q_length=8 prefix_length=3 dialect=flash_attention", "dialect_cannot",
        "error dialect_cannot (-, -) 1 : flash-attention arguments cannot express this mask: prefix 3");
    row("mask=packed q_length=8 dialect=flash_attention", "dialect_cannot", "");
    row("mask=causal q_length=4 block_mask_q_length=8 block_mask_kv_length=4", "block_mask_reuse",
        "error block_mask_reuse (-, -) 1 : the block mask was created for 8 × 4 queries × keys and is used with 4 × 4: "
        "its "
        "blocks do not describe these tokens, make it again for every new length");
    row("mask=causal q_length=4 block_mask_kv_length=4", "block_mask_reuse", "");
    row("mask=padding q_length=4 padding=1 labels=5,6,7,8", "labels",
        "error labels (0, -) 1 labels: query 0 is padding, but its label counts in the loss: expected -100");
    row("mask=packed q_length=4 document_lengths=2,2 labels=5,6,7,8", "label_leak",
        "error label_leak (1, -) 1 labels: query 1 has the first token of the next document as its label (labels are "
        "aligned): expected -100 at label 1");
    row("mask=padding q_length=4 padding=1 loss_mask=0,1,1,1", "labels", "");
  }

  void broken() {
    QFETCH(QString, settings);
    QFETCH(QString, rule);
    QFETCH(QString, expected);
    COMPARE_TEXT(found(settings.toStdString(), rule.toLatin1().constData()), expected.toStdString());
  }

  void masksWithoutPaddingAndDocumentConditions() {
    // The presets mask padding and other documents whenever there are any, so these are drawn.
    auto given = made("mask=padding q_length=4 padding=1");
    given.mask = std::make_shared<DrawnMask>(given.mask->extent(), [](Index q, Index kv) { return kv <= q; });
    COMPARE_TEXT(found(given, "padding_visible"),
                 "error padding_visible (1, 0) 3 cells: row 1 sees key 0, which is padding; 3 cells in all");
    given = made("mask=packed q_length=4 document_lengths=2,2");
    given.mask = std::make_shared<DrawnMask>(given.mask->extent(), [](Index q, Index kv) { return kv <= q; });
    COMPARE_TEXT(
        found(given, "document_leak"),
        "error document_leak (2, 0) 4 cells: row 2 sees key 0: document 0 leaks into document 1; 4 cells in all");
    given = made("mask=causal q_length=3");
    given.mask = std::make_shared<DrawnMask>(given.mask->extent(), [](Index q, Index kv) { return kv > q; });
    COMPARE_TEXT(found(given, "polarity_inverted"),
                 "error polarity_inverted (0, 0) 6 cells: row 0 does not see key 0: every expected key is masked and "
                 "every other key visible, so the polarity is inverted; 6 cells in all");
    COMPARE_TEXT(found(given, "empty_row"),
                 "error empty_row (2, -) 1 rows: row 2 sees no key; its softmax is NaN with -inf, zeros in torch SDPA "
                 "from 2.5 on, uniform over all keys with finfo.min");
    given = made("mask=sliding_window q_length=5 sliding_window=2");
    given.mask = std::make_shared<DrawnMask>(given.mask->extent(), [](Index q, Index kv) { return q - kv == 1; });
    COMPARE_TEXT(
        found(given, "window_off"),
        "error window_off (0, 0) 5 cells: row 0 does not see key 0, 0 behind: inside the window of 2; queries do "
        "not see themselves; 5 cells in all");
  }

  /// Any mask of random terms or of random cells, under any objective: the cells are those of the
  /// definition.
  void cellsAgreeWithTheDefinition() {
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
      const MaskCase drawn = random_case(random);
      LintCase given{.mask = drawn.mask(), .layout = drawn.layout};
      if (pick(random, 0, 2) == 0) {
        std::set<Index> cells;
        for (int i = 0; i < 200; ++i) cells.insert(pick(random, 0, 24 * 64));
        given.mask = std::make_shared<DrawnMask>(given.mask->extent(),
                                                 [cells](Index q, Index kv) { return cells.contains(q * 64 + kv); });
      }
      given.objective = static_cast<Objective>(pick(random, 0, 1));
      given.prefix_length = pick(random, 0, 9);
      if (pick(random, 0, 1)) given.window = pick(random, 1, 9);
      for (const std::string rule :
           {"future_visible", "padding_visible", "document_leak", "prefix_not_bidirectional"}) {
        const auto report = lint_mask(given, {.rules = {rule}});
        if (!report.outcomes[0].skipped.empty()) continue;
        const Brute wanted = brute(given, rule);
        QVERIFY2(report.findings.size() == (wanted.count > 0 ? 1U : 0U), (rule + " " + drawn.name()).c_str());
        if (wanted.count == 0) continue;
        const Finding& got = report.findings[0];
        QVERIFY2(got.count == wanted.count && got.row == wanted.row && got.key == wanted.key,
                 (rule + " " + drawn.name() + " " + line(got)).c_str());
      }
    }
  }

  void emptyRowsAgreeWithTheMask() {
    Random random(8);
    for (int round = 0; round < 1500; ++round) {
      const MaskCase drawn = random_case(random);
      const LintCase given{.mask = drawn.mask(), .layout = drawn.layout, .backend = "additive_inf"};
      std::uint64_t real = 0;
      std::uint64_t padding = 0;
      std::vector<Range> seen;
      for (Index q = 0; q < drawn.layout.q_length(); ++q) {
        given.mask->row(q, seen);
        if (seen.empty()) ++(drawn.layout.q_valid(q) ? real : padding);
      }
      std::uint64_t found_real = 0;
      std::uint64_t found_padding = 0;
      for (const auto& finding : lint_mask(given, {.rules = {"empty_row"}}).findings)
        (finding.sentence.find("padding") != std::string::npos ? found_padding : found_real) += finding.count;
      QVERIFY2(found_real == real && found_padding == padding, drawn.name().c_str());
    }
  }

  void presetsAreClean() {
    for (const auto& preset : mask_presets())
      for (const std::string rest : {"", " past_len=100", " padding=40", " padding=40 padding_side=right",
                                     " sliding_window=9", " document_lengths=500,12", " kv_length=700"}) {
        const auto given = Stated("mask=" + preset.id + rest).made();
        if (!given) continue;
        const auto report = lint_mask(*given);
        QVERIFY(report.complete);
        QVERIFY2(report.findings.empty(), (preset.id + rest + ": " + lines(report)).c_str());
      }
  }

  void twoMillionTokensByBands() {
    auto values = "mask=packed q_length=2097152 padding=100000 sliding_window=4096 window=4095";
    const auto report = lint_mask(made(values));
    QVERIFY(report.complete);
    COMPARE_TEXT(
        lines(report),
        "error window_off (104095, 100000) 1980772 cells: row 104095 sees key 100000, 4095 behind: a window of "
        "4095 requires q_pos - kv_pos < 4095; the mask is a window of 4096, as made by q_idx - kv_idx <= 4095 "
        "(attention-gym) or window_size=(4095, 0) (flash-attention); 1980772 cells in all");
  }

  void stoppedCheckReportsItsRows() {
    auto given = made("mask=causal q_length=10000");
    given.mask = std::make_shared<DrawnMask>(given.mask->extent(), [](Index, Index kv) { return kv == 5; });
    std::stop_source stop;
    std::vector<double> fractions;
    LintOptions options{.rules = {"future_visible"}, .stop = stop.get_token(), .progress = [&](double fraction) {
                          fractions.push_back(fraction);
                          stop.request_stop();
                        }};
    const auto report = lint_mask(given, options);
    QVERIFY(!report.complete);
    QCOMPARE(report.rows_checked, Index{4096});
    QCOMPARE(fractions, std::vector<double>{4096.0 / 10000});
    COMPARE_TEXT(report.summary(), "1 error, 0 warnings; 1 rule checked, 0 skipped; stopped, rows 0 to 4095 checked");
    QCOMPARE(report.findings[0].count, std::uint64_t{5});
  }

  /// A mask that is there already gives the case that one made anew gives.
  void aMaskIsNotMadeTwice() {
    for (const char* settings : {"mask=prefix_lm prefix_length=3 q_length=9", "mask=sliding_window q_length=300",
                                 "mask=cross q_length=8", "mask=custom q_length=8"}) {
      const Stated stated(settings);
      const auto layout = *SequenceLayout::make(preset_sequence(stated.preset));
      const auto mask = *make_preset_mask(stated.preset);
      const auto given = lint_case(mask, layout, stated.preset);
      const auto anew = *lint_case(stated.preset);
      QVERIFY(given.mask == mask);
      QVERIFY(given.objective == anew.objective && given.prefix_length == anew.prefix_length);
      QVERIFY(given.window == anew.window && given.objective_assumed == anew.objective_assumed);
    }
  }

  void objectivesThatAreAssumed() {
    COMPARE_TEXT(objective_text(made("mask=custom")), "causal (assumed)");
    COMPARE_TEXT(objective_text(made("mask=custom objective=causal")), "causal");
    COMPARE_TEXT(objective_text(made("mask=bidirectional")), "bidirectional");
  }

  void summaries() {
    COMPARE_TEXT(lint_mask(made("mask=causal q_length=8")).summary(),
                 "0 errors, 0 warnings; 4 rules checked, 31 skipped");
    QVERIFY(lint_mask(made("mask=causal q_length=8"), {.rules = {"labels"}}).outcomes[0].skipped ==
            "labels are not given");
  }

  void errorsNameTheValue() {
    COMPARE_ERROR(Stated("q_length=4 position_ids=0,1").made(),
                  "position_ids has 2 entries but must have q_length = 4 or kv_length = 4");
    COMPARE_ERROR(Stated("mask=cross q_length=4 position_ids=0,1").made(),
                  "position_ids has 2 entries but must have q_length = 4");
    COMPARE_ERROR(Stated("q_length=4 labels=0,1").made(), "labels has 2 entries but must have q_length = 4");
    COMPARE_ERROR(Stated("q_length=4 loss_mask=0,1").made(), "loss_mask has 2 entries but must have q_length = 4");
    COMPARE_ERROR(Stated("q_length=4 kv_position_ids=0").made(),
                  "kv_position_ids has 1 entries but must have kv_length = 4");
    COMPARE_ERROR(Stated("q_length=4 padding=4").made(), "padding is 4 but must be below kv_length = 4");
  }
};

VQSCOPE_TEST(LintTest)
#include "lint_test.moc"
