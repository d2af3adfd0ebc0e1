// SPDX-License-Identifier: GPL-3.0-or-later
// The values that each library uses from a config, as a table.
#pragma once

#include <string>
#include <vector>

namespace vqscope {

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

}  // namespace vqscope
