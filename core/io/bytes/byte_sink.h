// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace vqscope {

/// Destination of a writer's bytes: a file, a buffer, a pipe.
class ByteSink {
 public:
  ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual ~ByteSink() = default;

  /// All of the bytes, or Errc::io with the reason.
  virtual Result<void> write(std::string_view bytes) = 0;
};

/// Keeps everything; for the clipboard and for tests.
class StringSink : public ByteSink {
 public:
  Result<void> write(std::string_view bytes) override {
    m_text += bytes;
    return {};
  }
  const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

}  // namespace vqscope
