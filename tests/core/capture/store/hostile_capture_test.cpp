// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/captured_heads.h"
#include "core/capture/parity/parity.h"
#include "core/capture/rope/rope_of_capture.h"
#include "core/capture/rules/capture_rules.h"
#include "core/capture/store/tensor_summary.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

using namespace vqscope;
using namespace vqscope::test;

/// Captures with something wrong in them: one sentence each, or an answer without them.
class HostileCaptureTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  /// A safetensors file of that header; its data is zeros, which take no room on disk.
  static void write(const QTemporaryDir& folder, const char* name, const QByteArray& header, qint64 data) {
    QByteArray length(8, '\0');
    qToLittleEndian<quint64>(static_cast<quint64>(header.size()), length.data());
    writtenFile(folder, name, length + header);
    QVERIFY(QFile::resize(folder.filePath(name), 8 + header.size() + data));
  }

  static QByteArray float32(const char* name, const QByteArray& shape, qint64 begin, qint64 end) {
    return '"' + QByteArray(name) + "\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":[" +
           QByteArray::number(begin) + ',' + QByteArray::number(end) + "]}";
  }

  static Result<Capture> opened(const QTemporaryDir& folder) { return Capture::open(folder.path().toStdString()); }

  static std::string errorOf(const QTemporaryDir& folder) {
    const auto capture = opened(folder);
    return capture ? "" : capture.error().message;
  }

  /// All that reads a capture; what each says is another test's.
  static void ask(const Capture& capture) {
    for (const auto& [layer, tensors] : capture.layers) {
      (void)which_rope_of_capture(capture, layer, 0);
      for (const auto& [role, tensor] : tensors) (void)summary_of_tensor(capture, layer, role, {});
    }
    (void)heads_of(capture, {}, 0, 256, {});
    (void)check_capture(capture, {});
    (void)parity_of(capture, capture, {});
  }

 private slots:
  void values_of_capture_json_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* json, const char* message) {
      QTest::newRow(json) << QByteArray(json) << QByteArray(message);
    };
    row("no json", "line 1, column 1: found no, expected a JSON value");
    row("[1]", "capture.json must be an object in braces");
    row(R"({"format": "2"})", R"(format is "2" but only format 1 can be read)");
    row(R"({"format": 1e300})", "format is 1e+300 but only format 1 can be read");
    row(R"({"engine": {}})", "engine is an object but must be a text");
    row(R"({"step": 1e40})", "step is 1e+40 but must be a whole number from 0 on");
    row(R"({"past": 1000000000000000000})",
        "past is 1000000000000000000 but must be a whole number from 0 to 16777216");
    row(R"({"tokens": {}})", "tokens is an object but must be a list of texts");
    row(R"({"config": 7})", "config is 7 but must be an object, the path of one, or null");
  }
  void values_of_capture_json() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    const QTemporaryDir folder;
    write(folder, "layer0.safetensors", "{" + float32("q", "[1,1,2,2]", 0, 16) + "}", 16);
    writtenFile(folder, "capture.json", json);
    const QString said = QString::fromStdString(errorOf(folder));
    QVERIFY2(said.startsWith(folder.path() + ": capture.json") && said.endsWith(message), qPrintable(said));
  }

  /// A capture that was copied here without the config that its engine was told.
  void a_config_that_cannot_be_read_is_left_out() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    write(folder, "layer0.safetensors", "{" + float32("q", "[1,1,2,2]", 0, 16) + "}", 16);
    writtenFile(folder, "text.json", "no json");
    for (const auto& [config, reason] :
         {std::pair("nowhere/config.json", "/nowhere/config.json: No such file or directory"),
          std::pair(".", "/.: it is a directory"),
          std::pair("text.json", "/text.json: line 1, column 1: found no, expected a JSON value")}) {
      writtenFile(folder, "capture.json", QByteArray(R"({"config": ")") + config + "\"}");
      const auto capture = opened(folder);
      QVERIFY(capture && !capture->info.config);
      COMPARE_TEXT(capture->remarks.front(), "the config that capture.json names cannot be read: " + path + reason);
    }
  }

  void numbers_of_layers_and_steps_are_limited() {
    for (const char* name : {"layer1000000000000000000.safetensors", "step99999999999999999999_layer0.safetensors"}) {
      const QTemporaryDir folder;
      write(folder, name, "{" + float32("q", "[1,1,2,2]", 0, 16) + "}", 16);
      COMPARE_TEXT(errorOf(folder), folder.path().toStdString() + "/" + name +
                                        ": numbers of steps and layers must be at most 999999999");
    }
    const QTemporaryDir folder;
    QByteArray header = "{";
    for (int layer = 0; layer < 4097; ++layer)
      header += (layer > 0 ? "," : "") + float32(("layers." + QByteArray::number(layer) + ".q").data(), "[0]", 0, 0);
    write(folder, "dump.safetensors", header + "}", 0);
    COMPARE_TEXT(errorOf(folder), folder.path().toStdString() + "/dump.safetensors has more than 4096 layers");
  }

  void a_link_to_itself_is_no_missing_file() {
    const QTemporaryDir folder;
    write(folder, "layer0.safetensors", "{" + float32("q", "[1,1,2,2]", 0, 16) + "}", 16);
    QVERIFY(QFile::link("capture.json", folder.filePath("capture.json")));
    COMPARE_TEXT(errorOf(folder), folder.path().toStdString() + "/capture.json: Too many levels of symbolic links");
  }

  void sizes_of_float8_fit_the_file() {
    const QTemporaryDir folder;
    write(folder, "layer0.safetensors",
          R"({"q":{"dtype":"F8_E4M3","shape":[4294967296,4294967296,2],"data_offsets":[0,16]}})", 16);
    COMPARE_TEXT(errorOf(folder), folder.path().toStdString() +
                                      "/layer0.safetensors: tensor q of shape (4294967296, 4294967296, 2) and dtype "
                                      "F8_E4M3 needs more than 2^64 bytes, its data_offsets give it 16");
  }

  void counts_of_inputs() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/inputs.safetensors";
    write(folder, "layer0.safetensors", "{" + float32("q", "[1,1,2,2]", 0, 16) + "}", 16);
    const auto keep = [&](const char* name, qint64 first, qint64 second) {
      QByteArray data(16, '\0');
      qToLittleEndian(first, data.data());
      qToLittleEndian(second, data.data() + 8);
      const QByteArray header =
          QByteArray("{\"") + name + "\":{\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[0,16]}}";
      QByteArray length(8, '\0');
      qToLittleEndian<quint64>(static_cast<quint64>(header.size()), length.data());
      writtenFile(folder, "inputs.safetensors", length + header + data);
    };
    keep("cu_seqlens", 9, 4);
    COMPARE_TEXT(errorOf(folder), path + ": cu_seqlens must not fall, but 4 follows 9");
    keep("cache_position", 0, std::numeric_limits<qint64>::min());
    COMPARE_TEXT(errorOf(folder), path +
                                      ": cache_position has -9223372036854775808 but its numbers must be from 0 to "
                                      "1099511627776");
  }

  void shapes_without_numbers_and_shapes_that_do_not_go_together_data() {
    QTest::addColumn<QByteArray>("tensors");
    QTest::newRow("no samples") << float32("q", "[4,4]", 0, 64) + ',' + float32("weights", "[0,0,0,0]", 64, 64) + ',' +
                                       float32("hidden_in", "[0,5,3]", 64, 64);
    QTest::newRow("empty and huge") << float32("k", "[9223372036854775807,9223372036854775807,0]", 0, 0) + ',' +
                                           float32("q", "[0]", 0, 0) + ',' + float32("v", "[]", 0, 4);
    QTest::newRow("more queries than keys") << float32("weights", "[1,2,8,4]", 0, 256);
    QTest::newRow("a smaller mask") << float32("mask", "[2,2,3,8]", 0, 384) + ',' +
                                           float32("weights", "[3,4,8,8]", 384, 3456);
    QTest::newRow("many axes") << float32("q", "[1,1,1,1,1,4]", 0, 16);
    QTest::newRow("positions alone") << float32("position_ids", "[1,4]", 0, 16) + ',' + float32("cos", "[1,1]", 16, 20);
  }
  void shapes_without_numbers_and_shapes_that_do_not_go_together() {
    QFETCH(QByteArray, tensors);
    const QTemporaryDir folder;
    writtenFile(folder, "capture.json", R"({"config": {"num_attention_heads": 9223372036854775807, "head_dim": 0,
        "partial_rotary_factor": 1e300, "rope_theta": NaN, "sliding_window": 9223372036854775807,
        "rope_scaling": {"type": "yarn", "factor": -1e300, "original_max_position_embeddings": Infinity}}})");
    const QByteArray header = "{" + tensors + "}";
    const qint64 end = header.mid(header.lastIndexOf(',') + 1).chopped(3).toLongLong();
    write(folder, "layer0.safetensors", header, end);
    const auto capture = opened(folder);
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    ask(*capture);
  }

  void a_file_that_shrinks_while_it_is_read() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString() + "/layer0.safetensors";
    const QByteArray header = "{" + float32("q", "[1,1,2,2]", 0, 16) + "}";
    write(folder, "layer0.safetensors", header, 16);
    const auto capture = opened(folder);
    QVERIFY(capture);
    const auto numbers = StoredNumbers::open(*capture->find(0, TensorRole::q));
    QVERIFY(numbers);
    QVERIFY(QFile::resize(folder.filePath("layer0.safetensors"), 8 + header.size() + 12));
    std::vector<float> read(4);
    COMPARE_ERROR(numbers->read(0, read), path + ": reading stopped at byte " + std::to_string(8 + header.size()) +
                                              ": the file has become shorter");
    COMPARE_ERROR(summary_of_tensor(*capture, 0, TensorRole::q, {}),
                  path + ": tensor q ends at byte 16 of the data, the file has 12");
  }

  void what_is_read_at_once_is_limited() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    write(folder, "layer0.safetensors", "{" + float32("weights", "[1,2097152,1,1]", 0, 8388608) + "}", 8388608);
    auto capture = opened(folder);
    QVERIFY(capture);
    COMPARE_TEXT(heads_of(*capture, {}, 0, 256, {}).error().message,
                 "layer 0 of " + path +
                     " has 2097152 heads of 1 queries and 1 keys but must have at most 65536 of "
                     "16777216");
    const QByteArray shape = "[1,1,4,16384]";
    write(folder, "layer0.safetensors",
          "{" + float32("q", shape, 0, 262144) + ',' + float32("q_rot", shape, 262144, 524288) + "}", 524288);
    capture = opened(folder);
    QVERIFY(capture);
    COMPARE_TEXT(which_rope_of_capture(*capture, 0, 0).error().message,
                 path +
                     "/layer0.safetensors: q has 4 rows of 16384 columns, but a rotation is told from at most "
                     "67108864 numbers, 8192 columns");
    write(folder, "layer0.safetensors", "{" + float32("v", "[1,134217728]", 0, 536870912) + "}", 536870912);
    COMPARE_TEXT(errorOf(folder), path +
                                      "/layer0.safetensors: v of shape (1, 134217728) must have at most 68719476736 "
                                      "numbers, and 67108864 a row");
  }
};

VQSCOPE_TEST(HostileCaptureTest)
#include "hostile_capture_test.moc"
