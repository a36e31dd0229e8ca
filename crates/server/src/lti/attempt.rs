//! One attempt to come from a platform. What it is follows from what goes with the browser, so nothing is stored before the platform said
//! who it is, and any server can finish what another one began.

use crate::secret;
use axum::http::HeaderName;
use axum::http::header::SET_COOKIE;

/// The cookie that tells a browser from others. A platform sends the browser back by a form, so it must come with requests of other sites.
pub const COOKIE: &str = "__Host-launch";

/// How long somebody may be at the platform, in seconds.
const PATIENCE: u32 = 900;

/// One attempt to come from a platform.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The platform's name in the settings.
    pub platform: String,
    salt: String,
    /// What only the browser that began knows how to make.
    binding: String,
}

impl Attempt {
    /// `browser` is what the cookie holds.
    pub fn begin(platform: &str, browser: &str) -> Self {
        let salt = secret::random();
        let binding = binding(&salt, browser);
        Self { platform: platform.to_owned(), salt, binding }
    }

    /// The attempt with this state.
    pub fn of(state: &str) -> Option<Self> {
        let mut parts = state.rsplitn(3, '.').map(str::to_owned);
        let (binding, salt, platform) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { platform, salt, binding })
    }

    /// What the platform sends back with the browser.
    pub fn state(&self) -> String {
        let Self { platform, salt, binding } = self;
        format!("{platform}.{salt}.{binding}")
    }

    /// What the platform writes into the token, so that no other token fits.
    pub fn nonce(&self) -> String {
        secret::digest(&format!("nonce of {}", self.state()))
    }

    /// Whether the browser with this in its cookie began.
    pub fn is_of(&self, browser: &str) -> bool {
        self.binding == binding(&self.salt, browser)
    }

    /// The header that gives a browser its cookie.
    pub fn given(browser: &str) -> [(HeaderName, String); 1] {
        let rules = "Path=/; Secure; HttpOnly; SameSite=None";
        [(SET_COOKIE, format!("{COOKIE}={browser}; {rules}; Max-Age={PATIENCE}"))]
    }
}

fn binding(salt: &str, browser: &str) -> String {
    secret::digest(&format!("launch {salt} of {browser}"))
}
