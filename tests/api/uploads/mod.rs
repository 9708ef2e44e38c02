mod allowance;
mod attachments;
mod create;
mod dying;
mod events;
mod flow;
mod reverse;
