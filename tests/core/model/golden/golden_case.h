// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"
#include "core/model/pass/batch.h"
#include "core/model/tensors/named_tensors.h"

#include <QStringList>

namespace vqscope::test {

/// A case of tests/data/model or another folder: a config, tokens, and what another framework makes of them in
/// float64.
struct GoldenCase {
  TransformerConfig config;
  ConfigValue json;  ///< its entry in cases.json
  std::shared_ptr<const ParameterLayout> layout;
  NamedTensors expected;
  QString folder;
  std::vector<std::int32_t> tokens, labels, position_ids, doc_ids, pad_mask;
  Index rows = 0;
  Index length = 0;

  Batch batch() const { return {rows, length, tokens, labels, position_ids, doc_ids, pad_mask}; }
  bool has(const std::string& tensor) const { return expected.find(tensor) != nullptr; }
  std::vector<double> reals(const std::string& tensor) const;
  std::vector<std::int32_t> integers(const std::string& tensor) const;
};

/// Those of cases.json whose attention the model has, the optimiser's case not among them.
QStringList golden_names(const QString& folder = QStringLiteral("model"));

/// `suffix` follows the names of tokens and labels: ".step1".
GoldenCase golden_case(const QString& name, const std::string& suffix = {},
                       const QString& folder = QStringLiteral("model"));

/// Files of a folder: "weights", "rope".
NamedTensors golden_file(const QString& name, const QString& folder = QStringLiteral("model"));

template <class Real>
Parameters<Real> golden_weights(const GoldenCase& golden);

/// The largest |a - b|, infinite where sizes differ.
template <class Real>
double largest_difference(std::span<const Real> a, std::span<const double> b);
/// |a - b| / max(|b|, least), Euclidean.
template <class Real>
double relative_difference(std::span<const Real> a, std::span<const double> b, double least = 0);

}  // namespace vqscope::test
