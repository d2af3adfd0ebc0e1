// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/layout_bands.h"

namespace vqscope {
namespace {

using Runs = std::span<const TokenRun>;

/// Terms, and the key token that row 0 is.
struct Terms {
  std::span<const TermPtr> all;
  Index past_len = 0;
};

/// Neighbouring runs that differ in document and position only, as one.
std::vector<TokenRun> without_documents(Runs runs) {
  std::vector<TokenRun> merged;
  for (const auto& run : runs) {
    if (!merged.empty() && merged.back().valid == run.valid)
      merged.back().tokens.end = run.tokens.end;
    else
      merged.push_back(run);
  }
  return merged;
}

void append_pair(const TokenRun& q, const TokenRun& kv, const Terms& terms, std::vector<Band>& bands) {
  Band band = Band::whole(q.tokens, kv.tokens);
  const auto narrow = [&](const TermPtr& term) { return term->narrow(q, kv, terms.past_len, band); };
  if (std::ranges::all_of(terms.all, narrow)) bands.push_back(band);
}

/// Calls append(q, bands) for each run of queries; one that sees nothing gets an empty band.
template <class Append>
std::vector<Band> bands_of_each(Runs q_runs, const Append& append) {
  std::vector<Band> bands;
  for (const auto& q : q_runs) {
    const std::size_t before = bands.size();
    append(q, bands);
    if (bands.size() == before) bands.push_back(Band::whole(q.tokens, {}));
  }
  return bands;
}

std::vector<Band> all_pairs(Runs q_runs, Runs kv_runs, const Terms& terms) {
  return bands_of_each(q_runs, [&](const TokenRun& q, std::vector<Band>& bands) {
    for (const auto& kv : kv_runs) append_pair(q, kv, terms, bands);
  });
}

/// By document_id + 1; a document is one run, and so is the padding.
std::vector<const TokenRun*> runs_by_document(Runs runs) {
  std::vector<const TokenRun*> found;
  for (const auto& run : runs) {
    const auto document = static_cast<std::size_t>(run.document + 1);
    if (found.size() <= document) found.resize(document + 1);
    found[document] = &run;
  }
  return found;
}

std::vector<Band> document_pairs(Runs q_runs, Runs kv_runs, const Terms& terms, bool pass_others) {
  const auto by_document = runs_by_document(kv_runs);
  const Index kv_length = kv_runs.back().tokens.end;
  return bands_of_each(q_runs, [&](const TokenRun& q, std::vector<Band>& bands) {
    const auto document = static_cast<std::size_t>(q.document + 1);
    const auto* kv = document < by_document.size() ? by_document[document] : nullptr;
    if (!kv) return;
    const auto append_others = [&](Range keys) {
      if (pass_others && keys.size() > 0) bands.push_back(Band::whole(q.tokens, keys));
    };
    append_others({0, kv->tokens.begin});
    append_pair(q, *kv, terms, bands);
    append_others({kv->tokens.end, kv_length});
  });
}

}  // namespace

std::vector<Band> layout_bands(const SequenceLayout& layout, std::span<const TermPtr> terms, Pairs pairs) {
  const auto q_runs = layout.q_runs();
  const auto kv_runs = layout.kv_runs();
  const Terms narrowing{terms, layout.past_len()};
  if (pairs != Pairs::all) return document_pairs(q_runs, kv_runs, narrowing, pairs == Pairs::same_document_or_pass);
  if (std::ranges::any_of(terms, [](const TermPtr& term) { return term->compares_positions(); }))
    return all_pairs(q_runs, kv_runs, narrowing);
  // Documents make no difference then.
  return all_pairs(without_documents(q_runs), without_documents(kv_runs), narrowing);
}

}  // namespace vqscope
