// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/vq_attention_report.h"

#include "core/base/machine.h"
#include "widgets/parts/text.h"
#include "widgets/session/parameter_json.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace vqscope {
namespace {

QJsonArray arrayOf(const std::vector<Index>& numbers) {
  QJsonArray array;
  for (const Index number : numbers) array.append(qint64{number});
  return array;
}

QJsonObject tensorOf(const StoredTensor& tensor) {
  QJsonObject object{
      {"file", text(tensor.name.file)}, {"dtype", text(tensor.header.dtype.name())}, {"shape", arrayOf(tensor.shape)}};
  if (!tensor.name.name.empty()) object["name"] = text(tensor.name.name);
  if (!tensor.name.leading.empty()) object["leading"] = arrayOf(tensor.name.leading);
  return object;
}

QJsonObject machineOf(int threads) {
  const Machine machine = this_machine();
  return {{"processor", text(machine.processor)},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory},
          {"threads", threads}};
}

}  // namespace

std::string reportAsJson(const VqAttentionReport& report) {
  QJsonObject arrays, seconds;
  for (const auto& [name, tensor] : report.tensors) arrays[text(name)] = tensorOf(tensor);
  for (const auto& [step, taken] : report.seconds) seconds[step] = taken;
  QJsonObject object{{"experiment", "vq_attention"},
                     {"parameters", valuesToJson(report.values)},
                     {"arrays", arrays},
                     {"shape", arrayOf(report.shape)},
                     {"kernels", text(report.kernels)},
                     {"machine", machineOf(report.threads)},
                     {"seconds", seconds},
                     {"padded_tokens", qint64{report.padded}}};
  if (report.codewords > 0) {
    object["codewords"] = qint64{report.codewords};
    object["codes_used"] = arrayOf(report.codes_used);
  }
  if (!report.hypothesis.empty()) object["hypothesis"] = text(report.hypothesis);
  if (const auto& difference = report.difference)
    object["difference_from_exact"] = QJsonObject{
        {"largest", difference->largest}, {"head", qint64{difference->head}}, {"token", qint64{difference->token}}};
  return QJsonDocument(object).toJson().toStdString();
}

}  // namespace vqscope
