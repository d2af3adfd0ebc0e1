// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a text's functions and values is its mask.
#include "core/base/text.h"
#include "core/mask/language/compile/mask_function.h"
#include "core/mask/language/compile/module_compiler.h"
#include "core/mask/language/compile/tensor/tensor.h"
#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/compile/used_names.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr std::size_t longest_list = 160;  // characters of names in a sentence

}  // namespace

ExpressionId ModuleCompiler::handed_over(ExpressionId id) const {
  const Expression& e = m_c.at(id);
  if (e.kind == ExpressionKind::ternary) return handed_over(e.operands[1]);
  if (e.kind != ExpressionKind::call) return no_expression;
  const Expression& callee = m_c.at(e.operands[0]);
  const bool is_wrapped = callee.kind == ExpressionKind::call && callee.operands.size() > 1;  // torch.compile(f)(...)
  const std::string& name = is_wrapped ? m_c.at(callee.operands[1]).name : callee.name;
  const Value* own = m_c.top->find(name);
  if ((own ? makes_block_mask(*own) : language::makes_block_mask(name)) &&
      (callee.kind == ExpressionKind::name || callee.kind == ExpressionKind::attribute || is_wrapped))
    if (const ExpressionId mask = mask_argument(e); mask != no_expression) return mask;
  // flex_attention(query, key, value, block_mask=create_block_mask(...))
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "block_mask" || e.keywords[i - 1] == "mask")
      if (const ExpressionId inner = handed_over(e.operands[i]); inner != no_expression) return inner;
  return no_expression;
}

void ModuleCompiler::hand_over(ExpressionId mask) {
  const Value value = compile_expression(m_c, mask, *m_c.top);
  if (m_c.failed()) return;
  m_handed = {m_c.written(m_c.at(mask).range), value, m_c.at(mask).range, {}};
}

bool ModuleCompiler::is_maskable(const Value& value) {
  if (value.kind == Value::Kind::callable && value.callable->kind == Callable::Kind::known) return false;
  if (value.kind == Value::Kind::callable)
    return value.callable->kind != Callable::Kind::written || is_mask(m_c, *value.callable->function) ||
           is_factory(m_c, *value.callable->function);
  if (value.kind == Value::Kind::tensor) return value.tensor->sides() > 1 && value.tensor->size() > 1;
  return value.kind == Value::Kind::node && differs_by_cell(m_c, value.node);
}

Value ModuleCompiler::chosen_mask() {
  const auto take = [&](const Candidate& candidate) {
    if (candidate.value.kind == Value::Kind::broken) m_c.out.error = *candidate.value.error;
    m_c.out.code.mask = candidate.name;
    m_c.result_range = candidate.range;
    return candidate.value;
  };
  if (!m_c.given.mask.empty()) {
    // If a name is assigned twice, the last value counts.
    const auto named = std::find_if(m_candidates.rbegin(), m_candidates.rend(),
                                    [&](const Candidate& candidate) { return candidate.name == m_c.given.mask; });
    if (named != m_candidates.rend()) {
      (void)by_reading();
      return take(*named);
    }
    std::vector<std::string> names;
    for (const Candidate& candidate : m_candidates) names.push_back(candidate.name);
    return m_c.fail({}, "the text has no mask {}; it has {}", shortened(m_c.given.mask),
                    names.empty() ? "no named mask" : shortened(join(names, ", "), longest_list));
  }
  if (m_handed) return take(*m_handed);
  if (m_expression) return take(*m_expression);
  if (const Candidate* read = by_reading()) return take(*read);
  return no_mask();
}

/// The last mask that no other mask uses: helpers can come before or after their users.
const ModuleCompiler::Candidate* ModuleCompiler::by_reading() {
  const auto is_used = [&](const Candidate& candidate) {
    return std::ranges::any_of(m_candidates, [&](const Candidate& other) {
      const bool is_later = &other > &candidate;
      return other.name == candidate.name ? is_later : other.uses.contains(candidate.name);
    });
  };
  const Candidate* last = nullptr;
  for (const Candidate& candidate : m_candidates) {
    if (is_used(candidate)) continue;
    m_c.out.code.masks.push_back(candidate.name);
    last = &candidate;
  }
  if (!last && !m_candidates.empty()) last = &m_candidates.back();
  if (last && m_c.out.code.masks.size() > 1)
    m_c.warn(last->range, "the text has several masks: {}; {} is shown, mask_function (--name) chooses another",
             shortened(join(m_c.out.code.masks, ", "), longest_list), shortened(last->name));
  return last;
}

std::vector<std::string> ModuleCompiler::parameters_to_give(const Function& defined) {
  const auto operands = operand_names(m_c.syntax);
  std::vector<std::string> arrays, integers;
  for (const Parameter& parameter : defined.parameters) {
    const std::string& name = parameter.name;
    if (parameter.gathers || parameter.default_value != no_expression || m_c.is_word(name)) continue;
    const bool is_array = m_c.array_names.contains(name) || m_c.sliced.contains(name);
    if (is_array && m_c.given.arrays.contains(name)) continue;
    if (is_array &&
        m_c.array_place({.kind = Value::Kind::free_name, .name = name}, IndexedBy::other, parameter.range) >= 0)
      arrays.push_back(name);
    const bool is_integer = std::ranges::count(m_c.out.code.integers, name, &IntegerUse::name) > 0;
    const auto own = m_c.given.integers.find(name);
    const bool has_value = own != m_c.given.integers.end() && own->second != not_given;
    if (is_array || has_value || (!operands.contains(name) && !is_integer)) continue;
    (void)m_c.integer_parameter({.kind = Value::Kind::free_name, .name = name}, parameter.range);
    integers.push_back(name);
  }
  return arrays.empty() ? integers : arrays;
}

Value ModuleCompiler::returned_array(const Function& defined) {
  const Value* function = m_c.top->find(defined.name);
  const bool is_function = function && function->kind == Value::Kind::callable && function->callable->function;
  const Value value = is_function ? unfold(m_c, *function->callable) : Value{};
  const bool is_array = !m_c.failed() && value.kind == Value::Kind::tensor && is_maskable(value);
  if (!is_array) {
    const auto why = std::exchange(m_c.out.error, std::nullopt);
    const auto missing = parameters_to_give(defined);
    if (m_c.failed()) return {};
    if (missing.empty() && why && why->lacks_value) {
      m_c.out.error = *why;
    } else if (missing.empty()) {
      const bool has_arrays = std::ranges::any_of(
          defined.parameters, [&](const Parameter& each) { return m_c.given.arrays.contains(each.name); });
      m_c.fail(defined.range, "the mask {} takes (b, h, q_idx, kv_idx), found {} other parameters{}",
               shortened(defined.name), defined.parameters.size(),
               why && has_arrays ? "; as a function of arrays: " + why->message : "");
    } else {
      m_c.fail(defined.range, "{} is a function of arrays and integers that returns the mask; give {}",
               shortened(defined.name), shortened(join(missing, ", "), longest_list));
      m_c.out.error->lacks_value = true;
    }
    return {};
  }
  m_c.out.code.mask = defined.name;
  m_c.out.code.functions.push_back(defined.name);
  m_c.result_range = defined.range;
  return value;
}

Value ModuleCompiler::no_mask() {
  if (m_first_error) {
    m_c.out.error = m_first_error;
    return {};
  }
  if (m_constant.kind == Value::Kind::node) return m_constant;
  const auto is_own = [&](const Statement& one) {
    return one.kind == StatementKind::define && one.range.begin < m_library;
  };
  const auto& all = m_c.syntax.statements;
  if (const auto last = std::find_if(all.rbegin(), all.rend(), is_own); last != all.rend())
    return returned_array(m_c.function(*last));
  return m_c.fail({}, "there is no mask in the text; end it with an expression or a return");
}

}  // namespace vqscope::language
