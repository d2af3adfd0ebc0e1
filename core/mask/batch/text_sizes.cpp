// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/text_sizes.h"

#include "core/base/sentence.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/parse.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope::language {
namespace {

constexpr Index most_tokens_of_text = Index{1} << 31;
constexpr int deepest_size = 64;
constexpr int most_sides_of_text = 8;

class SizeReader {
 public:
  SizeReader(const Syntax& syntax, const std::map<std::string, Index>& integers)
      : m_syntax(syntax), m_integers(integers) {
    for (const Statement& statement : syntax.statements) read_constant(statement);
  }

  TextSizes read() {
    for (const Expression& e : m_syntax.expressions)
      if (e.kind == ExpressionKind::call && makes_block_mask(name_of_call(e)) && e.operands.size() > 2) {
        read_call(e);
        break;
      }
    read_constants();
    if (!m_sizes.queries && !m_sizes.keys) read_matrices();
    read_sides();
    return std::move(m_sizes);
  }

 private:
  std::string_view name_of_call(const Expression& e) const {
    const Expression& callee = m_syntax.at(e.operands[0]);
    const bool named = callee.kind == ExpressionKind::name || callee.kind == ExpressionKind::attribute;
    return named ? std::string_view(callee.name) : std::string_view();
  }

  /// The value of an expression of integers and constants of the text.
  std::optional<Index> value_of(ExpressionId id, int depth = 0) const {
    if (id == no_expression || depth > deepest_size) return {};
    const Expression& e = m_syntax.at(id);
    if (e.kind == ExpressionKind::integer) return e.value;
    if (e.kind == ExpressionKind::name) {
      const auto found = m_constants.find(e.name);
      return found == m_constants.end() ? std::nullopt : std::optional(found->second);
    }
    if (e.kind == ExpressionKind::index || e.kind == ExpressionKind::call) return side_of_tensor(e, depth + 1);
    if (e.kind == ExpressionKind::unary && e.name == "-") {
      const auto of = value_of(e.operands[0], depth + 1);
      return of ? subtract(0, *of) : std::nullopt;
    }
    if (e.kind != ExpressionKind::binary) return {};
    const auto a = value_of(e.operands[0], depth + 1);
    const auto b = value_of(e.operands[1], depth + 1);
    if (!a || !b) return {};
    if (e.name == "*") return multiply(*a, *b);
    if (e.name == "+") return add(*a, *b);
    if (e.name == "-") return subtract(*a, *b);
    return e.name == "//" && *a >= 0 && *b > 0 ? std::optional(*a / *b) : std::nullopt;
  }

  /// x.shape[2], x.shape[-2], x.size(2) of a tensor that the text makes, and len(x).
  std::optional<Index> side_of_tensor(const Expression& e, int depth) const {
    if (e.operands.size() != 2 || e.operands[1] == no_expression) return {};
    const Expression& place = m_syntax.at(e.operands[0]);
    const bool is_length = e.kind == ExpressionKind::call && place.kind == ExpressionKind::name && place.name == "len";
    const char* attribute = e.kind == ExpressionKind::call ? "size" : "shape";
    if (!is_length && (place.kind != ExpressionKind::attribute || place.name != attribute)) return {};
    const Expression& tensor = m_syntax.at(is_length ? e.operands[1] : place.operands[0]);
    const auto found = tensor.kind == ExpressionKind::name ? m_tensors.find(tensor.name) : m_tensors.end();
    const auto side = is_length ? std::optional<Index>(0) : value_of(e.operands[1], depth);
    if (found == m_tensors.end() || !side) return {};
    const auto sides = static_cast<Index>(found->second.size());
    if (*side < -sides || *side >= sides) return {};
    return found->second[static_cast<std::size_t>(*side < 0 ? *side + sides : *side)];
  }

  /// The sides of torch.randn(2, 3), torch.ones((2, 3)) or torch.full(size=(2, 3), ...), or of a tensor with a name.
  std::vector<std::optional<Index>> sides_of_tensor(ExpressionId id) const {
    if (id == no_expression) return {};
    const Expression& e = m_syntax.at(id);
    const auto found = e.kind == ExpressionKind::name ? m_tensors.find(e.name) : m_tensors.end();
    if (found != m_tensors.end()) return found->second;
    std::vector<std::optional<Index>> sides;
    if (e.kind == ExpressionKind::call)
      for (const ExpressionId side : written_sides(e)) sides.push_back(value_of(side));
    return sides;
  }

  /// The expressions of a new tensor's sides; none: the call makes no tensor.
  std::vector<ExpressionId> written_sides(const Expression& e) const {
    constexpr std::array makers{"ones", "zeros", "full", "empty", "randn", "rand", "randint"};
    if (std::ranges::count(makers, name_of_call(e)) == 0) return {};
    std::vector<ExpressionId> sides;
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const std::string& keyword = i - 1 < e.keywords.size() ? e.keywords[i - 1] : std::string();
      if (!keyword.empty() && keyword != "size" && keyword != "shape") continue;
      if (m_syntax.at(e.operands[i]).kind == ExpressionKind::tuple) return m_syntax.at(e.operands[i]).operands;
      sides.push_back(e.operands[i]);
    }
    return name_of_call(e) == "randint" ? std::vector<ExpressionId>() : sides;
  }

  void set_constant(const std::string& name, ExpressionId value) {
    m_tensors[name] = sides_of_tensor(value);
    const auto given = m_integers.find(name);
    const auto constant = given == m_integers.end() ? value_of(value) : std::optional(given->second);
    if (constant) m_constants[name] = *constant;
  }

  void read_constant(const Statement& statement) {
    if (statement.kind != StatementKind::assign || statement.value == no_expression) return;
    if (!statement.unpacks && statement.targets.size() == 1) {
      set_constant(statement.targets[0], statement.value);
      return;
    }
    const Expression& value = m_syntax.at(statement.value);
    if (value.kind == ExpressionKind::attribute && value.name == "shape") {
      const auto sides = sides_of_tensor(value.operands[0]);
      for (std::size_t i = 0; i < sides.size() && sides.size() == statement.targets.size(); ++i)
        if (sides[i]) m_constants[statement.targets[i]] = *sides[i];
      return;
    }
    if (value.kind != ExpressionKind::tuple || value.operands.size() != statement.targets.size()) return;
    for (std::size_t i = 0; i < statement.targets.size(); ++i) set_constant(statement.targets[i], value.operands[i]);
  }

  static bool is_length(Index value) { return value >= 1 && value <= most_tokens_of_text; }

  void take(std::optional<NamedCount>& into, Index count, std::string phrase) {
    if (!is_length(count)) return;
    if (!into)
      into = NamedCount{count, std::move(phrase)};
    else if (into->count != count && !m_sizes.contrary)
      m_sizes.contrary = NamedCount{count, fmt::format("{}, but {}", phrase, into->phrase)};
  }

  void read_call(const Expression& e) {
    constexpr std::array names{"mask_mod", "B", "H", "Q_LEN", "KV_LEN"};
    std::array<ExpressionId, names.size()> arguments;
    arguments.fill(no_expression);
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < e.operands.size(); ++i) {
      const std::string& keyword = i < e.keywords.size() ? e.keywords[i] : std::string();
      std::size_t at = place;
      if (keyword.empty())
        ++place;
      else
        at = static_cast<std::size_t>(std::ranges::find(names, keyword) - names.begin());
      if (at < arguments.size()) arguments[at] = e.operands[i + 1];
    }
    const auto size = [&](std::size_t at) -> std::optional<NamedCount> {
      if (arguments[at] == no_expression) return {};
      const bool is_none = m_syntax.at(arguments[at]).kind == ExpressionKind::nothing;
      const auto value = is_none ? std::optional<Index>(1) : value_of(arguments[at]);
      if (!value || !is_length(*value)) return {};
      return NamedCount{*value, fmt::format("{} of the text's create_block_mask is {}", names[at], *value)};
    };
    m_sizes.batch = size(1);
    m_sizes.heads = size(2);
    m_sizes.queries = size(3);
    m_sizes.keys = size(4);
  }

  void read_constants() {
    const auto constant = [&](std::string_view name, std::optional<NamedCount>& into) {
      const auto found = m_constants.find(std::string(name));
      if (found != m_constants.end())
        take(into, found->second, fmt::format("the text's {} is {}", name, found->second));
      return found != m_constants.end();
    };
    const bool q = constant("Q_LEN", m_sizes.queries);
    const bool kv = constant("KV_LEN", m_sizes.keys);
    if (q || kv || m_sizes.queries || m_sizes.keys) return;
    for (const char* name : {"SEQ_LEN", "seq_len"})
      if (constant(name, m_sizes.queries)) return;
  }

  /// The sides of torch.ones(2, 3), torch.ones((2, 3)), torch.full((2, 3), x): of matrices alone.
  std::optional<Extent> matrix_of(const Expression& e) const {
    if (name_of_call(e).starts_with("rand")) return {};  // vectors
    const auto sides = written_sides(e);
    if (sides.size() < 2) return {};
    const auto rows = value_of(sides[sides.size() - 2]);
    const auto cols = value_of(sides.back());
    return rows && cols && is_length(*rows) && is_length(*cols) ? std::optional(Extent{*rows, *cols}) : std::nullopt;
  }

  void read_matrices() {
    std::optional<Extent> all;
    for (const Expression& e : m_syntax.expressions) {
      if (e.kind != ExpressionKind::call) continue;
      const auto matrix = matrix_of(e);
      if (matrix && all && *matrix != *all) return;
      if (matrix) all = matrix;
    }
    // A table of two sides of its own is no mask.
    if (!all || all->rows > all->cols) return;
    m_sizes.queries = NamedCount{all->rows, fmt::format("the text's matrices have {} rows", all->rows)};
    m_sizes.keys = NamedCount{all->cols, fmt::format("the text's matrices have {} columns", all->cols)};
  }

  /// The sides of a list of the text, or of a tensor made of one.
  std::vector<Index> shape_of(ExpressionId id, int depth = 0) const {
    const Expression& e = m_syntax.at(id);
    constexpr std::array makers{"tensor", "array", "asarray", "LongTensor", "IntTensor", "BoolTensor"};
    if (e.kind == ExpressionKind::call && e.operands.size() > 1 && depth == 0 &&
        std::ranges::count(makers, name_of_call(e)) > 0)
      return shape_of(e.operands[1], depth + 1);
    if (e.kind != ExpressionKind::tuple || e.operands.empty() || depth > most_sides_of_text) return {};
    std::vector<Index> shape{static_cast<Index>(e.operands.size())};
    const auto inner = shape_of(e.operands[0], depth + 1);
    shape.insert(shape.end(), inner.begin(), inner.end());
    return shape;
  }

  void read_shapes() {
    for (const Statement& statement : m_syntax.statements)
      if (statement.kind == StatementKind::assign && statement.targets.size() == 1 && !statement.unpacks &&
          statement.value != no_expression)
        m_shapes[statement.targets[0]] = shape_of(statement.value);
  }

  void read_sides() {
    read_shapes();
    std::map<std::string, TextSide::By> indices{{"b", TextSide::By::batch},
                                                {"h", TextSide::By::head},
                                                {"q_idx", TextSide::By::query},
                                                {"kv_idx", TextSide::By::key}};
    for (const Function& function : m_syntax.functions)
      for (std::size_t i = 0; i < 4 && function.parameters.size() == 4; ++i)
        indices[function.parameters[i].name] = static_cast<TextSide::By>(i);
    for (const Expression& e : m_syntax.expressions) {
      if (e.kind != ExpressionKind::index) continue;
      const Expression& owner = m_syntax.at(e.operands[0]);
      if (owner.kind == ExpressionKind::name) add_sides(e, owner.name, indices);
    }
  }

  void add_sides(const Expression& e, const std::string& array, const std::map<std::string, TextSide::By>& indices) {
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      if (e.operands[i] == no_expression) continue;
      const Expression& index = m_syntax.at(e.operands[i]);
      const auto by = index.kind == ExpressionKind::name ? indices.find(index.name) : indices.end();
      if (by == indices.end()) continue;
      TextSide side{array, i - 1, by->second};
      if (const auto shape = m_shapes.find(array); shape != m_shapes.end() && side.side < shape->second.size())
        side.size = shape->second[side.side];
      m_sizes.sides.push_back(std::move(side));
    }
  }

  const Syntax& m_syntax;
  const std::map<std::string, Index>& m_integers;
  std::map<std::string, Index> m_constants;
  std::map<std::string, std::vector<std::optional<Index>>> m_tensors;  ///< their sides, where they are known
  std::map<std::string, std::vector<Index>> m_shapes;                  ///< of arrays that the text sets
  TextSizes m_sizes;
};

}  // namespace
}  // namespace vqscope::language

namespace vqscope {
namespace {

/// The lengths of arrays that tokens index, if nothing else gives any.
void take_lengths_of_arrays(TextSizes& sizes) {
  if (sizes.queries || sizes.keys) return;
  const auto take = [&](std::optional<NamedCount>& into, const TextSide& side) {
    NamedCount count{*side.size, fmt::format("{} has {} tokens", side.array, *side.size)};
    if (!into)
      into = std::move(count);
    else if (into->count != count.count && !sizes.contrary)
      sizes.contrary = NamedCount{count.count, fmt::format("{}, but {}", count.phrase, into->phrase)};
  };
  for (const TextSide& side : sizes.sides) {
    if (!side.size || *side.size < 1) continue;
    if (side.by == TextSide::By::query) take(sizes.queries, side);
    if (side.by == TextSide::By::key) take(sizes.keys, side);
  }
}

/// The sides of a mask that is an array hold, whatever else the text says.
void take_shape_of_mask(TextSizes& sizes, std::vector<Index> shape) {
  if (shape.empty()) return;
  // A batch of masks without heads is [B, Q, KV].
  if (shape.size() == 3) shape.insert(shape.begin() + 1, 1);
  shape.insert(shape.begin(), 4 - shape.size(), 1);
  const auto take = [&](std::optional<NamedCount>& into, Index count, const char* what) {
    if (count <= 1) return;
    NamedCount side{count, fmt::format("the text's mask has {} {}", count, what)};
    if (into && into->count != count && into->count > 1)
      sizes.overruled = NamedCount{into->count, fmt::format("{}, but {}", into->phrase, side.phrase)};
    into = std::move(side);
  };
  take(sizes.batch, shape[0], "samples");
  take(sizes.heads, shape[1], "heads");
  take(sizes.queries, shape[2], "rows");
  take(sizes.keys, shape[3], "columns");
  if (!sizes.queries) sizes.queries = sizes.keys;  // one row for all queries
  sizes.contrary.reset();
}

/// The size of a side of an array that is given.
std::optional<Index> given_side(const ParameterValues& values, const TextSide& side) {
  const auto* value = values.find(free_name_key(side.array));
  const auto* numbers = value ? std::get_if<std::vector<Index>>(value) : nullptr;
  if (!numbers || numbers->empty()) return {};
  std::vector<Index> shape{static_cast<Index>(numbers->size())};
  if (const auto* given = values.find(array_shape_key(side.array)))
    if (const auto* sides = std::get_if<std::vector<Index>>(given); sides && !sides->empty()) shape = *sides;
  return side.side < shape.size() ? std::optional(shape[side.side]) : std::nullopt;
}

TextSizes sizes_of_text(std::string_view text, const std::map<std::string, Index>& integers) {
  if (text.size() > language::max_text) return {};
  const language::Parsed parsed = language::parse(text);
  if (parsed.error) return {};
  return language::SizeReader(parsed.syntax, integers).read();
}

}  // namespace

TextSizes text_sizes(std::string_view text, const std::map<std::string, Index>& integers) {
  TextSizes sizes = sizes_of_text(text, integers);
  take_lengths_of_arrays(sizes);
  return sizes;
}

std::string length_warning(std::string_view name, Index length, const std::optional<NamedCount>& of_text) {
  if (!of_text || of_text->count == length) return {};
  return fmt::format("{} is {}, but {}", name, length, of_text->phrase);
}

std::map<std::string, std::string> length_warnings(const ParameterValues& values) {
  const TextSizes sizes = text_sizes_of(values);
  std::map<std::string, std::string> warnings;
  const auto warn_of = [&](const char* name, const std::optional<NamedCount>& size) {
    const auto* set = values.find(name);
    const auto* length = set ? std::get_if<Index>(set) : nullptr;
    if (!length || *length <= 0) return;
    if (auto warning = length_warning(name, *length, size); !warning.empty())
      warnings.emplace(name, std::move(warning));
  };
  warn_of("q_length", sizes.queries);
  warn_of("kv_length", sizes.keys);
  return warnings;
}

TextSizes text_sizes_of(const ParameterValues& values) {
  const auto* mask = values.find("mask");
  const auto* text = values.find("mask_text");
  if (!mask || !text || *mask != ParameterValue(std::string(text_mask_id))) return {};
  std::map<std::string, Index> integers;
  for (const auto& [key, value] : values.map())
    if (const std::string_view name = free_name_of(key); !name.empty())
      if (const auto* number = std::get_if<Index>(&value)) integers[std::string(name)] = *number;
  TextSizes sizes = sizes_of_text(std::get<std::string>(*text), integers);
  for (TextSide& side : sizes.sides)
    if (!side.size) side.size = given_side(values, side);
  take_shape_of_mask(sizes, text_mask_shape(values));
  take_lengths_of_arrays(sizes);
  return sizes;
}

}  // namespace vqscope
