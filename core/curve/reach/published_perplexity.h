// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `published_perplexity`: tables of papers as they stand there, against length. Nothing is computed.
Method published_perplexity_method();

}  // namespace vqscope
