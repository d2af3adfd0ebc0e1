// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/pickle/pickle_value.h"

#include <map>
#include <memory>
#include <string>

namespace vqscope {

/// The data of a storage: bytes of the file in place, or of a deflated member.
struct TorchStorage {
  std::shared_ptr<const ByteSource> bytes;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// A file that torch.save wrote, or another pickle: its values, and the data beside them.
struct TorchContents {
  std::shared_ptr<const ByteSource> pickle_bytes;  ///< what the places of the pickle's texts are in
  Pickle pickle;
  std::map<std::string, TorchStorage> storages;  ///< by key
  bool big_endian = false;
};

/// A zip archive with data.pkl, and data/KEY for each storage.
Result<TorchContents> read_torch_archive(const std::shared_ptr<const ByteSource>& file);

/// A pickle, or torch's form before zip archives: pickles of a magic number, a version, the system,
/// the values and the keys, then the storages in the order of their keys.
Result<TorchContents> read_pickle_file(const std::shared_ptr<const ByteSource>& file);

}  // namespace vqscope
