// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_reader.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/model/config/transformer_json.h"
#include "core/model/generate/decoder.h"
#include "core/model/generate/generation.h"
#include "core/model/report/model_report.h"
#include "core/model/train/initial_weights.h"
#include "core/model/train/trainer.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;

namespace {

std::string gated_json(const std::string& more = {}) {
  return R"({"layer_kind": "shga", "vocab": 7, "d_model": 8, "n_layers": 2, "d_k": 4)" + more + "}";
}

Result<TransformerConfig> gated_config_of(const std::string& json) {
  return read_transformer_config(read_json(json).value());
}

/// A file that keeps its bytes.
class SavedTensors : public ByteSource {
 public:
  explicit SavedTensors(const std::vector<NamedTensor>& tensors) {
    if (!write_safetensors(tensors, m_sink)) qFatal("the tensors were not written");
  }
  std::uint64_t size() const override { return m_sink.text().size(); }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    return MemorySource(m_sink.text()).read(offset, out);
  }

 private:
  StringSink m_sink;
};

NamedTensors named(const std::vector<NamedTensor>& tensors) {
  return NamedTensors::open(std::make_shared<SavedTensors>(tensors), "w.safetensors").value();
}

const std::vector<std::int32_t> some_tokens{1, 6, 3, 0, 2, 5, 5, 4, 1, 0, 6, 2};
const std::vector<std::int32_t> some_labels{6, 3, 0, 2, 5, 5, 4, 1, 0, 6, 2, 1};

}  // namespace

/// Models of gated units: their config, tensors, generation and training.
class GatedModelTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void configs() {
    const auto config = gated_config_of(gated_json()).value();
    QCOMPARE(config.n_heads, Index{1});
    QCOMPARE(config.head_dim, Index{4});
    QCOMPARE(config.d_v, Index{16});
    QCOMPARE(config.attention_layers(), Index{4});
    for (const char* more : {"", R"(, "d_v": 5, "pos": "xpos")", R"(, "pos": "vq", "attn": "vq", "n_code": 9)"}) {
      const auto read = gated_config_of(gated_json(more)).value();
      const JsonObject object = transformer_json(read);
      QVERIFY(!object.contains("n_heads") && !object.contains("head_dim") && !object.contains("d_ff"));
      QCOMPARE(gated_config_of(indented_json(object)).value(), read);
    }
  }

  void bad_configs() {
    const auto error = [](const std::string& json) { return gated_config_of(json); };
    COMPARE_ERROR(error(R"({"layer_kind": "shga", "vocab": 7, "d_model": 8, "n_layers": 2})"), "the config has no d_k");
    COMPARE_ERROR(error(gated_json(R"(, "n_heads": 2)")), "n_heads is given, layer_kind must be \"transformer\"");
    COMPARE_ERROR(error(gated_json(R"(, "d_ff": 2)")), "d_ff is given, layer_kind must be \"transformer\"");
    COMPARE_ERROR(error(gated_json(R"(, "d_v": 0)")),
                  "config key d_v is 0 but must be a whole number from 1 to 16777216");
    COMPARE_ERROR(error(R"({"layer_kind": "shga", "vocab": 7, "d_model": 8, "n_layers": 2, "d_k": 3})"),
                  "d_k is 3 but must be even to be rotated in pairs");
    COMPARE_ERROR(error(gated_json(R"(, "attn": "vq", "rerope_window": 4)")),
                  "rerope_window is 4 but must be 0 for attn \"vq\": distances above block_len count as block_len");
    COMPARE_ERROR(error(R"({"layer_kind": "gau"})"),
                  "config key layer_kind is \"gau\" but must be one of \"transformer\", \"shga\"");
    COMPARE_ERROR(error(R"({"vocab": 7, "d_model": 8, "n_layers": 1, "n_heads": 2, "d_ff": 4, "d_v": 4})"),
                  "d_v is given, layer_kind must be \"shga\"");
    TransformerConfig config = gated_config_of(gated_json()).value();
    config.n_heads = 2;
    COMPARE_ERROR(config.check(), "n_heads is 2 but must be 1 for layer_kind \"shga\": its attention has one head");
    config.n_heads = 1;
    config.d_v = 0;
    COMPARE_ERROR(config.check(), "d_v is 0 but must be at least 1 for layer_kind \"shga\"");
  }

  void tensors() {
    const auto config = gated_config_of(gated_json(R"(, "pos": "vq", "attn": "vq", "n_code": 3)")).value();
    const auto layout = parameter_layout(config).value();
    std::string text;
    for (const ParameterTensor& tensor : layout->tensors)
      if (tensor.name.starts_with("model.layers.1.gau.1."))
        text += tensor.name.substr(21) + shape_text(tensor.shape) + " ";
    COMPARE_TEXT(
        text,
        "input_layernorm.weight[8] q_proj.weight[4, 8] k_proj.weight[4, 8] v_proj.weight[16, 8] "
        "g_proj.weight[16, 8] o_proj.weight[8, 16] vq_bias[1, 17] codebook_sum[1, 3, 4] codebook_count[1, 3] ");
  }

  void generation_data() {
    QTest::addColumn<QString>("more");
    for (const char* more : {R"(, "pos": "nope")", R"(, "pos": "rope")", R"(, "pos": "rope", "rerope_window": 3)",
                             R"(, "pos": "kerple_log", "attn": "window", "window": 4)", R"(, "pos": "xl")",
                             R"(, "pos": "xl", "clamp_len": 4, "attn": "window", "window": 3)",
                             R"(, "attn": "mask", "mask": "kv_idx % 2 == 0")",
                             R"(, "pos": "vq", "attn": "vq", "n_code": 5, "block_len": 3)",
                             R"(, "pos": "vq", "attn": "vq", "n_code": 5, "block_len": 3, "cache": false)"})
      QTest::newRow(more) << more;
  }
  /// Token by token as in one pass.
  void generation() {
    QFETCH(QString, more);
    const auto config = gated_config_of(gated_json(more.toStdString())).value();
    auto weights = initial_weights<double>(config, parameter_layout(config).value(), 2);
    for (Index i = 0; i < 7 * 8; ++i) *weights.at(weights.layout->head + i) *= 50;
    const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 12, Keep::logits).value();
    QVERIFY(pass->run(weights, {1, 12, some_tokens}, nullptr, 1));
    const auto decoder = Decoder<double>::create(config, weights, 12).value();
    double largest = 0, size = 0;
    for (std::size_t t = 0; t < some_tokens.size(); ++t) {
      const auto own = decoder->read(some_tokens[t]);
      for (std::size_t i = 0; i < own.size(); ++i) {
        largest = std::fmax(largest, std::abs(own[i] - pass->logits(0)[t * 7 + i]));
        size = std::fmax(size, std::abs(own[i]));
      }
    }
    QVERIFY2(largest < 1e-12 && size > 0.1, qPrintable(QString::number(largest)));
    GenerationOptions options{.count = 20, .sampler = {.temperature = 1}, .seed = 4};
    const auto with = generate<double>(config, weights, std::vector<std::int32_t>{1, 2}, options, {}).value();
    options.cache = false;
    QCOMPARE(generate<double>(config, weights, std::vector<std::int32_t>{1, 2}, options, {}).value(), with);
  }

  /// Saved after a step and resumed, and on another number of threads: the same weights. The loss
  /// falls.
  void training() {
    const auto config = gated_config_of(gated_json(R"(, "pos": "vq", "attn": "vq", "n_code": 5)")).value();
    const TrainerOptions options{.adamw = {}, .rate = {.lr_max = 5e-3, .warmup_steps = 1, .total_steps = 80}};
    const auto layout = parameter_layout(config).value();
    const Batch batch{2, 6, some_tokens, some_labels};
    Trainer<float> whole(config, initial_weights<float>(config, layout, 1), options);
    Trainer<float> resumed(config, initial_weights<float>(config, layout, 3), options);
    const auto first = whole.step(batch, 1).value();
    QVERIFY(resumed.resume(named(whole.state())));
    double last = 0;
    for (int i = 0; i < 60; ++i) {
      last = whole.step(batch, 1).value().losses.ce_loss;
      QVERIFY(resumed.step(batch, 3));
    }
    QCOMPARE(resumed.parameters().values, whole.parameters().values);
    QCOMPARE(first.used_codes.size(), std::size_t{4});
    QVERIFY2(last < first.losses.ce_loss - 0.5, qPrintable(QString::number(last)));
  }

  void model_gradients_of_units() {
    const std::string json = gated_json(R"(, "pos": "vq", "attn": "vq", "n_code": 5)");
    const auto config = gated_config_of(json).value();
    const auto layout = parameter_layout(config).value();
    const auto weights = initial_weights<double>(config, layout, 1);
    std::vector<NamedTensor> tensors;
    for (const ParameterTensor& tensor : layout->tensors) {
      const auto values = weights.tensor(tensor);
      tensors.push_back({tensor.name, tensor.shape, std::vector<double>(values.begin(), values.end())});
    }
    const auto inputs = named({{"in.tokens", {2, 6}, some_tokens}, {"in.labels", {2, 6}, some_labels}});
    const ModelGradientsInput input{read_json(json).value(), named(tensors), inputs};
    const auto made = model_gradients(input);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    const ModelGradients& report = *made;
    const auto find = [&](const char* name) { return std::ranges::find(report.tensors, name, &NamedTensor::name); };
    QCOMPARE(find("grad.model.layers.1.gau.0.g_proj.weight")->shape, (std::vector<Index>{16, 8}));
    QCOMPARE(find("attn.layer3")->shape, (std::vector<Index>{1, 1, 6, 6}));
    QCOMPARE(find("codes.layer3")->shape, (std::vector<Index>{2, 1, 6}));
    QVERIFY(find("after.model.layers.1.gau.1.codebook_sum") != report.tensors.end());
    auto gradient = zeros_of<double>(layout);
    const auto pass = TransformerPass<double>::create(config, layout, 2, 6, Keep::everything).value();
    QVERIFY(pass->run(weights, {2, 6, some_tokens, some_labels}, &gradient, 1));
    const auto own = gradient.tensor(*layout->find("model.layers.1.gau.0.g_proj.weight"));
    const auto& reported = std::get<std::vector<double>>(find("grad.model.layers.1.gau.0.g_proj.weight")->values);
    QVERIFY(std::ranges::equal(own, reported));
  }
};

VQSCOPE_TEST(GatedModelTest)
#include "gated_model_test.moc"
