-- Bulk changes of companies and deals, beside those of contacts. Their ids are in contact_ids.
alter table contact_bulk_changes add column noun text not null default 'contact';
