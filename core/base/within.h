// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace vqscope {

/// The same error with the place that it is in, such as a file's name, before its sentence.
inline Error within(const std::string& place, const Error& error) {
  return {error.code, place + ": " + error.message, error.detail};
}

}  // namespace vqscope
