//! Prints shops and notes of the demo data, to read them.
#![expect(clippy::print_stdout, reason = "printing is what this example is for")]

use demo::{Demo, DemoPlan};

fn main() -> Result<(), demo::ScaleOutOfRange> {
    let plan = DemoPlan {
        scale: 1,
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    let demo = Demo::new(plan)?;
    for shop in demo.shops().step_by(7) {
        println!(
            "{} · {} · ¥{}",
            shop.name, shop.address, shop.avg_price_yuan
        );
    }
    for person in demo.people().take(60) {
        println!("{} · {}", person.nick_name, person.introduce);
    }
    for note in demo.notes().take(40) {
        println!("\n★{} {}\n{}", note.score, note.title, note.content);
    }
    Ok(())
}
