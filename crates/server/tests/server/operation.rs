//! What those who run the server ask it: its health, its metrics and its log.

use super::support::{postgres, site::Site, site_on_both};
use server::database::Address;
use server::people::Role;
use server::tokens;

fn metrics(site: &Site, token: &str) -> (u16, String) {
    let agent: ureq::Agent = super::support::handing_in::client().build().into();
    let request = agent.get(format!("{}/metrics", site.url));
    let mut response = request.header("authorization", format!("Bearer {token}")).call().unwrap();
    (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
}

#[test]
fn a_monitor_with_a_token_of_staff_reads_the_metrics_and_no_student_does() {
    site_on_both("{}", |site| {
        assert_eq!(site.nobody().get("/metrics").status, 303);
        let ann = site.person("ann", Role::Student, "");
        assert_eq!(site.signed_in(&ann).get("/metrics").status, 404);
        let (student, staff) = (ann.id, site.person("bo", Role::Staff, "").id);
        let token = |person: i64| site.write(move |it| tokens::make(it, person, "monitor"));
        assert_eq!(metrics(site, &token(student)).0, 404);
        site.write(|connection| {
            connection.execute("insert into archive (digest, bytes) values ('a', $1)", &[vec![1].into()])?;
            let course = server::courses::in_force(connection)?.unwrap();
            let submission = connection.insert(
                "insert into submission (person, assignment, at, day, feedback, archive, file_name, request) \
                 values (1, 'sum', 0, '2026-11-24', 'normal', 'a', 'a', 'a')",
                &[],
            )?;
            let now = connection.now()?;
            for (run, class, state, queued) in
                [(0, 0, "queued", now - 7_000), (1, 2, "queued", now), (2, 0, "running", 0), (3, 0, "failed", 0)]
            {
                connection.execute(
                    "insert into job (submission, course, run, class, rank, state, queued) \
                     values ($1, $2, $3, $4, 0, $5, $6)",
                    &[submission.into(), (&course).into(), run.into(), class.into(), state.into(), queued.into()],
                )?;
            }
            Ok(())
        });
        let (status, text) = metrics(site, &token(staff));
        assert_eq!(status, 200);
        for line in [
            "harness_requests_total{status=\"4xx\"} 2",
            "harness_request_seconds_bucket{le=\"+Inf\"} 3",
            "harness_request_seconds_count 3",
            "harness_queue_jobs{class=\"live\"} 1",
            "harness_queue_jobs{class=\"by_hand\"} 0",
            "harness_queue_jobs{class=\"regrade\"} 1",
            "harness_running_jobs 1",
            "harness_jobs_total{end=\"failed\"} 1",
            "harness_workers 0",
            "harness_database_faults_total 0",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in {text}");
        }
        let value = |name: &str| -> f64 {
            let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
            line.rsplit(' ').next().unwrap().parse().unwrap()
        };
        assert!((7.0..60.0).contains(&value("harness_queue_oldest_seconds")));
        assert!(value("process_resident_memory_bytes") > 1e6);
    });
}

#[test]
fn health_tells_whether_the_database_is_reached() {
    site_on_both("{}", |site| {
        let health = site.nobody().get("/health");
        assert_eq!(
            (health.status, health.headers["content-type"].as_str()),
            (200, "application/json")
        );
        assert!(health.body.starts_with("{\"status\":\"ok\""), "{}", health.body);
    });
    let Some(postgres) = postgres::Server::start() else { return };
    let site = Site::new(&Address::Postgres(postgres.database("one")), "{}");
    let ann = site.signed_in(&site.person("ann", Role::Student, ""));
    assert_eq!(ann.get("/").status, 200);
    postgres.kill();
    let away = site.nobody().get("/health");
    assert_eq!((away.status, away.headers["retry-after"].as_str()), (503, "10"));
    assert_eq!(site.nobody().get("/health/live").status, 200);
    let page = ann.get("/");
    assert_eq!((page.status, page.headers["retry-after"].as_str()), (503, "10"));
    assert!(page.body.to_lowercase().contains("nothing was lost"), "{}", page.body);
    postgres.up();
    assert_eq!(site.nobody().get("/health").status, 200);
    assert_eq!(ann.get("/").status, 200);
}
