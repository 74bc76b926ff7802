"""The mathematics: the worksheet's givens in, every intermediate of attention out; torch lives here only."""
