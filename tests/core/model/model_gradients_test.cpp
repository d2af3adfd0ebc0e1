// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/model_report.h"

#include "core/io/json/json_reader.h"
#include "tests/core/model/golden/golden_case.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The config of a case, with its optimiser where it has one.
ConfigValue whole_config(const GoldenCase& golden) {
  ConfigValue config = *golden.json.find("config");
  if (const ConfigValue* optimiser = golden.json.find("optimizer"))
    std::get<ConfigValue::Object>(config.data).members.push_back(*optimiser);
  return config;
}

ModelGradientsInput input_of(const QString& name) {
  return {whole_config(golden_case(name, name == "adamw" ? ".step1" : "")), golden_file("weights"), golden_file(name)};
}

std::vector<double> reals_of(const NamedTensor& tensor) {
  return std::visit([](const auto& values) { return std::vector<double>(values.begin(), values.end()); },
                    tensor.values);
}

}  // namespace

/// The golden cases, through the door that other frameworks are compared by.
class ModelGradientsTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void every_tensor_of_a_case_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"rope", "rope_yarn", "rerope", "left_padded", "packed", "vq", "vq_truncated", "adamw"})
      QTest::newRow(name) << name;
  }
  void every_tensor_of_a_case() {
    QFETCH(QString, name);
    const auto input = input_of(name);
    const auto report = model_gradients(input).value();
    int compared = 0;
    for (const SafetensorsEntry& entry : input.inputs.entries()) {
      if (entry.name.starts_with("in.")) continue;
      const std::string own = entry.name.starts_with("out.") ? entry.name.substr(4) : entry.name;
      const auto found = std::ranges::find(report.tensors, own, &NamedTensor::name);
      QVERIFY2(found != report.tensors.end(), own.c_str());
      QCOMPARE(found->shape, entry.shape);
      const auto wanted = entry.known->is_real() ? input.inputs.reals(entry).value() : std::vector<double>();
      if (!wanted.empty()) QVERIFY(relative_difference<double>(reals_of(*found), wanted) < 1e-6);
      ++compared;
    }
    QVERIFY(compared > 4);
    QCOMPARE(report.steps.size(), std::size_t(name == "adamw" ? 3 : 0));
  }

  void float32_is_float32() {
    auto input = input_of("rope");
    const auto wide = model_gradients(input).value();
    input.float32 = true;
    const auto narrow = model_gradients(input).value();
    const double apart = relative_difference<double>(reals_of(narrow.tensors[0]), reals_of(wide.tensors[0]));
    QVERIFY(apart > 1e-9 && apart < 1e-5);
  }

  void bad_input() {
    auto input = input_of("rope");
    input.weights = input.inputs;
    COMPARE_ERROR(model_gradients(input), "tensor model.embed_tokens.weight of shape [17, 32] is missing");
    input.inputs = golden_file("weights");
    input.weights = golden_file("weights");
    COMPARE_ERROR(model_gradients(input), "tensor in.tokens is missing");
    input.inputs = golden_file("rope");
    input.memory = 1000;
    QCOMPARE(model_gradients(input).error().code, Errc::too_large);
    input.config_path = "c.json";
    input.inputs = golden_file("adamw");
    COMPARE_ERROR(read_batch(input.inputs, ".step4"), "tensor in.tokens.step4 is missing");
    input.config = *read_json("{}");
    COMPARE_ERROR(model_gradients(input), "c.json: the config has no vocab");
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(model_gradients(input_of("rope"), stop.get_token()).error().code, Errc::cancelled);
  }

  void bad_optimisers() {
    const auto read = [](const char* text) { return read_optimiser(read_json(text).value()); };
    QCOMPARE(read(R"({"clip": 2, "decay_rule": "matrices"})")->adamw.clip, 2.0);
    COMPARE_ERROR(read("3"), "config key optimizer is 3 but must be an object");
    COMPARE_ERROR(read(R"({"beta_1": 0})"), "unknown config key optimizer.beta_1; did you mean beta1?");
    COMPARE_ERROR(read(R"({"warmup_steps": 1.5})"),
                  "config key optimizer.warmup_steps is 1.5 but must be a whole number from 0 to 1000000000");
  }
};

VQSCOPE_TEST(ModelGradientsTest)
#include "model_gradients_test.moc"
