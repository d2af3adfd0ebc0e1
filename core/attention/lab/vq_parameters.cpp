// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/vq_parameters.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

ParameterSpec count(const char* name, const char* group, const char* help, Index fallback, double minimum,
                    double maximum) {
  return {.name = name,
          .group = group,
          .help = help,
          .fallback = fallback,
          .minimum = minimum,
          .maximum = maximum,
          .logarithmic = true};
}

std::vector<ParameterSpec> size_parameters() {
  const char* group = "VQ attention";
  std::vector<ParameterSpec> specs{
      count("q_length", "Sequence", "Tokens, each with a query and a key: T.", 512, 1, 65536),
      count("n_code", group, "Codewords that keys are replaced by: S.", 64, 1, 4096),
      count("block_len", group, "Tokens of a block: L.", 128, 1, 65536),
      count("d_k", group, "Dimensions of queries and keys.", 64, 2, 512),
      count("d_v", group, "Dimensions of values.", 64, 1, 512),
      {.name = "normalize",
       .group = group,
       .help =
           "Queries and keys go through LayerNorm without gain and bias, and are divided by the fourth root of d_k.",
       .kind = ParameterKind::boolean,
       .fallback = true}};
  specs[0].role = ParameterRole::shape;
  specs[0].unit = specs[2].unit = "tokens";
  return specs;
}

std::vector<ParameterSpec> data_parameters() {
  const char* group = "Data";
  std::vector<ParameterSpec> specs{
      {.name = "data",
       .group = group,
       .help = "What keys are like. It decides what a codebook can do; queries and values are independent always.",
       .kind = ParameterKind::choice,
       .fallback = std::string("clustered"),
       .choices = {{"clustered", "around centres: what a codebook can compress"},
                   {"independent", "normal numbers: the loss falls like n_code^(-2/d_k) and no faster"}}},
      count("clusters", group, "Centres of the keys, drawn from normal numbers.", 64, 1, 4096),
      {.name = "spread",
       .group = group,
       .help = "Deviation of keys around their centre; that of the centres is 1.",
       .kind = ParameterKind::real,
       .fallback = 0.3,
       .minimum = 0,
       .maximum = 10},
      {.name = "seed",
       .group = group,
       .help = "Decides all that is drawn: no trained model's numbers.",
       .fallback = Index{0},
       .minimum = 0,
       .maximum = 9007199254740992.0}};
  specs[1].relevant = specs[2].relevant = {{"data", {"clustered"}}};
  return specs;
}

std::vector<ParameterSpec> codebook_parameters() {
  const char* group = "Codebook";
  std::vector<ParameterSpec> specs{count("train_keys", group,
                                         "Keys that codewords are learnt from: others than those they are used on. Too "
                                         "few for many codewords are learnt "
                                         "by heart.",
                                         2048, 1, 65536),
                                   count("steps", group, "Steps of learning, of 512 keys each.", 50, 0, 10000),
                                   {.name = "gamma",
                                    .label = "γ",
                                    .group = group,
                                    .help = "How much of counts and sums stays at each step.",
                                    .kind = ParameterKind::real,
                                    .fallback = 0.99,
                                    .minimum = 0,
                                    .maximum = 0.9999}};
  specs[1].logarithmic = false;  // it may be 0
  return specs;
}

}  // namespace

std::vector<ParameterSpec> vq_parameters(std::initializer_list<std::string_view> without) {
  std::vector<ParameterSpec> specs = size_parameters();
  for (auto& spec : data_parameters()) specs.push_back(std::move(spec));
  for (auto& spec : codebook_parameters()) specs.push_back(std::move(spec));
  std::erase_if(specs, [&](const ParameterSpec& spec) { return std::ranges::count(without, spec.name) > 0; });
  return specs;
}

ParameterSpec& spec_of(std::vector<ParameterSpec>& specs, std::string_view name) {
  const auto it = std::ranges::find(specs, name, &ParameterSpec::name);
  assert(it != specs.end());
  return *it;
}

VqSetting vq_setting(const ParameterValues& values) {
  VqSetting s;
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
  if (values.find("normalize")) s.normalize = values.boolean("normalize");
  if (values.find("gamma")) s.gamma = values.real("gamma");
  s.keys.kind = values.choice("data") == "clustered" ? KeyKind::clustered : KeyKind::independent;
  s.keys.spread = values.real("spread");
  s.keys.seed = static_cast<std::uint64_t>(values.integer("seed"));
  return s;
}

ParameterSpec n_code_max_parameter() {
  return count("n_code_max", "VQ attention", "The greatest codebook; the others have 1, 2, 4, ... codewords.", 256, 1,
               4096);
}

ParameterSpec length_max_parameter() {
  auto spec =
      count("length_max", "Sequence", "Tokens of the longest sequence; the others have powers of two.", 4096, 1, 65536);
  spec.role = ParameterRole::shape;
  spec.unit = "tokens";
  return spec;
}

Result<void> check_vq(const ParameterValues& values) {
  return check_vq_setting(vq_setting(values), values.find("length_max") ? "length_max" : "q_length",
                          values.find("n_code_max") ? "n_code_max" : "n_code");
}

Result<void> check_vq_setting(const VqSetting& s, const std::string& length, const std::string& codes) {
  if (s.n_code > s.train_keys)
    return invalid(codes + " is " + to_text(s.n_code) + ", must be at most train_keys = " + to_text(s.train_keys) +
                   ": as many keys at least are needed to learn codewords from");
  // At most 2^20 tokens of 2^11 numbers, and 2^16 keys of 2^9.
  const double bytes = 4 * static_cast<double>(s.q_length * (3 * s.d_k + s.d_v) + s.train_keys * s.d_k);
  if (bytes <= most_vq_bytes) return {};
  return invalid(length + " " + to_text(s.q_length) + ", train_keys " + to_text(s.train_keys) + ", d_k " +
                 to_text(s.d_k) + " and d_v " + to_text(s.d_v) + " need " + byte_count(bytes) +
                 " for queries, keys and values, must be at most " + byte_count(most_vq_bytes));
}

Citation vq_citation(const std::string& place) {
  return {"Lingle 2023, Transformer-VQ, " + place, "transformer-vq/transformer_vq, nn/vq.py and nn/attn.py"};
}

}  // namespace vqscope
