#!/usr/bin/env bash
# Keeps what runs before a deployment, for rollback.sh: remember.sh <folder>
#
# The stack's template names its code by objects of the artifact bucket, which are named after their content and
# stay. With it and the values of all parameters, the release before can be had again without building it.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/deploy/environment.sh

folder=$1
mkdir -p "$folder"
if ! status=$(described StackStatus --output text 2> "$folder/error"); then
  # Not being there is the only thing that may be wrong here: after any other failure nothing could be put back.
  grep -q 'does not exist' "$folder/error" || { cat "$folder/error" >&2; exit 1; }
  echo "There is no stack $stack yet: nothing could be put back."
  exit
fi
case $status in
  REVIEW_IN_PROGRESS)
    echo "The stack $stack has never been deployed: nothing could be put back."
    exit
    ;;
  CREATE_COMPLETE | UPDATE_COMPLETE | UPDATE_ROLLBACK_COMPLETE | IMPORT_COMPLETE | IMPORT_ROLLBACK_COMPLETE) ;;
  CREATE_FAILED | ROLLBACK_COMPLETE | ROLLBACK_FAILED)
    echo "The first deployment has failed. Remove it: aws cloudformation delete-stack --stack-name $stack" >&2
    exit 1
    ;;
  *)
    echo "The stack $stack is $status: bring it to an end first." >&2
    exit 1
    ;;
esac
# JSON, which is YAML, too: the ending that SAM takes a file of parameters under.
described Parameters --output json \
  | python3 -c 'import json, sys
json.dump({p["ParameterKey"]: p["ParameterValue"] for p in json.load(sys.stdin) or []}, sys.stdout)' \
  > "$folder/parameters.yaml"
# Original: as it was uploaded, before SAM's translation.
aws cloudformation get-template --stack-name "$stack" --template-stage Original --query TemplateBody \
  --output text > "$folder/template.yaml"
echo "The stack $stack is kept in $folder."
