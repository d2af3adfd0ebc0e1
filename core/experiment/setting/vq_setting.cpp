// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_setting.h"

#include "core/base/sentence.h"
#include "core/encoding/own/own_rotation.h"
#include "core/experiment/study/model_tokens.h"
#include "core/method/qkv/tensor_lengths.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

void read_sizes(const ParameterValues& values, VqSetting& s) {
  const std::pair<const char*, Index*> integers[] = {{"q_length", &s.q_length},
                                                     {"n_code", &s.n_code},
                                                     {"block_len", &s.block_len},
                                                     {"d_k", &s.d_k},
                                                     {"d_v", &s.d_v},
                                                     {"clusters", &s.keys.clusters},
                                                     {"steps", &s.steps},
                                                     {"train_keys", &s.train_keys},
                                                     {"n_code_max", &s.n_code},
                                                     {"length_max", &s.q_length}};
  for (const auto& [name, to] : integers)
    if (values.find(name)) *to = values.integer(name);
  if (values.find("normalize")) s.norm = norm_of(values);
  if (values.find("gamma")) s.gamma = values.real("gamma");
  s.keys.kind = values.choice("data") == "clustered" ? KeyKind::clustered : KeyKind::independent;
  s.keys.spread = values.real("spread");
  s.keys.seed = static_cast<std::uint64_t>(values.integer("seed"));
}

/// Tokens of a model without its codebook, when one is to be learnt from its keys.
Result<std::shared_ptr<const VqTokens>> keys_of_model(const ParameterValues& values, bool numbers, const VqSetting& s,
                                                      const Work& work) {
  const auto tokens = model_tokens(values, VqSetting{}.n_code, s.q_length + s.train_keys, numbers, work);
  if (!tokens) return tokens.error();
  auto keys = std::make_shared<VqTokens>(**tokens);
  keys->n_code = 0;
  keys->codewords.clear();
  return std::shared_ptr<const VqTokens>(std::move(keys));
}

Result<std::shared_ptr<const VqTokens>> given_tokens(const ParameterValues& values, bool numbers, const VqSetting& s,
                                                     const Work& work) {
  if (values.choice("data") == "tensors") return read_tokens(values, numbers);
  return values.find("codebook_tensor") ? model_tokens(values, s.n_code, s.q_length, numbers, work)
                                        : keys_of_model(values, numbers, s, work);
}

Result<void> take_tokens(const ParameterValues& values, bool numbers, const Work& work, VqSetting& s) {
  if (values.choice("data") != "tensors" && values.choice("data") != "model") return {};
  auto tokens = given_tokens(values, numbers, s, work);
  if (!tokens) return tokens.error();
  s.tokens = std::move(*tokens);
  s.d_k = s.tokens->d_k;
  if (s.tokens->d_v > 0) s.d_v = s.tokens->d_v;
  if (s.tokens->n_code > 0) s.n_code = s.tokens->n_code;
  if (values.choice("data") == "model") s.norm = QueryKeyNorm::none;  // the model has already normalised them
  if (values.choice("data") == "tensors") s.batch = batch_for_tensors;
  return {};
}

/// A model's keys have its own encoding.
Result<void> take_rotation(const ParameterValues& values, VqSetting& s) {
  if (values.choice("data") == "model") return {};
  auto rotation = rotation_of(values, s.d_k, s.q_length);
  if (!rotation) return rotation.error();
  s.rotation = std::move(*rotation);
  s.order = rotation_order_of(values);
  return {};
}

Result<VqSetting> read_setting(const ParameterValues& values, bool numbers, const Work& work = {}) {
  VqSetting setting;
  read_sizes(values, setting);
  if (auto done = take_tokens(values, numbers, work, setting); !done) return done.error();
  if (auto done = take_rotation(values, setting); !done) return done.error();
  return setting;
}

/// Tensors with heads decide how many heads there are, of which a bias takes `head`.
ParameterValues values_of_bias(const ParameterValues& values, const VqSetting& setting) {
  ParameterValues own = values;
  if (setting.tokens && setting.tokens->heads > 0 && values.find("num_heads"))
    own.set("num_heads", setting.tokens->heads);
  return own;
}

Result<void> take_bias(const ParameterValues& values, const Work& work, VqSetting& setting) {
  if (!values.find("bias")) return {};
  auto bias = ChosenBias::make(values_of_bias(values, setting), bias_shape(setting), work);
  if (!bias) return bias.error();
  if (!bias->none()) setting.bias = std::make_shared<const ChosenBias>(std::move(*bias));
  return {};
}

/// Refuses scores that are too large for float32.
Result<void> check_scores(const VqSetting& s) {
  const auto largest = [](const std::vector<float>& numbers) {
    double most = 0;
    for (const float x : numbers) most = std::max(most, std::abs(static_cast<double>(x)));
    return most;
  };
  if (s.norm != QueryKeyNorm::none && s.norm != QueryKeyNorm::scale) return {};
  const double most = static_cast<double>(s.d_k) * largest(s.tokens->queries) * largest(s.tokens->keys);
  if (most < 1e30) return {};
  return invalid("q_tensor and k_tensor give scores up to about " + to_text(most, 3) +
                 ", which is too large for float32; normalize = paper brings them near 1");
}

/// Refuses more tokens than the tensors have, and fewer keys than codewords to learn.
Result<void> check_tokens(const VqSetting& s, const std::string& length, const std::string& codes) {
  const Index given = s.tokens->length;
  if (s.q_length > given)
    return invalid("{} is {} but must be at most {}, the tokens of k_tensor", length, s.q_length, given);
  if (const Index keys = training_keys(s).size(); s.tokens->n_code == 0 && s.n_code > keys)
    return invalid("{} is {} but must be at most {}, the keys that codewords are learnt from", codes, s.n_code, keys);
  return {};
}

}  // namespace

Result<VqSetting> vq_setting(const ParameterValues& values, const Work& work) {
  auto setting = read_setting(values, true, work);
  if (!setting) return setting;
  // The file may have changed since its sizes were checked.
  if (setting->tokens)
    for (const auto& checked : {check_tokens(*setting, "q_length", "n_code"), check_scores(*setting)})
      if (!checked) return checked.error();
  if (auto taken = take_bias(values, work, *setting); !taken) return taken.error();
  return setting;
}

VqSetting drawn_vq_setting(const ParameterValues& values) {
  VqSetting setting;
  read_sizes(values, setting);
  return setting;
}

VqSetting timed_setting(const ParameterValues& values) {
  VqSetting setting = drawn_vq_setting(values);
  setting.train_keys = setting.n_code;
  return setting;
}

Result<VqSetting> vq_sizes(const ParameterValues& values) { return read_setting(values, false); }

Range training_keys(const VqSetting& setting) {
  if (!setting.tokens) return {0, setting.train_keys};
  const Index given = setting.tokens->length;
  const Range behind{setting.q_length, std::min(given, setting.q_length + setting.train_keys)};
  return behind.size() >= setting.n_code ? behind : Range{0, std::min(given, setting.train_keys)};
}

Result<void> check_vq(const ParameterValues& values) {
  const auto sizes = vq_sizes(values);
  if (!sizes) return sizes.error();
  if (values.find("bias"))
    if (auto checked = ChosenBias::check(values_of_bias(values, *sizes), bias_shape(*sizes)); !checked) return checked;
  return check_vq_setting(*sizes, values.find("length_max") ? "length_max" : "q_length",
                          values.find("n_code_max") ? "n_code_max" : "n_code");
}

Result<void> check_vq_setting(const VqSetting& s, const std::string& length, const std::string& codes) {
  if (s.tokens)
    if (auto checked = check_tokens(s, length, codes); !checked) return checked;
  if (!s.tokens && s.n_code > s.train_keys)
    return invalid("{} is {} but must be at most train_keys = {}, the number of keys to learn codewords from", codes,
                   s.n_code, s.train_keys);
  // Each number is at most 2^26, so the product fits in 64 bits.
  const double bytes = 4 * static_cast<double>(s.q_length * (3 * s.d_k + s.d_v) + s.train_keys * s.d_k);
  if (bytes <= most_vq_bytes) return {};
  return invalid("{} {}, train_keys {}, d_k {} and d_v {} need {} for queries, keys and values but must be at most {}",
                 length, s.q_length, s.train_keys, s.d_k, s.d_v, byte_count(bytes), byte_count(most_vq_bytes));
}

SettingKey key_of(const ParameterValues& values, const VqSetting& setting,
                  std::initializer_list<std::string_view> shown) {
  ParameterValues key;
  for (const auto& [name, value] : values.map())
    if (std::ranges::count(shown, std::string_view(name)) == 0) key.set(name, value);
  return {std::move(key), setting.tokens.get()};
}

std::string setting_remark(const ParameterValues& values, const Work& work, bool says_head) {
  auto sizes = vq_sizes(values);
  if (!sizes || !take_bias(values, work, *sizes)) return {};
  std::string remark;
  const auto add = [&](const std::string& sentence) { remark += (remark.empty() ? "" : " ") + sentence; };
  if (sizes->bias)
    add(fmt::format("Linear form with block_len {}: {}.", sizes->block_len, sizes->bias->hypothesis().sentence));
  if (sizes->rotation) {
    const std::string order = rotation_order_sentence(sizes->order, sizes->block_len);
    add(rotation_sentence(values) + (values.find("bias") ? "; " + order : "") + ".");
  }
  if (!sizes->tokens) return remark;
  const VqTokens& tokens = *sizes->tokens;
  if (says_head && tokens.heads > 1) add(fmt::format("Shown is head {} of {}.", tokens.head, tokens.heads));
  if (!tokens.layout.empty()) add(tokens.layout + ".");
  if (tokens.n_code == 0 && training_keys(*sizes).begin == 0)
    add("The codewords are learnt from the keys that they replace; keys that they have not seen are farther from "
        "them.");
  if (values.find("v_tensor") && tokens.d_v == 0) add("No file gives values: random ones are taken.");
  return remark;
}

}  // namespace vqscope
