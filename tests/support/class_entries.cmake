# Read by ctest with these variables: `module`, `program`, `names` (a file with one class of the
# program per line) and `environment`.
if(EXISTS "${names}" AND EXISTS "${program}")
  file(STRINGS "${names}" classes)
else()
  add_test("${module}.not_built" "${program}")
endif()
# The longest classes are the window's and the command line's: begun last, they would run alone at
# the end.
set(cost 0)
if(module MATCHES "^(app|widgets/session|core/catalogue)")
  set(cost 1)
endif()
foreach(class IN LISTS classes)
  add_test("${class}" "${program}" "${class}")
  set_tests_properties("${class}" PROPERTIES LABELS "${module}" ENVIRONMENT "${environment}" COST ${cost})
endforeach()
unset(classes)
unset(cost)
