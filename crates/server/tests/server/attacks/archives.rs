//! Archives that no program should unpack without a look, made here byte by byte.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::Write;

/// The unpacked size of bombs.
pub(super) const BOMB: usize = 100 << 20;

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// An entry of an archive of tar, with a header that no library would write.
pub(super) fn entry(name: &[u8], kind: u8, link: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    let old = header.as_old_mut();
    old.name[..name.len()].copy_from_slice(name);
    old.linkname[..link.len()].copy_from_slice(link);
    old.linkflag = [kind];
    header.set_size(bytes.len() as u64);
    header.set_mode(0o4755);
    header.set_cksum();
    let mut all = header.as_bytes().to_vec();
    all.extend_from_slice(bytes);
    all.resize(all.len().next_multiple_of(512), 0);
    all
}

/// An archive of tar of these entries, gzipped.
pub(super) fn tarball(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut all = entries.concat();
    all.resize(all.len() + 1024, 0);
    gzip(&all)
}

/// A zip of one file. `flags` are those of the format: 1 is a password.
pub(super) fn zip(name: &str, bytes: &[u8], flags: u16) -> Vec<u8> {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(bytes).unwrap();
    let packed = deflate.finish().unwrap();
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    let mut common = [20u16.to_le_bytes(), flags.to_le_bytes(), 8u16.to_le_bytes()].concat();
    common.extend([0; 4]);
    for number in [crc.sum(), length(&packed), length(bytes)] {
        common.extend(number.to_le_bytes());
    }
    common.extend((name.len() as u16).to_le_bytes());
    common.extend([0; 2]);
    let local = [b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat();
    let mut central = [b"PK\x01\x02", &20u16.to_le_bytes()[..], &common].concat();
    central.extend([0; 14]);
    central.extend(name.as_bytes());
    let mut end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0".to_vec();
    end.extend(length(&central).to_le_bytes());
    end.extend(length(&local).to_le_bytes());
    end.extend([0; 2]);
    [local, central, end].concat()
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap()
}

/// Archives that are refused, each with its name.
pub(super) fn refused() -> Vec<(String, Vec<u8>)> {
    let file = |name: &[u8]| entry(name, b'0', b"", b"int main() {}\n");
    let link = |kind, to: &[u8]| tarball(&[file(b"sum.cpp"), entry(b"link.h", kind, to, b"")]);
    let right = crate::support::sums::right();
    let deep = "d/".repeat(45) + "sum.cpp";
    let many: Vec<_> = (0..1_001).map(|at| file(format!("f{at}.cpp").as_bytes())).collect();
    let zeros = vec![0; BOMB];
    let bomb = entry(b"sum.cpp", b'0', b"", &zeros);
    let all = [
        ("bomb.zip", zip("sum.cpp", &zeros, 0)),
        ("bomb.tar.gz", tarball(&[bomb])),
        ("zeros.tar.gz", gzip(&zeros)),
        ("twice.tar.gz", gzip(&gzip(&zeros))),
        ("password.zip", zip("sum.cpp", b"int main() {}\n", 1)),
        ("up.zip", zip("../../sum.cpp", b"int main() {}\n", 0)),
        ("absolute.zip", zip("/etc/sum.cpp", b"int main() {}\n", 0)),
        ("symbolic.tar.gz", link(b'2', b"/etc/passwd")),
        ("hard.tar.gz", link(b'1', b"/etc/passwd")),
        ("device.tar.gz", link(b'3', b"")),
        ("pipe.tar.gz", link(b'6', b"")),
        ("up.tar.gz", tarball(&[file(b"../../sum.cpp")])),
        ("absolute.tar.gz", tarball(&[file(b"/etc/sum.cpp")])),
        ("deep.tar.gz", tarball(&[file(deep.as_bytes())])),
        ("many.tar.gz", tarball(&many)),
        ("cut.tar.gz", right[..right.len() / 2].to_vec()),
        ("cut.zip", zip("sum.cpp", b"int main() {}\n", 0)[..40].to_vec()),
        ("empty.tar.gz", Vec::new()),
        ("nothing.tar.gz", tarball(&[])),
        ("noise.zip", (0..20_000u32).map(|at| (at * at >> 7) as u8).collect()),
        ("other.rar", b"Rar!\x1a\x07\x01\0".to_vec()),
    ];
    all.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect()
}
