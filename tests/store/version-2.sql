BEGIN TRANSACTION;
CREATE TABLE crashes (
	tournament INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	position INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	error TEXT NOT NULL, 
	PRIMARY KEY (tournament, number, position), 
	FOREIGN KEY(tournament) REFERENCES tournaments (id)
);
CREATE TABLE entrants (
	tournament INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	command TEXT, 
	fingerprint TEXT, 
	token_hash TEXT, 
	withdrawn BOOLEAN NOT NULL, 
	processes INTEGER DEFAULT 1 NOT NULL, 
	guest TEXT, 
	PRIMARY KEY (tournament, position), 
	UNIQUE (tournament, name), 
	FOREIGN KEY(tournament) REFERENCES tournaments (id)
);
INSERT INTO "entrants" VALUES(1,0,'a','["{python}", "a.py"]','{"a.py":"0000000000000000000000000000000000000000000000000000000000000000"}',NULL,0,1,NULL);
INSERT INTO "entrants" VALUES(1,1,'b',NULL,NULL,'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',0,1,NULL);
CREATE TABLE faults (
	tournament INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	position INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	question INTEGER, 
	time_limit FLOAT, 
	measured FLOAT, 
	queued FLOAT, 
	reported FLOAT, 
	lag FLOAT, 
	came TEXT, 
	legal TEXT, 
	played TEXT, 
	wire FLOAT, 
	waited FLOAT, 
	verdict VARCHAR(16), 
	output TEXT, 
	PRIMARY KEY (tournament, number, position), 
	FOREIGN KEY(tournament) REFERENCES tournaments (id)
);
INSERT INTO "faults" VALUES(1,0,0,1,'illegal',4,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,0,1,1,'illegal',5,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,0,2,2,'timeout',6,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,0,3,0,'illegal',7,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,1,0,0,'timeout',4,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,1,1,0,'timeout',5,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,2,0,3,'illegal',4,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,4,0,2,'illegal',4,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,4,1,1,'illegal',5,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
INSERT INTO "faults" VALUES(1,4,2,2,'illegal',6,1.0,1.25,0.001,0.5,0.002,'bid ü','pass bid-2','pass',NULL,NULL,NULL,NULL);
CREATE TABLE games (
	tournament INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	scores TEXT NOT NULL, 
	winner INTEGER, 
	ended VARCHAR(16), 
	forfeits TEXT NOT NULL, 
	void BOOLEAN NOT NULL, 
	faults TEXT NOT NULL, 
	hands INTEGER NOT NULL, 
	PRIMARY KEY (tournament, number), 
	FOREIGN KEY(tournament) REFERENCES tournaments (id)
)
 WITHOUT ROWID

;
INSERT INTO "games" VALUES(1,0,'9a950b369a8d5ceb9bd50090cea1f09acd9b96e9dc8b932217172846b6a084e6','[3, -4]',0,'hand_limit','[]',0,'[[0, "illegal", 1], [1, "illegal", 2], [2, "timeout", 1]]',1);
INSERT INTO "games" VALUES(1,1,'6c4ded0b5331a8461056376ede1ee556a70d79bf09f7cea44566c4b1748a0ede','[-4, 1]',1,'hand_limit','[]',0,'[[0, "timeout", 2]]',1);
INSERT INTO "games" VALUES(1,2,'6d5a785e092a34e1acf2712ba049ed3ce05d7991ea488f475d9ec765465e8322','[3, 0]',0,'hand_limit','[]',0,'[[3, "illegal", 1]]',1);
INSERT INTO "games" VALUES(1,4,'595bd9588880af3fde5487f2323cf73e70bf44bd542cbcc0f53ab53888048d88','[-4, 2]',1,'hand_limit','[]',0,'[[1, "illegal", 1], [2, "illegal", 2]]',1);
CREATE TABLE pitch_schema (
	version INTEGER NOT NULL, 
	holder BIGINT DEFAULT 0 NOT NULL, 
	PRIMARY KEY (version)
);
INSERT INTO "pitch_schema" VALUES(2,0);
CREATE TABLE records (
	tournament INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	record TEXT NOT NULL, 
	PRIMARY KEY (tournament, number), 
	FOREIGN KEY(tournament) REFERENCES tournaments (id)
);
INSERT INTO "records" VALUES(1,0,'{"first_dealer":0,"format":"pitch-record/1","hands":[{"actions":["1 bid 4","2 pass","3 pass","0 pass","1 play 3C","2 play TC","3 play KC","0 play AC","0 play 8D","1 play 7D","2 play 8C","3 play AD","2 play QD","3 play 2D","0 play KD","1 play 6C","1 play JD","2 play 7S","3 play TH","0 play TD","1 play KS","2 play QC","3 play JS","0 play 4C","2 play 8S","3 play KH","0 play 4H","1 play 6S"],"deck":"3C KS JD 7S TC 8S 2D JS KH 8D 4C TD 7D 6C 6S 8C QD QC KC AD TH KD 4H AC 5D 6D QS AH 4D 7H 9S 5H 5C 2S 9H 5S 7C 2H 9C 3S JC 8H 2C 4S JH AS 9D 3H 3D QH TS 6H","result":{"bid":4,"delta":[3,-4],"made":false,"pitcher":1,"points":[3,0],"scores":[3,-4],"trump":"C","won":{"game":0,"high":0,"jack":null,"low":0}},"x_substituted":[4,15,21,23]}],"max_hands":1,"result":{"ended":"hand_limit","scores":[3,-4],"winner":0},"seats":["a","b","a","b"],"variant":{"name":"pitch-ac"},"x_board":0,"x_game":0}');
INSERT INTO "records" VALUES(1,1,'{"first_dealer":0,"format":"pitch-record/1","hands":[{"actions":["1 pass","2 bid 4","3 pass","0 pass","2 play QD","3 play 2D","0 play 8D","1 play JD","2 play 8C","3 play AD","0 play AC","1 play 3C","3 play KC","0 play 4C","1 play 7D","2 play QC","1 play KS","2 play 8S","3 play JS","0 play 4H","1 play 6C","2 play TC","3 play KH","0 play TD","0 play KD","1 play 6S","2 play 7S","3 play TH"],"deck":"3C KS JD 7S TC 8S 2D JS KH 8D 4C TD 7D 6C 6S 8C QD QC KC AD TH KD 4H AC 5D 6D QS AH 4D 7H 9S 5H 5C 2S 9H 5S 7C 2H 9C 3S JC 8H 2C 4S JH AS 9D 3H 3D QH TS 6H","result":{"bid":4,"delta":[-4,1],"made":false,"pitcher":2,"points":[3,1],"scores":[-4,1],"trump":"D","won":{"game":0,"high":1,"jack":0,"low":0}},"x_substituted":[6,13]}],"max_hands":1,"result":{"ended":"hand_limit","scores":[-4,1],"winner":1},"seats":["b","a","b","a"],"variant":{"name":"pitch-ac"},"x_board":0,"x_game":1}');
INSERT INTO "records" VALUES(1,2,'{"first_dealer":1,"format":"pitch-record/1","hands":[{"actions":["2 pass","3 pass","0 bid 3","1 pass","0 play 9H","1 play 3H","2 play AH","3 play QS","2 play TS","3 play 8D","0 play 9S","1 play 5S","2 play KH","3 play 7D","0 play 5H","1 play 4D","2 play 9C","3 play 6C","0 play 5C","1 play 2C","2 play 5D","3 play 6D","0 play 3D","1 play AD","1 play 8S","2 play 6S","3 play 2D","0 play JC"],"deck":"AH KH TS 7D 6C QS 9H 9S 5H 5S 3H 8S 9C 6S 5D 6D 8D 2D JC 3D 5C 4D AD 2C 2H 4S 7C TH 8H QD 7S QH TC 9D KC 3C 2S JD 4H AC QC KS 7H JH JS TD 6H AS 4C 3S 8C KD","result":{"bid":3,"delta":[3,0],"made":true,"pitcher":0,"points":[3,0],"scores":[3,0],"trump":"H","won":{"game":0,"high":0,"jack":null,"low":0}},"x_substituted":[1]}],"max_hands":1,"result":{"ended":"hand_limit","scores":[3,0],"winner":0},"seats":["a","b","a","b"],"variant":{"name":"pitch-ac"},"x_board":1,"x_game":2}');
INSERT INTO "records" VALUES(1,4,'{"first_dealer":2,"format":"pitch-record/1","hands":[{"actions":["3 pass","0 bid 4","1 pass","2 pass","0 play 4C","1 play 7C","2 play 5C","3 play 9C","3 play JD","0 play 6D","1 play 7D","2 play 5D","3 play 2H","0 play QH","1 play 4H","2 play QC","2 play 8H","3 play AH","0 play 5H","1 play KD","3 play 3H","0 play TS","1 play JS","2 play 9D","3 play QS","0 play 2D","1 play 4S","2 play AS"],"deck":"9C AH QS TS 2D 5H 4H 4S 7D QC 5C 8H 3H JD 2H 6D 4C QH KD 7C JS 9D 5D AS 2S TH 6S 9S 9H TD 7S 4D 2C KC KS 8C 3S QD 6H 8S 6C 3D 8D 3C TC AD AC 5S KH 7H JC JH","result":{"bid":4,"delta":[-4,2],"made":false,"pitcher":0,"points":[1,2],"scores":[-4,2],"trump":"C","won":{"game":1,"high":0,"jack":null,"low":1}},"x_substituted":[6,19,23]}],"max_hands":1,"result":{"ended":"hand_limit","scores":[-4,2],"winner":1},"seats":["a","b","a","b"],"variant":{"name":"pitch-ac"},"x_board":2,"x_game":4}');
CREATE TABLE tournaments (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	directory TEXT, 
	seed TEXT NOT NULL, 
	commitment VARCHAR(64) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	digest VARCHAR(64), 
	standings_digest VARCHAR(64), 
	PRIMARY KEY (id)
);
INSERT INTO "tournaments" VALUES(1,'test','{"clock":{"move_timeout":1.0,"reconnect_grace":10.0,"slow":[],"start_timeout":30.0,"time_bank":0.0},"entrants":["a","b"],"faults":{"max_faults":5,"on_fault":"substitute"},"format":{"batch":null,"boards":3,"challengers":[],"deals":"duplicate","error_rate":null,"isolation":"seats","kind":"round-robin","max_hands":100,"opponents":"hidden","question":null,"rounds":null,"seatings":"rotations","unit":"hand","until_separated":false},"name":"test","rating":{"draw_probability":null,"tau":0.0},"variant":{"name":"pitch-ac"}}','/srv/bots','a seed for tests','cdedf7eccef6cc47f77da69da9d2546ecedb0d81c807dbf81041a556cc13d98a','running',NULL,NULL);
COMMIT;
