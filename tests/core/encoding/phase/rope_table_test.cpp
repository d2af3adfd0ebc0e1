// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/rope_table.h"

#include "core/encoding/rope/rope_scaling.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

struct Frequencies {
  std::vector<long double> inv_freq;
  std::vector<Turns> rates;
};

Frequencies frequencies(Index head_dim) {
  Frequencies all{rope_frequencies({.head_dim = head_dim}).inv_freq, {}};
  for (const auto each : all.inv_freq) all.rates.push_back(turns_of(each));
  return all;
}

/// Largest error of cos and sin over rows first, ... against long double.
template <class Out>
double worst_error(const Frequencies& f, Index first, const std::vector<Out>& cos, const std::vector<Out>& sin) {
  double worst = 0;
  for (std::size_t k = 0; k < cos.size(); ++k) {
    const auto position = static_cast<long double>(first + static_cast<Index>(k / f.rates.size()));
    const long double angle = position * f.inv_freq[k % f.rates.size()];
    worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(cos[k]) - std::cos(angle))));
    worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(sin[k]) - std::sin(angle))));
  }
  return worst;
}

}  // namespace

class RopeTableTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void error_is_that_of_rounding_data() {
    QTest::addColumn<qlonglong>("first");
    QTest::addColumn<qlonglong>("count");
    QTest::addColumn<qlonglong>("head_dim");
    QTest::newRow("start") << 0LL << 1000LL << 128LL;
    QTest::newRow("last of two million") << 2097152LL - 700 << 700LL << 128LL;
    QTest::newRow("past the anchors, larger than the cache") << 1900000LL << 17000LL << 128LL;
    QTest::newRow("odd pairs") << 1000LL << 300LL << 74LL;
    QTest::newRow("one row") << 131071LL << 1LL << 64LL;
  }
  void error_is_that_of_rounding() {
    QFETCH(qlonglong, first);
    QFETCH(qlonglong, count);
    QFETCH(qlonglong, head_dim);
    const auto f = frequencies(head_dim);
    std::vector<float> cos(static_cast<std::size_t>(count) * f.rates.size());
    auto sin = cos;
    RopeTable(f.rates).fill(first, count, cos.data(), sin.data());
    const double error = worst_error(f, first, cos, sin);
    QVERIFY2(error < 6e-8, qPrintable(QString("off by %1").arg(error)));
  }

  void doubles_are_right_to_1e11() {
    const auto f = frequencies(128);
    std::vector<double> cos(20000 * f.rates.size());
    auto sin = cos;
    RopeTable(f.rates).fill(2000000, 20000, cos.data(), sin.data());
    const double error = worst_error(f, 2000000, cos, sin);
    QVERIFY2(error < 1e-11, qPrintable(QString("off by %1").arg(error)));
  }

  void either_destination_may_be_left_out() {
    const auto f = frequencies(64);
    std::vector<float> cos(500 * f.rates.size());
    auto sin = cos;
    auto cos_alone = cos;
    auto sin_alone = cos;
    const RopeTable table(f.rates);
    table.fill(77, 500, cos.data(), sin.data());
    table.fill(77, 500, cos_alone.data(), static_cast<float*>(nullptr));
    table.fill(77, 500, static_cast<float*>(nullptr), sin_alone.data());
    QCOMPARE(cos_alone, cos);
    QCOMPARE(sin_alone, sin);
  }

  void steps_and_amplitude() {
    const auto f = frequencies(64);
    std::vector<double> few(300 * f.rates.size());
    auto many = few;
    RopeTable(f.rates, 2, 7).fill(5, 300, few.data(), static_cast<double*>(nullptr));
    RopeTable(f.rates).fill(5, 300, many.data(), static_cast<double*>(nullptr));
    for (std::size_t k = 0; k < few.size(); ++k) QVERIFY(std::abs(few[k] - 2 * many[k]) < 1e-13);
  }
};

VQSCOPE_TEST(RopeTableTest)
#include "rope_table_test.moc"
