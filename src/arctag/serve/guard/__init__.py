"""What stands before the routes: connections, who may ask, how much and for how long."""
