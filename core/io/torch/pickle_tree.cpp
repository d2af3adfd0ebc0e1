// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/pickle_tree.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr int deepest_tree = 64;
constexpr std::size_t most_visited = std::size_t{1} << 18;
/// Of all paths together, in bytes.
constexpr std::size_t longest_paths = std::size_t{1} << 25;

/// What a value holds: items by number, or pairs of a key and a value.
struct Children {
  bool by_key = false;
  std::vector<PickleRef> items;
};

bool is_mapping(const PickleValue& value) {
  return value.kind == PickleKind::dictionary || (value.kind == PickleKind::object && !value.is_list);
}

/// OrderedDict([(key, value), …]) as Python 2 writes it.
std::vector<PickleRef> pairs_of(const Pickle& pickle, PickleRef list_of_pairs) {
  std::vector<PickleRef> pairs;
  for (const PickleRef item : pickle[list_of_pairs].items) {
    const auto& pair = pickle[item].items;
    if (pair.size() == 2) pairs.insert(pairs.end(), pair.begin(), pair.end());
  }
  return pairs;
}

/// The data class of a batch keeps its entries under "data".
Children children_of_state(const Pickle& pickle, PickleRef state) {
  const PickleValue& whole = pickle[state];
  const PickleValue& value = whole.kind == PickleKind::tuple && !whole.items.empty() ? pickle[whole.items[0]] : whole;
  if (value.kind != PickleKind::dictionary) return {};
  for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
    const PickleValue& data = pickle[value.items[i + 1]];
    if (pickle[value.items[i]].text == "data" && is_mapping(data) && data.kind == PickleKind::dictionary)
      return {true, data.items};
  }
  return {true, value.items};
}

Children children_of_object(const Pickle& pickle, const PickleValue& value) {
  if (value.items.size() > object_added)
    return {!value.is_list, {value.items.begin() + static_cast<std::ptrdiff_t>(object_added), value.items.end()}};
  const auto& arguments = pickle[value.items[object_arguments]].items;
  const std::string_view name = value.text;
  if (name == "collections.OrderedDict" || name.ends_with(".dict")) {
    if (arguments.empty()) return {};
    if (pickle[arguments[0]].kind == PickleKind::dictionary) return {true, pickle[arguments[0]].items};
    return {true, pairs_of(pickle, arguments[0])};
  }
  const bool is_container = name.starts_with("builtins.") || name.starts_with("__builtin__.") ||
                            name == "collections.deque" || name == "torch.Size";
  if (is_container) {
    const bool holds = !arguments.empty() && (pickle[arguments[0]].kind == PickleKind::list ||
                                              pickle[arguments[0]].kind == PickleKind::tuple);
    return holds ? Children{false, pickle[arguments[0]].items} : Children{};
  }
  return children_of_state(pickle, value.items[object_state]);
}

Children children_of(const Pickle& pickle, PickleRef ref) {
  const PickleValue& value = pickle[ref];
  switch (value.kind) {
    case PickleKind::list:
    case PickleKind::tuple:
    case PickleKind::set: return {false, value.items};
    case PickleKind::dictionary: return {true, value.items};
    case PickleKind::object: return children_of_object(pickle, value);
    default: return {};
  }
}

std::string key_text(const PickleValue& key) {
  switch (key.kind) {
    case PickleKind::text:
    case PickleKind::bytes: return key.is_whole_text() ? key.text : std::string("?");
    case PickleKind::whole: return to_text(key.whole);
    case PickleKind::boolean: return key.whole != 0 ? "True" : "False";
    case PickleKind::none: return "None";
    default: return "?";
  }
}

class TreeWalk {
 public:
  explicit TreeWalk(const Pickle& pickle) : m_pickle(pickle) {}

  Result<void> walk(PickleRef ref, const std::string& path, int depth) {
    if (depth > deepest_tree) return invalid("its values are nested more than {} levels deep", deepest_tree);
    m_paths += path.size();
    if (++m_visited > most_visited || m_paths > longest_paths)
      return too_large("it holds more than {} values, or their names are too long", most_visited);
    if (auto tensor = tensor_of(m_pickle, ref)) {
      m_leaves.push_back({path, std::move(*tensor)});
      return {};
    }
    const auto [by_key, items] = children_of(m_pickle, ref);
    const std::size_t step = by_key ? 2 : 1;
    for (std::size_t i = 0; i + step <= items.size(); i += step) {
      const PickleRef item = items[i + step - 1];
      if (!may_hold(m_pickle[item])) continue;
      const std::string key = by_key ? key_text(m_pickle[items[i]]) : std::string();
      const std::string next = by_key ? path + (path.empty() ? "" : ".") + key : fmt::format("{}[{}]", path, i);
      if (auto walked = walk(item, next, depth + 1); !walked) return walked;
    }
    return {};
  }

  std::vector<PickledLeaf> take() { return std::move(m_leaves); }

 private:
  static bool may_hold(const PickleValue& value) { return !value.items.empty(); }

  const Pickle& m_pickle;
  std::size_t m_visited = 0;
  std::size_t m_paths = 0;
  std::vector<PickledLeaf> m_leaves;
};

/// Takes "[3]" off the front.
std::optional<Index> take_index(std::string_view& rest) {
  const auto end = rest.starts_with('[') ? rest.find(']') : std::string_view::npos;
  if (end == std::string_view::npos) return std::nullopt;
  const auto index = parse_index(trimmed(rest.substr(1, end - 1)));
  if (index) rest.remove_prefix(end + 1);
  return index;
}

class PathSearch {
 public:
  explicit PathSearch(const Pickle& pickle) : m_pickle(pickle) {}

  std::optional<PickledPlace> find(PickleRef ref, std::string_view rest, const std::string& path) {
    if (rest.empty()) return PickledPlace{ref, path, {}};
    if (path.size() > longest_path || ++m_steps > most_visited) return std::nullopt;
    if (tensor_of(m_pickle, ref)) return in_tensor(ref, rest, path);
    const Children children = children_of(m_pickle, ref);
    return children.by_key ? by_key(children, rest, path) : by_number(children, rest, path);
  }

 private:
  static constexpr std::size_t longest_path = 4096;

  static std::optional<PickledPlace> in_tensor(PickleRef ref, std::string_view rest, const std::string& path) {
    PickledPlace place{ref, path, {}};
    while (!rest.empty()) {
      const auto index = take_index(rest);
      if (!index) return std::nullopt;
      place.leading.push_back(*index);
    }
    return place;
  }

  /// The longest key first.
  std::optional<PickledPlace> by_key(const Children& children, std::string_view rest, const std::string& path) {
    std::vector<std::pair<std::string, PickleRef>> fitting;
    for (std::size_t i = 0; i + 1 < children.items.size(); i += 2) {
      std::string key = key_text(m_pickle[children.items[i]]);
      const bool fits = !key.empty() && rest.starts_with(key) &&
                        (rest.size() == key.size() || rest[key.size()] == '.' || rest[key.size()] == '[');
      if (fits) fitting.emplace_back(std::move(key), children.items[i + 1]);
    }
    std::ranges::stable_sort(fitting, std::greater(), [](const auto& each) { return each.first.size(); });
    for (const auto& [key, item] : fitting) {
      std::string_view after = rest.substr(key.size());
      if (after.starts_with('.')) after.remove_prefix(1);
      if (auto found = find(item, after, path + (path.empty() ? "" : ".") + key)) return found;
    }
    return std::nullopt;
  }

  std::optional<PickledPlace> by_number(const Children& children, std::string_view rest, const std::string& path) {
    const auto given = take_index(rest);
    if (!given) return std::nullopt;
    const auto count = static_cast<Index>(children.items.size());
    const Index index = *given < 0 ? *given + count : *given;
    if (index < 0 || index >= count) return std::nullopt;
    if (rest.starts_with('.')) rest.remove_prefix(1);
    return find(children.items[static_cast<std::size_t>(index)], rest, fmt::format("{}[{}]", path, index));
  }

  const Pickle& m_pickle;
  std::size_t m_steps = 0;
};

}  // namespace

Result<std::vector<PickledLeaf>> tensors_in(const Pickle& pickle, PickleRef value, const std::string& path) {
  TreeWalk walk(pickle);
  if (auto walked = walk.walk(value, path, 0); !walked) return walked.error();
  return walk.take();
}

std::optional<PickledPlace> find_path(const Pickle& pickle, const std::string& path) {
  return PathSearch(pickle).find(pickle.root, path, {});
}

std::string kind_words(const PickleValue& value) {
  switch (value.kind) {
    case PickleKind::none: return "None";
    case PickleKind::boolean: return "a truth value";
    case PickleKind::whole:
    case PickleKind::real: return "a number";
    case PickleKind::text: return "a text";
    case PickleKind::bytes: return "bytes";
    case PickleKind::list:
    case PickleKind::tuple:
    case PickleKind::set: return "a list without tensors";
    case PickleKind::dictionary: return "a dictionary without tensors";
    default: return "an object without tensors";
  }
}

}  // namespace vqscope
