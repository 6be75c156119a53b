-- Merges of companies, beside those of contacts.
alter table contact_merges add column noun text not null default 'contact';
