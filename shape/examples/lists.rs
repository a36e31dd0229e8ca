use shape::*;
use std::time::Instant;
fn main() {
    for id in ["puzzle", "countess", "sliding", "maze-solver", "maze-generator"] {
        let f = format!("docs/shapes/{id}.yaml");
        let s = parse(f.as_ref(), &std::fs::read(&f).unwrap()).unwrap();
        let lim: Vec<(String, i64)> = match id {
            "puzzle" => vec![("rows".into(), 10), ("columns".into(), 10)],
            "countess" => vec![("rooms".into(), 10), ("size".into(), 8)],
            "sliding" => vec![("rows".into(), 8), ("columns".into(), 8), ("pieces".into(), 20)],
            _ => vec![],
        };
        let o = Options { limits: lim, ..Options::default() };
        for area in 1..=7 {
            let t = Instant::now();
            let l = s.list(area, 40000, &o);
            println!(
                "{id} {area}: {} {} {:.0} ms",
                l.inputs.len(),
                l.is_whole,
                t.elapsed().as_secs_f64() * 1e3
            );
            if !l.is_whole {
                break;
            }
        }
    }
}
