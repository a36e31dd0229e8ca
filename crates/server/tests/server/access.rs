//! Who may use which route.

use super::support::site_on_both;
use server::people::Role;

#[test]
fn the_first_page_is_for_who_is_signed_in() {
    site_on_both("{}", |site| {
        let nobody = site.nobody().get("/");
        assert_eq!((nobody.status, nobody.headers["location"].as_str()), (303, "/sign-in"));
        let ann = site.signed_in(&site.person("ann", Role::Student, "a"));
        let home = ann.get("/");
        assert_eq!(home.status, 200);
        assert!(home.body.contains("Sum"), "{}", home.body);
        assert_eq!(ann.post_to("/sign-out", &[]).status, 403, "without the token of a form");
        assert_eq!(ann.post("/sign-out", &[]).status, 303);
        assert_eq!(ann.get("/").status, 303);
    });
}
