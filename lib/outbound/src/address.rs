//! Which addresses are public.
//!
//! The blocks are those of the IANA IPv4 and IPv6 Special-Purpose Address Registries. The check is
//! stricter than the registries' "globally reachable": special-purpose addresses serve no websites,
//! so none is allowed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 blocks without ordinary public addresses: first address and prefix length.
const SPECIAL_V4: [(Ipv4Addr, u32); 20] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),          // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),         // private use
    (Ipv4Addr::new(100, 64, 0, 0), 10),      // carrier-grade NAT, and its metadata services
    (Ipv4Addr::new(127, 0, 0, 0), 8),        // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32), // a cloud's host agent, on an address that looks public
    (Ipv4Addr::new(169, 254, 0, 0), 16),   // link-local, and its metadata services
    (Ipv4Addr::new(172, 16, 0, 0), 12),    // private use
    (Ipv4Addr::new(192, 0, 0, 0), 24),     // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),     // documentation
    (Ipv4Addr::new(192, 31, 196, 0), 24),  // AS112
    (Ipv4Addr::new(192, 52, 193, 0), 24),  // automatic multicast tunnelling
    (Ipv4Addr::new(192, 88, 99, 0), 24),   // 6to4 relays, deprecated
    (Ipv4Addr::new(192, 168, 0, 0), 16),   // private use
    (Ipv4Addr::new(192, 175, 48, 0), 24),  // AS112
    (Ipv4Addr::new(198, 18, 0, 0), 15),    // benchmarking
    (Ipv4Addr::new(198, 51, 100, 0), 24),  // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),   // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),      // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),      // reserved
    (Ipv4Addr::new(255, 255, 255, 255), 32), // broadcast
];

/// The only IPv6 block that global unicast addresses are assigned from.
const GLOBAL_UNICAST: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Blocks in it without ordinary public addresses.
const SPECIAL_V6: [(Ipv6Addr, u32); 5] = [
    // Protocol assignments: Teredo, benchmarking, ORCHID and others.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),     // 6to4: a tunnel to any IPv4 address
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48), // AS112
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),     // documentation
];

/// Addresses behind a translator between IPv6 and the public IPv4 internet (RFC 6052).
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether `address` is an ordinary public unicast address.
///
/// An IPv6 address that represents an IPv4 address is checked as that: the mapped form, and the
/// well-known NAT64 prefix, which public hosts have on a network without IPv4. All other forms that
/// embed one (compatible, translated, local-use NAT64, 6to4, Teredo, ISATAP) are never public.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |(block, length): (Ipv4Addr, u32)| {
        (u32::from(address) ^ u32::from(block)).leading_zeros() >= length
    };
    !SPECIAL_V4.into_iter().any(within)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let within = |(block, length): (Ipv6Addr, u32)| {
        (u128::from(address) ^ u128::from(block)).leading_zeros() >= length
    };
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    let segments = address.segments();
    if within(NAT64) {
        let [high, low] = [segments[6], segments[7]].map(u16::to_be_bytes);
        return is_public_v4(Ipv4Addr::new(high[0], high[1], low[0], low[1]));
    }
    // The interface identifier of ISATAP (RFC 5214) may follow any prefix.
    let isatap = matches!(segments[4], 0 | 0x200) && segments[5] == 0x5efe;
    within(GLOBAL_UNICAST) && !isatap && !SPECIAL_V6.into_iter().any(within)
}
