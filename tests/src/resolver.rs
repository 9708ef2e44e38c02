//! What names resolve to, as a test wants it.

use std::{
    collections::{HashMap, VecDeque},
    io,
    net::IpAddr,
    sync::Mutex,
};

use futures::future::BoxFuture;
use outbound::Resolve;

/// An answer of the resolver.
#[derive(Clone, Debug)]
enum Answer {
    Addresses(Vec<IpAddr>),
    Broken,
    Panics,
}

/// Every name ending in `.example` is this machine, and no other name exists, unless a test says otherwise.
#[derive(Debug, Default)]
pub struct FakeResolver(Mutex<HashMap<String, VecDeque<Answer>>>);

impl FakeResolver {
    fn set(&self, host: &str, answers: VecDeque<Answer>) {
        self.0.lock().expect("no test panics with it").insert(host.to_owned(), answers);
    }

    /// What the name resolves to, one answer after the other; the last one stays.
    pub fn resolve_to(&self, host: &str, answers: &[&[&str]]) {
        let parse = |list: &&[&str]| {
            Answer::Addresses(list.iter().map(|text| text.parse().expect("an address")).collect())
        };
        self.set(host, answers.iter().map(parse).collect());
    }

    /// The resolver fails for the name.
    pub fn break_for(&self, host: &str) {
        self.set(host, VecDeque::from([Answer::Broken]));
    }

    /// The code that looks for the name is broken.
    pub fn panic_for(&self, host: &str) {
        self.set(host, VecDeque::from([Answer::Panics]));
    }

    fn answer(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut names = self.0.lock().expect("no test panics with it");
        let answer = match names.get_mut(host) {
            Some(answers) if answers.len() > 1 => answers.pop_front(),
            Some(answers) => answers.front().cloned(),
            None if host.ends_with(".example") || host == "localhost" => {
                Some(Answer::Addresses(vec![IpAddr::from([127, 0, 0, 1])]))
            }
            None => None,
        };
        drop(names);
        match answer {
            Some(Answer::Panics) => panic!("as the test asked"),
            Some(Answer::Addresses(addresses)) => Ok(addresses),
            Some(Answer::Broken) => Err(io::Error::other("the resolver does not answer")),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Resolve for FakeResolver {
    fn resolve(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let answer = self.answer(&host);
        Box::pin(async move { answer })
    }
}
