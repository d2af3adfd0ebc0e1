// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"
#include "core/io/tensor/safetensors_writer.h"
#include "core/model/tensors/named_tensors.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

namespace {

QString modelFile(const QString& name) { return dataPath(QStringLiteral("model/%1.safetensors").arg(name)); }

QJsonObject allCases() {
  QFile file(dataPath("model/cases.json"));
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll())["cases"].toObject() : QJsonObject();
}

/// The config of a case, with its optimiser where it has one.
QByteArray configOf(const QString& name) {
  const QJsonObject one = allCases()[name].toObject();
  QJsonObject config = one["config"].toObject();
  if (one.contains("optimizer")) config["optimizer"] = one["optimizer"];
  return QJsonDocument(config).toJson();
}

NamedTensors opened(const QString& path) { return NamedTensors::open(*open_file(path.toStdString())).value(); }

struct Distance {
  double largest = 0;   ///< |a - b|
  double relative = 0;  ///< of the norms
};

Distance distance(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return {HUGE_VAL, HUGE_VAL};
  double largest = 0, apart = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::fmax(largest, std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : HUGE_VAL);
    apart += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return {largest, std::sqrt(apart / std::fmax(size, 1e-300))};
}

/// Whether a tensor is near enough to that of a golden file, in float64 and in float32.
bool isNear(const SafetensorsEntry& golden, const Distance& apart, bool narrow) {
  const bool stored_narrow = golden.dtype == "F32";
  if (golden.name == "out.logits") return apart.largest <= (narrow ? 5e-5 : 1e-10);
  if (golden.name.ends_with("loss")) return apart.largest <= (narrow ? 1e-5 : 1e-11);
  if (golden.name.starts_with("out.attn")) return apart.largest <= (narrow ? 1e-5 : 1e-6);
  return apart.relative <= (narrow ? 2e-5 : stored_narrow ? 1e-6 : 1e-9);
}

/// A .safetensors file of one tensor of whole numbers.
QByteArray integersFile(const std::string& name, const std::vector<Index>& shape,
                        const std::vector<std::int32_t>& numbers) {
  StringSink sink;
  const NamedTensor tensor{name, shape, numbers};
  const bool written = bool(write_safetensors({&tensor, 1}, sink));
  return written ? QByteArray::fromStdString(sink.text()) : QByteArray();
}

}  // namespace

/// `vqscope run model_gradients`, against what another framework makes of the golden cases.
class ModelGradientsRunTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void goldenCases_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("narrow");
    for (const QString& name : allCases().keys()) {
      if (!QFile::exists(modelFile(name))) continue;  // of attention that the model does not have
      QTest::newRow(qPrintable(name)) << name << false;
      if (name != "adamw") QTest::newRow(qPrintable(name + " in float32")) << name << true;
    }
  }

  void goldenCases() {
    QFETCH(QString, name);
    QFETCH(bool, narrow);
    QCOMPARE(ran(configOf(name), modelFile("weights"), modelFile(name), narrow ? "float32" : "float64"),
             name == "rerope" ? QByteArray("vqscope: rerope_window is for evaluation only: no gradients are computed\n")
                              : QByteArray());
    const NamedTensors golden = opened(modelFile(name));
    const NamedTensors written = opened(m_folder->filePath("g.safetensors"));
    int compared = 0;
    for (const SafetensorsEntry& entry : golden.entries()) {
      if (entry.name.starts_with("in.")) continue;
      const auto* own = written.find(entry.name.starts_with("out.") ? entry.name.substr(4) : entry.name);
      QVERIFY2(own, entry.name.c_str());
      QCOMPARE(own->shape, entry.shape);
      ++compared;
      if (!entry.known->is_real()) {
        QCOMPARE(written.integers(*own).value(), golden.integers(entry).value());
        continue;
      }
      QCOMPARE(own->dtype, std::string("F64"));
      const Distance apart = distance(written.reals(*own).value(), golden.reals(entry).value());
      QVERIFY2(isNear(entry, apart, narrow), qPrintable(QString("%1 is off by %2, by %3 of its norm")
                                                            .arg(entry.name.c_str())
                                                            .arg(apart.largest)
                                                            .arg(apart.relative)));
    }
    QVERIFY(compared > 4);
  }

  void theReport() {
    QCOMPARE(ran(configOf("vq"), modelFile("weights"), modelFile("vq")), QByteArray());
    const auto report = QJsonDocument::fromJson(contentOf(*m_folder, "o.json")).object();
    QCOMPARE(report["experiment"].toString(), QString("model_gradients"));
    QCOMPARE(report["parameters"]["precision"].toString(), QString("float64"));
    QCOMPARE(report["files"]["config"]["file"].toString(), QString("config.json"));
    QVERIFY(report["files"]["weights"]["bytes"].toDouble() > 1e5);
    const auto expected = allCases()["vq"].toObject();
    for (const char* loss : {"loss", "ce_loss", "commit_loss"})
      QVERIFY(std::abs(report[loss].toDouble() - expected[loss].toDouble()) < 1e-11);
    QCOMPARE(report["tensors"]["codes.layer1"].toArray().size(), 3);
    QVERIFY(report["parameter_count"].toInt() > 20000);
    QVERIFY(report["counted_labels"].toInt() > 0);
    QCOMPARE(ran(configOf("adamw"), modelFile("weights"), modelFile("adamw")), QByteArray());
    const auto steps = QJsonDocument::fromJson(contentOf(*m_folder, "o.json"))["steps"].toObject();
    const auto losses = allCases()["adamw"].toObject()["steps"].toArray();
    for (const auto& [own, name] : {std::pair("lr", "lr"), {"loss", "loss"}, {"grad_norm", "grad_norm"}})
      for (int t = 0; t < 3; ++t)
        QVERIFY(std::abs(steps[own].toArray()[t].toDouble() - losses[t].toObject()[name].toDouble()) < 1e-9);
  }

  /// As Llama's small checkpoints: no lm_head.weight, whose gradient is the embedding's.
  void tiedEmbeddings() {
    QJsonObject config = allCases()["rope"].toObject()["config"].toObject();
    config["tie_word_embeddings"] = true;
    QCOMPARE(ran(QJsonDocument(config).toJson(), modelFile("weights"), modelFile("rope")), QByteArray());
    const NamedTensors written = opened(m_folder->filePath("g.safetensors"));
    QVERIFY(!written.find("grad.lm_head.weight") && written.find("grad.model.embed_tokens.weight"));
  }

  void refused_data() {
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QByteArray>("message");
    const QByteArray rope = configOf("rope");
    const auto with = [&](const char* key, const QJsonValue& value) {
      QJsonObject config = QJsonDocument::fromJson(rope).object();
      config[key] = value;
      return QJsonDocument(config).toJson();
    };
    const QString good = modelFile("rope"), weights = modelFile("weights");
    const auto add = [](const char* name, const QByteArray& config, const QString& weightsFile,
                        const QString& inputsFile, const char* message) {
      QTest::newRow(name) << config << weightsFile << inputsFile << QByteArray(message);
    };
    add("no JSON", "{\"vocab\": 17,", weights, good,
        "config.json: line 1, column 14: expected a key in double quotes, found the end");
    add("attention", with("attn", "infini"), weights, good,
        "config.json: config key attn is \"infini\" but must be one of \"full\", \"window\", \"mask\", \"vq\", "
        "\"xl\", \"memorizing\", \"infini_linear\", \"infini_delta\"");
    add("key", with("n_head", 4), weights, good, "config.json: unknown config key n_head; did you mean n_heads?");
    add("size", with("d_model", 1e300), weights, good,
        "config.json: config key d_model is 1e+300 but must be a whole number from 1 to 16777216");
    add("vocabulary", with("vocab", 16), weights, good,
        "in.safetensors: tokens has 16 at row 0, position 7 but must be from 0 to 15");
    add("shape", with("d_ff", 96), weights, good,
        "weights.safetensors: tensor model.layers.0.mlp.gate_proj.weight has the shape [64, 32] but must have [96, "
        "32]");
    add("huge", with("d_ff", 1 << 24), weights, good,
        "config.json: the model has more than 1073741824 parameters, the most allowed");
    add("no file", rope, "none.safetensors", good, "cannot read none.safetensors: No such file or directory");
    add("no tensors", rope, weights, weights, "in.safetensors: tensor in.tokens is missing");
  }

  void refused() {
    QFETCH(QByteArray, config);
    QFETCH(QString, weights);
    QFETCH(QString, inputs);
    QFETCH(QByteArray, message);
    const QString name = QFileInfo(weights).fileName();
    if (QFile::exists(weights)) QVERIFY(QFile::copy(weights, m_folder->filePath(name)));
    QVERIFY(QFile::copy(inputs, m_folder->filePath("in.safetensors")));
    const QByteArray output = ran(config, name, "in.safetensors", "float64", 2);
    if (message.contains("found the end"))
      QVERIFY2(output.startsWith("vqscope: config.json: line 1, column "), output.constData());
    else
      QCOMPARE(output, "vqscope: " + message + "\n");
    QVERIFY(!namesIn(*m_folder).contains("g.safetensors") && !namesIn(*m_folder).contains("o.json"));
  }

  void damagedWeightsAreRefused() {
    QFile file(modelFile("weights"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    writtenFile(*m_folder, "short.safetensors", whole.first(whole.size() - 9));
    const QByteArray cut = ran(configOf("rope"), "short.safetensors", modelFile("rope"), "float64", 2);
    QVERIFY2(cut.startsWith("vqscope: short.safetensors: ") && cut.size() < 400, cut.constData());
    QByteArray nan = whole;
    const NamedTensors weights = opened(modelFile("weights"));
    const auto* entry = weights.find("model.norm.weight");
    QVERIFY(entry);
    const double none = std::nan("");
    std::memcpy(nan.data() + entry->offset + 3 * 8, &none, sizeof none);
    writtenFile(*m_folder, "nan.safetensors", nan);
    QCOMPARE(ran(configOf("rope"), "nan.safetensors", modelFile("rope"), "float64", 2),
             QByteArray("vqscope: nan.safetensors: tensor model.norm.weight has nan at [3] but must be finite\n"));
    writtenFile(*m_folder, "long.safetensors",
                integersFile("in.tokens", {1, 1 << 20}, std::vector<std::int32_t>(1 << 20)));
    const QByteArray longer = ran(configOf("rope"), modelFile("weights"), "long.safetensors", "float64", 2);
    QVERIFY2(longer.startsWith("vqscope: this model and a batch of [1, 1048576] need 1"), longer.constData());
    QVERIFY(longer.contains(" of memory, this machine has "));
  }

  void missingInputsAreNamed() {
    const auto refusedWith = [&](const QStringList& arguments) {
      const auto outcome = runProgram(*m_folder, QStringList{"run", "model_gradients"} + arguments);
      return outcome.status == 2 ? outcome.err : QByteArray("accepted");
    };
    writtenFile(*m_folder, "config.json", configOf("rope"));
    QCOMPARE(refusedWith({"--out", "g.safetensors"}),
             QByteArray("vqscope: config is missing, model_gradients needs --set config=FILE\n"));
    QCOMPARE(refusedWith({"--set", "config=config.json", "--out", "g.safetensors"}),
             QByteArray("vqscope: weights is missing, model_gradients needs --set weights=FILE\n"));
    QCOMPARE(refusedWith({"--set", "confg=config.json", "--out", "g.safetensors"}),
             QByteArray("vqscope: unknown parameter confg of model_gradients; did you mean config?\n"));
    QCOMPARE(refusedWith({"--array", "config=config.json", "--out", "g.safetensors"}),
             QByteArray("vqscope: config of model_gradients is a whole file: use --set config=FILE\n"));
    QCOMPARE(refusedWith({"--array", "q=q.npy", "--out", "g.safetensors"}),
             QByteArray("vqscope: unknown array q: model_gradients has no arrays\n"));
    QCOMPARE(refusedWith({"--out", "g.npy"}),
             QByteArray("vqscope: cannot tell a format from g.npy: it must end with .safetensors or .json\n"));
    QCOMPARE(namesIn(*m_folder), QStringList{"config.json"});
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  /// Output of the run on stderr, with the status if it is not the expected one.
  QByteArray ran(const QByteArray& config, const QString& weights, const QString& inputs,
                 const QString& precision = "float64", int expectedStatus = 0) {
    writtenFile(*m_folder, "config.json", config);
    const auto outcome = runProgram(
        *m_folder, {"run", "model_gradients", "--set", "config=config.json", "--set", "weights=" + weights, "--set",
                    "inputs=" + inputs, "--set", "precision=" + precision, "--out", "g.safetensors", "o.json"});
    if (outcome.status == expectedStatus) return outcome.err;
    return "status " + QByteArray::number(outcome.status) + ": " + outcome.err;
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(ModelGradientsRunTest)
#include "model_gradients_test.moc"
