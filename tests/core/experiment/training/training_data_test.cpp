// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/training_data.h"

#include "core/data/language.h"
#include "core/experiment/training/model_training.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

ScoredText text_of(std::string_view bytes) { return {.tokens = tokens_of_bytes(bytes), .answers = {}}; }

}  // namespace

class TrainingDataTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Row b of step t begins at ((t · rows + b) · (length + 1)) of the stream.
  void rows_of_the_language() {
    const auto stream = language::stream(2, 700);
    const auto data = TrainingData::language(2, 3, 64);
    QCOMPARE(data.vocabulary(), Index{40});
    const TokenBatch batch = data.batch(2);
    QCOMPARE(batch.rows, Index{3});
    QCOMPARE(batch.tokens[64], stream[7 * 65]);
    QCOMPARE(batch.labels[64], stream[7 * 65 + 1]);
    QCOMPARE(batch.labels[127], stream[7 * 65 + 64]);
  }

  void problems_of_a_task() {
    const auto data = TrainingData::task(Task::passkey, 5, 4);
    QCOMPARE(data.vocabulary(), Index{84});
    QCOMPARE(data.batch(3), task_batch(Task::passkey, task_size(Task::passkey, 5, 3), 4, 5, 3));
  }

  void bytes_of_a_text() {
    const auto data = TrainingData::text(text_of("abcdefgh"), 1, 3).value();
    QCOMPARE(data.vocabulary(), Index{256});
    QCOMPARE(data.batch(0).tokens, (std::vector<std::int32_t>{'a', 'b', 'c'}));
    QCOMPARE(data.batch(0).labels, (std::vector<std::int32_t>{'b', 'c', 'd'}));
    COMPARE_ERROR(TrainingData::text(text_of("abc"), 1, 3),
                  "the text has 3 tokens but must be more than 4 to train on sequences of 3");
  }

  /// In the first steps, whose inputs are those of a training on all bytes.
  void answers_are_scored_first() {
    ScoredText text = text_of("ab?Xcd?Ye");
    text.answers = {false, false, false, true, false, false, false, true, false};
    const auto data = TrainingData::text(text, 1, 3, {.steps = 1}).value();
    QCOMPARE(data.batch(0).tokens, (std::vector<std::int32_t>{'a', 'b', '?'}));
    QCOMPARE(data.batch(0).labels, (std::vector<std::int32_t>{ignored_label, ignored_label, 'X'}));
    QCOMPARE(data.batch(1).labels, (std::vector<std::int32_t>{'d', '?', 'Y'}));
    ScoredText denser = text_of("?Z?Z?Z?Z?Z");
    denser.answers = {false, true, false, true, false, true, false, true, false, true};
    const auto curriculum = TrainingData::text(text, 1, 3, {.denser = {denser}}).value();
    QCOMPARE(curriculum.batch(0).labels, (std::vector<std::int32_t>{'b', '?', 'X'}));
    QCOMPARE(curriculum.batch(1).labels, (std::vector<std::int32_t>{'Z', ignored_label, 'Z'}));
  }

  /// Known without a batch, which may be larger than the memory.
  void the_shape_of_the_first_batch() {
    for (const TrainingData& data : {TrainingData::language(2, 3, 64), TrainingData::task(Task::passkey, 5, 4),
                                     TrainingData::text(text_of("abcdefgh"), 2, 3).value()}) {
      const TokenBatch batch = data.batch(0);
      QCOMPARE(data.first_shape(), (std::array<Index, 2>{batch.rows, batch.length}));
    }
    QCOMPARE(TrainingData::language(0, 4096, 65536).first_shape(), (std::array<Index, 2>{4096, 65536}));
  }

  void positions_are_sorted_and_distinct() {
    const auto positions = random_positions(2, 8, 20, 1, 0);
    QCOMPARE(positions.size(), std::size_t{16});
    for (int row = 0; row < 2; ++row) {
      const auto begin = positions.begin() + row * 8;
      QVERIFY(std::adjacent_find(begin, begin + 8, std::greater_equal()) == begin + 8);
      QVERIFY(*begin >= 0 && begin[7] < 20);
    }
    QCOMPARE(random_positions(2, 8, 20, 1, 0), positions);
    QVERIFY(random_positions(2, 8, 20, 1, 1) != positions);
    QVERIFY(random_positions(2, 8, 20, 2, 0) != positions);
    QCOMPARE(random_positions(1, 3, 3, 9, 4), (std::vector<std::int32_t>{0, 1, 2}));
  }

  void configs_of_parameters() {
    std::vector<ParameterSpec> specs = model_size_parameters();
    for (auto& spec : model_kind_parameters()) specs.push_back(spec);
    ParameterValues values = default_values(specs);
    const auto rope = model_config(values, 40).value();
    QCOMPARE(rope.head_dim, Index{16});
    QCOMPARE(rope.pos, PositionKind::rope);
    QCOMPARE(rope.n_kv_heads, Index{4});
    values.set("n_kv_heads", Index{2});
    QCOMPARE(model_config(values, 40)->key_width(), Index{32});
    values.set("n_kv_heads", Index{3});
    COMPARE_ERROR(model_config(values, 40), "n_kv_heads is 3 but must divide n_heads, 4");
    values.set("n_kv_heads", Index{0});
    values.set("bias", std::string("kerple_log"));
    QCOMPARE(model_config(values, 40)->bias, PositionKind::relative_bias);
    QCOMPARE(model_config(values, 40)->relative_bias, "kerple_log");
    values.set("pos", std::string("fire"));
    values.set("fire_threshold", 16.0);
    const auto fire = model_config(values, 40).value();  // the bias of rotated queries and keys is left out
    QCOMPARE(fire.score_bias(), PositionKind::fire);
    QCOMPARE(fire.fire_threshold, 16.0);
    values.set("pos", std::string("xl"));
    QCOMPARE(model_config(values, 40)->pos, PositionKind::xl);
    values.set("pos", std::string("rope"));
    values.set("bias", std::string("none"));
    values.set("attn", std::string("vq"));
    QVERIFY(model_config(values, 40)->rotates());
    values.set("pos", std::string("xl"));
    values.set("xl_base", 100000.0);
    QCOMPARE(model_config(values, 40)->xl_base, 100000.0);
    values.set("clamp_len", Index{4});
    COMPARE_ERROR(model_config(values, 40),
                  "clamp_len is 4 but must be 0 for attn \"vq\": distances above block_len have no product");
    values.set("pos", std::string("vq"));
    values.set("cache", false);
    values.set("n_code", Index{5});
    const auto vq = model_config(values, 40).value();
    QVERIFY(vq.quantises() && !vq.cache);
    QCOMPARE(vq.n_code, Index{5});
    values.set("d_model", Index{30});
    values.set("n_heads", Index{10});
    values.set("attn", std::string("full"));
    values.set("pos", std::string("rope"));
    COMPARE_ERROR(model_config(values, 40), "head_dim is 3 but must be even to be rotated in pairs");
  }
};

VQSCOPE_TEST(TrainingDataTest)
#include "training_data_test.moc"
