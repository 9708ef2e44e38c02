//! The ports that URLs may name.

use std::sync::Arc;

/// The "bad ports" of the Fetch standard, which browsers block too.
const BAD_PORTS: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];

/// Ports of databases, caches, queues and container hosts that speak HTTP or can be misled by it.
const SERVICE_PORTS: [u16; 17] = [
    1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 6379, 9200, 9300, 10250,
    11211, 27017,
];

/// The ports of websites.
const WEB_PORTS: [u16; 2] = [80, 443];

/// Most ports that an operator can name.
const NAMED_PORTS_MAX: usize = 20;

/// The ports that URLs may name. A user who chooses any port can have this service try out which
/// ones of a host are open. Ports of services other than websites are never allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ports {
    /// 80 and 443.
    #[default]
    Web,
    /// Those and these, which the operator has named.
    WebAnd(Arc<[u16]>),
    /// All: for URLs that the operator chooses, and for development.
    All,
}

impl Ports {
    /// Parses ports that are allowed besides 80 and 443: at most twenty decimal numbers, separated by commas and
    /// nothing else; none for an empty text. The parameter `OutboundPorts` of `template.yaml` takes the same lists.
    ///
    /// # Errors
    ///
    /// What is wrong with the list.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::Web);
        }
        let ports: Arc<[u16]> = text.split(',').map(parse_port).collect::<Result<_, _>>()?;
        if ports.len() > NAMED_PORTS_MAX {
            return Err(format!("has more than {NAMED_PORTS_MAX} ports"));
        }
        Ok(Self::WebAnd(ports))
    }

    /// Whether a URL may name this port.
    pub(crate) fn permit(&self, port: u16) -> bool {
        !is_of_another_service(port)
            && match self {
                Self::Web => WEB_PORTS.contains(&port),
                Self::WebAnd(others) => WEB_PORTS.contains(&port) || others.contains(&port),
                Self::All => true,
            }
    }
}

fn parse_port(text: &str) -> Result<u16, String> {
    let port: Option<u16> = text.parse().ok();
    // Neither a sign nor zeros before it, which the parameter does not take.
    let port = port.filter(|port| port.to_string() == text);
    let port = port.ok_or_else(|| format!("has {text:?}, which is no port"))?;
    if is_of_another_service(port) {
        return Err(format!("has {port}, which is a port of other services than websites"));
    }
    Ok(port)
}

fn is_of_another_service(port: u16) -> bool {
    BAD_PORTS.contains(&port) || SERVICE_PORTS.contains(&port)
}
