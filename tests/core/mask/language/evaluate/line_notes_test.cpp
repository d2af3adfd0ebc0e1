// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/line_notes.h"

#include "core/mask/language/language_mask.h"
#include "core/sequence/sequence_layout.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string notes_of(const std::string& text, Index q, Index kv) {
  const auto mask = *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make({.q_length = 600}));
  std::string all;
  for (const LineNote& note : mask->text_notes(q, kv).lines)
    all += std::to_string(note.line) + ": " + note.words + "\n";
  return all;
}

}  // namespace

class LineNotesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void values_behind_each_line() {
    const std::string text =
        "W = 128\n"
        "def mask_mod(b, h, q_idx, kv_idx):\n"
        "    distance = q_idx - kv_idx  # behind\n"
        "    causal = q_idx >= kv_idx\n"
        "    window = distance <= W\n"
        "    return causal & window\n";
    COMPARE_TEXT(notes_of(text, 300, 12), "2: = 288\n3: 300 >= 12 ✓\n4: 288 <= 128 ✗\n");
  }

  void a_single_expression_has_its_comparisons() {
    COMPARE_TEXT(notes_of("(q_idx >= kv_idx) & (q_idx - kv_idx < 4)", 5, 2), "0: 5 >= 2, 3 < 4\n");
  }

  void terms_have_their_places() {
    const std::string text = "a = q_idx >= kv_idx\nreturn a & (kv_idx > 3)";
    const auto mask = *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make({.q_length = 8}));
    const auto notes = mask->text_notes(0, 0);
    const auto has = [&](std::size_t term, const std::string& piece) {
      return std::ranges::any_of(notes.terms, [&](const TermRange& place) {
        return place.term == term && text.substr(static_cast<std::size_t>(place.range.begin),
                                                 static_cast<std::size_t>(place.range.size())) == piece;
      });
    };
    QVERIFY(has(0, "q_idx >= kv_idx"));
    QVERIFY(has(1, "kv_idx > 3"));
  }
};

VQSCOPE_TEST(LineNotesTest)
#include "line_notes_test.moc"
