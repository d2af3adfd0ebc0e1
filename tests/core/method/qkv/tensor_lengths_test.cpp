// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/tensor_lengths.h"

#include "core/base/random.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterSpec length_spec(const char* name, Index default_value, double minimum, double maximum) {
  return make_parameter(name, "Sequence", "A length.",
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum});
}

const std::vector<ParameterSpec>& length_specs() {
  static const std::vector<ParameterSpec> specs{
      length_spec("q_length", 1024, 1, 131072), length_spec("length_max", 4096, 1, 131072),
      length_spec("n_code", 64, 1, 4096),       length_spec("segment_len", 128, 1, 131072),
      length_spec("block_len", 16, 1, 4096),    length_spec("original_max_position_embeddings", 256, 4, 131072),
      length_spec("reach", 16, 1, 64)};
  return specs;
}

Index length_of(const char* name, Index tokens) {
  const auto& specs = length_specs();
  return length_for_tensors(specs, *find_spec(specs, name), tokens).value_or(-1);
}

}  // namespace

class TensorLengthsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    for (const char* name : {"q_length", "length_max"}) QCOMPARE(length_of(name, 60), Index{60});
    QCOMPARE(length_of("q_length", 1 << 20), Index{131072});
    QCOMPARE(length_of("n_code", 60), Index{15});
    QCOMPARE(length_of("n_code", 65), Index{64});
    QCOMPARE(length_of("n_code", 3), Index{1});
    QCOMPARE(length_of("segment_len", 128), Index{32});
    QCOMPARE(length_of("block_len", 3), Index{-1});
    QCOMPARE(length_of("original_max_position_embeddings", 64), Index{8});
    QCOMPARE(length_of("reach", 64), Index{8});
    QCOMPARE(length_of("original_max_position_embeddings", 4096), Index{256});
    QCOMPARE(length_of("reach", 4096), Index{16});
  }

  /// Scores are those of the model that the tensors are from, and codewords are learnt as everywhere.
  void other_values_that_follow() {
    std::vector<ParameterSpec> specs = length_specs();
    specs.push_back(make_parameter(
        "normalize", "VQ attention", "A norm.",
        {.default_value = std::string("paper"), .choices = {{"paper", ""}, {std::string(norm_of_tensors), ""}}}));
    specs.push_back(length_spec("steps", 50, 0, 10000));
    const auto value_of = [&](const char* name, Index tokens) {
      return value_for_tensors(specs, *find_spec(specs, name), tokens);
    };
    QVERIFY(value_of("normalize", 60) == ParameterValue(std::string("scale")));
    QVERIFY(value_of("q_length", 60) == ParameterValue(Index{60}));
    QVERIFY(!value_of("steps", 60) && !value_of("block_len", 60));
    specs.push_back(length_spec("train_keys", 2048, 1, 131072));
    QVERIFY(value_of("steps", 60) == ParameterValue(steps_for_tensors));
    QVERIFY(value_of("train_keys", 60) == ParameterValue(Index{60}));
    QVERIFY(value_of("train_keys", 1 << 20) == ParameterValue(Index{32768}));
  }

  /// A training length alone belongs to a model.
  void only_a_pair_is_fitted() {
    const std::vector<ParameterSpec> alone{length_spec("original_max_position_embeddings", 256, 4, 131072)};
    QVERIFY(!length_for_tensors(alone, alone.front(), 64));
    const std::vector<ParameterSpec> real{make_parameter("q_length", "Sequence", "A length.", {.default_value = 0.5})};
    QVERIFY(!length_for_tensors(real, real.front(), 64));
  }

  void all_fit_in_the_tokens() {
    SeededRandom random(1);
    for (int i = 0; i < 2000; ++i) {
      const Index tokens = 4 + static_cast<Index>(random.bits() % (std::uint64_t{1} << (2 + i % 20)));
      const Index trained = length_of("original_max_position_embeddings", tokens), reach = length_of("reach", tokens);
      QVERIFY(trained >= 4 && reach >= 1 && trained * reach <= tokens);
      QVERIFY(tokens >= 32 ? reach >= 8 : trained == 4);
      for (const char* name : {"n_code", "segment_len"})
        QVERIFY(length_of(name, tokens) >= 1 && length_of(name, tokens) < tokens);
    }
  }
};

VQSCOPE_TEST(TensorLengthsTest)
#include "tensor_lengths_test.moc"
