// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/stated_structure.h"

#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string structure_text(const char* settings, const char* text) {
  const auto given = *Stated(settings, text).made();
  const StatedStructure stated = stated_structure(given);
  std::string documents;
  for (const Index length : stated.layout.input().document_lengths) documents += " " + to_text(length);
  return (stated.structure.exact ? "" : "not exactly ") + stated.structure.text() + documents;
}

}  // namespace

class StatedStructureTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void expectedAndRecognisedStructures() {
    COMPARE_TEXT(structure_text("q_length=9", "kv_idx <= q_idx"), "causal");
    COMPARE_TEXT(structure_text("q_length=12", "(kv_idx <= q_idx) & (q_idx // 4 == kv_idx // 4)"),
                 "causal, documents 4 4 4");
    COMPARE_TEXT(structure_text("q_length=40", "(kv_idx <= q_idx) & (q_idx - kv_idx < 7)"), "causal, window 7");
    COMPARE_TEXT(structure_text("q_length=9 objective=causal", "(kv_idx < 4) | (kv_idx <= q_idx)"), "prefix 4");
    COMPARE_TEXT(structure_text("q_length=4 kv_length=12", "kv_idx <= q_idx + 8"), "causal");
    COMPARE_TEXT(structure_text("q_length=9 objective=causal", "kv_idx >= 0"), "bidirectional");
    COMPARE_TEXT(structure_text("q_length=9", "(kv_idx <= q_idx) & ((q_idx - kv_idx) % 2 == 0)"),
                 "causal, dilated by 2");
    COMPARE_TEXT(structure_text("q_length=40", "(kv_idx <= q_idx + 4) & (q_idx - kv_idx <= 4)"),
                 "window 4 back and 4 ahead");
    COMPARE_TEXT(structure_text("q_length=6", "kv_idx // 2 <= q_idx // 2"),
                 "block-causal in blocks of 2: causal ∨ documents [2, 2, 2]");
    COMPARE_TEXT(structure_text("q_length=40", "(q_idx * 7 + kv_idx * 5) % 11 < 5"), "not exactly causal");
  }

  /// One recognition serves the rules, the guess of the objective and the backends.
  void theRulesRecognitionIsUsed() {
    const auto given = *Stated("q_length=12", "kv_idx // 2 <= q_idx // 2").made();
    const auto found = given.recognition.of(given.mask, 1);
    QVERIFY(found != nullptr);
    COMPARE_TEXT(stated_structure(given).structure.text(), found->sentence);
  }
};

VQSCOPE_TEST(StatedStructureTest)
#include "stated_structure_test.moc"
