//! `operations`: shows the record of one, and ends one that no attempt is running.

use std::time::Duration;

use domain::{AccountId, Operation, OperationId, Problem};
use serde_json::{Value, json};
use store::{
    Store,
    operations::settlement::{Ending, Settled},
};

use crate::{failure::Failure, options::OperationsCommand, output::Output, target::Target};

/// Lease for ending an operation.
const LEASE: Duration = Duration::from_secs(60);
/// The API's error code of such an operation.
const FAILED: &str = "internal_error";

pub async fn run(
    command: OperationsCommand,
    target: &Target,
    output: &Output,
) -> Result<(), Failure> {
    let store = &target.store;
    let (account, id) = match command {
        OperationsCommand::Show { account, id } => (account, id),
        OperationsCommand::Fail { account, id, reason } => {
            let operation = find(store, account, id).await?;
            refuse_what_is_worked_on(store, &operation)?;
            output.confirm(&format!(
                "Fail {} {id} of {}?",
                operation.kind.as_str(),
                target.name
            ))?;
            fail(store, &operation, reason).await?;
            (account, id)
        }
    };
    output.show(&to_json(&find(store, account, id).await?));
    Ok(())
}

async fn find(store: &Store, account: AccountId, id: OperationId) -> Result<Operation, Failure> {
    let found = store.operation_record(account, id).await?;
    found.ok_or_else(|| Failure::NotFound(format!("operation {id} of account {account}")))
}

fn refuse_what_is_worked_on(store: &Store, operation: &Operation) -> Result<(), Failure> {
    let id = operation.id;
    if operation.status.is_final() {
        return Err(Failure::Refused(format!("{id} has ended: {}.", operation.status.as_str())));
    }
    if !operation.is_claimable(store.clock().now()) {
        let until = operation.lease_until;
        return Err(Failure::Refused(format!("{id} is being worked on, until {until} at most.")));
    }
    Ok(())
}

/// Takes a lease of the operation, like any processor, and fails that attempt.
async fn fail(store: &Store, operation: &Operation, message: String) -> Result<(), Failure> {
    let Operation { account, id, .. } = *operation;
    let overtaken = || Failure::Refused(format!("{id} was started meanwhile; nothing was done."));
    let attempt = store.claim(account, id, LEASE).await?.ok_or_else(overtaken)?;
    let code = FAILED.to_owned();
    match store.settle(&attempt, &Ending::Failure(Problem { code, message }.into())).await? {
        Settled::Done(_) => Ok(()),
        _ => Err(overtaken()),
    }
}

fn to_json(operation: &Operation) -> Value {
    json!({
        "id": operation.id,
        "account": operation.account,
        "kind": operation.kind.as_str(),
        "status": operation.status.as_str(),
        "asynchronous": operation.asynchronous,
        "attempt": operation.attempt,
        "leaseUntil": operation.lease_until,
        "createdAt": operation.created_at(),
        "startedAt": operation.started_at,
        "completedAt": operation.completed_at,
        "expiresAt": operation.expires_at(),
        "creditsUsed": operation.credits_used(),
        "creditsSince": operation.period,
        "uploads": operation.uploads,
        "errorCode": operation.problem.as_ref().map(|failure| &failure.problem.code),
        "errorMessage": operation.problem.as_ref().map(|failure| &failure.problem.message),
    })
}
