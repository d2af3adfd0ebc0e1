// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_reader.h"
#include "core/io/npy/npy_writer.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <sys/stat.h>

#include <array>
#include <cmath>
#include <csignal>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

QString golden(const QString& name) { return test::dataPath(QStringLiteral("vq/%1.npy").arg(name)); }

QString array(const QString& name, const QString& file) { return name + "=" + golden(file); }

QStringList goldenArrays() {
  return {"--array", array("q", "q"), "--array", array("k", "k"), "--array", array("v", "v")};
}

std::vector<float> numbersIn(const QByteArray& file) {
  const MemorySource source({file.constData(), static_cast<std::size_t>(file.size())});
  const auto header = read_npy_header(source);
  const auto values = header ? read_npy<float>(source, *header, 1'000'000) : header.error();
  return values ? *values : std::vector<float>();
}

std::vector<float> goldenNumbers(const QString& name) {
  QFile file(golden(name));
  return file.open(QIODevice::ReadOnly) ? numbersIn(file.readAll()) : std::vector<float>();
}

/// Infinity where they are not alike in number.
double apart(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.empty() || a.size() != b.size()) return HUGE_VAL;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::fmax(most,
                     std::isfinite(a[i]) ? std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])) : HUGE_VAL);
  return most;
}

QByteArray npyOf(const std::vector<Index>& shape, const std::vector<float>& values) {
  StringSink sink;
  const bool written = bool(write_npy(shape, values, sink, {}));
  return written ? QByteArray::fromStdString(sink.text()) : QByteArray();
}

/// Heads of zeros, whose numbers are never written to the disk.
QByteArray zerosHeader(Index heads, Index length, Index width) {
  return QByteArray::fromStdString(npy_header("<f4", std::array{heads, length, width}));
}

}  // namespace

class RunTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void goldenOutputs_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("wanted");
    const QStringList codebook{"--array", array("codebook", "codebook")};
    for (const char* reduction : {"serial_scan", "matmul", "associative_scan", "input_scan"})
      QTest::newRow(reduction) << codebook + QStringList{"--set", "form=linear",
                                                         "--set", "block_len=16",
                                                         "--set", QString("reduction=") + reduction}
                               << "vq_output";
    QTest::newRow("quadratic") << codebook + QStringList{"--set", "form=quadratic", "--set", "n_code=12"}
                               << "vq_output";
    QTest::newRow("exact") << QStringList{"--set", "form=exact"} << "exact_output";
  }

  void goldenOutputs() {
    QFETCH(QStringList, options);
    QFETCH(QString, wanted);
    QCOMPARE(ran(goldenArrays() + options + QStringList{"--out", "o.npy"}), QByteArray());
    const QByteArray file = contentOf(*m_folder, "o.npy");
    QVERIFY(file.contains("'shape': (96, 24)"));
    QVERIFY(apart(numbersIn(file), goldenNumbers(wanted)) < 1e-5);
    QCOMPARE(namesIn(*m_folder), QStringList{"o.npy"});
  }

  void aLearntCodebookAndAReport() {
    QCOMPARE(ran(goldenArrays() + QStringList{"--set", "n_code=12", "--set", "block_len=32", "--set", "compare=true",
                                              "--set", "seed=4", "--set", "threads=1", "--out", "o.npy", "o.json"}),
             QByteArray());
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    QCOMPARE(report["experiment"].toString(), QString("vq_attention"));
    QCOMPARE(report["parameters"]["form"].toString(), QString("linear"));
    QCOMPARE(report["parameters"]["seed"].toInt(), 4);
    QCOMPARE(report["shape"].toArray(), (QJsonArray{96, 24}));
    QCOMPARE(report["arrays"]["v"]["shape"].toArray(), (QJsonArray{96, 24}));
    QCOMPARE(report["arrays"]["v"]["dtype"].toString(), QString("float32"));
    QCOMPARE(report["codewords"].toInt(), 12);
    QCOMPARE(report["codes_used"].toArray().size(), 1);
    QCOMPARE(report["padded_tokens"].toInt(-1), 0);
    QCOMPARE(report["machine"]["threads"].toInt(), 1);
    QVERIFY(report["machine"]["cores"].toInt() >= 1);
    QVERIFY(report["machine"]["memory_bytes"].toDouble() > 1e6);
    QVERIFY(!report["kernels"].toString().isEmpty());
    for (const char* step : {"read", "learn", "attention", "exact"}) QVERIFY(report["seconds"][step].isDouble());
    const double difference = report["difference_from_exact"]["largest"].toDouble();
    const double found = apart(numbersIn(contentOf(*m_folder, "o.npy")), goldenNumbers("exact_output"));
    QVERIFY(difference > 0 && std::fabs(difference - found) < 1e-5);
    const QByteArray first = contentOf(*m_folder, "o.npy");
    QCOMPARE(ran(goldenArrays() +
                 QStringList{"--set", "n_code=12", "--set", "block_len=32", "--set", "seed=4", "--out", "o.npy"}),
             QByteArray());
    QCOMPARE(contentOf(*m_folder, "o.npy"), first);
  }

  void paddedBlockIsReported() {
    QCOMPARE(ran(goldenArrays() +
                 QStringList{"--array", array("codebook", "codebook"), "--set", "block_len=40", "--out", "o.npy"}),
             QByteArray("vqscope: block_len 40 does not divide 96 tokens: the last block is padded by 24\n"));
    QVERIFY(apart(numbersIn(contentOf(*m_folder, "o.npy")), goldenNumbers("vq_output")) < 1e-5);
  }

  /// `run` is `export` of an experiment.
  void exportOfARunIsTheSame() {
    const QStringList exact{"--set", "form=exact"};
    QCOMPARE(ran(goldenArrays() + exact + QStringList{"--out", "run.npy"}), QByteArray());
    const auto exported = runProgram(
        *m_folder, QStringList{"export", "vq_attention"} + goldenArrays() + exact + QStringList{"--out", "export.npy"});
    QCOMPARE(exported.err, QByteArray());
    QCOMPARE(contentOf(*m_folder, "export.npy"), contentOf(*m_folder, "run.npy"));
  }

  void headsAndLeadingDimensions() {
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    writtenFile(*m_folder, "all.npy", npyOf({2, 2, 2, 2}, numbers));
    writtenFile(*m_folder, "one.npy", npyOf({2, 2}, {0, 0, 0, 0}));
    QCOMPARE(ran({"--array", "q=all.npy[0]", "--array", "k=one.npy", "--array", "v=all.npy[1,-1]", "--set",
                  "form=exact", "--set", "tensor_layout=heads_first", "--out", "o.npy"}),
             QByteArray());
    const QByteArray file = contentOf(*m_folder, "o.npy");
    QVERIFY(file.contains("'shape': (2, 2, 2)"));
    QCOMPARE(numbersIn(file), (std::vector<float>{13, 14, 14, 15, 13, 14, 14, 15}));
  }

  void experiments_of_the_registry_are_written_as_curves() {
    const auto outcome = runProgram(
        *m_folder, {"run", "vq_occupancy", "--set", "q_length=64", "--set", "n_code=8", "--out", "o.csv", "o.json"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(namesIn(*m_folder), (QStringList{"o.csv", "o.json"}));
    const auto json = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    QCOMPARE(json["origin"].toString(), QString("measured"));
    QCOMPARE(json["parameters"].toObject()["seed"].toInt(-1), 0);
    QVERIFY(json["machine"].toObject()["cores"].toInt() >= 1);
  }

  void run_includes_experiments_of_the_memory_page() {
    const auto outcome = runProgram(
        *m_folder, {"run", "xl_reach", "--set", "q_length=24", "--set", "segment_len=4", "--set", "memory_len=4",
                    "--set", "layers=3", "--set", "query=23", "--out", "reach.npy", "reach.json"});
    QVERIFY2(outcome.err.startsWith("vqscope: query 23 reads key 8, 15 tokens back, from layer 3 of 3 on"),
             outcome.err);
    QCOMPARE(namesIn(*m_folder), (QStringList{"reach.json", "reach.npy"}));
    const auto json = QJsonDocument::fromJson(contentOf(*m_folder, "reach.json")).object();
    QCOMPARE(json["shape"].toArray(), (QJsonArray{24, 24}));
    QCOMPARE(json["dependency_length"].toInt(), 16);
  }

  void refused_data() {
    const QString q = array("q", "q"), k = array("k", "k"), v = array("v", "v");
    const QStringList arrays{"vq_attention", "--array", q, "--array", k, "--array", v};
    const QStringList out{"--out", "o.npy"};
    addRefusals({
        {{}, "run needs an EXPERIMENT (vqscope list shows all)"},
        {{"vq_atention"}, "unknown experiment vq_atention; did you mean vq_attention? (vqscope list shows all)"},
        {{"vq_attention", "more"}, "run expects one EXPERIMENT, vq_attention and more were given"},
        {{"vq_attention"}, "array q is missing, vq_attention needs --array q=FILE"},
        {{"model_gradients"}, "run needs --out FILE"},
        {arrays + QStringList{"--out", "o.csv"}, "cannot tell a format from o.csv: it must end with .npy or .json"},
        {arrays + QStringList{"--out", "o.npy", "o.npy"}, "--out names o.npy twice"},
        {QStringList{"vq_attention", "--array", q, "--array", v} + out,
         "array k is missing, vq_attention needs --array k=FILE"},
        {arrays + QStringList{"--array", "codeboook=c.npy"} + out,
         "unknown array codeboook of vq_attention but must be one of q, k, v, codebook, gate, key_valid; did you mean "
         "codebook?"},
        {arrays + QStringList{"--array", "q=1,2"} + out, "--array names q twice"},
        {QStringList{"vq_attention", "--array", "q="} + out, "--array is q= but must be name=FILE"},
        {QStringList{"vq_attention", "--array", "q=1,2,3"} + out,
         "--array q: there is no file 1,2,3, expected FILE or FILE:NAME"},
        {QStringList{"vq_attention", "--array", "q=none.npz:q"} + out,
         "cannot read none.npz: No such file or directory"},
        {arrays + QStringList{"--set", "n_code=0"} + out, "n_code is 0 but must be an integer from 1 to 1048576"},
        {arrays + QStringList{"--set", "form=lineal"} + out,
         "form is lineal but must be one of linear, quadratic, exact; did you mean linear?"},
        {arrays + QStringList{"--set", "blocklen=4"} + out,
         "unknown parameter blocklen of vq_attention; did you mean block_len?"},
        {arrays + QStringList{"--rows", "0:4"} + out, "--rows is for matrices and curves, vq_attention is a run"},
        {arrays + QStringList{"--polarity", "masked_true"} + out,
         "--polarity or --threshold is for matrices and curves, vq_attention is a run"},
        {arrays + QStringList{"--batch", "1"} + out,
         "--batch is 1, v is [96, 24], which has no dimension of samples: [batch, heads, T, d]"},
        {QStringList{"model_gradients", "--batch", "1", "--out", "g.json"},
         "--batch and --head are for tensors of attention, model_gradients has none"},
        {arrays + QStringList{"--set", "n_code=512"} + out,
         "n_code is 512, a codebook for the 96 keys of k must have at most 96 codewords"},
    });
  }

  void refused() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    const auto outcome = runProgram(*m_folder, QStringList{"run"} + arguments);
    compareRefused(outcome, message);
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void missingFolderIsReportedBeforeTheWork() {
    const auto output = ran(goldenArrays() + QStringList{"--set", "form=exact", "--out", "no/o.npy"}, 2);
    QVERIFY2(output.startsWith("vqscope: cannot write no/o.npy: there is no directory "), output.constData());
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void faultsNameFileAndTensor() {
    writtenFile(*m_folder, "q.npy", npyOf({3, 2}, {0, 1, 2, 3, 4, 5}));
    writtenFile(*m_folder, "k.npy", npyOf({2, 2}, {0, 1, 2, 3}));
    writtenFile(*m_folder, "nan.npy", npyOf({3, 2}, {0, 1, 2, std::nanf(""), 4, 5}));
    writtenFile(*m_folder, "short.npy", npyOf({3, 2}, {0, 1, 2}));
    const auto with = [&](const QString& k) {
      return ran(
          {"--array", "q=q.npy", "--array", "k=" + k, "--array", "v=q.npy", "--set", "form=exact", "--out", "o.npy"},
          2);
    };
    QCOMPARE(with("k.npy"),
             QByteArray(
                 "vqscope: q is [3, 2], k is [2, 2]: both must have the same number of tokens (q: q.npy, k: k.npy)\n"));
    QCOMPARE(with("nan.npy"), QByteArray("vqscope: k has nan at row 1, column 1 but must be finite (k: nan.npy)\n"));
    QCOMPARE(with("short.npy"), QByteArray("vqscope: short.npy: the NPY file is cut short: shape (3, 2) of float32 "
                                           "needs 24 bytes of data, the file has 12\n"));
    QVERIFY(!namesIn(*m_folder).contains("o.npy"));
  }

  void moreThanTheMachinesMemoryIsRefused() {
    const QByteArray header = zerosHeader(1 << 10, 1 << 20, 1 << 10);
    QFile huge(writtenFile(*m_folder, "huge.npy", header));
    if (!huge.resize(header.size() + (qint64{1} << 42))) QSKIP("no sparse files of 4 TiB here");
    const auto outcome = runProgram(*m_folder, {"run", "vq_attention", "--array", "q=huge.npy", "--array", "k=huge.npy",
                                                "--array", "v=huge.npy", "--out", "o.npy"});
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.err,
             QByteArray("vqscope: the arrays k, q, v need 12 TiB of memory as float32, the limit is 1 GiB; "
                        "most_memory raises it up to the memory of the machine\n"));
    QCOMPARE(namesIn(*m_folder), QStringList{"huge.npy"});
  }

  /// Three tensors that a small archive could hold as well: refused before they are read.
  void budgetsAreCheckedBefore() {
    const QByteArray header = zerosHeader(8, 1 << 20, 32);
    QFile zeros(writtenFile(*m_folder, "zeros.npy", header));
    if (!zeros.resize(header.size() + (qint64{1} << 30))) QSKIP("no sparse files of 1 GiB here");
    const QStringList arrays{"--array", "q=zeros.npy", "--array", "k=zeros.npy", "--array", "v=zeros.npy"};
    QCOMPARE(ran(arrays + QStringList{"--out", "o.npy"}, 2),
             QByteArray("vqscope: the arrays k, q, v need 3 GiB of memory as float32, the limit is 1 GiB; most_memory "
                        "raises it up to the memory of the machine\n"));
    const QByteArray some = zerosHeader(1, 1 << 18, 4);
    QFile few(writtenFile(*m_folder, "few.npy", some));
    QVERIFY(few.resize(some.size() + (qint64{4} << 20)));
    const QByteArray output = ran({"--array", "q=few.npy", "--array", "k=few.npy", "--array", "v=few.npy", "--set",
                                   "form=exact", "--out", "o.npy"},
                                  2);
    QVERIFY2(output.startsWith("vqscope: attention over 262144 tokens takes about ") &&
                 output.endsWith(" s of one core, most_seconds is 10\n"),
             output.constData());
    QVERIFY(!namesIn(*m_folder).contains("o.npy"));
  }

  /// Heads of tensors decide num_heads; one head alone has the numbers that it has among all.
  void headsOfTensors() {
    std::vector<float> numbers;
    for (int i = 0; i < 2 * 6 * 4; ++i) numbers.push_back(std::sin(static_cast<float>(i)));
    writtenFile(*m_folder, "t.npy", npyOf({2, 6, 4}, numbers));
    const QStringList arrays{"--array", "q=t.npy",  "--array", "k=t.npy",    "--array", "v=t.npy",
                             "--set",   "n_code=3", "--set",   "bias=alibi", "--set",   "form=quadratic"};
    const QByteArray guess(
        "vqscope: q is [2, 6, 4], read as [heads, T, d]: 6 tokens, 2 heads; tensor_layout=tokens_first reads it as [T, "
        "heads, d]\n");
    QCOMPARE(
        ran(arrays + QStringList{"--out", "all.npy", "all.json"}),
        guess + QByteArray("vqscope: with block_len 512, for head 1, no token is farther than 512 behind another: the "
                           "linear form is exact\n"));
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "all.json")).object();
    QCOMPARE(report["parameters"]["num_heads"].toInt(), 2);
    QVERIFY(report["output_error"].isDouble() && report["total_variation"].isDouble());
    QCOMPARE(report["perplexity"].toArray().size(), 2);
    const auto all = numbersIn(contentOf(*m_folder, "all.npy"));
    for (int head = 0; head < 2; ++head) {
      const auto one = runProgram(*m_folder, QStringList{"run", "vq_attention"} + arrays +
                                                 QStringList{"--set", QString("head=%1").arg(head), "--out", "o.npy"});
      QCOMPARE(one.status, 0);
      QCOMPARE(one.out.count('\n'), 1);
      QVERIFY2(one.out.startsWith("3 codewords: outputs differ by ") && one.out.contains(" (error ") &&
                   one.out.contains(", total variation ") && one.out.contains(", perplexity "),
               one.out.constData());
      const auto own = numbersIn(contentOf(*m_folder, "o.npy"));
      QCOMPARE(own, std::vector<float>(all.begin() + head * 24, all.begin() + (head + 1) * 24));
    }
    QCOMPARE(ran(arrays + QStringList{"--set", "head=2", "--out", "o.npy"}, 2),
             QByteArray("vqscope: head is 2, q is [2, 6, 4]: head must be 0 to 1 (q: t.npy)\n"));
    QCOMPARE(ran(arrays + QStringList{"--set", "num_heads=4", "--out", "o.npy"}, 2),
             QByteArray("vqscope: num_heads is 4, q is [2, 6, 4]: num_heads must be 2, the heads of q (q: t.npy)\n"));
  }

  /// Exit status 1 if a test of mask_test fails, also of a mask from a file.
  void aFailingMaskTestIsAFinding() {
    const auto run = [&](const QStringList& more) {
      return runProgram(*m_folder, QStringList{"run", "mask_test", "--out", "p.json"} + more);
    };
    QCOMPARE(run({}).status, 0);
    const auto leaking = run({"--set", "mask=custom", "--set", "mask_text=kv_idx <= q_idx + past_len + 1"});
    QCOMPARE(leaking.status, 1);
    QVERIFY2(leaking.err.startsWith("vqscope: logits differ: future_token from 0"), leaking.err.constData());
    QVERIFY(namesIn(*m_folder).contains("p.json"));
    std::vector<float> cells(8 * 8);
    for (int q = 0; q < 8; ++q)
      for (int k = 0; k <= q; ++k) cells[static_cast<std::size_t>(8 * q + k)] = 1;
    writtenFile(*m_folder, "causal.npy", npyOf({8, 8}, cells));
    const auto right = run({"--mask", "causal.npy"});
    QVERIFY2(right.status == 0, right.err.constData());
    cells[5] = 1;
    writtenFile(*m_folder, "leak.npy", npyOf({8, 8}, cells));
    const auto wrong = run({"--mask", "leak.npy"});
    QVERIFY2(wrong.status == 1 && wrong.err.contains("future_token from 0"), wrong.err.constData());
  }

  void interruptLeavesNoFile() {
    const QByteArray header = zerosHeader(1, 1 << 18, 4);
    QFile zeros(writtenFile(*m_folder, "zeros.npy", header));
    QVERIFY(zeros.resize(header.size() + (qint64{4} << 20)));
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(test::programPath(),
                  {"run", "vq_attention", "--array", "q=zeros.npy", "--array", "k=zeros.npy", "--array", "v=zeros.npy",
                   "--set", "form=exact", "--set", "most_seconds=1000000", "--out", "o.npy"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(listensToInterrupts(process.processId()), 60000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(withoutEstimates(process.readAllStandardError()), QByteArray("vqscope: cancelled\n"));
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(namesIn(*m_folder), QStringList{"zeros.npy"});
  }

  /// A pipe without a reader blocks the program in a call that cannot be stopped.
  void interruptEndsWorkThatIgnoresIt() {
    const QByteArray pipe = m_folder->filePath("pipe.csv").toLocal8Bit();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(test::programPath(), {"export", "t5_bucket", "--set", "q_length=8", "--out", "pipe.csv"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(listensToInterrupts(process.processId()), 60000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(withoutEstimates(process.readAllStandardError()), QByteArray("vqscope: cancelled\n"));
    QCOMPARE(process.exitCode(), 130);
    QCOMPARE(namesIn(*m_folder), QStringList{"pipe.csv"});
  }

  void helpListsTheParameters() {
    const auto outcome = runProgram(*m_folder, {"run", "--help"});
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.startsWith("vqscope run EXPERIMENT [options] [--out FILE...]"));
    QVERIFY(outcome.out.contains("--array q=TENSOR"));
    for (const char* name : {"form = linear", "n_code = 512", "normalize = none", "threads = 0"})
      QVERIFY(outcome.out.contains(name));
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  /// Output of `run vq_attention` on stderr, with the status if it is not the expected one.
  QByteArray ran(const QStringList& arguments, int expectedStatus = 0) {
    const auto outcome = runProgram(*m_folder, QStringList{"run", "vq_attention"} + arguments);
    if (outcome.status == expectedStatus) return outcome.err;
    return "status " + QByteArray::number(outcome.status) + ": " + outcome.err;
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(RunTest)
#include "run_test.moc"
