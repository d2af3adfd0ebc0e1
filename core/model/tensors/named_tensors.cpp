// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensors/named_tensors.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/npy/npy_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

std::string name_with_shape(const std::string& name, const std::vector<Index>& shape) {
  std::vector<std::string> sizes;
  for (const Index size : shape) sizes.push_back(to_text(size));
  return fmt::format("{}@{}", name, join(sizes, "x"));
}

Error bad_tensor(const std::string& name, const std::string& what) {
  return invalid("tensor {} {}", shortened(name, 100), what);
}

template <class T>
Result<std::vector<T>> read_entry(const ByteSource& file, const SafetensorsEntry& entry) {
  const NpyHeader header{.dtype = *entry.known, .shape = entry.shape, .data_offset = entry.offset};
  return guarded([&] { return read_npy<T>(file, header, std::numeric_limits<std::uint64_t>::max()); });
}

}  // namespace

Error NamedTensors::named(Error error) const {
  if (!m_path.empty() && error.code != Errc::cancelled) error.message = fmt::format("{}: {}", m_path, error.message);
  return error;
}

Result<NamedTensors> NamedTensors::open(std::shared_ptr<const ByteSource> file, std::string path) {
  NamedTensors tensors;
  tensors.m_path = std::move(path);
  auto entries = read_safetensors_header(*file);
  if (!entries) return tensors.named(entries.error());
  tensors.m_file = std::move(file);
  tensors.m_entries = std::move(*entries);
  for (std::size_t i = 0; i < tensors.m_entries.size(); ++i) tensors.m_places[tensors.m_entries[i].name] = i;
  return tensors;
}

const SafetensorsEntry* NamedTensors::find(const std::string& name) const& {
  const auto found = m_places.find(name);
  return found == m_places.end() ? nullptr : &m_entries[found->second];
}

const SafetensorsEntry* NamedTensors::find(const std::string& name, const std::vector<Index>& shape) const& {
  const SafetensorsEntry* plain = find(name);
  if (plain && plain->shape == shape) return plain;
  const SafetensorsEntry* shaped = find(name_with_shape(name, shape));
  return shaped ? shaped : plain;
}

Result<std::vector<double>> NamedTensors::reals(const SafetensorsEntry& entry) const {
  if (!entry.known || !entry.known->is_real())
    return bad_tensor(entry.name,
                      fmt::format("has dtype {} but must be F16, BF16, F32 or F64", shortened(entry.dtype)));
  return read_entry<double>(*m_file, entry);
}

Result<std::vector<std::int32_t>> NamedTensors::integers(const SafetensorsEntry& entry) const {
  if (!entry.known || entry.known->is_real())
    return bad_tensor(entry.name, fmt::format("has dtype {} but must be an integer type", shortened(entry.dtype)));
  const auto wide = read_entry<Index>(*m_file, entry);
  if (!wide) return wide.error();
  using Limits = std::numeric_limits<std::int32_t>;
  const auto beyond = std::ranges::find_if(*wide, [](Index n) { return n < Limits::min() || n > Limits::max(); });
  if (beyond != wide->end())
    return bad_tensor(entry.name, fmt::format("holds {}, which does not fit in int32", *beyond));
  std::vector<std::int32_t> numbers;
  for (const Index number : *wide) numbers.push_back(static_cast<std::int32_t>(number));
  return numbers;
}

namespace {

Result<void> check_shapes(const NamedTensors& file, const ParameterLayout& layout) {
  for (const ParameterTensor& wanted : layout.tensors) {
    const SafetensorsEntry* entry = file.find(wanted.name, wanted.shape);
    if (!entry) return bad_tensor(wanted.name, fmt::format("of shape {} is missing", shape_text(wanted.shape)));
    if (entry->shape != wanted.shape)
      return bad_tensor(wanted.name, fmt::format("has the shape {} but must have {}",
                                                 shortened(shape_text(entry->shape)), shape_text(wanted.shape)));
  }
  return {};
}

/// [2, 0, 3] of the number at `place` of a tensor in C order.
std::string index_text(const std::vector<Index>& shape, Index place) {
  std::vector<Index> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; place /= shape[d]) index[d] = place % shape[d];
  return shape_text(index);
}

template <class Real>
Result<void> read_parameter(const NamedTensors& file, const ParameterTensor& wanted, std::span<Real> out) {
  const auto values = file.reals(*file.find(wanted.name, wanted.shape));
  if (!values) return values.error();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<Real>((*values)[i]);
    if (!std::isfinite(out[i]))
      return bad_tensor(wanted.name, fmt::format("has {} at {} but must be finite{}", plain_text((*values)[i]),
                                                 index_text(wanted.shape, static_cast<Index>(i)),
                                                 std::isfinite((*values)[i]) ? " in float32" : ""));
  }
  return {};
}

}  // namespace

template <class Real>
Result<Parameters<Real>> read_parameters(const NamedTensors& file, std::shared_ptr<const ParameterLayout> layout) {
  return guarded([&]() -> Result<Parameters<Real>> {
    if (auto checked = check_shapes(file, *layout); !checked) return file.named(checked.error());
    auto parameters = zeros_of<Real>(layout);
    for (const ParameterTensor& wanted : layout->tensors)
      if (auto read = read_parameter<Real>(file, wanted, parameters.tensor(wanted)); !read)
        return file.named(read.error());
    return parameters;
  });
}

template Result<Parameters<float>> read_parameters(const NamedTensors&, std::shared_ptr<const ParameterLayout>);
template Result<Parameters<double>> read_parameters(const NamedTensors&, std::shared_ptr<const ParameterLayout>);

}  // namespace vqscope
