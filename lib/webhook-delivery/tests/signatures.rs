//! Signatures and encrypted secrets, against the reference library.

use domain::{AccountId, EndpointId, Random};
use standardwebhooks::Webhook;
use webhook_delivery::{EncryptionKey, SigningSecret, secret, signature};

/// Bytes that count up, for reproducible secrets and nonces.
#[derive(Debug)]
struct Counting;

impl Random for Counting {
    fn fill(&self, buffer: &mut [u8]) {
        for (position, byte) in buffer.iter_mut().enumerate() {
            *byte = position as u8;
        }
    }
}

fn owner() -> (AccountId, EndpointId) {
    (AccountId::from_bits(7), EndpointId::from_bits(8))
}

/// The vector of the specification.
#[test]
fn the_specifications_vector_is_signed_as_specified() {
    let key = secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
    let (id, timestamp) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330);
    let signed = signature::sign(&key, id, timestamp, br#"{"test": 2432232314}"#);
    assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

/// The vector that the reference library publishes.
#[test]
fn the_published_vector_is_signed_as_published() {
    let key = secret::parse("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").expect("base64");
    let (id, timestamp) = ("msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553);
    let body = br#"{"email":"test@example.com","username":"test_user"}"#;
    let signed = signature::sign(&key, id, timestamp, body);
    assert_eq!(signed, "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
    assert!(signature::verify(&key, id, timestamp, body, &signed));
    let among_others = format!("v1a,AAAA v1,AAAA {signed}");
    assert!(signature::verify(&key, id, timestamp, body, &among_others));
    assert!(!signature::verify(&key, id, timestamp + 1, body, &signed));
    assert!(!signature::verify(&key, "msg_other", timestamp, body, &signed));
    assert!(!signature::verify(&key, id, timestamp, br#"{"test": 1}"#, &signed));
    assert!(!signature::verify(b"another", id, timestamp, body, &signed));
    assert!(!signature::verify(&key, id, timestamp, body, "v1,AAAA"));
}

#[test]
fn the_reference_library_signs_alike() {
    let secret = SigningSecret::new(&Counting);
    assert_eq!(secret.text(), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
    let reference = Webhook::new(&secret.text()).expect("a secret");
    for body in ["{}", "{\"ä\": \"€\"}", &"x".repeat(20_000)] {
        let theirs = reference.sign("whd_1", 1_773_576_000, body.as_bytes()).expect("text");
        let ours = signature::sign(secret.bytes(), "whd_1", 1_773_576_000, body.as_bytes());
        assert_eq!(ours, theirs);
    }
}

#[test]
fn an_encrypted_secret_decrypts_for_its_endpoint_only_and_only_unchanged() {
    let secret = SigningSecret::new(&Counting);
    let key = EncryptionKey::of(([3; 32], None));
    let encrypted = key.encrypt(&secret, owner(), &Counting);
    assert_eq!(key.decrypt(&encrypted, owner()), Ok(secret.clone()));
    // After cipher, key identifier and nonce, which counts up here like the secret.
    let hidden = &encrypted[17..];
    assert_eq!(hidden.len(), 32 + 16);
    assert!(!hidden.windows(4).any(|window| secret.bytes().windows(4).any(|part| part == window)));
    let (account, endpoint) = owner();
    assert!(key.decrypt(&encrypted, (account, EndpointId::from_bits(9))).is_err());
    assert!(key.decrypt(&encrypted, (AccountId::from_bits(9), endpoint)).is_err());
    assert!(EncryptionKey::of(([4; 32], None)).decrypt(&encrypted, owner()).is_err());
    for position in 0..encrypted.len() {
        let mut changed = encrypted.clone();
        changed[position] ^= 1;
        assert!(key.decrypt(&changed, owner()).is_err(), "byte {position}");
        assert!(key.decrypt(&encrypted[..position], owner()).is_err(), "{position} bytes");
    }
}

#[test]
fn the_previous_key_only_decrypts_and_can_go_after_a_re_encryption() {
    let secret = SigningSecret::new(&Counting);
    let before = EncryptionKey::of(([3; 32], None));
    let encrypted = before.encrypt(&secret, owner(), &Counting);
    let both = EncryptionKey::of(([4; 32], Some([3; 32])));
    assert_eq!(both.decrypt(&encrypted, owner()), Ok(secret.clone()));
    assert!(before.is_current(&encrypted) && !both.is_current(&encrypted));
    let renewed = both.encrypt(&secret, owner(), &Counting);
    assert!(both.is_current(&renewed));
    assert!(before.decrypt(&renewed, owner()).is_err());
    assert_eq!(EncryptionKey::of(([4; 32], None)).decrypt(&renewed, owner()), Ok(secret));
}

#[test]
fn secrets_and_keys_never_show_themselves() {
    let shown =
        format!("{:?} {:?}", SigningSecret::new(&Counting), EncryptionKey::of(([3; 32], None)));
    assert_eq!(shown, "SigningSecret EncryptionKey");
}
