# vqscope_moc(TARGET FILE...): what Qt's moc makes of each FILE, in TARGET: that of a source stands
# in NAME.moc, which the source includes, and that of a header is compiled. Instead of AUTOMOC,
# which lets moc read all of Qt's headers for each file of ours, and finds nothing there: with our
# own folders alone it says the same in a twentieth of the time.
function(vqscope_moc target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
  set(includes "")
  set(made "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name)
    if(file MATCHES "\\.h$")
      cmake_path(REPLACE_EXTENSION name LAST_ONLY cpp)
      set(output ${folder}/${name})
      string(APPEND includes "#include \"${name}\"\n")
    else()
      cmake_path(GET name STEM LAST_ONLY stem)
      set(output ${folder}/${stem}.moc)
    endif()
    add_custom_command(OUTPUT ${output} DEPENDS ${file} DEPFILE ${output}.d VERBATIM
      COMMAND Qt6::moc --no-notes -I${PROJECT_SOURCE_DIR} --output-dep-file --dep-file-path ${output}.d
        --dep-file-rule-name ${output} -o ${output} ${file}
      COMMENT "moc ${name}")
    list(APPEND made ${output})
  endforeach()
  set_source_files_properties(${made} PROPERTIES HEADER_FILE_ONLY ON)
  target_sources(${target} PRIVATE ${made})
  target_include_directories(${target} PRIVATE ${folder})
  if(includes)
    # One file: every file of its own would read the precompiled headers again.
    file(CONFIGURE OUTPUT ${folder}/headers_of_${target}.cpp CONTENT "${includes}" @ONLY)
    target_sources(${target} PRIVATE ${folder}/headers_of_${target}.cpp)
  endif()
endfunction()
