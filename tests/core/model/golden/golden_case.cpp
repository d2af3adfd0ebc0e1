// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/model/golden/golden_case.h"

#include "core/io/bytes/file_source.h"
#include "core/io/json/json_reader.h"
#include "core/model/config/transformer_json.h"
#include "tests/support/paths.h"

#include <cmath>
#include <limits>
#include <map>

namespace vqscope::test {
namespace {

std::string path_of(const QString& folder, const QString& name) {
  return dataPath(folder + QLatin1Char('/') + name).toStdString();
}

const ConfigValue& all_cases(const QString& folder) {
  static std::map<QString, ConfigValue> read;
  const auto known = read.find(folder);
  if (known != read.end()) return *known->second.find("cases");
  const auto text = read_text(path_of(folder, QStringLiteral("cases.json")), most_json_bytes);
  return *read.emplace(folder, read_json(*text).value()).first->second.find("cases");
}

}  // namespace

std::vector<double> GoldenCase::reals(const std::string& tensor) const {
  const auto* entry = expected.find(tensor);
  return entry ? expected.reals(*entry).value() : std::vector<double>();
}

std::vector<std::int32_t> GoldenCase::integers(const std::string& tensor) const {
  if (!has(tensor)) return {};
  return expected.integers(*expected.find(tensor)).value();
}

QStringList golden_names(const QString& folder) {
  QStringList names;
  for (const ConfigValue& one : all_cases(folder).object()->members) {
    const bool optimiser = *one.find("mode")->text() == "optimizer";
    if (!optimiser && read_transformer_config(*one.find("config"))) names << QString::fromStdString(one.key);
  }
  return names;
}

NamedTensors golden_file(const QString& name, const QString& folder) {
  return NamedTensors::open(*open_file(path_of(folder, name + QLatin1String(".safetensors")))).value();
}

GoldenCase golden_case(const QString& name, const std::string& suffix, const QString& folder) {
  GoldenCase golden;
  golden.folder = folder;
  golden.json = *all_cases(folder).find(name.toStdString());
  golden.config = read_transformer_config(*golden.json.find("config")).value();
  golden.layout = parameter_layout(golden.config).value();
  golden.expected = golden_file(name, folder);
  golden.tokens = golden.integers("in.tokens" + suffix);
  golden.labels = golden.integers("in.labels" + suffix);
  golden.position_ids = golden.integers("in.position_ids");
  golden.doc_ids = golden.integers("in.doc_ids");
  golden.pad_mask = golden.integers("in.pad_mask");
  golden.rows = golden.expected.find("in.tokens" + suffix)->shape[0];
  golden.length = golden.expected.find("in.tokens" + suffix)->shape[1];
  return golden;
}

template <class Real>
Parameters<Real> golden_weights(const GoldenCase& golden) {
  return read_parameters<Real>(golden_file(QStringLiteral("weights"), golden.folder), golden.layout).value();
}

template <class Real>
double largest_difference(std::span<const Real> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::abs(static_cast<double>(a[i]) - b[i]));
  return largest;
}

template <class Real>
double relative_difference(std::span<const Real> a, std::span<const double> b, double least) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double apart = static_cast<double>(a[i]) - b[i];
    difference += apart * apart;
    size += b[i] * b[i];
  }
  return std::sqrt(difference) / std::max(std::sqrt(size), least);
}

template Parameters<float> golden_weights(const GoldenCase&);
template Parameters<double> golden_weights(const GoldenCase&);
template double largest_difference(std::span<const float>, std::span<const double>);
template double largest_difference(std::span<const double>, std::span<const double>);
template double relative_difference(std::span<const float>, std::span<const double>, double);
template double relative_difference(std::span<const double>, std::span<const double>, double);

}  // namespace vqscope::test
