import flipside.game.v1.CreateGameRequest;
import flipside.game.v1.CreatePlayerRequest;
import flipside.game.v1.Game;
import flipside.game.v1.GameServiceGrpc;
import flipside.game.v1.GameState;
import flipside.game.v1.JoinGameRequest;
import flipside.game.v1.ListLegalMovesRequest;
import flipside.game.v1.PlayMoveRequest;
import flipside.game.v1.PlayerServiceGrpc;
import flipside.game.v1.Seat;
import flipside.rules.v1.ReversiSetup;
import flipside.rules.v1.Setup;
import flipside.rules.v1.Side;
import flipside.rules.v1.SquareBoard;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;

/**
 * Two players play Reversi on 4x4 squares to its end. It prints the score.
 *
 * <p>Usage: Play HOST:PORT
 */
public final class Play {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  public static void main(String[] args) {
    var channel = Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()).build();
    try {
      var score = play(player(channel, "Ann"), player(channel, "Bob")).getScore();
      System.out.println(score.getFirst() + ":" + score.getSecond());
    } finally {
      channel.shutdownNow();
    }
  }

  /** Creates a player and returns a stub that sends their key. */
  private static GameServiceGrpc.GameServiceBlockingStub player(Channel channel, String name) {
    var request = CreatePlayerRequest.newBuilder().setDisplayName(name).build();
    var created = PlayerServiceGrpc.newBlockingStub(channel).createPlayer(request);
    var metadata = new Metadata();
    metadata.put(AUTHORIZATION, "Bearer " + created.getKey());
    return GameServiceGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  private static Game play(
      GameServiceGrpc.GameServiceBlockingStub ann, GameServiceGrpc.GameServiceBlockingStub bob) {
    var board = SquareBoard.newBuilder().setSide(4);
    var create =
        CreateGameRequest.newBuilder()
            .setSetup(Setup.newBuilder().setReversi(ReversiSetup.newBuilder().setSquare(board)))
            .addSeats(Seat.newBuilder().setCaller(Seat.Caller.getDefaultInstance()))
            .build();
    var id = ann.createGame(create).getGame().getId();
    var game = bob.joinGame(JoinGameRequest.newBuilder().setGameId(id).build()).getGame();
    while (game.getState() == GameState.GAME_STATE_ACTIVE) {
      var player = game.getTurn().getSide() == Side.SIDE_FIRST ? ann : bob;
      var legal = player.listLegalMoves(ListLegalMovesRequest.newBuilder().setGameId(id).build());
      var move =
          PlayMoveRequest.newBuilder()
              .setGameId(id)
              .setNotation(legal.getMoves(0).getNotation())
              .setExpectedVersion(legal.getVersion())
              .build();
      game = player.playMove(move).getGame();
    }
    return game;
  }
}
