// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/schedule/text/layer_texts.h"

#include <algorithm>
#include <span>
#include <vector>

namespace vqscope {
namespace {

using Layers = std::vector<ModelLayer>;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const auto word : split(text, ' '))
    if (!trimmed(word).empty()) words.push_back(trimmed(word));
  return words;
}

Error too_many_layers() { return invalid("layers has more than {} layers", most_layers); }

/// Items separated by commas, with counts and groups: recursive descent over the first section.
class LayerList {
 public:
  LayerList(std::string_view text, const ModelLayer& usual) : m_text(text), m_usual(usual) {}

  Result<Layers> read() {
    auto layers = list(0);
    if (layers && m_at < m_text.size())
      return invalid("layers, character {}: unexpected {}", m_at + 1, shortened(m_text.substr(m_at, 1)));
    return layers;
  }

 private:
  static constexpr int deepest = 8;

  Result<Layers> list(int depth) {
    if (depth > deepest) return invalid("layers has groups more than {} deep", deepest);
    Layers all;
    do {
      const auto item = repeated(depth);
      if (!item) return item.error();
      if (all.size() + item->size() > most_layers) return too_many_layers();
      all.insert(all.end(), item->begin(), item->end());
    } while (take(','));
    return all;
  }

  /// "5*item", "2*(list)" or an item.
  Result<Layers> repeated(int depth) {
    ++m_item;
    const std::size_t begin = m_at;
    const auto star = m_text.find('*', m_at);
    Index times = 1;
    if (star != std::string_view::npos && star < m_text.find_first_of(",()", m_at)) {
      const auto text = trimmed(m_text.substr(m_at, star - m_at));
      const auto count = parse_count(text);
      if (!count || *count < 1 || *count > most_layers)
        return invalid("layers, item {}: {} times but must be an integer from 1 to {}", m_item, shortened(text),
                       most_layers);
      times = *count;
      m_at = star + 1;
    }
    auto once = group_or_layer(depth, begin);
    if (!once) return once;
    if (static_cast<Index>(once->size()) * times > most_layers) return too_many_layers();
    Layers all;
    for (Index i = 0; i < times; ++i) all.insert(all.end(), once->begin(), once->end());
    return all;
  }

  Result<Layers> group_or_layer(int depth, std::size_t begin) {
    if (take('(')) {
      auto inner = list(depth + 1);
      if (inner && !take(')')) return invalid("layers, character {}: missing )", m_at + 1);
      return inner;
    }
    const auto end = std::min(m_text.find_first_of(",()", m_at), m_text.size());
    const auto text = trimmed(m_text.substr(m_at, end - m_at));
    m_at = end;
    auto read = layer(text);
    if (read) return Layers{*read};
    const auto shown = m_text.substr(begin, end - begin);
    return invalid("layers, item {} ({}): {}", m_item, shortened(trimmed(shown)), read.error().message);
  }

  Result<ModelLayer> layer(std::string_view text) const {
    const auto words = words_of(text);
    if (words.empty()) return invalid("missing layer");
    auto layer = read_layer_kind(words.front());
    if (!layer) return layer;
    if (attends(*layer)) {
      layer->num_key_value_heads = m_usual.num_key_value_heads;
      layer->head_dim = m_usual.head_dim;
      layer->v_head_dim = m_usual.v_head_dim;
      layer->latent = m_usual.latent;
    }
    for (const auto word : std::span(words).subspan(1))
      if (auto read = read_layer_attribute(word, *layer); !read) return read.error();
    return layer;
  }

  bool take(char sign) {
    while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    if (m_at >= m_text.size() || m_text[m_at] != sign) return false;
    ++m_at;
    return true;
  }

  std::string_view m_text;
  const ModelLayer& m_usual;
  std::size_t m_at = 0;
  Index m_item = 0;
};

Result<LayerRope> rope_of(std::span<const std::string_view> words) {
  const auto specs = rope_scaling_parameters();
  ParameterValues values = rope_scaling_values({});
  values.set("q_length", Index{0});  // a seq_len of 0 stays 0
  values.set("past_len", Index{0});
  LayerRope rope;
  for (const auto word : words) {
    if (const PairLayout layout = pair_layout_of(word); word == name_of(layout)) {
      rope.pair_layout = layout;
      continue;
    }
    const std::string_view name = word.substr(0, word.find('='));
    const ParameterSpec* spec = find_spec(specs, name);
    if (!spec || name.size() == word.size()) return invalid("unknown value {}", shortened(word));
    auto value = parse_value(*spec, word.substr(name.size() + 1));
    if (!value) return value.error();
    if (auto checked = check_value(*spec, *value); !checked) return checked.error();
    values.set(spec->name, std::move(*value));
  }
  rope.scaling = rope_scaling_from(values);
  return rope;
}

/// The sections after the first.
Result<void> read_section(std::string_view section, ModelLayer& usual, std::vector<LayerRope>& ropes) {
  const auto words = words_of(section);
  if (words.empty()) return {};
  const auto rest = std::span(words).subspan(1);
  if (words.front() == "rope") {
    auto rope = rope_of(rest);
    if (!rope) return invalid("layers, rope {}: {}", ropes.size(), rope.error().message);
    ropes.push_back(std::move(*rope));
    return {};
  }
  if (words.front() != "all")
    return invalid("layers: unknown section {} but must begin with all or rope", shortened(words.front()));
  for (const auto word : rest)
    if (auto read = read_layer_attribute(word, usual); !read) return invalid("layers, all: {}", read.error().message);
  return {};
}

}  // namespace

Result<LayerSchedule> parse_layers(std::string_view text, Index num_hidden_layers) {
  if (num_hidden_layers < 0 || num_hidden_layers > most_layers)
    return invalid("num_hidden_layers is {} but must be 0 to {}", num_hidden_layers, most_layers);
  std::string plain(text);
  std::ranges::replace_if(
      plain, [](char sign) { return sign == '\t' || sign == '\n' || sign == '\r'; }, ' ');
  const auto sections = split(plain, ';');
  LayerSchedule schedule;
  ModelLayer usual;
  for (const auto section : std::span(sections).subspan(1))
    if (auto read = read_section(section, usual, schedule.ropes); !read) return read.error();
  auto layers = LayerList(sections.front(), usual).read();
  if (!layers) return layers.error();
  const std::size_t count = num_hidden_layers > 0 ? static_cast<std::size_t>(num_hidden_layers) : layers->size();
  for (std::size_t i = 0; i < count; ++i) {
    schedule.layers.push_back((*layers)[i % layers->size()]);
    const auto rope = static_cast<std::size_t>(schedule.layers.back().rope + 1);
    if (rope > schedule.ropes.size()) schedule.ropes.resize(rope);
  }
  if (auto checked = schedule.check(); !checked) return invalid("layers: {}", checked.error().message);
  return schedule;
}

}  // namespace vqscope
