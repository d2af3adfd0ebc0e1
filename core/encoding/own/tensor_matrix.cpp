// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/tensor_matrix.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/tensor/tensor_file.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::string shape_text(const std::vector<Index>& shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : ", ") + to_text(size);
  return fmt::format("[{}]", text);
}

Result<StoredTensor> find_named(const std::string& parameter, const std::string& text) {
  const auto name = parse_tensor_name(text);
  if (!name) return invalid("{}: {}", parameter, name.error().message);
  auto file = open_file(name->file);
  if (!file) return invalid("{}: {}", parameter, file.error().message);
  auto stored = find_tensor(std::move(*file), *name);
  if (!stored) return invalid("{}: {}", parameter, stored.error().message);
  return stored;
}

}  // namespace

Result<TensorMatrix> read_tensor_matrix(const std::string& parameter, const std::string& text) {
  if (text.empty()) return invalid("{} is empty, must name a tensor: FILE or FILE:NAME[layer,head]", parameter);
  const auto stored = find_named(parameter, text);
  if (!stored) return stored.error();
  std::vector<Index> shape = stored->shape;
  TensorMatrix matrix{.title = fmt::format("{} = {} is {}", parameter, shortened(text), shape_text(shape))};
  if (shape.size() == 1) shape.push_back(1);
  if (shape.size() != 2)
    return invalid("{}, must have two dimensions{}", matrix.title,
                   shape.size() > 2 ? "; FILE:NAME[layer,head] selects from the leading dimensions" : "");
  if (shape[0] < 1 || shape[1] < 1 || shape[0] > most_matrix_numbers / shape[1])
    return invalid("{}, must have 1 to {} numbers", matrix.title, most_matrix_numbers);
  auto numbers = read_tensor(*stored);
  if (!numbers) return invalid("{}: {}", parameter, numbers.error().message);
  matrix.rows = shape[0];
  matrix.cols = shape[1];
  matrix.numbers = std::move(*numbers);
  const auto odd = std::ranges::find_if(matrix.numbers, [](float x) { return !std::isfinite(x); });
  if (odd == matrix.numbers.end()) return matrix;
  const auto at = static_cast<Index>(odd - matrix.numbers.begin());
  return invalid("{} and has {} at row {}, column {}, must be finite", matrix.title, to_text(*odd), at / matrix.cols,
                 at % matrix.cols);
}

}  // namespace vqscope
