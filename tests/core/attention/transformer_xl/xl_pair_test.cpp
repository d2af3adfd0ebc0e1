// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_field.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr XlSegments long_memory{.length = 32768, .segment_len = 1024, .memory_len = 4096, .layers = 12};

std::string fact_of(const CellReport& report, std::string_view name) {
  for (const auto& [fact, value] : report.facts)
    if (fact == name) return value;
  return "none";
}

}  // namespace

class XlPairTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The question of the guide: 32,767 - 20,000 = 12,767 through a memory of 4,096.
  void a_key_at_distance_20000() {
    COMPARE_TEXT(
        describe_pair(long_memory, {32767, 12767}),
        "query 32 767 reads key 12 767, 20 000 tokens back, from layer 5 of 12 on: layer 5 at 32 767 → layer 4 "
        "at 27 648 → layer 3 at 23 552 → layer 2 at 19 456 → layer 1 at 15 360 → input at 12 767; no gradient "
        "of the query's loss reaches the key: stop-gradient is in between");
  }

  void a_key_of_the_own_segment() {
    COMPARE_TEXT(describe_pair(long_memory, {32767, 32000}),
                 "query 32 767 reads key 32 000, 767 tokens back, from layer 1 of 12 on: layer 1 at 32 767 → input at "
                 "32 000; gradient of the query's loss reaches the key");
  }

  void a_key_that_is_not_read() {
    XlSegments s = long_memory;
    s.layers = 4;
    COMPARE_TEXT(describe_pair(s, {32767, 12767}),
                 "query 32 767 does not read key 12 767: 4 layers reach back to 15 360; 5 layers would suffice");
    s.memory_len = 0;
    s.layers = 1;
    COMPARE_TEXT(
        describe_pair(s, {32767, 12767}),
        "query 32 767 does not read key 12 767: 1 layer reaches back to 31 744; no number of layers would suffice");
    COMPARE_TEXT(describe_pair(s, {5, 9}), "query 5 does not read key 9: the key comes later");
  }

  void the_middle_of_a_long_path_is_counted() {
    const XlSegments s{.length = 200, .segment_len = 10, .memory_len = 10, .layers = 19};
    const auto eleven = s.path(109, 5);  // 10 layers: 11 hops are all named
    QCOMPARE(eleven.size(), std::size_t{11});
    QVERIFY(describe_path(eleven).find("more") == std::string::npos);
    COMPARE_TEXT(describe_path(s.path(129, 5)),
                 "layer 12 at 129 → layer 11 at 110 → layer 10 at 100 → layer 9 at 90 → layer 8 at 80 → 3 more → layer "
                 "4 at 40 → layer 3 at 30 → layer 2 at 20 → layer 1 at 10 → input at 5");
    COMPARE_TEXT(describe_path({}), "");
  }

  void facts_of_a_cell() {
    XlSegments s = long_memory;
    s.clamp_len = 1000;
    const CellReport memory = report_pair(s, {32767, 30000});
    COMPARE_TEXT(fact_of(memory, "distance"), "2 767");
    COMPARE_TEXT(fact_of(memory, "query segment"), "31");
    COMPARE_TEXT(fact_of(memory, "key segment"), "29");
    COMPARE_TEXT(fact_of(memory, "seen in one layer"), "memory");
    COMPARE_TEXT(fact_of(memory, "encoded distance"), "1 000");
    COMPARE_TEXT(fact_of(memory, "read from layer"), "1");
    COMPARE_TEXT(fact_of(memory, "learnt from"), "no");
    const CellReport own = report_pair(s, {32767, 32700});
    COMPARE_TEXT(fact_of(own, "seen in one layer"), "own segment");
    COMPARE_TEXT(fact_of(own, "encoded distance"), "67");
    COMPARE_TEXT(fact_of(own, "learnt from"), "yes");
    const CellReport later = report_pair(s, {5, 9});
    COMPARE_TEXT(fact_of(later, "seen in one layer"), "no");
    COMPARE_TEXT(fact_of(later, "distance"), "-4");
    COMPARE_TEXT(fact_of(later, "read from layer"), "none");
    COMPARE_TEXT(later.why, describe_pair(s, {5, 9}));
  }
};

VQSCOPE_TEST(XlPairTest)
#include "xl_pair_test.moc"
