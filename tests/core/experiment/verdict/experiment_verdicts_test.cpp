// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/verdict/experiment_verdicts.h"

#include "core/experiment/methods.h"
#include "core/method/method.h"
#include "core/method/verdict/verdict.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

QString said_of(std::string_view id, const CurveSet& curves) {
  return QString::fromStdString(experiment_verdict(id)(curves));
}

CurveSet with_facts(std::vector<std::pair<std::string, double>> facts) {
  return {.x = {1, 2}, .curves = {{"y", {1, 2}}}, .facts = std::move(facts)};
}

}  // namespace

class ExperimentVerdictsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_experiment_has_a_sentence() {
    const CurveSet plain{.x_title = "tokens", .x = {1, 2}, .curves = {{"a", {1, 2}}, {"b", {2, 4}}}};
    for (const Method& method : experiment_methods()) {
      if (method.category != "experiments" || !method.curves()) continue;
      QVERIFY2(method.curves()->verdict, method.id.c_str());
      if (method.id != "mask_test") QVERIFY2(!verdict_of(method, plain).empty(), method.id.c_str());
      QVERIFY2(verdict_of(method, {}).empty(), method.id.c_str());
    }
  }

  void facts() {
    QCOMPARE(said_of("vq_occupancy", with_facts({{"occupied", 1}, {"perplexity", 1.5}})),
             "1 of 2 codewords have keys; their use has a perplexity of 1.5");
    QCOMPARE(said_of("vq_cache_codes", with_facts({{"blocks", 4}, {"keys", 512}, {"occupied", 2}})),
             "after 4 blocks, 512 keys are kept as counts of 2 of 2 codewords");
    QCOMPARE(said_of("vq_theorem_2_2", with_facts({{"ratio", 1.01474}, {"expected_ratio", 1.01587}})),
             "the error of scores is 1.015 times that of keys; theorem 2.2 expects 1.016");
    QCOMPARE(said_of("vq_theorem_2_2", with_facts({{"ratio", 1},
                                                   {"expected_ratio", 1},
                                                   {"second_nearest_over_nearest", 1.5},
                                                   {"random_over_nearest", 2.25}})),
             "the error of scores is 1 times that of keys; theorem 2.2 expects 1; the second nearest codeword has 1.5 "
             "times the error; a random codeword has 2.25 times the error");
    QCOMPARE(said_of("vq_table", with_facts({{"speed_up_mqa", 4.664}, {"threads", 1}})),
             "at 2 tokens, VQ speeds up attention 4.66 times for mqa");
    QCOMPARE(said_of("train_throughput",
                     with_facts({{"speed_up_vq_training", 8.2}, {"length_of_speed_up_vq_training", 4096}})),
             "vq_training is 8.2 times as fast as full attention at 4\u202f096 tokens");
    QCOMPARE(said_of("xl_costs", with_facts({{"full_over_xl", 8.258}})),
             "at 2 tokens, full attention costs 8.26 times as much as Transformer-XL");
    QCOMPARE(said_of("kv_cache", with_facts({{"bytes", 2147483648.0}, {"longest", 65536}})),
             "2 tokens need 2 GiB; the memory holds 65\u202f536 tokens");
  }

  void a_vq_model() {
    CurveSet set{.x_name = "n_code",
                 .x_title = "codebook size S",
                 .y_title = "test loss (nats)",
                 .x = {4, 64},
                 .curves = {{"vq_xl", {2.73, 2.74}}},
                 .facts = {{"seeds", 1}}};
    QCOMPARE(said_of("vq_model", set), "4 codewords are enough for VQ with XL: 2.73 nats; 2.74 nats with 64; one seed");
    set.x = {1, 8, 64};
    set.curves = {{"vq_xl", {2.61, 2.27, 2.26}},
                  {"least", {2.6, 2.26, 2.25}},
                  {"greatest", {2.62, 2.28, 2.27}},
                  {"rope", {2.38, 2.38, 2.38}},
                  {"vq_nope (did not learn)", {2.9, 2.9, 2.9}}};
    set.bands = {{0, 1, 2}};
    set.facts = {{"without_cache_more_vq_xl", 0.01},
                 {"without_cache_more_least_vq_xl", -0.005},
                 {"without_cache_more_greatest_vq_xl", 0.02},
                 {"seeds", 2}};
    QCOMPARE(said_of("vq_model", set),
             "VQ with XL needs 8 codewords: 2.27 nats (2.26 to 2.28); 2.61 nats (2.6 to 2.62) with 1 codeword, 2.26 "
             "nats (2.25 to 2.27) with 64; RoPE has 2.38 nats; without its cache, the loss of VQ with XL is 0.01 nats "
             "higher (-0.005 to 0.02); VQ with NoPE did not learn; 2 seeds");
    set.facts = {{"without_cache_more_vq", -0.159},
                 {"without_cache_more_least_vq", -0.16},
                 {"without_cache_more_greatest_vq", -0.158},
                 {"seeds", 2}};
    QVERIFY(said_of("vq_model", set).contains("the loss of VQ with a table is 0.159 nats lower (0.158 to 0.16); "));
    set.y_title = "fraction of passkeys found";
    set.bands.clear();
    set.facts = {{"seeds", 2}};
    set.curves = {{"vq_xl", {0.1875, 0.96875, 0.8}}};
    QCOMPARE(
        said_of("vq_model", set),
        "VQ with XL needs 8 codewords: 96.9 % of the passkeys; 18.8 % of the passkeys with 1 codeword, 80 % of the "
        "passkeys with 64; 2 seeds");
    set.y_title = "commitment loss";
    set.bands.clear();
    set.curves = {{"vq_xl", {1, 2, 3}}};
    QCOMPARE(said_of("vq_model", set),
             "commitment loss vq_xl rises from 1 to 3 (codebook size S from 1 to 64); 2 seeds");
  }

  /// Time for each token, from the rates by length.
  void a_token_costs() {
    const CurveSet set{.y_title = "tokens per second",
                       .x = {256, 8192},
                       .curves = {{"full_training", {2e4, 5e3}},
                                  {"vq_training", {2e4, 1.6e4}},
                                  {"vq_training, least", {1e4, 1e4}},
                                  {"vq_training, greatest", {2e4, 2e4}}},
                       .bands = {{1, 2, 3}}};
    QCOMPARE(
        said_of("train_throughput", set),
        "a token of training takes 200 µs with full attention and 62.5 µs with VQ (50 to 100) at 8\u202f192 tokens, "
        "4 times and 1.25 times as long as at 256");
  }

  /// By its loss beside that of a guess.
  void a_training() {
    CurveSet set{.x_name = "step",
                 .y_title = "loss (nats per token)",
                 .x = {1, 2, 3},
                 .curves = {{"loss, mean of 20 steps", {3.7, 3, 2.5}}},
                 .levels = {{3.689, "all tokens equally likely"}, {0.87, "rules of the language known"}}};
    QCOMPARE(said_of("train_model", set),
             "the loss is 2.5 nats per token after 3 steps; guessing has 3.69, knowing the rules 0.87");
    set.curves.front().y = {3.7, 3.6, no_value};
    QCOMPARE(said_of("train_model", set),
             "the model did not learn: its loss is 3.6 nats per token after 2 steps, guessing has 3.69; train for more "
             "steps or with another learning rate");
    set.facts = {{"reach", 32}, {"needed_reach", 46}};
    QCOMPARE(said_of("train_model", set),
             "the model did not learn: its loss is 3.6 nats per token after 2 steps, guessing has 3.69; more steps do "
             "not help: its layers see 32 tokens back, the answer is at least 46 back in the largest problems");
  }

  void a_training_on_a_text() {
    CurveSet set{.y_title = "loss (bits per byte)",
                 .x = {1, 2},
                 .curves = {{"loss, mean of 20 steps", {8, 2.5}}},
                 .levels = {{8, "all bytes equally likely"}},
                 .facts = {{"bits_per_byte", 2.31}, {"scored_bytes", 17459}, {"window", 64}, {"stride", 32}}};
    QCOMPARE(said_of("train_model", set),
             "2.31 bits per byte on 17\u202f459 bytes that it was not trained on (windows of 64, stride 32); guessing "
             "has 8");
    set.facts.insert(set.facts.end(), {{"answer_bits", 3.9}, {"best_answer_bits", 0}, {"best_bits_per_byte", 0.0469}});
    QCOMPARE(
        said_of("train_model", set),
        "2.31 bits per byte on 17\u202f459 bytes that it was not trained on (windows of 64, stride 32); an answer "
        "costs "
        "3.9 bits, of which 0 are unavoidable with 64 bytes of context: the model is not competent, which takes at "
        "most 1; guessing has 8, knowing the rules 0.0469");
    set.facts[4].second = 0.2;
    QVERIFY(!said_of("train_model", set).contains("competent"));
  }

  void tests_of_a_mask() {
    QCOMPARE(said_of("mask_test", with_facts({{"packed_passed", 1}, {"packed_largest", 1e-14}, {"cached_passed", 1}})),
             "all 2 tests pass: no logit changes by more than 1e-14");
    QCOMPARE(said_of("mask_test", with_facts({{"packed_passed", 0}, {"packed_first", 3}, {"cached_passed", 1}})),
             "packed fails from token 3");
  }

  void orders_of_rotation() {
    CurveSet set = with_facts({{"rotate_first", 0.31}, {"quantise_first", 0.22}});
    set.x = {64, 4096};
    QCOMPARE(
        said_of("vq_rotation_orders", set),
        "at 4\u202f096 tokens, codewords for rotated keys have an error of 0.31, codewords rotated afterwards one of "
        "0.22");
    set.facts.insert(set.facts.end(), {{"quantise_first_clipped", 0.45}, {"clip_alone", 0.4}});
    QVERIFY(
        said_of("vq_rotation_orders", set).endsWith("; with clipped distances 0.45, of which the clip alone has 0.4"));
  }

  void capacity() {
    const CurveSet set{.y_title = "|read − v| / |v|",
                       .x = {1, 16, 64},
                       .curves = {{"linear", {0, 0.6, 1}}, {"delta", {0, 0.1, 0.7}}, {"delta_by_token", {1, 1, 1}}}};
    QCOMPARE(said_of("infini_capacity", set),
             "half of a value is lost from so many pairs on: 16 with linear and 64 with delta");
  }
};

VQSCOPE_TEST(ExperimentVerdictsTest)
#include "experiment_verdicts_test.moc"
