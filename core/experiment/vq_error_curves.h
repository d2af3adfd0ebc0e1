// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `vq_error_vs_codes`: commit loss, total variation and output error against the codebook size.
Method vq_error_vs_codes_method();

/// `vq_error_vs_length`: the same against the number of tokens, for one codebook.
Method vq_error_vs_length_method();

/// `vq_error_by_token`: total variation and output error of every query.
Method vq_error_by_token_method();

}  // namespace vqscope
