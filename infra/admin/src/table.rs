//! `table`: compares the table with what this version needs, and migrates it.

use serde_json::{Value, json};
use store::schema::Drift;

use crate::{
    failure::Failure, options::TableCommand, output::Output, progress::bar, target::Target,
};

pub async fn run(command: TableCommand, target: &Target, output: &Output) -> Result<(), Failure> {
    let store = &target.store;
    let found = store.drift().await?;
    match command {
        TableCommand::Check => {
            output.show(&found.iter().map(to_json).collect());
            match found.len() {
                0 => Ok(()),
                count => Err(Failure::Refused(format!(
                    "{count} deviation(s) in {}; see `table migrate`.",
                    target.name
                ))),
            }
        }
        TableCommand::Migrate => {
            if let Some(hopeless) = found.iter().find(|drift| !drift.is_repairable()) {
                return Err(Failure::Refused(format!("{} Nothing was done.", words(hopeless))));
            }
            if found.iter().any(Drift::interrupts_lists) {
                output.confirm(&format!(
                    "Recreate the index of {}? Lists fail until it is filled.",
                    target.name
                ))?;
            }
            for drift in &found {
                let bar = bar("Filling the index", 0);
                let done = store.repair(drift, || bar.tick()).await;
                bar.finish_and_clear();
                done?;
            }
            let left = store.drift().await?;
            output.show(&json!({
                "mended": found.len(),
                "left": left.iter().map(words).collect::<Vec<_>>(),
            }));
            Ok(())
        }
    }
}

fn to_json(drift: &Drift) -> Value {
    json!({"deviation": words(drift), "mendable": drift.is_repairable()})
}

fn words(drift: &Drift) -> String {
    match drift {
        Drift::Missing => "There is no table.".to_owned(),
        Drift::Keys => "Its items have other keys; it belongs to another service.".to_owned(),
        Drift::NoTimeToLive => "What has expired is not removed.".to_owned(),
        Drift::NoIndex => "It lacks the index of lists.".to_owned(),
        Drift::IndexKeys => "The index of lists has other keys.".to_owned(),
        Drift::IndexLacksAttributes(names) => {
            format!("The index of lists lacks {}.", names.join(", "))
        }
    }
}
