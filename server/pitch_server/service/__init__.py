"""The service: bots' connections over gRPC, and who may take which place."""
