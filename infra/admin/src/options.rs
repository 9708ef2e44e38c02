//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use domain::{AccountId, KeyId, LibraryId, OperationId, Plan, Scope};

/// The operator's tool of the Prompt Workflow Service.
///
/// Works on a deployment if TABLE_NAME is set, with AWS credentials and region as the AWS tools take them;
/// otherwise on the data folder of the development server, whether that runs or not.
///
/// Exit codes: 0 done, 1 failed or refused, 2 wrong command line, 3 no such thing.
#[derive(Debug, Parser)]
#[command(name = "admin", version)]
pub struct Options {
    #[command(flatten)]
    pub target: TargetOptions,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub json: bool,
    /// Do destructive things without asking
    #[arg(long, short = 'y', global = true)]
    pub yes: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// Names have 1 to 120 characters.
const NAME: fn(&str) -> Result<String, String> = |text| match text.trim() {
    name if (1..=120).contains(&name.chars().count()) => Ok(name.to_owned()),
    _ => Err("a name has 1 to 120 characters".to_owned()),
};

/// Subjects are taken as they are.
const SUBJECT: fn(&str) -> Result<String, String> = |text| match text.chars().count() {
    1..=255 => Ok(text.to_owned()),
    _ => Err("a subject has 1 to 255 characters".to_owned()),
};

/// What to work on.
#[derive(Debug, Args)]
pub struct TargetOptions {
    /// Data folder of the development server [default: .data, unless TABLE_NAME is set]
    #[arg(long, global = true, value_name = "FOLDER", conflicts_with = "table_name")]
    pub data_dir: Option<PathBuf>,
    /// Table of a deployment
    #[arg(long, global = true, env = "TABLE_NAME", value_name = "NAME")]
    pub table_name: Option<String>,
    /// Bucket of the deployment
    #[arg(long, global = true, env = "BUCKET_NAME", value_name = "NAME")]
    pub bucket_name: Option<String>,
    /// Queue of the deployment's operations
    #[arg(long, global = true, env = "OPERATIONS_QUEUE_URL", value_name = "URL")]
    pub operations_queue_url: Option<String>,
    /// Queue of the deployment's library
    #[arg(long, global = true, env = "LIBRARY_QUEUE_URL", value_name = "URL")]
    pub library_queue_url: Option<String>,
    /// Queue of the deployment's webhook events and deliveries
    #[arg(long, global = true, env = "DELIVERIES_QUEUE_URL", value_name = "URL")]
    pub deliveries_queue_url: Option<String>,
    /// Queue of the deployment's deliveries to endpoints that are slow or failing
    #[arg(long, global = true, env = "SLOW_DELIVERIES_QUEUE_URL", value_name = "URL")]
    pub slow_deliveries_queue_url: Option<String>,
    /// Queue in which the deployment's bucket tells of uploaded files
    #[arg(long, global = true, env = "UPLOAD_EVENTS_QUEUE_URL", value_name = "URL")]
    pub upload_events_queue_url: Option<String>,
    /// Address buckets by path, for endpoints of one's own
    #[arg(long, global = true, env = "S3_PATH_STYLE")]
    pub s3_path_style: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Official items, and moderation of those of the community
    #[command(subcommand)]
    Library(LibraryCommand),
    /// Accounts, their plans and their suspension
    #[command(subcommand)]
    Accounts(AccountsCommand),
    /// API keys of accounts
    #[command(subcommand)]
    Keys(KeysCommand),
    /// AI operations of an account
    #[command(subcommand)]
    Operations(OperationsCommand),
    /// How full the queues are, and what they gave up
    #[command(subcommand)]
    Queues(QueuesCommand),
    /// Webhook endpoints of all accounts
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
    /// What all accounts have used of their plans this month; reads the whole table
    Usage {
        /// Print comma-separated values (RFC 4180), with each kind of operation
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
    /// Whether the table is as this version needs it
    #[command(subcommand)]
    Table(TableCommand),
    /// Print completions for a shell, to be sourced by it
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Debug, Subcommand)]
pub enum LibraryCommand {
    /// Make the official items what a file has; importing it again changes nothing
    Import {
        /// JSON file with a list of items [default: the items that the library starts with]
        file: Option<PathBuf>,
        /// Delete imported items that are not in the file
        #[arg(long)]
        prune: bool,
    },
    /// Show an item
    Show {
        /// Its identifier
        id: LibraryId,
    },
    /// Take an item from the public, for good: no other text makes it publishable
    Block {
        /// Its identifier
        id: LibraryId,
        /// Why, for other operators
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Let a blocked item be published again
    Unblock {
        /// Its identifier
        id: LibraryId,
    },
}

#[derive(Debug, Subcommand)]
pub enum AccountsCommand {
    /// Make an account; its first key is made with `keys create`
    Create {
        /// Name under which it is shown
        #[arg(value_parser = NAME)]
        name: String,
        /// free, pro, pro_plus or max
        #[arg(long, default_value = "free")]
        plan: Plan,
    },
    /// Show an account and what it has used of its plan
    Show {
        #[command(flatten)]
        whose: AccountSelector,
    },
    /// Give an account another name; what it is the author of already keeps the old one
    Rename {
        /// Its identifier
        id: AccountId,
        /// Name under which it is shown
        #[arg(value_parser = NAME)]
        name: String,
    },
    /// Put an account on another plan, from its next request
    Plan {
        /// Its identifier
        id: AccountId,
        /// free, pro, pro_plus or max
        plan: Plan,
    },
    /// Refuse everything that an account asks, from its next request; a subject of access tokens also before
    /// its first
    Suspend {
        #[command(flatten)]
        whose: AccountSelector,
    },
    /// End a suspension
    Resume {
        /// Its identifier
        id: AccountId,
    },
}

/// An account, by its identifier or by the subject of access tokens that it belongs to.
#[derive(Debug, Args)]
pub struct AccountSelector {
    /// Its identifier
    #[arg(required_unless_present = "subject", conflicts_with_all = ["issuer", "subject"])]
    pub id: Option<AccountId>,
    /// Instead, the issuer of its access tokens, exactly as in their `iss`
    #[arg(long, value_name = "ISS", requires = "subject")]
    pub issuer: Option<String>,
    /// And their subject, exactly as in their `sub`
    #[arg(long, value_name = "SUB", requires = "issuer", value_parser = SUBJECT)]
    pub subject: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make a key and show it, once; on a deployment SERVER_SECRET must be set
    Create {
        /// Whose
        account: AccountId,
        /// What it is called
        #[arg(long, default_value = "API key", value_parser = NAME)]
        name: String,
        /// What it may do, separated by commas [default: everything]
        #[arg(long, value_delimiter = ',', value_name = "SCOPES")]
        scopes: Vec<Scope>,
        /// Days until it lapses [default: never]
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
        expires_in: Option<u32>,
    },
    /// List the keys that an account has or had
    List {
        /// Whose
        account: AccountId,
    },
    /// Revoke a key: its next request is refused
    Revoke {
        /// Whose
        account: AccountId,
        /// Which
        id: KeyId,
    },
}

#[derive(Debug, Subcommand)]
pub enum OperationsCommand {
    /// Show the record of an operation, without what it was asked and answered
    Show {
        /// Whose
        account: AccountId,
        /// Which
        id: OperationId,
    },
    /// End an operation that nobody works on; its credits are returned and its key is free again
    Fail {
        /// Whose
        account: AccountId,
        /// Which
        id: OperationId,
        /// Why, for its owner
        #[arg(long, value_name = "TEXT", value_parser = NAME,
              default_value = "The operation was ended by the operator.")]
        reason: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum WebhooksCommand {
    /// Seal signing secrets with the present server secret that still have the seal of the one before; reads the
    /// whole table. SERVER_SECRET_PREVIOUS is the one before; on a deployment SERVER_SECRET must be set, too
    ReEncrypt,
}

#[derive(Debug, Subcommand)]
pub enum TableCommand {
    /// Compare it with what this version needs
    Check,
    /// Give it what it lacks
    Migrate,
}

#[derive(Debug, Subcommand)]
pub enum QueuesCommand {
    /// Show how full each queue is
    Depth,
    /// Show messages that a queue gave up
    Dead {
        /// Which queue
        #[arg(long, default_value = "operations")]
        queue: String,
        /// Most messages to show
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
        limit: u16,
    },
    /// Hand the messages that a queue gave up to it anew
    Redrive {
        /// Which queue
        #[arg(long, default_value = "operations")]
        queue: String,
    },
}
