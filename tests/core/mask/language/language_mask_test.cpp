// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/language_mask.h"

#include "core/mask/map/visibility_field.h"
#include "tests/core/mask/language/evaluators.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const LanguageMask> written_mask(const std::string& text, Index length,
                                                 const MaskBindings& bindings = {}) {
  const auto parsed = MaskProgram::parse(text);
  if (!parsed) return nullptr;
  const auto mask = LanguageMask::make(parsed.program, bindings, *SequenceLayout::make({.q_length = length}));
  return mask ? *mask : nullptr;
}

const std::string packed_text =
    "def same_document(b, h, q_idx, kv_idx):\n"
    "    return document_id[q_idx] == document_id[kv_idx]\n"
    "def causal(b, h, q_idx, kv_idx):\n"
    "    return kv_idx <= q_idx\n"
    "def sink(b, h, q_idx, kv_idx):\n"
    "    return kv_idx < 2\n"
    "def window(b, h, q_idx, kv_idx):\n"
    "    return q_idx - kv_idx < 3\n"
    "mask_mod = and_masks(same_document, causal, or_masks(sink, window))\n";

}  // namespace

class LanguageMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void sentences_have_the_numbers_that_decided() {
    const auto mask = written_mask(packed_text, 10, {.arrays = {{"document_id", {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}}}});
    QVERIFY(mask);
    QCOMPARE(mask->terms(), (std::vector<std::string>{"same_document", "causal", "or_masks(sink, window)"}));
    COMPARE_TEXT(mask->why(5, 9), "masked by same_document: document_id[5] = 0, document_id[9] = 1, expected equal");
    COMPARE_TEXT(mask->why(1, 4), "masked by causal: kv_idx = 4 > q_idx = 1");
    COMPARE_TEXT(mask->why(5, 2),
                 "masked by or_masks(sink, window): kv_idx = 2, expected < 2 and q_idx - kv_idx = 3, expected < 3");
    COMPARE_TEXT(mask->why(5, 1), "visible: same_document, causal, or_masks(sink, window) hold");
  }

  void columns_are_terms_and_their_comparisons() {
    const auto mask =
        written_mask("near = abs(q_idx - kv_idx) < 3\nreturn near and (kv_idx == 0 or values[kv_idx] > 1)", 4,
                     {.arrays = {{"values", {0, 2, 0, 2}}}});
    QVERIFY(mask);
    std::vector<std::string> titles;
    for (const auto& column : mask->columns()) titles.push_back((column.comparison ? "  " : "") + column.title);
    QCOMPARE(titles, (std::vector<std::string>{"near", "  abs(q_idx - kv_idx) < 3", "kv_idx == 0 or values[kv_idx] > 1",
                                               "  kv_idx == 0", "  values[kv_idx] > 1"}));
    std::vector<Verdict> verdicts;
    mask->verdicts(0, 0, verdicts);
    QVERIFY((verdicts == std::vector{Verdict::yes, Verdict::yes, Verdict::yes, Verdict::yes, Verdict::skipped}));
    mask->verdicts(0, 3, verdicts);
    QVERIFY((verdicts == std::vector{Verdict::no, Verdict::no, Verdict::skipped, Verdict::skipped, Verdict::skipped}));
    using Fact = std::pair<std::string, std::string>;
    const std::vector<Fact> facts{{"q_pos", "1"}, {"kv_pos", "2"}, {"values[2]", "0"}};
    QVERIFY2(mask->facts(1, 2) == facts, "of one document nothing is said");
  }

  /// Documents that the text sets itself are those of the facts.
  void facts_name_the_documents_of_the_text() {
    const auto mask = written_mask("document_ids = [4, 4, 7]\nreturn document_ids[q_idx] == document_ids[kv_idx]", 3);
    QVERIFY(mask);
    const auto facts = mask->facts(1, 2);
    using Fact = std::pair<std::string, std::string>;
    QVERIFY(std::ranges::count(facts, Fact("q_doc", "4")) == 1 && std::ranges::count(facts, Fact("kv_doc", "7")) == 1);
    QVERIFY2(mask->why(1, 2).find("document_ids[2] = 7") != std::string::npos, mask->why(1, 2).c_str());
  }

  /// A term that is one comparison and has no name of its own is one column.
  void a_comparison_is_not_listed_twice() {
    const auto mask = written_mask("return (kv_idx <= q_idx) & (q_idx - kv_idx < 3)", 4);
    QVERIFY(mask);
    std::vector<std::string> titles;
    for (const auto& column : mask->columns()) titles.push_back(column.title);
    QCOMPARE(titles, (std::vector<std::string>{"kv_idx <= q_idx", "q_idx - kv_idx < 3"}));
    std::vector<Verdict> verdicts;
    mask->verdicts(0, 1, verdicts);
    QVERIFY((verdicts == std::vector{Verdict::no, Verdict::yes}));
  }

  void terms_have_the_names_of_their_variables() {
    const auto names = [](const std::string& text) { return written_mask(text, 4)->terms(); };
    QCOMPARE(names("causal = kv_idx <= q_idx\nmask = causal\nmask = mask & (q_idx - kv_idx < 4)\nreturn mask"),
             (std::vector<std::string>{"causal", "q_idx - kv_idx < 4"}));
    QCOMPARE(names("def near(i, j):\n  return i - j < 3\nreturn near(q_idx, kv_idx) & (0 <= kv_idx <= q_idx)"),
             (std::vector<std::string>{"near", "0 <= kv_idx <= q_idx"}));
  }

  void terms_can_be_off() {
    const MaskBindings bindings{.arrays = {{"document_id", {0, 0, 1, 1}}}, .term_on = {true, false, false}};
    const auto mask = written_mask(packed_text, 4, bindings);
    QVERIFY(mask);
    QVERIFY(mask->visible(0, 1) && !mask->visible(0, 2));
    QCOMPARE(mask->terms().size(), std::size_t{3});
    std::vector<Verdict> verdicts;
    mask->verdicts(0, 1, verdicts);
    QVERIFY(verdicts[2] == Verdict::skipped);
    COMPARE_TEXT(evaluators_differ(*mask), "");
  }

  void failing_cells_are_masked_on_request() {
    const auto mask =
        written_mask("values[kv_idx] == 1", 4, {.arrays = {{"values", {1, 1}}}, .mask_failing_cells = true});
    QVERIFY(mask);
    QVERIFY(mask->visible(0, 1) && !mask->visible(0, 2));
    std::vector<Verdict> verdicts;
    mask->verdicts(0, 2, verdicts);
    QVERIFY((verdicts == std::vector{Verdict::error}));
    COMPARE_TEXT(mask->why(0, 2), "masked by values[kv_idx] == 1: values[2] is out of range; indices go from -2 to 1");
  }

  void many_documents_are_bands() {
    const Index length = 200000;
    std::vector<Index> documents;
    for (Index i = 0; i < length; ++i) documents.push_back(i / 2);
    const auto mask = written_mask("(document_id[q_idx] == document_id[kv_idx]) & (kv_idx <= q_idx)", length,
                                   {.arrays = {{"document_id", documents}}});
    QVERIFY(mask && mask->has_bands());
    QCOMPARE(visible_count(*mask, {0, length}), std::uint64_t{300000});
    std::vector<Range> row;
    mask->row(100001, row);
    QCOMPARE(row, (std::vector<Range>{{100000, 100002}}));
  }

  void tiles_of_unsolvable_masks_are_exact_where_they_are_all_or_none() {
    const Index length = 1 << 20;
    const auto mask = written_mask("(kv_idx <= q_idx) & ((q_idx * kv_idx) % 7 < 7)", length);
    QVERIFY(mask);
    const auto strided = written_mask("(kv_idx <= q_idx) & ((q_idx ^ kv_idx) % 3 != 0)", length);
    QVERIFY(strided && !strided->has_bands());
    QVERIFY(strided->coverage({{0, 100}, {200, 300}}) == Coverage::none);
    QVERIFY(strided->coverage({{200, 300}, {0, 100}}) == Coverage::mixed);
    const VisibilityField field(strided);
    Summary summary;
    QVERIFY(
        field.summarize({{0, 1000, 2000}, {500000, 600000, length}}, {.max_cells = 1000, .exact_only = true}, summary));
    QVERIFY(summary.exact);
    QCOMPARE(summary.mean, (std::vector<float>{0, 0, 0, 0}));
  }
};

VQSCOPE_TEST(LanguageMaskTest)
#include "language_mask_test.moc"
