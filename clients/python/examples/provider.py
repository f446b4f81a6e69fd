"""
An engine for robots: it flips as few discs as it can, or as many with the option {"flips": "most"}.
The legal moves come from Flipside. It passes only if it must.

Usage: python provider.py [LISTEN_ADDRESS [STRATEGY_ADDRESS]]
"""

import sys
from concurrent import futures

import grpc
from flipside.strategy.v1 import strategy_service_pb2 as pb
from flipside.strategy.v1 import strategy_service_pb2_grpc as rpc

listen = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:7000"
strategy = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1:9091"
rules = rpc.StrategyServiceStub(grpc.insecure_channel(strategy))


class Engine(rpc.StrategyServiceServicer):
    """Answers with the legal move that flips the fewest or the most discs."""

    def ChooseMove(self, request, context):
        """Choose a move. After an error, Flipside calls again, then plays a simple move."""
        query = pb.ListPositionMovesRequest(position=request.position, page_size=1000)
        moves = rules.ListPositionMoves(query, timeout=context.time_remaining()).moves
        placements = [move for move in moves if move.notation != "pass"]
        pick = max if dict(request.options).get("flips") == "most" else min
        best = pick(placements or moves, key=lambda move: move.flip_count)
        return pb.ChooseMoveResponse(chosen={"notation": best.notation})


server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
rpc.add_StrategyServiceServicer_to_server(Engine(), server)
server.add_insecure_port(listen)
server.start()
print("listening on", listen, flush=True)
server.wait_for_termination()
