//! Which addresses may be asked at all.

use outbound::{Loopback, Ports, PublicUrl, Schemes, UnsafeUrl};

fn parse(text: &str) -> Result<PublicUrl, UnsafeUrl> {
    PublicUrl::parse(text, Schemes::HttpOrHttps, Loopback::Refused, &Ports::All)
}

fn refused(text: &str) -> UnsafeUrl {
    parse(text).expect_err(text)
}

#[test]
fn public_addresses_are_accepted_and_normalised() {
    for (text, normal) in [
        ("https://example.com", "https://example.com/"),
        ("HTTP://Example.COM:80/a b".replace(' ', "%20").as_str(), "http://example.com/a%20b"),
        ("https://example.com:8443/x?y=1#part", "https://example.com:8443/x?y=1"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("http://[2606:4700:4700::1111]/", "http://[2606:4700:4700::1111]/"),
        ("https://example.com./", "https://example.com./"),
    ] {
        assert_eq!(parse(text).expect(text).as_str(), normal);
    }
}

#[test]
fn every_spelling_of_a_private_address_is_seen_through() {
    for text in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://0x7f.0.0.1/",
        "http://127.0.0.1./",
        "http://①②⑦.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://0xA9FEA9FE/",
        "http://[fd00:ec2::254]/",
        "http://10.1/",
        "http://192.168.257/",
        "http://0/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
    ] {
        assert_eq!(refused(text), UnsafeUrl::Address, "{text}");
    }
}

#[test]
fn names_of_local_networks_are_refused() {
    for text in [
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://a.localhost/",
        "http://printer/",
        "http://printer./",
        "http://nas.local/",
        "http://metadata.google.internal/",
        "http://router.home.arpa/",
        "http://x.onion/",
        "http://db.lan/",
        "http://app.test/",
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://.com/",
    ] {
        assert_eq!(refused(text), UnsafeUrl::Host, "{text}");
    }
}

#[test]
fn only_web_schemes_are_accepted() {
    for text in [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "data:text/html,hi",
        "ws://example.com/",
        "blob:https://example.com/1",
        "mailto:a@example.com",
    ] {
        assert!(matches!(refused(text), UnsafeUrl::Scheme), "{text}");
    }
    let https_only =
        PublicUrl::parse("http://example.com/", Schemes::Https, Loopback::Refused, &Ports::Web);
    assert_eq!(https_only, Err(UnsafeUrl::Scheme));
}

#[test]
fn addresses_that_two_readers_could_read_differently_are_refused() {
    for text in [
        "",
        "example.com",
        "//example.com/",
        "/path",
        "https://",
        "https:example.com",
        "https:/example.com",
        "https:\\\\example.com",
        "https://example.com\\@10.0.0.1/",
        " https://example.com/",
        "https://exa mple.com/",
        "https://exam\tple.com/",
        "https://example.com/\r\nX: y",
        "https://[::1/",
        "https://example.com:99999/",
        "https://exam\0ple.com/",
    ] {
        assert_eq!(refused(text), UnsafeUrl::Malformed, "{text:?}");
    }
}

#[test]
fn credentials_are_refused() {
    for text in
        ["https://user@example.com/", "https://user:pass@example.com/", "https://:p@example.com/"]
    {
        assert_eq!(refused(text), UnsafeUrl::Credentials, "{text}");
    }
}

#[test]
fn ports_of_other_services_are_refused() {
    for port in [
        0,
        22,
        25,
        53,
        110,
        143,
        389,
        445 + 20,
        587,
        993,
        2049,
        2375,
        3306,
        3389,
        5432,
        6379,
        6667,
        9200,
        11211,
        27017,
    ] {
        assert_eq!(refused(&format!("https://example.com:{port}/")), UnsafeUrl::Port, "{port}");
    }
    for port in [80, 443, 3000, 8000, 8080, 8443, 50000] {
        parse(&format!("http://example.com:{port}/")).expect("a port of a website");
    }
}

#[test]
fn without_the_operators_word_urls_name_ports_80_and_443_alone() {
    let parse = |port: u16, ports: &Ports| {
        let text = format!("http://example.com:{port}/");
        PublicUrl::parse(&text, Schemes::HttpOrHttps, Loopback::Refused, ports).map(drop)
    };
    let others = Ports::parse("8443,8080").expect("two ports");
    for port in [80, 443] {
        assert_eq!(parse(port, &Ports::default()), Ok(()), "{port}");
        assert_eq!(parse(port, &others), Ok(()), "{port}");
    }
    for port in [81, 3000, 8080, 8443, 65535] {
        assert_eq!(parse(port, &Ports::default()), Err(UnsafeUrl::Port), "{port}");
        let named = [8080, 8443].contains(&port);
        assert_eq!(parse(port, &others).is_ok(), named, "{port}");
    }
    assert_eq!(Ports::parse(""), Ok(Ports::Web));
}

/// `infra/proof/template.py` tries the same lists on the template's parameter.
#[test]
fn a_list_of_ports_is_read_as_the_templates_parameter_takes_it() {
    let lists = include_str!("port_lists.tsv").lines().filter(|line| !line.starts_with('#'));
    for (word, list) in lists.map(|line| line.split_once('\t').expect("two columns")) {
        assert_eq!(Ports::parse(list).is_ok(), word == "allowed", "{list:?}");
    }
}

#[test]
fn a_redirect_leads_to_allowed_ports_alone() {
    let parse = |text| PublicUrl::parse(text, Schemes::Https, Loopback::Refused, &Ports::Web);
    let from = parse("https://example.com/").expect("an address");
    assert_eq!(from.redirected("https://example.com:8443/"), Err(UnsafeUrl::Port));
    assert_eq!(from.redirected("https://example.com:443/").expect("same").as_str(), from.as_str());
}

#[test]
fn length_is_counted_in_characters() {
    let address = |length: usize| format!("https://example.com/{}", "ü".repeat(length - 20));
    parse(&address(2048)).expect("2048 characters");
    assert_eq!(refused(&address(2049)), UnsafeUrl::TooLong);
}

#[test]
fn redirects_are_checked_like_first_addresses() {
    let from = parse("https://example.com/a/b").expect("an address");
    let next = |location: &str| from.redirected(location);
    assert_eq!(next("../c").expect("relative").as_str(), "https://example.com/c");
    assert_eq!(next("//other.example/").expect("another host").as_str(), "https://other.example/");
    assert_eq!(next("//127.1/"), Err(UnsafeUrl::Address));
    assert_eq!(next("http://localhost:8080/"), Err(UnsafeUrl::Host));
    assert_eq!(next("file:///etc/passwd"), Err(UnsafeUrl::Scheme));
    assert_eq!(next("https://user@example.com/"), Err(UnsafeUrl::Credentials));
    assert_eq!(next("https://example.com:22/"), Err(UnsafeUrl::Port));
    assert_eq!(next("http://example.com/"), Err(UnsafeUrl::Downgrade));
    assert_eq!(next(&format!("/{}", "a".repeat(2048))), Err(UnsafeUrl::TooLong));
}

#[test]
fn the_development_switch_allows_loopback_and_no_more() {
    let parse = |text| PublicUrl::parse(text, Schemes::HttpOrHttps, Loopback::Allowed, &Ports::All);
    for text in ["http://localhost:8080/", "http://127.0.0.1:3000/", "http://[::1]:3000/"] {
        parse(text).expect(text);
    }
    assert_eq!(parse("http://10.0.0.1/"), Err(UnsafeUrl::Address));
    assert_eq!(parse("http://169.254.169.254/"), Err(UnsafeUrl::Address));
    assert_eq!(parse("http://printer.local/"), Err(UnsafeUrl::Host));
}
