# shellcheck shell=bash disable=SC2154
# Hosts of the service on this machine, to be sourced after tools.sh: what they work on, and what holds them to
# account.

# Programs that Cargo has built.
programs=$(cd "${CARGO_TARGET_DIR:-target}/debug" && pwd)

# start <name> <program> …: in the background, with its output in the scratch folder
start() {
  local name=$1
  shift
  "$@" > "$scratch/$name.out" 2> "$scratch/$name.log" &
  started+=($!)
}
# fail <what>: with the end of every log
fail() {
  echo "FAIL $1"
  tail -n 20 "$scratch"/*.log
  exit 1
}
# answering <URL> <seconds>: waits until something answers there
answering() {
  for _ in $(seq $(($2 * 2))); do
    curl -s -o "$scratch/answer" --max-time 600 "$1" && return
    sleep 0.5
  done
  fail "nothing answers at $1"
}

# embedded [port of the host]: DynamoDB, S3 and SQS on free ports, and their environment; queues feed the host
embedded() {
  local options=(--dynamodb-port "$(free_port)" --s3-port "$(free_port)" --sqs-port "$(free_port)")
  [ -z "${1:-}" ] || options+=(--base-url "http://127.0.0.1:$1/v1" --feed "http://127.0.0.1:$1")
  start aws "$programs/prompt-workflow" aws --data-dir "$scratch/data" "${options[@]}"
  for _ in $(seq 120); do [ -s "$scratch/aws.out" ] && break; sleep 0.5; done
  [ -s "$scratch/aws.out" ] || fail "the embedded services do not start"
  . "$scratch/aws.out"
}

# every_event <how to invoke>: each file of events/, as it stands and with a key, to the function that its trigger
# belongs to. An event of the API goes where its path leads, one of a queue to the function that the queue feeds, and
# neither may fail.
every_event() {
  local file function event
  for file in events/*.json; do
    function=$(python3 infra/proof/event_target.py "$file")
    sed "s/{api_key}/$API_KEY/" "$file" > "$scratch/event.json"
    for event in "$file" "$scratch/event.json"; do
      "$@" "$function" "$event" > "$scratch/result.json" 2> "$scratch/invoke.log" || {
        cat "$scratch/invoke.log"
        fail "$file: $function was not invoked"
      }
      python3 infra/proof/event_target.py "$event" "$scratch/result.json" || fail "$file: $function answers wrongly"
    done
    echo "ok   $file: $function"
  done
}
