// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/captured_heads.h"
#include "core/capture/parity/parity.h"
#include "core/capture/store/capture_place.h"
#include "core/catalogue/experiment_presets.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const QStringList sizes{"--set", "d_model=16", "--set", "n_heads=2",    "--set", "d_ff=16",
                        "--set", "n_layers=1", "--set", "batch_rows=4", "--set", "length=16"};

/// Clock ticks that a process has computed for.
qint64 ticksOf(qint64 process) {
  QFile stat(QString("/proc/%1/stat").arg(process));
  if (!stat.open(QFile::ReadOnly)) return 0;
  const auto words = stat.readAll().split(')').last().simplified().split(' ');
  return words.size() > 12 ? words[11].toLongLong() : 0;
}

}  // namespace

/// `vqscope run train_model` and what its files are good for.
class TrainModelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aCaptureIsReadByOtherCommands() {
    QCOMPARE(ran(sizes + QStringList{"--set", "pos=rope", "--set", "steps=2", "--out", "w.capture.safetensors"}),
             QByteArray());
    const auto capture = Capture::open(m_folder->filePath("w.capture.safetensors").toStdString());
    QVERIFY(capture.has_value());
    QVERIFY(!capture->inputs.input_ids.empty() && find_capture(capture->path));
    const auto heads = heads_of(*capture, {}, 0, 256, {});
    QVERIFY(heads.has_value());
    QCOMPARE(heads->heads.size(), std::size_t{2});
    QVERIFY(heads->has_tokens);
    const auto parity = parity_of(*capture, *capture, {});
    QVERIFY(parity && parity->comparison.verdict == ParityVerdict::equal);
  }

  void everyFile() {
    QCOMPARE(ran(sizes + QStringList{"--set", "steps=40", "--set", "warmup_steps=5", "--out", "w.safetensors",
                                     "w.state.safetensors", "config.json", "w.csv", "w.json"}),
             QByteArray());
    QCOMPARE(namesIn(*m_folder),
             (QStringList{"config.json", "w.csv", "w.json", "w.safetensors", "w.state.safetensors"}));
    const auto lines = contentOf(*m_folder, "w.csv").split('\n');
    QCOMPARE(lines.first(), QByteArray("step,loss,ce_loss,commit_loss,learning_rate,gradient_norm\r"));
    QCOMPARE(lines.size(), 42);
    const auto report = json("w.json");
    const auto losses = report["curve"]["loss"].toArray();
    QCOMPARE(losses.size(), 40);
    QVERIFY(losses.last().toDouble() < losses.first().toDouble() - 0.1);
    QVERIFY(report["tokens_per_second"].toDouble() > 0);
    QCOMPARE(report["tokens"].toInt(), 40 * 4 * 16);
    QCOMPARE(json("config.json")["pos"].toString(), QString("rope"));

    const QStringList model{"--set", "config=config.json", "--set", "weights=w.safetensors",
                            "--set", "count=20",           "--set", "prompt=36,34,23"};
    QCOMPARE(ran(model + QStringList{"--out", "g.txt", "g.json"}, 0, "generate_tokens"), QByteArray());
    QCOMPARE(json("g.json")["tokens"].toArray().size(), 23);
    const QByteArray with = contentOf(*m_folder, "g.txt");
    QVERIFY(with.startsWith("36 34 23 "));
    QCOMPARE(ran(model + QStringList{"--set", "use_cache=false", "--out", "g.txt"}, 0, "generate_tokens"),
             QByteArray());
    QCOMPARE(contentOf(*m_folder, "g.txt"), with);
    const QStringList letters = model + QStringList{"--set", "alphabet=language", "--out", "g.txt"};
    QCOMPARE(ran(letters, 0, "generate_tokens"), QByteArray());
    QVERIFY(contentOf(*m_folder, "g.txt").startsWith("CAp"));
    QCOMPARE(contentOf(*m_folder, "g.txt").size(), 24);
    QCOMPARE(ran(letters + QStringList{"--set", "prompt_text=CAp"}, 0, "generate_tokens"), QByteArray());
    QVERIFY(contentOf(*m_folder, "g.txt").startsWith("CAp"));
    QCOMPARE(ran(letters + QStringList{"--set", "prompt_text=C p"}, 2, "generate_tokens"),
             QByteArray("vqscope: prompt_text: ' ' is not a token but must be one of "
                        "([{<)]}>abcdefghijklmnopqrstuvwxyzABCDEF\n"));
  }

  /// The kept run has the losses, the paths of the files, and looks as one of the window.
  void aTrainingIsKept() {
    QCOMPARE(ran(sizes + QStringList{"--set", "steps=3", "--keep", "kept", "--out", "w.csv"}), QByteArray());
    const auto kept = QDir(m_folder->filePath("kept")).entryList({"*.json"}, QDir::Files);
    QCOMPARE(kept.size(), 1);
    const auto run = json("kept/" + kept.front());
    QCOMPARE(run["x"].toArray(), (QJsonArray{1, 2, 3}));
    QCOMPARE(run["curves"].toArray().size(), 3);
    QVERIFY(run["complete"].toBool(true));
  }

  /// As curves it is a figure, and a point of a sweep.
  void lossCanBePlottedAndSwept() {
    if (makesFigures()) {
      QCOMPARE(ran(sizes + QStringList{"--set", "steps=3", "--out", "loss.png"}), QByteArray());
      QVERIFY(contentOf(*m_folder, "loss.png").startsWith("\x89PNG"));
    }
    const auto swept =
        runProgram(*m_folder, QStringList{"sweep", "train_model"} + sizes +
                                  QStringList{"--set", "steps=2", "--vary", "lr_max=0.001,0.01", "--out", "s"});
    QCOMPARE(swept.status, 0);
    const auto merged = runProgram(*m_folder, {"merge", "s", "--out", "t.csv"});
    QCOMPARE(merged.status, 0);
    QCOMPARE(contentOf(*m_folder, "t.csv").count('\n'), 1 + 2 * (2 * 3 + 3));  // points of steps and curves, and facts
  }

  /// Gated units from the command line, read back by generate_tokens.
  /// Its values are the start, what is set comes after them; the method need not be named.
  void presets() {
    QStringList named;
    for (const auto& preset : experiment_presets())
      if (preset.experiment->id == "train_model") named << QString::fromStdString(preset.id);
    QCOMPARE(named.size(), 4);
    for (const QString& name : named) {
      QCOMPARE(ran({"--preset", name, "--set", "steps=1", "--set", "batch_rows=1", "--out", "w.json", "config.json"}),
               QByteArray());
      QCOMPARE(json("w.json")["parameters"].toObject()["layer"].toString(), QString("shga"));
      QCOMPARE(json("config.json")["block_len"].toInt(), 32);
    }
    const auto unnamed =
        runProgram(*m_folder, {"run", "--preset", "table_10_enwik8", "--set", "steps=1", "--out", "x.json"});
    QCOMPARE(unnamed.status, 0);
    QCOMPARE(ran({"--preset", "rope_scaling", "--out", "w.json"}, 2),
             QByteArray("vqscope: preset rope_scaling is for length_extrapolation, not for train_model\n"));
    QCOMPARE(ran({"--preset", "table_9", "--out", "w.json"}, 2),
             QByteArray("vqscope: unknown preset table_9 (vqscope list --presets shows all)\n"));
  }

  void gatedUnits() {
    QCOMPARE(ran(sizes + QStringList{"--set", "layer=shga", "--set", "d_v=9", "--set", "steps=20", "--out",
                                     "w.safetensors", "config.json", "w.csv"}),
             QByteArray());
    QCOMPARE(json("config.json")["layer_kind"].toString(), QString("shga"));
    QCOMPARE(json("config.json")["d_k"].toInt(), 8);
    QCOMPARE(json("config.json")["d_v"].toInt(), 9);
    QVERIFY(!json("config.json").contains("d_ff"));
    const QStringList model{"--set", "config=config.json", "--set", "weights=w.safetensors",
                            "--set", "count=20",           "--set", "prompt=36,34,23"};
    QCOMPARE(ran(model + QStringList{"--out", "g.txt"}, 0, "generate_tokens"), QByteArray());
    QVERIFY(contentOf(*m_folder, "g.txt").startsWith("36 34 23 "));
  }

  /// Stopped and resumed, whatever the threads: the same bytes.
  void resumedTrainingIsTheSame() {
    const QStringList all = sizes + QStringList{"--set", "pos=vq",      "--set", "attn=vq",  "--set", "n_code=6",
                                                "--set", "block_len=4", "--set", "steps=12", "--set", "n_layers=2"};
    QCOMPARE(ran(all + QStringList{"--set", "threads=1", "--out", "a.state.safetensors"}), QByteArray());
    QCOMPARE(ran(all + QStringList{"--set", "stop_after=5", "--set", "threads=3", "--out", "h.state.safetensors"}),
             QByteArray());
    QCOMPARE(ran(all + QStringList{"--set", "resume=h.state.safetensors", "--out", "b.state.safetensors", "b.csv"}),
             QByteArray());
    QVERIFY(contentOf(*m_folder, "a.state.safetensors") == contentOf(*m_folder, "b.state.safetensors"));
    const auto lines = contentOf(*m_folder, "b.csv").split('\n');
    QCOMPARE(lines[0], QByteArray("step,loss,ce_loss,commit_loss,learning_rate,gradient_norm,commit_loss.layer0,"
                                  "commit_loss.layer1,used_codes.layer0,used_codes.layer1\r"));
    const auto step = lines[1].trimmed().split(',');
    QCOMPARE(step[0], QByteArray("6"));
    QVERIFY(std::abs(step[6].toDouble() + step[7].toDouble() - step[3].toDouble()) < 1e-5);
    QVERIFY(0 < step[8].toDouble() && step[8].toDouble() <= 1);
    QCOMPARE(ran(all + QStringList{"--set", "resume=b.state.safetensors", "--out", "c.csv"}, 2),
             QByteArray("vqscope: b.state.safetensors: 12 steps are done, steps and stop_after end at 12\n"));
  }

  /// An interrupted training is written, and resumes to the weights of an uninterrupted one.
  void anInterruptedTrainingIsWritten() {
    const QStringList long_run = sizes + QStringList{"--set", "steps=1000000", "--set", "threads=1"};
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(programPath(), QStringList{"run", "train_model"} + long_run +
                                     QStringList{"--out", "w.state.safetensors", "w.csv", "--keep", "kept"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(listensToInterrupts(process.processId()), 60000);
    const qint64 begun = ticksOf(process.processId());
    QTRY_VERIFY_WITH_TIMEOUT(ticksOf(process.processId()) > begun + 30, 60000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 130);
    const qsizetype steps = contentOf(*m_folder, "w.csv").count('\n') - 1;
    QVERIFY(steps > 0);
    QCOMPARE(withoutEstimates(process.readAllStandardError()),
             QString("vqscope: training stopped after step %1 of 1000000; with its state, resume continues it\n"
                     "vqscope: cancelled\n")
                 .arg(steps)
                 .toUtf8());
    const QString end = QString("stop_after=%1").arg(steps + 3);
    QCOMPARE(ran(long_run + QStringList{"--set", "resume=w.state.safetensors", "--set", end, "--out", "a.safetensors"}),
             QByteArray());
    QCOMPARE(ran(long_run + QStringList{"--set", end, "--out", "b.safetensors"}), QByteArray());
    QCOMPARE(contentOf(*m_folder, "a.safetensors"), contentOf(*m_folder, "b.safetensors"));
  }

  /// It cannot be resumed without its state.
  void interruptedTrainingWithoutStateLeavesNoFile() {
    QProcess process;
    process.setWorkingDirectory(m_folder->path());
    process.start(programPath(), QStringList{"run", "train_model"} + sizes +
                                     QStringList{"--set", "steps=1000000", "--set", "threads=1", "--keep", "kept",
                                                 "--out", "w.safetensors", "w.csv"});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(listensToInterrupts(process.processId()), 60000);
    const qint64 begun = ticksOf(process.processId());
    QTRY_VERIFY_WITH_TIMEOUT(ticksOf(process.processId()) > begun + 30, 60000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardError().endsWith("vqscope: cancelled\n"));
    QVERIFY(!namesIn(*m_folder).contains("w.csv") && !namesIn(*m_folder).contains("w.safetensors"));
  }

  void bytesOfATextAndTasks() {
    writtenFile(*m_folder, "t.txt", QByteArray("the cat sat on the mat. ").repeated(40));
    QCOMPARE(ran(sizes + QStringList{"--set", "data=text", "--set", "text=t.txt", "--set", "steps=3", "--set",
                                     "random_positions=64", "--out", "w.safetensors", "config.json"}),
             QByteArray());
    QCOMPARE(ran({"--set", "config=config.json", "--set", "weights=w.safetensors", "--set", "prompt_text=the ", "--set",
                  "count=5", "--out", "g.txt"},
                 0, "generate_tokens"),
             QByteArray());
    QCOMPARE(contentOf(*m_folder, "g.txt").size(), 9);
    QVERIFY(QDir(m_folder->path()).mkdir("notes"));
    writtenFile(*m_folder, "notes/a.txt", QByteArray("the cat sat on the mat. ").repeated(40));
    QCOMPARE(ran(sizes + QStringList{"--set", "data=notes", "--set", "steps=3", "--out", "n.json"}),
             QByteArray("vqscope: notes: 1 text\n"));
    QCOMPARE(json("n.json")["files"].toObject()["text"].toObject()["folder"].toString(), QString("notes"));
    QVERIFY(json("n.json")["bits_per_byte"].toDouble() > 0);
    QCOMPARE(ran(sizes + QStringList{"--set", "data=copy", "--set", "steps=3", "--set", "config=config.json", "--out",
                                     "w.csv"}),
             QByteArray());
  }

  /// A loss that is not finite leaves the last good weights, and reports the step.
  void divergedTrainingKeepsTheLastFiniteWeights() {
    const QByteArray output = ran(sizes + QStringList{"--set", "lr_max=1e6", "--set", "clip=1e9", "--set",
                                                      "warmup_steps=0", "--set", "weight_decay=0.9", "--set",
                                                      "steps=200", "--out", "w.safetensors", "config.json", "w.json"});
    QVERIFY2(output.startsWith("vqscope: the ") && output.contains(" of step ") &&
                 output.contains(": training stopped with the last weights"),
             output.constData());
    QVERIFY(json("w.json")["last_step"].toInt() < 200);
    QCOMPARE(
        ran({"--set", "config=config.json", "--set", "weights=w.safetensors", "--set", "count=3", "--out", "g.txt"}, 0,
            "generate_tokens"),
        QByteArray());
  }

  void refused() {
    writtenFile(*m_folder, "short.txt", "abc");
    writtenFile(*m_folder, "small.json", R"({"vocab": 9, "d_model": 8, "n_layers": 1, "n_heads": 2, "d_ff": 8})");
    const auto refused = [&](const QStringList& settings) {
      QStringList arguments;
      for (const QString& setting : settings) arguments << "--set" << setting;
      return ran(arguments + QStringList{"--out", "w.csv"}, 2);
    };
    QCOMPARE(refused({"attn=vq", "pos=xl", "clamp_len=4"}),
             QByteArray("vqscope: clamp_len is 4 but must be 0 for attn \"vq\": distances above block_len have no "
                        "product\n"));
    QCOMPARE(refused({"data=text"}),
             QByteArray("vqscope: text is missing, data text needs a file: --set text=FILE, or Files in the window\n"));
    QCOMPARE(
        refused({"data=text", "text=short.txt"}),
        QByteArray("vqscope: short.txt: the text has 3 tokens but must be more than 65 to train on sequences of 64\n"));
    QCOMPARE(refused({"config=small.json"}),
             QByteArray("vqscope: small.json: vocab is 9 but must be at least 40 for data language\n"));
    QCOMPARE(refused({"steps=0"}), QByteArray("vqscope: steps is 0 but must be an integer from 1 to 10000000\n"));
    const QByteArray large = refused({"length=65536", "batch_rows=4096"});
    QVERIFY2(large.startsWith("vqscope: training on batches of [4096, 65536] needs "), large.constData());
    QVERIFY(!namesIn(*m_folder).contains("w.csv"));
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  /// Output of the run on stderr, with the status if it is not the expected one.
  QByteArray ran(const QStringList& arguments, int expectedStatus = 0, const QString& method = "train_model") {
    const auto outcome = runProgram(*m_folder, QStringList{"run", method} + arguments);
    if (outcome.status == expectedStatus) return outcome.err;
    return "status " + QByteArray::number(outcome.status) + ": " + outcome.err;
  }

  QJsonObject json(const QString& name) { return QJsonDocument::fromJson(contentOf(*m_folder, name)).object(); }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(TrainModelTest)
#include "train_model_test.moc"
