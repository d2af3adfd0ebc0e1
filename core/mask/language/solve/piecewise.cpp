// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/piecewise.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

__extension__ using Wide = __int128;

Wide floor_wide(Wide a, Wide b) {
  const Wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Appends the next piece, merging neighbours that are one line.
class Builder {
 public:
  void append(Range range, Index first, Index slope) {
    if (range.size() <= 0) return;
    if (range.size() == 1) slope = 0;
    if (!m_pieces.empty() && joins(m_pieces.back(), range, first, slope)) {
      m_pieces.back().range.end = range.end;
      return;
    }
    m_pieces.push_back({range, first, slope});
  }
  bool full() const { return m_pieces.size() > max_pieces; }
  std::optional<Pieces> take() { return full() ? std::nullopt : std::optional(std::move(m_pieces)); }

 private:
  static bool joins(const ArrayPiece& last, Range range, Index first, Index slope) {
    if (last.slope != slope) return false;
    const auto next = multiply(last.slope, range.begin - last.range.begin);
    return next && add(last.first, *next) == first;
  }
  Pieces m_pieces;
};

/// Calls body(range, pieces of a, b, c there) for each range over which none of them changes its
/// piece.
template <class Body>
void walk(const Pieces* a, const Pieces* b, const Pieces* c, const Body& body) {
  const std::array<const Pieces*, 3> all{a, b, c};
  std::array<std::size_t, 3> at{};
  const Index size = a->back().range.end;
  for (Index x = 0; x < size;) {
    Index end = size;
    std::array<const ArrayPiece*, 3> piece{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!all[i]) continue;
      while ((*all[i])[at[i]].range.end <= x) ++at[i];
      piece[i] = &(*all[i])[at[i]];
      end = std::min(end, piece[i]->range.end);
    }
    if (!body(Range{x, end}, piece)) return;
    x = end;
  }
}

/// A line over a range.
struct Line {
  Range range;
  Index first = 0;
  Index slope = 0;
  Index at(Index x) const { return first + slope * (x - range.begin); }
  Line over(Range some) const { return {some, at(some.begin), slope}; }
};

Line line_of(const ArrayPiece* piece, Range range) {
  if (!piece) return {range, 0, 0};
  return {range, piece->at(range.begin), range.size() == 1 ? 0 : piece->slope};
}

class Applier {
 public:
  Applier(const BoundProgram& program, const BoundNode& node) : m_program(program), m_node(node) {}

  /// False: too many pieces.
  bool piece(const Line& a, const Line& b, const Line& c) {
    if (a.slope == 0 && b.slope == 0 && c.slope == 0 && m_node.op != Op::element) {
      m_out.append(a.range, evaluate(m_node.op, a.first, b.first, c.first), 0);
      return !m_out.full();
    }
    switch (m_node.op) {
      case Op::add: m_out.append(a.range, a.first + b.first, a.slope + b.slope); break;
      case Op::subtract: m_out.append(a.range, a.first - b.first, a.slope - b.slope); break;
      case Op::negate: m_out.append(a.range, -a.first, -a.slope); break;
      case Op::bit_not: m_out.append(a.range, ~a.first, -a.slope); break;
      case Op::to_int: m_out.append(a.range, a.first, a.slope); break;
      case Op::multiply:
        if (a.slope != 0 && b.slope != 0) return one_by_one(a, b, c);
        if (a.slope == 0)
          m_out.append(a.range, a.first * b.first, a.first * b.slope);
        else
          m_out.append(a.range, a.first * b.first, a.slope * b.first);
        break;
      case Op::absolute:
        cut(a, where_at_most(a.first, a.slope, a.range.size(), -1), [&](const Line& part, bool negative) {
          m_out.append(part.range, negative ? -part.first : part.first, negative ? -part.slope : part.slope);
        });
        break;
      case Op::minimum:
      case Op::maximum:
      case Op::less:
      case Op::less_equal:
      case Op::equal: compared(a, b); break;
      case Op::select: m_out.append(a.range, a.first != 0 ? b.first : c.first, a.first != 0 ? b.slope : c.slope); break;
      case Op::floor_divide:
      case Op::modulo:
        if (b.slope != 0 || b.first <= 0) return one_by_one(a, b, c);
        return divided(a, b.first);
      case Op::element: return element(a);
      default: return one_by_one(a, b, c);
    }
    return !m_out.full();
  }

  std::optional<Pieces> take() { return m_out.take(); }

 private:
  /// Calls body(part, whether it is in `inside`) for the two or three parts of a line, left to
  /// right.
  template <class Body>
  static void cut(const Line& line, Range inside, const Body& body) {
    const Index begin = line.range.begin;
    const std::array<Range, 3> parts{{{begin, begin + inside.begin},
                                      {begin + inside.begin, begin + inside.end},
                                      {begin + inside.end, line.range.end}}};
    for (std::size_t i = 0; i < 3; ++i)
      if (parts[i].size() > 0) body(line.over(parts[i]), i == 1);
  }

  bool one_by_one(const Line& a, const Line& b, const Line& c) {
    if (a.range.size() > static_cast<Index>(max_pieces)) return false;
    for (Index x = a.range.begin; x < a.range.end && !m_out.full(); ++x)
      m_out.append({x, x + 1}, evaluate(m_node.op, a.at(x), b.at(x), c.at(x)), 0);
    return !m_out.full();
  }

  void compared(const Line& a, const Line& b) {
    // To avoid overflow, the difference of two 64-bit lines is computed in parts that fit.
    const auto first = subtract(a.first, b.first);
    const auto last = subtract(a.at(a.range.end - 1), b.at(b.range.end - 1));
    if (!first || !last) return void(one_by_one(a, b, {a.range}));
    const Line difference{a.range, *first, a.slope - b.slope};
    const Index count = a.range.size();
    if (m_node.op == Op::equal)
      return cut(difference, where_equal(*first, difference.slope, count, 0),
                 [&](const Line& part, bool inside) { m_out.append(part.range, inside ? 1 : 0, 0); });
    const Index limit = m_node.op == Op::less ? -1 : 0;
    cut(difference, where_at_most(*first, difference.slope, count, limit), [&](const Line& part, bool inside) {
      if (m_node.op == Op::less || m_node.op == Op::less_equal) return m_out.append(part.range, inside ? 1 : 0, 0);
      const Line& chosen = inside == (m_node.op == Op::minimum) ? a : b;
      m_out.append(part.range, chosen.at(part.range.begin), chosen.slope);
    });
  }

  /// Ranges over which the quotient is constant.
  bool divided(const Line& a, Index divisor) {
    for (Index x = a.range.begin; x < a.range.end;) {
      const Index value = a.at(x);
      const Index quotient = floor_divide(value, divisor);
      // How far the line can go before the quotient changes.
      const Index scratch = a.slope > 0 ? divisor - 1 - floor_modulo(value, divisor) : floor_modulo(value, divisor);
      const Index steps = a.slope == 0 ? a.range.end - x : scratch / (a.slope > 0 ? a.slope : -a.slope) + 1;
      const Index end = steps < a.range.end - x ? x + steps : a.range.end;
      if (m_node.op == Op::floor_divide)
        m_out.append({x, end}, quotient, 0);
      else
        m_out.append({x, end}, floor_modulo(value, divisor), a.slope);
      if (m_out.full()) return false;
      x = end;
    }
    return true;
  }

  bool element(const Line& a) {
    const BoundArray& array = *m_program.arrays[static_cast<std::size_t>(m_node.value)];
    const Index size = array.size();
    if (a.slope == 0) {
      m_out.append(a.range, a.first >= 0 && a.first < size ? array.at(a.first) : 0, 0);
      return !m_out.full();
    }
    if (a.slope != 1) {
      if (a.range.size() > static_cast<Index>(max_pieces)) return false;
      for (Index x = a.range.begin; x < a.range.end && !m_out.full(); ++x) {
        const Index at = a.at(x);
        m_out.append({x, x + 1}, at >= 0 && at < size ? array.at(at) : 0, 0);
      }
      return !m_out.full();
    }
    const Range indices{a.first, a.first + a.range.size()};
    const Range inside{std::clamp<Index>(0, indices.begin, indices.end), std::clamp(size, indices.begin, indices.end)};
    const Index shift = a.range.begin - a.first;
    m_out.append({a.range.begin, inside.begin + shift}, 0, 0);
    if (inside.size() > 0)
      for (std::size_t p = array.piece_index(inside.begin); p < array.pieces().size() && !m_out.full(); ++p) {
        const ArrayPiece& piece = array.pieces()[p];
        const Range part = common(piece.range, inside);
        if (part.size() <= 0) break;
        m_out.append({part.begin + shift, part.end + shift}, piece.at(part.begin), piece.slope);
      }
    m_out.append({std::max(inside.begin, inside.end) + shift, a.range.end}, 0, 0);
    return !m_out.full();
  }

  const BoundProgram& m_program;
  const BoundNode& m_node;
  Builder m_out;
};

Pieces whole(Index size, Index first, Index slope) { return {{{0, size}, first, slope}}; }

}  // namespace

std::size_t piece_at(const Pieces& pieces, Index x, std::size_t near) {
  for (const std::size_t p : {near, near + 1})
    if (p < pieces.size() && pieces[p].range.contains(x)) return p;
  const auto after = std::ranges::upper_bound(pieces, x, {}, [](const ArrayPiece& p) { return p.range.begin; });
  return static_cast<std::size_t>(after - pieces.begin()) - 1;
}

Range where_at_most(Index first, Index slope, Index count, Index limit) {
  if (slope == 0) return first <= limit ? Range{0, count} : Range{0, 0};
  const Wide scratch = Wide{limit} - first;
  if (slope > 0) {
    const Wide last = floor_wide(scratch, slope);
    return {0, last < 0 ? 0 : static_cast<Index>(std::min<Wide>(last + 1, count))};
  }
  // The first t with -slope * t >= -room.
  const Wide begin = -floor_wide(scratch, -Wide{slope});
  return {static_cast<Index>(std::clamp<Wide>(begin, 0, count)), count};
}

Range where_equal(Index first, Index slope, Index count, Index value) {
  const Wide missing = Wide{value} - first;
  if (slope == 0) return missing == 0 ? Range{0, count} : Range{0, 0};
  if (missing % slope != 0) return {0, 0};
  const Wide t = missing / slope;
  return t >= 0 && t < count ? Range{static_cast<Index>(t), static_cast<Index>(t) + 1} : Range{0, 0};
}

std::optional<Pieces> apply(const BoundProgram& program, const BoundNode& node, const Pieces* a, const Pieces* b,
                            const Pieces* c) {
  Applier applier(program, node);
  bool fits = true;
  walk(a, b, c, [&](Range range, const std::array<const ArrayPiece*, 3>& piece) {
    return fits = applier.piece(line_of(piece[0], range), line_of(piece[1], range), line_of(piece[2], range));
  });
  return fits ? applier.take() : std::nullopt;
}

std::optional<Pieces> weighted_sum(const Pieces& a, Index factor_a, const Pieces& b, Index factor_b) {
  Builder out;
  walk(&a, &b, nullptr, [&](Range range, const std::array<const ArrayPiece*, 3>& piece) {
    const Line x = line_of(piece[0], range);
    const Line y = line_of(piece[1], range);
    out.append(range, factor_a * x.first + factor_b * y.first, factor_a * x.slope + factor_b * y.slope);
    return !out.full();
  });
  return out.take();
}

std::vector<PiecesPtr> all_pieces(const BoundProgram& program, const std::stop_token& stop) {
  std::size_t made_in_all = 0;
  std::vector<PiecesPtr> all(program.nodes.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const BoundNode& node = program.nodes[i];
    if (node.by_q == node.by_kv || !node.exact || !is_moderate(node.bounds) || made_in_all > max_pieces_in_all)
      continue;
    if (stop.stop_requested()) break;
    const Index size = node.by_q ? program.extent.rows : program.extent.cols;
    std::array<Pieces, 3> constants;
    std::array<const Pieces*, 3> operands{};
    bool known = true;
    const std::array<NodeId, 3> ids{node.a, node.b, node.c};
    for (std::size_t k = 0; k < 3; ++k) {
      if (ids[k] == no_node) continue;
      const BoundNode& operand = program.at(ids[k]);
      if (operand.op == Op::constant) constants[k] = whole(size, operand.value, 0);
      operands[k] = operand.op == Op::constant ? &constants[k] : all[static_cast<std::size_t>(ids[k])].get();
      known = known && operands[k];
    }
    if (!known) continue;
    std::optional<Pieces> made = node.op == Op::q || node.op == Op::kv
                                     ? std::optional(whole(size, 0, size == 1 ? 0 : 1))
                                     : apply(program, node, operands[0], operands[1], operands[2]);
    made_in_all += made ? made->size() : max_pieces;
    if (made) all[i] = std::make_shared<Pieces>(std::move(*made));
  }
  return all;
}

}  // namespace vqscope::language
