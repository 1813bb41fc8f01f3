"""What happens outside of requests: the relay, the RQ worker, and the effects they carry out."""
