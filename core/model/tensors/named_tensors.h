// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/safetensors.h"
#include "core/model/tensors/parameters.h"

#include <map>

namespace vqscope {

/// The tensors of a .safetensors file by name, read one by one in full precision.
class NamedTensors {
 public:
  /// Errors begin with `path`, where there is one.
  static Result<NamedTensors> open(std::shared_ptr<const ByteSource> file, std::string path = {});

  /// The tensor of that name and shape, or the one called name@d0xd1 as its shape is, or one of that name and another
  /// shape; null: there is none. Not of a temporary, which the entry would outlive.
  const SafetensorsEntry* find(const std::string& name, const std::vector<Index>& shape) const&;
  const SafetensorsEntry* find(const std::string& name, const std::vector<Index>& shape) && = delete;
  const SafetensorsEntry* find(const std::string& name) const&;
  const SafetensorsEntry* find(const std::string& name) && = delete;
  const std::vector<SafetensorsEntry>& entries() const& { return m_entries; }
  const std::vector<SafetensorsEntry>& entries() && = delete;

  /// The error with the file's path before it, where there is one.
  Error named(Error error) const;

  /// In C order. Real dtypes alone.
  Result<std::vector<double>> reals(const SafetensorsEntry& entry) const;
  /// Whole-number dtypes alone, of which int32 holds each.
  Result<std::vector<std::int32_t>> integers(const SafetensorsEntry& entry) const;

 private:
  std::string m_path;
  std::shared_ptr<const ByteSource> m_file;
  std::vector<SafetensorsEntry> m_entries;
  std::map<std::string, std::size_t, std::less<>> m_places;
};

/// Every parameter of a model. Errors name the first tensor, in the layout's order, that is missing or of another
/// shape, and what it must be; or the first number that Real does not hold, as nan. Shapes are compared before anything
/// is allocated. Tensors that the model does not have are left alone.
template <class Real>
Result<Parameters<Real>> read_parameters(const NamedTensors& file, std::shared_ptr<const ParameterLayout> layout);

}  // namespace vqscope
