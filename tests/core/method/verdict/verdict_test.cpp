// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/verdict/verdict.h"

#include "core/method/method.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>

using namespace vqscope;

namespace {

/// Losses at 1, 2, 4 and 8 training lengths of 64 tokens.
CurveSet contexts(std::vector<Curve> curves) {
  return {.x_name = "context",
          .x_title = "context T (tokens)",
          .y_title = "loss minus that at the training length (nats)",
          .x = {64, 128, 256, 512},
          .curves = std::move(curves),
          .marks = {{64, "training length"}}};
}

CurveSet with_seeds(CurveSet set, double seeds) {
  set.facts = {{"seeds", seeds}};
  return set;
}

/// As a catalogue has it.
std::string name_of(const std::string& id) {
  const std::map<std::string, std::string> names{
      {"rope", "RoPE"}, {"alibi", "ALiBi"}, {"nope", "NoPE"}, {"fire", "FIRE"}, {"learned", "learnt positions"}};
  const auto known = names.find(id);
  return known == names.end() ? id : known->second;
}

std::string extrapolation_of(const CurveSet& curves) { return extrapolation_verdict(curves, name_of); }
std::string accuracy_of(const CurveSet& curves) { return accuracy_verdict(curves, name_of); }

QString text_of(const std::string& sentence) { return QString::fromStdString(sentence); }

}  // namespace

class VerdictTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void extrapolation() {
    const CurveSet set = contexts({{"rope", {0, 0.01, 0.06, 0.144}}, {"alibi", {0, -0.01, 0.001, 0.0015}}});
    QCOMPARE(text_of(extrapolation_of(with_seeds(set, 1))),
             "ALiBi (0.0015 nats more) keeps its loss to 8×; RoPE keeps its loss to 2× and loses 0.144 nats at 8×; one "
             "seed");
  }

  void extrapolation_of_plain_losses_with_a_band() {
    CurveSet set = contexts({{"rope", {2, 2.1, 2.2, 2.5}}, {"nope", {2, 2, 2, 2}}, {"alibi", {2.1, 2.1, 2.1, 2.1}}});
    QCOMPARE(text_of(extrapolation_of(set)),
             "NoPE (0 nats more) and ALiBi (0 nats more) keep their loss to 8×; RoPE loses 0.5 nats at 8×");
    set = contexts(
        {{"rope", {0, 0.1, 0.2, 0.5}}, {"rope, least", {0, 0.1, 0.1, 0.4}}, {"rope, greatest", {0, 0.1, 0.3, 0.625}}});
    set.bands = {{0, 1, 2}};
    CurveSet kept = contexts({{"rope", {0, 0, 0, -0.01}}, {"low", {0, 0, 0, -0.02}}, {"high", {0, 0, 0, 0.005}}});
    kept.bands = {{0, 1, 2}};
    QCOMPARE(text_of(extrapolation_of(kept)), "RoPE (0.01 nats less, -0.02 to 0.005) keeps its loss to 8×");
    QCOMPARE(text_of(extrapolation_of(with_seeds(set, 3))), "RoPE loses 0.5 nats (0.4 to 0.625) at 8×; 3 seeds");
  }

  void many_models_are_named_briefly() {
    std::vector<Curve> curves;
    for (int i = 1; i <= 6; ++i) curves.push_back({"m" + std::to_string(i), {0, 0.1 * i, 0.1 * i, 0.1 * i}});
    curves.push_back({"learned (did not learn)", {0, 1, 1, 1}});
    QCOMPARE(text_of(extrapolation_of(contexts(curves))),
             "at 8×, m1 loses 0.1 nats, m2 0.2, m3 0.3, m4 0.4, m5 0.5 and m6 0.6; learnt positions did not learn");
    curves.insert(curves.begin(), {"m0", {0, 0.05, 0.05, 0.05}});
    QVERIFY(text_of(extrapolation_of(contexts(curves)))
                .startsWith("at 8×, m0 loses 0.05 nats, m1 0.1, m2 0.2, m3 0.3, "
                            "m4 0.4 and 2 more up to 0.6; "));
  }

  /// Tests that take too long end a line; the others are told to their ends.
  void a_line_that_goes_on() {
    CurveSet set = contexts({{"rope", {0, 0.06, no_value, no_value}}, {"alibi", {0, 0.01, 0.02, 0.126}}});
    set.facts.emplace_back("rope_skipped_from", set.x[2]);
    QCOMPARE(
        text_of(extrapolation_of(set)),
        "ALiBi (0.01 nats more) keeps its loss to 2×; RoPE loses 0.06 nats at 2×; ALiBi has 0.126 nats more at 8×");
    set.curves.front().y.front() = no_value;
    set.curves.front().y[1] = no_value;
    QCOMPARE(text_of(extrapolation_of(set)), "ALiBi keeps its loss to 4× and loses 0.126 nats at 8×");
  }

  /// A stopped run has gaps at its ends.
  void results_so_far() {
    const CurveSet set = contexts({{"rope", {0, 0.03, 0.06, no_value}}, {"alibi", {no_value, no_value}}});
    QCOMPARE(text_of(extrapolation_of(set)), "RoPE loses 0.06 nats at 4×");
    QVERIFY(extrapolation_of(contexts({{"rope", {no_value, no_value}}})).empty());
    QVERIFY(extrapolation_of(contexts({})).empty());
  }

  /// With its numbers, and what to do.
  void a_model_that_did_not_learn() {
    CurveSet set = contexts({{"nope (did not learn)", {0, 1, 1, 1}}, {"alibi", {0, 0, 0, 0}}});
    set.facts = {{"steps", 250},
                 {"seeds", 1},
                 {"competence", 2.83},
                 {"guessing_loss", 3.689},
                 {"loss_at_training_length_nope", 2.912}};
    QCOMPARE(text_of(extrapolation_of(set)),
             "ALiBi (0 nats more) keeps its loss to 8×; NoPE (2.91 nats) did not learn: a loss of 2.83 at the training "
             "length is "
             "needed, guessing has 3.69; train for more than 250 steps; one seed");
  }

  /// Each as far as half of its answers are correct.
  void accuracy() {
    CurveSet set{.y_title = "fraction of problems answered correctly",
                 .x = {6, 12, 24, 48},
                 .curves = {{"rope", {1, 0.95, 0.031, 0.6}},
                            {"nope", {1, 1, 0.625, 0}},
                            {"alibi", {1, 0.9, 0.7, 0}},
                            {"fire (did not learn)", {0, 0, 0, 0}}},
                 .marks = {{12, "largest in training"}},
                 .facts = {{"seeds", 2}}};
    QCOMPARE(text_of(accuracy_of(set)),
             "70 % of the answers are correct at 2× the largest size in training with ALiBi; beyond, no model has half "
             "of them; FIRE did not learn; 2 seeds");
    set.curves.erase(set.curves.begin(), set.curves.begin() + 3);
    set.facts = {{"seeds", 1}, {"steps", 2500}, {"competence", 0.9}, {"at_largest_in_training_fire", 0.2656}};
    QCOMPARE(text_of(accuracy_of(set)),
             "FIRE (26.6 %) did not learn: 90 % correct at the largest size in training are needed; train for more "
             "than 2\u202f500 steps; one seed");
    set.facts.emplace_back("reach_fire", 32);
    set.facts.emplace_back("needed_reach", 46);
    QCOMPARE(text_of(accuracy_of(set)),
             "FIRE cannot learn the task: its layers see 32 tokens back; the answer is at least 46 back in the largest "
             "problems of training; one seed");
  }

  void growth() {
    CurveSet set{.y_title = "output error |o − ô| / |o|",
                 .x = {64, 256, 4096},
                 .curves = {{"unrotated", {0.3, 0.4, 0.41}}, {"yarn", {0.5, 0.6, 0.9}}},
                 .marks = {{256, "training length 256"}}};
    QCOMPARE(
        text_of(growth_verdict(set)),
        "the output error of unrotated stays to 16× the training length; the output error grows 1.5 times with yarn "
        "(to 0.9) at 16× the training length");
    set.curves = {{"default", {0.5, 0.6, 0.75}}, {"linear", {0.5, 0.6, 0.66}}, {"yarn", {0.5, 0.6, 0.9}}};
    QCOMPARE(text_of(growth_verdict(set)),
             "the output error grows between 1.1 times with linear (to 0.66) and 1.5 times "
             "with yarn (to 0.9) at 16× the training length");
  }

  void speed() {
    CurveSet set{.x_title = "sequence length T (tokens)",
                 .y_title = "seconds",
                 .x = {64, 256, 4096},
                 .curves = {{"full", {1e-5, 3e-4, 0.012}}, {"vq_linear", {2e-5, 1e-4, 0.0015}}}};
    QCOMPARE(text_of(speed_verdict(set)),
             "vq_linear is the fastest from 256 tokens on; at 4\u202f096 tokens it is 8 times as fast as full");
    set.y_title = "bytes";
    QVERIFY(text_of(speed_verdict(set)).startsWith("full rises from 1e-05 to 0.012"));
  }

  void any_curves() {
    const CurveSet set{.x_title = "codewords S",
                       .y_title = "error",
                       .x = {1, 16, 256},
                       .curves = {{"commit_loss", {7.891, 2, 0.7433}}, {"output_error", {0.3, 0.301, 0.3}}}};
    QCOMPARE(text_of(general_verdict(set)),
             "commit_loss falls from 7.89 to 0.743 and output_error stays at 0.3 (codewords S from 1 to 256)");
    const CurveSet one{.x_title = "tokens T", .x = {2048}, .curves = {{"vq", {1.5}}}};
    QCOMPARE(text_of(general_verdict(one)), "vq is 1.5 (at tokens T 2\u202f048)");
    QVERIFY(general_verdict({}).empty());
  }

  void many_curves_by_their_ends() {
    const CurveSet set{
        .x_title = "tokens T",
        .y_title = "relative error of the output",
        .x = {256, 32768},
        .curves = {
            {"window", {0, 5.69}}, {"sinks", {0, 5.68}}, {"memory", {0, 3.5}}, {"full", {0, 3}}, {"vq", {0.6, 0.517}}}};
    QCOMPARE(text_of(general_verdict(set)),
             "vq has the least relative error of the output, 0.517, and window the "
             "greatest, 5.69 (at tokens T 32\u202f768)");
  }

  /// Only methods that say so have a sentence.
  void methods_without_a_verdict() {
    Method method{.recipe = CurveRecipe{}};
    const CurveSet set{.x = {1}, .curves = {{"y", {1}}}};
    QVERIFY(verdict_of(method, set).empty());
    std::get<CurveRecipe>(method.recipe).verdict = general_verdict;
    QCOMPARE(text_of(verdict_of(method, set)), "y is 1 (at x 1)");
  }
};

VQSCOPE_TEST(VerdictTest)
#include "verdict_test.moc"
