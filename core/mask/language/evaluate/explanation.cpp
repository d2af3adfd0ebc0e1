// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/explanation.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr std::size_t longest_quote = 80;  // characters

class Explainer {
 public:
  Explainer(const MaskProgram& program, const PlainEvaluator& evaluated)
      : m_program(program), m_code(program.code()), m_evaluated(evaluated) {}

  std::string sentence(NodeId id, bool wanted, int depth) {
    const Node& node = m_code.at(id);
    if (depth > 20) return plain(node.range, wanted);
    if (is_left_out(node)) return "its branches are left out";
    if (is_one_side(node)) return sentence(node.a, wanted, depth + 1);
    switch (node.op) {
      case Op::logical_and:
      case Op::and_then: return wanted ? first_of(node, false, wanted, depth) : all_of(node, wanted, depth);
      case Op::logical_or:
      case Op::or_else: return wanted ? all_of(node, wanted, depth) : first_of(node, true, wanted, depth);
      case Op::logical_not: return sentence(node.a, !wanted, depth + 1);
      case Op::select:
      case Op::where:
        if (node.is_bool) return sentence(value(node.a) ? node.b : node.c, wanted, depth + 1);
        break;
      case Op::to_bool: return fmt::format("{}, expected {}", described(node.a), wanted ? "not 0" : "0");
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::equal:
      case Op::not_equal: return comparison(node, id, wanted);
      case Op::variable:
        if (static_cast<Variable>(node.value) == Variable::key_valid)
          return fmt::format("key {}{}", m_evaluated.kv(),
                             wanted ? " is padding" : " is not padding, expected padding");
        break;
      default: break;
    }
    return plain(node.range, wanted);
  }

 private:
  /// An `or` of which without_branches() has removed all sides, or one.
  static bool is_left_out(const Node& node) { return node.op == Op::constant && node.is_bool && node.depth > 1; }
  static bool is_one_side(const Node& node) {
    return (node.op == Op::logical_or || node.op == Op::or_else) && node.a == node.b;
  }

  Index value(NodeId id) const { return m_evaluated.known(id).value_or(0); }
  std::string text(Range range) const { return shortened(on_one_line(m_program.text(), range), longest_quote); }

  /// Describes the operand that decided.
  std::string first_of(const Node& node, bool decides, bool wanted, int depth) {
    return sentence((value(node.a) != 0) == decides ? node.a : node.b, wanted, depth + 1);
  }

  std::string all_of(const Node& node, bool wanted, int depth) {
    return fmt::format("{} and {}", sentence(node.a, wanted, depth + 1), sentence(node.b, wanted, depth + 1));
  }

  std::string plain(Range range, bool wanted) const {
    return text(range) + (wanted ? " is False" : " is True, expected False");
  }

  /// "document_id[5] = 0".
  std::string described(NodeId id, Range range) const {
    const Node& node = m_code.at(id);
    const std::string number = to_text(value(id));
    if (const auto name = document_name(node)) return fmt::format("{} = {}", *name, number);
    if (node.op == Op::element)
      return fmt::format("{} = {}", element_name(m_code.arrays[static_cast<std::size_t>(node.value)], value(node.a)),
                         number);
    return fmt::format("{} = {}", text(range), number);
  }
  std::string described(NodeId id) const { return described(id, m_code.at(id).range); }

  /// "document_id[5]" of q_doc or kv_doc, where the queries are keys and the text has no array of
  /// that name.
  std::optional<std::string> document_name(const Node& node) const {
    const bool of_query = node.value == static_cast<Index>(Variable::q_doc);
    if (node.op != Op::variable || (!of_query && node.value != static_cast<Index>(Variable::kv_doc))) return {};
    if (std::ranges::count(m_code.arrays, "document_id", &ArrayUse::name) > 0) return {};
    const Environment& environment = m_evaluated.environment();
    const Index token = of_query ? m_evaluated.q() + environment.past_len : m_evaluated.kv();
    const auto& ids = of_query ? environment.q_doc : environment.kv_doc;
    const bool is_key =
        token < environment.extent.cols && environment.kv_doc->at(token) == ids->at(of_query ? m_evaluated.q() : token);
    return is_key ? std::optional("document_id[" + to_text(token) + "]") : std::nullopt;
  }

  bool is_known_number(NodeId id) const {
    const Op op = m_code.at(id).op;
    return op == Op::constant || op == Op::parameter;
  }

  std::string border(NodeId id, Range range) const {
    return m_code.at(id).op == Op::constant ? to_text(m_code.at(id).value) : described(id, range);
  }

  static std::string symbol_of(Op op) { return std::string(operator_of(op)->symbol); }

  static Op opposite(Op op) {
    switch (op) {
      case Op::less: return Op::greater_equal;
      case Op::less_equal: return Op::greater;
      case Op::greater: return Op::less_equal;
      case Op::greater_equal: return Op::less;
      case Op::equal: return Op::not_equal;
      default: return Op::equal;
    }
  }

  static Op mirrored(Op op) {
    switch (op) {
      case Op::less: return Op::greater;
      case Op::less_equal: return Op::greater_equal;
      case Op::greater: return Op::less;
      case Op::greater_equal: return Op::less_equal;
      default: return op;
    }
  }

  std::string comparison(const Node& node, NodeId id, bool wanted) const {
    // The place of this comparison: its operands may also occur elsewhere.
    const auto& all = m_code.comparisons;
    const auto found = std::ranges::find(all, id, &Comparison::node);
    const Range left = found == all.end() ? m_code.at(node.a).range : found->left_range;
    const Range right = found == all.end() ? m_code.at(node.b).range : found->right_range;
    // For fractions the operands are multiples that do not occur in the text.
    if (left == right) return plain(found == all.end() ? node.range : found->range, wanted);
    const Op op = wanted ? node.op : opposite(node.op);
    if (is_known_number(node.b))
      return fmt::format("{}, expected {} {}", described(node.a, left), symbol_of(op), border(node.b, right));
    if (is_known_number(node.a))
      return fmt::format("{}, expected {} {}", described(node.b, right), symbol_of(mirrored(op)), border(node.a, left));
    const std::string first = described(node.a, left), second = described(node.b, right);
    if (op == Op::equal) return fmt::format("{}, {}, expected equal", first, second);
    if (op == Op::not_equal) return fmt::format("{}, {}, expected different", first, second);
    return fmt::format("{} {} {}", first, symbol_of(opposite(op)), second);
  }

  const MaskProgram& m_program;
  const Code& m_code;
  const PlainEvaluator& m_evaluated;
};

}  // namespace

std::string on_one_line(std::string_view text, Range range) {
  std::string line;
  for (const char c : text.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()))) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\\';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

std::string explain(const MaskProgram& program, const PlainEvaluator& evaluated, NodeId node, bool wanted) {
  return Explainer(program, evaluated).sentence(node, wanted, 0);
}

}  // namespace vqscope::language
