# What ./dev sanitize and ./dev fuzz do; read by ./dev, whose words and steps it uses.
#
#   asan    C++ tests; addresses and undefined behaviour
#   tsan    C++ tests; threads
#   python  Python tests of the core; as asan

# Python tests that drive the core, with a sanitized _core in a package and an environment of its own:
# the editable install would lead back to the ordinary one.
SANITIZED_TESTS=(tests/oracle tests/unit/index tests/unit/test_kernels.py tests/unit/test_kernels_search.py
  tests/properties/test_index.py tests/properties/test_buffers.py tests/properties/test_metric.py
  tests/properties/test_snapshot.py tests/golden tests/scenarios/test_index_threads.py
  tests/scenarios/test_index_interrupts.py)

python_sanitized() {
  local build=build/asan-python root site library preload=() entry
  root=build/asan-python/environment
  step "cmake (asan-python)" cmake --preset asan-python "-DPython_EXECUTABLE=$(command -v python)" \
    "-Dpybind11_DIR=$(python -m pybind11 --cmakedir)" || return 1
  step "compile _core (asan-python)" cmake --build --preset asan-python -j "$(nproc)" || return 1
  rm -rf "$root" && mkdir -p "$root/package/scrubjay"
  python -m venv --without-pip "$root/venv"
  site=$("$root/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  printf '%s\n' "$PWD/$root/package" "$(python -c 'import pytest; print(pytest.__path__[0])')/.." \
    >"$site/scrubjay.pth"
  for entry in python/scrubjay/*; do
    [[ $entry == *_core*.so ]] || ln -s "$PWD/$entry" "$root/package/scrubjay/"
  done
  cp "$build"/_core*.so "$root/package/scrubjay/"
  for library in libasan.so libstdc++.so; do
    preload+=("$("${CXX:-c++}" -print-file-name=$library)")
  done
  # CPython keeps what it allocates until it ends, which is no leak of ours.
  step "Python tests (asan)" env "LD_PRELOAD=${preload[*]}" PYTHONMALLOC=malloc \
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
    "$root/venv/bin/python" -m pytest -q -m "not slow" -n "$(nproc)" -p no:cacheprovider "${SANITIZED_TESTS[@]}"
}

sanitize() {
  local part bad=0
  [[ ${1:-} != --quick ]] || set -- tsan
  (($# > 0)) || set -- asan tsan python
  for part in "$@"; do
    case $part in
      asan | tsan) cpp_tests "$part" || bad=1 ;;
      python) python_sanitized || bad=1 ;;
      *) fail "unknown part: $part; expected asan, tsan, python or --quick" ;;
    esac
  done
  ((bad == 0)) || fail "a sanitizer has something to say; see above."
}

# What makes a target fail is kept in build/fuzz/found; inputs that reached something new stay in
# build/fuzz/corpus, beside the small ones of cpp/fuzz/corpus. Snapshots start from the golden files.
fuzz() {
  local targets=() corpus=() seconds=60 source target argument
  for argument in "$@"; do
    if [[ $argument =~ ^[0-9]+$ ]]; then seconds=$argument; else targets+=("${argument%_fuzz}_fuzz"); fi
  done
  if ((${#targets[@]} == 0)); then
    for source in cpp/fuzz/*_fuzz.cpp; do targets+=("$(basename "$source" .cpp)"); done
  fi
  libfuzzer
  step "cmake (fuzz)" cmake --preset fuzz
  step "compile (fuzz)" cmake --build --preset fuzz -j "$(nproc)" --target "${targets[@]}"
  for target in "${targets[@]}"; do
    corpus=("build/fuzz/corpus/$target")
    [[ ! -d cpp/fuzz/corpus/$target ]] || corpus+=("cpp/fuzz/corpus/$target")
    mkdir -p "${corpus[0]}" build/fuzz/found
    [[ $target != snapshot_fuzz ]] || cp tests/golden/index/*.sji "${corpus[0]}"
    step "$target, $seconds s" "build/fuzz/$target" -max_total_time="$seconds" -max_len=65536 \
      -rss_limit_mb=2048 -artifact_prefix=build/fuzz/found/ "${corpus[@]}"
  done
}

# clang with its fuzzer library, which some distributions keep in a package of its own.
libfuzzer() {
  local probe='extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
  mkdir -p build
  command -v clang++ >/dev/null || apt_install clang
  if ! clang++ -fsanitize=fuzzer -x c++ - -o build/libfuzzer-probe <<<"$probe" 2>/dev/null; then
    apt_install "libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"
  fi
  rm -f build/libfuzzer-probe
}
