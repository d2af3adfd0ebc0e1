// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/methods.h"
#include "core/method/method_list.h"
#include "core/relative/relative_field.h"
#include "tests/support/paths.h"
#include "tests/support/relative_checks.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <cmath>
#include <memory>
#include <vector>

namespace vqscope::test {

/// The values of a registered method with some of them set.
inline ParameterValues relative_values(const char* id, const ParameterValues::Map& set) {
  return default_values(find_method(encoding_methods(), id)->parameters, set);
}

inline Result<std::shared_ptr<const Field>> relative_result(const char* id, const ParameterValues::Map& set) {
  return make_field(*find_method(encoding_methods(), id), relative_values(id, set));
}

inline std::shared_ptr<const RelativeField> relative_field(const char* id, const ParameterValues::Map& set) {
  return std::dynamic_pointer_cast<const RelativeField>(*relative_result(id, set));
}

/// The method's value for a key `relative` positions ahead of the query.
inline double value_at(const char* id, Index relative, const ParameterValues::Map& set = {}) {
  return relative_field(id, set)->function().at(relative);
}

inline std::string why_at(const char* id, Index relative, ParameterValues::Map set = {}) {
  set["q_length"] = std::abs(relative) + 1;
  return relative_field(id, set)->report(relative < 0 ? -relative : 0, relative < 0 ? 0 : relative).why;
}

/// The method is registered under its id, its defaults are accepted, and summaries and reads are
/// the definition's for many sizes. What is wrong, or nothing.
inline std::string method_is_wrong(const char* id, const ParameterValues::Map& set = {}, int rounds = 12) {
  const Method* method = find_method(encoding_methods(), id);
  if (!method || method->id != id || !method->field()) return "not registered as a field";
  if (!check_method_values(*method, default_values(method->parameters))) return "refuses its own defaults";
  Random random(5);
  for (int i = 0; i < rounds; ++i) {
    auto all = set;
    all["q_length"] = pick(random, 1, 200);
    all["past_len"] = pick(random, 0, 1) * pick(random, 0, 90);
    const auto field = relative_field(id, all);
    const TileGrid grid = random_tile_grid(random, field->extent());
    if (auto wrong = relative_summary_differs(*field, grid); !wrong.empty()) return wrong;
    if (auto wrong = relative_read_differs(*field, grid.tile(0, 0)); !wrong.empty()) return wrong;
  }
  return {};
}

/// One entry of the golden file.
inline QJsonValue golden_biases(const char* entry) {
  QFile file(test::dataPath(QStringLiteral("biases.json")));
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()[QLatin1String(entry)]
                                        : QJsonValue();
}

inline std::vector<double> numbers_of(const QJsonValue& array) {
  std::vector<double> all;
  for (const auto& each : array.toArray()) all.push_back(each.toDouble());
  return all;
}

/// The distances at which the golden file has values.
inline std::vector<double> golden_distances() { return numbers_of(golden_biases("relative_distance")); }

inline bool close(double got, double wanted, double relative = 1e-12) {
  if (std::abs(got - wanted) <= relative * std::abs(wanted)) return true;
  qWarning("got %.17g, expected %.17g", got, wanted);
  return false;
}

}  // namespace vqscope::test
