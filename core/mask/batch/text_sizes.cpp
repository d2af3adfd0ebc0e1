// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/text_sizes.h"

#include "core/base/sentence.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/parse.h"
#include "core/mask/preset/presets.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace vqscope::language {
namespace {

constexpr Index most_tokens_of_text = Index{1} << 31;
constexpr int deepest_size = 64;

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
    if (e.kind != ExpressionKind::binary) return {};
    const auto a = value_of(e.operands[0], depth + 1);
    const auto b = value_of(e.operands[1], depth + 1);
    if (!a || !b) return {};
    if (e.name == "*") return multiply(*a, *b);
    if (e.name == "+") return add(*a, *b);
    if (e.name == "-") return subtract(*a, *b);
    return e.name == "//" && *a >= 0 && *b > 0 ? std::optional(*a / *b) : std::nullopt;
  }

  void set_constant(const std::string& name, ExpressionId value) {
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
    constexpr std::array makers{"ones", "zeros", "full", "empty"};
    if (std::ranges::count(makers, name_of_call(e)) == 0 || e.operands.size() < 2) return {};
    std::vector<ExpressionId> sides;
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const std::string& keyword = i - 1 < e.keywords.size() ? e.keywords[i - 1] : std::string();
      if (keyword.empty() || keyword == "size" || keyword == "shape") sides.push_back(e.operands[i]);
    }
    if (sides.empty()) return {};
    if (const Expression& first = m_syntax.at(sides[0]); first.kind == ExpressionKind::tuple) sides = first.operands;
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

  void read_sides() {
    std::set<std::string> of_batch{"b"};
    std::set<std::string> of_head{"h"};
    for (const Function& function : m_syntax.functions)
      if (function.parameters.size() == 4) {
        of_batch.insert(function.parameters[0].name);
        of_head.insert(function.parameters[1].name);
      }
    for (const Expression& e : m_syntax.expressions) {
      if (e.kind != ExpressionKind::index) continue;
      const Expression& owner = m_syntax.at(e.operands[0]);
      if (owner.kind != ExpressionKind::name) continue;
      for (std::size_t i = 1; i < e.operands.size(); ++i) {
        if (e.operands[i] == no_expression) continue;
        const Expression& index = m_syntax.at(e.operands[i]);
        if (index.kind != ExpressionKind::name) continue;
        const bool batch = of_batch.contains(index.name);
        if (batch || of_head.contains(index.name)) m_sizes.sides.push_back({owner.name, i - 1, !batch});
      }
    }
  }

  const Syntax& m_syntax;
  const std::map<std::string, Index>& m_integers;
  std::map<std::string, Index> m_constants;
  TextSizes m_sizes;
};

}  // namespace
}  // namespace vqscope::language

namespace vqscope {

TextSizes text_sizes(std::string_view text, const std::map<std::string, Index>& integers) {
  if (text.size() > language::max_text) return {};
  const language::Parsed parsed = language::parse(text);
  if (parsed.error) return {};
  return language::SizeReader(parsed.syntax, integers).read();
}

TextSizes text_sizes_of(const ParameterValues& values) {
  const auto* mask = values.find("mask");
  const auto* text = values.find("mask_text");
  if (!mask || !text || *mask != ParameterValue(std::string(text_mask_id))) return {};
  std::map<std::string, Index> integers;
  for (const auto& [key, value] : values.map())
    if (const std::string_view name = free_name_of(key); !name.empty())
      if (const auto* number = std::get_if<Index>(&value)) integers[std::string(name)] = *number;
  return text_sizes(std::get<std::string>(*text), integers);
}

}  // namespace vqscope
