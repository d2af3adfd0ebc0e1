// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"

#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

/// A dtype by torch's or NumPy's name.
struct TorchDtype {
  std::string name;               ///< float32, float8_e4m3fn, quint8
  std::optional<NpyDtype> known;  ///< nothing: its numbers are not read
};

/// "torch.float32", or the class of a storage, "torch.FloatStorage"; nothing for other names. Bytes
/// without a type have the name "uint8".
std::optional<TorchDtype> torch_dtype(std::string_view full_name);

/// Bytes of an element, also of one that is not read.
int element_bytes(const TorchDtype& dtype);

/// NumPy's short name and byte order: "f4", '<'.
TorchDtype array_dtype(std::string_view code, char order);

/// "has dtype complex64, which cannot be read; must be …".
Error unread_dtype(std::string_view title, std::string_view dtype);

}  // namespace vqscope
