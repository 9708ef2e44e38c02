//! Command line of the development server.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
};

use clap::{Args, Parser, Subcommand};
use domain::Plan;

/// Runs the Prompt Workflow Service on this machine: API, processor, DynamoDB, S3 and SQS in one
/// process, without other dependencies.
#[derive(Clone, Debug, Parser)]
#[command(name = "prompt-workflow", version, args_conflicts_with_subcommands = true)]
pub struct Options {
    /// Port of the API; 0 selects a free one
    #[arg(long, default_value_t = 9400)]
    pub port: u16,
    /// Address to listen on: 0.0.0.0 for access from other machines, or from outside of a container
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    pub listen: IpAddr,
    /// Address of the API for clients, version included [default: http://127.0.0.1:PORT/v1]
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub base_url: Option<String>,
    /// Folder for all data; one server at a time
    #[arg(long, default_value = ".data", value_name = "FOLDER")]
    pub data_dir: PathBuf,
    /// Keep nothing: data, account and key are new at each start
    #[arg(long, conflicts_with = "data_dir")]
    pub ephemeral: bool,
    /// Address of DynamoDB, S3 and SQS of another maker, in place of the embedded ones
    #[arg(long, value_name = "URL")]
    pub endpoint_url: Option<String>,
    /// Plan of the initial account: free, pro, pro_plus or max
    #[arg(long, default_value = "max")]
    pub plan: Plan,
    /// No rate, credit or concurrency limits: for load tests
    #[arg(long)]
    pub unlimited: bool,
    /// Allow requests and webhooks to addresses of this machine, for development; refused on AWS
    #[arg(long)]
    pub allow_loopback: bool,
    /// Log filter for standard error, for example `info` to see every request
    #[arg(long, default_value = "warn", value_name = "FILTER", value_parser = filter)]
    pub log: String,
    /// Print the banner as one line of JSON, for scripts
    #[arg(long)]
    pub json: bool,
    /// Other commands
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Commands other than the service.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Print webhook deliveries and verify their signatures; exits with 1 on a wrong one
    Listen(Listen),
    /// Run only DynamoDB, S3 and SQS with the resources of a deployment, for functions that run
    /// elsewhere; prints their environment
    Aws(Aws),
    /// Run an API Gateway for functions under the runtime interface emulator
    Gateway(Gateway),
    /// Check the health of a service on this machine; exits with 1 if it is unhealthy
    Health(Health),
}

/// The embedded services, on fixed ports.
#[derive(Clone, Debug, Args)]
pub struct Aws {
    /// Folder for all data; one server at a time
    #[arg(long, default_value = ".data", value_name = "FOLDER")]
    pub data_dir: PathBuf,
    /// Port of DynamoDB on 127.0.0.1
    #[arg(long, default_value_t = 9401, value_parser = clap::value_parser!(u16).range(1..))]
    pub dynamodb_port: u16,
    /// Port of S3
    #[arg(long, default_value_t = 9402, value_parser = clap::value_parser!(u16).range(1..))]
    pub s3_port: u16,
    /// Port of SQS
    #[arg(long, default_value_t = 9403, value_parser = clap::value_parser!(u16).range(1..))]
    pub sqs_port: u16,
    /// Address of the API that the functions serve, version included
    #[arg(long, default_value = "http://127.0.0.1:9000/v1", value_name = "URL")]
    pub base_url: String,
    /// Plan of the initial account: free, pro, pro_plus or max
    #[arg(long, default_value = "max")]
    pub plan: Plan,
    /// Invoke functions at this address with the messages of their queues, as AWS Lambda would
    #[arg(long, value_name = "URL")]
    pub feed: Option<String>,
    /// Only print the environment
    #[arg(long)]
    pub print: bool,
}

/// An HTTP API of payload format 2.0, with the routes of `Cargo.toml`.
#[derive(Clone, Debug, Args)]
pub struct Gateway {
    /// Port on 127.0.0.1; 0 selects a free one
    #[arg(long, default_value_t = 9000)]
    pub port: u16,
    /// Address of each function's emulator
    #[arg(long, required = true, value_delimiter = ',', value_name = "NAME=URL", value_parser = function)]
    pub functions: Vec<(String, String)>,
}

/// The health check of a container.
#[derive(Clone, Debug, Args)]
pub struct Health {
    /// Port of the API
    #[arg(long, default_value_t = 9400)]
    pub port: u16,
}

fn function(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, address)) => Ok((name.to_owned(), address.to_owned())),
        None => Err("a function is NAME=URL".to_owned()),
    }
}

/// A webhook receiver for trying out deliveries.
#[derive(Clone, Debug, Args)]
pub struct Listen {
    /// Port on 127.0.0.1; 0 selects a free one
    #[arg(long, default_value_t = 9410)]
    pub port: u16,
    /// The endpoint's signing secret, as in the response to its creation
    #[arg(long, env = "WEBHOOK_SECRET", hide_env_values = true, value_name = "whsec_…")]
    pub secret: String,
    /// Status of the responses
    #[arg(long, default_value_t = 204, value_parser = clap::value_parser!(u16).range(200..600))]
    pub answer: u16,
}

fn base_url(text: &str) -> Result<String, String> {
    let text = text.trim_end_matches('/');
    let origin = text.strip_suffix("/v1").unwrap_or_default();
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && !host.contains('/') => Ok(text.to_owned()),
        _ => Err("an address is https://HOST/v1".to_owned()),
    }
}

fn filter(text: &str) -> Result<String, String> {
    edge::runtime::check_filter(text).map(|()| text.to_owned())
}

impl Options {
    /// Whether clients may be on other machines: then a loopback host name does not prove that they
    /// are on this one.
    pub fn is_hosted(&self) -> bool {
        !self.listen.is_loopback() || self.base_url.is_some()
    }

    /// The data folder, unless no data is kept.
    pub fn folder(&self) -> Option<&Path> {
        (!self.ephemeral).then_some(&*self.data_dir)
    }
}
