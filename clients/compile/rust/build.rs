//! Compiles the protos in the folder `PROTOS`. It needs no protoc: protox is a compiler in Rust.

use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=PROTOS");
    let folder = env::var("PROTOS")?;
    println!("cargo:rerun-if-changed={folder}");
    let files = ["flipside/game/v1/game_service.proto", "flipside/game/v1/player_service.proto"];
    tonic_prost_build::configure()
        .build_server(false)
        .include_file("protos.rs")
        .compile_fds(protox::compile(files, [folder])?)?;
    Ok(())
}
