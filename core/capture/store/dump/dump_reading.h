// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/dump/dump_files.h"
#include "core/capture/store/fused_tensors.h"
#include "core/capture/store/name_map.h"

namespace vqscope {

/// Takes the tensors of files into a capture, each to its layer.
class DumpReading {
 public:
  DumpReading(NameMap names, Capture& capture) : m_names(std::move(names)), m_capture(capture) {}

  /// The tensors of a file under names that a person wrote down, of a layer, or of another program.
  Result<void> add(const DumpFile& file);
  /// Splits what is fused and gives every layer the positions of the batch, once all files are read.
  void finish();

 private:
  std::optional<ForeignTensor> place_of(const DumpFile& file, const std::string& name, const std::string& whose,
                                        bool alone) const;
  Result<void> take_batch(const std::shared_ptr<const ByteSource>& bytes, const CapturedTensor& tensor,
                          std::string_view name);

  NameMap m_names;
  Capture& m_capture;
  std::vector<FusedTensor> m_fused;
  std::optional<CapturedTensor> m_positions;  ///< of the batch, for every layer
};

/// The whole numbers of a tensor.
Result<std::vector<Index>> read_list(const std::shared_ptr<const ByteSource>& bytes, const std::string& path,
                                     const std::string& name);

}  // namespace vqscope
