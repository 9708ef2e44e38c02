//! Lists and their offset index. One program, since linking costs more than running.

mod lists;
mod offset_index;
