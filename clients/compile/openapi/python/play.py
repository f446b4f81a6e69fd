"""
Two players play Reversi on 4x4 squares to its end. It prints the score.

Usage: python play.py http://HOST:PORT
"""

import sys

from flipside_client import AuthenticatedClient, Client, models
from flipside_client.api.game_service import create_game, join_game, list_legal_moves, play_move
from flipside_client.api.player_service import create_player

url = sys.argv[1]


def player(name: str) -> AuthenticatedClient:
    """Creates a player and returns a client with their key."""
    body = models.CreatePlayerRequest(display_name=name)
    created = create_player.sync(client=Client(base_url=url), body=body)
    return AuthenticatedClient(base_url=url, token=created.key)


ann, bob = player("Ann"), player("Bob")
board = models.SquareBoardInput(side=4)
setup = models.SetupInput(reversi=models.ReversiSetupInput(square=board))
seats = [models.SeatInput(caller=models.SeatCaller())]
body = models.CreateGameRequest(setup=setup, seats=seats)
game = create_game.sync(client=ann, body=body).game
game = join_game.sync(game.id, client=bob, body=models.JoinGameRequest()).game
while game.state == models.GameState.GAME_STATE_ACTIVE:
    mover = ann if game.turn.side == models.Side.SIDE_FIRST else bob
    legal = list_legal_moves.sync(game.id, client=mover)
    move = models.PlayMoveRequest(notation=legal.moves[0].notation, expected_version=legal.version)
    game = play_move.sync(game.id, client=mover, body=move).game
print(f"{game.score.first}:{game.score.second}")
