//! Writes every demo picture into the folder given as the argument, to look at them.

use std::{env, fs, path::PathBuf};

use demo::{Demo, DemoPlan, PictureFile};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("usage: pictures <folder>")?);
    let plan = DemoPlan {
        scale: 1,
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    for picture in Demo::new(plan)?.pictures() {
        for PictureFile { file, bytes } in picture.render() {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap_or(&folder))?;
            fs::write(file, bytes)?;
        }
    }
    Ok(())
}
