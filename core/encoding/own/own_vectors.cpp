// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/rotated_pair.h"

#include "core/base/sentence.h"
#include "core/encoding/table/table_values.h"
#include "core/method/qkv/head_tensor.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double most_numbers = 1 << 25;  // 256 MiB, and as much again after rotation

bool are_tensors(const ParameterValues& values) { return values.choice("vectors") == "tensors"; }

Result<void> check_count(Index q_length, Index kv_length, Index dims) {
  const double count = (static_cast<double>(q_length) + static_cast<double>(kv_length)) * static_cast<double>(dims);
  if (count <= most_numbers) return {};
  return too_large("q_length {} and kv_length {} of {} dimensions are {} numbers but must be at most {}", q_length,
                   kv_length, dims, plain_text(count), plain_text(most_numbers));
}

/// Empty for a method that does not have it.
std::vector<double> bias_in(const ParameterValues& values, const char* name) {
  return values.find(name) ? values.reals(name) : std::vector<double>();
}

Result<void> check_bias(const ParameterValues& values, const char* name, Index dims) {
  const auto count = static_cast<Index>(bias_in(values, name).size());
  if (count <= 1 || count == dims) return {};
  return invalid("{} has {} numbers but must have {}, one per dimension, or one for all, or none", name, count, dims);
}

/// One number stands for every dimension.
void add_bias(const std::vector<double>& bias, Index dims, std::vector<double>& rows) {
  if (bias.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] += bias.size() == 1 ? bias[0] : bias[i % static_cast<std::size_t>(dims)];
}

/// [rows, dims]; one vector at every row, or one for each.
std::vector<double> made_vectors(const ParameterValues& values, Index rows, std::uint64_t stream,
                                 const std::stop_token& stop) {
  const std::string& kind = values.choice("vectors");
  const Index dims = values.integer("head_dim");
  const auto seed = 2 * static_cast<std::uint64_t>(values.integer("seed")) + stream;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(rows * dims));
  for (Index row = 0; row < rows && !stop.stop_requested(); ++row)
    for (Index col = 0; col < dims; ++col)
      all.push_back(kind == "ones" ? 1 : drawn_normal(seed, kind == "same" ? 0 : row, col));
  return all;
}

Result<HeadTensor> find_vectors(const ParameterValues& values, const char* name) {
  const std::string& text = values.text(name);
  if (text.empty()) return invalid("{} is empty but must name a tensor: FILE or FILE:NAME[layer,head]", name);
  return HeadTensor::find(name, text);
}

/// The first rows of one head.
Result<std::vector<double>> read_rows(const HeadTensor& tensor, const ChosenHead& head, const char* length, Index rows,
                                      const std::stop_token& stop) {
  const Index given = tensor.rows(head.layout.layout);
  if (given < rows) return invalid("{} but must have at least {} = {} rows", tensor.shown(), length, rows);
  if (tensor.cols() < 1 || given > most_matrix_numbers / tensor.cols())
    return invalid("{} but must have 1 to {} numbers a head", tensor.shown(), most_matrix_numbers);
  const auto numbers = tensor.read(head.layout.layout, head.of(tensor), stop);
  if (!numbers) return numbers.error();
  return std::vector<double>(numbers->begin(), numbers->begin() + rows * tensor.cols());
}

Result<OwnVectors> read_vectors(const ParameterValues& values, Index q_length, Index kv_length,
                                const std::stop_token& stop) {
  const auto q = find_vectors(values, "q_tensor");
  if (!q) return q.error();
  const auto k = find_vectors(values, "k_tensor");
  if (!k) return k.error();
  const auto head = choose_head({&*q, &*k}, values, true);
  if (!head) return head.error();
  if (q->cols() != k->cols())
    return invalid("{}, {}: both must have the same number of dimensions", q->shown(), k->shown());
  auto queries = read_rows(*q, *head, "q_length", q_length, stop);
  if (!queries) return queries.error();
  auto keys = read_rows(*k, *head, "kv_length", kv_length, stop);
  if (!keys) return keys.error();
  return OwnVectors{q->cols(), std::move(*queries), std::move(*keys), head_sentence(*q, *head)};
}

ParameterSpec bias_vector(const char* name, const char* label, const char* help) {
  return make_parameter(name, "Vectors", help,
                        {.label = label,
                         .default_value = std::vector<double>{},
                         .minimum = -1e6,
                         .maximum = 1e6,
                         .automatic = "none",
                         .most_items = 4096});
}

ParameterSpec vector_tensor(const char* name, const char* label, const char* help) {
  return make_parameter(name, "Vectors", help,
                        {.label = label,
                         .kind = ParameterKind::tensor,
                         .default_value = std::string(),
                         .relevant = {{"vectors", {"tensors"}}},
                         .most_items = 4096});
}

Result<StoredTensor> find_named(const std::string& parameter, const std::string& text) {
  auto stored = open_tensor(text);
  if (!stored) return invalid("{}: {}", parameter, stored.error().message);
  return stored;
}

}  // namespace

std::vector<ParameterSpec> own_vector_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter(
          "vectors", "Vectors", "Queries and keys that are rotated.",
          {.label = "q and k",
           .default_value = std::string("same"),
           .choices = {{"same", "one random query and one random key at every position: equal distances, equal scores"},
                       {"sampled", "a random vector for each token, standard normal"},
                       {"ones", "all numbers 1"},
                       {"tensors", "one head of your own tensors, from files"}}}),
      vector_tensor("q_tensor", "Queries",
                    "Queries [T, head_dim] before rotation, or with heads. The first q_length rows are used."),
      vector_tensor("k_tensor", "Keys",
                    "Keys [T, head_dim] before rotation, or with heads. The first kv_length rows are used."),
      seed_parameter("Vectors", "Random seed of the sampled vectors.", {{"vectors", {"sampled", "same"}}}),
      bias_vector("q_bias_vector", "Bias of q",
                  "Vector a added to each query before rotation, or one number for every dimension."),
      bias_vector("k_bias_vector", "Bias of k",
                  "Vector b added to each key before rotation, or one number for every dimension.")};
  for (auto& spec : head_parameters("Vectors", {{"vectors", {"tensors"}}})) specs.push_back(std::move(spec));
  return specs;
}

Result<void> check_own_vectors(const ParameterValues& values, Index q_length, Index kv_length) {
  const Index dims = are_tensors(values) ? 1 : values.integer("head_dim");
  if (auto checked = check_count(q_length, kv_length, dims); !checked) return checked;
  if (are_tensors(values)) return {};  // the file decides their size
  if (auto checked = check_bias(values, "q_bias_vector", dims); !checked) return checked;
  return check_bias(values, "k_bias_vector", dims);
}

Result<OwnVectors> own_vectors(const ParameterValues& values, Index q_length, Index kv_length,
                               const std::stop_token& stop) {
  OwnVectors vectors{.dims = values.integer("head_dim")};
  if (are_tensors(values)) {
    auto read = read_vectors(values, q_length, kv_length, stop);
    if (!read) return read.error();
    vectors = std::move(*read);
  } else {
    if (auto checked = check_own_vectors(values, q_length, kv_length); !checked) return checked.error();
    vectors.queries = made_vectors(values, q_length, 0, stop);
    vectors.keys = made_vectors(values, kv_length, 1, stop);
  }
  if (stop.stop_requested()) return cancelled();
  for (const char* name : {"q_bias_vector", "k_bias_vector"})
    if (auto checked = check_bias(values, name, vectors.dims); !checked) return checked.error();
  add_bias(bias_in(values, "q_bias_vector"), vectors.dims, vectors.queries);
  add_bias(bias_in(values, "k_bias_vector"), vectors.dims, vectors.keys);
  return vectors;
}

Result<TensorMatrix> read_tensor_matrix(const std::string& parameter, const std::string& text) {
  if (text.empty()) return invalid("{} is empty but must name a tensor: FILE or FILE:NAME[layer,head]", parameter);
  const auto stored = find_named(parameter, text);
  if (!stored) return stored.error();
  std::vector<Index> shape = stored->shape;
  TensorMatrix matrix{.title = fmt::format("{} = {} is {}", parameter, shortened(text), shape_words(shape))};
  if (shape.size() == 1) shape.push_back(1);
  if (shape.size() != 2)
    return invalid("{} but must have two dimensions{}", matrix.title,
                   shape.size() > 2 ? "; FILE:NAME[layer,head] selects from the leading dimensions" : "");
  if (shape[0] < 1 || shape[1] < 1 || shape[0] > most_matrix_numbers / shape[1])
    return invalid("{} but must have 1 to {} numbers", matrix.title, most_matrix_numbers);
  auto numbers = read_tensor(*stored);
  if (!numbers) return invalid("{}: {}", parameter, numbers.error().message);
  matrix.rows = shape[0];
  matrix.cols = shape[1];
  matrix.numbers = std::move(*numbers);
  const auto odd = std::ranges::find_if(matrix.numbers, [](float x) { return !std::isfinite(x); });
  if (odd == matrix.numbers.end()) return matrix;
  const auto at = static_cast<Index>(odd - matrix.numbers.begin());
  return invalid("{} and has {} at row {}, column {} but must be finite", matrix.title, to_text(*odd), at / matrix.cols,
                 at % matrix.cols);
}

}  // namespace vqscope
