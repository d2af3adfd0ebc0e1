// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/config_length.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr NumberRange ratios{0, 1e6, true};

/// Objects that contain theta in some configs, with its key there.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> theta_objects{
    {{"attn_config", "rope_theta"}, {"rotary", "base"}}};

/// From a list with one value per layer: that of `layer`, or the last one.
std::optional<double> listed_theta(const ConfigObject& config, const std::string& key, const ConfigValue::List& list,
                                   Index layer) {
  const std::string path = config.path_of(key);
  const auto item = static_cast<std::size_t>(std::min<Index>(layer, std::ssize(list) - 1));
  const auto theta = list[item].number();
  if (!theta || !thetas.holds(*theta)) {
    config.error(
        key, fmt::format("item {} of {} is {}, must be a number {}", item, path, list[item].shown(), thetas.text()));
    return std::nullopt;
  }
  config.note(key, fmt::format("{} is a list with one value per layer: that of layer {} is used", path, item));
  return theta;
}

}  // namespace

std::string length_key(const ConfigObject& config, const ModelFamily& family) {
  const std::string own(family.positions_key);
  const std::string usual =
      config.first_of({"max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length",
                       "max_context_length", "model_max_length", "max_seq_length", "max_seqlen", "n_ctx"});
  return !own.empty() && (config.has(own) || !config.has(usual)) ? own : usual;
}

ConfigTheta read_config_theta(const ConfigObject& config, const std::string& key, Index layer) {
  ConfigTheta theta{key, {}, 1};
  if (key != "rope_theta") {
    const auto* own = config.take(key);
    const bool listed = own && own->list() && !own->list()->empty();
    theta.value = listed ? listed_theta(config, key, *own->list(), layer) : config.number(key, thetas);
    return theta;
  }
  theta.key = config.first_of(
      {"rope_theta", "rotary_emb_base", "rope_base", "rotary_base", "rope_freq_constant", "rope_embedding_base"});
  const auto* given = config.take(theta.key);
  if (given && given->list() && !given->list()->empty()) {
    theta.value = listed_theta(config, theta.key, *given->list(), layer);
  } else {
    theta.value = config.number(theta.key, thetas);
  }
  if (config.has("rope_ratio")) theta.ratio = config.number("rope_ratio", ratios).value_or(1);
  for (const auto& [object, inside] : theta_objects) {
    const auto* inner = given ? nullptr : config.value().find(object);
    if (!inner || !inner->object() || !inner->find(inside)) continue;
    config.take(object);
    const ConfigObject nested(*inner, config.path_of(object), config.ledger());
    theta.value = nested.number(inside, thetas);
  }
  return theta;
}

}  // namespace vqscope
