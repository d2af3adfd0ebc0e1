// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/gguf/gguf_model.h"

#include "core/base/sentence.h"
#include "core/config/family/family_reading.h"

namespace vqscope {
namespace {

constexpr NumberRange gguf_head_counts{0, head_counts.high};  // 0: a layer that does not attend
constexpr NumberRange gguf_windows{0, key_windows.high};
constexpr Index gguf_assumed_length = 2048;

struct KeptValue {
  ConfigValue& value;

  void operator()(const std::vector<double>& numbers) const {
    ConfigValue::List list;
    for (const double number : numbers) list.emplace_back().data = number;
    value.data = std::move(list);
  }
  void operator()(const GgufLongArray&) const {}
  template <class Scalar>
  void operator()(const Scalar& scalar) const {
    value.data = scalar;
  }
};

ConfigValue value_of(const GgufPair& pair) {
  ConfigValue value;
  value.key = pair.key;
  std::visit(KeptValue{value}, pair.value);
  return value;
}

std::string architecture_of(const ConfigObject& values) {
  return values.text("general.architecture").value_or(std::string());
}

const GgufArchitecture& row_of(const std::string& name, const ConfigObject& values) {
  const bool streams = name == "dflash" && values.integer("dflash.hyper_connection.count", {0, 4096}).value_or(0) > 0;
  return find_gguf_architecture(streams ? name + " deepseek4" : name);
}

}  // namespace

ConfigValue gguf_values(const GgufHead& head) {
  ConfigValue::Object object;
  for (const auto& pair : head.pairs)
    if (!std::holds_alternative<GgufLongArray>(pair.value)) object.members.push_back(value_of(pair));
  ConfigValue value;
  value.data = std::move(object);
  return value;
}

GgufModel::GgufModel(const ByteSource& file, const GgufHead& its_head, const ConfigObject& its_values)
    : source(file),
      head(its_head),
      values(its_values),
      name(architecture_of(its_values)),
      architecture(row_of(name, its_values)) {
  for (const auto& tensor : head.tensors) m_tensors.insert(tensor.name);
  const auto count = integer("block_count", layer_counts);
  layers = count.value_or(0);
  // Layers that predict tokens further ahead come last and have no part in the model's own pass.
  const Index ahead = integer("nextn_predict_layers", layer_numbers).value_or(0);
  const bool absent =
      name == "deepseek4" && !head.find_tensor(fmt::format("blk.{}.nextn.eh_proj.weight", layers - ahead));
  if (ahead < layers && !absent) layers -= ahead;
  if (!count && !has("block_count"))
    values.warning(
        key("block_count"),
        fmt::format("{} is not given: the layers are not known, and llama.cpp refuses the file", key("block_count")));
  const auto length = integer("context_length", lengths);
  trained = length.value_or(gguf_assumed_length);
  if (!length && !has("context_length"))
    values.warning(key("context_length"), fmt::format("{} is not given: {} is assumed, and llama.cpp refuses the file",
                                                      key("context_length"), trained));
  read_sizes();
  read_ratios();
  read_windows();
  read_indexer();
  read_state();
}

/// One number for all layers, or a list with one for each.
std::vector<Index> GgufModel::by_layer(std::string_view rest, Index otherwise) const {
  std::vector<Index> all(static_cast<std::size_t>(layers), otherwise);
  const auto* given = values.value().find(key(rest));
  if (!given || !given->list()) {
    if (const auto one = integer(rest, gguf_head_counts)) std::ranges::fill(all, *one);
    return all;
  }
  const auto list = values.numbers(key(rest), gguf_head_counts);
  if (!list) return all;
  if (list->size() < all.size())
    values.warning(key(rest), fmt::format("{} has {} items but must have one for each of {} layers", key(rest),
                                          list->size(), layers));
  for (std::size_t i = 0; i < std::min(all.size(), list->size()); ++i) all[i] = static_cast<Index>((*list)[i]);
  return all;
}

/// embedding_length / head_count; 0 if they are not given, and with an error if it is not the size
/// of a head.
Index GgufModel::divided_head(Index most) const {
  const auto width = integer("embedding_length", model_widths);
  if (!width || most < 1) return 0;
  if (const auto size = divided_width(*width, most)) return *size;
  values.error(key("embedding_length"),
               fmt::format("{} {} / attention.head_count {} is {}, a head must have {} "
                           "dimensions",
                           key("embedding_length"), *width, most, *width / most, head_sizes.text()));
  return 0;
}

void GgufModel::read_sizes() {
  heads = by_layer("attention.head_count", 0);
  const Index most =
      heads.empty() ? integer("attention.head_count", gguf_head_counts).value_or(0) : std::ranges::max(heads);
  kv_heads = by_layer("attention.head_count_kv", 0);
  if (!has("attention.head_count_kv")) kv_heads = heads;
  head_dim = integer("attention.key_length", head_sizes).value_or(0);
  if (!has("attention.key_length")) head_dim = divided_head(most);
  local_head_dim = integer("attention.key_length_swa", head_sizes).value_or(head_dim);
}

void GgufModel::read_ratios() {
  const std::string path = key("attention.compress_ratios");
  if (!values.has(path)) return;
  if (const auto given = values.numbers(path, compress_ratios))
    for (const double each : *given) m_ratios.push_back(static_cast<Index>(each));
}

void GgufModel::read_indexer() {
  constexpr NumberRange budgets{0, 2147483648.0};
  const auto number = [&](const char* rest) {
    return integer(std::string("attention.indexer.") + rest, budgets).value_or(0);
  };
  indexer = {.topk = number("top_k"),
             .dim = number("key_length"),
             .block = number("block_size"),
             .local_blocks = number("local_blocks")};
  if (indexer.local_blocks > 0) indexer.dense = integer("leading_dense_block_count", layer_numbers).value_or(0);
}

/// Only compressed layers with a small ratio have an indexer.
bool GgufModel::selects(std::size_t layer) const {
  if (indexer.topk == 0) return false;
  return compresses() ? ratio(layer) > 0 && ratio(layer) < 128 : static_cast<Index>(layer) >= indexer.dense;
}

/// As llama.cpp's hparams count them: n_embd_s numbers of the state and n_embd_r of the
/// convolution.
void GgufModel::read_state() {
  constexpr NumberRange sizes{1, 1 << 20}, kernels{1, 64}, groups{0, 1 << 16};
  const Index inner = integer("ssm.inner_size", sizes).value_or(0);
  const Index state = integer("ssm.state_size", sizes).value_or(0);
  const Index kept = integer("ssm.conv_kernel", kernels).value_or(1) - 1;
  const Index kda = integer("kda.head_dim", head_sizes).value_or(0);
  const Index most = heads.empty() ? 0 : std::ranges::max(heads);
  state_numbers = kda > 0 ? most * kda * (kda + 3 * kept)
                          : inner * state + kept * (inner + 2 * integer("ssm.group_count", groups).value_or(0) * state);
}

/// Which layers have a window: a list of the file, or the architecture's pattern, whose period the
/// file may change.
std::vector<bool> GgufModel::pattern() const {
  std::vector<bool> with(static_cast<std::size_t>(layers), false);
  const std::string path = key("attention.sliding_window_pattern");
  const auto* given = values.value().find(path);
  if (!m_ratios.empty()) {
    for (std::size_t i = 0; i < with.size(); ++i) with[i] = ratio(i) == 0;
    return with;
  }
  if (given && given->list()) {
    const auto list = values.numbers(path, {0, 1});
    for (std::size_t i = 0; list && i < std::min(with.size(), list->size()); ++i) with[i] = (*list)[i] != 0;
    return with;
  }
  const auto period = given ? values.integer(path, {0, 4096}) : std::nullopt;
  const auto every = static_cast<std::size_t>(period.value_or(architecture.period));
  for (std::size_t i = 0; i < with.size(); ++i)
    with[i] = every == 0 || (architecture.first_full ? i % every != 0 : i % every < every - 1);
  return with;
}

/// Says that a window of the file is not applied.
void GgufModel::report_window(Index given) const {
  if (given == 0 || given >= trained || !architecture.known()) return;
  const std::string path = key("attention.sliding_window");
  const std::string why =
      architecture.windows == GgufWindows::disabled ? fmt::format("llama.cpp has switched windows off for {}", name)
      : architecture.layers > 0
          ? fmt::format("llama.cpp's code for {} has windows in models of {} layers alone", name, architecture.layers)
          : fmt::format("llama.cpp's code for {} reads no window", name);
  values.warning(path, fmt::format("{} is {}, but {}: every layer attends to all keys, and results beyond the window "
                                   "differ from the original's",
                                   path, given, why));
}

void GgufModel::read_windows() {
  windowed.assign(static_cast<std::size_t>(layers), false);
  const bool stated = has("attention.sliding_window");
  const Index number = integer("attention.sliding_window", gguf_windows).value_or(0);
  const GgufWindows how = architecture.windows;
  const bool of_size = architecture.layers == 0 || architecture.layers == layers;
  if (how == GgufWindows::ignored || how == GgufWindows::disabled || !of_size) return report_window(number);
  const Index size = stated ? number : architecture.window;
  if (architecture.chunk > 0 ? stated && number == 0 : size == 0) return;
  if (architecture.own_window && !stated) return;
  if (how == GgufWindows::given && !has("attention.sliding_window_pattern")) return;
  window = architecture.chunk > 0 ? architecture.chunk : architecture.own_window ? architecture.window : size;
  windowed = pattern();
  if (std::ranges::count(windowed, true) == 0) window = 0;
}

}  // namespace vqscope
