// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/model_tokens.h"

#include "core/attention/rows.h"
#include "core/base/text.h"
#include "core/field/field.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A model that is trained in no time.
ParameterValues::Map model(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{
      {"data", std::string("model")}, {"model_steps", Index{2}}, {"n_code", Index{8}}, {"q_length", Index{80}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

std::shared_ptr<const VqTokens> tokens_with(const ParameterValues::Map& set, Index n_code = 8) {
  return *model_tokens(curve_values("vq_occupancy", model(set)), n_code, 80, true, {});
}

std::shared_ptr<const Field> field(const char* id, const ParameterValues::Map& set = {}) {
  return *make_field(*find_method(experiment_methods(), id), curve_values(id, model(set)));
}

}  // namespace

class ModelTokensTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_head_of_the_model() {
    const auto tokens = tokens_with({});
    QCOMPARE(tokens->length, Index{80});
    QCOMPARE(tokens->d_k, Index{16});
    QCOMPARE(tokens->n_code, Index{8});
    for (const auto* rows : {&tokens->queries, &tokens->keys, &tokens->values})
      QCOMPARE(rows->size(), std::size_t{80 * 16});
    QCOMPARE(tokens->codewords.size(), std::size_t{8 * 16});
    // Queries and keys are normalised to the length d_k^(1/4): |RMSNorm(k)| = d_k^(1/2), times
    // d_k^(-1/4).
    for (const auto* rows : {&tokens->queries, &tokens->keys})
      for (Index t = 0; t < 80; ++t) {
        const std::vector<float> origin(16);
        QVERIFY(near(std::sqrt(squared_distance(rows->data() + t * 16, origin.data(), 16)), 2, 1e-3));
      }
  }

  void heads_layers_seeds_and_steps_differ() {
    std::set<std::vector<float>> keys{tokens_with({})->keys};
    for (const char* name : {"model_head", "model_layer", "seed"}) keys.insert(tokens_with({{name, Index{1}}})->keys);
    keys.insert(tokens_with({{"model_steps", Index{3}}})->keys);
    keys.insert(tokens_with({}, 4)->keys);
    QCOMPARE(keys.size(), std::size_t{6});
    QVERIFY(tokens_with({})->keys == tokens_with({})->keys);
  }

  void sizes_need_no_training() {
    const auto values = curve_values("vq_occupancy", model({{"model_steps", Index{20000}}}));
    const auto sizes = *model_tokens(values, 8, 80, false, {});
    QCOMPARE(sizes->d_k, Index{16});
    QVERIFY(sizes->keys.empty());
  }

  /// The page's codes are those of the nearest codewords of the model's own codebook.
  void a_page_shows_its_codebook() {
    const auto tokens = tokens_with({});
    const auto codewords = field("vq_codewords"), codes = field("vq_shortcodes");
    for (Index s = 0; s < 8; ++s)
      for (Index i = 0; i < 16; ++i)
        QCOMPARE(codewords->at(s, i), static_cast<double>(tokens->codewords[static_cast<std::size_t>(s * 16 + i)]));
    for (Index t = 0; t < 80; ++t) {
      Index nearest = 0;
      for (Index s = 1; s < 8; ++s) {
        const auto apart = [&](Index code) {
          return squared_distance(tokens->keys.data() + t * 16, tokens->codewords.data() + code * 16, 16);
        };
        if (apart(s) < apart(nearest)) nearest = s;
      }
      QCOMPARE(codes->at(t, nearest), 1.0);
    }
    const auto report = codewords->report(3, 5);
    QCOMPARE(report.facts[2].second, to_text(codewords->at(3, 5), 7));
    QVERIFY(report.why.find("of 80 keys have this codeword; the nearest other codeword is ") != std::string::npos);
  }

  /// A method that learns a codebook itself takes the model's keys alone, and others to learn from.
  void a_codebook_is_learnt_from_its_keys() {
    const auto set = *curves_of("vq_error_vs_codes", {{"data", std::string("model")},
                                                      {"model_steps", Index{2}},
                                                      {"q_length", Index{80}},
                                                      {"n_code_max", Index{16}},
                                                      {"train_keys", Index{64}}});
    COMPARE_TEXT(incomplete(set), "");
  }

  void bad_values_are_refused() {
    COMPARE_ERROR(curves_of("vq_occupancy", model({{"model_layer", Index{2}}})),
                  "model_layer is 2 but must be below 2, the model's layers");
    COMPARE_ERROR(curves_of("vq_occupancy", model({{"model_head", Index{4}}})),
                  "model_head is 4 but must be below 4, the model's heads");
    COMPARE_ERROR(curves_of("vq_occupancy", model({{"q_length", Index{131072}}, {"n_code", Index{64}}})),
                  "131072 tokens and n_code 64 need 2.02 GiB for a pass of the model but must be at most 512 MiB");
    std::stop_source stop;
    stop.request_stop();
    const auto values = curve_values("vq_occupancy", model({{"model_steps", Index{19999}}}));
    QCOMPARE(model_tokens(values, 8, 80, true, {.progress = {}, .stop = stop.get_token()}).error().code,
             Errc::cancelled);
  }
};

VQSCOPE_TEST(ModelTokensTest)
#include "model_tokens_test.moc"
