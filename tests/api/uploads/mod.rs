mod allowance;
mod attachments;
mod crash_points;
mod create;
mod events;
mod flow;
mod reverse;
