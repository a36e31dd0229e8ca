//! The files of a submission with the numbers of their lines, and what the course gives to students.

use crate::app::App;
use crate::courses::Version;
use crate::database::Fault;
use crate::hand::Comment;
use crate::submissions::Submission;
use crate::web::Refusal;
use harness::files::upload::Upload;
use harness::similarity::Language;
use std::path::{Path, PathBuf};

/// The most kilobytes that are read. What was handed in is smaller, or was refused.
const KILOBYTES: u64 = 8192;

/// The most lines of a file that are shown.
const MOST_LINES: usize = 5000;

/// A file: its path, and its text. None: it is no text.
pub(super) type Text = (String, Option<String>);

/// A file as the page shows it.
pub(super) struct File {
    pub(super) path: String,
    /// Why there are no lines, or not all of them.
    pub(super) note: Option<&'static str>,
    pub(super) lines: Vec<Line>,
    pub(super) is_open: bool,
}

pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) comments: Vec<Comment>,
    /// Whether the form for a comment is here.
    pub(super) is_asked: bool,
}

/// The files that were handed in: those that people read first, then the others, each by path.
pub(super) async fn texts(app: &App, submission: &Submission) -> Result<Vec<Text>, Refusal> {
    let (digest, name) = (submission.archive.clone(), submission.file_name.clone());
    let bytes = app.database.read(move |connection| {
        let sql = "select bytes from archive where digest = $1";
        let row = connection.first(sql, &[(&digest).into()])?;
        Ok(row.map(|row| row.bytes(0)).unwrap_or_default())
    });
    let bytes = bytes.await?;
    in_background(move || {
        let mut all = of_upload(Upload::of_archive(&name, &bytes[..], KILOBYTES));
        all.sort_by_key(|(path, _)| !is_read(path));
        all
    })
    .await
}

/// The files that the course gives to students.
pub(super) async fn given(
    app: &App,
    version: &Version,
    assignment: &str,
) -> Result<Vec<Text>, Refusal> {
    let own = version.assignment(assignment).and_then(|it| it.submission.as_ref());
    let paths: Vec<PathBuf> = own.map(|it| it.given.clone()).unwrap_or_default();
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let folder = app.courses.unpacked(&app.database, &version.digest).await?;
    let read = move |path: PathBuf| {
        let path = folder.join(path);
        let is_folder = path.is_dir();
        of_upload(if is_folder {
            Upload::read(&path, KILOBYTES)
        } else {
            Upload::of_source(&path, KILOBYTES)
        })
    };
    in_background(move || paths.into_iter().flat_map(read).collect()).await
}

fn of_upload(upload: Upload) -> Vec<Text> {
    let file = |(path, bytes): (Vec<u8>, Vec<u8>)| {
        (String::from_utf8_lossy(&path).into_owned(), String::from_utf8(bytes).ok())
    };
    let is_text = |text: &String| !text.contains('\0');
    upload.files.into_iter().map(file).map(|(path, text)| (path, text.filter(is_text))).collect()
}

async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| Fault::Broken(error.to_string()))?)
}

/// Whether a person reads it: a source, or a text about it. Tests are data.
fn is_read(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let is_source = Language::of(path).is_some_and(|it| it != Language::Text);
    let is_markdown = Path::new(&name).extension().is_some_and(|it| it == "md");
    is_source || name.starts_with("readme") || is_markdown
}

/// The files as the page shows them, with the comments at their lines. `asked` is the file and the line of the form for a comment.
pub(super) fn files(
    texts: Vec<Text>,
    comments: &[Comment],
    asked: Option<(usize, usize)>,
) -> Vec<File> {
    let file = |(at, (path, text)): (usize, Text)| {
        let own: Vec<_> = comments.iter().filter(|it| it.file == path).collect();
        let line = |(text, number): (&str, usize)| Line {
            number,
            text: text.to_owned(),
            comments: own
                .iter()
                .filter(|it| usize::try_from(it.line) == Ok(number))
                .map(|it| (*it).clone())
                .collect(),
            is_asked: asked == Some((at, number)),
        };
        let text_ = text.as_deref().unwrap_or_default();
        let lines: Vec<_> = text_.lines().take(MOST_LINES).zip(1..).map(line).collect();
        File {
            is_open: is_read(&path) || !own.is_empty() || asked.is_some_and(|(file, _)| file == at),
            note: match &text {
                None => Some("It is no text."),
                Some(text) if text.is_empty() => Some("It is empty."),
                Some(text) if text.lines().count() > MOST_LINES => {
                    Some("The rest of the file is not shown.")
                }
                Some(_) => None,
            },
            path,
            lines,
        }
    };
    texts.into_iter().enumerate().map(file).collect()
}

/// A line of a file, if there is one.
pub(super) fn line<'a>(texts: &'a [Text], file: &str, number: usize) -> Option<&'a str> {
    let (_, text) = texts.iter().find(|(path, _)| path == file)?;
    text.as_ref()?.lines().take(MOST_LINES).nth(number.checked_sub(1)?)
}
