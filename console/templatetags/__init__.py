"""Tags of the console's templates."""
