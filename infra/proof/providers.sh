#!/bin/sh
# Asks servers of other makers through the very code that asks the providers:
#
#   1 aimock, which speaks the protocols of OpenAI, Anthropic and Bedrock
#   2 a few lines around the vendors' own Python libraries: their types read every request to the last field
#     and write the answers
#
# Needs node, npm, python3 (3.11 or later) and cargo; the servers come from npm and PyPI.
set -eu
cd "$(dirname "$0")/../.."
version=1.43.0
port=${PORT:-4010}
folder=$(mktemp -d)
npm install --silent --ignore-scripts --prefix "$folder" "@copilotkit/aimock@$version"
AIMOCK_API_KEYS=proof-key node "$folder/node_modules/@copilotkit/aimock/dist/cli.js" \
    --port "$port" --fixtures infra/proof/providers/fixtures.json --strict --validate-on-load \
    --log-level silent &
mock=$!
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check openai==3.54.0 anthropic==2.12.0
"$folder/venv/bin/python" infra/proof/providers/vendors.py $((port + 1)) &
vendors=$!
trap 'exit 1' INT TERM
trap 'kill "$mock" "$vendors"; rm -r "$folder"' EXIT
cargo build --quiet -p llm --example ask
ask=${CARGO_TARGET_DIR:-target}/debug/examples/ask

key=proof-key effort=
# The server knows keys, not AWS's signatures: Bedrock's own keys are sent as bearer tokens.
export AWS_REGION=us-east-1 AWS_BEARER_TOKEN_BEDROCK=proof-key
export AWS_ENDPOINT_URL_BEDROCK_RUNTIME="http://127.0.0.1:$port"

for server in $port $((port + 1)); do
    curl --silent --retry 20 --retry-connrefused --retry-delay 1 "http://127.0.0.1:$server/health" >"$folder/health"
done
# One pixel.
printf '%s' 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=' |
    base64 -d > "$folder/pixel.png"

failures=0
# expect <engines> <prompt> <words that the answer must have>
expect() {
    answer=$("$ask" "$2" "$folder/pixel.png" 2>/dev/null <<SETTINGS || true
ENGINE=$1
OPENAI_MODEL=gpt
OPENAI_BASE_URL=http://127.0.0.1:$port/v1
OPENAI_API_KEY=$key
ANTHROPIC_MODEL=claude
ANTHROPIC_BASE_URL=http://127.0.0.1:$port
ANTHROPIC_API_KEY=$key
ENGINE_EFFORT=$effort
BEDROCK_MODEL=anthropic.claude-sonnet-4-5-20250929-v1:0
SETTINGS
)
    case $answer in
        *"$3"*) echo "ok   $1: $2" ;;
        *) echo "FAIL $1: $2"; echo "$answer"; failures=1 ;;
    esac
}
for engine in openai anthropic bedrock; do
    expect "$engine" "Write a short text about our new kettle" "\"name\": \"$engine\""
    expect "$engine" "please be busy" "the engine is not available"
    expect "$engine" "please be wrong" "the engine gave no usable answer: malformed"
done
port=$((port + 1)) effort=low
for engine in openai anthropic; do
    expect "$engine" "Write a short text about our new kettle" "\"name\": \"$engine\""
done
port=$((port - 1)) key=wrong
expect openai "Write a short text about our new kettle" "the engine is not available"
exit $failures
