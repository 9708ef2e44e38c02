//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use domain::{AccountId, KeyId, LibraryId, OperationId, Plan, Scope, Timestamp, prices::Prices};

/// The operator's tool of the Prompt Workflow Service.
///
/// Works on a deployment if TABLE_NAME is set, with AWS credentials and region from the usual
/// sources; otherwise on the data folder of the development server, whether that is running or not.
///
/// Exit codes: 0 success, 1 failed or refused, 2 wrong command line, 3 not found.
#[derive(Debug, Parser)]
#[command(name = "admin", version)]
pub struct Options {
    #[command(flatten)]
    pub target: TargetOptions,
    /// Print JSON instead of tables
    #[arg(long, global = true)]
    pub json: bool,
    /// Confirm destructive actions without asking
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

/// Subjects are used unchanged.
const SUBJECT: fn(&str) -> Result<String, String> = |text| match text.chars().count() {
    1..=255 => Ok(text.to_owned()),
    _ => Err("a subject has 1 to 255 characters".to_owned()),
};

/// The target of the command.
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
    /// Queue of the deployment's upload events
    #[arg(long, global = true, env = "UPLOAD_EVENTS_QUEUE_URL", value_name = "URL")]
    pub upload_events_queue_url: Option<String>,
    /// Address buckets by path, for custom S3 endpoints
    #[arg(long, global = true, env = "S3_PATH_STYLE")]
    pub s3_path_style: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Official items, and moderation of community items
    #[command(subcommand)]
    Library(LibraryCommand),
    /// Accounts, their plans and suspensions
    #[command(subcommand)]
    Accounts(AccountsCommand),
    /// API keys of accounts
    #[command(subcommand)]
    Keys(KeysCommand),
    /// AI operations of an account
    #[command(subcommand)]
    Operations(OperationsCommand),
    /// Messages in the queues and dead-letter queues
    #[command(subcommand)]
    Queues(QueuesCommand),
    /// Webhook endpoints of all accounts
    #[command(subcommand)]
    Webhooks(WebhooksCommand),
    /// Usage of all accounts this month; reads the whole table
    Usage {
        /// Print comma-separated values (RFC 4180), with each kind of operation
        #[arg(long, conflicts_with = "json")]
        csv: bool,
        /// Month of the language models' tokens, such as 2026-03, up to a year ago; all else is of this month
        #[arg(long, value_name = "MONTH", value_parser = month)]
        model_month: Option<Timestamp>,
        /// Prices of language models in dollars for a million tokens, several separated by `;`:
        /// `<engine>/<model>=<input>,<output>[,<cached input>[,<cache write>]]`
        #[arg(long, env = "MODEL_PRICES", default_value = "", hide_default_value = true)]
        prices: Prices,
    },
    /// Check and migrate the table
    #[command(subcommand)]
    Table(TableCommand),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Subcommand)]
pub enum LibraryCommand {
    /// Make the official items equal to a file; importing it again changes nothing
    Import {
        /// JSON file with an array of items [default: the initial items of the library]
        file: Option<PathBuf>,
        /// Delete imported items that are not in the file
        #[arg(long)]
        prune: bool,
    },
    /// Show an item
    Show {
        /// Identifier of the item
        id: LibraryId,
    },
    /// Block and unpublish an item; changing its text does not make it publishable
    Block {
        /// Identifier of the item
        id: LibraryId,
        /// Reason, for other operators
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Allow a blocked item to be published again
    Unblock {
        /// Identifier of the item
        id: LibraryId,
    },
}

#[derive(Debug, Subcommand)]
pub enum AccountsCommand {
    /// Create an account; create its first key with `keys create`
    Create {
        /// Display name
        #[arg(value_parser = NAME)]
        name: String,
        /// free, pro, pro_plus or max
        #[arg(long, default_value = "free")]
        plan: Plan,
    },
    /// Show an account and its usage
    Show {
        #[command(flatten)]
        whose: AccountSelector,
    },
    /// Rename an account; existing items keep the old author name
    Rename {
        /// Identifier of the account
        id: AccountId,
        /// Display name
        #[arg(value_parser = NAME)]
        name: String,
    },
    /// Change an account's plan, from its next request
    Plan {
        /// Identifier of the account
        id: AccountId,
        /// free, pro, pro_plus or max
        plan: Plan,
    },
    /// Set how much an account may keep, instead of what its plan allows; without options, what the
    /// plan allows
    Quota {
        /// Identifier of the account
        id: AccountId,
        /// Presets and library items
        #[arg(long)]
        items: Option<u32>,
        /// Bytes of presets, library items and history
        #[arg(long)]
        bytes: Option<u64>,
    },
    /// Delete an account and everything that it wrote; reads the whole table
    Erase {
        /// Identifier of the account
        id: AccountId,
    },
    /// Refuse all requests of an account, from its next request; also for a subject of access
    /// tokens that has made no request yet
    Suspend {
        #[command(flatten)]
        whose: AccountSelector,
    },
    /// End a suspension
    Resume {
        /// Identifier of the account
        id: AccountId,
    },
}

/// An account, by its identifier or by the subject of its access tokens.
#[derive(Debug, Args)]
pub struct AccountSelector {
    /// Identifier of the account
    #[arg(required_unless_present = "subject", conflicts_with_all = ["issuer", "subject"])]
    pub id: Option<AccountId>,
    /// Instead, the issuer of its access tokens, exactly as in `iss`
    #[arg(long, value_name = "ISS", requires = "subject")]
    pub issuer: Option<String>,
    /// The subject of its access tokens, exactly as in `sub`
    #[arg(long, value_name = "SUB", requires = "issuer", value_parser = SUBJECT)]
    pub subject: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Create a key and show it once; on a deployment SERVER_SECRET must be set
    Create {
        /// Identifier of the account
        account: AccountId,
        /// Name of the key
        #[arg(long, default_value = "API key", value_parser = NAME)]
        name: String,
        /// Scopes, separated by commas
        #[arg(
            long,
            value_delimiter = ',',
            value_name = "SCOPES",
            required_unless_present = "all_scopes"
        )]
        scopes: Vec<Scope>,
        /// Every scope, those of later versions excluded
        #[arg(long, conflicts_with = "scopes")]
        all_scopes: bool,
        /// Days until it expires
        #[arg(
            long,
            value_name = "DAYS",
            default_value_t = 365,
            value_parser = clap::value_parser!(u32).range(1..=3650)
        )]
        expires_in: u32,
        /// It never expires
        #[arg(long, conflicts_with = "expires_in")]
        no_expiry: bool,
    },
    /// List the keys of an account, revoked and expired ones too
    List {
        /// Identifier of the account
        account: AccountId,
    },
    /// Revoke a key: its next request is refused
    Revoke {
        /// Identifier of the account
        account: AccountId,
        /// Identifier of the key
        id: KeyId,
    },
}

#[derive(Debug, Subcommand)]
pub enum OperationsCommand {
    /// Show the record of an operation, without its input and result
    Show {
        /// Identifier of the account
        account: AccountId,
        /// Identifier of the operation
        id: OperationId,
    },
    /// Fail an operation that no attempt is running; returns its credits and frees its idempotency
    /// key
    Fail {
        /// Identifier of the account
        account: AccountId,
        /// Identifier of the operation
        id: OperationId,
        /// Reason, for the owner
        #[arg(long, value_name = "TEXT", value_parser = NAME,
              default_value = "The operation was ended by the operator.")]
        reason: String,
    },
}

#[derive(Debug, Subcommand)]
pub enum WebhooksCommand {
    /// Re-encrypt signing secrets from the previous server secret to the current one; reads the
    /// whole table. SERVER_SECRET_PREVIOUS is the previous one; on a deployment SERVER_SECRET must
    /// be set, too
    ReEncrypt,
}

#[derive(Debug, Subcommand)]
pub enum TableCommand {
    /// Compare the table with what this version needs
    Check,
    /// Add what the table lacks
    Migrate,
}

#[derive(Debug, Subcommand)]
pub enum QueuesCommand {
    /// Show the number of messages in each queue
    Depth,
    /// Show messages of a dead-letter queue
    Dead {
        /// Queue that they failed in
        #[arg(long, default_value = "operations")]
        queue: String,
        /// Most messages to show
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
        limit: u16,
    },
    /// Move the messages of a dead-letter queue back to its queue
    Redrive {
        /// Queue to move them to
        #[arg(long, default_value = "operations")]
        queue: String,
    },
}

/// The first instant of a month, such as `2026-03`.
fn month(text: &str) -> Result<Timestamp, String> {
    format!("{text}-01T00:00:00Z").parse().map_err(|_| "a month is given as 2026-03".to_owned())
}
