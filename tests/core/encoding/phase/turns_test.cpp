// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/turns.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

using namespace vqscope;

namespace {

constexpr double half_circle = std::numbers::pi;

/// Mostly rates as RoPE has them, over many sizes, with the awkward ones in between.
Progression random_progression(std::mt19937_64& random, std::uint64_t most) {
  Progression p{random(), random() >> (random() % 60), 1 + random() % most};
  switch (random() % 8) {
    case 0: p.rate = 0; break;
    case 1: p.rate = Turns{0} - (random() % 5); break;
    case 2: p.rate = half_turn + random() % 3 - 1; break;
    case 3: p.rate = quarter_turn; break;
    case 4: p.start = random() % 3 - 1; break;
    default: break;
  }
  return p;
}

}  // namespace

class TurnsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void known_angles() {
    QCOMPARE(radians(half_turn), half_circle);
    QCOMPARE(radians(quarter_turn), half_circle / 2);
    QCOMPARE(signed_radians(half_turn), half_circle);
    QCOMPARE(signed_radians(half_turn + quarter_turn), -half_circle / 2);
    QCOMPARE(turns_of(0), Turns{0});
    QCOMPARE(turns_of(2 * std::numbers::pi_v<long double>), Turns{0});
    QCOMPARE(turns_of(-std::numbers::pi_v<long double> / 2), half_turn + quarter_turn);
  }

  void cosines_are_exact_at_quarters() {
    QCOMPARE(cosine(0), 1.0);
    QVERIFY(cosine(quarter_turn) == 0 && cosine(half_turn + quarter_turn) == 0 && sine(0) == 0 && sine(half_turn) == 0);
    QCOMPARE(cosine(half_turn), -1.0);
    QCOMPARE(sine(quarter_turn), 1.0);
    Turns turns = 12345;
    for (int i = 0; i < 1000; ++i, turns = turns * 6364136223846793005U + 1442695040888963407U) {
      QVERIFY(std::abs(cosine(turns) - std::cos(signed_radians(turns))) < 5e-16);
      QVERIFY(std::abs(sine(turns) - std::sin(signed_radians(turns))) < 5e-16);
    }
  }

  void angles_stay_within_their_turn() {
    QVERIFY(radians(std::numeric_limits<Turns>::max()) < 2 * half_circle);
    QVERIFY(signed_radians(half_turn + 1) > -half_circle);
    QVERIFY(signed_radians(half_turn - 1) <= half_circle);
  }

  void angle_is_right_far_out() {
    const long double rate = 1.0L / 3;
    const Turns turns = turns_of(rate);
    for (const Index position : {1L, 4096L, 131071L, 2097151L}) {
      const long double truth =
          std::fmod(rate * static_cast<long double>(position), 2 * std::numbers::pi_v<long double>);
      const double error = std::abs(static_cast<double>(radians(turns * static_cast<Turns>(position)) - truth));
      QVERIFY2(error < 1e-12, qPrintable(QString("position %1: %2 rad").arg(position).arg(error)));
    }
  }

  void bounds_by_hand() {
    // 0, 3/8, 6/8, 1/8, 4/8 of a turn.
    const Turns eighth = Turns{1} << 61;
    const TurnBounds five = bounds({0, 3 * eighth, 5});
    QCOMPARE(five.low, Turns{0});
    QCOMPARE(five.high, 6 * eighth);
    const TurnBounds later = bounds({3 * eighth, 3 * eighth, 4});
    QCOMPARE(later.low, eighth);
    QCOMPARE(later.high, 6 * eighth);
    QCOMPARE(bounds({7, 0, 100}).high, Turns{7});
  }

  void bounds_agree_with_all_terms() {
    std::mt19937_64 random(1);
    for (int round = 0; round < 4000; ++round) {
      const Progression p = random_progression(random, 500);
      TurnBounds slow{std::numeric_limits<Turns>::max(), 0};
      for (std::uint64_t k = 0; k < p.count; ++k) {
        slow.low = std::min(slow.low, p.start + k * p.rate);
        slow.high = std::max(slow.high, p.start + k * p.rate);
      }
      const TurnBounds fast = bounds(p);
      const auto text = qPrintable(QString("start %1 rate %2 count %3").arg(p.start).arg(p.rate).arg(p.count));
      QVERIFY2(fast.low == slow.low && fast.high == slow.high, text);
    }
  }

  void bounds_of_many_terms_are_quick() {
    const TurnBounds all = bounds({12345, turns_of(0.7L), std::uint64_t{1} << 40});
    QVERIFY(all.low < Turns{1} << 26);
    QVERIFY(all.high > Turns{0} - (Turns{1} << 26));
  }

  void distance_is_the_shorter_arc() {
    QCOMPARE(distance_to(0, {Turns{0} - 5, 0, 1}), Turns{5});
    QCOMPARE(distance_to(0, {half_turn, 0, 1}), half_turn);
    std::mt19937_64 random(2);
    for (int round = 0; round < 1000; ++round) {
      const Progression p = random_progression(random, 100);
      const Turns target = random();
      Turns slow = half_turn;
      for (std::uint64_t k = 0; k < p.count; ++k) {
        const Turns apart = p.start + k * p.rate - target;
        slow = std::min({slow, apart, Turns{0} - apart});
      }
      QCOMPARE(distance_to(target, p), slow);
    }
  }

  void vector_sum_agrees_with_all_terms() {
    std::mt19937_64 random(3);
    for (int round = 0; round < 2000; ++round) {
      const Progression p = random_progression(random, 300);
      std::complex<double> slow = 0;
      for (std::uint64_t k = 0; k < p.count; ++k) slow += std::polar(1.0, signed_radians(p.start + k * p.rate));
      const VectorSum fast = vector_sum(p);
      const double error = std::abs(std::polar(fast.length, signed_radians(fast.direction)) - slow);
      const auto text = qPrintable(QString("rate %1 count %2: off by %3").arg(p.rate).arg(p.count).arg(error));
      QVERIFY2(error < 1e-9, text);
    }
  }

  void one_term_is_itself() {
    const VectorSum one = vector_sum({123456789, 987654321, 1});
    QCOMPARE(one.length, 1.0);
    QCOMPARE(one.direction, Turns{123456789});
  }
};

VQSCOPE_TEST(TurnsTest)
#include "turns_test.moc"
