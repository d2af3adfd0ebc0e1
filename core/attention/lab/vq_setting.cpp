// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/vq_setting.h"

#include "core/base/text.h"

#include <algorithm>

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

Result<void> read_tensors(const ParameterValues& values, bool numbers, VqSetting& s) {
  if (values.choice("data") != "tensors") return {};
  auto tokens = read_tokens(values, numbers);
  if (!tokens) return tokens.error();
  s.tokens = std::move(*tokens);
  s.d_k = s.tokens->d_k;
  if (s.tokens->d_v > 0) s.d_v = s.tokens->d_v;
  if (s.tokens->n_code > 0) s.n_code = s.tokens->n_code;
  return {};
}

Result<VqSetting> read(const ParameterValues& values, bool numbers) {
  VqSetting setting;
  read_sizes(values, setting);
  if (auto done = read_tensors(values, numbers, setting); !done) return done.error();
  if (!values.find("bias")) return setting;
  auto bias = ChosenBias::make(values, {.length = setting.q_length, .window = setting.block_len, .d_k = setting.d_k});
  if (!bias) return bias.error();
  if (!bias->none()) setting.bias = std::make_shared<const ChosenBias>(std::move(*bias));
  return setting;
}

/// More tokens than the tensors have, and fewer keys than codewords to learn.
Result<void> check_tokens(const VqSetting& s, const std::string& length, const std::string& codes) {
  const Index given = s.tokens->length;
  if (s.q_length > given)
    return invalid(length + " is " + to_text(s.q_length) + ", must be at most " + to_text(given) +
                   ", the tokens of k_tensor");
  if (const Index keys = training_keys(s).size(); s.tokens->n_code == 0 && s.n_code > keys)
    return invalid(codes + " is " + to_text(s.n_code) + ", must be at most " + to_text(keys) +
                   ", the keys that codewords are learnt from");
  return {};
}

}  // namespace

Result<VqSetting> vq_setting(const ParameterValues& values) {
  auto setting = read(values, true);
  // The file may have changed since its sizes were checked.
  if (setting && setting->tokens)
    if (auto checked = check_tokens(*setting, "q_length", "n_code"); !checked) return checked.error();
  return setting;
}

VqSetting drawn_vq_setting(const ParameterValues& values) {
  VqSetting setting;
  read_sizes(values, setting);
  return setting;
}

Result<VqSetting> vq_sizes(const ParameterValues& values) { return read(values, false); }

Range training_keys(const VqSetting& setting) {
  if (!setting.tokens) return {0, setting.train_keys};
  const Index given = setting.tokens->length;
  if (setting.q_length + setting.train_keys <= given) return {setting.q_length, setting.q_length + setting.train_keys};
  return {0, std::min(given, setting.train_keys)};
}

Result<void> check_vq(const ParameterValues& values) {
  const auto sizes = vq_sizes(values);
  if (!sizes) return sizes.error();
  return check_vq_setting(*sizes, values.find("length_max") ? "length_max" : "q_length",
                          values.find("n_code_max") ? "n_code_max" : "n_code");
}

Result<void> check_vq_setting(const VqSetting& s, const std::string& length, const std::string& codes) {
  if (s.tokens)
    if (auto checked = check_tokens(s, length, codes); !checked) return checked;
  if (!s.tokens && s.n_code > s.train_keys)
    return invalid(codes + " is " + to_text(s.n_code) + ", must be at most train_keys = " + to_text(s.train_keys) +
                   ": as many keys at least are needed to learn codewords from");
  // At most 2^20 tokens of 2^11 numbers, and 2^16 keys of 2^9.
  const double bytes = 4 * static_cast<double>(s.q_length * (3 * s.d_k + s.d_v) + s.train_keys * s.d_k);
  if (bytes <= most_vq_bytes) return {};
  return invalid(length + " " + to_text(s.q_length) + ", train_keys " + to_text(s.train_keys) + ", d_k " +
                 to_text(s.d_k) + " and d_v " + to_text(s.d_v) + " need " + byte_count(bytes) +
                 " for queries, keys and values, must be at most " + byte_count(most_vq_bytes));
}

std::string linear_form_remark(const ParameterValues& values) {
  const auto sizes = vq_sizes(values);
  if (!sizes || !sizes->bias) return {};
  return "Linear form with block_len " + to_text(sizes->block_len) + ": " + sizes->bias->hypothesis().sentence + ".";
}

}  // namespace vqscope
