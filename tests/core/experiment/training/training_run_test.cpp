// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/model_training.h"

#include "core/experiment/methods.h"
#include "core/method/curve_set.h"
#include "core/method/run_result.h"
#include "core/method/training/training_watch.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterValues small_training(const ParameterValues::Map& set = {}) {
  ParameterValues values = default_values(train_model_method().parameters);
  for (const auto& [name, value] : ParameterValues::Map{{"d_model", Index{8}},
                                                        {"n_heads", Index{2}},
                                                        {"d_ff", Index{8}},
                                                        {"n_layers", Index{1}},
                                                        {"batch_rows", Index{2}},
                                                        {"length", Index{8}},
                                                        {"steps", Index{6}}})
    values.set(name, value);
  for (const auto& [name, value] : set) values.set(name, value);
  return values;
}

using Outputs = std::optional<std::vector<std::string>>;

/// Stopped after some steps.
Result<RunResult> stopped_after(Index steps, const Outputs& outputs) {
  std::stop_source stop;
  Work work{.progress = {}, .stop = stop.get_token()};
  work.trained = [&](const auto& update) {
    if (update.step == steps) stop.request_stop();
  };
  RunRequest request;
  request.outputs = outputs;
  return run_training(request, small_training({{"steps", Index{50}}}), work);
}

}  // namespace

class TrainingRunTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void a_training_has_every_output() {
    std::vector<double> fractions;
    const auto result =
        run_training({}, small_training(), {[&](double part) { fractions.push_back(part); }, {}}).value();
    for (const char* suffix : {"safetensors", "state.safetensors", "config.json", "csv"})
      QVERIFY2(result.contents.contains(suffix), suffix);
    QCOMPARE(result.facts.integer("last_step"), Index{6});
    QCOMPARE(result.facts.integer("tokens"), Index{6 * 2 * 8});
    QCOMPARE(result.facts.reals("curve.loss").size(), std::size_t{6});
    QCOMPARE(fractions.back(), 1.0);
    const auto& csv = std::get<std::string>(result.contents.at("csv"));
    QVERIFY(csv.starts_with("step,loss,ce_loss,commit_loss,learning_rate,gradient_norm\r\n1,"));
  }

  void a_capture_of_the_trained_model() {
    RunRequest request;
    request.outputs = std::vector<std::string>{"capture.safetensors"};
    const auto result = run_training(request, small_training({{"pos", std::string("rope")}}), {}).value();
    const auto& tensors = std::get<std::vector<NamedTensor>>(result.contents.at("capture.safetensors"));
    const char* names[]{"input_ids", "layers.0.q_rot", "layers.0.k_rot", "layers.0.v", "layers.0.weights"};
    QCOMPARE(tensors.size(), std::size(names));
    for (std::size_t i = 0; i < tensors.size(); ++i) COMPARE_TEXT(tensors[i].name, names[i]);
    QVERIFY(tensors[0].shape == std::vector<Index>({1, 8}));
    QVERIFY(tensors[4].shape == std::vector<Index>({1, 2, 8, 8}));
    const auto& weights = std::get<std::vector<float>>(tensors[4].values);
    QCOMPARE(weights.size(), std::size_t{128});
    QCOMPARE(weights[0], 1.0F);
    QCOMPARE(weights[1], 0.0F);
  }

  void only_requested_outputs_are_made() {
    RunRequest request;
    request.outputs = std::vector<std::string>{"csv"};
    const auto result = run_training(request, small_training(), {}).value();
    QVERIFY(!result.contents.contains("safetensors") && !result.contents.contains("state.safetensors"));
  }

  /// A stop keeps the training only if its state is requested, because only the state can resume
  /// it.
  void stopped_trainings() {
    const auto kept = stopped_after(3, Outputs({"state.safetensors", "csv"}));
    QVERIFY(kept);
    QCOMPARE(kept->facts.integer("last_step"), Index{3});
    COMPARE_TEXT(kept->remarks.front(), "training stopped after step 3 of 50; with its state, resume continues it");
    const auto lost = stopped_after(3, Outputs({"safetensors", "csv"}));
    QVERIFY(!lost && lost.error().code == Errc::cancelled);
  }

  void stop_after_is_no_stop() {
    const auto result = run_training({}, small_training({{"stop_after", Index{2}}}), {}).value();
    QCOMPARE(result.facts.integer("last_step"), Index{2});
    QVERIFY(result.remarks.empty());
  }

  /// Steps take windows of the sequences, and what they need does not grow with the sequences.
  void truncated_backpropagation() {
    const ParameterValues::Map vq{{"attn", std::string("vq")}, {"pos", std::string("xl")}, {"block_len", Index{4}},
                                  {"length", Index{32}},       {"bptt_len", Index{8}},     {"steps", Index{8}}};
    const auto result = run_training({}, small_training(vq), {}).value();
    QCOMPARE(result.facts.integer("tokens"), Index{8 * 2 * 8});
    RunRequest request;
    request.memory = 1e6;
    ParameterValues long_sequences = small_training(vq);
    long_sequences.set("length", Index{16384});
    long_sequences.set("steps", Index{1});
    QVERIFY(run_training(request, long_sequences, {}));
    long_sequences.set("bptt_len", Index{0});
    QVERIFY(!run_training(request, long_sequences, {}));
    const auto refused = [&](const char* name, const ParameterValue& value) {
      ParameterValues values = small_training(vq);
      values.set(name, value);
      return train_model_method().check(values);
    };
    COMPARE_ERROR(refused("bptt_len", Index{6}), "bptt_len is 6 but must be a multiple of block_len, 4");
    COMPARE_ERROR(refused("data", std::string("copy")),
                  "bptt_len is 8 but must be 0 for data copy, whose sequences have different lengths");
    COMPARE_ERROR(refused("layerdrop", 0.5),
                  "layerdrop is 0.5 but must be 0 with bptt_len: windows continue each other's positions and layers");
    QVERIFY(refused("attn", std::string("full")));
  }

  void more_memory_than_there_is_is_refused() {
    RunRequest request;
    request.memory = 1000;
    const auto refused = run_training(request, small_training(), {});
    QVERIFY(!refused && refused.error().code == Errc::too_large);
    QVERIFY(refused.error().message.starts_with("training on batches of [2, 8] needs "));
  }
};

VQSCOPE_TEST(TrainingRunTest)
#include "training_run_test.moc"
