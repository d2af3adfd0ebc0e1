// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/methods.h"
#include "core/method/run_result.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Method& method() {
  static const Method made = vq_attention_method();
  return made;
}

/// q, k [2, 60, 4], v [2, 60, 6], codebook [2, 5, 4].
RunInputs some_inputs() {
  const AttentionSample sample(
      {.length = 60, .heads = 2, .kv_heads = 2, .codebooks = 2, .n_code = 5, .d_k = 4, .d_v = 6});
  return {{"q", {{2, 60, 4}, sample.q}},
          {"k", {{2, 60, 4}, sample.k}},
          {"v", {{2, 60, 6}, sample.v}},
          {"codebook", {{2, 5, 4}, sample.codebook}}};
}

ParameterValues values_with(const ParameterValues::Map& changes) {
  return default_values(method().parameters, changes);
}

std::vector<std::string> names_of(const std::vector<std::pair<std::string, double>>& steps) {
  std::vector<std::string> names;
  for (const auto& [name, seconds] : steps) names.push_back(name);
  return names;
}

}  // namespace

class VqAttentionMethodTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void a_run_gives_output_facts_and_remarks() {
    const auto values = values_with({{"n_code", Index{5}}, {"block_len", Index{16}}, {"compare", true}});
    std::vector<double> fractions;
    const auto result =
        make_run(method(), {.inputs = some_inputs()}, values, {[&](double part) { fractions.push_back(part); }, {}});
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    const auto& output = std::get<Tensor>(result->contents.at("npy"));
    QCOMPARE(output.shape, (std::vector<Index>{2, 60, 6}));
    QCOMPARE(output.values.size(), std::size_t{720});
    QCOMPARE(names_of(result->seconds), (std::vector<std::string>{"check", "attention", "exact", "compare"}));
    QCOMPARE(result->facts.integer("padded_tokens"), Index{4});
    QCOMPARE(result->facts.integer("codewords"), Index{5});
    QVERIFY(result->facts.real("difference_from_exact.largest") > 0);
    QVERIFY(result->facts.real("output_error") > 0);
    QVERIFY(result->facts.real("total_variation") > 0 && result->facts.real("total_variation") < 1);
    QCOMPARE(result->facts.integers("codes_used").size(), std::size_t{2});
    QCOMPARE(result->facts.reals("perplexity").size(), std::size_t{2});
    const std::string& summary = result->facts.text("summary");
    QVERIFY2(summary.starts_with("5 codewords: outputs differ by ") && summary.ends_with(" of 5)") &&
                 summary.find(" (error 0.") != std::string::npos &&
                 summary.find(", total variation 0.") != std::string::npos &&
                 summary.find(", perplexity ") != std::string::npos,
             summary.c_str());
    QCOMPARE(result->remarks.size(), std::size_t{2});
    COMPARE_TEXT(result->remarks.front(),
                 "q is [2, 60, 4], read as [heads, T, d]: 60 tokens, 2 heads; tensor_layout=tokens_first reads it as "
                 "[T, heads, d]");
    COMPARE_TEXT(result->remarks.back(), "block_len 16 does not divide 60 tokens: the last block is padded by 4");
    QVERIFY(std::ranges::is_sorted(fractions) && !fractions.empty() && fractions.back() <= 1);
  }

  void a_codebook_is_learnt_without_one() {
    RunInputs inputs = some_inputs();
    inputs.erase("codebook");
    const auto result = make_run(method(), {.inputs = inputs}, values_with({{"n_code", Index{7}}}));
    QVERIFY(result);
    QCOMPARE(names_of(result->seconds),
             (std::vector<std::string>{"check", "learn", "attention", "exact", "compare", "needed_codes"}));
  }

  void a_comparison_that_takes_too_long_takes_some_queries() {
    RunInputs inputs = some_inputs();
    for (const char* name : {"q", "k", "v"}) {
      Tensor& tensor = inputs[name];
      const Tensor small = tensor;
      tensor.shape[1] *= 40;
      for (int i = 1; i < 40; ++i) tensor.values.insert(tensor.values.end(), small.values.begin(), small.values.end());
    }
    const auto values = values_with({{"n_code", Index{5}}, {"block_len", Index{16}}, {"most_seconds", 0.004}});
    const auto result = make_run(method(), {.inputs = inputs}, values);
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    const Index queries = result->facts.integer("compared_queries");
    QVERIFY(queries >= 4 && queries < 2400);
    COMPARE_TEXT(result->remarks.back(),
                 "the error is measured over " + std::to_string(queries) +
                     " of 2400 queries of each head: exact attention would exceed most_seconds, 0.004");
    QVERIFY(result->facts.real("output_error") > 0 && result->facts.real("total_variation") > 0);
    const auto none = make_run(method(), {.inputs = inputs},
                               values_with({{"n_code", Index{5}},
                                            {"block_len", Index{16}},
                                            {"weights", std::string("exponential")},
                                            {"most_seconds", 0.004}}));
    if (none) QVERIFY(!none->facts.find("output_error"));
  }

  void a_codebook_decides_its_size() {
    const auto& implied = method().run()->implied;
    const ParameterValues set = values_with({});
    QCOMPARE(implied({{"codebook", {2, 5, 4}}}, set).values.integer("n_code"), Index{5});
    QVERIFY(implied({{"codebook", {5}}}, set).values == ParameterValues());
    QVERIFY(implied({{"q", {60, 4}}}, set).values == ParameterValues());
  }

  void tensors_decide_the_numbers_of_heads() {
    const auto& implied = method().run()->implied;
    const auto heads = implied({{"q", {4, 60, 4}}, {"k", {2, 60, 4}}, {"v", {2, 60, 6}}}, values_with({})).values;
    QCOMPARE(heads.integer("num_heads"), Index{4});
    QCOMPARE(heads.integer("num_key_value_heads"), Index{2});
    const auto tokens = implied({{"q", {60, 6, 4}}, {"k", {60, 3, 4}}, {"v", {60, 3, 6}}}, values_with({})).values;
    QCOMPARE(tokens.integer("num_heads"), Index{6});
    QCOMPARE(tokens.integer("num_key_value_heads"), Index{3});
  }

  void few_keys_lower_the_default_of_n_code() {
    const auto& implied = method().run()->implied;
    const RunShapes shapes{{"q", {60, 4}}, {"k", {60, 4}}, {"v", {60, 6}}};
    const auto few = implied(shapes, values_with({}));
    QCOMPARE(few.values.integer("n_code"), Index{15});
    COMPARE_TEXT(few.sentences.at("n_code"), "n_code is 15, a quarter of the 60 keys; --set n_code=N sets it");
    QVERIFY(!implied({{"q", {513, 4}}, {"k", {513, 4}}, {"v", {513, 6}}}, values_with({})).values.find("n_code"));
    const RunShapes as_many{{"q", {512, 4}}, {"k", {512, 4}}, {"v", {512, 6}}};  // with whom nothing is saved
    QCOMPARE(implied(as_many, values_with({})).values.integer("n_code"), Index{128});
    QVERIFY(implied(shapes, values_with({{"form", std::string("exact")}})).sentences.empty());
  }

  /// Tensors that are named together are a model's.
  void qkv_has_the_scores_of_a_model() {
    const auto& implied = method().run()->implied;
    const auto of = [&](const std::vector<Index>& shape) {
      return implied({{"q", shape}, {"k", shape}, {"v", shape}, {"qkv", {}}}, values_with({}));
    };
    QCOMPARE(of({512, 4}).values.choice("normalize"), std::string("scale"));
    QCOMPARE(of({512, 4}).values.integer("n_code"), Index{64});
    QVERIFY(of({512, 4}).sentences.empty());
    QCOMPARE(of({60, 4}).values.integer("n_code"), Index{15});
    QCOMPARE(of({60, 4}).values.integer("block_len"), Index{60});
    QCOMPARE(of({4096, 4}).values.integer("block_len"), Index{512});
    const auto with_codebook =
        implied({{"q", {60, 4}}, {"k", {60, 4}}, {"v", {60, 4}}, {"qkv", {}}, {"codebook", {5, 4}}}, values_with({}));
    QVERIFY(!with_codebook.values.find("normalize"));
  }

  void the_answer_says_what_it_is_about() {
    const auto conditions = [](const ParameterValues::Map& set) {
      return make_run(method(), {.inputs = some_inputs()}, values_with(set)).value().facts.text("conditions");
    };
    const std::string unscaled = "scores q·k, not divided by √d";
    COMPARE_TEXT(conditions({{"n_code", Index{5}}}), "2 heads, causal, " + unscaled);
    COMPARE_TEXT(conditions({{"n_code", Index{5}}, {"head", Index{1}}, {"causal", false}}),
                 "head 1 of 2, not causal, " + unscaled);
    COMPARE_TEXT(
        conditions(
            {{"n_code", Index{5}}, {"form", std::string("quadratic")}, {"mask", std::string("q_idx - kv_idx < 9")}}),
        "2 heads, causal with the mask, " + unscaled);
  }

  /// The same tensors with tokens first have the same output.
  void layouts_are_the_same_attention() {
    const auto values = values_with({{"n_code", Index{5}}, {"num_key_value_heads", Index{2}}});
    const auto wanted = make_run(method(), {.inputs = some_inputs()}, values).value();
    const RunInputs inputs = some_inputs();
    RunInputs turned = inputs;
    for (const char* name : {"q", "k", "v"}) {
      const Tensor& from = inputs.at(name);
      const Index heads = from.shape[0], tokens = from.shape[1], width = from.shape[2];
      Tensor to{{tokens, heads, width}, {}};
      for (Index token = 0; token < tokens; ++token)
        for (Index head = 0; head < heads; ++head)
          for (Index i = 0; i < width; ++i)
            to.values.push_back(from.values[static_cast<std::size_t>((head * tokens + token) * width + i)]);
      turned[name] = to;
    }
    const auto found = make_run(method(), {.inputs = turned}, values);
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(std::get<Tensor>(found->contents.at("npy")).values, std::get<Tensor>(wanted.contents.at("npy")).values);
    QCOMPARE(found->facts.real("output_error"), wanted.facts.real("output_error"));
    QVERIFY(found->remarks.front().starts_with("q is [60, 2, 4], read as [T, heads, d]: 60 tokens, 2 heads"));
  }

  void the_exact_form_has_no_error() {
    const auto result = make_run(method(), {.inputs = some_inputs()}, values_with({{"form", std::string("exact")}}));
    QVERIFY(result);
    QCOMPARE(result->facts.real("output_error"), 0.0);
    QCOMPARE(result->facts.real("total_variation"), 0.0);
    COMPARE_TEXT(result->facts.text("summary"), "error 0, total variation 0");
  }

  void bad_inputs_are_refused() {
    const auto values = values_with({{"n_code", Index{5}}});
    COMPARE_ERROR(make_run(method(), {.inputs = some_inputs()}, values_with({{"n_code", Index{0}}})),
                  "n_code is 0 but must be an integer from 1 to 1048576");
    const auto refuse = [](const std::string& suffix, double bytes) -> Result<void> {
      return invalid("no " + suffix + " of " + std::to_string(static_cast<int>(bytes)) + " bytes");
    };
    COMPARE_ERROR(make_run(method(), {.inputs = some_inputs(), .accept = refuse}, values), "no npy of 2880 bytes");
    QCOMPARE(make_run(method(), {.inputs = some_inputs(), .memory = 100}, values).error().code, Errc::too_large);
    RunInputs flat = some_inputs();
    flat["q"] = {{4}, {1, 2, 3, 4}};
    COMPARE_ERROR(make_run(method(), {.inputs = flat}, values), "q is [4] but must be [T, d_k] or [heads, T, d_k]");
  }
};

VQSCOPE_TEST(VqAttentionMethodTest)
#include "vq_attention_method_test.moc"
