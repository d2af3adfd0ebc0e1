// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/report_date.h"

#include <array>
#include <ctime>

namespace vqscope {

std::string reportDate() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &utc);
  return text.data();
}

}  // namespace vqscope
