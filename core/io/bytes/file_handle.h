// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>

namespace vqscope {

/// An open file descriptor, closed by the destructor.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int number) : m_number(number) {}
  FileHandle(FileHandle&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  ~FileHandle();

  explicit operator bool() const { return m_number >= 0; }
  int number() const { return m_number; }

 private:
  int m_number = -1;
};

/// open(2), repeated when a signal interrupts it. Without a handle, errno has the reason.
FileHandle open_handle(const std::string& path, int flags, unsigned mode = 0);
FileHandle open_handle_in(const FileHandle& folder, const std::string& name, int flags, unsigned mode = 0);

/// Meaning of an errno, to end a sentence: "the disk is full".
std::string io_reason(int error);

}  // namespace vqscope
