// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/subject.h"

#include <string>

namespace vqscope {

/// The subject's queries, keys and values in words.
struct ShownTensors {
  std::string text;      ///< "q.npy, k.npy · [4, 512, 64] · head 2", "v.npy cannot be read"; empty: there are none
  std::string lines;     ///< "q: /data/q.npy is [4, 512, 64]", one for each, or why it cannot be read
  bool is_lost = false;  ///< one of them cannot be read
};

/// Opens the files, but reads no numbers.
ShownTensors shown_tensors(const Subject& subject);

/// Whether their files are there, without opening them.
bool are_tensors_there(const Subject& subject);

}  // namespace vqscope
