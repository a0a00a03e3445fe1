"""Events out: programs elsewhere are told over HTTP what happens at the desk. Nothing comes back."""
