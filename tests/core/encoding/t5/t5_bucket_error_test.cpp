// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/t5/t5_bucket.h"
#include "core/method/curve_set.h"
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

T5Buckets counted_buckets(Index count, Index max_distance, bool both, T5Arithmetic arithmetic) {
  return {.num_buckets = count, .max_distance = max_distance, .bidirectional = both, .arithmetic = arithmetic};
}

}  // namespace

class T5BucketErrorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void float64_misses_the_known_ties() {
    // FORMULAS 1.1: per direction 20, max_distance 320: 12, 14, 18 become 11, 13, 17 at 20, 40,
    // 160.
    const auto wide = counted_buckets(20, 320, false, T5Arithmetic::float64);
    const auto exact = counted_buckets(20, 320, false, T5Arithmetic::exact);
    for (const auto& [n, bucket] : {std::pair{20, 12}, std::pair{40, 14}, std::pair{160, 18}}) {
      QCOMPARE(exact.distance_bucket(n), Index{bucket});
      QCOMPARE(wide.distance_bucket(n), Index{bucket - 1});
    }
    const ParameterValues::Map set{{"num_buckets", Index{20}},
                                   {"max_distance", Index{320}},
                                   {"bidirectional", false},
                                   {"number_type", std::string("float64")}};
    QCOMPARE(value_at("t5_bucket_error", -20, set), -1.0);
    QCOMPARE(value_at("t5_bucket_error", -21, set), 0.0);
    COMPARE_TEXT(why_at("t5_bucket_error", -40, set), "k is 40 behind q: bucket 13 in float64, 14 with real numbers");
  }

  void every_cell_is_the_difference_of_two_buckets() {
    for (const char* type : {"float64", "float32", "bfloat16", "float16"})
      for (const bool both : {false, true}) {
        const auto rounded = counted_buckets(32, 128, both, t5_arithmetic(type));
        const auto exact = counted_buckets(32, 128, both, T5Arithmetic::exact);
        const auto field = relative_field(
            "t5_bucket_error", {{"q_length", Index{400}}, {"bidirectional", both}, {"number_type", std::string(type)}});
        for (Index relative = -399; relative < 400; ++relative)
          QCOMPARE(field->function().at(relative),
                   static_cast<double>(rounded.bucket(relative) - exact.bucket(relative)));
      }
  }

  void summaries_are_exact_in_every_type() {
    for (const char* type : {"float32", "bfloat16", "float16"})
      COMPARE_TEXT(method_is_wrong("t5_bucket_error", {{"number_type", std::string(type)}}, 6), "");
  }

  void beyond_float16_is_the_last_bucket() {
    const auto half = counted_buckets(32, Index{1} << 20, false, T5Arithmetic::float16);
    QCOMPARE(half.distance_bucket(70000), Index{31});
    QCOMPARE(half.distance_bucket(Index{1} << 40), Index{31});
    // max_distance just above max_exact: the quotient of logarithms leaves float16.
    const auto steep = counted_buckets(4096, 2049, false, T5Arithmetic::float16);
    Index before = 0;
    for (Index n = 0; n < 6000; ++n) {
      QVERIFY(steep.distance_bucket(n) >= before && steep.distance_bucket(n) <= 4095);
      before = steep.distance_bucket(n);
    }
  }

  void facts_agree_with_the_curve() {
    const Method& method = *find_method(encoding_methods(), "t5_error_by_distance");
    const auto set = *make_curves(method, default_values(method.parameters));
    for (const auto& curve : set.curves) {
      const auto wrong = std::ranges::find_if(curve.y, [](double y) { return y != 0; });
      const double first = fact_of(set, "first_wrong_" + curve.name);
      if (wrong == curve.y.end())
        QVERIFY(std::isnan(first));
      else
        QCOMPARE(first, set.x[static_cast<std::size_t>(wrong - curve.y.begin())]);
      double sum = 0;
      for (const double y : curve.y) sum += y != 0;
      QCOMPARE(fact_of(set, "distances_wrong_" + curve.name), sum);
    }
    QVERIFY(fact_of(set, "distances_wrong_bfloat16") > 0);
    QCOMPARE(fact_of(set, "distances_wrong_float32"), 0.0);
  }
};

VQSCOPE_TEST(T5BucketErrorTest)
#include "t5_bucket_error_test.moc"
