# SPDX-License-Identifier: GPL-3.0-or-later
# The three lines with the smallest edit distance to `given`, separated by commas.

function distance(a, b,    i, j, row, diagonal, above) {
  for (j = 0; j <= length(b); j++) row[j] = j
  for (i = 1; i <= length(a); i++) {
    diagonal = row[0]
    row[0] = i
    for (j = 1; j <= length(b); j++) {
      above = row[j]
      row[j] = diagonal + (substr(a, i, 1) != substr(b, j, 1))
      if (above + 1 < row[j]) row[j] = above + 1
      if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1
      diagonal = above
    }
  }
  return row[length(b)]
}

{ apart[$0] = distance(given, $0) }

END {
  for (told = 0; told < 3; told++) {
    best = ""
    for (name in apart) if (best == "" || apart[name] < apart[best]) best = name
    if (best == "") break
    printf "%s%s", told ? ", " : "", best
    delete apart[best]
  }
}
