// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/plain_evaluator.h"
#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/names/known_names.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

bool is_among(std::string_view text, const std::vector<std::string>& all) {
  return std::ranges::find(all, text) != all.end();
}

/// The text that a value is; empty: it is None, True, False or a number. Style.PAIR is the member
/// PAIR.
std::optional<std::string> text_of(const WordUse& use, std::string_view written) {
  written = trimmed(written);
  const bool is_quoted =
      written.size() > 1 && (written.front() == '"' || written.front() == '\'') && written.back() == written.front();
  if (is_quoted) return std::string(written.substr(1, written.size() - 2));
  if (is_among(written, use.choices)) return std::string(written);
  const bool is_value =
      written == "None" || written == "True" || written == "False" || parse_index(written) || decimal_fraction(written);
  if (is_value) return std::nullopt;
  const auto member = written.substr(written.rfind('.') + 1);
  return std::string(is_among(member, use.choices) ? member : written);
}

/// ", as pair, causal or another text"
std::string expected_words(const std::vector<std::string>& choices) {
  if (choices.empty()) return {};
  return ", as " + shortened(join(choices, ", ")) + " or another text";
}

}  // namespace

Value Compilation::variable_node(Variable variable, Range range) {
  return of_node(build.make({.op = Op::variable,
                             .is_bool = variable == Variable::key_valid,
                             .value = static_cast<Index>(variable),
                             .range = range}));
}

Value Compilation::integer_parameter(const Value& value, Range range) {
  auto& integers = out.code.integers;
  if (is_array(value.name))
    return fail(range, "{} is an array elsewhere in the text; index it: {}[kv_idx]", shortened(value.name),
                shortened(value.name));
  if (value.name == "document_id" || value.name == "position_ids" || value.name == "offsets")
    return fail(range, "{} is an array; index it: {}[kv_idx]", value.name, value.name);
  const auto found = std::ranges::find(integers, value.name, &IntegerUse::name);
  const auto index = found - integers.begin();
  if (found == integers.end()) {
    integers.push_back({.name = value.name,
                        .default_value = value.default_value,
                        .range = range,
                        .is_flag = value.is_flag,
                        .is_truth = words.truths.contains(value.name)});
    warn_of_near_name(value, range);
  }
  const Value made = of_node(build.make({.op = Op::parameter, .value = index, .range = range}));
  return value.is_flag && !failed() ? of_node(as_bool(made.node)) : made;
}

Value Compilation::optional_name(const std::string& name, bool is_array, Range range) {
  Code& code = out.code;
  is_array = is_array || given.arrays.contains(name);
  if (is_array && std::ranges::find(code.arrays, name, &ArrayUse::name) == code.arrays.end())
    code.arrays.push_back({.name = name, .range = range, .may_miss = true});
  if (!is_array) {
    auto use = std::ranges::find(code.integers, name, &IntegerUse::name);
    if (use == code.integers.end()) use = code.integers.insert(use, {.name = name, .range = range, .may_miss = true});
    use->decides = use->presence_decides = true;
  }
  const bool is_given = is_array ? given.arrays.contains(name) : value_of(name, std::nullopt).has_value();
  if (!is_given) return {.kind = Value::Kind::nothing};
  return {.kind = Value::Kind::free_name, .name = name};
}

bool Compilation::is_word(const std::string& name) const {
  return !given.arrays.contains(name) && (words.names.contains(name) || given.nones.contains(name));
}

std::optional<std::string> Compilation::written_default(const Value& default_value, Range range) const {
  const auto number = [](Index value, bool is_truth) {
    return is_truth ? std::string(value != 0 ? "True" : "False") : to_text(value);
  };
  switch (default_value.kind) {
    case Value::Kind::text: return default_value.name;
    case Value::Kind::nothing: return "None";
    case Value::Kind::free_name:
      return default_value.default_value ? std::optional(number(*default_value.default_value, default_value.is_flag))
                                         : std::nullopt;
    case Value::Kind::node:
      if (const Node& n = node(default_value.node); n.op == Op::constant) return number(n.value, n.is_bool);
      return std::nullopt;
    case Value::Kind::ratio: {
      std::string decimal = written(range);
      return decimal_fraction(decimal) ? std::optional(std::move(decimal)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

Value Compilation::word_value(const std::string& name, std::optional<std::string> default_value, Range range,
                              const std::vector<std::string>& others) {
  if (failed()) return {};
  const auto known = words.names.find(name);
  auto use = std::ranges::find(out.code.words, name, &WordUse::name);
  if (given.nones.contains(name) && known == words.names.end() && use == out.code.words.end()) {
    // Use of a name that is an integer or an array if it is not None.
    note_none(name);
    return {.kind = Value::Kind::nothing};
  }
  if (use == out.code.words.end())
    use = out.code.words.insert(use, {.name = name, .default_value = default_value, .choices = {}, .range = range});
  if (!use->default_value) use->default_value = default_value;
  const auto add = [&](const std::string& word) {
    if (std::ranges::find(use->choices, word) == use->choices.end()) use->choices.push_back(word);
  };
  if (known != words.names.end()) std::ranges::for_each(known->second, add);
  std::ranges::for_each(others, add);
  if (given.nones.contains(name)) return {.kind = Value::Kind::nothing};
  const auto own = given.words.find(name);
  const bool is_own = own != given.words.end() && !own->second.empty();
  if (is_own) return word_of(*use, own->second, range);
  if (const auto number = value_of(name, std::nullopt)) return number_value(*number, range);
  if (use->default_value) return word_of(*use, *use->default_value, range);
  fail(range, "{} decides this and has no value yet; give it{}", shortened(name), expected_words(use->choices));
  out.error->lacks_value = true;
  return {};
}

/// A value as it is written: a text, or None, True, a number.
Value Compilation::word_of(const WordUse& use, std::string_view written, Range range) {
  if (auto word = text_of(use, written)) return {.kind = Value::Kind::text, .name = std::move(*word)};
  written = trimmed(written);
  if (written == "True" || written == "False") return flag(written == "True", range);
  if (const auto number = parse_index(written)) return number_value(*number, range);
  if (const auto fraction = decimal_fraction(written))
    return {.kind = Value::Kind::ratio,
            .node = build.constant(fraction->first, false, range),
            .denominator = build.constant(fraction->second, false, range)};
  return {.kind = Value::Kind::nothing};
}

void Compilation::warn_of_words() {
  for (const WordUse& use : out.code.words) {
    const auto own = given.words.find(use.name);
    if (own == given.words.end() || own->second == use.default_value || use.choices.empty()) continue;
    const auto word = text_of(use, own->second);
    if (!word || word->empty() || is_among(*word, use.choices)) continue;
    warn(use.range, "{} is {}, and the text compares it with {} only{}", shortened(use.name), shortened(*word),
         shortened(join(use.choices, ", ")), did_you_mean(*word, use.choices));
  }
}

void Compilation::note_none(const std::string& name) {
  auto& known = out.code.may_be_none;
  if (std::ranges::find(known, name) == known.end()) known.push_back(name);
}

void Compilation::compare_with_none(const Value& name, Range range) {
  static constexpr std::array of_the_sequence{"document_id", "position_ids", "key_valid", "offsets"};
  if (name.default_value || std::ranges::find(of_the_sequence, name.name) != of_the_sequence.end()) return;
  const auto may_miss = [&](const auto& use) { return use.may_miss && use.name == name.name; };
  if (std::ranges::any_of(out.code.integers, may_miss) || std::ranges::any_of(out.code.arrays, may_miss)) return;
  note_none(name.name);
  if (given.arrays.contains(name.name) || value_of(name.name, std::nullopt)) return;
  warn(range, "{} is taken to have a value here; give it, as None if it has none", shortened(name.name));
}

std::optional<Index> Compilation::value_of(const std::string& name, std::optional<Index> default_value) const {
  const auto known = given.integers.find(name);
  if (known == given.integers.end() || (!default_value && known->second == not_given)) return default_value;
  return known->second;
}

std::optional<Index> Compilation::settled(NodeId id, bool in_batch) {
  if (failed()) return std::nullopt;
  Code& code = out.code;
  if (node(id).op == Op::constant) return node(id).value;
  std::vector<bool> seen(static_cast<std::size_t>(id) + 1);
  std::vector<NodeId> open{id};
  std::vector<std::size_t> used, lengths;
  bool of_b = false, of_h = false;
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (next == no_node || seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    const Node& n = node(next);
    if (n.op == Op::length) {
      const ArrayUse& array = code.arrays[static_cast<std::size_t>(n.value)];
      if (array.source == ArraySource::given && !given.arrays.contains(array.name)) return std::nullopt;
      if (array.source != ArraySource::given && array.source != ArraySource::literal) return std::nullopt;
      lengths.push_back(static_cast<std::size_t>(n.value));
    }
    const bool is_b = n.op == Op::variable && n.value == static_cast<Index>(Variable::b);
    const bool is_h = n.op == Op::variable && n.value == static_cast<Index>(Variable::h);
    of_b = of_b || is_b;
    of_h = of_h || is_h;
    const bool is_plane = in_batch && ((is_b && given.b) || (is_h && given.h));
    if ((n.op == Op::variable && !is_plane) || n.op == Op::element) return std::nullopt;
    if (n.op == Op::parameter) used.push_back(static_cast<std::size_t>(n.value));
    open.insert(open.end(), {n.a, n.b, n.c});
  }
  Environment known{.b = given.b.value_or(0), .h = given.h.value_or(0)};
  for (const IntegerUse& use : code.integers) {
    known.integers.push_back(value_of(use.name, use.default_value).value_or(0));
  }
  known.arrays.resize(code.arrays.size());
  for (const std::size_t i : lengths) {
    const ArrayUse& array = code.arrays[i];
    const auto own = given.arrays.find(array.name);
    const auto size = own == given.arrays.end() ? array.values.size() : own->second.values.size();
    known.arrays[i] =
        size == 0 ? std::make_shared<BoundArray>(std::vector<ArrayPiece>{})
                  : std::make_shared<BoundArray>(std::vector<ArrayPiece>{{{0, static_cast<Index>(size)}, 0, 0}});
  }
  for (const std::size_t i : used)
    if (!value_of(code.integers[i].name, code.integers[i].default_value)) return std::nullopt;
  PlainEvaluator evaluator(code, known);
  evaluator.move_to(0, 0);
  const auto value = evaluator.evaluate(id);
  if (value) {
    for (const std::size_t i : used) code.integers[i].decides = true;
    for (const std::size_t i : lengths) code.arrays[i].decides = true;
    code.is_of_b = code.is_of_b || of_b;
    code.is_of_h = code.is_of_h || of_h;
  }
  return value;
}

void Compilation::warn_of_near_name(const Value& value, Range range) {
  if (value.default_value) return;
  const auto guess = near_variable(value.name);
  if (guess) warn(range, "{} is taken as a parameter; did you mean {}?", shortened(value.name), *guess);
}

bool Compilation::is_array(const std::string& name) const {
  return std::ranges::find(out.code.arrays, name, &ArrayUse::name) != out.code.arrays.end();
}

Index Compilation::array_place(const Value& array, IndexedBy by, Range range) {
  if (failed()) return -1;
  const auto& integers = out.code.integers;
  if (array.default_value || std::ranges::find(integers, array.name, &IntegerUse::name) != integers.end()) {
    fail(range, shortened(array.name) + " is an integer elsewhere in the text, only an array can be indexed");
    return -1;
  }
  auto& arrays = out.code.arrays;
  const auto found = std::ranges::find(arrays, array.name, &ArrayUse::name);
  if (found != arrays.end()) {
    found->indexed_by = together(found->indexed_by, by);
    return found - arrays.begin();
  }
  arrays.push_back({.name = array.name, .indexed_by = by, .range = range});
  if (const auto guess = near_variable(array.name); guess && *guess != array.name)
    warn(range, "{} is taken as an array to be given; did you mean {}?", shortened(array.name), *guess);
  return static_cast<Index>(arrays.size()) - 1;
}

Value Compilation::array_element(const Value& array, NodeId index, Range range) {
  const Index place = failed() ? -1 : array_place(array, indexed_by(index), range);
  if (failed()) return {};
  const Value made = element_of(place, index, range);
  return array.name == "key_valid" ? of_node(build.as_bool(made.node)) : made;
}

Value Compilation::array_length(const Value& array, Range range) {
  const Index place = array_place(array, IndexedBy::other, range);
  return failed() ? Value{} : of_node(build.make({.op = Op::length, .value = place, .range = range}));
}

Value Compilation::element_of(Index array, NodeId index, Range range) {
  return of_node(build.make({.op = Op::element, .a = index, .value = array, .range = range}));
}

Value Compilation::lacking(const Value& array, Range range) {
  (void)array_place(array, IndexedBy::other, range);
  if (failed()) return {};
  fail(range, shortened(array.name) + " has no values yet; give them, as an array");
  out.error->lacks_value = true;
  return {};
}

namespace {

/// "document_id" of "document_id[q_idx]": the array that is indexed there.
std::string without_index(const std::string& written) {
  if (!written.ends_with(']')) return written;
  std::size_t depth = 0;
  for (std::size_t i = written.size(); i-- > 0;) {
    if (written[i] == ']') ++depth;
    if (written[i] == '[' && --depth == 0) return i == 0 ? written : written.substr(0, i);
  }
  return written;
}

}  // namespace

Index Compilation::literal_array(std::vector<Index> values, std::vector<Index> shape, Range range) {
  auto& arrays = out.code.arrays;
  const auto known = std::ranges::find_if(arrays, [&](const ArrayUse& use) {
    return use.source == ArraySource::literal && use.shape == shape && use.values == values;
  });
  if (known != arrays.end()) return known - arrays.begin();
  arrays.push_back({.name = shortened(without_index(written(range))),
                    .range = range,
                    .source = ArraySource::literal,
                    .values = std::move(values),
                    .shape = std::move(shape)});
  return static_cast<Index>(arrays.size()) - 1;
}

Index Compilation::derived_array(ArraySource source, Index of, Range range) {
  auto& arrays = out.code.arrays;
  const auto known =
      std::ranges::find_if(arrays, [&](const ArrayUse& use) { return use.source == source && use.of == of; });
  if (known != arrays.end()) return known - arrays.begin();
  arrays.push_back({.name = shortened(written(range)), .range = range, .source = source, .of = of});
  return static_cast<Index>(arrays.size()) - 1;
}

IndexedBy Compilation::indexed_by(NodeId index) const {
  const Node& n = node(index);
  if (n.op != Op::variable) return IndexedBy::other;
  if (n.value == static_cast<Index>(Variable::q_idx)) return IndexedBy::query;
  return n.value == static_cast<Index>(Variable::kv_idx) ? IndexedBy::key : IndexedBy::other;
}

IndexedBy Compilation::together(IndexedBy a, IndexedBy b) {
  if (a == b) return a;
  return a == IndexedBy::other || b == IndexedBy::other ? IndexedBy::other : IndexedBy::token;
}

}  // namespace vqscope::language
