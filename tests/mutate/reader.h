// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/mutate/mutation.h"

#include <cstdint>
#include <functional>

namespace vqscope::mutate {

/// What a reader said of an input: sentences for a person, whether it was refused or not.
using Sentences = std::vector<std::string>;

/// What reading one input may take.
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

/// Of files with numbers and texts.
std::vector<Reader> file_readers();
/// Of configs and the heads of models, and of the command that prints what they mean.
std::vector<Reader> config_readers();
/// Of what the program keeps itself, and of its command line.
std::vector<Reader> program_readers();

}  // namespace vqscope::mutate
