// Creates a player with protos that proto-loader reads while the program runs.
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const definition = loadSync("flipside/game/v1/player_service.proto", { includeDirs: [process.argv[3]] });
const { flipside } = grpc.loadPackageDefinition(definition);
const players = new flipside.game.v1.PlayerService(process.argv[2], grpc.credentials.createInsecure());
players.createPlayer({ displayName: "Ann" }, (error, created) => {
  if (error) throw error;
  console.log(created.player.displayName);
  players.close();
});
