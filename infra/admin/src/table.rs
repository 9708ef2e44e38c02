//! `table`: whether the table is as this version needs it, and making it so.

use serde_json::{Value, json};
use store::schema::Deviation;

use crate::{
    failure::Failure, options::TableCommand, output::Output, progress::bar, target::Target,
};

pub async fn run(command: TableCommand, target: &Target, output: &Output) -> Result<(), Failure> {
    let store = &target.store;
    let found = store.deviations().await?;
    match command {
        TableCommand::Check => {
            output.show(&found.iter().map(shown).collect());
            match found.len() {
                0 => Ok(()),
                count => Err(Failure::Refused(format!(
                    "{count} deviation(s) in {}; see `table migrate`.",
                    target.name
                ))),
            }
        }
        TableCommand::Migrate => {
            if let Some(hopeless) = found.iter().find(|deviation| !deviation.is_mendable()) {
                return Err(Failure::Refused(format!("{} Nothing was done.", words(hopeless))));
            }
            if found.iter().any(Deviation::interrupts_lists) {
                output.confirm(&format!(
                    "Make the index of {} anew? Lists fail until it is filled.",
                    target.name
                ))?;
            }
            for deviation in &found {
                let bar = bar("Filling the index", 0);
                let done = store.mend(deviation, || bar.tick()).await;
                bar.finish_and_clear();
                done?;
            }
            let left = store.deviations().await?;
            output.show(&json!({
                "mended": found.len(),
                "left": left.iter().map(words).collect::<Vec<_>>(),
            }));
            Ok(())
        }
    }
}

fn shown(deviation: &Deviation) -> Value {
    json!({"deviation": words(deviation), "mendable": deviation.is_mendable()})
}

fn words(deviation: &Deviation) -> String {
    match deviation {
        Deviation::Missing => "There is no table.".to_owned(),
        Deviation::Keys => "Its items have other keys; it is another service's.".to_owned(),
        Deviation::NoTimeToLive => "What has expired is not removed.".to_owned(),
        Deviation::NoIndex => "It lacks the index of lists.".to_owned(),
        Deviation::IndexKeys => "The index of lists has other keys.".to_owned(),
        Deviation::IndexLacks(names) => format!("The index of lists lacks {}.", names.join(", ")),
    }
}
