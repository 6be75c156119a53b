-- outside a transaction
create index concurrently if not exists contact_imports_by_part on contact_imports (part_of) where part_of is not null;
