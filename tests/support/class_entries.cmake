# Read by ctest with these variables: `room`, `program`, `names` (a file with one class of the program per line) and
# `environment`.
if(EXISTS "${names}" AND EXISTS "${program}")
  file(STRINGS "${names}" classes)
else()
  add_test("${room}.not_built" "${program}")
endif()
foreach(class IN LISTS classes)
  add_test("${class}" "${program}" "${class}")
  set_tests_properties("${class}" PROPERTIES LABELS "${room}" ENVIRONMENT "${environment}")
endforeach()
unset(classes)
