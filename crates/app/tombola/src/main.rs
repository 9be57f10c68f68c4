//! `tombola`: the server and its tools. `tombola help` lists them.

use anyhow::Context;
use clap::{Parser, Subcommand};
use staff::audit_chain::AuditHash;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use tombola::config::Config;
use tombola::database::DatabaseUrls;
use tombola::health::HealthCheck;
use tombola::init::Deployment;
use tombola::{
    approve, audit, demo, drawings, hash_password, health, init, logging, openapi, privacy, push_keys,
    reset_totp, retention, rollups, serve, verify,
};

/// A free monthly prize raffle. Configured by the environment: see `.env.example`.
#[derive(Parser)]
#[command(name = "tombola", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Brings the database up to date and serves the site.
    Serve,
    /// Brings the database up to date, and gives the server's role its rights. Needs only DATABASE_URL and, if another role owns
    /// the tables, MIGRATION_DATABASE_URL.
    Migrate,
    /// Asks for the settings of a new site and writes them to a file, with new keys.
    Init {
        /// What will run the server.
        #[arg(long = "for", value_enum, value_name = "DEPLOYMENT")]
        deployment: Deployment,
        /// The file to write. It must not exist.
        #[arg(long, short, value_name = "FILE", default_value = ".env")]
        output: PathBuf,
    },
    /// Asks the server on this machine how it is; fails if it is not well.
    Health {
        /// What to ask.
        #[arg(value_enum, default_value = "ready")]
        check: HealthCheck,
    },
    /// Fills an empty database with sample entrants, and prints links to try.
    Demo,
    /// Makes a picture of the file that it reads. The server calls it for each upload.
    #[command(hide = true)]
    MakePicture,
    /// Prints the OpenAPI description of the API.
    Openapi,
    /// Checks all stored data: the ledger of entries, the roll-ups, the log of drawings and the audit log. Run it after a
    /// restore.
    Verify,
    /// Checks or rebuilds the roll-ups behind the console's figures.
    Analytics {
        #[command(subcommand)]
        command: AnalyticsCommand,
    },
    /// Erases what is too old, as each server does daily.
    Retention {
        #[command(subcommand)]
        command: RetentionCommand,
    },
    /// Checks drawings.
    Drawing {
        #[command(subcommand)]
        command: DrawingCommand,
    },
    /// The logs of what staff did and of drawings.
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Erasures of people's data.
    Privacy {
        #[command(subcommand)]
        command: PrivacyCommand,
    },
    /// Prints new keys for messages that browsers show when a raffle is drawn: VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY.
    PushKeys,
    /// Tools for the console.
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
}

#[derive(Subcommand)]
enum AnalyticsCommand {
    /// Counts all events again and prints where the roll-ups differ.
    Verify,
    /// Rebuilds the roll-ups, and verifies them.
    Rebuild,
}

#[derive(Subcommand)]
enum RetentionCommand {
    /// Erases addresses, user agents and fingerprints after RETENTION_DAYS, and drops old views. Prints the counts.
    Run,
}

#[derive(Subcommand)]
enum DrawingCommand {
    /// Recomputes a drawing from its proof, without a database.
    Verify {
        /// The response of `/api/drawings/{id}/proof`, in a file.
        proof: PathBuf,
        /// The response of `/api/drawings/{id}/entrants`, in a file; checked too, if given.
        #[arg(long, value_name = "FILE")]
        entrants: Option<PathBuf>,
        /// A copy of `/api/drawings/log` that you saved before the round: shows whether the list was sealed before.
        #[arg(long, value_name = "FILE")]
        log: Option<PathBuf>,
        /// The chain file of another beacon than quicknet, if you trust it.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
    },
    /// Recomputes the log of drawings from its first entry. Needs only DATABASE_URL.
    VerifyLog {
        /// A saved copy of `/api/drawings/log`: is checked instead, and compared with the database if DATABASE_URL is set.
        copy: Option<PathBuf>,
        /// A proof to compare with the copy. May be given more than once.
        #[arg(long, value_name = "PROOF", requires = "copy")]
        proof: Vec<PathBuf>,
    },
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Recomputes the audit log of the console and the log of drawings from their first entries, and prints the last hash of
    /// each. Needs only DATABASE_URL.
    Verify {
        /// The last hash that an earlier run printed: fails if no log has it, so that entries missing at the end are found.
        /// May be given more than once.
        #[arg(long, value_name = "HASH")]
        expect: Vec<AuditHash>,
    },
}

#[derive(Subcommand)]
enum PrivacyCommand {
    /// Erases a person for good: what says who an entrant was. Ledger, drawings and proofs stay as they are.
    Erase {
        /// The id of the entrant, as in the address of their page.
        #[arg(value_name = "ID")]
        entrant: i64,
    },
    /// Erases everybody in the journal of erasures again. Run it after a restore, before the servers start.
    Replay,
}

#[derive(Subcommand)]
enum AdminCommand {
    /// Reads a password from one line and prints its Argon2id hash for ADMIN_PASSWORD_HASH.
    HashPassword,
    /// Approves what a member of staff proposed, when nobody else can: in an emergency. The audit log says that it was you.
    Approve {
        /// The number of the proposal, as Approvals in the console shows it.
        id: i64,
    },
    /// Removes the second factor of a member of staff who lost the phone and the recovery codes.
    ResetTotp {
        /// The name to sign in with.
        name: String,
    },
}

fn main() -> ExitCode {
    // For development: reads `.env`. Variables that are already set win.
    let _ = dotenvy::dotenv();
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "tombola: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve => {
            let config = Config::from_environment()?;
            let _logging = logging::start(&config)?;
            serve::serve(&config)
        }
        Command::Migrate => {
            let count = DatabaseUrls::from_environment()?.prepare()?;
            print(&format!("{count} migrations applied\n"))
        }
        Command::Init { deployment, output } => print(&init::run(deployment, &output)?),
        Command::Health { check } => print(&health::run(check)?),
        Command::Demo => {
            let config = Config::from_environment()?;
            print(&demo::fill(&config)?)
        }
        Command::Verify => print(&verify::run(&Config::from_environment()?)?),
        Command::Analytics { command } => {
            let config = Config::from_environment()?;
            print(&match command {
                AnalyticsCommand::Verify => rollups::verify(&config)?,
                AnalyticsCommand::Rebuild => rollups::rebuild(&config)?,
            })
        }
        Command::Retention {
            command: RetentionCommand::Run,
        } => print(&retention::run(&Config::from_environment()?)?),
        Command::Drawing { command } => print(&match command {
            DrawingCommand::Verify {
                proof,
                entrants,
                log,
                chain,
            } => drawings::verify(&proof, &drawings::Evidence { entrants, log, chain })?,
            DrawingCommand::VerifyLog { copy: None, .. } => drawings::verify_log()?,
            DrawingCommand::VerifyLog {
                copy: Some(copy),
                proof,
            } => drawings::verify_log_copy(&copy, &proof)?,
        }),
        Command::Audit {
            command: AuditCommand::Verify { expect },
        } => print(&audit::verify(&expect)?),
        Command::Privacy { command } => {
            let config = Config::from_environment()?;
            print(&match command {
                PrivacyCommand::Erase { entrant } => privacy::erase(&config, entrant)?,
                PrivacyCommand::Replay => privacy::replay(&config)?,
            })
        }
        Command::MakePicture => {
            let code = pictures::run_child()?;
            std::process::exit(code.into())
        }
        Command::Openapi => print(&openapi::run()?),
        Command::PushKeys => print(&push_keys::run()?),
        Command::Admin { command } => print(&match command {
            AdminCommand::HashPassword => hash_password::run()?,
            AdminCommand::Approve { id } => approve::run(&Config::from_environment()?, id)?,
            AdminCommand::ResetTotp { name } => reset_totp::run(&Config::from_environment()?, &name)?,
        }),
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write")
}
