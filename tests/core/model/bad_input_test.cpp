// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/io/json/json_reader.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/model/config/transformer_json.h"
#include "core/model/layer/layers.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/tensors/named_tensors.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace vqscope;

namespace {

std::string sizes(const std::string& more = {}) {
  return R"({"vocab": 7, "d_model": 8, "n_layers": 1, "n_heads": 2, "d_ff": 4)" + more + "}";
}

Result<TransformerConfig> config_of(const std::string& json) {
  constexpr std::array<std::string_view, 1> also{"optimizer"};
  return read_transformer_config(read_json(json).value(), also);
}

/// A .safetensors file of float32 zeros.
class ZerosFile : public ByteSource {
 public:
  explicit ZerosFile(const std::vector<std::pair<std::string, std::vector<Index>>>& tensors) {
    std::string header;
    std::uint64_t end = 0;
    for (const auto& [name, shape] : tensors) {
      const std::uint64_t begin = end;
      end += *tensor_bytes({NpyKind::real, 4}, shape);
      header += (header.empty() ? "{'" : ",'") + name + "':{'dtype':'F32','shape':" + shape_text(shape) +
                ",'data_offsets':[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
    }
    header += "}";
    std::ranges::replace(header, '\'', '"');
    for (int byte = 0; byte < 8; ++byte) m_bytes += static_cast<char>(header.size() >> 8 * byte);
    m_bytes += header + std::string(static_cast<std::size_t>(end), '\0');
  }
  std::uint64_t size() const override { return m_bytes.size(); }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    std::memcpy(out.data(), m_bytes.data() + offset, out.size());
    return {};
  }

 private:
  std::string m_bytes;
};

}  // namespace

class BadModelInputTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void configs() {
    const auto config = config_of(sizes(R"(, "optimizer": {}, "pos": "alibi", "eps": 1e-5)"));
    QCOMPARE(config->n_kv_heads, Index{2});
    QCOMPARE(config->head_dim, Index{4});
    QCOMPARE(config->pos, PositionKind::relative_bias);
    QCOMPARE(config->relative_bias, "alibi");
    QCOMPARE(config->eps, 1e-5);
  }

  void bad_configs() {
    COMPARE_ERROR(config_of("[]"), "the config is a list of 0 items but must be an object");
    COMPARE_ERROR(config_of("{}"), "the config has no vocab");
    COMPARE_ERROR(config_of(sizes(R"(, "n_head": 2)")), "unknown config key n_head; did you mean n_heads?");
    COMPARE_ERROR(config_of(sizes(R"(, "window": 0)")),
                  "config key window is 0 but must be a whole number from 1 to 16777216");
    COMPARE_ERROR(config_of(sizes(R"(, "eps": "small")")),
                  "config key eps is \"small\" but must be a number from 1e-30 to 1");
    COMPARE_ERROR(config_of(sizes(R"(, "cache": 1)")), "config key cache is 1 but must be true or false");
    COMPARE_ERROR(config_of(sizes(R"(, "attn": "linear")")),
                  "config key attn is \"linear\" but must be one of \"full\", \"window\", \"mask\", \"vq\", \"xl\", "
                  "\"memorizing\", \"infini_linear\", \"infini_delta\"");
    COMPARE_ERROR(config_of(sizes(R"(, "memory_layers": 1)")),
                  "config key memory_layers is 1 but must be a list of whole numbers");
    COMPARE_ERROR(config_of(sizes(R"(, "attn": "xl")")), "segment is 0 but must be at least 1 token");
    COMPARE_ERROR(config_of(sizes(R"(, "n_kv_heads": 3)")), "n_kv_heads is 3 but must divide n_heads, 2");
    COMPARE_ERROR(config_of(sizes(R"(, "head_dim": 3)")), "head_dim is 3 but must be even to be rotated in pairs");
    COMPARE_ERROR(config_of(sizes(R"(, "attn": "window")")), "window is 0 but must be at least 1 for attn \"window\"");
    COMPARE_ERROR(config_of(sizes(R"(, "attn": "vq", "rerope_window": 4)")),
                  "rerope_window is 4 but must be 0 for attn \"vq\": distances above block_len count as block_len");
    COMPARE_ERROR(config_of(sizes(R"(, "pos": "vq")")),
                  "pos is \"vq\", attn must be \"vq\" too: its bias is one of blocks");
    COMPARE_ERROR(config_of(sizes(R"(, "pos": "alibi", "rope_scaling": "yarn")")),
                  "rope_scaling is given, pos must be \"rope\" or \"xpos\"");
    COMPARE_ERROR(config_of(sizes(R"(, "pos": "alibi", "bias": "t5_bias")")),
                  "bias is given, pos must be \"rope\" or \"xpos\": other positions take no additional bias");
    COMPARE_ERROR(config_of(sizes(R"(, "bias": "rope")")),
                  "config key bias is \"rope\" but must be one of \"none\", \"t5_bias\", \"fire\", \"alibi\", "
                  "\"kerple_log\", \"kerple_power\", \"sandwich\"");
    COMPARE_ERROR(config_of(sizes(R"(, "fire_threshold": 0)")),
                  "config key fire_threshold is 0 but must be a number from 1 to 1000000000");
    COMPARE_ERROR(config_of(R"({"vocab": 7, "d_model": 9, "n_layers": 1, "n_heads": 3, "d_ff": 4, "pos": "xl"})"),
                  "d_model is 9 but must be even for pos \"xl\": a sine and a cosine of a frequency");
    QVERIFY(!config_of(sizes(R"(, "bias": "t5_bias", "t5_max_distance": 8)")));
    QVERIFY(!config_of(sizes(R"(, "pos": "t5_bias", "t5_buckets": 32, "t5_max_distance": 8)")));
  }

  void models_too_large() {
    const TransformerConfig huge{.vocab = 1 << 24, .d_model = 1 << 24};
    COMPARE_ERROR(parameter_layout(huge), "the model has more than 1073741824 parameters, the most allowed");
    const TransformerConfig deep{.d_model = 1 << 14, .n_layers = 1024};
    QVERIFY(!parameter_layout(deep));
  }

  void batches_too_large() {
    const TransformerConfig config{.vocab = 4};
    const auto layout = parameter_layout(config).value();
    const auto pass = TransformerPass<float>::create(config, layout, 8, Index{1} << 40, Keep::everything);
    QVERIFY(!pass);
    QCOMPARE(pass.error().code, Errc::too_large);
  }

  void arenas_count_first() {
    Arena arena;
    QVERIFY(!arena.take<float>({3, 5}));
    QVERIFY(!arena.take<double>({9}));
    QCOMPARE(arena.bytes(), std::uint64_t{64 + 128});
    QVERIFY(arena.reserve());
    float* first = arena.take<float>({3, 5});
    double* second = arena.take<double>({9});
    QCOMPARE(reinterpret_cast<char*>(second) - reinterpret_cast<char*>(first), std::ptrdiff_t{64});
    Arena endless;
    endless.take<double>({Index{1} << 40, Index{1} << 40});
    endless.take<double>({1});
    QCOMPARE(endless.bytes(), std::numeric_limits<std::uint64_t>::max());
    QVERIFY(!endless.reserve());
  }

  void weights_that_do_not_fit() {
    const auto layout = parameter_layout(config_of(sizes()).value()).value();
    std::vector<std::pair<std::string, std::vector<Index>>> tensors{{"rotary.inv_freq", {2}}};
    for (const ParameterTensor& tensor : layout->tensors) tensors.push_back({tensor.name, tensor.shape});
    const auto read = [&] {
      return read_parameters<float>(NamedTensors::open(std::make_shared<ZerosFile>(tensors)).value(), layout);
    };
    QVERIFY(read());
    tensors[1].first += "@7x8";
    QVERIFY(read());
    tensors.push_back({"model.embed_tokens.weight", {7, 9}});
    QVERIFY(read());
    tensors.pop_back();
    tensors[3].second = {8, 4};
    COMPARE_ERROR(read(), "tensor model.layers.0.self_attn.q_proj.weight has the shape [8, 4] but must have [8, 8]");
    tensors.erase(tensors.begin() + 2);
    COMPARE_ERROR(read(), "tensor model.layers.0.input_layernorm.weight of shape [8] is missing");
  }

  void numbers_that_are_not_finite() {
    const auto layout = parameter_layout(config_of(sizes()).value()).value();
    std::vector<NamedTensor> tensors;
    for (const ParameterTensor& tensor : layout->tensors)
      tensors.push_back({tensor.name, tensor.shape, std::vector<double>(static_cast<std::size_t>(tensor.count))});
    const auto read = [&](double number) {
      std::get<std::vector<double>>(tensors[2].values)[11] = number;
      StringSink sink;
      QVERIFY(write_safetensors(tensors, sink));
      const auto file = NamedTensors::open(std::make_shared<MemorySource>(sink.text()), "w.safetensors").value();
      const std::string begin = "w.safetensors: tensor model.layers.0.self_attn.q_proj.weight has ";
      if (std::isfinite(number))
        QVERIFY(read_parameters<double>(file, layout));
      else
        COMPARE_ERROR(read_parameters<double>(file, layout),
                      begin + plain_text(number) + " at [1, 3] but must be finite");
      if (number != 0)
        COMPARE_ERROR(read_parameters<float>(file, layout), begin + plain_text(number) +
                                                                " at [1, 3] but must be finite" +
                                                                (std::isfinite(number) ? " in float32" : ""));
    };
    for (const double number : {0.0, 1e300, std::numeric_limits<double>::infinity(), std::nan("")}) read(number);
  }

  void configs_are_read_as_they_were_written() {
    for (const char* more :
         {"", R"(, "pos": "xpos", "attn": "window", "window": 3, "n_kv_heads": 1, "mlp": "gelu")",
          R"(, "pos": "vq", "attn": "vq", "cache": false, "tie_word_embeddings": true, "eps": 1e-5)"}) {
      const auto config = config_of(sizes(more)).value();
      const std::string text = indented_json(transformer_json(config));
      COMPARE_TEXT(indented_json(transformer_json(config_of(text).value())), text);
    }
  }

  void tied_embeddings_are_one_tensor() {
    const auto layout = parameter_layout(config_of(sizes(R"(, "tie_word_embeddings": true)")).value()).value();
    QCOMPARE(layout->head, layout->embedding);
    QVERIFY(!layout->find("lm_head.weight"));
  }

  void batches() {
    TransformerConfig config = config_of(sizes(R"(, "pos": "learned", "max_pos": 3)")).value();
    const auto check = [&](std::vector<std::int32_t> tokens, std::vector<std::int32_t> labels, Index length,
                           std::vector<std::int32_t> positions = {}) {
      return check_batch(config, {1, length, tokens, labels, positions});
    };
    QVERIFY(check({0, 6, 3}, {uncounted_label, 6, 0}, 3));
    COMPARE_ERROR(check({0, 7, 3}, {}, 3), "tokens has 7 at row 0, position 1 but must be from 0 to 6");
    COMPARE_ERROR(check({0, 6, 3}, {1, 1, -1}, 3),
                  "labels has -1 at row 0, position 2 but must be from 0 to 6 or -100");
    COMPARE_ERROR(check({0, 6}, {}, 3), "tokens has 2 numbers but must have 3");
    COMPARE_ERROR(check({0, 6, 3}, {1, 1}, 3), "labels has 2 numbers but must have 3");
    COMPARE_ERROR(check({0, 6, 3, 1}, {}, 4), "the sequences have 4 tokens, the table of learned positions has 3");
    COMPARE_ERROR(check({0, 6}, {}, 2, {0, 3}), "position_ids has 3 at row 0, position 1 but must be from 0 to 2");
    COMPARE_ERROR(check({}, {}, 0), "the batch has the shape [1, 0] but must have at least one row and one token");
  }

  void passes() {
    const TransformerConfig config = config_of(sizes(R"(, "rerope_window": 2)")).value();
    const auto layout = parameter_layout(config).value();
    auto parameters = zeros_of<float>(layout), gradient = parameters;
    const auto pass = TransformerPass<float>::create(config, layout, 1, 2, Keep::everything).value();
    const std::vector<std::int32_t> tokens{1, 2};
    QVERIFY(pass->run(parameters, {1, 2, tokens}, nullptr, 1));
    COMPARE_ERROR(pass->run(parameters, {1, 2, tokens}, &gradient, 1),
                  "rerope_window is 2 but must be 0 for gradients: ReRoPE is for evaluation");
    COMPARE_ERROR(pass->run(parameters, {2, 1, tokens}, nullptr, 1),
                  "the batch has the shape [2, 1] but must have [1, 2]");
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(pass->run(parameters, {1, 2, tokens}, nullptr, 1, stop.get_token()).error().code, Errc::cancelled);
  }
};

VQSCOPE_TEST(BadModelInputTest)
#include "bad_input_test.moc"
