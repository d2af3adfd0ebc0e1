// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/seen/seen_summary.h"

#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr long double turn = 2 * std::numbers::pi_v<long double>;

/// Read beside the definition: an angle beyond the arc of training, modulo a turn.
bool is_new_by_reals(long double trained, long double served, Index length, Index position) {
  const long double arc = trained * static_cast<long double>(length - 1);
  if (arc >= turn) return false;
  const long double angle = std::fmod(served * static_cast<long double>(position), turn);
  return angle > arc + 1e-8L;
}

}  // namespace

class SeenAnglesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A turn takes 100 positions and training had 41: angles up to 0.4 turns. New: 41 to 99, 141 to
  /// 199.
  void by_hand() {
    const SeenPair pair(turn / 100, turn / 100, 41);
    QVERIFY(!pair.met_every_angle());
    for (Index position = 0; position < 300; ++position) QCOMPARE(pair.is_new(position), position % 100 > 40);
    QCOMPARE(pair.first_new(1000), std::optional<Index>(41));
    QCOMPARE(pair.first_new(41), std::nullopt);
    QCOMPARE(pair.new_below(100), Index{59});
    QCOMPARE(pair.new_below(250), Index{118 + 9});
    QCOMPARE(pair.new_in({50, 60}), Index{10});
    QVERIFY(std::abs(pair.trained_arc() - 0.4 * static_cast<double>(turn)) < 1e-12);
  }

  /// Position interpolation by 4 of 40 positions ends where training did, at position 39 · 4.
  void interpolated_positions_stay_in_the_trained_range() {
    const SeenPair pair(turn / 100, turn / 400, 40);
    QCOMPARE(pair.first_new(10000), std::optional<Index>(157));
  }

  void a_whole_turn_meets_every_angle() {
    const SeenPair pair(turn / 100, turn / 900, 101);
    QVERIFY(pair.met_every_angle());
    QCOMPARE(pair.new_below(1'000'000), Index{0});
    QCOMPARE(pair.first_new(1'000'000), std::nullopt);
    QVERIFY(!pair.is_new(500));
  }

  void training_of_one_token_met_the_angle_0() {
    const SeenPair pair(0.1L, 0.1L, 1);
    QVERIFY(!pair.is_new(0));
    QVERIFY(pair.is_new(1));
    QCOMPARE(pair.first_new(5), std::optional<Index>(1));
  }

  void counts_agree_with_the_definition() {
    Random random(5);
    for (int i = 0; i < 300; ++i) {
      const Index length = pick(random, 1, 300);
      const long double trained = 1.0L / static_cast<long double>(pick(random, 1, 4000));
      const long double served = trained / (static_cast<long double>(pick(random, 8, 64)) / 8.0L);
      const SeenPair pair(trained, served, length);
      const Index end = pick(random, 1, 3000);
      Index count = 0;
      std::optional<Index> first;
      for (Index position = 0; position < end; ++position) {
        QCOMPARE(pair.is_new(position), is_new_by_reals(trained, served, length, position));
        if (!pair.is_new(position)) continue;
        ++count;
        if (!first) first = position;
      }
      QCOMPARE(pair.new_below(end), count);
      QCOMPARE(pair.first_new(end), first);
    }
  }

  /// Counted 2^31 times over in a moment: the frequency is 3/8 of a turn, of which 5/8 to 1 is new.
  void counts_of_long_sequences() {
    const SeenPair pair(turn / 16, 3 * turn / 8, 11);
    QCOMPARE(pair.new_below(8), Index{2});  // 6/8 and 7/8; 5/8 itself was met
    QCOMPARE(pair.new_below(Index{1} << 31), Index{1} << 29);
  }
};

VQSCOPE_TEST(SeenAnglesTest)
#include "seen_angles_test.moc"
