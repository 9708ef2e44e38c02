//! Searches, compared with an oracle. One program, since linking costs more than running.

mod bytes;
mod oracle;
mod random;
mod text;
