//! Which addresses are public, against the blocks of the IANA special-purpose registries.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use outbound::address::is_public;

/// Name, first and last address of every IPv4 block that must not be reached.
const V4: [(&str, &str, &str); 20] = [
    ("this network", "0.0.0.0", "0.255.255.255"),
    ("private 10/8", "10.0.0.0", "10.255.255.255"),
    ("shared address space", "100.64.0.0", "100.127.255.255"),
    ("loopback", "127.0.0.0", "127.255.255.255"),
    ("host agent of a cloud", "168.63.129.16", "168.63.129.16"),
    ("link-local", "169.254.0.0", "169.254.255.255"),
    ("private 172.16/12", "172.16.0.0", "172.31.255.255"),
    ("protocol assignments", "192.0.0.0", "192.0.0.255"),
    ("TEST-NET-1", "192.0.2.0", "192.0.2.255"),
    ("AS112-v4", "192.31.196.0", "192.31.196.255"),
    ("AMT", "192.52.193.0", "192.52.193.255"),
    ("6to4 relay anycast", "192.88.99.0", "192.88.99.255"),
    ("private 192.168/16", "192.168.0.0", "192.168.255.255"),
    ("direct delegation AS112", "192.175.48.0", "192.175.48.255"),
    ("benchmarking", "198.18.0.0", "198.19.255.255"),
    ("TEST-NET-2", "198.51.100.0", "198.51.100.255"),
    ("TEST-NET-3", "203.0.113.0", "203.0.113.255"),
    ("multicast", "224.0.0.0", "239.255.255.255"),
    ("reserved", "240.0.0.0", "255.255.255.255"),
    ("broadcast", "255.255.255.255", "255.255.255.255"),
];

/// The same for IPv6.
const V6: [(&str, &str, &str); 17] = [
    ("unspecified", "::", "::"),
    ("loopback", "::1", "::1"),
    ("local-use NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
    ("discard-only", "100::", "100::ffff:ffff:ffff:ffff"),
    ("dummy prefix", "100:0:0:1::", "100::1:ffff:ffff:ffff:ffff"),
    ("Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("benchmarking", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
    ("ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("documentation 3fff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
];

fn v4(text: &str) -> Ipv4Addr {
    text.parse().expect("an IPv4 address")
}

fn v6(text: &str) -> Ipv6Addr {
    text.parse().expect("an IPv6 address")
}

/// First, middle and last address of every IPv4 block.
fn special_v4() -> impl Iterator<Item = (&'static str, Ipv4Addr)> {
    V4.into_iter().flat_map(|(name, first, last)| {
        let (first, last) = (u32::from(v4(first)), u32::from(v4(last)));
        [first, first + (last - first) / 2, last].map(|bits| (name, Ipv4Addr::from(bits)))
    })
}

#[test]
fn no_special_ipv4_address_is_public() {
    for (name, address) in special_v4() {
        assert!(!is_public(address.into()), "{name}: {address}");
    }
}

#[test]
fn no_special_ipv6_address_is_public() {
    for (name, first, last) in V6 {
        let (first, last) = (u128::from(v6(first)), u128::from(v6(last)));
        for bits in [first, first + (last - first) / 2, last] {
            let address = Ipv6Addr::from(bits);
            assert!(!is_public(address.into()), "{name}: {address}");
        }
    }
}

#[test]
fn no_ipv6_form_hides_a_special_ipv4_address() {
    for (name, address) in special_v4() {
        let bits = u128::from(u32::from(address));
        let forms = [
            ("mapped", 0xffff_0000_0000 | bits),
            ("compatible", bits),
            ("translated", 0xffff_0000_0000_0000 | bits),
            ("NAT64", u128::from(v6("64:ff9b::")) | bits),
            (
                "local-use NAT64, /48",
                u128::from(v6("64:ff9b:1::")) | (bits >> 16) << 64 | (bits & 0xffff) << 40,
            ),
            ("6to4", u128::from(v6("2002::")) | bits << 80),
            ("ISATAP", u128::from(v6("2606:4700:0:1:0:5efe::")) | bits),
            ("ISATAP, global", u128::from(v6("2606:4700:0:1:200:5efe::")) | bits),
            ("Teredo", u128::from(v6("2001:0:4136:e378:8000:63bf::")) | (bits ^ 0xffff_ffff)),
        ];
        for (form, bits) in forms {
            let hidden = Ipv6Addr::from(bits);
            assert!(!is_public(hidden.into()), "{name}, {form}: {hidden}");
        }
    }
}

#[test]
fn neighbours_of_special_blocks_are_public() {
    for text in [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.15",
        "168.63.129.17",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "191.255.255.255",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
    ] {
        assert!(is_public(v4(text).into()), "{text}");
    }
    for text in ["2001:200::", "2001:db7:ffff::1", "2001:db9::", "2003::1", "3ffe:ffff::1"] {
        assert!(is_public(v6(text).into()), "{text}");
    }
}

#[test]
fn well_known_public_addresses_are_public() {
    for text in [
        "8.8.8.8",
        "1.1.1.1",
        "9.9.9.9",
        "93.184.215.14",
        "151.101.1.69",
        "2606:4700:4700::1111",
        "2001:4860:4860::8888",
        "2a00:1450:4001:830::200e",
        "2620:fe::fe",
        "2400:cb00:2048:1::c629:d7a2",
    ] {
        let address: IpAddr = text.parse().expect("an address");
        assert!(is_public(address), "{text}");
    }
}

#[test]
fn translated_public_addresses_are_public() {
    assert!(is_public(v6("::ffff:8.8.8.8").into()));
    assert!(is_public(v6("64:ff9b::8.8.8.8").into()));
    assert!(!is_public(v6("::8.8.8.8").into()), "the compatible form leads nowhere");
}
