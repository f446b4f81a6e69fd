//! Compiles the protos in the folder `PROTOS` with protoc.

use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=PROTOS");
    let folder = env::var("PROTOS")?;
    let files = ["game_service.proto", "player_service.proto"]
        .map(|name| format!("{folder}/flipside/game/v1/{name}"));
    tonic_prost_build::configure()
        .build_server(false)
        .include_file("protos.rs")
        .compile_protos(&files, &[folder])?;
    Ok(())
}
