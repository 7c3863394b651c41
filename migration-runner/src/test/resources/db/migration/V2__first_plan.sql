INSERT INTO plan(id, name) VALUES (1, 'the first');
