// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_tokens.h"

#include "core/base/sentence.h"
#include "core/io/tensor/tensor_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <tuple>

namespace vqscope {
namespace {

ParameterSpec tensor(const char* name, const char* label, const char* help) {
  return make_parameter(name, "Data", help,
                        {.label = label,
                         .kind = ParameterKind::tensor,
                         .default_value = std::string(),
                         .relevant = {{"data", {"tensors"}}},
                         .most_items = 4096});
}

std::string shape_of(const StoredTensor& stored) {
  std::string shape;
  for (const Index size : stored.shape) shape += (shape.empty() ? "" : ", ") + to_text(size);
  return fmt::format("[{}]", shape);
}

/// One of the tensors. Its title and its errors begin with the name of its parameter.
class TensorPart {
 public:
  static Result<TensorPart> find(const std::string& parameter, const std::string& text) {
    auto stored = open_tensor(text);
    if (!stored) return invalid("{}: {}", parameter, stored.error().message);
    TensorPart named(fmt::format("{} = {}", parameter, text), std::move(*stored));
    const auto& shape = named.m_stored.shape;
    if (shape.size() != 2)
      return invalid("{} is {}, must be [tokens, dimensions]{}", named.m_title, shape_of(named.m_stored),
                     shape.size() > 2 ? "; FILE:NAME[layer,head] selects from the leading dimensions" : "");
    if (shape[0] < 1 || shape[1] < 1 || shape[0] > most_token_numbers / shape[1])
      return invalid("{} is {}, must have 1 to {} numbers", named.m_title, shape_of(named.m_stored),
                     most_token_numbers);
    return named;
  }

  const std::string& title() const { return m_title; }
  std::string shape() const { return shape_of(m_stored); }
  Index rows() const { return m_stored.shape[0]; }
  Index cols() const { return m_stored.shape[1]; }

  Result<std::vector<float>> read() const {
    auto numbers = read_tensor(m_stored);
    if (!numbers) return invalid("{}: {}", m_title, numbers.error().message);
    const auto odd = std::ranges::find_if(*numbers, [](float x) { return !std::isfinite(x); });
    if (odd == numbers->end()) return numbers;
    const auto at = static_cast<Index>(odd - numbers->begin());
    return invalid("{} has {} at row {}, column {}, must be finite", m_title, to_text(*odd), at / cols(), at % cols());
  }

 private:
  TensorPart(std::string title, StoredTensor stored) : m_title(std::move(title)), m_stored(std::move(stored)) {}

  std::string m_title;
  StoredTensor m_stored;
};

/// Checks that two tensors agree in a size.
Result<void> same(const TensorPart& a, Index of_a, const TensorPart& b, Index of_b, const char* what) {
  if (of_a == of_b) return {};
  return invalid("{} is {}, {} is {}: both must have the same {}", a.title(), a.shape(), b.title(), b.shape(), what);
}

/// The tensor of a parameter that exists and is not empty.
Result<std::optional<TensorPart>> find_if_named(const ParameterValues& values, const char* parameter, bool needed) {
  const auto* value = values.find(parameter);
  if (!value) return std::optional<TensorPart>();
  const auto& text = std::get<std::string>(*value);
  if (text.empty() && !needed) return std::optional<TensorPart>();
  if (text.empty())
    return invalid("{} is empty, must name a tensor while data is tensors: FILE or FILE:NAME[layer,head]", parameter);
  auto found = TensorPart::find(parameter, text);
  if (!found) return found.error();
  return std::optional(std::move(*found));
}

using Tokens = Result<std::shared_ptr<const VqTokens>>;

Tokens read_chosen(const ParameterValues& values, bool numbers) {
  const auto k = find_if_named(values, "k_tensor", true);
  const auto q = find_if_named(values, "q_tensor", true);
  const auto v = find_if_named(values, "v_tensor", false);
  const auto codebook = find_if_named(values, "codebook_tensor", false);
  for (const auto* found : {&q, &k, &v, &codebook})
    if (!*found) return found->error();
  auto tokens = std::make_shared<VqTokens>();
  tokens->length = (*k)->rows();
  tokens->d_k = (*k)->cols();
  struct Part {
    const std::optional<TensorPart>& tensor;
    std::vector<float>& numbers;
  };
  if (*q) {
    if (auto agreed = same(**q, (*q)->rows(), **k, (*k)->rows(), "number of tokens"); !agreed) return agreed.error();
    if (auto agreed = same(**q, (*q)->cols(), **k, (*k)->cols(), "d_k"); !agreed) return agreed.error();
  }
  if (*v) {
    if (auto agreed = same(**v, (*v)->rows(), **k, (*k)->rows(), "number of tokens"); !agreed) return agreed.error();
    tokens->d_v = (*v)->cols();
  }
  if (*codebook) {
    if (auto agreed = same(**codebook, (*codebook)->cols(), **k, (*k)->cols(), "d_k"); !agreed) return agreed.error();
    tokens->n_code = (*codebook)->rows();
  }
  if (!numbers) return std::shared_ptr<const VqTokens>(std::move(tokens));
  for (const Part& part : {Part{*q, tokens->queries}, Part{*k, tokens->keys}, Part{*v, tokens->values},
                           Part{*codebook, tokens->codewords}}) {
    if (!part.tensor) continue;
    auto read = part.tensor->read();
    if (!read) return read.error();
    part.numbers = std::move(*read);
  }
  return std::shared_ptr<const VqTokens>(std::move(tokens));
}

/// Names of tensors, with the size and modification time of each file.
using Identity = std::vector<std::tuple<std::string, std::uintmax_t, std::filesystem::file_time_type>>;

Identity identity_of(const ParameterValues& values) {
  Identity identity;
  for (const auto& spec : token_parameters()) {
    const auto* value = values.find(spec.name);
    const std::string text = value ? std::get<std::string>(*value) : std::string();
    const auto name = parse_tensor_name(text);
    std::error_code failed;
    const std::filesystem::path file(name ? name->file : std::string());
    identity.emplace_back((value ? "" : "-") + text, std::filesystem::file_size(file, failed),
                          std::filesystem::last_write_time(file, failed));
  }
  return identity;
}

/// Tensors that are still in use are not read again.
class KnownTokens {
 public:
  Tokens get(const ParameterValues& values) {
    const Identity identity = identity_of(values);
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_known, [](const auto& entry) { return entry.second.expired(); });
    for (const auto& [known, tokens] : m_known)
      if (known == identity)
        if (auto shared = tokens.lock()) return shared;
    auto tokens = read_chosen(values, true);
    if (tokens) m_known.emplace_back(identity, *tokens);
    return tokens;
  }

 private:
  std::mutex m_mutex;
  std::vector<std::pair<Identity, std::weak_ptr<const VqTokens>>> m_known;
};

}  // namespace

std::vector<ParameterSpec> token_parameters() {
  return {tensor("q_tensor", "Queries", "Queries of one head: [tokens, d_k]."),
          tensor("k_tensor", "Keys", "Keys of one head: [tokens, d_k]. The first q_length tokens are shown."),
          tensor("v_tensor", "Values", "Values of one head: [tokens, d_v]. Empty: synthetic values."),
          tensor("codebook_tensor", "Codebook",
                 "Codewords [n_code, d_k] for normalised keys. Empty: codewords are learned from the keys.")};
}

Result<std::shared_ptr<const VqTokens>> read_tokens(const ParameterValues& values, bool numbers) {
  static KnownTokens known;
  return numbers ? known.get(values) : read_chosen(values, false);
}

}  // namespace vqscope
