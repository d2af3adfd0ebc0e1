// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/term.h"

#include "core/base/text.h"

namespace vqscope {
namespace {

class KeyValid : public Term {
 public:
  std::string name() const override { return "key_valid"; }
  bool holds(const Token&, const Token& kv) const override { return kv.valid; }
  std::string why_not(const Token&, const Token& kv) const override {
    return "key " + to_text(kv.index) + " is padding";
  }
  bool narrow(const TokenRun&, const TokenRun& kv, Index, Band&) const override { return kv.valid; }
};

class SameDocument : public Term {
 public:
  std::string name() const override { return "same_document"; }
  bool holds(const Token& q, const Token& kv) const override { return q.document == kv.document; }
  std::string why_not(const Token& q, const Token& kv) const override {
    const auto entry = [](const Token& token) {
      return "document_id[" + to_text(token.index) + "] = " + to_text(token.document);
    };
    return entry(kv) + ", " + entry(q) + ", expected equal";
  }
  bool narrow(const TokenRun& q, const TokenRun& kv, Index, Band&) const override { return q.document == kv.document; }
  bool compares_documents() const override { return true; }
};

/// A query and a key as numbers that can be ordered: positions, or token indices where the query is padding.
struct Order {
  Index q = 0;
  Index kv = 0;
  const char* unit;  ///< "pos" or "idx"

  std::string q_text() const { return std::string("q_") + unit + " " + to_text(q); }
  std::string kv_text() const { return std::string("kv_") + unit + " " + to_text(kv); }
};

/// What all terms on positions share: padding on either side.
class PositionTerm : public Term {
 public:
  bool compares_positions() const final { return true; }
  bool holds(const Token& q, const Token& kv) const final {
    return (q.valid && !kv.valid) || compare(order(q, kv), kv);
  }
  std::string why_not(const Token& q, const Token& kv) const final {
    return why_order(order(q, kv)) + (q.valid ? "" : "; the query is padding, ordered by its token");
  }
  bool narrow(const TokenRun& q, const TokenRun& kv, Index past_len, Band& band) const final {
    if (!q.valid)
      cut(kv, past_len, band);
    else if (kv.valid)
      cut(kv, kv.tokens.begin - kv.first + q.first - q.tokens.begin, band);
    return true;
  }

 protected:
  virtual bool compare(const Order& order, const Token& kv) const = 0;
  virtual std::string why_order(const Order& order) const = 0;
  /// In the block of two runs the key that the query is level with stands in column q + same.
  virtual void cut(const TokenRun& kv, Index same, Band& band) const = 0;

 private:
  static Order order(const Token& q, const Token& kv) {
    return q.valid ? Order{q.position, kv.position, "pos"} : Order{q.index, kv.index, "idx"};
  }
};

class Prefix : public PositionTerm {
 public:
  explicit Prefix(Index length) : m_length(length) {}
  std::string name() const override { return "prefix"; }

 protected:
  bool compare(const Order& order, const Token& kv) const override {
    return (kv.valid && kv.position < m_length) || order.kv <= order.q;
  }
  std::string why_order(const Order& order) const override {
    return order.kv_text() + " > " + order.q_text() + " and not in the prefix of " + to_text(m_length);
  }
  void cut(const TokenRun& kv, Index same, Band& band) const override {
    const Range& keys = kv.tokens;
    const Index in_prefix = kv.valid ? m_length - kv.first : 0;
    const Index prefix_end = std::clamp(keys.begin + in_prefix, keys.begin, keys.end);
    band.hi = min(band.hi, Ramp{same + 1, prefix_end, keys.end});
  }

 private:
  Index m_length;
};

class Causal : public PositionTerm {
 public:
  std::string name() const override { return "causal"; }

 protected:
  bool compare(const Order& order, const Token&) const override { return order.kv <= order.q; }
  std::string why_order(const Order& order) const override { return order.kv_text() + " > " + order.q_text(); }
  void cut(const TokenRun& kv, Index same, Band& band) const override {
    band.hi = min(band.hi, Ramp{same + 1, kv.tokens.begin, kv.tokens.end});
  }
};

class SlidingWindow : public PositionTerm {
 public:
  explicit SlidingWindow(Index window) : m_window(window) {}
  std::string name() const override { return "sliding_window"; }

 protected:
  bool compare(const Order& order, const Token&) const override { return order.q - order.kv < m_window; }
  std::string why_order(const Order& order) const override {
    return std::string("q_") + order.unit + " - kv_" + order.unit + " = " + to_text(order.q - order.kv) +
           ", expected < " + to_text(m_window);
  }
  void cut(const TokenRun& kv, Index same, Band& band) const override {
    band.lo = max(band.lo, Ramp{same + 1 - m_window, kv.tokens.begin, kv.tokens.end});
  }

 private:
  Index m_window;
};

}  // namespace

TermPtr key_valid_term() { return std::make_shared<KeyValid>(); }
TermPtr same_document_term() { return std::make_shared<SameDocument>(); }
TermPtr causal_term() { return std::make_shared<Causal>(); }

TermPtr prefix_term(Index prefix_length) {
  assert(prefix_length >= 0);
  return std::make_shared<Prefix>(prefix_length);
}

TermPtr sliding_window_term(Index window) {
  assert(window >= 1);
  return std::make_shared<SlidingWindow>(window);
}

}  // namespace vqscope
