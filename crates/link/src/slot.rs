//! Which hash slot of a Cluster a command belongs to.
//!
//! Only the first key is looked at: the others must share its slot, and the server refuses those that do not.

use redis::{Arg, Cmd};

const SLOTS: u16 = 16_384;

/// The slot of the command's first key, or `None` for a command without keys, which any master may run.
pub(crate) fn of_command(cmd: &Cmd) -> Option<u16> {
    first_key(cmd).map(of_key)
}

/// CRC-16 of the key, or of the part in braces that lets keys share a slot.
pub(crate) fn of_key(key: &[u8]) -> u16 {
    crc16(hash_tag(key).unwrap_or(key)) % SLOTS
}

fn hash_tag(key: &[u8]) -> Option<&[u8]> {
    let open = key.iter().position(|byte| *byte == b'{')? + 1;
    let length = key[open..].iter().position(|byte| *byte == b'}')?;
    (length > 0).then(|| &key[open..open + length])
}

/// The XMODEM variant, which Redis Cluster prescribes.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| match crc >> 15 {
            1 => (crc << 1) ^ 0x1021,
            _ => crc << 1,
        })
    })
}

fn first_key(cmd: &Cmd) -> Option<&[u8]> {
    let name = argument(cmd, 0)?.to_ascii_uppercase();
    match name.as_slice() {
        b"EVAL" | b"EVALSHA" | b"EVAL_RO" | b"EVALSHA_RO" | b"FCALL" | b"FCALL_RO" => {
            match argument(cmd, 2)? {
                b"0" => None,
                _ => argument(cmd, 3),
            }
        }
        b"XREAD" | b"XREADGROUP" => after_streams(cmd),
        b"XINFO" | b"XGROUP" | b"OBJECT" | b"MEMORY" | b"BITOP" => argument(cmd, 2),
        b"LMPOP" | b"ZMPOP" | b"SINTERCARD" | b"ZINTERCARD" | b"ZINTER" | b"ZUNION" | b"ZDIFF" => {
            argument(cmd, 2)
        }
        b"BLMPOP" | b"BZMPOP" => argument(cmd, 3),
        name if has_no_key(name) => None,
        _ => argument(cmd, 1),
    }
}

fn after_streams(cmd: &Cmd) -> Option<&[u8]> {
    let mut rest = cmd.args_iter().skip_while(
        |arg| !matches!(arg, Arg::Simple(word) if word.eq_ignore_ascii_case(b"STREAMS")),
    );
    rest.next()?;
    simple(rest.next()?)
}

fn argument(cmd: &Cmd, index: usize) -> Option<&[u8]> {
    simple(cmd.args_iter().nth(index)?)
}

fn simple(arg: Arg<&[u8]>) -> Option<&[u8]> {
    match arg {
        Arg::Simple(bytes) => Some(bytes),
        _ => None,
    }
}

fn has_no_key(name: &[u8]) -> bool {
    const KEYLESS: [&[u8]; 29] = [
        b"ACL",
        b"BGREWRITEAOF",
        b"BGSAVE",
        b"CLIENT",
        b"CLUSTER",
        b"COMMAND",
        b"CONFIG",
        b"DBSIZE",
        b"DEBUG",
        b"ECHO",
        b"FLUSHALL",
        b"FLUSHDB",
        b"FUNCTION",
        b"INFO",
        b"KEYS",
        b"LASTSAVE",
        b"LATENCY",
        b"PING",
        b"PUBLISH",
        b"PUBSUB",
        b"RANDOMKEY",
        b"ROLE",
        b"SAVE",
        b"SCAN",
        b"SCRIPT",
        b"SLOWLOG",
        b"SWAPDB",
        b"TIME",
        b"WAIT",
    ];
    KEYLESS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(words: &[&str]) -> Option<u16> {
        let mut cmd = Cmd::new();
        for word in words {
            cmd.arg(word);
        }
        of_command(&cmd)
    }

    #[test]
    fn the_hash_is_the_one_redis_prescribes() {
        assert_eq!(crc16(b"123456789"), 0x31c3);
        assert_eq!(of_key(b"foo"), 12_182);
        assert_eq!(of_key(b"bar"), 5_061);
    }

    #[test]
    fn keys_with_the_same_braces_share_a_slot() {
        assert_eq!(of_key(b"{7}:stock"), of_key(b"{7}:buyers"));
        assert_eq!(of_key(b"a{7}{8}"), of_key(b"7"));
        assert_ne!(of_key(b"{}a"), of_key(b"{}b"));
        assert_ne!(of_key(b"{a"), of_key(b"a"));
    }

    #[test]
    fn the_first_key_is_found_wherever_the_command_keeps_it() {
        let foo = Some(of_key(b"foo"));
        assert_eq!(slot(&["get", "foo"]), foo);
        assert_eq!(slot(&["EVALSHA", "abc", "2", "foo", "bar", "x"]), foo);
        assert_eq!(slot(&["EVAL", "return 1", "0", "foo"]), None);
        assert_eq!(
            slot(&["xreadgroup", "group", "g", "c", "streams", "foo", ">"]),
            foo
        );
        assert_eq!(slot(&["XINFO", "STREAM", "foo"]), foo);
        assert_eq!(slot(&["SPUBLISH", "foo", "x"]), foo);
        assert_eq!(slot(&["PING"]), None);
        assert_eq!(slot(&["SCRIPT", "FLUSH"]), None);
    }
}
