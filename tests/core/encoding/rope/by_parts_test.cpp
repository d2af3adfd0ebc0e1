// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_scaling.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

RopeScaling by_parts(double ntk_factor, double extrapolation_factor) {
  return {
      .rope_type = "ntk_by_parts", .factor = 8, .ntk_factor = ntk_factor, .extrapolation_factor = extrapolation_factor};
}

double largest_difference(const RopeScaling& a, const RopeScaling& b) {
  const auto one = rope_frequencies(a).inv_freq, other = rope_frequencies(b).inv_freq;
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    largest = std::max(largest, static_cast<double>(std::abs(one[i] / other[i] - 1)));
  return largest;
}

}  // namespace

/// The knobs of NTK-by-parts.
class ByPartsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void zero_fractions_give_interpolation() {
    QVERIFY(largest_difference(by_parts(0, 0), {.rope_type = "linear", .factor = 8}) < 1e-15);
  }

  /// With ramps that end before any pair, NTK alone or the plain frequencies alone are left.
  void ends_of_the_ramps() {
    RopeScaling ntk = by_parts(1, 0);
    ntk.beta_0 = ntk.beta_1 = 0.01;
    QVERIFY(largest_difference(ntk, {.rope_type = "ntk", .factor = 8}) < 1e-15);
    RopeScaling plain = by_parts(1, 1);
    plain.gamma_0 = plain.gamma_1 = 0.01;
    QVERIFY(largest_difference(plain, {}) < 1e-15);
  }

  void half_a_fraction_gives_the_mean() {
    const auto none = rope_frequencies(by_parts(1, 0)).inv_freq, all = rope_frequencies(by_parts(1, 1)).inv_freq,
               half = rope_frequencies(by_parts(1, 0.5)).inv_freq;
    for (std::size_t i = 0; i < half.size(); ++i)
      QVERIFY(std::abs(static_cast<double>(half[i] / ((none[i] + all[i]) / 2) - 1)) < 1e-15);
  }

  void values_and_errors() {
    RopeScaling scaling = by_parts(0.25, 0.75);
    scaling.seq_len = 4096;
    scaling.beta_0 = 2;
    scaling.gamma_1 = 3;
    ParameterValues values = rope_scaling_values(scaling);
    QCOMPARE(rope_scaling_values(rope_scaling_from(values)), values);
    scaling.beta_1 = 4;
    COMPARE_ERROR(scaling.check(), "beta_0 is 2 but must be at least beta_1 = 4");
    scaling.beta_1 = 1;
    scaling.gamma_1 = 20;
    COMPARE_ERROR(scaling.check(), "gamma_0 is 16 but must be at least gamma_1 = 20");
  }
};

VQSCOPE_TEST(ByPartsTest)
#include "by_parts_test.moc"
