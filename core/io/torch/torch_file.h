// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/kind/known_file.h"
#include "core/io/torch/pickle_tree.h"
#include "core/io/torch/pickled_tensor.h"
#include "core/io/torch/torch_storage.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// A tensor whose data lies within its storage.
struct TorchTensor {
  std::shared_ptr<const ByteSource> bytes;
  NpyHeader header;
};

/// A file of pickled tensors: what torch.save wrote, in both forms, or another pickle.
class TorchFile {
 public:
  static Result<TorchFile> open(const std::shared_ptr<const ByteSource>& file, FileKind kind);

  /// All tensors, and lists of numbers beside them, in the order of the file.
  Result<std::vector<PickledLeaf>> tensors() const {
    return tensors_in(m_contents.pickle, m_contents.pickle.root, {}, true);
  }

  /// What torch.optim.Optimizer.state_dict() returns: tensors that are no masks and no vectors.
  bool is_optimizer_state() const;

  /// The tensor that a path names, or the only one within what it names, which may be a list of
  /// numbers. Names what is there otherwise. `path` becomes that of the tensor, `leading` what is
  /// left of the indices.
  Result<TorchTensor> find(std::string& path, std::vector<Index>& leading) const;

  /// The tensor as the pickle describes it.
  PickledTensor described(const PickledLeaf& leaf) const;

  /// Its sizes and strides are checked against its data. Errors begin with the tensor's path.
  Result<TorchTensor> place(const PickledLeaf& leaf) const;

 private:
  explicit TorchFile(TorchContents contents) : m_contents(std::move(contents)) {}
  Result<TorchStorage> storage_of(const PickledTensor& tensor, TorchDtype& dtype) const;
  Result<TorchTensor> array(const std::string& path, const PickledTensor& tensor) const;
  Result<std::string> bytes_of(PickleRef value) const;

  TorchContents m_contents;
};

}  // namespace vqscope
