// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/row_report.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/compared_mask.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class RowReportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aRowByHand() {
    const RowReport row = *row_report(*packed_case().mask(), 15);
    QCOMPARE(row.visible, (std::vector<Range>{{12, 16}}));
    QCOMPARE(row.count, Index{4});
    QCOMPARE(row.first(), Index{12});
    QCOMPARE(row.last(), Index{15});
    QVERIFY(row.facts == (TokenFacts{{"q_pos", "3"}, {"q_doc", "1"}}));
    QVERIFY(key_facts(*packed_case().mask(), 15, 3) == (TokenFacts{{"kv_pos", "padding"}, {"kv_doc", "padding"}}));
    COMPARE_TEXT(row_sentence(row, 4), "sees 4 of 32 keys: 12–15");
    COMPARE_TEXT(row_sentence(*row_report(*packed_case().mask(), 2), 4), "sees no key");
  }

  void rangesAsText() {
    const std::vector<Range> ranges{{0, 4}, {17, 231}, {512, 513}, {2000, 2097152}};
    COMPARE_TEXT(ranges_text(ranges, 4), "0–3, 17–230, 512, 2 000–2 097 151");
    COMPARE_TEXT(ranges_text(ranges, 2), "0–3, 17–230 and 2 more");
    COMPARE_TEXT(ranges_text({}, 2), "none");
    COMPARE_TEXT(ranges_text(std::vector<Range>(5001, {1, 2}), 1), "1 and 5 000 more");
  }

  void rowAgreesWithItsCells() {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
      const MaskCase mask_case = random_case(random);
      const auto mask = mask_case.mask();
      const Index q = pick(random, 0, mask->extent().rows - 1);
      const RowReport row = *row_report(*mask, q);
      Index count = 0;
      for (Index kv = 0; kv < mask->extent().cols; ++kv) {
        QVERIFY2(row.sees(kv) == mask->visible(q, kv), mask_case.name().c_str());
        count += mask->visible(q, kv);
      }
      QCOMPARE(row.count, count);
    }
  }

  void aMaskCellByCell() {
    const RowReport row = *row_report(ComparedMask(40, 6), 20);
    QCOMPARE(row.visible, (std::vector<Range>{{15, 18}, {19, 21}}));
    COMPARE_TEXT(row_sentence(row, 1), "sees 5 of 40 keys: 15–17 and 1 more");
    COMPARE_TEXT(compared_row_sentence(row, row, 1),
                 "A and B see the same keys; A sees 5 of 40 keys: 15–17 and 1 more, B sees 5 of 40 keys: 15–17 and 1 "
                 "more");
  }
};

VQSCOPE_TEST(RowReportTest)
#include "row_report_test.moc"
