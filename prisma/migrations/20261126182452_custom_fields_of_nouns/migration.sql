-- Custom fields of contacts, as all are that exist, and of other nouns.
alter table custom_fields add column noun text not null default 'contact';
