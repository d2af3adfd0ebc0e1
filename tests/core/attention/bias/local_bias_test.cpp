// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/local_bias.h"

#include "core/encoding/methods.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/method/method_list.h"
#include "core/relative/relative_field.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index before_all = std::numeric_limits<Index>::min();

/// -distance up to `last`, constant from there.
RelativeFunction ramp_to(Index last) {
  return {{constant_from(before_all, -static_cast<double>(last)), smooth_from(-last, [](double d) { return d; })}};
}

RelativeFunction function_of(const char* method, ParameterValues values) {
  const auto field = make_field(*find_method(encoding_methods(), method), values).value();
  return *std::get<RelativeForm>(field->form()).function;
}

}  // namespace

class LocalBiasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const LocalBias bias = local_bias(ramp_to(5), 3);
    QCOMPARE(bias.window, Index{3});
    QCOMPARE(bias.values, (std::vector<float>{0, -1, -2, -3}));
    QCOMPARE(bias.beyond, (std::vector<float>{-4}));
    QCOMPARE(clipped_bias(ramp_to(5), 3).beyond, (std::vector<float>{-3}));
  }

  void window_up_to_the_constant_part_passes() {
    const RelativeFunction bias = ramp_to(5);
    const WindowCheck passes = check_window(bias, 4, 100);
    QVERIFY(passes.constant);
    COMPARE_TEXT(passes.sentence, "the bias is -5 at every distance beyond 4: the linear form is exact");
    const WindowCheck fails = check_window(bias, 2, 100);
    QVERIFY(!fails.constant);
    QCOMPARE(fails.first, Index{4});
    QCOMPARE(fails.largest, 2.0);
    COMPARE_TEXT(fails.sentence,
                 "the bias is not constant beyond distance 2: it is -3 at 3 and -4 at 4, and changes by 2 up to 99; "
                 "only the quadratic form is exact");
    COMPARE_TEXT(check_window(bias, 2, 3).sentence,
                 "no token is farther than 2 behind another: the linear form is exact");
  }

  void a_bias_that_ends_is_not_constant() {
    const RelativeFunction ends{{no_values_from(before_all), constant_from(-70000, 1)}};
    const WindowCheck check = check_window(ends, 10, 100000);
    QVERIFY(!check.constant);
    QCOMPARE(check.first, Index{70001});
    QVERIFY(std::isinf(check.largest));
    COMPARE_TEXT(check.sentence,
                 "the bias is not constant beyond distance 10: it is 1 at 11 and no number at 70001; only the "
                 "quadratic form is exact");
    QVERIFY(check_window(ends, 70000, 100000).constant);
  }

  void t5_passes_from_its_last_bucket_on() {
    const Method& method = *find_method(encoding_methods(), "t5_bias");
    for (const Index max_distance : {40, 128, 300}) {
      ParameterValues values = default_values(method.parameters);
      values.set("q_length", Index{2000});
      values.set("bidirectional", false);
      values.set("max_distance", max_distance);
      const RelativeFunction bias = function_of("t5_bias", values);
      const Index last = t5_buckets_from(values).first_distance(31);
      for (Index window = last - 3; window < last + 3; ++window)
        QCOMPARE(check_window(bias, window, 2000).constant, window + 1 >= last);
      QCOMPARE(check_window(bias, last - 2, 2000).first, last);
    }
  }

  void alibi_does_not_pass() {
    ParameterValues values = default_values(find_method(encoding_methods(), "alibi")->parameters);
    values.set("q_length", Index{600});
    const RelativeFunction bias = function_of("alibi", values);
    const WindowCheck check = check_window(bias, 512, 600);
    QVERIFY(!check.constant);
    QCOMPARE(check.first, Index{514});
    const LocalBias clipped = clipped_bias(bias, 512);
    QCOMPARE(clipped.beyond.front(), clipped.values.back());
  }
};

VQSCOPE_TEST(LocalBiasTest)
#include "local_bias_test.moc"
