// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/plain_mask.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class PlainMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void masks_of_a_text_and_a_length() {
    for (const Index length : {1, 5, 40}) {
      const auto mask = plain_mask("w = 3\nreturn q_idx - kv_idx < w and kv_idx <= q_idx", length).value();
      QCOMPARE(mask->extent(), (Extent{length, length}));
      for (Index q = 0; q < length; ++q)
        for (Index kv = 0; kv < length; ++kv) QCOMPARE(mask->visible(q, kv), kv <= q && q - kv < 3);
    }
  }

  void bad_texts() {
    COMPARE_ERROR(plain_mask("q_idx - kv_idx < w", 9), "mask leaves w free: write its value into the text");
    COMPARE_ERROR(plain_mask("q_idx -", 9),
                  "mask, line 1, column 8: expected a name, a number or (, found the end of the text");
    COMPARE_ERROR(plain_mask("h == 1", 9), "mask depends on the head h but must be one mask for all");
    COMPARE_ERROR(plain_mask("(q_idx - kv_idx) * (q_idx - kv_idx) * (q_idx + kv_idx) < 100", 5000),
                  "mask cannot be solved into intervals; without them a mask must have at most 4096 tokens, not 5000");
    QVERIFY(plain_mask("w = 3\nreturn q_idx - kv_idx < w", 9));
  }
};

VQSCOPE_TEST(PlainMaskTest)
#include "plain_mask_test.moc"
