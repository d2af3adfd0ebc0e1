// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/safetensors.h"
#include "core/model/tensors/parameter_layout.h"

#include <map>

namespace vqscope {

/// The tensors of a .safetensors file by name, read one by one in full precision.
class NamedTensors {
 public:
  /// Errors begin with `path`, unless it is empty.
  static Result<NamedTensors> open(std::shared_ptr<const ByteSource> file, std::string path = {});

  /// The tensor of that name and shape, else the one called name@d0xd1 for that shape, else one of
  /// that name and another shape; null: there is none. Deleted for temporaries, which the entry
  /// would outlive.
  const SafetensorsEntry* find(const std::string& name, const std::vector<Index>& shape) const&;
  const SafetensorsEntry* find(const std::string& name, const std::vector<Index>& shape) && = delete;
  const SafetensorsEntry* find(const std::string& name) const&;
  const SafetensorsEntry* find(const std::string& name) && = delete;
  const std::vector<SafetensorsEntry>& entries() const& { return m_entries; }
  const std::vector<SafetensorsEntry>& entries() && = delete;

  /// The error with the file's path, if any, before it.
  Error named(Error error) const;

  /// The values in C order. Floating-point dtypes only.
  Result<std::vector<double>> reals(const SafetensorsEntry& entry) const;
  /// The values in C order. Integer dtypes only; every value must fit in int32.
  Result<std::vector<std::int32_t>> integers(const SafetensorsEntry& entry) const;

 private:
  std::string m_path;
  std::shared_ptr<const ByteSource> m_file;
  std::vector<SafetensorsEntry> m_entries;
  std::map<std::string, std::size_t, std::less<>> m_places;
};

/// Reads every parameter of a model. Errors name the first tensor, in the layout's order, that is
/// missing or has another shape, and the shape expected; or the first number that is not finite in
/// Real. Shapes are compared before anything is allocated. Tensors that the model does not have are
/// ignored.
template <class Real>
Result<Parameters<Real>> read_parameters(const NamedTensors& file, std::shared_ptr<const ParameterLayout> layout);

}  // namespace vqscope
