//! An authority of the tests' own, and a server's certificate of it.

use super::site::Site;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Makes an authority, and a certificate for 127.0.0.1.
const SCRIPT: &str = "set -e
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
openssl req -x509 $key -days 30 -subj '/CN=Authority of a test' -keyout authority.key -out authority.pem
openssl req $key -subj /CN=test -keyout server.key -out server.csr
echo 'subjectAltName=IP:127.0.0.1' > names
openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial \\
    -days 30 -extfile names -out server.pem";

/// An authority, and a certificate of it for 127.0.0.1.
pub(crate) struct Certificates(TempDir);

impl Certificates {
    /// None if OpenSSL is not installed, unless `CI` is set: then the test fails.
    pub(crate) fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let made = Command::new("sh").args(["-c", SCRIPT]).current_dir(folder.path()).output();
        let made = made.unwrap();
        if !made.status.success() {
            let said = String::from_utf8_lossy(&made.stderr).into_owned();
            assert!(std::env::var_os("CI").is_none(), "{said}");
            eprintln!("skipped: {said}");
            return None;
        }
        Some(Self(folder))
    }

    pub(crate) fn authority(&self) -> PathBuf {
        self.0.path().join("authority.pem")
    }

    pub(crate) fn certificate(&self) -> PathBuf {
        self.0.path().join("server.pem")
    }

    pub(crate) fn key(&self) -> PathBuf {
        self.0.path().join("server.key")
    }
}

/// The address of a proxy with a certificate before a site.
pub(crate) fn https(site: &Site, certificates: &Certificates) -> String {
    let chain = CertificateDer::pem_file_iter(certificates.certificate()).unwrap();
    let chain = chain.map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_file(certificates.key()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(chain, key).unwrap()));
    let target = site.url.strip_prefix("http://").unwrap().to_owned();
    let listener = site.runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    site.runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, target) = (acceptor.clone(), target.clone());
            tokio::spawn(async move {
                let Ok(mut visitor) = acceptor.accept(stream).await else { return };
                let mut server = TcpStream::connect(target).await.unwrap();
                let _ = copy_bidirectional(&mut visitor, &mut server).await;
            });
        }
    });
    url
}
