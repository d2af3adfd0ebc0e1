// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/io/npy/npy_reader.h"
#include "core/io/npy/npy_writer.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index heads = 4, kvHeads = 2, length = 24, width = 6;

/// Normal numbers [heads, T, width], or [T, heads, width] with the same numbers in each head.
NamedTensor madeTensor(const std::string& name, Index of, bool tokensFirst, std::uint64_t seed) {
  const std::size_t count = static_cast<std::size_t>(of * length * width);
  std::vector<float> numbers(count);
  SeededRandom random(seed);
  for (Index head = 0; head < of; ++head)
    for (Index token = 0; token < length; ++token)
      for (Index i = 0; i < width; ++i) {
        const Index row = tokensFirst ? token * of + head : head * length + token;
        numbers[static_cast<std::size_t>(row * width + i)] = static_cast<float>(random.normal());
      }
  return {name, tokensFirst ? std::vector{length, of, width} : std::vector{of, length, width}, numbers};
}

std::vector<NamedTensor> madeTensors(bool tokensFirst = false) {
  return {madeTensor("value_states", kvHeads, tokensFirst, 3), madeTensor("key_states", kvHeads, tokensFirst, 2),
          madeTensor("query_states", heads, tokensFirst, 1)};
}

/// Two samples: numbers of the first are halved.
NamedTensor batchOf(const NamedTensor& tensor) {
  NamedTensor batch = tensor;
  batch.shape.insert(batch.shape.begin(), 2);
  std::vector<float> numbers = std::get<std::vector<float>>(tensor.values);
  std::vector<float> all = numbers;
  for (float& x : all) x /= 2;
  all.insert(all.end(), numbers.begin(), numbers.end());
  batch.values = std::move(all);
  return batch;
}

std::vector<float> npyNumbers(const QByteArray& file) {
  const MemorySource source({file.constData(), static_cast<std::size_t>(file.size())});
  const auto header = read_npy_header(source);
  const auto values = header ? read_npy<float>(source, *header, 1'000'000) : header.error();
  return values ? *values : std::vector<float>();
}

/// |a - b| / |b|.
double relativeDistance(const std::vector<float>& a, const std::vector<float>& b) {
  double errors = 0, sizes = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    errors += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    sizes += std::pow(static_cast<double>(b[i]), 2);
  }
  return a.size() == b.size() ? std::sqrt(errors / sizes) : HUGE_VAL;
}

}  // namespace

/// Queries, keys and values of one file, on the command line.
class QkvRunTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void namesAreGuessedAndAllHeadsAreMeasured() {
    write("a.safetensors", madeTensors());
    const auto vq = run({"--array", "qkv=a.safetensors", "--out", "o.npy", "o.json"});
    QVERIFY2(vq.status == 0 && vq.err.isEmpty(), vq.err.constData());
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    QCOMPARE(report["shape"].toArray(), (QJsonArray{4, 24, 6}));
    QCOMPARE(report["parameters"]["num_heads"].toInt(), 4);
    QCOMPARE(report["parameters"]["num_key_value_heads"].toInt(), 2);
    QCOMPARE(report["output_error_by_head"].toArray().size(), 4);
    QCOMPARE(run({"--array", "qkv=a.safetensors", "--set", "form=exact", "--out", "e.npy"}).status, 0);
    const double error =
        relativeDistance(npyNumbers(contentOf(*m_folder, "o.npy")), npyNumbers(contentOf(*m_folder, "e.npy")));
    QVERIFY(std::fabs(report["output_error"].toDouble() - error) < 1e-5);
    QVERIFY(report["total_variation"].toDouble() > 0 && report["total_variation"].toDouble() < 1);
    QCOMPARE(vq.out.count('\n'), 1);
    static const QRegularExpression line(
        R"(^5 codewords: outputs differ by \S+ % \(rms\), weights by \S+ in total variation; 10 % needs \N+; 4 heads, causal, scores q·k / √d \(error \S+, total variation \S+, perplexity \N+\)$)");
    QVERIFY2(line.match(vq.out.trimmed()).hasMatch(), vq.out.constData());
  }

  void aHeadIsThatHeadOfAll() {
    write("a.safetensors", madeTensors());
    QCOMPARE(run({"--array", "qkv=a.safetensors", "--out", "all.npy"}).status, 0);
    const auto all = npyNumbers(contentOf(*m_folder, "all.npy"));
    for (const QStringList& option : {QStringList{"--set", "head=3"}, QStringList{"--head", "3"}}) {
      const auto one = run(QStringList{"--array", "qkv=a.safetensors", "--out", "o.npy"} + option);
      QVERIFY2(one.status == 0, one.err.constData());
      QCOMPARE(npyNumbers(contentOf(*m_folder, "o.npy")), std::vector<float>(all.end() - length * width, all.end()));
    }
  }

  /// A sink far below the scores changes nothing; one far above leaves nothing of the values.
  void sinksOfEachHeadFromAFile() {
    write("a.safetensors", madeTensors());
    write("s.safetensors", {{"self_attn.sinks", {heads}, std::vector<float>{-200, 0, 1, 200}}});
    const QStringList run_of_all{"--array", "qkv=a.safetensors"}, sinks{"--array", "sinks=s.safetensors"};
    for (const char* form : {"exact", "linear"}) {
      const QStringList with{"--set", QStringLiteral("form=%1").arg(QLatin1String(form))};
      QCOMPARE(run(run_of_all + with + QStringList{"--out", "plain.npy"}).status, 0);
      const auto sunk = run(run_of_all + with + sinks + QStringList{"--out", "sunk.npy"});
      QVERIFY2(sunk.status == 0, sunk.err.constData());
      const auto plain = npyNumbers(contentOf(*m_folder, "plain.npy")),
                 got = npyNumbers(contentOf(*m_folder, "sunk.npy"));
      constexpr std::size_t head = length * width;
      QVERIFY(std::equal(got.begin(), got.begin() + head, plain.begin()));
      const float kept = got[head] / plain[head];  // the first query sees one key
      QVERIFY(kept > 0 && kept < 1 && std::abs(got[head + 1] / plain[head + 1] - kept) < 1e-5F);
      QVERIFY(std::all_of(got.end() - head, got.end(), [](float x) { return std::abs(x) < 1e-30F; }));
    }
    const auto refused = run(run_of_all + QStringList{"--array", "sinks=1,2,3", "--out", "o.npy"});
    QCOMPARE(refused.err, QByteArray("vqscope: sinks has 3 numbers but must have 1, or 4, one for each head\n"));
  }

  void layoutsAndListsOfTensorsAreTheSame() {
    write("a.safetensors", madeTensors());
    write("t.safetensors", madeTensors(true));
    QCOMPARE(run({"--array", "qkv=a.safetensors", "--out", "a.npy"}).status, 0);
    const auto wanted = npyNumbers(contentOf(*m_folder, "a.npy"));
    const auto turned = run({"--array", "qkv=t.safetensors", "--out", "o.npy"});
    QCOMPARE(turned.err, QByteArray("vqscope: q is [24, 4, 6], read as [T, heads, d]: 24 tokens, 4 heads\n"));
    QCOMPARE(npyNumbers(contentOf(*m_folder, "o.npy")), wanted);
    const auto list =
        run({"--array", "qkv=a.safetensors:query_states,a.safetensors:key_states,a.safetensors:value_states", "--out",
             "o.npy"});
    QVERIFY2(list.status == 0, list.err.constData());
    QCOMPARE(npyNumbers(contentOf(*m_folder, "o.npy")), wanted);
  }

  void aSampleOfABatchIsChosen() {
    write("a.safetensors", madeTensors());
    std::vector<NamedTensor> batch;
    for (const NamedTensor& tensor : madeTensors()) batch.push_back(batchOf(tensor));
    write("b.safetensors", batch);
    QCOMPARE(run({"--array", "qkv=a.safetensors", "--out", "a.npy"}).status, 0);
    const auto second = run({"--array", "qkv=b.safetensors", "--batch", "1", "--out", "o.npy", "o.json"});
    QVERIFY2(second.status == 0, second.err.constData());
    QCOMPARE(npyNumbers(contentOf(*m_folder, "o.npy")), npyNumbers(contentOf(*m_folder, "a.npy")));
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    QCOMPARE(report["arrays"]["q"]["leading"].toArray(), QJsonArray{1});
    checkRefused(run({"--array", "qkv=b.safetensors", "--out", "r.npy"}),
                 "k is [2, 2, 24, 6], a batch of 2 samples: --batch N chooses one");
    checkRefused(run({"--array", "qkv=b.safetensors", "--batch", "2", "--out", "r.npy"}),
                 "--batch is 2, k is [2, 2, 24, 6]: must be 0 to 1");
  }

  void contradictionsAreRefused() {
    write("a.safetensors", madeTensors());
    const QStringList arrays{"--array", "qkv=a.safetensors", "--out", "r.npy"};
    const QByteArray file = " (q: a.safetensors:query_states)";
    checkRefused(run(arrays + QStringList{"--set", "head=4"}),
                 "head is 4, q is [4, 24, 6]: head must be 0 to 3" + file);
    checkRefused(run(arrays + QStringList{"--set", "num_heads=8"}),
                 "num_heads is 8, q is [4, 24, 6]: num_heads must be 4, the heads of q" + file);
    checkRefused(run(arrays + QStringList{"--set", "num_key_value_heads=4"}),
                 "num_key_value_heads is 4, k is [2, 24, 6]: num_key_value_heads must be 2, the heads of k (k: "
                 "a.safetensors:key_states)");
    write("q.safetensors", {madeTensor("q", 2, false, 1)});
    checkRefused(run({"--array", "qkv=q.safetensors", "--out", "r.npy"}),
                 "q.safetensors holds no tensor that is called k, only q [2, 24, 6]; name them: "
                 "qkv=FILE:Q,FILE:K,FILE:V");
    write("qk.safetensors", {madeTensor("q", 2, false, 1), madeTensor("k", 2, false, 2)});
    checkRefused(run({"--array", "qkv=qk.safetensors", "--out", "r.npy"}),
                 "array v is missing, vq_attention needs --array v=FILE");
    QVERIFY(!namesIn(*m_folder).contains("r.npy"));
  }

  void fewKeysLowerTheDefaultOfCodewords() {
    write("a.safetensors", madeTensors());
    const auto outcome = program({"run", "vq_attention", "--array", "qkv=a.safetensors", "--out", "o.json"});
    QVERIFY2(outcome.status == 0, outcome.err.constData());
    QVERIFY2(outcome.err.startsWith("vqscope: n_code is 6, a quarter of the 24 keys; --set n_code=N sets it\n"),
             outcome.err.constData());
    QVERIFY(outcome.out.startsWith("6 codewords: "));
  }

  /// Every method that takes tensors of 24 tokens does so without a word about lengths; what is set
  /// against them is refused with both numbers.
  void lengthsFollowShortTensors() {
    write("a.safetensors", madeTensors());
    for (const char* method : {"vq_extrapolation", "long_context_costs", "memorizing_recall", "vq_error_vs_codes"}) {
      const auto outcome = program({"run", method, "--array", "qkv=a.safetensors", "--out", "o.json"});
      QVERIFY2(outcome.status == 0, outcome.err.constData());
    }
    checkRefused(
        program({"run", "vq_extrapolation", "--array", "qkv=a.safetensors", "--set", "reach=16", "--out", "r.json"}),
        "original_max_position_embeddings times reach is 64 but must be at most 24, the tokens of k_tensor");
    checkRefused(program({"run", "long_context_costs", "--array", "qkv=a.safetensors", "--set", "q_length=100", "--out",
                          "r.json"}),
                 "q_length is 100 but must be at most 24, the tokens of k_tensor");
  }

  void rotatedVectorsAreSaid() {
    write("a.safetensors", madeTensors());
    const auto rotated = run({"--array", "qkv=a.safetensors", "--set", "rope_type=default", "--out", "o.json"});
    QVERIFY2(rotated.status == 0, rotated.err.constData());
    QVERIFY2(rotated.err.contains("q and k are rotated by RoPE: default, rope_theta 10000; codewords replace rotated "
                                  "keys: the linear form is exact\n"),
             rotated.err.constData());
    const auto curves = program({"run", "vq_error_by_token", "--array", "qkv=a.safetensors", "--set", "n_code=5",
                                 "--set", "rope_type=yarn", "--out", "o.csv"});
    QVERIFY2(curves.err.contains("q and k are rotated by RoPE: yarn, rope_theta 10000; codewords"),
             curves.err.constData());
  }

  /// The remark of an experiment begins with the sentence of the run, all defaults being the same.
  void experimentsAnswerAsTheRun() {
    write("a.safetensors", madeTensors());
    const auto run = program({"run", "vq_attention", "--array", "qkv=a.safetensors", "--out", "o.json"});
    const QByteArray sentence = run.out.left(run.out.indexOf(" (error "));
    QVERIFY2(sentence.startsWith("6 codewords: outputs differ by "), run.out.constData());
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    QCOMPARE(report["parameters"]["normalize"].toString(), QString("scale"));
    QCOMPARE(report["conditions"].toString(), QString("4 heads, causal, scores q·k / √d"));
    for (const char* method : {"vq_error_by_token", "vq_weights"}) {
      const auto shown = program({"export", method, "--array", "qkv=a.safetensors", "--out", "w.csv"});
      QVERIFY2(shown.err.contains("vqscope: " + sentence + ". Head 0, which is shown: "), shown.err.constData());
    }
    const auto plain =
        program({"run", "vq_attention", "--array", "q=a.safetensors:query_states", "--array",
                 "k=a.safetensors:key_states", "--array", "v=a.safetensors:value_states", "--out", "o.json"});
    QVERIFY2(plain.out.contains("; 4 heads, causal, scores q·k, not divided by √d (error "), plain.out.constData());
  }

  /// The answer alone needs no file.
  void withoutAFileTheSentenceIsPrinted() {
    write("a.safetensors", madeTensors());
    const auto outcome = run({"--array", "qkv=a.safetensors"});
    QVERIFY2(outcome.status == 0 && outcome.out.startsWith("5 codewords: outputs differ by "), outcome.err.constData());
    QCOMPARE(namesIn(*m_folder), QStringList{"a.safetensors"});
  }

  /// A mask beside q, k and v takes the place of the causal one.
  void theMaskOfTheFileIsApplied() {
    const auto withMask = [this](Index window) {
      auto all = madeTensors();
      std::vector<float> cells;
      for (Index q = 0; q < length; ++q)
        for (Index k = 0; k < length; ++k) cells.push_back(k <= q && q - k < window ? 0 : -1e9F);
      all.push_back({"mask", {length, length}, std::move(cells)});
      write("m.safetensors", all);
    };
    const QByteArray end = "; 4 heads, with the mask m.safetensors:mask, scores q·k / √d";
    withMask(4);
    const auto masked = program({"run", "vq_attention", "--array", "qkv=m.safetensors"});
    QVERIFY2(masked.out.contains(end + " (error ") && !masked.err.contains("mask"), masked.err + masked.out);
    const auto shown = program({"export", "vq_weights", "--array", "qkv=m.safetensors", "--out", "w.csv"});
    QVERIFY2(shown.err.contains(masked.out.left(masked.out.indexOf(" (error ")) + ". ") &&
                 shown.err.contains(" Pictures are causal. "),
             shown.err.constData());
    const auto causal = program({"run", "vq_attention", "--array", "qkv=m.safetensors", "--set", "causal=true"});
    QVERIFY2(causal.out.contains("; 4 heads, causal, scores"), causal.out.constData());
    QVERIFY(causal.out != masked.out);
    // The mask language gives the same.
    const auto text = program({"run", "vq_attention", "--array", "qkv=m.safetensors", "--set", "form=quadratic",
                               "--set", "mask=q_idx - kv_idx < 4"});
    QCOMPARE(text.out.left(text.out.indexOf("; 4 heads")), masked.out.left(masked.out.indexOf("; 4 heads")));
    withMask(length);
    QVERIFY(program({"run", "vq_attention", "--array", "qkv=m.safetensors"}).out.contains("; 4 heads, causal, "));
    checkRefused(program({"run", "vq_attention", "--array", "qkv=m.safetensors", "--set",
                          "mask_file=m.safetensors:mask", "--set", "mask=q_idx - kv_idx < 4"}),
                 "mask and mask_file are given but must be one of them");
  }

  /// A session's tensors are those of every method; where they are gone, no other data is taken.
  void tensorsOfASession() {
    write("a.safetensors", madeTensors());
    writtenFile(*m_folder, "s.vqscope", R"({"vqscope": 2, "current": "vq", "subject": {"values": {
      "q_tensor": "a.safetensors:query_states", "k_tensor": "a.safetensors:key_states", "q_length": 24, "head": 3}}})");
    for (const char* method : {"vq_error_by_token", "vq_weights", "rope_own_scores"}) {
      const auto outcome = program({"export", method, "--session", "s.vqscope", "--out", "o.json"});
      QVERIFY2(outcome.status == 0, outcome.err.constData());
      const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
      const auto parameters = report["parameters"].toObject();
      QVERIFY2(parameters["data"].toString() == "tensors" || parameters["vectors"].toString() == "tensors", method);
      QCOMPARE(parameters["head"].toInt(), 3);
    }
    QVERIFY(QFile::remove(m_folder->filePath("a.safetensors")));
    checkRefused(program({"export", "vq_weights", "--session", "s.vqscope", "--out", "r.json"}),
                 "k_tensor: cannot read a.safetensors: No such file or directory");
    QCOMPARE(program({"export", "vq_weights", "--session", "s.vqscope", "--set", "data=independent", "--out", "r.json"})
                 .status,
             0);
  }

  /// Methods that name tensors by parameters take them too: lengths and data follow.
  void curvesAndMatricesTakeTheSameFile() {
    write("a.safetensors", madeTensors());
    const auto curves = program({"run", "vq_error_by_token", "--array", "qkv=a.safetensors", "--set", "head=3", "--set",
                                 "n_code=5", "--out", "o.json"});
    QVERIFY2(curves.status == 0, curves.err.constData());
    QVERIFY2(curves.err.contains(" Head 3, which is shown: "), curves.err.constData());
    QCOMPARE(curves.err.count('\n'), 1);
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    const auto parameters = report["parameters"].toObject();
    QCOMPARE(parameters["data"].toString(), QString("tensors"));
    QCOMPARE(parameters["q_length"].toInt(), 24);
    QCOMPARE(parameters["v_tensor"].toString(), QString("a.safetensors:value_states"));
    const auto scores =
        program({"export", "rope_own_scores", "--array", "qkv=a.safetensors", "--head", "1", "--out", "s.npy"});
    QVERIFY2(scores.status == 0, scores.err.constData());
    QVERIFY(contentOf(*m_folder, "s.npy").contains("'shape': (24, 24)"));
    const auto bad =
        program({"export", "rope_own_scores", "--array", "qkv=a.safetensors", "--head", "4", "--out", "r.npy"});
    checkRefused(bad, "head is 4, q_tensor = a.safetensors:query_states is [4, 24, 6]: head must be 0 to 3");
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void write(const QString& name, const std::vector<NamedTensor>& tensors) const {
    StringSink bytes;
    QVERIFY(write_safetensors(tensors, bytes));
    writtenFile(*m_folder, name, QByteArray::fromStdString(bytes.text()));
  }

  Outcome program(const QStringList& arguments) const { return runProgram(*m_folder, arguments); }
  Outcome run(const QStringList& arguments) const {
    return program(QStringList{"run", "vq_attention", "--set", "n_code=5", "--set", "block_len=8"} + arguments);
  }

  static void checkRefused(const Outcome& outcome, const QByteArray& sentence) {
    compareRefused(outcome, "vqscope: " + sentence + "\n");
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(QkvRunTest)
#include "qkv_run_test.moc"
