// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_attributes.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr Index longest_layer = Index{1} << 31;
constexpr Index most_numbers = Index{1} << 40;

struct SizeAttribute {
  std::string_view name;
  Index ModelLayer::*member;
  Index most;
};
constexpr std::array sizes{SizeAttribute{"kv_heads", &ModelLayer::num_key_value_heads, 65536},
                           SizeAttribute{"head_dim", &ModelLayer::head_dim, 65536},
                           SizeAttribute{"v_head_dim", &ModelLayer::v_head_dim, 65536},
                           SizeAttribute{"latent", &ModelLayer::latent, Index{1} << 30}};

const std::vector<std::string>& attribute_names() {
  static const std::vector<std::string> all{"nope",        "sink",     "two_sided", "rope",       "positions", "shares",
                                            "temperature", "kv_heads", "head_dim",  "v_head_dim", "latent"};
  return all;
}

Result<Index> number_of(std::string_view name, std::string_view text, Index least, Index most) {
  const auto number = parse_count(text);
  if (!number || *number < least || *number > most)
    return invalid("{} is {}, must be an integer from {} to {}", name, shortened(text), least, most);
  return *number;
}

/// "0.1/8192" or "0.1/8192/1": scale, floor, offset.
Result<QueryTemperature> temperature_of(std::string_view text) {
  const auto parts = split(text, '/');
  const auto scale = parse_real(parts[0]);
  if (!scale || parts.size() < 2 || parts.size() > 3)
    return invalid("temperature is {}, must be scale/floor or scale/floor/offset, as 0.1/8192/1", shortened(text));
  const auto floor = number_of("the floor of temperature", parts[1], 1, longest_layer);
  if (!floor) return floor.error();
  const auto offset = number_of("the offset of temperature", parts.size() == 3 ? parts[2] : "0", 0, longest_layer);
  if (!offset) return offset.error();
  return QueryTemperature{*scale, *floor, *offset};
}

std::string temperature_text(const QueryTemperature& temperature) {
  std::string text = fmt::format("temperature={}/{}", to_text(temperature.scale), temperature.floor);
  return temperature.offset == 0 ? text : text + fmt::format("/{}", temperature.offset);
}

void without_rope(ModelLayer& layer, std::string_view positions) {
  layer.rope = -1;
  layer.positions = positions;
}

Result<void> read_flag(std::string_view name, ModelLayer& layer) {
  if (name == "nope")
    without_rope(layer, "none");
  else if (name == "sink")
    layer.sink = true;
  else if (name == "two_sided")
    layer.two_sided = true;
  else if (std::ranges::count(attribute_names(), name) > 0)
    return invalid("{} has no value, expected {}=…", name, name);
  else
    return invalid("unknown attribute {}{}", shortened(name), did_you_mean(name, attribute_names()));
  return {};
}

Result<void> read_number(std::string_view name, std::string_view value, int& into) {
  const auto number = number_of(name, value, 0, most_layers - 1);
  if (!number) return number.error();
  into = static_cast<int>(*number);
  return {};
}

/// What a layer has beside its kind and its sizes.
std::string marks_text(const ModelLayer& layer) {
  const ModelLayer plain = plain_layer(layer.attention);
  std::string text;
  if (layer.two_sided) text += " two_sided";
  if (layer.rope != plain.rope || (layer.rope < 0 && layer.positions != plain.positions)) {
    if (layer.rope >= 0)
      text += fmt::format(" rope={}", layer.rope);
    else
      text += layer.positions == "none" ? " nope" : " positions=" + layer.positions;
  }
  if (layer.sink) text += " sink";
  if (layer.temperature) text += " " + temperature_text(*layer.temperature);
  if (layer.shares_kv_with >= 0) text += fmt::format(" shares={}", layer.shares_kv_with);
  return text;
}

}  // namespace

bool attends(const ModelLayer& layer) {
  return layer.attention != LayerAttention::state && layer.attention != LayerAttention::none;
}

ModelLayer plain_layer(LayerAttention attention) {
  ModelLayer layer{.attention = attention};
  if (attends(layer)) layer.rope = 0;
  return layer;
}

Result<void> read_layer_attribute(std::string_view text, ModelLayer& layer) {
  const auto equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (equals == std::string_view::npos) return read_flag(name, layer);
  const std::string_view value = text.substr(equals + 1);
  for (const SizeAttribute& size : sizes)
    if (name == size.name) {
      const auto number = number_of(name, value, 0, size.most);
      if (!number) return number.error();
      layer.*size.member = *number;
      return {};
    }
  if (name == "rope") return read_number(name, value, layer.rope);
  if (name == "shares") return read_number(name, value, layer.shares_kv_with);
  if (name == "positions") return without_rope(layer, value), Result<void>();
  if (name != "temperature")
    return invalid("unknown attribute {}{}", shortened(name), did_you_mean(name, attribute_names()));
  const auto temperature = temperature_of(value);
  if (!temperature) return temperature.error();
  layer.temperature = *temperature;
  return {};
}

Result<ModelLayer> read_layer_kind(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<std::string> names;
  for (const auto kind : {LayerAttention::full, LayerAttention::sliding, LayerAttention::chunked, LayerAttention::state,
                          LayerAttention::none}) {
    names.push_back(name_of(kind));
    if (names.back() != name) continue;
    ModelLayer layer = plain_layer(kind);
    const bool windowed = kind == LayerAttention::sliding || kind == LayerAttention::chunked;
    if (colon == std::string_view::npos) {
      if (windowed) return invalid("{} has no size, expected {}:TOKENS", name, name);
      return layer;
    }
    if (!windowed && kind != LayerAttention::state) return invalid("{} takes no size", name);
    const auto size = number_of(fmt::format("the size of {}", name), text.substr(colon + 1), windowed ? 1 : 0,
                                windowed ? longest_layer : most_numbers);
    if (!size) return size.error();
    (windowed ? layer.window : layer.state_numbers) = *size;
    return layer;
  }
  return invalid("unknown kind {}{} (full, sliding:N, chunked:N, state, none)", shortened(name),
                 did_you_mean(name, names));
}

std::string sizes_text(const ModelLayer& layer, const ModelLayer& usual) {
  std::string text;
  for (const SizeAttribute& size : sizes)
    if (layer.*size.member != usual.*size.member) text += fmt::format(" {}={}", size.name, layer.*size.member);
  return text;
}

std::string layer_text(const ModelLayer& layer, const ModelLayer& usual) {
  std::string text = name_of(layer.attention);
  if (layer.window > 0) text += fmt::format(":{}", layer.window);
  if (layer.attention == LayerAttention::state && layer.state_numbers > 0)
    text += fmt::format(":{}", layer.state_numbers);
  return text + marks_text(layer) + sizes_text(layer, attends(layer) ? usual : ModelLayer{});
}

}  // namespace vqscope
