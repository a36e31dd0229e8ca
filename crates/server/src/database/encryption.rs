//! How the connection to PostgreSQL is encrypted, and whether it is checked who answers.

use super::address::Mistake;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How the connection to PostgreSQL is encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// Whoever is on the way reads everything.
    None,
    /// Nobody reads it who only listens. Whoever can answer in the place of the database does.
    Unverified,
    /// Only who has a certificate for the name of the host can answer, of an authority in this file.
    Verified(PathBuf),
}

impl Encryption {
    /// What `sslmode` and `sslrootcert` ask for, as PostgreSQL's own programs understand them, or more strictly.
    pub(super) fn of(mode: Option<&str>, authority: Option<PathBuf>) -> Result<Self, Mistake> {
        const FILE: &str = "name its whole path, such as `sslrootcert=/etc/harness/database.pem`";
        match (mode.unwrap_or("disable"), authority) {
            ("disable", None) => Ok(Self::None),
            ("disable", Some(_)) => {
                let what = "`sslrootcert` names an authority, and nothing is encrypted";
                Err(Mistake::new(what, "add `sslmode=verify-full`"))
            }
            ("require", None) => Ok(Self::Unverified),
            ("require" | "verify-full", Some(file)) if file.is_absolute() => {
                Ok(Self::Verified(file))
            }
            ("require" | "verify-full", Some(file)) => {
                let what = format!("`sslrootcert` is {}, which is no whole path", file.display());
                Err(Mistake::new(what, FILE))
            }
            ("verify-full", None) => {
                let what = "`sslmode=verify-full` needs `sslrootcert`, a file of certificates";
                Err(Mistake::new(what, FILE))
            }
            (other, _) => {
                let what = format!("`sslmode={other}` promises no more than others do");
                Err(Mistake::new(what, "write `disable`, `require` or `verify-full`"))
            }
        }
    }

    /// What encrypts connections. None: nothing does.
    pub(super) fn connector(&self) -> Result<Option<MakeRustlsConnect>, Mistake> {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider.clone());
        let builder = builder.with_safe_default_protocol_versions();
        let builder = builder.expect("the provider knows the usual versions");
        let builder = match self {
            Self::None => return Ok(None),
            Self::Unverified => {
                let anybody = Arc::new(Anybody(provider));
                builder.dangerous().with_custom_certificate_verifier(anybody)
            }
            Self::Verified(file) => builder.with_root_certificates(authorities(file)?),
        };
        Ok(Some(MakeRustlsConnect::new(builder.with_no_client_auth())))
    }
}

fn authorities(file: &Path) -> Result<RootCertStore, Mistake> {
    let unread = |why: String| {
        let what = format!("`sslrootcert` cannot be read: {}: {why}", file.display());
        Mistake::new(what, "name a file of certificates in PEM, which the server's user may read")
    };
    let mut authorities = RootCertStore::empty();
    let found = CertificateDer::pem_file_iter(file).map_err(|error| unread(error.to_string()))?;
    for one in found {
        let one = one.map_err(|error| unread(error.to_string()))?;
        authorities.add(one).map_err(|error| unread(error.to_string()))?;
    }
    if authorities.is_empty() {
        return Err(unread("it holds no certificate".to_owned()));
    }
    Ok(authorities)
}

/// Takes every certificate. Whoever answers must still have its key.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
