// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// A field that has single numbers of the whole matrix, which files with names hold beside its values.
class FieldWithFacts {
 public:
  virtual ~FieldWithFacts() = default;

  /// (name, value), as `sparsity`; none once a stop is requested.
  virtual std::vector<std::pair<std::string, double>> facts(const std::stop_token& stop) const = 0;
};

}  // namespace vqscope
