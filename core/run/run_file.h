// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/method/curve_set.h"
#include "core/method/parameter.h"
#include "core/run/run_looks.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope {

// One run of an experiment, as a file.

struct Run {
  std::string id;  ///< run_id of the method and the values
  std::string method;
  ParameterValues values;  ///< all of them, as resolved
  CurveSet curves;
  double seconds = 0;     ///< wall-clock time
  std::string version;    ///< of the program
  std::string when = {};  ///< end of the run in UTC: "2026-01-31T12:00:00Z"; empty: not kept
  bool complete = true;   ///< false: it was stopped; these are the results so far
};

/// {"vqscope_run": 1, "id", "method", "parameters", "x_name", "x", "curves": [{"name", "y"}],
/// "facts", "seconds", "machine", "version", "checksum"} and the members of add_looks; "y_title",
/// "log_x" and "log_y" if the curves have them, "when" if known, and "complete": false if the run
/// was stopped. The checksum is the Fingerprint of the text with zeros in its place.
/// Numbers are the shortest texts that read back as the same; NaN and infinities, which appear as
/// gaps, are null.
std::string run_text(const Run& run);

/// A run as read from its file, for tables and charts. Older files have no "when".
struct StoredRun {
  std::string id;
  std::string method;
  std::string x_name;
  std::vector<double> x;
  std::vector<Curve> curves;  ///< each as long as x; null is NaN
  std::vector<std::pair<std::string, double>> facts;
  std::map<std::string, std::string> values = {};  ///< every parameter, as `--set` accepts it
  double seconds = 0;
  std::string version = {};
  std::string when = {};
  std::string processor = {};  ///< of the machine
  std::string y_title = {};
  bool log_x = false;
  bool log_y = false;
  bool complete = true;
  RunLooks looks = {};

  /// Whether two runs have the same results, regardless of machine, seconds and version.
  friend bool operator==(const StoredRun& a, const StoredRun& b);
};

/// Errors name missing parts and wrong types, or that the text does not match its checksum, for a
/// sentence that names the file. Older files have no checksum.
Result<StoredRun> read_run(std::string_view text);

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
