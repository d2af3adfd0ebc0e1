// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/mutate/mutation.h"

#include <cstdint>
#include <functional>

namespace vqscope::mutate {

/// Messages of a reader for an input, whether it was refused or not.
using Sentences = std::vector<std::string>;

/// Limits of reading one input.
struct Limits {
  double seconds = 2;                               ///< of the processor
  std::uint64_t memory = std::uint64_t{512} << 20;  ///< bytes that the process holds
};

struct Reader {
  std::string name;
  Corpus corpus;
  std::function<Sentences(const Bytes&)> read;
  /// Mends what would end the reading at once, such as a checksum; of every second input.
  std::function<void(Bytes&)> mend = {};
  Limits limits = {};
};

/// The contents of all files of a folder of the tree.
std::vector<Bytes> files_in(const std::string& folder);

/// The length of a safetensors header becomes what it has up to its last brace.
void mend_safetensors(Bytes& bytes);

/// Readers of files with numbers and texts.
std::vector<Reader> file_readers();
/// Readers of a capture's files, one of them at a time, by all that reads captures.
std::vector<Reader> capture_readers();
/// Readers of configs and the heads of models, and of the command that explains them.
std::vector<Reader> config_readers();
/// Readers of the program's own files, and of its command line.
std::vector<Reader> program_readers();

}  // namespace vqscope::mutate
