-- outside a transaction
-- contract: after 20261123140000_search_sample
-- Two nouns may each have a field with one key. No release names the former index: inserts leave out what any index refuses. The new one
-- refuses what it refused, because all fields of earlier releases are of contacts.
create unique index concurrently if not exists custom_fields_org_id_noun_key_key on custom_fields (org_id, noun, key);
drop index concurrently if exists custom_fields_org_id_key_key;
