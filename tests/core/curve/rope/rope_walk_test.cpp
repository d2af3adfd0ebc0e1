// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/rope/rope_series.h"

#include "core/encoding/rope/rope_scaling.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::vector<Turns> usual_rates() { return turns_of(rope_frequencies({}).inv_freq); }

/// How far the walk's vectors are from those made anew.
double apart(const UnitVectors& got, std::span<const Turns> rates, Index r) {
  const UnitVectors wanted(rates, r);
  return std::max((got.cos - wanted.cos).abs().maxCoeff(), (got.sin - wanted.sin).abs().maxCoeff());
}

}  // namespace

class RopeWalkTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A quarter turn a token: (1, 0), (0, 1), (-1, 0), (0, -1).
  void quarter_turns_by_hand() {
    const std::vector<Turns> rates{quarter_turn};
    for (const auto& [r, x, y] : {std::tuple<Index, double, double>{0, 1, 0}, {1, 0, 1}, {2, -1, 0}, {3, 0, -1}}) {
      const UnitVectors at(rates, r);
      QVERIFY(std::abs(at.cos[0] - x) < 1e-15 && std::abs(at.sin[0] - y) < 1e-15);
    }
  }

  void steps_of_one() {
    const auto rates = usual_rates();
    RopeWalk walk(rates);
    for (Index r = 0; r < 1'000; ++r) QVERIFY2(apart(walk.at(r), rates, r) < 1e-13, std::to_string(r).c_str());
  }

  /// 100 points over 1,234,567 tokens are 12,470 or 12,471 apart.
  void even_spacing_has_two_steps() {
    const auto rates = usual_rates();
    RopeWalk walk(rates);
    for (Index i = 0; i < 100; ++i) {
      const Index r = i * 1'234'567 / 99;
      QVERIFY2(apart(walk.at(r), rates, r) < 1e-13, std::to_string(r).c_str());
    }
  }

  void any_walk_there_and_back() {
    const auto rates = usual_rates();
    Random random(1);
    RopeWalk walk(rates);
    Index r = 0;
    for (int i = 0; i < 2'000; ++i) {
      r = std::max<Index>(0, r + (pick(random, 0, 9) == 0 ? pick(random, -2'000'000, 2'000'000) : pick(random, -3, 3)));
      QVERIFY2(apart(walk.at(r), rates, r) < 1e-13, std::to_string(r).c_str());
    }
  }

  /// At 2^40 tokens phases are still those of whole numbers of turns' fractions.
  void far_out() {
    const auto rates = usual_rates();
    RopeWalk walk(rates);
    const Index far = Index{1} << 40;
    for (Index r = far; r < far + 200; ++r) QVERIFY(apart(walk.at(r), rates, r) < 1e-13);
  }
};

VQSCOPE_TEST(RopeWalkTest)
#include "rope_walk_test.moc"
