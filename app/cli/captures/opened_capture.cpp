// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/captures/opened_capture.h"

#include "app/process/console.h"

namespace vqscope {

Result<Capture> openedCapture(const std::string& path) {
  auto capture = Capture::open(path);
  if (capture)
    for (const std::string& remark : capture->remarks) noteOfInput(remark);
  return capture;
}

}  // namespace vqscope
