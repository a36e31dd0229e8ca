//! From where a request comes.

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The address of who sends a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender(pub IpAddr);

impl Sender {
    /// The other end of the connection. If that is a proxy, the address that it names last: it adds the one that it sees, and what is
    /// before that was sent by the visitor, who may lie.
    pub(super) fn of(request: &Request, is_behind_proxy: bool) -> Self {
        let named = || named_last(request.headers());
        let connected = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let connected = connected.map(|ConnectInfo(address)| address.ip());
        let named = is_behind_proxy.then(named).flatten();
        let address = named.or(connected).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        Self(address.to_canonical())
    }

    pub(super) fn is_this_machine(self) -> bool {
        self.0.is_loopback()
    }

    /// Whose requests count together. With IPv6, one visitor has as many addresses as 64 bits name.
    pub(super) fn network(self) -> IpAddr {
        match self.0 {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
            }
            address @ IpAddr::V4(_) => address,
        }
    }
}

fn named_last(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

impl<S: Sync> FromRequestParts<S> for Sender {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let sender = parts.extensions.get::<Self>().copied();
        Ok(sender.unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn sender(forwarded: &[&str], is_behind_proxy: bool) -> String {
        let mut request = Request::new(Body::empty());
        for value in forwarded {
            request.headers_mut().append("x-forwarded-for", value.parse().unwrap());
        }
        let address: SocketAddr = "192.0.2.1:1234".parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(address));
        Sender::of(&request, is_behind_proxy).0.to_string()
    }

    #[test]
    fn only_a_known_proxy_names_the_visitor() {
        assert_eq!(sender(&["198.51.100.7"], false), "192.0.2.1");
        assert_eq!(sender(&["198.51.100.7"], true), "198.51.100.7");
        assert_eq!(sender(&[], true), "192.0.2.1");
        assert_eq!(sender(&["nonsense"], true), "192.0.2.1");
    }

    #[test]
    fn what_the_visitor_claims_before_the_proxy_adds_the_address_does_not_count() {
        assert_eq!(sender(&["10.0.0.1, 198.51.100.7"], true), "198.51.100.7");
        assert_eq!(sender(&["10.0.0.1", "::ffff:198.51.100.7"], true), "198.51.100.7");
    }

    #[test]
    fn the_addresses_of_one_network_of_ipv6_count_together() {
        let network = |text: &str| Sender(text.parse().unwrap()).network().to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("192.0.2.1"), "192.0.2.1");
    }
}
