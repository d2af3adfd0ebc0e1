// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/sample_array.h"

#include "core/base/sentence.h"
#include "core/io/json/json_reader.h"
#include "core/io/npy/npy_reader.h"
#include "core/io/tensor/tensor_file.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::uint64_t most_sample_values = std::uint64_t{1} << 24;  // 128 MiB
constexpr double exact_reals = 9007199254740992.0;                    // 2^53

/// Floats that are whole numbers: attention masks are saved as such.
Result<std::vector<Index>> whole_numbers(std::string_view name, const StoredTensor& tensor) {
  auto reals = read_npy<double>(*tensor.bytes, tensor.header, most_sample_values);
  if (!reals) return reals.error();
  std::vector<Index> values;
  values.reserve(reals->size());
  for (const double real : *reals) {
    if (!(std::abs(real) <= exact_reals) || real != std::trunc(real))
      return invalid("{} has the value {} but must be whole numbers", name, to_text(real));
    values.push_back(static_cast<Index>(real));
  }
  return values;
}

Result<SampleArray> read_file_array(std::string_view name, const std::string& text) {
  const auto tensor = open_tensor(text, TensorUse::cells);
  if (!tensor) return tensor.error();
  const std::string place = shortened(tensor_name_text(tensor->name), 200);
  SampleArray array{tensor->shape, {}};
  if (array.shape.empty() || array.shape.size() > 2 || std::ranges::count(array.shape, 0) > 0)
    return within(place, invalid("{} has shape {} but must be [T], or [B, T] of a batch", name,
                                 NpyHeader{.shape = array.shape}.shape_text()));
  auto values = tensor->header.dtype.is_real() ? whole_numbers(name, *tensor)
                                               : read_npy<Index>(*tensor->bytes, tensor->header, most_sample_values);
  if (!values) return within(place, values.error());
  array.values = std::move(*values);
  return array;
}

Result<SampleArray> read_nested_list(std::string_view name, const std::string& text) {
  const auto refused = [&] {
    return invalid("{} is {} but must be a list of whole numbers or a list of such lists of equal length", name,
                   shortened(text));
  };
  const auto json =
      read_json(text, {.most_bytes = text.size(), .most_values = most_sample_values, .packs_numbers = true});
  if (!json) return refused();
  if (const auto* list = json->integers(); list && !list->empty())
    return SampleArray{{static_cast<Index>(list->size())}, *list};
  const auto* rows = json->list();
  if (!rows || rows->empty()) return refused();
  SampleArray array;
  for (const ConfigValue& row : *rows) {
    const auto* values = row.integers();
    if (!values || values->empty()) return refused();
    const auto length = static_cast<Index>(values->size());
    if (array.shape.empty()) array.shape = {static_cast<Index>(rows->size()), length};
    if (length != array.shape[1])
      return invalid("{}: sample {} has {} entries, sample 0 has {}", name, &row - rows->data(), length,
                     array.shape[1]);
    array.values.insert(array.values.end(), values->begin(), values->end());
  }
  return array;
}

}  // namespace

std::span<const Index> SampleArray::row(Index sample) const {
  const auto width = static_cast<std::size_t>(length());
  const auto at = samples() == 1 ? 0 : static_cast<std::size_t>(sample);
  return std::span(values).subspan(at * width, width);
}

bool names_array_file(std::string_view text) {
  return !trimmed(text).starts_with('[') && parse_tensor_name(text).has_value();
}

Result<SampleArray> read_sample_array(std::string_view name, const std::string& text) {
  if (names_array_file(text)) return read_file_array(name, text);
  if (trimmed(text).starts_with('[')) return read_nested_list(name, text);
  SampleArray array;
  for (const auto item : split(text, ',')) {
    const auto number = parse_index(trimmed(item));
    if (!number)
      return invalid("{} is {} but must be a file, or a list of whole numbers: 1,1,0 or [[1,1,0],[1,0,0]]", name,
                     shortened(text));
    array.values.push_back(*number);
  }
  array.shape = {static_cast<Index>(array.values.size())};
  return array;
}

}  // namespace vqscope
