# shellcheck shell=bash
# What the steps of a deployment share, to be sourced from the root of the repository.
#
# ENVIRONMENT names a section of samconfig.toml. EXECUTION_ROLE is the role that CloudFormation changes the stack
# with; without it, that is whoever is signed in. BOUNDARY is the policy that bounds the functions' roles, which that
# role demands.

: "${ENVIRONMENT:?dev, staging or prod}"

# setting <name>: of the environment's deployment, as samconfig.toml has it
setting() {
  python3 -c 'import os, sys, tomllib
with open("samconfig.toml", "rb") as file:
    print(tomllib.load(file)[os.environ["ENVIRONMENT"]]["deploy"]["parameters"][sys.argv[1]])' "$1"
}

stack=$(setting stack_name)

# described <query>: of the stack
described() {
  aws cloudformation describe-stacks --stack-name "$stack" --query "Stacks[0].$1" "${@:2}"
}

# use_operator: gives the operator's tool its variables; the output is a line for a shell, made by our own template
use_operator() {
  eval "$(described "Outputs[?OutputKey=='Operator'].OutputValue | [0]" --output text)"
}

# deploy <options of sam deploy>: nobody is there to confirm a change set; the environment's reviewers have
deploy() {
  sam deploy --config-env "$ENVIRONMENT" --no-confirm-changeset \
    ${EXECUTION_ROLE:+--role-arn "$EXECUTION_ROLE"} "$@"
}
