import flipside.ApiClient;
import flipside.ApiException;
import flipside.api.GameServiceApi;
import flipside.api.PlayerServiceApi;
import flipside.model.CreateGameRequest;
import flipside.model.CreatePlayerRequest;
import flipside.model.Game;
import flipside.model.GameState;
import flipside.model.JoinGameRequest;
import flipside.model.PlayMoveRequest;
import flipside.model.ReversiSetupInput;
import flipside.model.SeatInput;
import flipside.model.SetupInput;
import flipside.model.Side;
import flipside.model.SquareBoardInput;
import java.util.Map;

/**
 * Two players play Reversi on 4x4 squares to its end. It prints the score.
 *
 * <p>Usage: Play http://HOST:PORT
 */
public final class Play {
  public static void main(String[] args) throws ApiException {
    var score = play(player(args[0], "Ann"), player(args[0], "Bob")).getScore();
    System.out.println(score.getFirst() + ":" + score.getSecond());
  }

  /** Creates a player and returns a client that sends their key. */
  private static GameServiceApi player(String url, String name) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(url);
    var request = new CreatePlayerRequest().displayName(name);
    var key = new PlayerServiceApi(client).createPlayer(null, null, null, null, request).getKey();
    client.setRequestInterceptor(call -> call.setHeader("Authorization", "Bearer " + key));
    return new GameServiceApi(client);
  }

  private static Game play(GameServiceApi ann, GameServiceApi bob) throws ApiException {
    var board = new ReversiSetupInput().square(new SquareBoardInput().side(4));
    var create =
        new CreateGameRequest()
            .setup(new SetupInput().reversi(board))
            .addSeatsItem(new SeatInput().caller(Map.of()));
    var id = ann.createGame(create, null, null, null, null, null).getGame().getId();
    var join = new JoinGameRequest();
    var game = bob.joinGame(id, null, null, null, null, null, join).getGame();
    while (game.getState() == GameState.GAME_STATE_ACTIVE) {
      var mover = game.getTurn().getSide() == Side.SIDE_FIRST ? ann : bob;
      var legal = mover.listLegalMoves(id, null, null, null, null, null, null, null, null);
      var move =
          new PlayMoveRequest()
              .notation(legal.getMoves().get(0).getNotation())
              .expectedVersion(legal.getVersion());
      game = mover.playMove(id, move, null, null, null, null, null).getGame();
    }
    return game;
  }
}
