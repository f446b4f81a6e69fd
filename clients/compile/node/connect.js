// Creates a player with code that protobuf-es generated from the protos.
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { PlayerService } from "./gen/flipside/game/v1/player_service_pb.js";

const players = createClient(PlayerService, createGrpcTransport({ baseUrl: `http://${process.argv[2]}` }));
const { player } = await players.createPlayer({ displayName: "Ann" });
console.log(player.displayName);
process.exit(0);
