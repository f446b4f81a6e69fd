//! Two players play Reversi on 4x4 squares to its end. It prints the score.
//!
//! Usage: flipside-example http://HOST:PORT

include!(concat!(env!("OUT_DIR"), "/protos.rs"));

use std::{env, error::Error};

use flipside::game::v1::{
    CreateGameRequest, CreatePlayerRequest, GameState, JoinGameRequest, ListLegalMovesRequest,
    PlayMoveRequest, Seat, game_service_client::GameServiceClient,
    player_service_client::PlayerServiceClient, seat,
};
use flipside::rules::v1::{ReversiSetup, Setup, Side, SquareBoard, reversi_setup, setup};
use tonic::{Request, transport::Channel};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1).ok_or("usage: flipside-example http://HOST:PORT")?;
    let channel = Channel::from_shared(address)?.connect().await?;
    let ann = create_player(&channel, "Ann").await?;
    let bob = create_player(&channel, "Bob").await?;

    let mut games = GameServiceClient::new(channel);
    let create = CreateGameRequest {
        setup: Some(reversi_on_squares(4)),
        seats: vec![Seat { holder: Some(seat::Holder::Caller(seat::Caller {})), ..Default::default() }],
        ..Default::default()
    };
    let created = games.create_game(with_key(create, &ann)?).await?.into_inner();
    let game_id = created.game.ok_or("no game")?.id;
    let join = JoinGameRequest { game_id: game_id.clone(), ..Default::default() };
    let mut game = games.join_game(with_key(join, &bob)?).await?.into_inner().game.ok_or("no game")?;

    while game.state() == GameState::Active {
        let side = game.turn.ok_or("no turn")?.side();
        let key = if side == Side::First { &ann } else { &bob };
        let list = ListLegalMovesRequest { game_id: game_id.clone(), ..Default::default() };
        let legal = games.list_legal_moves(with_key(list, key)?).await?.into_inner();
        let play = PlayMoveRequest {
            game_id: game_id.clone(),
            notation: legal.moves[0].notation.clone(),
            expected_version: legal.version,
            ..Default::default()
        };
        game = games.play_move(with_key(play, key)?).await?.into_inner().game.ok_or("no game")?;
    }
    let score = game.score.ok_or("no score")?;
    println!("{}:{}", score.first, score.second);
    Ok(())
}

/// Creates a player and returns their key.
async fn create_player(channel: &Channel, name: &str) -> Result<String, tonic::Status> {
    let request = CreatePlayerRequest { display_name: name.into() };
    let mut players = PlayerServiceClient::new(channel.clone());
    Ok(players.create_player(request).await?.into_inner().key)
}

/// Returns a request of the player with a key.
fn with_key<T>(message: T, key: &str) -> Result<Request<T>, Box<dyn Error>> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {key}").parse()?);
    Ok(request)
}

fn reversi_on_squares(side: i32) -> Setup {
    let board = reversi_setup::Board::Square(SquareBoard { side, ..Default::default() });
    let reversi = ReversiSetup { board: Some(board), ..Default::default() };
    Setup { game: Some(setup::Game::Reversi(reversi)) }
}
