// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/band.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Ramp random_ramp(Random& random) {
  const Index low = pick(random, 0, 20);
  return {pick(random, -15, 15), low, pick(random, low, 25)};
}

}  // namespace

class BandTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ramp_by_hand() {
    const Ramp ramp{-2, 1, 4};
    const Index wanted[] = {1, 1, 1, 1, 2, 3, 4, 4};
    for (Index q = 0; q < 8; ++q) QCOMPARE(ramp.at(q), wanted[q]);
    // 1 + 1 + 1 + 1 + 2 + 3 + 3 + 3
    QCOMPARE(sum_below(ramp, {0, 8}, 3), std::uint64_t{15});
    QVERIFY(Ramp::constant(7).is_constant());
    QCOMPARE(Ramp::constant(7).at(1000), Index{7});
  }

  void sums_agree_with_the_rows() {
    Random random(1);
    for (int i = 0; i < 5000; ++i) {
      const Ramp ramp = random_ramp(random);
      const Index begin = pick(random, 0, 30);
      const Range rows{begin, pick(random, begin, 40)};
      const Index limit = pick(random, 0, 30);
      std::uint64_t wanted = 0;
      for (Index q = rows.begin; q < rows.end; ++q) wanted += static_cast<std::uint64_t>(std::min(ramp.at(q), limit));
      QCOMPARE(sum_below(ramp, rows, limit), wanted);
    }
  }

  void min_and_max_agree_with_the_values() {
    Random random(2);
    for (int i = 0; i < 2000; ++i) {
      const Ramp a = random_ramp(random);
      Ramp b = pick(random, 0, 1) ? Ramp::constant(pick(random, 0, 25)) : random_ramp(random);
      if (!b.is_constant()) b.offset = a.offset;
      for (Index q = 0; q < 40; ++q) {
        QCOMPARE(min(a, b).at(q), std::min(a.at(q), b.at(q)));
        QCOMPARE(max(a, b).at(q), std::max(a.at(q), b.at(q)));
      }
    }
  }

  void bands_in_rows() {
    std::vector<Band> bands;
    for (const Range rows :
         {Range{0, 3}, Range{3, 5}, Range{3, 5}, Range{5, 6}, Range{6, 7}, Range{7, 8}, Range{8, 99}})
      bands.push_back({rows, Ramp::constant(0), Ramp::constant(1)});
    for (Index begin = 0; begin < 12; ++begin)
      for (Index end = begin + 1; end < 14; ++end) {
        const auto found = bands_in(bands, {begin, end});
        for (const Band& band : bands) {
          const bool inside = &band >= found.data() && &band < found.data() + found.size();
          QCOMPARE(inside, band.rows.begin < end && band.rows.end > begin);
        }
      }
  }
};

VQSCOPE_TEST(BandTest)
#include "band_test.moc"
