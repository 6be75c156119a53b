alter table sample_data add column next_step integer;
