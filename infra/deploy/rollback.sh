#!/usr/bin/env bash
# Puts back what remember.sh kept: rollback.sh <folder>
#
# CloudFormation goes back by itself only when an update fails. Once an update is complete there is no way back but
# another update: `rollback-stack` refuses, and so does `cancel-update-stack`. So the template before is deployed
# again, with the parameters before; its code is still in the artifact bucket, so that exactly what ran before runs
# again within minutes and nothing has to be built.
#
# Code and settings go back, data does not: whoever changes how something is stored lets one release read both forms
# before another one writes the new form.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/deploy/environment.sh

folder=$1
if [ ! -s "$folder/template.yaml" ]; then
  echo "Nothing ran before: the stack $stack stays as it is, to be looked at." >&2
  exit 1
fi

# A deployment that was cut off goes on without us; only a stack at rest can be changed.
for _ in $(seq 120); do
  status=$(described StackStatus --output text)
  case $status in *_IN_PROGRESS) sleep 15 ;; *) break ;; esac
done
case $status in
  UPDATE_ROLLBACK_COMPLETE)
    echo "CloudFormation has put the release before back itself."
    exit
    ;;
  CREATE_COMPLETE | UPDATE_COMPLETE | IMPORT_COMPLETE | IMPORT_ROLLBACK_COMPLETE) ;;
  *)
    echo "The stack $stack is $status: it needs somebody." >&2
    exit 1
    ;;
esac

# Every parameter is given: one that is not would keep what the failed release has set.
deploy --template-file "$folder/template.yaml" --parameter-overrides "file://$folder/parameters.yaml"
echo "The release before runs again."
