# What ./dev bench-compare installs; read by ./dev, whose words and steps it uses.

# The peers live in the same .venv, apart from what the package and its tests need.
peers() {
  local stamp=.venv/scrubjay-peers wanted
  wanted=$(stamp_of bench/compare/requirements.txt)
  [[ -f $stamp && $(<"$stamp") == "$wanted" ]] && return
  step "pip install peers" python -m pip install -q -r bench/compare/requirements.txt
  echo "$wanted" >"$stamp"
}
