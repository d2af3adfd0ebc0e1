// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/chosen_bias.h"
#include "core/catalogue/registry.h"
#include "core/encoding/methods.h"
#include "core/encoding/snippet/encoding_snippet.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/model/position/distance_bias.h"
#include "core/model/train/initial_weights.h"
#include "tests/one_more_bias/gaussian.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace vqscope;

namespace {

using Texts = std::vector<std::string>;

const double width = 5;

double gaussian(double distance) { return -distance * distance / (2 * width * width); }

CurveSet curves(const std::string& id, const ParameterValues::Map& set) {
  const Method* method = find_method(id);
  return make_curves(*method, default_values(method->parameters, set)).value();
}

/// The nearest keys that hold 99 % of the weights e^b, all of `length` added up.
Index window_99(Index length) {
  double whole = 0;
  for (Index d = 0; d < length; ++d) whole += std::exp(gaussian(static_cast<double>(d)));
  double held = 0;
  Index window = 0;
  while (held < 0.99 * whole) held += std::exp(gaussian(static_cast<double>(window++)));
  return window;
}

bool offers(const ParameterSpec& spec, const std::string& id) {
  return std::ranges::count(spec.choices, id, &Choice::id) == 1;
}

}  // namespace

/// In a program whose list of biases has one line more, and nothing else.
class OneMoreBiasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void is_a_method_with_cells() {
    const Method* method = find_method("gaussian");
    QVERIFY(method && method->traits && method->field());  // the survey lists what has these two
    auto values = default_values(method->parameters);
    values.set("gaussian_width", width);
    QCOMPARE(make_field(*method, values).value()->at(20, 13), gaussian(7));
  }

  void is_a_bias_once() {
    QCOMPARE(std::ranges::count(bias_methods(), "gaussian", &Method::id), 1);
    QCOMPARE(std::ranges::count(methods(), "gaussian", &Method::id), 1);
  }

  void has_a_prior() {
    const auto set = curves("bias_prior", {{"q_length", Index{500}},
                                           {"original_max_position_embeddings", Index{4}},
                                           {"biases", Texts{"gaussian"}},
                                           {"gaussian_width", width},
                                           {"quantity", std::string("window")}});
    QCOMPARE(set.curves.size(), std::size_t{1});
    QCOMPARE(set.curves[0].y.back(), static_cast<double>(window_99(500)));
  }

  void has_a_receptive_window() {
    const auto set = curves(
        "receptive_window",
        {{"q_length", Index{500}}, {"layers", Index{3}}, {"kinds", Texts{"gaussian"}}, {"gaussian_width", width}});
    const double window = static_cast<double>(window_99(500));
    QCOMPARE(set.curves[0].y, (std::vector<double>{window, 2 * window - 1, 3 * window - 2}));
  }

  void is_a_bias_of_vq_attention() {
    ParameterValues values = default_values(bias_parameters());
    values.set("bias", std::string("gaussian"));
    values.set("gaussian_width", width);
    const auto bias = ChosenBias::make(values, {.length = 40, .window = 8, .heads = 2, .d_k = 4}).value();
    QCOMPARE(bias.whole().values.size(), std::size_t{40});
    for (std::size_t d = 0; d < 40; ++d)
      QCOMPARE(bias.whole().values[d], static_cast<float>(gaussian(static_cast<double>(d))));
    values.set("gaussian_width", 0.5);
    COMPARE_ERROR(ChosenBias::make(values, {}), "gaussian: gaussian_width is 0.5 but must be a number from 1 to 1000");
  }

  void has_code_to_copy() {
    const Method& method = *find_method("gaussian");
    const auto code = encoding_snippet(method, default_values(method.parameters), SnippetLibrary::numpy);
    QVERIFY(code->find("result = -distance ** 2 / (2 * 8 ** 2)") != std::string::npos);
  }

  /// d/dw of -n² / 2w² is n² / w³.
  void is_learnt_by_models() {
    const TransformerConfig config{.vocab = 3, .pos = PositionKind::relative_bias, .relative_bias = "gaussian"};
    const auto layout = parameter_layout(config).value();
    const auto* learnt = layout->find("model.layers.1.self_attn.gaussian_width");
    QVERIFY(learnt);
    const auto parameters = initial_weights<double>(config, layout, 1);
    for (const double value : parameters.tensor(*learnt)) QVERIFY(value > 4 && value < 12);
    const DistanceBias<double> bias(config, 20);
    std::vector<double> out(80), dout(80);
    bias.forward(parameters, 1, out.data());
    dout[2 * 20 + 7] = 1;
    auto gradient = zeros_of<double>(layout);
    bias.backward(parameters, 1, dout.data(), gradient.values.data());
    const double w = parameters.tensor(*learnt)[2];
    QCOMPARE(out[2 * 20 + 7], -49 / (2 * w * w));
    QVERIFY(std::abs(gradient.tensor(*learnt)[2] - 49 / (w * w * w)) < 1e-8);
    QCOMPARE(gradient.tensor(*learnt)[1], 0.0);
  }

  /// Wherever a method lets people choose among biases, it is there.
  void is_offered_wherever_others_are() {
    std::vector<std::string> places;
    for (const Method& method : methods())
      for (const auto& spec : method.parameters) {
        if (!offers(spec, "kerple_log") || !offers(spec, "sandwich")) continue;
        QVERIFY2(offers(spec, "gaussian"), (method.id + " " + spec.name).c_str());
        places.push_back(method.id + " " + spec.name);
      }
    for (const char* place :
         {"bias_prior biases", "receptive_window kinds", "randomized_positions encoding", "vq_attention bias",
          "vq_weights bias", "train_model pos", "train_model bias", "length_extrapolation models"})
      QVERIFY2(std::ranges::count(places, place) == 1, place);
  }
};

VQSCOPE_TEST(OneMoreBiasTest)
#include "one_more_bias_test.moc"
