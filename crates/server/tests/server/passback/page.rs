//! The page of staff.

use super::*;

#[test]
fn staff_see_what_was_sent_and_a_monitor_counts_it() {
    site_on_both("{}", |site| {
        let linked = Linked::new(site, "");
        let ann = linked.student("ann");
        linked.grades(&ann, 5);
        let _sending = linked.sends();
        let staff = site.signed_in(&site.person("staff", Role::Staff, ""));
        let page = "/assignments/sum/passback";
        let body = staff.get(page).body;
        assert!(body.contains(">off</span>") && body.contains("passback: true"), "{body}");
        assert_eq!(staff.post(page, &[("state", "on")]).status, 303);
        linked.has(&[("ann", 40.0)]);
        let body = staff.get(page).body;
        assert!(body.contains("<strong>1</strong> sent") && body.contains("Our Moodle"), "{body}");
        assert!(body.contains("40 <span class=\"muted\">of 90"), "{body}");
        assert_eq!(staff.post(page, &[("state", "sideways")]).status, 422);
        assert_eq!(staff.get("/assignments/none/passback").status, 404);
        assert_eq!(staff.post(&format!("{page}/again"), &[("student", "nobody")]).status, 404);
        let text = staff.get("/metrics").body;
        for line in [
            "harness_passback_requests_total{outcome=\"taken\"} 1",
            "harness_passback_grades{state=\"sent\"} 1",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in {text}");
        }
    });
}
