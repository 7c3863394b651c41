CREATE TABLE item (name TEXT NOT NULL);
INSERT INTO item VALUES ('of the script');
