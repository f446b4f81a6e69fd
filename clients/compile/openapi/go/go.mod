module example.com/play

go 1.23

require example.com/flipside/flipside v0.0.0

replace example.com/flipside/flipside => ./client
