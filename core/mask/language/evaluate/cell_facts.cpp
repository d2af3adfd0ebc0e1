// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/cell_facts.h"

#include "core/base/text.h"
#include "core/mask/language/names/known_names.h"

#include <set>

namespace vqscope::language {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string or_padding(bool valid, Index value) { return valid ? to_text(value) : "padding"; }

/// The array of the text that holds the document of each key; null: there is none.
const BoundArray* documents_of_text(const MaskProgram& program, const Environment& known) {
  const auto& arrays = program.arrays();
  for (const std::string_view name : document_array_names())
    for (std::size_t i = 0; i < arrays.size(); ++i)
      if (arrays[i].name == name && known.arrays[i]->size() == known.extent.cols) return known.arrays[i].get();
  return nullptr;
}

void add_documents(const MaskProgram& program, const Environment& known, Index q, Index kv, Facts& facts) {
  const Code& code = program.code();
  const bool several = known.kv_doc->bounds({0, known.extent.cols}).high > 0;
  if (several || depends_on(code, Variable::q_doc) || depends_on(code, Variable::kv_doc)) {
    facts.emplace_back("q_doc", or_padding(known.q_doc->at(q) >= 0, known.q_doc->at(q)));
    facts.emplace_back("kv_doc", or_padding(known.key_valid->at(kv) != 0, known.kv_doc->at(kv)));
    return;
  }
  const BoundArray* documents = documents_of_text(program, known);
  if (!documents) return;
  // Queries that are not among the keys belong to another sequence.
  if (const Index token = q + known.past_len; token < known.extent.cols)
    facts.emplace_back("q_doc", to_text(documents->at(token)));
  facts.emplace_back("kv_doc", to_text(documents->at(kv)));
}

void add_elements(const MaskProgram& program, PlainEvaluator& evaluated, Facts& facts) {
  constexpr std::size_t most = 20;
  std::set<std::string> named;
  const auto& nodes = program.code().nodes;
  for (std::size_t i = 0; i < nodes.size() && facts.size() < most; ++i) {
    const auto value = evaluated.known(static_cast<NodeId>(i));
    if (nodes[i].op != Op::element || !value) continue;
    const std::string name = element_name(program.arrays()[static_cast<std::size_t>(nodes[i].value)],
                                          evaluated.known(nodes[i].a).value_or(0));
    if (named.insert(name).second) facts.emplace_back(name, to_text(*value));
  }
}

}  // namespace

Facts cell_facts(const MaskProgram& program, const Environment& environment, const std::vector<bool>& term_on, Index q,
                 Index kv) {
  const bool valid = environment.key_valid->at(kv) != 0;
  const bool q_valid = environment.q_doc->at(q) >= 0;
  Facts facts{{"q_pos", or_padding(q_valid, environment.q_pos->at(q))},
              {"kv_pos", or_padding(valid, environment.kv_pos->at(kv))}};
  add_documents(program, environment, q, kv, facts);
  PlainEvaluator evaluator(program.code(), environment);
  evaluator.move_to(q, kv);
  for (std::size_t i = 0; i < program.terms().size(); ++i)
    if (i >= term_on.size() || term_on[i]) (void)evaluator.evaluate(program.terms()[i].node);
  add_elements(program, evaluator, facts);
  return facts;
}

}  // namespace vqscope::language
