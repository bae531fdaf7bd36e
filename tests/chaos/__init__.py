"""A crowd at a real server: many connections from few processes, good ones and bad ones.

    network    a line between a bot and the server that can be cut, stopped and dripped
    guest      one connection with its life across cuts and returns
    deeds      what guests do wrong, or merely oddly, and the faults that it earns
    driver     a process with many guests
    crowd      starting drivers, and what they tell in the end
    scraping   what a server tells of its own lag
    usage      memory, descriptors and threads of a server, second by second
    checks     what the journal must say in the end
    event      a tournament with such a crowd, from beginning to end
    arrivals   many connections in the same second
    kills      tournaments whose processes are killed and stopped

The commands in `benchmarks/` play them at full length, the tests here for some seconds.
"""
