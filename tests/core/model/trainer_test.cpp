// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/trainer.h"

#include "core/model/train/initial_weights.h"
#include "tests/core/model/golden/golden_case.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TransformerConfig small_config() {
  return {.vocab = 5,
          .d_model = 8,
          .n_heads = 2,
          .n_kv_heads = 2,
          .head_dim = 4,
          .d_ff = 6,
          .pos = PositionKind::vq,
          .attn = AttentionKind::vq,
          .n_code = 3,
          .block_len = 4};
}

/// The sequence 0, 2, 4, 1, 3, 0, ... from some token on, each labelled with the next.
struct Sequence {
  explicit Sequence(Index first, Index length_ = 10) : length(length_) {
    for (Index i = 0; i < length; ++i) {
      tokens.push_back(static_cast<std::int32_t>((first + 2 * i) % 5));
      labels.push_back(static_cast<std::int32_t>((first + 2 * i + 2) % 5));
    }
  }
  Batch batch() const { return {2, length / 2, tokens, labels}; }
  Index length;
  std::vector<std::int32_t> tokens, labels;
};

template <class Real>
std::unique_ptr<Trainer<Real>> trainer_of(const TransformerConfig& config, double lr_max = 5e-3, Index bptt_len = 0) {
  TrainerOptions options{.bptt_len = bptt_len};
  options.rate.lr_max = lr_max;
  options.rate.warmup_steps = 0;
  const auto layout = parameter_layout(config).value();
  return std::make_unique<Trainer<Real>>(config, initial_weights<Real>(config, layout, 3), options);
}

NamedTensors saved(const std::vector<NamedTensor>& tensors) {
  static std::string bytes;
  StringSink sink;
  const bool written = bool(write_safetensors(tensors, sink));
  bytes = written ? sink.text() : std::string();
  return NamedTensors::open(std::make_shared<MemorySource>(bytes), "s").value();
}

}  // namespace

class TrainerTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Three steps of AdamW, as another framework takes them.
  void golden_steps() {
    const auto first = golden_case("adamw", ".step1");
    TrainerOptions options;
    options.rate = {.lr_max = 0.003, .lr_min_ratio = 0.1, .warmup_steps = 2, .total_steps = 10};
    Trainer<double> trainer(first.config, golden_weights<double>(first), options);
    for (Index t = 1; t <= 3; ++t) {
      const auto golden = golden_case("adamw", ".step" + std::to_string(t));
      const auto done = trainer.step(golden.batch(), 2).value();
      QCOMPARE(done.step, t);
      QVERIFY(std::abs(done.losses.loss -
                       *golden.json.find("steps")->list()->at(static_cast<std::size_t>(t - 1)).find("loss")->number()) <
              1e-11);
    }
    for (const NamedTensor& tensor : trainer.weights()) {
      const auto expected = first.reals("after." + tensor.name);
      QVERIFY(relative_difference<double>(std::get<std::vector<double>>(tensor.values), expected) < 1e-9);
    }
  }

  void a_sequence_is_learnt() {
    auto trainer = trainer_of<float>(small_config());
    double first = 0, last = 0;
    for (Index t = 0; t < 200; ++t) {
      last = trainer->step(Sequence(t).batch(), 1)->losses.ce_loss;
      if (t == 0) first = last;
    }
    QVERIFY(first > 1.2 && last < 0.1);
  }

  /// Numbers follow from the batches alone.
  void training_does_not_depend_on_threads_and_pauses() {
    auto whole = trainer_of<float>(small_config()), threaded = trainer_of<float>(small_config());
    auto begun = trainer_of<float>(small_config()), resumed = trainer_of<float>(small_config());
    for (Index t = 0; t < 6; ++t) {
      QVERIFY(whole->step(Sequence(t, 10 + 2 * t).batch(), 1));
      QVERIFY(threaded->step(Sequence(t, 10 + 2 * t).batch(), 3));
      if (t == 3) QVERIFY(resumed->resume(saved(begun->state())));
      QVERIFY((t < 3 ? begun : resumed)->step(Sequence(t, 10 + 2 * t).batch(), 1));
    }
    QCOMPARE(threaded->parameters().values, whole->parameters().values);
    QCOMPARE(resumed->parameters().values, whole->parameters().values);
    QCOMPARE(resumed->steps(), Index{6});
  }

  /// Windows of 8, 8 and 4 tokens; those after the first see what came before. Pauses at each of them change nothing.
  void windows_of_truncated_backpropagation() {
    for (const bool cache : {true, false}) {
      TransformerConfig config = small_config();
      config.cache = cache;
      const auto windows = [&] { return trainer_of<float>(config, 5e-3, 8); };
      auto whole = windows(), begun = windows(), alone = trainer_of<float>(config);
      QCOMPARE(whole->windows(20), Index{3});
      for (Index step = 0; step < 6; ++step) {
        const Sequence sequence(step / 3, 40);
        const auto done = whole->step(sequence.batch(), 2).value();
        QCOMPARE(done.tokens, Index{step % 3 == 2 ? 8 : 16});
        const Range some{8 * (step % 3), std::min<Index>(20, 8 * (step % 3) + 8)};
        const auto tokens = columns_of(sequence.tokens, 20, some), labels = columns_of(sequence.labels, 20, some);
        const auto other = alone->step({2, some.size(), tokens, labels}, 1).value();
        if (step == 0) QCOMPARE(done.losses.loss, other.losses.loss);
        if (step == 1) QVERIFY(done.losses.ce_loss != other.losses.ce_loss);
        auto resumed = windows();
        if (step > 0) QVERIFY(resumed->resume(saved(begun->state())));
        QVERIFY(resumed->step(sequence.batch(), 1));
        QCOMPARE(resumed->parameters().values, whole->parameters().values);
        begun = std::move(resumed);
      }
    }
  }

  void windows_need_what_came_before() {
    auto begun = trainer_of<float>(small_config(), 5e-3, 8), resumed = trainer_of<float>(small_config(), 5e-3, 8);
    QVERIFY(begun->step(Sequence(0, 40).batch(), 1));
    auto state = begun->state();
    std::erase_if(state, [](const NamedTensor& tensor) { return tensor.name == "carried.layer1.codes"; });
    COMPARE_ERROR(resumed->resume(saved(state)),
                  "s: tensor carried.layer1.codes of shape [2, 2, 4] is missing, attention carried to the next step");
    std::erase_if(state, [](const NamedTensor& tensor) { return tensor.name.starts_with("carried."); });
    QVERIFY(resumed->resume(saved(state)));
    COMPARE_ERROR(
        resumed->step(Sequence(0, 40).batch(), 1),
        "step 2 continues sequences after 8 tokens, but no attention was carried to it: start anew, or resume "
        "with the same batches");
  }

  /// Their parameters too are in the state, and move in training.
  void learnt_positions_are_saved_and_resumed() {
    for (const PositionKind pos : {PositionKind::fire, PositionKind::xl, PositionKind::rope}) {
      TransformerConfig config = small_config();
      config.attn = AttentionKind::full;
      config.pos = pos;
      config.fire_threshold = 3;
      if (pos == PositionKind::rope) {
        config.bias = PositionKind::relative_bias;
        config.relative_bias = "kerple_log";
      }
      auto whole = trainer_of<float>(config), begun = trainer_of<float>(config), resumed = trainer_of<float>(config);
      const auto before = whole->parameters();
      for (Index t = 0; t < 4; ++t) {
        QVERIFY(whole->step(Sequence(t).batch(), 1));
        if (t == 2) QVERIFY(resumed->resume(saved(begun->state())));
        QVERIFY((t < 2 ? begun : resumed)->step(Sequence(t).batch(), 2));
      }
      QCOMPARE(resumed->parameters().values, whole->parameters().values);
      for (const ParameterTensor& tensor : before.layout->tensors)
        QVERIFY2(!std::ranges::equal(before.tensor(tensor), whole->parameters().tensor(tensor)), tensor.name.c_str());
    }
  }

  void non_finite_loss_ends_training() {
    auto trainer = trainer_of<float>(small_config(), 1e30);
    auto before = trainer->parameters().values;
    Index t = 0;
    for (;; ++t) {
      const auto good = trainer->parameters().values;
      const auto done = trainer->step(Sequence(t).batch(), 1);
      if (!done) break;
      before = good;
      QVERIFY(t < 100);
    }
    QVERIFY(t > 0);
    QCOMPARE(trainer->parameters().values, before);
    for (const float value : before) QVERIFY(std::isfinite(value));
    const QString failure = QString::fromStdString(trainer->failure());
    QVERIFY2(failure.contains(QString(" of step %1 is ").arg(t + 1)), qPrintable(failure));
    QVERIFY(failure.endsWith(": training stopped with the last weights whose loss and gradient were finite"));
    COMPARE_ERROR(trainer->step(Sequence(0).batch(), 1), trainer->failure());
  }

  void cancelled_step_keeps_the_parameters() {
    auto trainer = trainer_of<float>(small_config());
    const auto before = trainer->parameters().values;
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(trainer->step(Sequence(0).batch(), 1, stop.get_token()).error().code, Errc::cancelled);
    QCOMPARE(trainer->parameters().values, before);
    QCOMPARE(trainer->steps(), Index{0});
    QVERIFY(trainer->failure().empty());
  }

  void states_that_do_not_fit() {
    auto trainer = trainer_of<float>(small_config());
    COMPARE_ERROR(trainer->resume(saved(trainer->weights())),
                  "s: tensor optimizer.steps of shape [1] is missing: this is not a saved training");
    auto state = trainer->state();
    const auto mean = std::ranges::find(state, "optimizer.mean.lm_head.weight", &NamedTensor::name);
    mean->shape = {40};
    COMPARE_ERROR(trainer->resume(saved(state)),
                  "s: tensor optimizer.mean.lm_head.weight has the shape [40] but must have [5, 8]");
    std::get<std::vector<std::int32_t>>(state.back().values)[0] = -1;
    COMPARE_ERROR(trainer->resume(saved(state)), "s: tensor optimizer.steps has -1 but must be at least 0");
    const std::vector<std::int32_t> tokens{1, 5};
    COMPARE_ERROR(trainer->step({1, 2, tokens, tokens}, 1),
                  "tokens has 5 at row 0, position 1 but must be from 0 to 4");
  }
};

VQSCOPE_TEST(TrainerTest)
#include "trainer_test.moc"
