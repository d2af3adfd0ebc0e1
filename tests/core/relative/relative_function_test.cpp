// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/relative_function.h"

#include "tests/core/relative/before_all.h"
#include "tests/support/random_numbers.h"
#include "tests/support/relative_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

RelativePiece line_from(Index begin, double slope) {
  return smooth_from(begin, [slope](double d) { return slope * d; });
}

/// Squares, of which no value is below 0 or above 10,000.
RelativePiece squares_from(Index begin, double cost = 1) {
  return {.begin = begin,
          .kind = PieceKind::rough,
          .at = [](double d) { return d * d; },
          .fill =
              [](Index first, std::span<double> out) {
                for (double& value : out) value = static_cast<double>(first * first), ++first;
              },
          .bounds = {0, 10'000},
          .cost = cost};
}

std::vector<double> filled(const RelativeFunction& f, Index first, std::size_t count) {
  std::vector<double> values(count, -777);
  f.fill(first, values);
  return values;
}

/// Pieces of every kind, some of them of a single position.
RelativeFunction any_function(Random& random, bool even) {
  RelativeFunction f{{}, even};
  Index begin = before_all;
  Index next = even ? pick(random, 1, 5) : pick(random, -20, 5);
  for (Index pieces = pick(random, 1, 6); pieces > 0; --pieces) {
    const double value = static_cast<double>(pick(random, -30, 30)) / 7;
    switch (pick(random, 0, 3)) {
      case 0: f.pieces.push_back(constant_from(begin, value)); break;
      case 1: f.pieces.push_back(squares_from(begin)); break;
      case 2: f.pieces.push_back(line_from(begin, value)); break;
      default: f.pieces.push_back(no_values_from(begin)); break;
    }
    begin = next;
    next += pick(random, 1, 9);
  }
  return f;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

class RelativeFunctionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// -2d up to -1, nothing on 0 and 1, d² on 2 to 3, 5 from 4 on.
  void pieces_by_hand() {
    const RelativeFunction f{{line_from(before_all, -2), no_values_from(0), squares_from(2), constant_from(4, 5)}};
    QCOMPARE(f.at(-3), 6.0);
    QCOMPARE(f.at(-1), 2.0);
    QVERIFY(std::isnan(f.at(0)) && std::isnan(f.at(1)));
    QCOMPARE(f.at(2), 4.0);
    QCOMPARE(f.at(3), 9.0);
    QCOMPARE(f.at(4), 5.0);
    QCOMPARE(f.at(Index{1} << 40), 5.0);
    QVERIFY(f.piece_of(before_all).kind == PieceKind::smooth && f.piece_of(3).kind == PieceKind::rough);
  }

  void an_even_function_is_its_mirror_image() {
    const RelativeFunction f{{squares_from(before_all), constant_from(3, -1)}, true};
    for (Index d = 0; d < 6; ++d) QCOMPARE(f.at(-d), f.at(d));
    QCOMPARE(f.at(-2), 4.0);
    QCOMPARE(f.at(-3), -1.0);
    QCOMPARE(f.piece_of(-3).begin, Index{3});
    QCOMPARE(filled(f, -4, 9), (std::vector<double>{-1, -1, 4, 1, 0, 1, 4, -1, -1}));
    QCOMPARE(filled(f, -3, 2), (std::vector<double>{-1, 4}));
  }

  void filled_values_agree_with_the_definition() {
    Random random(1);
    for (int i = 0; i < 2'000; ++i) {
      const auto f = any_function(random, i % 2 == 1);
      const Index first = pick(random, -40, 40);
      const auto values = filled(f, first, static_cast<std::size_t>(pick(random, 0, 60)));
      for (std::size_t k = 0; k < values.size(); ++k)
        QVERIFY2(same(values[k], f.at(first + static_cast<Index>(k))), to_text(first + static_cast<Index>(k)).c_str());
    }
  }

  void bounds_hold_every_value_and_are_tight_for_smooth_pieces() {
    Random random(2);
    for (int i = 0; i < 2'000; ++i) {
      const auto f = any_function(random, i % 2 == 1);
      const Index first = pick(random, -40, 40);
      const Index last = pick(random, first, 60);
      double low = std::numeric_limits<double>::quiet_NaN(), high = low;
      for (Index d = first; d <= last; ++d) {
        low = std::fmin(low, f.at(d));
        high = std::fmax(high, f.at(d));
      }
      const auto [least, most] = f.bounds(first, last);
      if (f.has(PieceKind::rough))
        QVERIFY(std::isnan(low) || (least <= low && most >= high));
      else
        QVERIFY2(same(least, low) && same(most, high), to_text(first).c_str());
    }
  }

  void bounds_of_no_values() {
    const RelativeFunction f{{no_values_from(before_all), constant_from(5, 2)}};
    QVERIFY(std::isnan(f.bounds(-3, 4).first) && std::isnan(f.bounds(-3, 4).second));
    QCOMPARE(f.bounds(-3, 5), (std::pair{2.0, 2.0}));
    QVERIFY2(std::isnan(f.bounds(7, 6).first), "nothing lies between 7 and 6");
  }

  void kinds_and_cost() {
    const RelativeFunction f{{squares_from(before_all, 3), no_values_from(0), squares_from(2, 7), constant_from(9, 1)}};
    QCOMPARE(f.cost(), 7.0);
    QVERIFY(f.has(PieceKind::rough) && f.has(PieceKind::none) && f.has(PieceKind::constant));
    QVERIFY(!f.has(PieceKind::smooth));
  }

  void a_difference_is_cell_by_cell() {
    Random random(3);
    for (int i = 0; i < 2'000; ++i) {
      const bool even = i % 2 == 1;
      const auto a = any_function(random, even);
      const auto b = any_function(random, even);
      const auto minus = difference(a, b);
      QCOMPARE(minus.even, even);
      const auto values = filled(minus, -40, 81);
      const auto [least, most] = minus.bounds(-40, 40);
      for (Index d = -40; d <= 40; ++d) {
        const double wanted = a.at(d) - b.at(d);
        QVERIFY2(same(minus.at(d), wanted), to_text(d).c_str());
        QVERIFY2(alike(values[static_cast<std::size_t>(d + 40)], wanted, 1e-12), to_text(d).c_str());
        QVERIFY2(std::isnan(wanted) || (least <= wanted && wanted <= most), to_text(d).c_str());
      }
    }
  }

  /// Pieces constant in both stay in closed form; pieces without a value in both have none.
  void kinds_of_a_difference() {
    const RelativeFunction a{{constant_from(before_all, 3), line_from(0, 1), no_values_from(10)}};
    const RelativeFunction b{{constant_from(before_all, 1), constant_from(5, 2), constant_from(12, 7)}};
    const auto minus = difference(a, b);
    QCOMPARE(minus.at(-5), 2.0);
    QVERIFY(minus.piece_of(-5).kind == PieceKind::constant);
    QVERIFY(minus.piece_of(3).kind == PieceKind::rough && minus.piece_of(7).kind == PieceKind::rough);
    QVERIFY(minus.piece_of(11).kind == PieceKind::none && minus.piece_of(50).kind == PieceKind::none);
    QCOMPARE(minus.pieces.size(), std::size_t{5});
    QCOMPARE(minus.bounds(0, 4), (std::pair{-1.0, 3.0}));
  }
};

VQSCOPE_TEST(RelativeFunctionTest)
#include "relative_function_test.moc"
