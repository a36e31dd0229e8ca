insert into person (login, name, role, created) values ('ann', 'Ann', 'student', 0);
insert into course (digest, bytes, title, at) values ('c1', '', 'Course', 0);
insert into course_in_force (course, at) values ('c1', 0);
insert into archive (digest, bytes) values ('a1', '');
insert into submission (person, assignment, at, day, slot, feedback, archive, file_name, request) values (1, 'sum', 0, '2026-11-24', 1, 'normal', 'a1', 'submit.tar.gz', 'r1');
insert into job (submission, course, class, rank, state, attempt, queued) values (1, 'c1', 0, 0, 'done', 1, 0);
insert into result (job, submission, course, attempt, points, max_points, refused, record, finished, applied) values (1, 1, 'c1', 1, 9000, 10000, 0, '{}', 0, 0);
