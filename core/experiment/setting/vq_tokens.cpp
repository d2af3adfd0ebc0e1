// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_tokens.h"

#include "core/base/sentence.h"
#include "core/method/qkv/head_tensor.h"

#include <algorithm>
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

using Part = std::optional<HeadTensor>;

/// The tensor of a parameter that exists and is not empty.
Result<Part> find_if_named(const ParameterValues& values, const char* parameter, bool needed) {
  const auto* value = values.find(parameter);
  if (!value) return Part();
  const auto& text = std::get<std::string>(*value);
  if (text.empty() && !needed) return Part();
  if (text.empty())
    return invalid("{} is empty but must name a tensor while data is tensors: FILE or FILE:NAME[layer,head]",
                   parameter);
  auto found = HeadTensor::find(parameter, text);
  if (!found) return found.error();
  return Part(std::move(*found));
}

/// The tensors that values name, and the head of them that is read.
struct FoundTokens {
  Part q, k, v, codebook;
  ChosenHead head = {};

  Index rows(const HeadTensor& tensor) const { return tensor.rows(head.layout.layout); }
};

/// Checks that two tensors agree in a size.
Result<void> same(const HeadTensor& a, Index of_a, const HeadTensor& b, Index of_b, const char* what) {
  if (of_a == of_b) return {};
  return invalid("{}, {}: both must have the same {}", a.shown(), b.shown(), what);
}

Result<void> check_size(const HeadTensor& tensor, Index rows) {
  if (rows >= 1 && tensor.cols() >= 1 && rows <= most_token_numbers / tensor.cols()) return {};
  return invalid("{} but must have 1 to {} numbers a head", tensor.shown(), most_token_numbers);
}

Result<FoundTokens> find_tokens(const ParameterValues& values) {
  FoundTokens found;
  const auto take = [&](Part& part, const char* parameter, bool needed) -> Result<void> {
    auto tensor = find_if_named(values, parameter, needed);
    if (!tensor) return tensor.error();
    part = std::move(*tensor);
    return {};
  };
  for (const auto& done : {take(found.k, "k_tensor", true), take(found.q, "q_tensor", true),
                           take(found.v, "v_tensor", false), take(found.codebook, "codebook_tensor", false)})
    if (!done) return done.error();
  std::vector<const HeadTensor*> qkv;
  for (const Part* part : {&found.q, &found.k, &found.v})
    if (*part) qkv.push_back(&**part);
  if (qkv.empty()) return invalid("k_tensor is missing");
  const auto head = choose_head(qkv, values);
  if (!head) return head.error();
  found.head = *head;
  return found;
}

Result<void> check_agreement(const FoundTokens& found) {
  const auto& [q, k, v, codebook, head] = found;
  for (const Part* part : {&q, &k, &v})
    if (*part)
      if (auto checked = check_size(**part, found.rows(**part)); !checked) return checked;
  if (q) {
    if (auto agreed = same(*q, found.rows(*q), *k, found.rows(*k), "number of tokens"); !agreed) return agreed;
    if (auto agreed = same(*q, q->cols(), *k, k->cols(), "d_k"); !agreed) return agreed;
  }
  if (v)
    if (auto agreed = same(*v, found.rows(*v), *k, found.rows(*k), "number of tokens"); !agreed) return agreed;
  if (!codebook) return {};
  if (auto checked = check_size(*codebook, codebook->rows(HeadLayout::heads_first)); !checked) return checked;
  return same(*codebook, codebook->cols(), *k, k->cols(), "d_k");
}

using Tokens = Result<std::shared_ptr<const VqTokens>>;

Result<void> read_numbers(const FoundTokens& found, VqTokens& tokens) {
  const HeadLayout layout = found.head.layout.layout;
  struct Source {
    const Part& part;
    HeadLayout layout;
    std::vector<float>& numbers;
  };
  for (const Source& source :
       {Source{found.q, layout, tokens.queries}, Source{found.k, layout, tokens.keys},
        Source{found.v, layout, tokens.values}, Source{found.codebook, HeadLayout::heads_first, tokens.codewords}}) {
    if (!source.part) continue;
    auto read = source.part->read(source.layout, found.head.head_among(source.part->heads(source.layout)));
    if (!read) return read.error();
    source.numbers = std::move(*read);
  }
  return {};
}

Tokens read_chosen(const ParameterValues& values, bool numbers) {
  const auto found = find_tokens(values);
  if (!found) return found.error();
  if (auto agreed = check_agreement(*found); !agreed) return agreed.error();
  auto tokens = std::make_shared<VqTokens>();
  tokens->length = found->rows(*found->k);
  tokens->d_k = found->k->cols();
  tokens->d_v = found->v ? found->v->cols() : 0;
  tokens->n_code = found->codebook ? found->codebook->rows(HeadLayout::heads_first) : 0;
  tokens->heads = found->head.heads;
  tokens->head = found->head.head;
  const HeadTensor& first = found->q ? *found->q : *found->k;
  tokens->layout = layout_sentence({found->q ? "q" : "k", first.shape().shape}, found->head.layout);
  tokens->shown_head = head_sentence(first, found->head);
  if (numbers)
    if (auto read = read_numbers(*found, *tokens); !read) return read.error();
  return std::shared_ptr<const VqTokens>(std::move(tokens));
}

/// Names of tensors, with the size and modification time of each file.
using Identity = std::vector<std::tuple<std::string, std::uintmax_t, std::filesystem::file_time_type>>;

Identity identity_of(const ParameterValues& values) {
  Identity identity;
  auto specs = token_parameters();
  specs.push_back(query_heads_parameter());
  for (const auto& spec : specs) {
    const auto* value = values.find(spec.name);
    const std::string text = value ? format_value(*value) : std::string();
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
  std::vector<ParameterSpec> specs{
      tensor("q_tensor", "Queries", "Queries [T, d_k], or with heads."),
      tensor("k_tensor", "Keys", "Keys [T, d_k], or with heads. The first q_length tokens are shown."),
      tensor("v_tensor", "Values", "Values [T, d_v], or with heads. Empty: synthetic values."),
      tensor("codebook_tensor", "Codebook",
             "Codewords [n_code, d_k] for normalised keys. Empty: codewords are learned from the keys.")};
  for (auto& spec : head_parameters("Data", {{"data", {"tensors"}}})) specs.push_back(std::move(spec));
  return specs;
}

ParameterSpec query_heads_parameter() {
  return make_parameter("num_heads", "Data", "Number of heads of the queries, which share those of the keys.",
                        {.default_value = Index{0},
                         .minimum = 0,
                         .maximum = 1024,
                         .automatic = "the heads of k_tensor",
                         .relevant = {{"data", {"tensors"}}}});
}

Result<std::shared_ptr<const VqTokens>> read_tokens(const ParameterValues& values, bool numbers) {
  static KnownTokens known;
  return numbers ? known.get(values) : read_chosen(values, false);
}

}  // namespace vqscope
