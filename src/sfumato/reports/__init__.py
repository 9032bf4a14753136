"""What a release looks like to people: charts, and one HTML file that holds everything."""
