// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/attention_run.h"

#include "core/attention/codebook/codebook.h"
#include "core/encoding/own/own_rotation.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues run_values(const std::vector<std::pair<std::string, ParameterValue>>& changes) {
  ParameterValues values = default_values(vq_attention_parameters());
  for (const auto& [name, value] : changes) values.set(name, value);
  return values;
}

/// q, k [2, 60, 4], v [2, 60, 6], codebook [2, 5, 4].
VqAttentionTensors some_tensors() {
  const AttentionSample sample(
      {.length = 60, .heads = 2, .kv_heads = 2, .codebooks = 2, .n_code = 5, .d_k = 4, .d_v = 6});
  VqAttentionTensors tensors;
  tensors.q = {{2, 60, 4}, sample.q};
  tensors.k = {{2, 60, 4}, sample.k};
  tensors.v = {{2, 60, 6}, sample.v};
  tensors.codebook = {{2, 5, 4}, sample.codebook};
  return tensors;
}

Result<VqAttentionRun> made(VqAttentionTensors tensors,
                            const std::vector<std::pair<std::string, ParameterValue>>& changes, double memory = 0) {
  return VqAttentionRun::make(std::move(tensors), run_values(changes), memory);
}

Result<AttentionDifference> compared(const VqAttentionRun& run, const AttentionOutput& output) {
  return run.compare(output, run.exact().value());
}

const ParameterValue five = Index{5};
const ParameterValue exact_form = std::string("exact");

}  // namespace

class VqAttentionRunTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_token_by_hand() {
    VqAttentionTensors tensors;
    tensors.q = tensors.k = {{1, 2}, {1, 2}};
    tensors.v = {{1, 3}, {3, 4, 5}};
    tensors.codebook = {{1, 2}, {0, 0}};
    const auto run = made(tensors, {{"n_code", Index{1}}}).value();
    const auto output = run.attend().value();
    QCOMPARE(output.values, (std::vector<float>{3, 4, 5}));
    QCOMPARE(run.output_shape(), (std::vector<Index>{1, 3}));
    QCOMPARE(run.code_use(output).size(), std::size_t{1});
    QCOMPARE(run.code_use(output)[0].used, Index{1});
    QCOMPARE(run.code_use(output)[0].perplexity, 1.0);
    QCOMPARE(run.commit_losses(output), std::vector<double>{5});  // |[1, 2] - [0, 0]|²
    const auto difference = compared(run, output).value();
    QCOMPARE(difference.largest, 0.0);
    QCOMPARE(difference.output_error, 0.0);
    QVERIFY(difference.total_variation && difference.total_variation->mean == 0);
  }

  void forms_reductions_and_blocks_are_attention() {
    const VqAttentionTensors tensors = some_tensors();
    AttentionInput input;
    input.q = {tensors.q.values, 2, 60, 4};
    input.k = {tensors.k.values, 2, 60, 4};
    input.v = {tensors.v.values, 2, 60, 6};
    input.codebook = {tensors.codebook.values, 2, 5, 4};
    const auto wanted = attention(input, {.form = AttentionForm::vq_quadratic}).value().values;
    QCOMPARE(made(tensors, {{"n_code", five}, {"form", std::string("quadratic")}})->attend()->values, wanted);
    for (const char* reduction : {"serial_scan", "matmul", "associative_scan", "input_scan"}) {
      const auto run =
          made(tensors, {{"n_code", five}, {"block_len", Index{16}}, {"reduction", std::string(reduction)}});
      const auto output = run->attend().value();
      COMPARE_TEXT(farther(output.values, wanted, 2e-6, tensors.v.values), "");
      QCOMPARE(output.padded, Index{4});
      QCOMPARE(run->output_shape(), (std::vector<Index>{2, 60, 6}));
    }
    const auto softmax = made(tensors, {{"form", exact_form}});
    const auto output = softmax->attend().value();
    QCOMPARE(output.values, attention(input, {.form = AttentionForm::exact}).value().values);
    QVERIFY(softmax->code_use(output).empty());
    QCOMPARE(compared(*softmax, output)->largest, 0.0);
  }

  /// One head of four, two of which share keys: what the whole run has at that head, also with a
  /// bias by head.
  void single_head_equals_that_head_of_all_data() {
    QTest::addColumn<int>("head");
    for (int head = 0; head < 4; ++head) QTest::addRow("head %d", head) << head;
  }
  void single_head_equals_that_head_of_all() {
    QFETCH(int, head);
    const AttentionSample sample(
        {.length = 60, .heads = 4, .kv_heads = 2, .codebooks = 2, .n_code = 5, .d_k = 4, .d_v = 6});
    VqAttentionTensors tensors;
    tensors.q = {{4, 60, 4}, sample.q};
    tensors.k = {{2, 60, 4}, sample.k};
    tensors.v = {{2, 60, 6}, sample.v};
    tensors.codebook = {{2, 5, 4}, sample.codebook};
    const std::vector<std::pair<std::string, ParameterValue>> all{
        {"n_code", five}, {"form", std::string("quadratic")}, {"bias", std::string("alibi")}};
    auto alone = all;
    alone.emplace_back("head", Index{head});
    const auto whole = made(tensors, all)->attend().value().values;
    const auto run = made(tensors, alone).value();
    const auto output = run.attend().value();
    QCOMPARE(run.output_shape(), (std::vector<Index>{60, 6}));
    QVERIFY(std::equal(output.values.begin(), output.values.end(), whole.begin() + Index{head} * 360));
    QCOMPARE(run.code_use(output).size(), std::size_t{1});
    QVERIFY(compared(run, output)->head == head);
    alone.emplace_back("num_heads", Index{4});
    QVERIFY(made(tensors, alone));
  }

  void heads_that_contradict_the_tensors_are_refused() {
    COMPARE_ERROR(made(some_tensors(), {{"n_code", five}, {"num_heads", Index{8}}}),
                  "num_heads is 8, q is [2, 60, 4]: num_heads must be 2, the heads of q");
    COMPARE_ERROR(made(some_tensors(), {{"n_code", five}, {"head", Index{2}}}),
                  "head is 2, q is [2, 60, 4]: head must be 0 to 1");
    COMPARE_ERROR(made(some_tensors(), {{"n_code", five}, {"num_key_value_heads", Index{1}}}),
                  "num_key_value_heads is 1, k is [2, 60, 4]: num_key_value_heads must be 2, the heads of k");
    QVERIFY(made(some_tensors(), {{"n_code", five}, {"num_key_value_heads", Index{2}}, {"num_heads", Index{2}}}));
  }

  /// Errors of all heads and of each against sums over single numbers.
  void output_errors_are_norms_of_differences() {
    const auto run = made(some_tensors(), {{"n_code", five}, {"form", std::string("quadratic")}}).value();
    const auto output = run.attend().value(), exact = run.exact().value();
    const auto difference = run.compare(output, exact).value();
    const auto relative = [&](std::size_t first, std::size_t end) {
      double errors = 0, sizes = 0;
      for (std::size_t i = first; i < end; ++i) {
        errors += std::pow(static_cast<double>(output.values[i]) - static_cast<double>(exact.values[i]), 2);
        sizes += std::pow(static_cast<double>(exact.values[i]), 2);
      }
      return std::sqrt(errors / sizes);
    };
    QVERIFY(std::fabs(difference.output_error - relative(0, 720)) < 1e-12);
    QCOMPARE(difference.output_error_by_head.size(), std::size_t{2});
    QVERIFY(std::fabs(difference.output_error_by_head[0] - relative(0, 360)) < 1e-12);
    QVERIFY(std::fabs(difference.output_error_by_head[1] - relative(360, 720)) < 1e-12);
    const auto& heads = difference.total_variation->by_head;
    QCOMPARE(heads.size(), std::size_t{2});
    QVERIFY(std::fabs(difference.total_variation->mean - (heads[0] + heads[1]) / 2) < 1e-12);
  }

  /// All queries as a sample are the whole comparison; fewer are part of it.
  void a_sample_of_all_queries_is_the_whole_comparison() {
    for (const char* form : {"quadratic", "linear"}) {
      const auto run =
          made(some_tensors(), {{"n_code", five}, {"block_len", Index{16}}, {"form", std::string(form)}}).value();
      const auto output = run.attend().value();
      const auto whole = compared(run, output).value();
      const auto sampled = run.compare_sample(output, 60).value();
      QVERIFY(std::fabs(sampled.output_error - whole.output_error) < 1e-5);
      QVERIFY(std::fabs(sampled.largest - whole.largest) < 1e-5);
      QCOMPARE(sampled.token, whole.token);
      QVERIFY(std::fabs(sampled.total_variation->mean - whole.total_variation->mean) < 1e-6);
      QCOMPARE(sampled.output_error_by_head.size(), std::size_t{2});
      const auto some = run.compare_sample(output, 7).value();
      QVERIFY(some.largest <= whole.largest + 1e-6 && some.output_error > 0);
      QCOMPARE(run.sampled_queries(), Index{60});
    }
  }

  /// Scores of rotated vectors, by hand: a pair of one turn a 2π tokens.
  void q_and_k_are_rotated() {
    VqAttentionTensors tensors;
    tensors.q = tensors.k = {{2, 2}, {1, 0, 1, 0}};
    tensors.v = {{2, 1}, {1, 0}};
    const auto plain = made(tensors, {{"form", exact_form}})->attend().value().values;
    QVERIFY(std::fabs(plain[1] - 0.5F) < 1e-6F);  // equal scores
    const auto rotated = made(tensors, {{"form", exact_form}, {"rope_type", std::string("default")}})->attend().value();
    const double far = std::exp(std::cos(1.0)), near = std::exp(1.0);
    QVERIFY(std::fabs(static_cast<double>(rotated.values[1]) - far / (far + near)) < 1e-6);
    tensors.q = tensors.k = {{1, 3}, {1, 0, 1}};
    tensors.v = {{1, 1}, {1}};
    COMPARE_ERROR(made(tensors, {{"form", exact_form}, {"rope_type", std::string("default")}}),
                  "q and k have 3 dimensions but must be even to be rotated");
  }

  /// Each rotated head has the scores of its rotated rows.
  void rotation_of_heads_is_that_of_rows() {
    const VqAttentionTensors tensors = some_tensors();
    VqAttentionTensors rotated = tensors;
    const Rotation rotation({.rope_type = "linear", .head_dim = 4, .factor = 2}, PairLayout::interleaved);
    for (Tensor* tensor : {&rotated.q, &rotated.k})
      for (std::size_t head = 0; head < 2; ++head)
        for (std::size_t token = 0; token < 60; ++token) {
          const std::span<float> row = std::span(tensor->values).subspan((head * 60 + token) * 4, 4);
          const std::vector<double> from(row.begin(), row.end());
          std::vector<double> to(4);
          rotation.apply(from, static_cast<Index>(token), to);
          for (std::size_t i = 0; i < 4; ++i) row[i] = static_cast<float>(to[i]);
        }
    const auto wanted = made(rotated, {{"form", exact_form}})->attend().value().values;
    const auto found = made(tensors, {{"form", exact_form},
                                      {"rope_type", std::string("linear")},
                                      {"factor", 2.0},
                                      {"pair_layout", std::string("interleaved")}})
                           ->attend()
                           .value()
                           .values;
    COMPARE_TEXT(farther(found, wanted, 1e-6, tensors.v.values), "");
  }

  void longer_than_most_seconds_is_refused() {
    const std::pair<std::string, ParameterValue> codes{"n_code", five};
    const auto refused = made(some_tensors(), {codes, {"iterations", Index{1000000}}, {"most_seconds", 0.001}});
    QVERIFY(refused);  // a codebook is given: nothing is learnt
    VqAttentionTensors tensors = some_tensors();
    tensors.codebook = {};
    COMPARE_ERROR(made(tensors, {codes, {"iterations", Index{1000000}}, {"most_seconds", 0.5}}),
                  "attention over 60 tokens takes about 1 s of one core, most_seconds is 0.5");
    const auto run = made(some_tensors(), {codes, {"most_seconds", 0.001}}).value();
    QVERIFY(run.compares());
  }

  /// ALiBi by head, whole in the quadratic and the exact form; clipped in the linear one.
  void biases_and_masks_depend_on_the_form() {
    const auto alibi = std::pair{std::string("bias"), ParameterValue(std::string("alibi"))};
    const auto quadratic = std::pair{std::string("form"), ParameterValue(std::string("quadratic"))};
    const auto block = std::pair{std::string("block_len"), ParameterValue(Index{16})};
    const auto window = std::pair{std::string("mask"), ParameterValue(std::string("q_idx - kv_idx < 9"))};
    const std::pair<std::string, ParameterValue> codes{"n_code", five};
    const auto refused = made(some_tensors(), {codes, block, alibi});
    QVERIFY(!refused &&
            refused.error().message.starts_with("form is linear, but for head 0, the bias is not constant beyond "));
    const auto run = made(some_tensors(), {codes, block, alibi, quadratic}).value();
    QVERIFY(!run.hypothesis()->constant);
    VqAttentionTensors tensors = some_tensors();
    AttentionInput input;
    input.q = {tensors.q.values, 2, 60, 4};
    input.k = {tensors.k.values, 2, 60, 4};
    input.v = {tensors.v.values, 2, 60, 6};
    input.codebook = {tensors.codebook.values, 2, 5, 4};
    input.bias = {.window = 59};
    for (const float slope : {1 / 16.0F, 1 / 256.0F})
      for (Index r = 0; r < 60; ++r) input.bias.values.push_back(-slope * static_cast<float>(r));
    QCOMPARE(run.attend()->values, attention(input, {.form = AttentionForm::vq_quadratic}).value().values);
    const auto wanted = made(some_tensors(), {codes, block, window, quadratic})->attend()->values;
    const auto linear = made(some_tensors(), {codes, block, window}).value();
    COMPARE_TEXT(farther(linear.attend()->values, wanted, 2e-6, tensors.v.values), "");
    COMPARE_TEXT(linear.hypothesis()->sentence,
                 "every query sees none of the keys beyond distance 16: the linear form is exact");
    QVERIFY(!made(some_tensors(), {codes})->hypothesis());
  }

  /// Without the cache both forms see the same near blocks, however far a bias's table reaches.
  void forms_without_the_cache_agree_under_a_bias() {
    const std::vector<std::pair<std::string, ParameterValue>> near{
        {"n_code", five},           {"block_len", Index{16}},
        {"agg_cache", false},       {"bias", std::string("t5_bias")},
        {"bidirectional", false},   {"num_buckets", Index{8}},
        {"max_distance", Index{16}}};
    auto quadratic = near;
    quadratic.emplace_back("form", std::string("quadratic"));
    const auto wanted = made(some_tensors(), quadratic)->attend()->values;
    const auto got = made(some_tensors(), near)->attend()->values;
    COMPARE_TEXT(farther(got, wanted, 2e-6, some_tensors().v.values), "");
  }

  /// Keys that are not valid may hold anything, also where a codebook is learnt.
  void keys_that_are_not_valid() {
    VqAttentionTensors tensors = some_tensors();
    tensors.codebook = {};
    tensors.key_valid = {{60}, std::vector<float>(60, 1)};
    for (const std::size_t j : {std::size_t{0}, std::size_t{30}}) {
      tensors.key_valid.values[j] = 0;
      for (std::size_t c = 0; c < 4; ++c) tensors.k.values[j * 4 + c] = std::numeric_limits<float>::quiet_NaN();
    }
    auto run = made(tensors, {{"n_code", five}}).value();
    QVERIFY(run.learn());
    const auto output = run.attend();
    QVERIFY(output);
    for (const float x : output->values) QVERIFY(std::isfinite(x));
    tensors.key_valid.shape = {2, 30};
    COMPARE_ERROR(made(tensors, {{"n_code", five}}), "key_valid has 2 dimensions but must have 1: [T]");
    tensors.key_valid = {{59}, std::vector<float>(59, 1)};
    COMPARE_ERROR(made(tensors, {{"n_code", five}}), "key_valid has 59 entries but must have 60, one for each key");
  }

  void the_largest_difference_is_found() {
    const auto run = made(some_tensors(), {{"n_code", five}}).value();
    auto output = made(some_tensors(), {{"form", exact_form}})->attend().value();
    output.values[60 * 6 + 7 * 6 + 3] += 0.5F;
    const auto difference = compared(run, output).value();
    QVERIFY(std::abs(difference.largest - 0.5) < 1e-6);
    QCOMPARE(difference.head, Index{1});
    QCOMPARE(difference.token, Index{7});
  }

  /// Rows of q and k are [3, 1] and its multiples: mean 2, deviation 1, so that LayerNorm gives [1,
  /// -1].
  void normalising_as_the_paper_does() {
    VqAttentionTensors tensors;
    tensors.q = {{1, 2}, {3, 1}};
    tensors.k = {{1, 2}, {300, 100}};
    tensors.v = {{1, 1}, {1}};
    const float part = static_cast<float>(std::pow(2, -0.25));
    const auto learnt = [&](const char* how) {
      auto run = made(tensors, {{"n_code", Index{1}}, {"normalize", std::string(how)}}).value();
      return run.learn() ? run.codebook().values : std::vector<float>();
    };
    const auto near = [](const std::vector<float>& got, const std::vector<float>& wanted) {
      return farther(got, wanted, 1e-5, {1});
    };
    COMPARE_TEXT(near(learnt("layer_norm"), {part, -part}), "");
    const float root = std::sqrt(5.0F);
    COMPARE_TEXT(near(learnt("paper"), {3 / root * part, 1 / root * part}), "");
    QCOMPARE(learnt("none"), (std::vector<float>{300, 100}));
  }

  void a_codebook_is_learnt_for_each_head() {
    VqAttentionTensors tensors = some_tensors();
    tensors.codebook = {};
    auto run = made(tensors, {{"n_code", five}, {"iterations", Index{7}}, {"seed", Index{3}}, {"gamma", 0.9}}).value();
    QVERIFY(run.needs_codebook());
    double reported = 0;
    QVERIFY(run.learn({.progress = [&](double part) { reported = part; }}));
    QVERIFY(!run.needs_codebook());
    QCOMPARE(reported, 1.0);
    QCOMPARE(run.codebook().shape, (std::vector<Index>{2, 5, 4}));
    const StridedMatrix keys{tensors.k.values.data() + 60 * 4, 60, 4, 4};
    const auto second = learn_codebook(keys, {.n_code = 5, .gamma = 0.9, .steps = 7, .seed = 3}).value();
    QVERIFY(std::equal(second.codewords.begin(), second.codewords.end(), run.codebook().values.begin() + 20));
    QVERIFY(run.attend());
    QVERIFY(!made(tensors, {{"form", exact_form}})->needs_codebook());
  }

  void bad_tensors_are_refused() {
    const auto with = [](const auto& change, std::vector<std::pair<std::string, ParameterValue>> changes = {}) {
      VqAttentionTensors tensors = some_tensors();
      change(tensors);
      changes.emplace(changes.begin(), "n_code", five);
      return made(std::move(tensors), changes);
    };
    const auto nothing = [](VqAttentionTensors&) {};
    COMPARE_ERROR(with([](auto& t) { t.q.shape = {480}; }), "q is [480] but must be [T, d_k] or [heads, T, d_k]");
    COMPARE_ERROR(
        with([](auto& t) {
          t.v = {{1, 2, 60, 6}, t.v.values};
        }),
        "v is [1, 2, 60, 6] but must be [T, d_v] or [heads, T, d_v]; FILE:NAME[0] selects index 0 of the leading "
        "dimension");
    COMPARE_ERROR(with([](auto& t) { t.codebook.shape = {40}; }),
                  "codebook is [40] but must be [n_code, d_k] or [heads, n_code, d_k]");
    COMPARE_ERROR(with([](auto& t) {
                    t.k.shape = {4, 30, 4};
                  }),
                  "q is [2, 60, 4], k is [4, 30, 4]: both must have the same number of tokens");
    COMPARE_ERROR(with(
                      [](auto& t) {
                        t.codebook.shape = {2, 4, 5};
                      },
                      {{"n_code", Index{4}}}),
                  "codebook is [2, 4, 5], k is [2, 60, 4]: both must have the same d_k, their last dimension");
    COMPARE_ERROR(with(nothing, {{"n_code", Index{8}}}), "n_code is 8, codebook is [2, 5, 4], which has 5 codewords");
    COMPARE_ERROR(with([](auto& t) { t.codebook = {}; }, {{"n_code", Index{61}}}),
                  "n_code is 61, a codebook for the 60 keys of k must have at most 60 codewords");
    COMPARE_ERROR(with(nothing, {{"n_code", Index{0}}}), "n_code is 0 but must be an integer from 1 to 1048576");
    COMPARE_ERROR(with(nothing, {{"head_type", std::string("shga")}}),
                  "q has 2 heads but must have 1 for head type shga");
    COMPARE_ERROR(with([](auto& t) { t.k.values[5] = std::numeric_limits<float>::quiet_NaN(); },
                       {{"normalize", std::string("paper")}}),
                  "k has nan at head 0, row 1, column 1 but must be finite");
  }

  void more_memory_than_there_is_is_refused() {
    const auto refused = made(some_tensors(), {{"n_code", five}}, 1024);
    QVERIFY(!refused && refused.error().code == Errc::too_large);
    QVERIFY(refused.error().message.starts_with("attention over 60 tokens needs "));
    QVERIFY(refused.error().message.ends_with(
        " of memory with its tensors, the limit is 1 KiB; most_memory raises it up to the memory of the machine"));
  }

  void work_is_cancelled() {
    VqAttentionTensors tensors = some_tensors();
    tensors.codebook = {};
    std::stop_source stop;
    stop.request_stop();
    auto run = made(tensors, {{"n_code", five}}).value();
    QVERIFY(run.learn({.stop = stop.get_token()}).error().code == Errc::cancelled);
    QVERIFY(run.learn());
    QVERIFY(run.attend({.stop = stop.get_token()}).error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(VqAttentionRunTest)
#include "vq_attention_run_test.moc"
