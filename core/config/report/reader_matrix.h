// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace vqscope {

// The values that each library uses from a config, as a table.

struct ReaderCell {
  std::string value;
  bool differs = false;     ///< from what the config means, as Hugging Face reads it
  std::string consequence;  ///< one sentence, if it differs; without a full stop
};

/// One fact, with a cell for each reader.
struct ReaderRow {
  std::string fact;    ///< "rope_theta", "attention factor"
  std::string layers;  ///< layers of that name; empty: all
  std::vector<ReaderCell> cells;
};

struct ReaderMatrix {
  std::vector<std::string> readers;  ///< "Hugging Face 4", "Hugging Face 5", "vLLM", …
  std::vector<ReaderRow> rows;
};

/// The table in columns, differing cells marked with *, then a line for each difference. Empty for
/// an empty table.
std::string readers_text(const ReaderMatrix& matrix);

}  // namespace vqscope
