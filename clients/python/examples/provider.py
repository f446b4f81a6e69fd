"""
An engine for robots: it flips as few discs as it can, or as many with the option {"flips": "most"}.
The legal moves come from Flipside.

Usage: python provider.py [LISTEN_ADDRESS [STRATEGY_ADDRESS]]
"""

import sys
from concurrent import futures

import grpc
from flipside.strategy.v1 import strategy_service_pb2 as pb
from flipside.strategy.v1 import strategy_service_pb2_grpc as rpc

listen, strategy = (*sys.argv[1:], "127.0.0.1:7000", "127.0.0.1:9091")[:2]


class Engine(rpc.StrategyServiceServicer):
    """Answers with the legal move that flips the fewest or the most discs."""

    def __init__(self, rules: rpc.StrategyServiceStub) -> None:
        self.rules = rules

    def ChooseMove(self, request, context):
        """Choose a move. An error makes Flipside retry, then play a simple move."""
        query = pb.ListPositionMovesRequest(position=request.position, page_size=1000)
        moves = self.rules.ListPositionMoves(query, timeout=context.time_remaining()).moves
        pick = max if dict(request.options).get("flips") == "most" else min
        best = pick(moves, key=lambda move: move.flip_count)
        return pb.ChooseMoveResponse(chosen={"notation": best.notation})


server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
engine = Engine(rpc.StrategyServiceStub(grpc.insecure_channel(strategy)))
rpc.add_StrategyServiceServicer_to_server(engine, server)
server.add_insecure_port(listen)
server.start()
print("listening on", listen, flush=True)
server.wait_for_termination()
