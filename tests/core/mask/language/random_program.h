// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "tests/support/random_numbers.h"

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace vqscope::test {

/// Texts of the mask language that are right, about anything.
class ProgramWriter {
 public:
  /// `wide`: with numbers as large as 64 bits hold, which sums and products leave.
  explicit ProgramWriter(Random& random, bool wide = false) : m_random(random), m_wide(wide) {}

  std::string text() {
    m_integers = {"q_idx", "kv_idx", "q_idx", "kv_idx", "q_pos", "kv_pos", "q_doc", "kv_doc", "window", "past_len"};
    m_bools = {"key_valid"};
    std::string body;
    std::string indent;
    const bool wraps = one_in(3);
    if (wraps) {
      body = "def mask_mod(b, h, q_idx, kv_idx):\n";
      indent = "    ";
    }
    for (Index lines = pick(m_random, 0, 3); lines > 0; --lines) {
      const std::string name = "v" + to_text(lines);
      if (one_in(2)) {
        body += indent + name + " = " + integer(3) + "\n";
        m_integers.push_back(name);
      } else {
        body += indent + name + " = " + truth(3) + "\n";
        m_bools.push_back(name);
      }
    }
    std::string result = truth(4);
    while (one_in(2)) result = "(" + result + ")" + (one_in(4) ? " and " : " & ") + "(" + truth(3) + ")";
    return body + indent + "return " + result + "\n";
  }

 private:
  bool one_in(Index n) { return pick(m_random, 1, n) == 1; }
  std::string any_of(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(pick(m_random, 0, static_cast<Index>(all.size()) - 1))];
  }

  std::string number() {
    if (m_wide && one_in(4)) return wide_number();
    return to_text(one_in(20) ? pick(m_random, -2000000000, 2000000000) : pick(m_random, 0, 12));
  }

  /// Beside a power of two, or the largest of all.
  std::string wide_number() {
    const Index power = pick(m_random, 20, 63);
    const Index beside = pick(m_random, -6, 6);
    if (power == 63) return to_text(std::numeric_limits<Index>::max() - std::abs(beside));
    return to_text((pick(m_random, 0, 1) == 0 ? -1 : 1) * ((Index{1} << power) + beside));
  }

  std::string divisor() { return m_wide && one_in(3) ? wide_number() : to_text(pick(m_random, 1, 7)); }

  std::string index() {
    if (one_in(6)) return integer(1);
    return any_of({"q_idx", "kv_idx", "kv_idx", "q_idx", "q_idx + past_len", "abs(q_idx - kv_idx)", "kv_idx // 2"});
  }

  std::string integer(int depth) {
    if (depth == 0 || one_in(4)) {
      if (one_in(4)) return number();
      if (one_in(3)) return any_of({"document_id", "values", "values", "offsets"}) + "[" + index() + "]";
      return any_of(m_integers);
    }
    const std::string a = integer(depth - 1);
    switch (pick(m_random, 0, 13)) {
      case 0:
      case 1: return "(" + a + " + " + integer(depth - 1) + ")";
      case 2:
      case 3:
      case 4: return "(" + a + " - " + integer(depth - 1) + ")";
      case 5: return "(" + a + " * " + (one_in(3) ? integer(depth - 1) : number()) + ")";
      case 6: return "(" + a + " // " + (one_in(6) ? integer(depth - 1) : divisor()) + ")";
      case 7: return "(" + a + " % " + (one_in(6) ? integer(depth - 1) : divisor()) + ")";
      case 8: return "abs(" + a + ")";
      case 9: return any_of({"min", "max", "torch.minimum"}) + "(" + a + ", " + integer(depth - 1) + ")";
      case 10: return "(" + a + ").clamp(min=" + number() + ", max=" + integer(depth - 1) + ")";
      case 11: return "torch.where(" + truth(depth - 1) + ", " + a + ", " + integer(depth - 1) + ")";
      case 12: return "(" + a + " if " + truth(depth - 1) + " else " + integer(depth - 1) + ")";
      default:
        return "(" + a + any_of({" & ", " | ", " ^ ", " << ", " >> ", " ** "}) + to_text(pick(m_random, 0, 4)) + ")";
    }
  }

  std::string truth(int depth) {
    if (depth == 0 || one_in(8)) return one_in(20) ? any_of({"True", "False"}) : any_of(m_bools);
    const std::string compared = any_of({" < ", " <= ", " > ", " >= ", " == ", " == ", " != "});
    switch (pick(m_random, 0, 11)) {
      case 0: return "((" + truth(depth - 1) + ") & (" + truth(depth - 1) + "))";
      case 1: return "((" + truth(depth - 1) + ") | (" + truth(depth - 1) + "))";
      case 2: return "(" + truth(depth - 1) + any_of({" and ", " or "}) + truth(depth - 1) + ")";
      case 3: return "(not " + truth(depth - 1) + ")";
      case 4: return "(~(" + truth(depth - 1) + "))";
      case 5: return "(" + truth(depth - 1) + " if " + truth(depth - 1) + " else " + truth(depth - 1) + ")";
      case 6: return "((" + truth(depth - 1) + ") ^ (" + truth(depth - 1) + "))";
      case 7: return "(" + integer(depth - 1) + " <= " + integer(depth - 1) + compared + integer(depth - 1) + ")";
      default: return "(" + integer(depth - 1) + compared + integer(depth - 1) + ")";
    }
  }

  Random& m_random;
  bool m_wide;
  std::vector<std::string> m_integers;
  std::vector<std::string> m_bools;
};

}  // namespace vqscope::test
