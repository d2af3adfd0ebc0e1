// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/row/additive.h"
#include "core/method/method.h"

namespace vqscope {

/// What `vqscope row` writes of one row.
struct RowOutput {
  const Method* method = nullptr;
  ParameterValues values;
  std::shared_ptr<const Mask> mask;
  RowReport row;
  AdditiveFormat format;
  std::vector<Range> listed;  ///< keys of the table: sorted, disjoint
};

/// Where there is something to see: around the first key, the last, and the row's own; all keys where they are few.
std::vector<Range> tellingKeys(const Mask& mask, const RowReport& row);

/// For people: a summary, then the table in columns.
std::string rowAsText(const RowOutput& output);

/// For programs: ranges are [begin, end); numbers that JSON does not have are the texts "-inf" and "nan".
std::string rowAsJson(const RowOutput& output);

}  // namespace vqscope
