// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/sequence/xl_segments.h"

#include <string>

namespace vqscope {

/// A chosen query and key.
struct XlPair {
  Index query = 0;
  Index key = 0;
};

/// "layer 3 at 900 → layer 2 at 819 → layer 1 at 614 → input at 500", without the middle of a long path; empty
/// if there is no path.
std::string describe_path(const std::vector<XlHop>& path);

/// One sentence: whether the key influences the query, from which layer on, by which path, and
/// whether gradient flows back.
std::string describe_pair(const XlSegments& segments, const XlPair& pair);

/// For the inspector: facts, then that sentence.
CellReport report_pair(const XlSegments& segments, const XlPair& pair);

}  // namespace vqscope
