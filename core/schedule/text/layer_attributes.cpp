// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_texts.h"

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

/// How a sparse or compressed layer reads its keys. The number after the kind's name is not among
/// them.
constexpr std::array selection{SizeAttribute{"window", &ModelLayer::window, longest_layer},
                               SizeAttribute{"topk", &ModelLayer::topk, longest_layer},
                               SizeAttribute{"block", &ModelLayer::topk_block, longest_layer},
                               SizeAttribute{"index_dim", &ModelLayer::index_dim, 65536},
                               SizeAttribute{"index_pool", &ModelLayer::index_pool, longest_layer}};

const std::vector<std::string>& attribute_names() {
  static const std::vector<std::string> all{
      "nope",       "sink",   "two_sided", "rope", "positions", "shares",    "temperature", "kv_heads",   "head_dim",
      "v_head_dim", "latent", "window",    "topk", "block",     "index_dim", "index_pool",  "index_pairs"};
  return all;
}

bool is_selective(const ModelLayer& layer) {
  return layer.attention == LayerAttention::sparse || layer.attention == LayerAttention::compressed;
}

/// The number after the name of a kind, with what it is and its range; null: the kind takes none.
struct KindSize {
  Index ModelLayer::*member = nullptr;
  const char* unit = "";
  Index least = 0;
  Index most = 0;
  bool required = false;
};

KindSize size_of(LayerAttention kind) {
  switch (kind) {
    case LayerAttention::sliding:
    case LayerAttention::chunked: return {&ModelLayer::window, "TOKENS", 1, longest_layer, true};
    case LayerAttention::compressed: return {&ModelLayer::compress_ratio, "RATIO", 1, longest_layer, true};
    case LayerAttention::sparse: return {&ModelLayer::topk, "KEYS", 1, longest_layer, false};
    case LayerAttention::state: return {&ModelLayer::state_numbers, "NUMBERS", 0, most_numbers, false};
    case LayerAttention::full:
    case LayerAttention::none: break;
  }
  return {};
}

Result<Index> number_of(std::string_view name, std::string_view text, Index least, Index most) {
  const auto number = parse_count(text);
  if (!number || *number < least || *number > most)
    return invalid("{} is {} but must be an integer from {} to {}", name, shortened(text), least, most);
  return *number;
}

/// "0.1/8192" or "0.1/8192/1": scale, floor, offset.
Result<QueryTemperature> temperature_of(std::string_view text) {
  const auto parts = split(text, '/');
  const auto scale = parse_real(parts[0]);
  if (!scale || parts.size() < 2 || parts.size() > 3)
    return invalid("temperature is {} but must be scale/floor or scale/floor/offset, as 0.1/8192/1", shortened(text));
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

/// Attributes of a layer besides its kind and its sizes.
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
  if (!is_selective(layer)) return text;
  for (const SizeAttribute& each : selection)
    if (layer.*each.member != 0 && each.member != size_of(layer.attention).member)
      text += fmt::format(" {}={}", each.name, layer.*each.member);
  if (layer.index_pairs) text += fmt::format(" index_pairs={}", name_of(*layer.index_pairs));
  return text;
}

/// Attributes that a layer of another kind does not have.
Result<bool> read_selection(std::string_view name, std::string_view value, ModelLayer& layer) {
  const auto* found = std::ranges::find(selection, name, &SizeAttribute::name);
  const bool pairs = name == "index_pairs";
  if (found == selection.end() && !pairs) return false;
  if (!is_selective(layer)) return invalid("{} is an attribute of sparse and compressed layers", name);
  if (pairs) {
    const PairLayout layout = pair_layout_of(value);
    if (value != name_of(layout)) return invalid("unknown index_pairs {}", shortened(value));
    layer.index_pairs = layout;
    return true;
  }
  const auto number = number_of(name, value, 0, found->most);
  if (!number) return number.error();
  layer.*found->member = *number;
  return true;
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
  if (const auto read = read_selection(name, value, layer); !read || *read) return read ? Result<void>() : read.error();
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
  if (text == "mask") {
    ModelLayer layer = plain_layer(LayerAttention::full);
    layer.own_mask = true;
    return layer;
  }
  std::vector<std::string> names;
  for (const auto kind :
       {LayerAttention::full, LayerAttention::sliding, LayerAttention::chunked, LayerAttention::sparse,
        LayerAttention::compressed, LayerAttention::state, LayerAttention::none}) {
    names.push_back(name_of(kind));
    if (names.back() != name) continue;
    ModelLayer layer = plain_layer(kind);
    const KindSize size = size_of(kind);
    if (colon == std::string_view::npos) {
      if (size.required) return invalid("{} has no size, expected {}:{}", name, name, size.unit);
      return layer;
    }
    if (!size.member) return invalid("{} takes no size", name);
    const auto number = number_of(fmt::format("the size of {}", name), text.substr(colon + 1), size.least, size.most);
    if (!number) return number.error();
    layer.*size.member = *number;
    return layer;
  }
  return invalid("unknown kind {}{} (full, sliding:N, chunked:N, sparse:N, compressed:N, state, none)", shortened(name),
                 did_you_mean(name, names));
}

std::string sizes_text(const ModelLayer& layer, const ModelLayer& usual) {
  std::string text;
  for (const SizeAttribute& size : sizes)
    if (layer.*size.member != usual.*size.member) text += fmt::format(" {}={}", size.name, layer.*size.member);
  return text;
}

std::string kind_text(const ModelLayer& layer) {
  const KindSize size = size_of(layer.attention);
  const std::string name = layer.own_mask ? "mask" : name_of(layer.attention);
  return size.member && layer.*size.member > 0 ? fmt::format("{}:{}", name, layer.*size.member) : name;
}

std::string layer_text(const ModelLayer& layer, const ModelLayer& usual) {
  return kind_text(layer) + marks_text(layer) + sizes_text(layer, attends(layer) ? usual : ModelLayer{});
}

}  // namespace vqscope
