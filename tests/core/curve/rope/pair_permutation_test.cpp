// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/methods.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/method/curve_set.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

Result<CurveSet> permutation(Index head_dim, Index rotary_dim) {
  const Method& method = *find_method(curve_methods(), "pair_permutation");
  ParameterValues values = default_values(method.parameters);
  values.set("head_dim", head_dim);
  values.set("rotary_dim", rotary_dim);
  return make_curves(method, values);
}

}  // namespace

class PairPermutationTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const auto set = permutation(8, 6).value();
    QCOMPARE(set.curves[0].y, (std::vector<double>{0, 2, 4, 1, 3, 5, 6, 7}));
    QCOMPARE(set.curves[1].y, (std::vector<double>{0, 3, 1, 4, 2, 5, 6, 7}));
    QCOMPARE(set.marks.front().x, 6.0);
    QVERIFY(permutation(8, 0)->marks.empty());
    QVERIFY(set.integer && set.principal == std::size_t{0});
  }

  void both_directions_undo_each_other_and_keep_pairs() {
    for (const Index head_dim : {2, 4, 6, 64, 128, 130})
      for (const Index rotary_dim : {Index{0}, Index{2}, head_dim / 4 * 2, head_dim}) {
        if (rotary_dim > head_dim) continue;
        const auto set = permutation(head_dim, rotary_dim).value();
        const Index pairs = (rotary_dim == 0 ? head_dim : rotary_dim) / 2;
        for (Index dimension = 0; dimension < head_dim; ++dimension) {
          const auto at = static_cast<std::size_t>(dimension);
          const double to = set.curves[0].y[at];
          QCOMPARE(set.curves[1].y[static_cast<std::size_t>(to)], static_cast<double>(dimension));
          QCOMPARE(pair_of(static_cast<Index>(to), pairs, PairLayout::interleaved),
                   pair_of(dimension, pairs, PairLayout::half_split));
        }
      }
  }

  void errors() {
    COMPARE_ERROR(permutation(7, 0), "head_dim is 7 but must be even");
    COMPARE_ERROR(permutation(8, 10), "rotary_dim is 10 but must be at most head_dim = 8, or 0 to follow it");
  }
};

VQSCOPE_TEST(PairPermutationTest)
#include "pair_permutation_test.moc"
