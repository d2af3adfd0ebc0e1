// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/training_data.h"

#include "core/experiment/methods.h"
#include "core/experiment/training/model_training.h"
#include "core/method/curve_set.h"
#include "core/method/run_result.h"
#include "core/model/train/initial_weights.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

struct Model {
  TransformerConfig config{
      .vocab = 40, .d_model = 8, .n_layers = 1, .n_heads = 2, .n_kv_heads = 2, .head_dim = 4, .d_ff = 8};
  Parameters<float> parameters;

  explicit Model(Index vocabulary) {
    config.vocab = vocabulary;
    const auto layout = parameter_layout(config).value();
    parameters = initial_weights<float>(config, layout, 1);
  }
  TextSample write(const TrainingData& data, Index step = 0) const {
    return text_sample<float>(data, step, config, parameters, {}).value();
  }
};

ParameterValues tiny(Index steps) {
  ParameterValues values = default_values(train_model_method().parameters);
  for (const auto& [name, value] : {std::pair{"steps", steps},
                                    {"d_model", Index{8}},
                                    {"n_layers", Index{1}},
                                    {"n_heads", Index{2}},
                                    {"d_ff", Index{8}},
                                    {"batch_rows", Index{2}},
                                    {"length", Index{16}},
                                    {"warmup_steps", Index{1}}})
    values.set(name, value);
  return values;
}

}  // namespace

class TextSampleTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void continues_the_language() {
    const auto data = TrainingData::language(0, 2, 24);
    const TextSample sample = Model(40).write(data);
    const TokenBatch batch = data.batch(0);
    QCOMPARE(sample.given, text_of_tokens(Alphabet::language, std::span(batch.tokens).first(12)));
    QCOMPARE(sample.written.size(), std::size_t{12});
    QVERIFY(sample.expected.empty());
    QCOMPARE(Model(40).write(data), sample);
    QVERIFY(Model(40).write(data, 3) != sample);
  }

  /// A row of one token is given alone.
  void short_sequences() {
    const auto data = TrainingData::language(0, 1, 1);
    const TextSample sample = Model(40).write(data);
    QCOMPARE(sample.given.size(), std::size_t{1});
    QCOMPARE(sample.written.size(), std::size_t{1});
  }

  /// The answer of copying is what stands between begin and separator, and the end.
  void answers_problems() {
    const auto data = TrainingData::task(Task::copy, 1, 2);
    const TextSample sample = Model(84).write(data);
    const std::string problem = sample.given.substr(1, sample.given.size() - 2);
    QVERIFY(sample.given.starts_with('^') && sample.given.ends_with('|'));
    QCOMPARE(sample.expected, problem + "$");
    QCOMPARE(sample.written.size(), sample.expected.size());
  }

  void stops() {
    std::stop_source stop;
    stop.request_stop();
    const Model model(84);
    for (const auto& data : {TrainingData::task(Task::copy, 1, 2), TrainingData::language(0, 1, 8)})
      QVERIFY(text_sample<float>(data, 0, model.config, model.parameters, stop.get_token()).error().code ==
              Errc::cancelled);
  }

  /// A training reports every step, and its weights do not depend on receivers and samples.
  void training_reports_every_step() {
    const ParameterValues values = tiny(5);
    const auto alone = run_training({}, values, {}).value();
    std::vector<Index> steps;
    std::size_t known = 0;
    Work work;
    work.trained = [&](const TrainingProgress& update) {
      steps.push_back(update.step);
      QCOMPARE(update.steps, Index{5});
      QCOMPARE(update.tokens, Index{32});
      QVERIFY(update.sample().has_value());
    };
    work.partial = [&](const CurveSet& set) { known = set.curves[0].y.size(); };
    const auto watched = run_training({}, values, work).value();
    QCOMPARE(steps, (std::vector<Index>{1, 2, 3, 4, 5}));
    QCOMPARE(known, std::size_t{5});
    QCOMPARE(watched.curves->curves[0].y, alone.curves->curves[0].y);
    const auto weights = [](const RunResult& result) {
      return std::get<std::vector<float>>(
          std::get<std::vector<NamedTensor>>(result.contents.at("safetensors")).front().values);
    };
    QCOMPARE(weights(watched), weights(alone));
  }

  /// As curves a stopped training has no result, as files it has.
  void a_stopped_training() {
    std::stop_source stop;
    Work work{.progress = {}, .stop = stop.get_token()};
    work.trained = [&](const TrainingProgress& update) {
      if (update.step == 3) stop.request_stop();
    };
    const auto run = run_training({}, tiny(500), work).value();
    QCOMPARE(run.curves->x.size(), std::size_t{3});
    QCOMPARE(run.remarks.size(), std::size_t{1});
    QVERIFY(make_curves(train_model_method(), tiny(500), work).error().code == Errc::cancelled);
  }

  void a_text_needs_its_file() {
    ParameterValues values = tiny(5);
    values.set("data", std::string("text"));
    COMPARE_ERROR(make_curves(train_model_method(), values),
                  "text is missing, data text needs a file: --set text=FILE, or Files in the window");
  }
};

VQSCOPE_TEST(TextSampleTest)
#include "text_sample_test.moc"
