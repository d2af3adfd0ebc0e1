// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/read_visible.h"

#include "core/field/step_field.h"
#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Field> made(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(mask_methods(), id);
  return make_field(method, default_values(method.parameters, set)).value();
}

}  // namespace

class VisibleKeysTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void causal_queries_see_one_key_more_each() {
    const auto set = visible_keys(*made("visibility", {{"q_length", Index{9}}}), {2, 7}, 100);
    QVERIFY(set);
    QCOMPARE(set->x, (std::vector<double>{2, 3, 4, 5, 6}));
    for (std::size_t i = 0; i < set->x.size(); ++i)
      QVERIFY2(std::abs(set->curves[0].y[i] - (set->x[i] + 1)) < 1e-5,
               qPrintable(QString::number(set->curves[0].y[i])));
    QVERIFY(set->exact);
  }

  void segments_of_queries_show_their_mean() {
    const auto set = visible_keys(*made("visibility", {{"q_length", Index{8}}}), {0, 8}, 2);
    QVERIFY(set);
    QCOMPARE(set->x, (std::vector<double>{1.5, 5.5}));
    QVERIFY(std::abs(set->curves[0].y[0] - 2.5) < 1e-5);
    QVERIFY(std::abs(set->curves[0].y[1] - 6.5) < 1e-5);
    QVERIFY2(!set->exact, "not every query has its point");
  }

  /// Counts are whole numbers, whatever float32 holds.
  void counts_of_long_masks() {
    constexpr Index length = Index{1} << 31;
    const auto set = visible_keys(*made("visibility", {{"q_length", length}}), {length - 3, length}, 100);
    QVERIFY(set && set->exact && set->integer);
    QCOMPARE(set->curves[0].y, (std::vector<double>{0x1p31 - 2, 0x1p31 - 1, 0x1p31}));
    const auto whole = visible_keys(*made("visibility", {{"q_length", length}}), {0, length}, 2);
    QVERIFY(whole);
    QCOMPARE(whole->curves[0].y, (std::vector<double>{0x1p29 + 0.5, 0x1p29 * 3 + 0.5}));
  }

  void keys_are_counted_only_for_masks() {
    COMPARE_ERROR(visible_keys(StepField({8, 8}, 0, {{0, 1}, {1, 2}}), {0, 6}, 10),
                  "visible keys are counted for masks only; this matrix is not a mask");
  }

  /// Rows of a matrix of blocks are blocks of queries, its mask has rows of queries.
  void blocks_are_refused() {
    COMPARE_ERROR(visible_keys(*made("mask_blocks", {{"q_length", Index{512}}}), {0, 4}, 10),
                  "visible keys are counted for masks only; this matrix is not a mask");
  }

  void stopped_work_is_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto set = visible_keys(*made("visibility", {}), {0, 100}, 10, stop.get_token());
    QVERIFY(!set);
    QVERIFY(set.error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(VisibleKeysTest)
#include "visible_keys_test.moc"
