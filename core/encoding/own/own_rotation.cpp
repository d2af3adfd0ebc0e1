// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/own_rotation.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

const std::string no_rotation = "none";

/// Whether the values have a rotation; those of some methods have no parameters of it.
bool is_rotated(const ParameterValues& values) {
  const auto* type = values.find("rope_type");
  return type && std::get<std::string>(*type) != no_rotation;
}

std::vector<std::string> type_ids() {
  std::vector<std::string> ids;
  for (const RopeType& type : rope_types()) ids.push_back(type.id);
  return ids;
}

}  // namespace

std::vector<ParameterSpec> rotation_parameters(const std::string& group, const std::vector<Relevance>& relevant) {
  std::vector<ParameterSpec> specs = rope_scaling_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "head_dim" || spec.name == "precision"; });
  specs.push_back(pair_layout_parameter());
  for (auto& spec : specs) {
    spec.group = group;
    if (spec.name == "rope_type") {
      spec.help = "RoPE that rotates q and k at positions 0, 1, … before they are compared.";
      spec.choices.insert(spec.choices.begin(), Choice{no_rotation, "q and k as they are"});
      spec.default_value = no_rotation;
      spec.in_summary = InSummary::if_changed;
    } else if (std::ranges::count(spec.relevant, "rope_type", &Relevance::name) == 0) {
      spec.relevant.push_back({"rope_type", type_ids()});
    }
    spec.relevant.insert(spec.relevant.end(), relevant.begin(), relevant.end());
  }
  return specs;
}

Result<std::shared_ptr<const Rotation>> rotation_of(const ParameterValues& values, Index dims, Index length) {
  if (!is_rotated(values)) return std::shared_ptr<const Rotation>();
  if (dims % 2 != 0) return invalid("q and k have {} dimensions but must be even to be rotated", dims);
  ParameterValues of_head = values;
  of_head.set("head_dim", dims);
  of_head.set("q_length", length);
  of_head.set("past_len", Index{0});
  of_head.set("precision", std::string("exact"));
  const RopeScaling scaling = rope_scaling_from(of_head);
  if (auto checked = scaling.check(); !checked) return checked.error();
  return std::make_shared<const Rotation>(scaling, pair_layout_of(values.choice("pair_layout")));
}

void rotate_tokens(const Rotation& rotation, std::span<float> rows, Index width, Index first,
                   const std::stop_token& stop) {
  const auto size = static_cast<std::size_t>(width);
  std::vector<double> from(size), to(size);
  for (std::size_t token = 0; token * size < rows.size() && !stop.stop_requested(); ++token) {
    const std::span<float> row = rows.subspan(token * size, size);
    std::ranges::copy(row, from.begin());
    rotation.apply(from, first + static_cast<Index>(token), to);
    for (std::size_t i = 0; i < size; ++i) row[i] = static_cast<float>(to[i]);
  }
}

std::string rotation_sentence(const ParameterValues& values) {
  if (!is_rotated(values)) return {};
  return fmt::format("q and k are rotated by RoPE: {}, rope_theta {}", values.choice("rope_type"),
                     plain_text(values.real("rope_theta")));
}

}  // namespace vqscope
