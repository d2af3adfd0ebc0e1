// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/corpus/corpus.h"

#include "core/experiment/corpus/own_text.h"
#include "core/experiment/methods.h"
#include "core/experiment/training/model_training.h"
#include "core/experiment/training/training_source.h"
#include "core/method/run_result.h"
#include "tests/support/compare.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string written(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
  const QString path = folder.filePath(name);
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(bytes);
  return path.toStdString();
}

/// A training of a few steps on a text.
ParameterValues small_text_training(const std::string& data) {
  ParameterValues values = default_values(train_model_method().parameters);
  for (const auto& [name, value] : ParameterValues::Map{{"data", data},
                                                        {"d_model", Index{8}},
                                                        {"n_heads", Index{2}},
                                                        {"d_ff", Index{8}},
                                                        {"n_layers", Index{1}},
                                                        {"batch_rows", Index{2}},
                                                        {"length", Index{16}},
                                                        {"steps", Index{4}}})
    values.set(name, value);
  return values;
}

}  // namespace

class CorpusTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void the_last_tenth_of_a_text_is_for_tests() {
    const Corpus corpus = text_corpus("t.txt", "abcdefghijklmnopqrstuvwxy");
    QCOMPARE(corpus.training(7).tokens.size(), std::size_t{23});
    QCOMPARE(corpus.test(100).tokens, (std::vector<std::int32_t>{'x', 'y'}));
    QCOMPARE(corpus.test(1).tokens, (std::vector<std::int32_t>{'x'}));
    QVERIFY(!corpus.has_answers() && corpus.key != text_corpus("t.txt", "abcdefghijklmnopqrstuvwxz").key);
    const Corpus guide = built_in_corpus("guide");
    QVERIFY(guide.training(0).tokens.size() > 100000);
    QCOMPARE(guide.id, std::string("guide"));
  }

  void steps_that_score_answers() {
    const Corpus vault = built_in_corpus("vault");
    QCOMPARE(answer_training(vault, "answers_first", 601, 0).steps, Index{300});
    QCOMPARE(answer_training(vault, "answers", 601, 0).steps, Index{601});
    QVERIFY(answer_training(vault, "all", 601, 0) == AnswerTraining());
    QVERIFY(answer_training(built_in_corpus("guide"), "curriculum", 601, 0) == AnswerTraining());
    const AnswerTraining curriculum = answer_training(vault, "curriculum", 601, 0);
    QCOMPARE(curriculum.steps, Index{0});
    QCOMPARE(curriculum.denser.size(), std::size_t{5});  // records of 8, 16, 32, 64 and 128 bytes
    QCOMPARE(std::ranges::count(curriculum.denser[0].answers, true), 120000 / 8);
    QCOMPARE(answer_training(built_in_corpus("facts"), "curriculum", 601, 0).denser.size(), std::size_t{4});
    QCOMPARE(vault.test(1000).tokens.size(), std::size_t{1000});
  }

  /// In the order of paths, without hidden and binary files.
  void texts_of_a_folder() {
    const QTemporaryDir folder;
    written(folder, "b.txt", "bee ");
    written(folder, "a/z.txt", "zed ");
    written(folder, ".hidden", "no");
    written(folder, ".git/config", "no");
    written(folder, "c.bin", QByteArray("n\0o", 3));
    const std::string path = folder.path().toStdString();
    const OwnText text = read_own_text(path).value();
    QCOMPARE(text.bytes, std::string("zed bee "));
    COMPARE_TEXT(text.remark, path + ": 2 texts; skipped: 2 hidden, 1 binary");
    const QTemporaryDir empty;
    COMPARE_ERROR(read_own_text(empty.path().toStdString()), empty.path().toStdString() + " has no text to train on");
    QVERIFY(read_own_text(written(folder, "d.txt", "one"))->remark.empty());
  }

  /// Bits per byte on the last tenth, and of each answer of a text that has them.
  void a_training_is_scored_on_unseen_text() {
    const QTemporaryDir folder;
    const std::string path = written(folder, "t.txt", QByteArray("the cat sat on the mat. ").repeated(40));
    RunRequest request;
    request.files["text"] = {path, nullptr};
    const auto own = run_training(request, small_text_training("text"), {}).value();
    QCOMPARE(fact_of(*own.curves, "scored_bytes"), 95.0);
    QCOMPARE(fact_of(*own.curves, "stride"), 8.0);
    QVERIFY(std::abs(fact_of(*own.curves, "bits_per_byte") - 8) < 1.5);
    COMPARE_TEXT(own.curves->y_title, "loss (bits per byte)");
    QCOMPARE(own.curves->levels.front().y, 8.0);
    const auto vault = make_curves(train_model_method(), small_text_training("vault")).value();
    QCOMPARE(vault.levels.back().y, 0.078125);
    QCOMPARE(fact_of(vault, "best_answer_bits"), 4.0);
    QVERIFY(fact_of(vault, "answer_bits") > 3);
  }
};

VQSCOPE_TEST(CorpusTest)
#include "corpus_test.moc"
