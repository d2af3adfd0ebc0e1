// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/config/rope/rope_reading.h"
#include "core/encoding/rope/rope_formulas.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// The readers of one config, Hugging Face first.
class Readers {
 public:
  Readers(const RopeUse& use, const ConfigObject* rope, std::string_view type)
      : model_type(type), m_use(use), m_rope(rope) {}

  RopeImplementation& add(std::string name, std::string rule, const RopeScaling& scaling, Index seq_len) {
    RopeScaling at = scaling;
    at.seq_len = seq_len;
    const RopeFrequencies frequencies = rope_frequencies(at);
    all.push_back({.name = std::move(name),
                   .rule = std::move(rule),
                   .seq_len = seq_len,
                   .inv_freq = {frequencies.inv_freq.begin(), frequencies.inv_freq.end()},
                   .attention_factor = frequencies.attention_factor,
                   .softmax_factor = m_use.softmax_factor});
    return all.back();
  }
  void add_reference(std::string rule, Index seq_len) { add("Hugging Face", std::move(rule), m_use.scaling, seq_len); }
  /// A number above 0 from the object with the scaling, however Hugging Face treats it.
  std::optional<double> foreign(std::string_view key) const {
    const auto* given = m_rope ? m_rope->value().find(key) : nullptr;
    const auto number = given ? given->number() : std::nullopt;
    return number && *number > 0 && std::isfinite(*number) ? number : std::nullopt;
  }
  /// Whether readers have code of their own for how this model multiplies cos and sin.
  bool have_own_yarn() const { return has_own_yarn(model_type, m_rope ? &m_rope->value() : nullptr); }
  void compare();

  const std::string_view model_type;
  std::vector<RopeImplementation> all;

 private:
  const RopeUse& m_use;
  const ConfigObject* m_rope;
};

/// Compares each with Hugging Face at the same length.
void Readers::compare() {
  for (auto& each : all) {
    const auto reference = std::ranges::find_if(all, [&](const RopeImplementation& other) {
      return other.name == "Hugging Face" && other.seq_len == each.seq_len;
    });
    if (reference == all.end()) continue;
    for (std::size_t i = 0; i < each.inv_freq.size(); ++i) {
      const double ratio = each.inv_freq[i] / reference->inv_freq[i];
      if (std::abs(std::log(ratio)) <= std::max(same_ratio, std::abs(std::log(each.ratio)) * (1 + same_ratio)))
        continue;
      each.differing_pair = static_cast<Index>(i);
      each.ratio = ratio;
    }
  }
}

void report_dynamic(Readers& readers, const RopeUse& use) {
  const Index trained = use.scaling.original_max_position_embeddings;
  for (const Index length : {use.seq_len, trained}) {
    readers.add_reference("the base follows the longest sequence so far, keys in the cache keep theirs", length);
    readers.add("vLLM", "one base for every length, that of factor times the training length", use.scaling, use.seq_len)
        .seq_len = length;
  }
}

/// For MLA models the authors' code, Hugging Face and vLLM agree; a port that applies only cos and
/// sin does not.
void report_latent_yarn(Readers& readers, const RopeUse& use) {
  readers.add("DeepSeek's code, vLLM",
              "cos and sin times m(factor, mscale) / m(factor, mscale_all_dim), softmax_scale times "
              "m(factor, mscale_all_dim)²",
              use.scaling, use.seq_len);
  readers.add("a reader of cos and sin alone", "softmax_scale is unchanged", use.scaling, use.seq_len).softmax_factor =
      1;
}

void report_dense_yarn(Readers& readers, const RopeUse& use) {
  const double authors = yarn_mscale(use.scaling.factor);
  readers
      .add("vLLM, SGLang",
           "cos and sin times m(factor) · attn_factor; attention_factor and mscale are not read (newer vLLM does)",
           use.scaling, use.seq_len)
      .attention_factor = authors * readers.foreign("attn_factor").value_or(1);
  readers
      .add("llama.cpp", "cos and sin times 1 + 0.1 ln factor; the ramp always ends at whole pairs",
           yarn_of_llama_cpp(use.scaling, readers.model_type), use.seq_len)
      .attention_factor = authors;
}

void report_yarn(Readers& readers, const RopeUse& use, bool latent) {
  const RopeScaling& s = use.scaling;
  const double trained = static_cast<double>(s.original_max_position_embeddings);
  readers.add_reference("ramp by the pair's index; attention_factor, else from mscale, else 1 + 0.1 ln factor",
                        use.seq_len);
  if (latent && s.mscale_all_dim > 0)
    report_latent_yarn(readers, use);
  else if (!readers.have_own_yarn())
    report_dense_yarn(readers, use);
  if (s.original_max_position_embeddings != use.max_position_embeddings) {
    RopeScaling old = s;
    old.original_max_position_embeddings = use.max_position_embeddings;
    readers.add("Hugging Face up to 4.50", "max_position_embeddings is used as the training length", old, use.seq_len);
  }
  const double ratio = static_cast<double>(use.max_position_embeddings) / trained;
  if (std::abs(s.factor / ratio - 1) > same_ratio) {
    RopeScaling by_ratio = s;
    by_ratio.factor = ratio;
    readers.add("Hugging Face before its pull request 40320",
                "max_position_embeddings / training length is used as the factor", by_ratio, use.seq_len);
  }
  RopeScaling paper = s;
  paper.yarn_ramp = YarnRamp::rotation_count;
  if (s.beta_fast > s.beta_slow)
    readers.add("YaRN paper, section 3.2", "ramp by turns within the training length", paper, use.seq_len);
}

void report_longrope(Readers& readers, const RopeUse& use) {
  const RopeScaling& s = use.scaling;
  const Index trained = s.original_max_position_embeddings;
  const bool reaches = use.seq_len > trained;
  RopeScaling by_lengths = s;
  by_lengths.attention_factor = 0;
  by_lengths.factor = static_cast<double>(use.max_position_embeddings) / static_cast<double>(trained);
  const double served_factor = default_attention_factor(by_lengths);
  for (const Index length : {use.seq_len, trained}) {
    readers.add_reference("long_factor for sequences beyond the training length, short_factor up to it", length);
    auto& vllm = readers.add("vLLM",
                             "long_factor for every sequence once max_model_len is beyond the training length; "
                             "attention factor from the lengths, or short_mscale and long_mscale",
                             s, use.seq_len);
    vllm.seq_len = length;
    vllm.attention_factor = readers.foreign(reaches ? "long_mscale" : "short_mscale").value_or(served_factor);
    readers
        .add("llama.cpp", "long_factor for every sequence once the context is beyond the training length", s,
             use.seq_len)
        .seq_len = length;
    if (!reaches) return;
  }
  if (s.factor > 1)
    readers.add("older Hugging Face", "long_factor for every sequence when factor is above 1", s, use.seq_len).seq_len =
        trained;
}

}  // namespace

RopeScaling yarn_of_llama_cpp(RopeScaling scaling, std::string_view model_type) {
  if (!model_type.starts_with("ministral")) {
    scaling.beta_fast = 32;
    scaling.beta_slow = 1;
  }
  scaling.truncate = true;
  scaling.beta_slow = std::min(scaling.beta_slow, scaling.beta_fast);
  return scaling;
}

void report_pairs(RopeUse& use) {
  use.seq_len = served_length(use);
  use.scaling.seq_len = use.seq_len;
  use.attention_factor = rope_frequencies(use.scaling).attention_factor;
  use.pairs = config_pairs(use);
}

void report_implementations(RopeUse& use, const ConfigObject* rope, bool latent, std::string_view model_type) {
  Readers readers(use, rope, model_type);
  const std::string& type = use.scaling.rope_type;
  if (type == "dynamic") {
    report_dynamic(readers, use);
  } else if (type == "yarn") {
    report_yarn(readers, use, latent);
  } else if (type == "longrope") {
    report_longrope(readers, use);
  } else if (type == "default" || type == "linear" || type == "llama3") {
    readers.add_reference(rope_type(type).help, use.seq_len);
    readers.add("vLLM, llama.cpp", "the same formula", use.scaling, use.seq_len);
  }
  readers.compare();
  use.implementations = std::move(readers.all);
}

}  // namespace vqscope
