//! Whose certificates are trusted where this program asks others over HTTPS: the authorities that browsers know, or those in the file
//! that the environment names.

use harness::diagnostic::Problem;
use std::path::Path;
use std::sync::Arc;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};

/// The variable that names a file of certificates, as it does for other programs.
pub const AUTHORITIES: &str = "SSL_CERT_FILE";

/// What connections check.
///
/// # Errors
/// If the environment names a file that holds no certificates.
pub fn tls() -> Result<TlsConfig, Problem> {
    Ok(TlsConfig::builder().root_certs(trusted()?).build())
}

fn trusted() -> Result<RootCerts, Problem> {
    let Some(file) = std::env::var_os(AUTHORITIES).filter(|it| !it.is_empty()) else {
        return Ok(RootCerts::WebPki);
    };
    let unread = |why: String| {
        let file = Path::new(&file).display();
        let problem = Problem::new(format!("cannot read {file}, which {AUTHORITIES} names: {why}"));
        problem.hint("name a file of certificates in PEM")
    };
    let text = std::fs::read(&file).map_err(|error| unread(error.to_string()))?;
    let mut certificates = Vec::new();
    for item in parse_pem(&text) {
        if let PemItem::Certificate(one) = item.map_err(|error| unread(error.to_string()))? {
            certificates.push(one);
        }
    }
    if certificates.is_empty() {
        return Err(unread("it holds no certificate".to_owned()));
    }
    Ok(RootCerts::Specific(Arc::new(certificates)))
}
