# What cmake --install puts beside the program, and the Debian package (cpack -G DEB).
include(GNUInstallDirs)

# The first entry of the changelog is this version: "## 0.2.0 (2026-11-29)".
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md releases REGEX "^## [0-9]")
list(GET releases 0 release)
if(NOT release MATCHES "^## ([0-9.]+) \\(([0-9-]+)\\)$" OR NOT CMAKE_MATCH_1 VERSION_EQUAL PROJECT_VERSION)
  message(FATAL_ERROR "CHANGELOG.md begins with ${release}, but the version is ${PROJECT_VERSION}")
endif()
set(VQSCOPE_RELEASE_DATE ${CMAKE_MATCH_2})

set(doc ${CMAKE_INSTALL_DATAROOTDIR}/doc/vqscope)
install(TARGETS vqscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/resources/desktop/copyright DESTINATION ${doc})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/docs/guide DESTINATION ${doc} FILES_MATCHING PATTERN *.md)
install(FILES ${PROJECT_SOURCE_DIR}/resources/docs/GLOSSARY.md DESTINATION ${doc})
# To copy from: capturing in a program where nothing can be installed, and CI of others.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/capture ${PROJECT_SOURCE_DIR}/resources/ci DESTINATION ${doc}/examples
  PATTERN *.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The program prints its manual page and its completions: they are what its commands are.
set(printed ${PROJECT_BINARY_DIR}/printed)
install(CODE "
  file(MAKE_DIRECTORY \"${printed}\")
  foreach(each \"vqscope.1|help --man\" \"vqscope|completion bash\" \"_vqscope|completion zsh\" \"vqscope.fish|completion fish\")
    string(REPLACE \"|\" \";\" each \"\${each}\")
    list(GET each 0 name)
    list(GET each 1 words)
    separate_arguments(words)
    execute_process(COMMAND \"$<TARGET_FILE:vqscope>\" \${words} OUTPUT_FILE \"${printed}/\${name}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  # Debian's zsh looks into a folder of its own for packages.
  set(zsh \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(zsh /usr/${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions)
  endif()
  file(INSTALL \"${printed}/_vqscope\" DESTINATION \"\${zsh}\")
")
install(FILES ${printed}/vqscope.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${printed}/vqscope DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
install(FILES ${printed}/vqscope.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)

# The Python client, with what pip and pytest look for: its name, its version and its plugin.
set(python lib/python3/dist-packages)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/app/python/vqscope DESTINATION ${python} FILES_MATCHING PATTERN *.py)
set(info ${PROJECT_BINARY_DIR}/python/vqscope-${PROJECT_VERSION}.dist-info)
file(CONFIGURE OUTPUT ${info}/METADATA CONTENT "Metadata-Version: 2.1\nName: vqscope\nVersion: ${PROJECT_VERSION}\n" @ONLY)
file(CONFIGURE OUTPUT ${info}/INSTALLER CONTENT "vqscope\n" @ONLY)
file(CONFIGURE OUTPUT ${info}/entry_points.txt CONTENT "[pytest11]\nvqscope = vqscope.pytest_plugin\n" @ONLY)
install(DIRECTORY ${info} DESTINATION ${python})

if(VQSCOPE_BUILD_GUI)
  set(metainfo ${PROJECT_BINARY_DIR}/org.vqscope.VQScope.metainfo.xml)
  configure_file(${PROJECT_SOURCE_DIR}/resources/desktop/org.vqscope.VQScope.metainfo.xml.in ${metainfo} @ONLY)
  install(FILES ${metainfo} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/metainfo)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/vqscope.desktop DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/applications)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/desktop/vqscope-mime.xml DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/mime/packages
    RENAME vqscope.xml)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/vqscope.svg
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME vqscope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see how attention knows about position")
set(CPACK_PACKAGE_DESCRIPTION "VQScope shows attention masks, position encodings, the layers of a
model and vector-quantised attention, exact at any length, in a window and
from the command line. It lints masks from files, Python and CI, explains
each masked key, and exports figures and numbers.")
set(CPACK_PACKAGE_VENDOR VQScope)
set(CPACK_PACKAGE_CONTACT "the authors of VQScope <vqscope@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, python3-pytest")
if(VQSCOPE_BUILD_GUI)
  # Plugins that no library of the program names: icons as SVG, and windows on a pure Wayland desktop.
  # The window and the figures are set in DejaVu.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6svg6, fonts-dejavu-core")
  string(PREPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, ")
endif()
include(CPack)
