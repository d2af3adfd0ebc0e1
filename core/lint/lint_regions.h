// SPDX-License-Identifier: GPL-3.0-or-later
// The cells that a case expects to be visible or masked, for real queries. Memory grows with the
// number of documents, chunks and spans, not with T.
#pragma once

#include "core/lint/lint_case.h"
#include "core/mask/layout_regions.h"

#include <string>

namespace vqscope {

/// How far behind and ahead of itself a query is expected to see; any_distance if unlimited.
Index reach_behind(const LintCase& given);
Index reach_ahead(const LintCase& given);

/// Whether the case sets a window, to either side.
bool wants_window(const LintCase& given);

/// Why the expected keys are not known: "prefix_length is not set", "chunk is not set", or too many
/// chunks; empty: they are known.
std::string unknown_keys(const LintCase& given);

enum class WantedPart {
  all,
  behind,  ///< the query itself and keys behind it
  ahead,   ///< keys ahead of it: by a prefix, a span, or a window that looks ahead
};

CellSet every_cell(const LintCase& given);

/// The position of a real query: that of its id where queries branch.
Index query_position(const LintCase& given, Index row);

/// Keys that are expected to be visible; of queries that branch, the cached keys and their own key.
CellSet wanted_keys(const LintCase& given, WantedPart part = WantedPart::all);

/// The keys ahead in the query's own document that nothing allows.
CellSet forbidden_future(const LintCase& given);

/// With draft blocks: context keys at positions that the query's block must predict.
CellSet positions_to_predict(const LintCase& given);
/// With draft blocks: the queries' own keys of other blocks.
CellSet other_blocks(const LintCase& given);

/// The keys of the query's own document more than `reach` behind it that sinks do not allow. The
/// window also bounds spans: (causal or same span) and window, as in Gemma 3 and 4 since
/// transformers#46850 and vllm#47217.
CellSet beyond_window(const LintCase& given, Index reach);
/// The keys more than `reach` ahead.
CellSet ahead_of_window(const LintCase& given, Index reach);

/// The keys of the query's own document in other chunks; with an objective by chunks, those before
/// the chunks that it sees.
CellSet other_chunks(const LintCase& given);

}  // namespace vqscope
