// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope {

/// Use of a tensor that is read. Numbers need a real dtype; flags may also be bool or one-byte
/// integers; cells of a mask and lists may have any known dtype.
enum class TensorUse { numbers, flags, cells };

}  // namespace vqscope
