// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vqscope {

/// The formats that are read. `unread`: another one, or nothing at all.
enum class FileKind { npy, npz, torch, pickle, safetensors, gguf, png, json, csv, text, unread };

/// What a file is, as a sentence says it: "a NumPy array", "an HTML page", "empty".
struct KnownFile {
  FileKind kind = FileKind::unread;
  std::string what;

  bool has_tensors() const {
    using enum FileKind;
    return kind == npy || kind == npz || kind == torch || kind == pickle || kind == safetensors;
  }
};

}  // namespace vqscope
