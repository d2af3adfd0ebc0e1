// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/additive.h"

#include "core/mask/import/imported_mask.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/compared_mask.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr AdditiveFormat lowest_float16{FloatType::float16, MaskedValue::most_negative};
constexpr AdditiveFormat minus_infinity{FloatType::float16, MaskedValue::minus_infinity};

}  // namespace

class AdditiveTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void additive_values() {
    QCOMPARE(float_type_names()[2], std::string("bfloat16"));
    const auto text = [](FloatType type, MaskedValue masked) { return additive_text({type, masked}, false); };
    COMPARE_TEXT(text(FloatType::float32, MaskedValue::most_negative), "-3.4028235e+38");
    COMPARE_TEXT(text(FloatType::float16, MaskedValue::most_negative), "-65504");
    COMPARE_TEXT(text(FloatType::bfloat16, MaskedValue::most_negative), "-3.3895314e+38");
    COMPARE_TEXT(text(FloatType::bfloat16, MaskedValue::minus_infinity), "-inf");
    COMPARE_TEXT(additive_text(minus_infinity, true), "0");
    COMPARE_TEXT(short_additive_text({}, false), "-3.4e+38");
    COMPARE_TEXT(short_additive_text({FloatType::float16, MaskedValue::most_negative}, false), "-65504");
    // bfloat16 is the upper half of a float32: sign, exponent 254, mantissa 127.
    QCOMPARE(most_negative(FloatType::bfloat16), -std::ldexp(255.0, 120));
    QCOMPARE(static_cast<double>(static_cast<float>(most_negative(FloatType::bfloat16))),
             most_negative(FloatType::bfloat16));
  }

  /// Number of an additive file for a masked key, in the requested format.
  void numbers_of_a_file() {
    const ImportedMask imported({1, 2}, ImportedRuns{{{0, 1}}}, {-1e30});
    QCOMPARE(masked_number(imported), std::optional<double>(-1e30));
    QVERIFY(!masked_number(ImportedMask({1, 2}, ImportedRuns{{{0, 1}}}, {-1e30, -HUGE_VAL})));
    QVERIFY(!masked_number(ImportedMask({1, 2}, ImportedRuns{{{0, 1}}})));
    const AdditiveFormat single{.own = -1e30};
    COMPARE_TEXT(additive_text(single, false), "-1e+30");
    COMPARE_TEXT(own_number_sentence(single), "The file has -1e+30 where a key is masked.");
    const AdditiveFormat half{.type = FloatType::float16, .own = -1e30};
    COMPARE_TEXT(additive_text(half, false), "-inf");
    COMPARE_TEXT(own_number_sentence(half), "The file has -1e+30 where a key is masked, which is -inf in float16.");
    const RowReport blind{.row = 0, .keys = 2};
    QVERIFY(std::isnan(neutral_weight(blind, half, false)));
    QCOMPARE(neutral_weight(blind, single, false), 0.5);
  }

  /// Exported numbers are rounded to the requested type.
  void own_numbers_are_rounded_to_the_type() {
    const auto text = [](FloatType type, double own) { return additive_text({.type = type, .own = own}, false); };
    COMPARE_TEXT(text(FloatType::float32, -10000), "-10000");
    COMPARE_TEXT(text(FloatType::float16, -10000), "-10000");
    // Eight bits of mantissa: -10000 lies between -9984 and -10048.
    COMPARE_TEXT(text(FloatType::bfloat16, -10000), "-9984");
    COMPARE_TEXT(text(FloatType::float16, -65504), "-65504");
    COMPARE_TEXT(text(FloatType::float16, -65520), "-inf");
    COMPARE_TEXT(text(FloatType::bfloat16, -HUGE_VAL), "-inf");
    COMPARE_TEXT(own_number_sentence({.type = FloatType::bfloat16, .own = -10000}),
                 "The file has -10000 where a key is masked, which is -9984 in bfloat16.");
    COMPARE_TEXT(own_number_sentence(lowest_float16), "");
    // Where the key is visible it is 0 whatever the file has.
    COMPARE_TEXT(additive_text({.own = -10000}, true), "0");
  }

  void numbers_above_minus_a_thousand_are_biases() {
    const auto of = [](std::vector<double> numbers) {
      return masked_number(ImportedMask({1, 2}, ImportedRuns{{{0, 1}}}, numbers));
    };
    QCOMPARE(of({-1000}), std::optional<double>(-1000));
    QVERIFY(!of({-999}));
    QCOMPARE(of({-0.5, -10000, -1.5}), std::optional<double>(-10000));
    // Masks that no file has none.
    QVERIFY(!masked_number(ComparedMask(4, 2)));
  }

  /// Against the softmax itself, in double.
  void weights_of_equal_scores() {
    Random random(5);
    for (int i = 0; i < 200; ++i) {
      const auto mask = random_case(random).mask();
      const RowReport row = *row_report(*mask, pick(random, 0, mask->extent().rows - 1));
      for (const auto type : {FloatType::float32, FloatType::float16, FloatType::bfloat16})
        for (const auto masked : {MaskedValue::most_negative, MaskedValue::minus_infinity}) {
          const AdditiveFormat format{type, masked};
          const double top = additive_value(format, !row.empty());
          double sum = 0;
          for (Index key = 0; key < row.keys; ++key) sum += std::exp(additive_value(format, row.sees(key)) - top);
          for (Index key = 0; key < row.keys; ++key) {
            const double wanted = std::exp(additive_value(format, row.sees(key)) - top) / sum;
            const double weight = neutral_weight(row, format, row.sees(key));
            QVERIFY(std::isnan(wanted) ? std::isnan(weight) : std::abs(weight - wanted) < 1e-12);
          }
        }
    }
  }

  void weights_in_words() {
    const auto mask = packed_case().mask();
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 15), lowest_float16),
                 "Softmax of equal scores: each of the 4 visible keys weighs 1/4, masked keys 0.");
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 12), lowest_float16),
                 "Softmax of equal scores: the one visible key has all of the weight.");
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 0), minus_infinity),
                 "No key is visible: a softmax over -inf alone divides 0 by 0, every weight is NaN.");
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 0), lowest_float16),
                 "No key is visible: all 32 keys hold the same -65504, so the softmax is uniform over keys that are "
                 "masked, 1/32 each.");
  }
};

VQSCOPE_TEST(AdditiveTest)
#include "additive_test.moc"
