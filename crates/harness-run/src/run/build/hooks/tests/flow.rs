//! Where the control of a program in assembly may go, read in another way than hooks are put.

use std::collections::{HashMap, HashSet};

/// The lines of a cycle of control that passes no `hook`, if there is one. Calls go to the function and to the next line.
pub(super) fn cycle(assembly: &str, hook: &str) -> Option<String> {
    let count = hook.lines().next().unwrap().trim();
    let lines: Vec<_> = assembly.lines().map(str::trim).collect();
    let labels: HashMap<_, _> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((line.strip_suffix(':')?, at)))
        .collect();
    let (mut computed, mut is_code) = (HashSet::new(), true);
    for line in &lines {
        if line.starts_with(".section") || line.starts_with(".text") {
            is_code = !line.contains("debug") && !line.contains("gcc_except_table");
        }
        let goes = line.starts_with('j') || line.starts_with("call");
        if is_code && !goes && !line.ends_with(':') {
            computed.extend(
                names(line)
                    .filter(|name| name.starts_with(".L"))
                    .filter_map(|name| labels.get(name)),
            );
        }
    }
    let next = |at: usize| -> Vec<usize> {
        let line = lines[at];
        let (name, to) = line.split_once(['\t', ' ']).unwrap_or((line, ""));
        let mut ways = Vec::new();
        if name.starts_with('j') || name.starts_with("call") || name == "notrack" {
            match to.contains('*') {
                true if !name.starts_with("call") => ways.extend(computed.iter().copied().copied()),
                true => {}
                false => ways.extend(labels.get(to.split('@').next().unwrap())),
            }
        }
        let ends = matches!(name, "jmp" | "ret" | "ud2" | "notrack");
        if !ends && at + 1 < lines.len() {
            ways.push(at + 1);
        }
        ways.retain(|&way| lines[way] != count);
        ways
    };
    search(lines.len(), next).map(|found| {
        let texts: Vec<_> =
            found.into_iter().map(|at| format!("{}: {}", at + 1, lines[at])).collect();
        texts.join("; ")
    })
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.' && letter != '_')
}

/// A cycle of a graph, by a search in depth.
fn search(nodes: usize, next: impl Fn(usize) -> Vec<usize>) -> Option<Vec<usize>> {
    let mut is_done = vec![false; nodes];
    for start in 0..nodes {
        let mut path = vec![(start, next(start))];
        let mut on_path = HashSet::from([start]);
        while let Some((node, ways)) = path.last_mut() {
            let Some(way) = ways.pop() else {
                is_done[*node] = true;
                on_path.remove(node);
                path.pop();
                continue;
            };
            if on_path.contains(&way) {
                let nodes = path.iter().map(|&(node, _)| node);
                return Some(nodes.skip_while(|&node| node != way).collect());
            }
            if !is_done[way] {
                on_path.insert(way);
                path.push((way, next(way)));
            }
        }
    }
    None
}
