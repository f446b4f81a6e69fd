"""Creates a player with code that grpcio-tools generated from the protos."""

import sys

import grpc

from flipside.game.v1 import player_service_pb2, player_service_pb2_grpc

with grpc.insecure_channel(sys.argv[1]) as channel:
    players = player_service_pb2_grpc.PlayerServiceStub(channel)
    created = players.CreatePlayer(player_service_pb2.CreatePlayerRequest(display_name="Ann"))
    print(created.player.display_name)
