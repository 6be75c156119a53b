-- outside a transaction
create index concurrently if not exists contact_notes_words on contact_notes using gin (search_words(text));
