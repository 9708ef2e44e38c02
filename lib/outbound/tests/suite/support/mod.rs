//! A server, a resolver and a clock that tests script.

use std::{
    collections::{HashMap, VecDeque},
    io,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use domain::{Clock, Timestamp, clock::Sleep};
use futures::{FutureExt, future::BoxFuture};
use outbound::{
    FetchError, FetchLimits, Fetcher, GuardedClient, Loopback, Page, Ports, PublicUrl, Resolve,
    Schemes,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// Stands still until it is moved.
#[derive(Debug)]
pub struct ManualClock {
    millis: AtomicI64,
    moved: watch::Sender<i64>,
}

impl ManualClock {
    pub fn new() -> Arc<Self> {
        Arc::new(Self { millis: AtomicI64::new(0), moved: watch::channel(0).0 })
    }

    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).expect("a test's duration");
        let now = self.millis.fetch_add(by, Ordering::SeqCst) + by;
        self.moved.send_replace(now);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::SeqCst))
    }

    fn sleep_until(&self, instant: Timestamp) -> Sleep {
        let mut moved = self.moved.subscribe();
        Box::pin(async move {
            if moved.wait_for(|now| *now >= instant.millis()).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// Answers each question about a name with the next of its answers; the last one stays.
#[derive(Default)]
pub struct Names {
    answers: Mutex<HashMap<String, VecDeque<Vec<IpAddr>>>>,
    pub asked: AtomicUsize,
}

impl Names {
    pub fn with(self, host: &str, answers: &[&[&str]]) -> Self {
        let parse = |list: &&[&str]| {
            list.iter().map(|text| text.parse().expect("an address")).collect::<Vec<IpAddr>>()
        };
        let answers = answers.iter().map(parse).collect();
        self.answers.lock().expect("names").insert(host.to_owned(), answers);
        self
    }
}

impl Resolve for Names {
    fn resolve(&self, host: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().expect("names");
        let answer = match answers.get_mut(&host) {
            Some(list) if list.len() > 1 => list.pop_front(),
            Some(list) => list.front().cloned(),
            None => None,
        };
        async move { answer.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)) }.boxed()
    }
}

/// A server on the loopback interface that does with each connection what the test says.
pub struct Server {
    pub address: SocketAddr,
    connections: Arc<AtomicUsize>,
    pub requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `answer` is given the head of the request and the connection.
    pub async fn start<F, A>(answer: F) -> Self
    where
        F: Fn(String, TcpStream) -> A + Send + 'static,
        A: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (count, heads) = (connections.clone(), requests.clone());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    match stream.read_u8().await {
                        Ok(byte) => head.push(byte),
                        Err(_) => break,
                    }
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                heads.lock().expect("requests").push(head.clone());
                tokio::spawn(answer(head, stream));
            }
        });
        Self { address, connections, requests }
    }

    /// A server that sends the same bytes to everyone.
    pub async fn sending(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes: Arc<Vec<u8>> = Arc::new(bytes.into());
        Self::start(move |_, mut stream| {
            let bytes = bytes.clone();
            async move {
                // A client that has seen enough hangs up, which is no fault of the server's.
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
            }
        })
        .await
    }

    pub fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.address.port())
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// An answer with a status line, headers and a body.
pub fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

pub fn page(body: &str) -> Vec<u8> {
    response("200 OK", "Content-Type: text/html; charset=utf-8\r\n", body.as_bytes())
}

/// A reader with its parts in the test's hands.
pub struct World {
    pub clock: Arc<ManualClock>,
    pub names: Arc<Names>,
    pub limits: FetchLimits,
    pub loopback: Loopback,
}

impl World {
    /// Everything named `site.example` is on this machine, and loopback is allowed.
    pub fn new() -> Self {
        Self::resolving(Names::default().with("site.example", &[&["127.0.0.1"]]))
    }

    pub fn resolving(names: Names) -> Self {
        Self {
            clock: ManualClock::new(),
            names: Arc::new(names),
            limits: FetchLimits::default(),
            loopback: Loopback::Allowed,
        }
    }

    pub fn client(&self) -> GuardedClient {
        GuardedClient::new(self.names.clone(), self.loopback, Ports::All).expect("a client")
    }

    pub fn url(&self, text: &str) -> PublicUrl {
        PublicUrl::parse(text, Schemes::HttpOrHttps, Loopback::Allowed, &Ports::All).expect(text)
    }

    pub async fn get(&self, url: &str) -> Result<Page, FetchError> {
        let fetcher = Fetcher::new(self.client(), self.clock.clone(), self.limits);
        fetcher.get(self.url(url), Timestamp::from_millis(60_000)).await
    }
}
