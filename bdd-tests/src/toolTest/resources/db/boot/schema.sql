INSERT INTO item(name) VALUES ('from a script');
