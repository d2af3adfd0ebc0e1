// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vqscope {

/// 16 hexadecimal digits of a list of texts: FNV-1a, 64 bits (Fowler, Noll and Vo). Two lists that
/// differ in one byte have different digits.
class Fingerprint {
 public:
  /// Texts are separated: "ab", "c" differs from "a", "bc".
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0xff);
  }
  std::string text() const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hexadecimal;
    for (int shift = 60; shift >= 0; shift -= 4) hexadecimal += digits[(m_state >> shift) & 15];
    return hexadecimal;
  }

 private:
  void add_byte(unsigned char byte) {
    m_state ^= byte;
    m_state *= 0x100000001b3;
  }
  std::uint64_t m_state = 0xcbf29ce484222325;
};

}  // namespace vqscope
