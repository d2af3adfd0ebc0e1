// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/corpus_study.h"

#include "core/data/vault.h"
#include "core/experiment/extrapolation/position_tests.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/methods.h"
#include "core/experiment/verdict/experiment_verdicts.h"
#include "tests/support/compare.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Settings = std::vector<std::pair<std::string, ParameterValue>>;

/// A few steps of a tiny model.
ParameterValues tiny_text(const Method& method, const std::string& data, const Settings& changes = {}) {
  ParameterValues values = default_values(method.parameters);
  values.set("data", data);
  values.set("models", std::vector<std::string>{"alibi"});
  values.set("lines", std::string("mean"));
  for (const auto& [name, value] : {std::pair("train_steps", 3),
                                    {"train_length", 32},
                                    {"batch_rows", 2},
                                    {"seed_count", 1},
                                    {"d_model", 8},
                                    {"n_layers", 1},
                                    {"num_heads", 2},
                                    {"d_ff", 8},
                                    {"train_threads", 1}})
    values.set(name, Index{value});
  for (const auto& [name, value] : changes) values.set(name, value);
  return values;
}

Result<CurveSet> extrapolated(const std::string& data, const Settings& changes = {}) {
  static const Method method = length_extrapolation_method();
  Settings all{{"longest_multiple", Index{2}}};
  all.insert(all.end(), changes.begin(), changes.end());
  return make_curves(method, tiny_text(method, data, all));
}

ParameterValue chosen(const char* id) { return std::string(id); }

}  // namespace

class CorpusStudyTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// The loss of all bytes, and of the same answers at every context.
  void losses_of_bytes_and_of_answers() {
    const auto bytes = extrapolated("vault", {{"quantity", chosen("loss")}}).value();
    const auto answers = extrapolated("vault", {{"quantity", chosen("answers")}}).value();
    COMPARE_TEXT(bytes.y_title, "loss (bits per byte)");
    COMPARE_TEXT(answers.y_title, "loss of answers (bits)");
    QCOMPARE(bytes.levels.size(), std::size_t{1});  // 32 and 64 bytes know no answer
    QCOMPARE(bytes.levels[0].y, vault::bits_per_character(32));
    QCOMPARE(answers.levels[0].y, 4.0);
    QVERIFY(bytes.curves[0].y != answers.curves[0].y);
    QCOMPARE(fact_of(bytes, "answer_bits_at_training_length_alibi"), answers.curves[0].y[0]);
    QCOMPARE(fact_of(bytes, "loss_at_training_length_alibi"), bytes.curves[0].y[0]);
    QVERIFY(std::abs(answers.curves[0].y[0] - 8) < 1);
  }

  /// Marked in the legend, named in the sentence, without a rank.
  void a_model_that_does_not_know_the_answers() {
    const auto set = extrapolated("vault", {{"models", std::vector<std::string>{"alibi", "window"}}}).value();
    COMPARE_TEXT(set.curves[0].name, "alibi (did not learn)");
    QVERIFY(std::isnan(fact_of(set, "rank_alibi")));
    QCOMPARE(fact_of(set, "reach_window"), 31.0);
    const QString said = QString::fromStdString(experiment_verdict("length_extrapolation")(set));
    QVERIFY2(
        said.contains("bits an answer) did not learn: an answer of at most 1 bit at the training length is needed"),
        qPrintable(said));
    QVERIFY2(said.contains("cannot know the answers: its layers see 31 tokens back, which are at least 65 back"),
             qPrintable(said));
  }

  void a_text_of_ones_own() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("t.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("the cat sat on the mat. ").repeated(200));
    file.close();
    const std::string path = file.fileName().toStdString();
    const auto set = extrapolated("text", {{"text_file", path}, {"quantity", chosen("loss")}}).value();
    QVERIFY(std::abs(set.curves[0].y[0] - 8) < 1.5);
    QVERIFY(set.levels.empty());
    COMPARE_ERROR(extrapolated("text", {{"text_file", path}, {"longest_multiple", Index{16}}}),
                  path + ": its last tenth has 480 bytes, but tests of 512 bytes of context need 737");
    COMPARE_ERROR(extrapolated("text"), "text_file is empty but must be a file or a folder for data text");
    COMPARE_ERROR(extrapolated("guide", {{"quantity", chosen("answers")}}),
                  "quantity is answers but must be difference or loss for data guide");
  }

  /// Spans of positions that double, in the windows of the longest context.
  void losses_by_position() {
    const auto set = extrapolated("guide", {{"quantity", chosen("position")}}).value();
    QCOMPARE(set.x, (std::vector<double>{1, 2, 4, 8, 16, 32, 64}));
    QCOMPARE(set.curves[0].y.size(), set.x.size());
    for (const double bits : set.curves[0].y) QVERIFY(std::abs(bits - 8) < 1.5);
    COMPARE_TEXT(set.x_name, "position");

    static const Method method = length_extrapolation_method();
    const ParameterValues values = tiny_text(method, "language", {{"longest_multiple", Index{2}}});
    VariantStudy study = language_study(values);
    add_position_tests(study, 1, position_spans(values));
    QCOMPARE(study.lengths.size(), std::size_t{2 + 7});
    const TokenBatch whole = study.test(1).value(), span = study.test(2 + 2).value(), last = study.test(2 + 6).value();
    QCOMPARE(span.rows, Index{32});
    const auto of_row = [](const TokenBatch& batch) { return std::span(batch.labels).first(64); };
    QVERIFY(std::ranges::count(of_row(span), ignored_label) == 62);  // positions 3 and 4 count
    QCOMPARE(span.labels[2], whole.tokens[3]);
    QCOMPARE(span.labels[3], whole.tokens[4]);
    QVERIFY(std::ranges::count(of_row(last), ignored_label) == 32);
    QVERIFY(std::ranges::equal(of_row(last).last(32), of_row(whole).last(32)));
  }

  /// Steps of fine-tuning are on longer sequences of another seed.
  void fine_tuning_on_a_text() {
    const Settings tuned{{"finetune_steps", Index{2}}, {"finetune_multiple", Index{2}}};
    QVERIFY(extrapolated("facts", tuned)->curves[0].y != extrapolated("facts")->curves[0].y);
  }

  void a_vq_model_of_a_text() {
    const Method method = vq_model_method();
    const Settings few{{"models", std::vector<std::string>{"vq"}}, {"n_code_max", Index{4}}};
    const auto bytes = make_curves(method, tiny_text(method, "guide", few)).value();
    COMPARE_TEXT(bytes.y_title, "test loss (bits per byte)");
    Settings asked = few;
    asked.emplace_back("quantity", chosen("answers"));
    const auto answers = make_curves(method, tiny_text(method, "facts", asked)).value();
    COMPARE_TEXT(answers.curves[0].name, "vq (did not learn)");
    QVERIFY(std::abs(answers.curves[0].y[0] - 8) < 1);
  }
};

VQSCOPE_TEST(CorpusStudyTest)
#include "corpus_study_test.moc"
