// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rules/capture_rules.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

/// What must hold within a capture: each rule finds the fault that was planted, and nothing else.
class CaptureRulesTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  static constexpr Index rows = 8;

  /// Even weights under a causal mask, positions 0, 1, …; v of ones.
  static std::vector<NamedTensor> causal_layer() {
    std::vector<double> weights, mask, positions;
    for (Index query = 0; query < rows; ++query)
      for (Index key = 0; key < rows; ++key) {
        mask.push_back(key <= query ? 0 : -INFINITY);
        weights.push_back(key <= query ? 1.0 / static_cast<double>(query + 1) : 0);
      }
    for (Index query = 0; query < rows; ++query) positions.push_back(static_cast<double>(query));
    return {{"v", {1, 1, rows, 2}, std::vector<double>(2 * rows, 1.0)},
            {"mask", {1, 1, rows, rows}, mask},
            {"weights", {1, 1, rows, rows}, weights},
            {"position_ids", {1, rows}, positions}};
  }

  static double& at(NamedTensor& tensor, Index index) {
    return std::get<std::vector<double>>(tensor.values)[static_cast<std::size_t>(index)];
  }

  static QStringList findings(const std::vector<NamedTensor>& tensors, const char* config = nullptr) {
    const QTemporaryDir folder;
    StringSink sink;
    if (!write_safetensors(tensors, sink)) qFatal("not written");
    writtenFile(folder, "layer05.safetensors", QByteArray::fromStdString(sink.text()));
    if (config) writtenFile(folder, "capture.json", QByteArray(R"({"format": 1, "config": )") + config + "}");
    const auto capture = Capture::open(folder.path().toStdString());
    if (!capture) qFatal("%s", capture.error().message.c_str());
    const auto report = check_capture(*capture, {});
    if (!report) qFatal("%s", report.error().message.c_str());
    QStringList lines;
    for (const Finding& finding : report->findings)
      lines << QString::fromStdString(finding.rule + ": " + finding.sentence);
    return lines;
  }

 private slots:
  void a_right_capture_has_no_findings() { QCOMPARE(findings(causal_layer()), QStringList()); }

  void nan_by_a_row_that_sees_nothing() {
    auto tensors = causal_layer();
    for (Index key = 0; key < rows; ++key) {
      at(tensors[1], 3 * rows + key) = -INFINITY;
      at(tensors[2], 3 * rows + key) = NAN;
    }
    QCOMPARE(findings(tensors),
             QStringList{"capture_not_finite: layer 5: NaN of weights in row 3, key 0; the mask hides "
                         "every key of the row"});
  }

  void weight_on_a_hidden_key() {
    auto tensors = causal_layer();
    at(tensors[2], 0) = 0.5;
    at(tensors[2], 2) = 0.5;
    QCOMPARE(findings(tensors),
             QStringList{"capture_masked_weight: layer 5: query 0 has weight 0.5 on key 2, which the "
                         "mask hides"});
  }

  void a_sink_that_the_config_does_not_have() {
    auto tensors = causal_layer();
    for (Index i = 0; i < rows * rows; ++i) at(tensors[2], i) *= 0.75;
    QCOMPARE(findings(tensors, R"({"model_type": "llama"})"),
             QStringList{"capture_row_sum: layer 5: the weights of query 0 sum to 0.75, not to 1, as those of all rows "
                         "that were read: a sink takes the rest, and the config has none"});
    QCOMPARE(findings(tensors, R"({"model_type": "gpt_oss"})"), QStringList());
    tensors = causal_layer();
    at(tensors[2], 0) = 0.9;
    QCOMPARE(findings(tensors), QStringList{"capture_row_sum: layer 5: the weights of query 0 sum to 0.9, not to 1"});
  }

  void positions_that_begin_anew() {
    auto tensors = causal_layer();
    for (Index query = 4; query < rows; ++query) at(tensors[3], query) = static_cast<double>(query - 4);
    QCOMPARE(
        findings(tensors),
        QStringList{"capture_mask_positions: layer 5: query 4 is at position 0 by position_ids, and the mask shows "
                    "it 5 keys, up to key 4: more than have positions up to its own"});
  }

  /// Rows of (1, 0) turned by one position more than the ids say.
  void rotation_at_other_positions() {
    std::vector<double> q, turned, positions;
    for (Index row = 0; row < 16; ++row) {
      for (Index column = 0; column < 16; ++column) {
        const auto number = [&](Index at) { return 1 + 0.1 * static_cast<double>((7 * at + 3 * row) % 11); };
        const double turn = static_cast<double>(row + 1) * std::pow(10000.0, -static_cast<double>(column % 8) / 8);
        const double other = number((column + 8) % 16);
        q.push_back(number(column));
        turned.push_back(q.back() * std::cos(turn) + (column < 8 ? -other : other) * std::sin(turn));
      }
      positions.push_back(static_cast<double>(row));
    }
    QCOMPARE(
        findings({{"q", {1, 1, 16, 16}, q}, {"q_rot", {1, 1, 16, 16}, turned}, {"position_ids", {1, 16}, positions}}),
        QStringList{"capture_turned_positions: layer 5: row 0 is turned to position 1, position_ids say 0"});
  }
};

VQSCOPE_TEST(CaptureRulesTest)
#include "capture_rules_test.moc"
