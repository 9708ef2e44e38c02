//! Rules for publication. One program, since linking costs more than running.

mod judging;
mod rates;
