//! `cargo run -p admin`: the operator's tool, for a deployment and for a data folder.

mod accounts;
mod failure;
mod keys;
mod library;
mod operations;
mod options;
mod output;
mod progress;
mod queues;
mod table;
mod target;
mod usage;
mod webhooks;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use edge::runtime::init_logging;
use failure::Failure;
use options::{Command, Options};
use output::Output;
use target::Target;

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::parse();
    init_logging("error");
    match run(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit_code()
        }
    }
}

async fn run(options: Options) -> Result<(), Failure> {
    let Options { command, target, json, yes } = options;
    let output = Output { json, yes };
    if let Command::Completions { shell } = command {
        clap_complete::generate(shell, &mut Options::command(), "admin", &mut std::io::stdout());
        return Ok(());
    }
    let secret = std::env::var("SERVER_SECRET").ok();
    let previous = std::env::var("SERVER_SECRET_PREVIOUS").ok();
    let target = Target::open(target, secret, previous).await?;
    let done = match command {
        Command::Completions { .. } => Ok(()),
        Command::Accounts(command) => accounts::run(command, &target, &output).await,
        Command::Queues(command) => queues::run(command, &target, &output).await,
        Command::Keys(command) => keys::run(command, &target, &output).await,
        Command::Operations(command) => operations::run(command, &target, &output).await,
        Command::Usage { csv, model_month, prices } => {
            usage::run(csv, model_month, &prices, &target, &output).await
        }
        Command::Table(command) => table::run(command, &target, &output).await,
        Command::Webhooks(command) => webhooks::run(command, &target, &output).await,
        Command::Library(command) => library::run(command, &target, &output).await,
    };
    target.close().await;
    done
}
