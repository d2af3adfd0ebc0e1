// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `published_quality`: tables 3 to 5 of Transformer-VQ by year of publication.
Method published_quality_method();

}  // namespace vqscope
