// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A file of tensors of a capture or of another program's dump.
struct DumpFile {
  std::string path;
  std::string name;  ///< what a tensor without a name of its own is called: "model.layers.3.self_attn.attn"
  std::optional<Index> step, layer;
  Index rank = 0;
};

/// From the name of a file and the folder that holds it: layerNNN and stepSSSS_layerNNN, SGLang's PassNNNNN.pt and
/// its dumper's KEY=VALUE___KEY=VALUE.pt, vLLM's MODULE/inputs_I_cuda_0.pt; else its name without the suffix.
/// `module`: the folder where it is one of a module; else empty.
DumpFile dump_file_of(const std::string& path, const std::string& module = {});

struct DumpFiles {
  std::vector<DumpFile> files;       ///< by name
  std::vector<std::string> remarks;  ///< what was left out
};

/// The files of a folder; where it has none of its own, those of its folders of steps, ranks and modules. Of
/// several ranks the first is taken.
Result<DumpFiles> files_of_dump(const std::string& folder);

/// Whether folders within `folder` look like those of a dump: by names alone, some hundred of them.
bool has_dump_folders(const std::string& folder);

}  // namespace vqscope
