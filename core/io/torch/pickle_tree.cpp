// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/pickle_tree.h"

#include "core/base/sentence.h"
#include "core/io/torch/number_list.h"
#include "core/io/torch/pickled_tensor.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t deepest_tree = 64;
/// A small file may hold a value at many places.
constexpr std::size_t most_places = std::size_t{1} << 14;
constexpr std::size_t most_looked_at = std::size_t{1} << 20;
constexpr std::size_t longest_paths = std::size_t{1} << 24;  // of all tensors together
constexpr std::size_t most_leaves = std::size_t{1} << 16;

/// What a value holds: items by number, or pairs of a key and a value.
struct Children {
  bool by_key = false;
  std::span<const PickleRef> items = {};
  std::vector<PickleRef> pairs = {};  ///< if they are not items of one value
  std::size_t looked_at = 0;          ///< values that it took to find them

  std::span<const PickleRef> all() const { return pairs.empty() ? items : std::span<const PickleRef>(pairs); }
};

/// OrderedDict([(key, value), …]) as Python 2 writes it.
Children pairs_of(const Pickle& pickle, PickleRef list_of_pairs) {
  Children children{.by_key = true};
  children.looked_at = pickle.items(list_of_pairs).size();
  for (const PickleRef item : pickle.items(list_of_pairs)) {
    const auto pair = pickle.items(item);
    if (pair.size() == 2) children.pairs.insert(children.pairs.end(), pair.begin(), pair.end());
  }
  return children;
}

bool is_list(const Pickle& pickle, PickleRef ref) {
  return pickle[ref].kind == PickleKind::list || pickle[ref].kind == PickleKind::tuple;
}

/// The data class of a batch keeps its entries under "data".
Children children_of_state(const Pickle& pickle, PickleRef state) {
  const auto parts = pickle.items(state);
  const PickleRef fields = pickle[state].kind == PickleKind::tuple && !parts.empty() ? parts[0] : state;
  if (pickle[fields].kind != PickleKind::dictionary) return {};
  const auto items = pickle.items(fields);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (pickle.text(items[i]) == "data" && pickle[items[i + 1]].kind == PickleKind::dictionary)
      return {.by_key = true, .items = pickle.items(items[i + 1]), .looked_at = i};
  return {.by_key = true, .items = items, .looked_at = items.size()};
}

Children children_of_object(const Pickle& pickle, PickleRef ref) {
  const auto items = pickle.items(ref);
  if (items.size() > object_added) return {!pickle[ref].is_list, items.subspan(object_added)};
  const auto arguments = pickle.items(items[object_arguments]);
  const std::string_view name = pickle.text(items[object_name]);
  if (name == "collections.OrderedDict" || name.ends_with(".dict")) {
    if (arguments.empty()) return {};
    if (pickle[arguments[0]].kind == PickleKind::dictionary) return {true, pickle.items(arguments[0])};
    return pairs_of(pickle, arguments[0]);
  }
  const bool is_container = name.starts_with("builtins.") || name.starts_with("__builtin__.") ||
                            name == "collections.deque" || name == "torch.Size";
  if (!is_container) return children_of_state(pickle, items[object_state]);
  const bool holds = !arguments.empty() && is_list(pickle, arguments[0]);
  return {false, holds ? pickle.items(arguments[0]) : std::span<const PickleRef>()};
}

Children children_of(const Pickle& pickle, PickleRef ref) {
  switch (pickle[ref].kind) {
    case PickleKind::list:
    case PickleKind::tuple:
    case PickleKind::set: return {false, pickle.items(ref)};
    case PickleKind::dictionary: return {true, pickle.items(ref)};
    case PickleKind::object: return children_of_object(pickle, ref);
    default: return {};
  }
}

std::string key_text(const Pickle& pickle, PickleRef ref) {
  const PickleValue& key = pickle[ref];
  switch (key.kind) {
    case PickleKind::text:
    case PickleKind::bytes: return key.is_kept ? std::string(pickle.text(ref)) : std::string("?");
    case PickleKind::whole: return to_text(key.whole);
    case PickleKind::boolean: return key.whole != 0 ? "True" : "False";
    case PickleKind::none: return "None";
    default: return "?";
  }
}

/// Which values hold a tensor, each looked at once, so that what holds none costs nothing however
/// often it occurs.
class TensorSearch {
 public:
  explicit TensorSearch(const Pickle& pickle) : m_pickle(pickle), m_found(pickle.values.size(), Found::unknown) {}

  bool holds(PickleRef ref, std::size_t depth) {
    if (m_pickle[ref].kind < PickleKind::list || m_pickle[ref].kind == PickleKind::name) return false;
    if (m_found[ref] != Found::unknown) return m_found[ref] == Found::some;
    m_found[ref] = Found::none;  // while it is open: a value that holds itself holds no more by that
    if (depth > deepest_tree) m_too_deep = true;
    if (m_too_deep) return false;
    bool any = is_tensor(m_pickle, ref);
    if (!any) {
      const Children children = children_of(m_pickle, ref);
      const std::size_t step = children.by_key ? 2 : 1;
      const auto items = children.all();
      for (std::size_t i = step - 1; i < items.size(); i += step) any = holds(items[i], depth + 1) || any;
    }
    m_found[ref] = any ? Found::some : Found::none;
    return any;
  }

  bool is_too_deep() const { return m_too_deep; }

 private:
  enum class Found : std::uint8_t { unknown, none, some };

  const Pickle& m_pickle;
  std::vector<Found> m_found;
  bool m_too_deep = false;
};

class TreeWalk {
 public:
  TreeWalk(const Pickle& pickle, std::size_t numbers)
      : m_pickle(pickle), m_search(pickle), m_seen(pickle.values.size()), m_numbers(numbers) {}

  Result<std::vector<PickledLeaf>> walk(PickleRef root, const std::string& path) {
    m_path = path;
    const bool any = m_search.holds(root, 0);
    if (m_search.is_too_deep()) return invalid("its values are nested more than {} levels deep", deepest_tree);
    if (any || m_numbers > 0) visit(root);
    if (m_leaves.size() > most_leaves) return too_large("it holds more than {} tensors", most_leaves);
    if (m_path_bytes > longest_paths)
      return too_large("the names of its tensors have more than {} bytes", longest_paths);
    if (is_full()) return too_large("it holds the same values at more than {} places", most_places);
    return std::move(m_leaves);
  }

 private:
  void visit(PickleRef ref) {
    if (m_seen[ref]) ++m_repeats;
    m_seen[ref] = true;
    if (is_tensor(m_pickle, ref)) return add_leaf(ref);
    const Children children = children_of(m_pickle, ref);
    const std::size_t step = children.by_key ? 2 : 1;
    const auto items = children.all();
    const std::size_t length = m_path.size();
    m_looked_at += items.size() + children.looked_at;
    m_open.push_back(ref);
    for (std::size_t i = 0; i + step <= items.size() && !is_full(); i += step) {
      const PickleRef item = items[i + step - 1];
      const bool is_list = m_pickle[item].kind == PickleKind::list && m_open.size() == 1 && children.by_key;
      const bool is_leaf = is_list && m_numbers > 0 && holds_numbers(m_pickle, item, m_numbers);
      if (!is_leaf && (!m_search.holds(item, 0) || std::ranges::count(m_open, item) > 0)) continue;
      if (children.by_key)
        m_path += (m_path.empty() ? "" : ".") + key_text(m_pickle, items[i]);
      else
        m_path += fmt::format("[{}]", i);
      is_leaf ? add_leaf(item) : visit(item);
      m_path.resize(length);
    }
    m_open.pop_back();
  }

  void add_leaf(PickleRef ref) {
    m_leaves.push_back({m_path, ref});
    m_path_bytes += m_path.size();
  }

  /// Each value is looked at once for itself, and once as an item of each that holds it.
  bool is_full() const {
    return m_repeats > most_places || m_leaves.size() > most_leaves || m_path_bytes > longest_paths ||
           m_looked_at > 2 * m_pickle.all_items.size() + most_looked_at;
  }

  const Pickle& m_pickle;
  TensorSearch m_search;
  std::vector<bool> m_seen;
  std::vector<PickleRef> m_open;  ///< the values that hold the present one
  std::size_t m_repeats = 0;
  std::size_t m_looked_at = 0;
  std::size_t m_path_bytes = 0;
  std::size_t m_numbers;  ///< of lists that may still be looked at
  std::string m_path;
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
    if (path.size() > longest_path || m_steps > most_steps) return std::nullopt;
    if (is_tensor(m_pickle, ref)) return in_tensor(ref, rest, path);
    const Children children = children_of(m_pickle, ref);
    m_steps += children.looked_at;
    if (!children.by_key) return by_number(children, rest, path);
    auto found = by_key(children, rest, path);
    return found || !rest.starts_with('[') ? found : by_whole_key(children, rest, path);
  }

 private:
  static constexpr std::size_t longest_path = 4096;
  /// Keys that are compared.
  static constexpr std::size_t most_steps = std::size_t{1} << 21;

  static std::optional<PickledPlace> in_tensor(PickleRef ref, std::string_view rest, const std::string& path) {
    PickledPlace place{ref, path, {}};
    while (!rest.empty()) {
      const auto index = take_index(rest);
      if (!index) return std::nullopt;
      place.leading.push_back(*index);
    }
    return place;
  }

  /// The longest key first. Of equal keys the last one counts, as in Python.
  std::optional<PickledPlace> by_key(const Children& children, std::string_view rest, const std::string& path) {
    std::vector<std::pair<std::string, PickleRef>> fitting;
    const auto items = children.all();
    m_steps += items.size() / 2;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      if (m_pickle[items[i]].is_text() && !rest.starts_with(m_pickle.text(items[i]))) continue;
      std::string key = key_text(m_pickle, items[i]);
      const bool fits = !key.empty() && rest.starts_with(key) &&
                        (rest.size() == key.size() || rest[key.size()] == '.' || rest[key.size()] == '[');
      if (!fits) continue;
      const auto same = std::ranges::find(fitting, key, [](const auto& each) { return each.first; });
      if (same == fitting.end())
        fitting.emplace_back(std::move(key), items[i + 1]);
      else
        same->second = items[i + 1];
    }
    std::ranges::stable_sort(fitting, std::greater(), [](const auto& each) { return each.first.size(); });
    for (const auto& [key, item] : fitting) {
      std::string_view after = rest.substr(key.size());
      if (after.starts_with('.')) after.remove_prefix(1);
      if (auto found = find(item, after, path + (path.empty() ? "" : ".") + key)) return found;
    }
    return std::nullopt;
  }

  /// "[0]" of {0: …}
  std::optional<PickledPlace> by_whole_key(const Children& children, std::string_view rest, const std::string& path) {
    const auto given = take_index(rest);
    const auto items = children.all();
    if (rest.starts_with('.')) rest.remove_prefix(1);
    for (std::size_t i = items.size() / 2; given && i-- > 0;) {
      const PickleValue& key = m_pickle[items[2 * i]];
      if (key.kind == PickleKind::whole && key.whole == *given)
        return find(items[2 * i + 1], rest, path + (path.empty() ? "" : ".") + to_text(*given));
    }
    return std::nullopt;
  }

  std::optional<PickledPlace> by_number(const Children& children, std::string_view rest, const std::string& path) {
    const auto given = take_index(rest);
    if (!given) return std::nullopt;
    const auto items = children.all();
    const auto count = static_cast<Index>(items.size());
    const Index index = *given < 0 ? *given + count : *given;
    if (index < 0 || index >= count) return std::nullopt;
    if (rest.starts_with('.')) rest.remove_prefix(1);
    return find(items[static_cast<std::size_t>(index)], rest, fmt::format("{}[{}]", path, index));
  }

  const Pickle& m_pickle;
  std::size_t m_steps = 0;
};

}  // namespace

Result<std::vector<PickledLeaf>> tensors_in(const Pickle& pickle, PickleRef value, const std::string& path,
                                            bool with_lists) {
  return TreeWalk(pickle, with_lists ? most_listed_numbers : 0).walk(value, path);
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
