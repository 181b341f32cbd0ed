"""What `rust-bpi<score;json>` says, added up over modules and programs."""
