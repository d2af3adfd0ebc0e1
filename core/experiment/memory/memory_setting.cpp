// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_setting.h"

#include "core/base/machine.h"
#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/encoding/own/own_rotation.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/setting/vq_setting.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

std::vector<float> normal_numbers_of(std::uint64_t seed, std::uint64_t stream, Index count,
                                     const std::stop_token& stop) {
  return sample_keys({.kind = KeyKind::independent, .seed = SeededRandom(seed).bits() ^ stream}, count, 1, stop);
}

std::vector<float> first_rows(const std::vector<float>& all, Index count) {
  return {all.begin(), all.begin() + std::min<Index>(count, static_cast<Index>(all.size()))};
}

/// Rotates each query towards its key: c times the key's direction plus √(1 - c²) times its own.
void plant_matches(const MemorySetting& s, MemoryTokens& tokens) {
  SeededRandom random(SeededRandom(s.seed).bits() ^ 4U);
  tokens.matches.assign(static_cast<std::size_t>(s.q_length), -1);
  const double own = std::sqrt(1 - s.match_cosine * s.match_cosine);
  for (Index i = s.segment_len; i < s.q_length; ++i) {
    const Index earlier = i / s.segment_len * s.segment_len;
    const auto match = static_cast<Index>(random.bits() % static_cast<std::uint64_t>(earlier));
    tokens.matches[static_cast<std::size_t>(i)] = match;
    for (Index c = 0; c < s.d_k; ++c) {
      float& number = tokens.queries[static_cast<std::size_t>(i * s.d_k + c)];
      number = static_cast<float>(own * static_cast<double>(number) +
                                  s.match_cosine *
                                      static_cast<double>(tokens.keys[static_cast<std::size_t>(match * s.d_k + c)]));
    }
  }
}

void take_sizes(const ParameterValues& values, MemorySetting& s) {
  const std::pair<const char*, Index*> integers[] = {
      {"q_length", &s.q_length}, {"d_k", &s.d_k}, {"d_v", &s.d_v}, {"segment_len", &s.segment_len}};
  for (const auto& [name, to] : integers)
    if (values.find(name)) *to = values.integer(name);
  if (values.find("match_cosine")) s.match_cosine = values.real("match_cosine");
  if (values.find("deviation")) s.deviation = values.real("deviation");
  if (values.find("clusters")) s.clusters = values.integer("clusters");
  if (values.find("spread")) s.spread = values.real("spread");
  s.norm = values.find("normalize") ? norm_of(values) : QueryKeyNorm::none;
  s.seed = static_cast<std::uint64_t>(values.integer("seed"));
}

void scale_all(std::vector<float>& numbers, double factor) {
  for (float& number : numbers) number = static_cast<float>(factor * static_cast<double>(number));
}

/// Each row is normalised on its own, so that rows can be processed in parts.
void normalize_some(std::vector<float>& rows, Index width, QueryKeyNorm norm, const std::stop_token& stop) {
  const std::size_t some = 1024 * static_cast<std::size_t>(width);
  for (std::size_t done = 0; done < rows.size() && !stop.stop_requested(); done += some)
    normalize_rows(std::span(rows).subspan(done, std::min(some, rows.size() - done)), width, norm);
}

Result<void> check_length(const MemorySetting& s) {
  if (s.tokens && s.q_length > s.tokens->length)
    return invalid("q_length is {} but must be at most {}, the tokens of k_tensor", s.q_length, s.tokens->length);
  if (s.segment_len > s.q_length)
    return invalid("segment_len is {} but must be 1 to {}, the number of tokens", s.segment_len, s.q_length);
  return {};
}

ParameterSpec memory_count(const char* name, const char* group, const char* help, Index default_value, double minimum,
                           double maximum) {
  return make_parameter(name, group, help,
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = true});
}

/// Queries, keys and values, as in the VQ experiments.
std::vector<ParameterSpec> own_tensors() {
  auto specs = token_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "codebook_tensor"; });
  return specs;
}

}  // namespace

MemoryInput MemoryTokens::input() const {
  const Index length = static_cast<Index>(keys.size()) / d_k;
  return {{queries, 1, length, d_k}, {keys, 1, length, d_k}, {values, 1, length, d_v}};
}

Result<MemorySetting> memory_setting(const ParameterValues& values, bool numbers) {
  MemorySetting setting;
  take_sizes(values, setting);
  if (values.choice("data") == "tensors") {
    auto tokens = read_tokens(values, numbers);
    if (!tokens) return tokens.error();
    setting.tokens = std::move(*tokens);
    setting.d_k = setting.tokens->d_k;
    if (setting.tokens->d_v > 0) setting.d_v = setting.tokens->d_v;
    auto rotation = rotation_of(values, setting.d_k, setting.q_length);
    if (!rotation) return rotation.error();
    setting.rotation = std::move(*rotation);
  }
  if (auto checked = check_length(setting); !checked) return checked.error();
  return setting;
}

double most_memory_bytes() {
  static const double memory = this_machine().memory;
  return memory > 0 ? std::min(most_vq_bytes, memory / 2) : most_vq_bytes;
}

Result<void> check_memory_bytes(const std::string& what, double bytes) {
  if (bytes <= most_memory_bytes()) return {};
  return invalid("{} need {} but must be at most {}", what, byte_count(bytes), byte_count(most_memory_bytes()));
}

Result<void> check_memory(const ParameterValues& values) {
  const auto s = memory_setting(values, false);
  if (!s) return s.error();
  const Index copies = s->rotation ? 4 : 2;
  return check_memory_bytes(fmt::format("q_length {}, d_k {} and d_v {}", s->q_length, s->d_k, s->d_v),
                            4 * static_cast<double>(s->q_length) * static_cast<double>(copies * s->d_k + s->d_v));
}

MemoryTokens memory_tokens(const MemorySetting& s, const std::stop_token& stop) {
  MemoryTokens tokens{.d_k = s.d_k, .d_v = s.d_v};
  if (s.tokens) {
    tokens.queries = first_rows(s.tokens->queries, s.q_length * s.d_k);
    tokens.keys = first_rows(s.tokens->keys, s.q_length * s.d_k);
    tokens.values = first_rows(s.tokens->values, s.q_length * s.d_v);
  } else {
    if (s.clusters > 0)
      tokens.keys = sample_keys({.clusters = s.clusters, .spread = s.spread, .seed = SeededRandom(s.seed).bits() ^ 3U},
                                s.q_length, s.d_k, stop);
    else
      tokens.keys = normal_numbers_of(s.seed, 3, s.q_length * s.d_k, stop);
    tokens.queries = normal_numbers_of(s.seed, 1, s.q_length * s.d_k, stop);
  }
  if (tokens.values.empty()) tokens.values = normal_numbers_of(s.seed, 2, s.q_length * s.d_v, stop);
  if (stop.stop_requested()) return tokens;
  if (!s.tokens) plant_matches(s, tokens);
  if (!s.tokens && s.deviation != 1)
    for (auto* rows : {&tokens.queries, &tokens.keys}) scale_all(*rows, s.deviation);
  for (auto* rows : {&tokens.queries, &tokens.keys}) normalize_some(*rows, s.d_k, s.norm, stop);
  if (!s.rotation) return tokens;
  tokens.unrotated_queries = tokens.queries;
  tokens.unrotated_keys = tokens.keys;
  for (auto* rows : {&tokens.queries, &tokens.keys}) rotate_tokens(*s.rotation, *rows, s.d_k, 0, stop);
  return tokens;
}

std::string memory_remark(const ParameterValues& values, const Work&) {
  const auto setting = memory_setting(values, false);
  if (!setting || !setting->tokens) return {};
  std::vector<std::string> sentences;
  if (setting->rotation) sentences.push_back(rotation_sentence(values) + ".");
  if (!setting->tokens->shown_head.empty()) sentences.push_back(setting->tokens->shown_head + ".");
  if (setting->tokens->d_v == 0) sentences.emplace_back("Values are synthetic: v_tensor is empty.");
  return join(sentences, " ");
}

std::vector<std::string> words_of(const ParameterValues& values) {
  std::vector<std::string> words;
  for (const auto word : split(values.text("words"), ' '))
    if (!trimmed(word).empty()) words.emplace_back(trimmed(word));
  return words;
}

std::string token_text(Index position, const std::vector<std::string>& words) {
  if (position >= static_cast<Index>(words.size())) return to_text(position);
  return fmt::format("{} “{}”", position, shortened(words[static_cast<std::size_t>(position)], 24));
}

std::vector<ParameterSpec> memory_parameters() {
  std::vector<ParameterSpec> specs{
      memory_count("q_length", "Sequence", "Number of tokens T; each has one query and one key.", 1024, 1, 131072),
      memory_count("segment_len", "Sequence", "Number of tokens in a segment. Local attention stays within a segment.",
                   128, 1, 131072),
      make_parameter(
          "data", "Data", "Queries, keys and values of the tokens.",
          {.default_value = std::string("planted"),
           .choices = {{"planted", "synthetic: normal numbers; each query is similar to one key of an earlier segment"},
                       {"tensors", "one head of your own tensors, from files"}}})};
  for (auto& spec : own_tensors()) specs.push_back(std::move(spec));
  specs.push_back(memory_count("d_k", "Data", "Number of dimensions of queries and keys.", 64, 2, 512));
  specs.push_back(memory_count("d_v", "Data", "Number of dimensions of values.", 64, 1, 4096));
  add_parameter(specs, "match_cosine", "Data",
                "Cosine between a query and the key planted for it, before normalisation. 0: independent.",
                {.label = "Match cosine", .default_value = 0.8, .minimum = 0, .maximum = 1});
  for (auto& spec : rotation_parameters("Rotation", {{"data", {"tensors"}}})) specs.push_back(std::move(spec));
  for (const char* name : {"d_k", "d_v", "match_cosine"}) spec_of(specs, name).relevant = {{"data", {"planted"}}};
  specs.push_back(seed_parameter("Data", "Random seed of the synthetic data."));
  specs.push_back(normalize_parameter("paper"));
  specs.back().group = "Data";
  spec_of(specs, "q_length").label = spec_of(specs, "q_length").short_label = "T";
  spec_of(specs, "q_length").role = ParameterRole::shape;
  for (const char* name : {"q_length", "segment_len"}) spec_of(specs, name).unit = "tokens";
  return specs;
}

ParameterSpec words_parameter() {
  return {.name = "words",
          .label = "Words of the tokens",
          .group = "Data",
          .help =
              "The tokens' text in order, separated by spaces; shown with retrieved positions. Empty: positions "
              "only.",
          .kind = ParameterKind::text,
          .default_value = std::string(),
          .in_summary = InSummary::never};
}

}  // namespace vqscope
