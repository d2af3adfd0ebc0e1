// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/run_report.h"

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

/// A name a.b is b of the object a.
void addFacts(const ParameterValues& facts, QJsonObject& object) {
  const QJsonObject all = valuesToJson(facts);
  for (auto fact = all.begin(); fact != all.end(); ++fact) {
    const QString name = fact.key();
    const qsizetype dot = name.indexOf('.');
    if (dot < 0) {
      object[name] = fact.value();
      continue;
    }
    QJsonObject inner = object[name.left(dot)].toObject();
    inner[name.mid(dot + 1)] = fact.value();
    object[name.left(dot)] = inner;
  }
}

}  // namespace

std::string reportAsJson(const Method& method, const ParameterValues& values, const StoredTensors& tensors,
                         const RunResult& result) {
  QJsonObject arrays, seconds;
  for (const auto& [name, tensor] : tensors) arrays[text(name)] = tensorOf(tensor);
  for (const auto& [step, taken] : result.seconds) seconds[text(step)] = taken;
  QJsonObject object{
      {"experiment", text(method.id)},         {"parameters", valuesToJson(values)},   {"arrays", arrays},
      {"shape", arrayOf(result.output.shape)}, {"machine", machineOf(result.threads)}, {"seconds", seconds}};
  addFacts(result.facts, object);
  return QJsonDocument(object).toJson().toStdString();
}

}  // namespace vqscope
