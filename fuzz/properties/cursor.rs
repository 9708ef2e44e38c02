//! What is true of every text that is sent as a cursor or as an API key.

use domain::{AccountId, Clock, Random, Timestamp, clock::Sleep};
use edge::{
    Secrets,
    authentication::api_key,
    input::cursor::{Binding, decode, encode},
};

/// Time that stands still, and randomness that repeats itself.
#[derive(Debug)]
struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_773_576_000_000)
    }

    fn sleep_until(&self, _: Timestamp) -> Sleep {
        Box::pin(std::future::ready(()))
    }
}

impl Random for Fixed {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(7);
    }
}

/// What this server did not make is refused, and so is what it made once a byte of it differs.
pub fn hold(input: &[u8]) {
    // A secret for each input: what a fixed one signs, instrumentation sees where it is compared, and makes an input of it.
    let secrets = Secrets::derive(&[input, &[7; 32]].concat()).expect("a long secret");
    let binding = |account| Binding { account: AccountId::from_bits(account), list: "operations" };
    if let Ok(text) = std::str::from_utf8(input) {
        assert!(decode(&secrets, binding(1), text).is_err());
        assert!(api_key::parse(text, &secrets).is_none());
    }
    let cursor = encode(&secrets, binding(1), input);
    assert_eq!(decode(&secrets, binding(1), &cursor).expect("its own"), input);
    assert!(decode(&secrets, binding(2), &cursor).is_err());
    let other = Binding { list: "operations?status=FAILED", ..binding(1) };
    assert!(decode(&secrets, other, &cursor).is_err());

    let key = api_key::mint(AccountId::from_bits(1), &secrets, &Fixed, &Fixed);
    assert!(api_key::parse(&key.text, &secrets).is_some_and(|found| found.id == key.id));
    let [at, byte, ..] = *input else { return };
    let changed = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        let at = usize::from(at) % bytes.len();
        bytes[at] = byte;
        String::from_utf8(bytes).ok().filter(|changed| changed != text)
    };
    if let Some(changed) = changed(&key.text) {
        assert!(api_key::parse(&changed, &secrets).is_none(), "{changed}");
    }
    if let Some(changed) = changed(&cursor) {
        assert!(decode(&secrets, binding(1), &changed).is_err(), "{changed}");
    }
}
