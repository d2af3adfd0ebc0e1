// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/row/additive.h"
#include "core/method/method.h"
#include "core/session/subject/token_texts.h"

#include <string>
#include <vector>

namespace vqscope {

/// The same row in other samples and heads of a batch, where it sees other keys.
struct RowElsewhere {
  std::string places;  ///< "samples 1, 2"
  RowReport row;       ///< of no keys where the sample is padding alone
};

/// Output of `vqscope row` for one row.
struct RowOutput {
  const Method* method = nullptr;
  ParameterValues values;
  std::shared_ptr<const Mask> mask;
  RowReport row;
  AdditiveFormat format;
  std::vector<Range> listed;  ///< keys of the table: sorted, disjoint
  TokenTexts tokens;          ///< of the keys; empty: not known
  Index past = 0;             ///< tokens before the first query
  std::string place = {};     ///< "sample 0 of 3"; empty: there is one
  std::vector<RowElsewhere> elsewhere = {};
};

/// The keys around the first and last visible key and the query's own; all keys if there are few.
std::vector<Range> keysOfInterest(const Mask& mask, const RowReport& row);

/// Plain text: a summary, then the table in columns.
std::string rowAsText(const RowOutput& output);

/// For programs: ranges are [begin, end); numbers that JSON cannot express are the texts "-inf" and
/// "nan".
std::string rowAsJson(const RowOutput& output);

}  // namespace vqscope
