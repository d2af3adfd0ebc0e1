// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/row_report.h"

#include "core/mask/import/dump_mask.h"
#include "core/mask/row/additive.h"
#include "core/mask/row/key_list.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/compared_mask.h"
#include "tests/support/test_main.h"

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Four documents of 8, 8, 8 and 4 behind 4 keys of left padding.
MaskCase packed() {
  SequenceInput input{.q_length = 32, .padding_side = PaddingSide::left, .padding = 4};
  input.document_lengths = {8, 8, 8, 4};
  return {*SequenceLayout::make(input), {"key_valid", "same_document", "causal"}};
}

constexpr AdditiveFormat lowest{FloatType::float16, MaskedValue::most_negative};
constexpr AdditiveFormat minusInfinity{FloatType::float16, MaskedValue::minus_infinity};

}  // namespace

class RowReportTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aRowByHand() {
    const RowReport row = *row_report(*packed().mask(), 15);
    QCOMPARE(row.visible, (std::vector<Range>{{12, 16}}));
    QCOMPARE(row.count, Index{4});
    QCOMPARE(row.first(), Index{12});
    QCOMPARE(row.last(), Index{15});
    QVERIFY(row.facts == (TokenFacts{{"q_pos", "3"}, {"q_doc", "1"}}));
    QVERIFY(key_facts(*packed().mask(), 15, 3) == (TokenFacts{{"kv_pos", "padding"}, {"kv_doc", "padding"}}));
    COMPARE_TEXT(row_sentence(row, 4), "sees 4 of 32 keys: 12–15");
    COMPARE_TEXT(row_sentence(*row_report(*packed().mask(), 2), 4), "sees no key");
  }

  void rangesAsText() {
    const std::vector<Range> ranges{{0, 4}, {17, 231}, {512, 513}, {2000, 2097152}};
    COMPARE_TEXT(ranges_text(ranges, 4), "0–3, 17–230, 512, 2 000–2 097 151");
    COMPARE_TEXT(ranges_text(ranges, 2), "0–3, 17–230 and 2 more");
    COMPARE_TEXT(ranges_text({}, 2), "none");
    COMPARE_TEXT(ranges_text(std::vector<Range>(5001, {1, 2}), 1), "1 and 5 000 more");
  }

  void aRowSeesWhatItsCellsSay() {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
      const MaskCase mask_case = random_case(random);
      const auto mask = mask_case.mask();
      const Index q = pick(random, 0, mask->extent().rows - 1);
      const RowReport row = *row_report(*mask, q);
      Index count = 0;
      for (Index kv = 0; kv < mask->extent().cols; ++kv) {
        QVERIFY2(row.sees(kv) == mask->visible(q, kv), mask_case.name().c_str());
        count += mask->visible(q, kv);
      }
      QCOMPARE(row.count, count);
    }
  }

  void keysOfEachFilter() {
    Random random(4);
    for (int i = 0; i < 300; ++i) {
      const auto mask = random_case(random).mask();
      const RowReport row = *row_report(*mask, pick(random, 0, mask->extent().rows - 1));
      for (const auto filter : {KeyFilter::all, KeyFilter::visible, KeyFilter::masked}) {
        const KeyList keys(row, filter);
        Index place = 0;
        for (Index key = 0; key < row.keys; ++key) {
          const bool wanted = filter == KeyFilter::all || row.sees(key) == (filter == KeyFilter::visible);
          QCOMPARE(keys.has(key), wanted);
          QCOMPARE(keys.place_of(key), place);
          if (wanted) QCOMPARE(keys.at(place++), key);
        }
        QCOMPARE(keys.size(), place);
        QCOMPARE(keys.place_of(row.keys), place);
      }
    }
  }

  /// What an additive file has where a key is masked, in the format that is asked for.
  void numbersOfAFile() {
    const DumpMask dump({1, 2}, {{0, 1}}, {1}, {-1e30});
    QCOMPARE(masked_number(dump), std::optional<double>(-1e30));
    QVERIFY(!masked_number(DumpMask({1, 2}, {{0, 1}}, {1}, {-1e30, -HUGE_VAL})));
    QVERIFY(!masked_number(DumpMask({1, 2}, {{0, 1}}, {1})));
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

  void additiveValues() {
    QCOMPARE(float_type_names()[2], std::string("bfloat16"));
    const auto text = [](FloatType type, MaskedValue masked) { return additive_text({type, masked}, false); };
    COMPARE_TEXT(text(FloatType::float32, MaskedValue::most_negative), "-3.4028235e+38");
    COMPARE_TEXT(text(FloatType::float16, MaskedValue::most_negative), "-65504");
    COMPARE_TEXT(text(FloatType::bfloat16, MaskedValue::most_negative), "-3.3895314e+38");
    COMPARE_TEXT(text(FloatType::bfloat16, MaskedValue::minus_infinity), "-inf");
    COMPARE_TEXT(additive_text(minusInfinity, true), "0");
    // bfloat16 is the upper half of a float32: sign, exponent 254, mantissa 127.
    QCOMPARE(most_negative(FloatType::bfloat16), -std::ldexp(255.0, 120));
    QCOMPARE(static_cast<double>(static_cast<float>(most_negative(FloatType::bfloat16))),
             most_negative(FloatType::bfloat16));
  }

  /// Against the softmax itself, in double.
  void weightsOfEqualScores() {
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

  void weightsInWords() {
    const auto mask = packed().mask();
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 15), lowest),
                 "Softmax of equal scores: each of the 4 visible keys weighs 1/4, masked keys 0.");
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 12), lowest),
                 "Softmax of equal scores: the one visible key has all of the weight.");
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 0), minusInfinity),
                 "No key is visible: a softmax over -inf alone divides 0 by 0, every weight is NaN.");
    COMPARE_TEXT(neutral_weights_sentence(*row_report(*mask, 0), lowest),
                 "No key is visible: all 32 keys hold the same -65504, so the softmax is uniform over keys that are "
                 "masked, 1/32 each.");
  }

  void aMaskCellByCell() {
    const RowReport row = *row_report(ComparedMask(40, 6), 20);
    QCOMPARE(row.visible, (std::vector<Range>{{15, 18}, {19, 21}}));
    COMPARE_TEXT(row_sentence(row, 1), "sees 5 of 40 keys: 15–17 and 1 more");
  }
};

VQSCOPE_TEST(RowReportTest)
#include "row_report_test.moc"
