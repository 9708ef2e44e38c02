//! Command line of the development server.

use std::path::{Path, PathBuf};

use clap::Parser;
use domain::Plan;

/// Runs the Prompt Workflow Service on this machine: API, processor, DynamoDB, S3 and SQS in one
/// process, nothing else needed.
#[derive(Clone, Debug, Parser)]
#[command(name = "prompt-workflow", version)]
pub struct Options {
    /// Port of the API on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 9400)]
    pub port: u16,
    /// Folder that keeps all data; one server at a time
    #[arg(long, default_value = ".data", value_name = "FOLDER")]
    pub data_dir: PathBuf,
    /// Keep nothing: data, account and key are new each time
    #[arg(long, conflicts_with = "data_dir")]
    pub ephemeral: bool,
    /// Plan of the ready account: free, pro, pro_plus or max
    #[arg(long, default_value = "max")]
    pub plan: Plan,
    /// No rate, credit or concurrency caps: for load tests
    #[arg(long)]
    pub unlimited: bool,
    /// Let requests reach addresses of this machine, for example pages to reverse-engineer
    #[arg(long)]
    pub allow_loopback: bool,
    /// What to log to standard error, for example `info` to see every request
    #[arg(long, default_value = "warn", value_name = "FILTER", value_parser = filter)]
    pub log: String,
    /// Print the banner as one line of JSON, for scripts
    #[arg(long)]
    pub json: bool,
}

fn filter(text: &str) -> Result<String, String> {
    edge::runtime::check_filter(text).map(|()| text.to_owned())
}

impl Options {
    /// The data folder, unless nothing is to be kept.
    pub fn folder(&self) -> Option<&Path> {
        (!self.ephemeral).then_some(&*self.data_dir)
    }
}
